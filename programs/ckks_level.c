/*
 * ckks_level.c - what the CKKS primitives need at one level: programs, base conversions, tables.
 */
#include "ckks_plan.h"

#include <stdlib.h>

struct fh_poly_params fh_ckks_poly_params(const struct fh_ckks *ckks, size_t level) {
    return (struct fh_poly_params){
        .log2_n = ckks->log2_n,
        .unit = fh_poly_unit(ckks->map),
        .modulus_bits = ckks->bits,
        .least_bits = ckks->least_bits,
        .digits = level ? fh_golden_ckks_digits(&ckks->chain, level) : 0,
        .key_digits = ckks->chain.dnum,
        .largest = ckks->largest,
        .rotated = 2 * level,
        .switched = level ? level - 1 : 0,
        .dropped = level ? ckks->chain.moduli[level - 1] : 0,
        .second = level > 2 && ckks->near ? ckks->chain.moduli[level - 2] : 0,
    };
}

/* The conversion's plan; `bases` says between which limbs. */
static fhec_status make_conversion(struct fh_ckks *ckks, const fh_golden_ckks_conversion *bases,
                                   struct fh_plan *plan) {
    const struct fh_bconv_params params = {
        .map = ckks->map->name,
        .n = ckks->chain.n,
        .alpha = bases->from_count,
        .target = bases->to_count,
        .from = bases->from,
        .to = bases->to,
        .reduced = true, /* what an inverse transform leaves */
        .options = ckks->options,
    };
    return fh_bconv_plan(plan, &params);
}

static fhec_status make_conversions(struct fh_ckks *ckks, struct fh_ckks_level *l) {
    /* Level and digits are in range: nothing is refused. */
    (void)fh_golden_ckks_mod_down_bases(&ckks->chain, l->level, &l->down_bases);
    fhec_status status = make_conversion(ckks, &l->down_bases, &l->down);
    for (size_t d = 0; d < l->digits && status == FHEC_OK; d++) {
        (void)fh_golden_ckks_mod_up_bases(&ckks->chain, l->level, d, &l->up_bases[d]);
        status = make_conversion(ckks, &l->up_bases[d], &l->up[d]);
    }
    return status;
}

/* factors[i] = 1 / product modulo each of q[count], in the form of the CORRECT kernels. */
static void inverse_factors(const struct fh_poly_params *params, const uint64_t *q, size_t count,
                            uint64_t first, uint64_t second, unsigned char *factors) {
    size_t entry = fh_poly_entry_bytes(params);
    for (size_t i = 0; i < count; i++) {
        uint64_t inverse = 0; /* of distinct primes */
        (void)fh_golden_invmod(fh_golden_mulmod(first % q[i], second % q[i], q[i]), q[i], &inverse);
        fh_poly_factor(params, q[i], inverse, factors + i * entry);
    }
}

/* By one limb: what poly_switch adds, and 1 / q'. */
static fhec_status make_single(struct fh_ckks *ckks, struct fh_ckks_level *l) {
    const uint64_t *q = ckks->chain.moduli;
    size_t last = l->level - 1, bytes = fh_poly_addend_bytes(&l->poly);
    unsigned char *factors = fh_table(last, ckks->entry);
    void *addends = fh_table(bytes, 1);
    fhec_status status = factors && addends ? FHEC_OK : fh_fail_memory(&ckks->error);
    if (status == FHEC_OK) {
        fh_poly_addends(&l->poly, q, addends);
        status = fh_guest_table(&l->poly.guest, "addends", addends, bytes, &l->addends);
    }
    if (status == FHEC_OK) {
        inverse_factors(&l->poly.params, q, last, q[last], 1, factors);
        status =
            fh_guest_table(&l->poly.guest, "q_factor", factors, last * ckks->entry, &l->q_factor);
    }
    free(factors);
    free(addends);
    return status;
}

/* By two: the tables of poly_switch_pair, and 1 / (q' q''). */
static fhec_status make_pair(struct fh_ckks *ckks, struct fh_ckks_level *l) {
    const struct fh_poly_params *params = &l->poly.params;
    const uint64_t *q = ckks->chain.moduli;
    size_t last = l->level - 1, next = last - 1, entry = ckks->entry;
    unsigned char *factors = fh_table(last, entry);
    void *addends = fh_table(last, 16);
    fhec_status status = factors && addends ? FHEC_OK : fh_fail_memory(&ckks->error);
    if (status == FHEC_OK) {
        fh_poly_pair_addends(params, q, addends);
        status =
            fh_guest_table(&l->poly.guest, "pair_addends", addends, last * 16, &l->pair_addends);
    }
    if (status == FHEC_OK) {
        inverse_factors(params, q + next, 1, q[last], 1, factors);
        for (size_t i = 0; i < next; i++)
            fh_poly_factor(params, q[i], q[last] % q[i], factors + (i + 1) * entry);
        status =
            fh_guest_table(&l->poly.guest, "pair_factors", factors, last * entry, &l->pair_factors);
    }
    if (status == FHEC_OK) {
        inverse_factors(params, q, next, q[last], q[next], factors);
        status =
            fh_guest_table(&l->poly.guest, "pair_factor", factors, next * entry, &l->pair_factor);
    }
    free(factors);
    free(addends);
    return status;
}

/* Constants of Rescale: which level drops, so there is none at level 1. */
static fhec_status make_rescale(struct fh_ckks *ckks, struct fh_ckks_level *l) {
    fhec_status status = l->level > 1 ? make_single(ckks, l) : FHEC_OK;
    l->paired = l->poly.params.second != 0;
    return status == FHEC_OK && l->paired ? make_pair(ckks, l) : status;
}

static fhec_status make_level(struct fh_ckks *ckks, struct fh_ckks_level *l) {
    fhec_machine *machine = ckks->guest.machine;
    const struct fh_poly_params params = fh_ckks_poly_params(ckks, l->level);
    fhec_status status = FHEC_OK;
    fh_plan_begin(&l->down, machine, &ckks->options, &ckks->error);
    l->up = fh_table(l->digits, sizeof *l->up);
    l->up_bases = fh_table(l->digits, sizeof *l->up_bases);
    if (!l->up || !l->up_bases)
        status = fh_fail_memory(&ckks->error);
    for (size_t d = 0; d < l->digits && l->up; d++)
        fh_plan_begin(&l->up[d], machine, &ckks->options, &ckks->error);
    if (status == FHEC_OK)
        status = fh_poly_make(&l->poly, &params, machine, &ckks->options, &ckks->error);
    if (status == FHEC_OK)
        status = make_conversions(ckks, l);
    if (status == FHEC_OK)
        status = make_rescale(ckks, l);
    size_t entries = (l->level + ckks->chain.alpha) * l->digits;
    if (status == FHEC_OK)
        status = fh_guest_alloc(&l->poly.guest, "sources", entries * sizeof(uint64_t), &l->sources);
    return status;
}

fhec_status fh_ckks_level_get(struct fh_ckks *ckks, size_t level, struct fh_ckks_level **out) {
    *out = NULL;
    if (level < 1 || level > ckks->chain.limbs)
        return fh_fail(&ckks->error, FHEC_BAD_INPUT, "the level is %zu; it must be 1 to %zu", level,
                       ckks->chain.limbs);
    if (!ckks->levels[level]) {
        struct fh_ckks_level *l = calloc(1, sizeof *l);
        if (!l)
            return fh_fail_memory(&ckks->error);
        l->level = level;
        l->digits = fh_golden_ckks_digits(&ckks->chain, level);
        fhec_status status = make_level(ckks, l);
        if (status != FHEC_OK) {
            fh_ckks_level_free(l);
            return status;
        }
        ckks->levels[level] = l;
    }
    *out = ckks->levels[level];
    return FHEC_OK;
}

void fh_ckks_level_free(struct fh_ckks_level *level) {
    if (!level)
        return;
    for (size_t d = 0; d < level->digits && level->up; d++)
        fh_plan_free(&level->up[d]);
    fh_plan_free(&level->down);
    fh_poly_free(&level->poly);
    fh_poly_free(&level->turn_sums);
    fh_poly_free(&level->turn_one);
    free(level->up);
    free(level->up_bases);
    free(level);
}

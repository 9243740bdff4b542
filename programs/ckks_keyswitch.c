/*
 * ckks_keyswitch.c - key switching on a machine: transforms and conversions of limbs, raised
 * digits, their inner product with a key, ModDown, and what rotations make of them. Names and steps
 * are those of golden/ckks_switch.c.
 */
#include "ckks_device.h"
#include "ckks_plan.h"

#include <stdlib.h>

static void tell(const struct fh_ckks *ckks, const struct fh_plan *plan, struct fh_task task) {
    task.launches = plan->step_count;
    task.n = ckks->chain.n;
    task.word = ckks->word;
    if (ckks->options.task)
        ckks->options.task(ckks->options.task_user, &task);
}

/* Limbs of the chain, `count` from `first` on. In place allowed. */
static fhec_status transform(struct fh_ckks *ckks, struct fh_plan *plan, enum fh_task_kind kind,
                             size_t first, size_t count, uint64_t in, uint64_t out) {
    const uint64_t *moduli = ckks->chain.moduli + first;
    const fhec_status status = fh_plan_run(plan, first, count, in, out);
    if (status == FHEC_OK && count)
        tell(ckks, plan,
             (struct fh_task){.kind = kind,
                              .in_limbs = count,
                              .out_limbs = count,
                              .in_moduli = moduli,
                              .out_moduli = moduli,
                              .in = in,
                              .out = out});
    return status;
}

fhec_status fh_ckks_to_evaluations(struct fh_ckks *ckks, size_t first, size_t count, uint64_t in,
                                   uint64_t out) {
    fh_ckks_tally(ckks, FH_GOLDEN_CKKS_NTT, count);
    return transform(ckks, &ckks->forward, FH_TASK_EVALUATE, first, count, in, out);
}

fhec_status fh_ckks_to_coefficients(struct fh_ckks *ckks, size_t first, size_t count, uint64_t in,
                                    uint64_t out) {
    fh_ckks_tally(ckks, FH_GOLDEN_CKKS_INTT, count);
    return transform(ckks, &ckks->inverse, FH_TASK_INTERPOLATE, first, count, in, out);
}

static fhec_status convert(struct fh_ckks *ckks, struct fh_plan *plan,
                           const fh_golden_ckks_conversion *bases, uint64_t in, uint64_t out) {
    fh_ckks_tally(ckks, FH_GOLDEN_CKKS_CONVERSION, 1);
    fh_ckks_tally(ckks, FH_GOLDEN_CKKS_PREMULTIPLY, bases->from_count);
    const fhec_status status = fh_plan_run(plan, 0, 1, in, out);
    if (status == FHEC_OK)
        tell(ckks, plan,
             (struct fh_task){.kind = FH_TASK_CONVERT,
                              .in_limbs = bases->from_count,
                              .out_limbs = bases->to_count,
                              .in_moduli = bases->from,
                              .out_moduli = bases->to,
                              .in = in,
                              .out = out});
    return status;
}

/* Place in the chain of limb `position` of an extended polynomial. */
static size_t chain_limb(const struct fh_ckks *ckks, size_t level, size_t position) {
    return position < level ? position : ckks->chain.limbs + (position - level);
}

/* ---------------------------------------------------------------- key switching */

/* Digit `digit` of the digits at `raised`, each an extended polynomial. */
static uint64_t raised_digit(const struct fh_ckks *ckks, size_t level, uint64_t raised,
                             size_t digit) {
    return fh_ckks_limb_at(ckks, raised, digit * (level + ckks->chain.alpha));
}

/* Digit d of the coefficients, raised to all limbs but its own: base conversion, and transforms of
 * the target limbs by runs of neighbours in the chain. */
static fhec_status mod_up(struct fh_ckks *ckks, struct fh_ckks_level *l, size_t d,
                          uint64_t raised) {
    const fh_golden_ckks_conversion *bases = &l->up_bases[d];
    uint64_t in = fh_ckks_limb_at(ckks, ckks->coefficients, bases->from_limb[0]);
    fhec_status status = convert(ckks, &l->up[d], bases, in, ckks->converted);
    for (size_t i = 0, end; i < bases->to_count && status == FHEC_OK; i = end) {
        size_t position = bases->to_limb[i], first = chain_limb(ckks, l->level, position);
        for (end = i + 1; end < bases->to_count; end++)
            if (bases->to_limb[end] != position + (end - i) ||
                chain_limb(ckks, l->level, position + (end - i)) != first + (end - i))
                break;
        status = fh_ckks_to_evaluations(
            ckks, first, end - i, fh_ckks_limb_at(ckks, ckks->converted, i),
            fh_ckks_limb_at(ckks, raised_digit(ckks, l->level, raised, d), position));
    }
    return status;
}

/* Where the inner product finds limb `position` of each digit: a digit's own limbs are those of
 * `in`, untouched. */
static fhec_status write_sources(struct fh_ckks *ckks, struct fh_ckks_level *l, uint64_t in,
                                 uint64_t raised) {
    size_t extended = l->level + ckks->chain.alpha, count = extended * l->digits;
    if (l->source == in && l->source_raised == raised)
        return FHEC_OK;
    uint64_t *sources = fh_table(count, sizeof *sources);
    if (!sources)
        return fh_fail_memory(&ckks->error);
    for (size_t i = 0; i < count; i++) {
        size_t position = i / l->digits, d = i % l->digits;
        bool own = position < l->level && position / ckks->chain.digit == d;
        sources[i] =
            fh_ckks_limb_at(ckks, own ? in : raised_digit(ckks, l->level, raised, d), position);
    }
    fhec_status status =
        fh_guest_write(&l->poly.guest, l->sources, sources, count * sizeof *sources);
    l->source = status == FHEC_OK ? in : 0;
    l->source_raised = raised;
    free(sources);
    return status;
}

/* Both sums, for the q limbs and the p limbs: they are neighbours in the chain at the full level
 * only. */
static fhec_status inner_product(struct fh_ckks *ckks, struct fh_ckks_level *l, uint64_t in,
                                 uint64_t raised, uint64_t key) {
    size_t extended = l->level + ckks->chain.alpha, rows = 2 * ckks->chain.dnum;
    uint64_t second = fh_ckks_limb_at(ckks, ckks->sums, extended);
    fhec_status status = write_sources(ckks, l, in, raised);
    fh_ckks_tally(ckks, FH_GOLDEN_CKKS_KEY_PRODUCT, 2 * extended * l->digits);
    for (size_t position = 0, end; position < extended && status == FHEC_OK; position = end) {
        bool whole = l->level == ckks->chain.limbs;
        size_t limb = chain_limb(ckks, l->level, position);
        end = position < l->level && !whole ? l->level : extended;
        status = FH_CKKS_RUN(
            l, FH_POLY_INNER, end - position, l->sources + position * l->digits * sizeof(uint64_t),
            fh_ckks_limb_at(ckks, key, limb * rows), fh_ckks_limb_at(ckks, ckks->sums, position),
            fh_ckks_limb_at(ckks, second, position), ckks->inner_moduli + limb * ckks->entry);
    }
    return status;
}

/* out = (sum - what its p limbs stand for) / P, plus `addend` unless that is 0. */
static fhec_status mod_down(struct fh_ckks *ckks, struct fh_ckks_level *l, uint64_t sum,
                            uint64_t addend, enum fh_poly_kernel correction, uint64_t out) {
    size_t level = l->level, alpha = ckks->chain.alpha;
    fhec_status status = fh_ckks_to_coefficients(
        ckks, ckks->chain.limbs, alpha, fh_ckks_limb_at(ckks, sum, level), ckks->coefficients);
    if (status == FHEC_OK)
        status = convert(ckks, &l->down, &l->down_bases, ckks->coefficients, ckks->converted);
    if (status == FHEC_OK)
        status = fh_ckks_to_evaluations(ckks, 0, level, ckks->converted, ckks->converted);
    if (status != FHEC_OK)
        return status;
    fh_ckks_tally(ckks, FH_GOLDEN_CKKS_CORRECTION, level);
    if (!addend)
        return FH_CKKS_RUN(l, FH_POLY_CORRECT, level, sum, ckks->converted, out, ckks->p_factor);
    fh_ckks_tally(ckks, FH_GOLDEN_CKKS_ADDITION, level);
    return FH_CKKS_RUN(l, correction, level, sum, ckks->converted, addend, out, ckks->p_factor);
}

/* All digits of the polynomial `in`, but for their own limbs, which are in's. */
static fhec_status raise_digits(struct fh_ckks *ckks, struct fh_ckks_level *l, uint64_t in,
                                uint64_t raised) {
    fhec_status status = fh_ckks_to_coefficients(ckks, 0, l->level, in, ckks->coefficients);
    for (size_t d = 0; d < l->digits && status == FHEC_OK; d++)
        status = mod_up(ckks, l, d, raised);
    return status;
}

/* out = in switched with the key, plus the addends that are not 0. */
fhec_status fh_ckks_switch_key(struct fh_ckks *ckks, struct fh_ckks_level *l, uint64_t in,
                               uint64_t key, const uint64_t addends[2],
                               enum fh_poly_kernel correction, uint64_t out) {
    size_t extended = l->level + ckks->chain.alpha;
    fhec_status status = raise_digits(ckks, l, in, ckks->raised);
    if (status == FHEC_OK)
        status = inner_product(ckks, l, in, ckks->raised, key);
    for (size_t c = 0; c < 2 && status == FHEC_OK; c++)
        status = mod_down(ckks, l, fh_ckks_limb_at(ckks, ckks->sums, c * extended), addends[c],
                          correction, fh_ckks_limb_at(ckks, out, c * l->level));
    return status;
}

fhec_status fh_ckks_key_switch(struct fh_ckks *ckks, size_t level, uint64_t in, uint64_t key,
                               uint64_t out) {
    static const uint64_t none[2] = {0};
    struct fh_ckks_level *l;
    fhec_status status = fh_ckks_level_get(ckks, level, &l);
    return status == FHEC_OK ? fh_ckks_switch_key(ckks, l, in, key, none, FH_POLY_CORRECT, out)
                             : status;
}

/* ---------------------------------------------------------------- automorphisms */

static fhec_status check_element(struct fh_ckks *ckks, uint64_t g) {
    if (g & 1)
        return FHEC_OK;
    return fh_fail(&ckks->error, FHEC_BAD_INPUT, "X -> X^g needs an odd g, not %llu",
                   (unsigned long long)g);
}

fhec_status fh_ckks_automorphism(struct fh_ckks *ckks, size_t level, uint64_t g, uint64_t in,
                                 uint64_t out) {
    struct fh_ckks_level *l;
    fhec_status status = fh_ckks_level_get(ckks, level, &l);
    if (status == FHEC_OK)
        status = check_element(ckks, g);
    if (status != FHEC_OK)
        return status;
    g &= 2 * ckks->chain.n - 1;
    fh_ckks_tally(ckks, FH_GOLDEN_CKKS_PERMUTATION, 2 * level);
    return FH_CKKS_RUN(l, FH_POLY_AUTOMORPHISM, 2 * level, in, out, g | g >> 1 << 32);
}

fhec_status fh_ckks_galois(struct fh_ckks *ckks, size_t level, uint64_t g, uint64_t in,
                           uint64_t key, uint64_t out) {
    struct fh_ckks_level *l;
    fhec_status status = fh_ckks_automorphism(ckks, level, g, in, ckks->product);
    if (status == FHEC_OK)
        status = fh_ckks_level_get(ckks, level, &l);
    const uint64_t addends[2] = {ckks->product, 0};
    if (status == FHEC_OK)
        status = fh_ckks_switch_key(ckks, l, fh_ckks_limb_at(ckks, ckks->product, level), key,
                                    addends, FH_POLY_CORRECT_ADD, out);
    return status;
}

/* ---------------------------------------------------------------- hoisted rotations
 *
 * Of a rotation the automorphism comes first: its digits are permuted, multiplied with the key and
 * added up. The sum of the products of the digits as they are with the key permuted the other way
 * round is the same before the permutation. So the key is stored permuted
 * (fh_ckks_write_turned_key), and there are two sums to permute instead of all digits.
 */
fhec_status fh_ckks_raise_digits(struct fh_ckks *ckks, size_t level, uint64_t in, uint64_t raised) {
    struct fh_ckks_level *l;
    fhec_status status = fh_ckks_level_get(ckks, level, &l);
    return status == FHEC_OK ? raise_digits(ckks, l, in, raised) : status;
}

size_t fh_ckks_raised_limbs(const struct fh_ckks *ckks, size_t level) {
    return fh_golden_ckks_digits(&ckks->chain, level) * (level + ckks->chain.alpha);
}

/* The automorphism of `limbs` limbs by the kernel in *poly, which is made for them at its first
 * use. */
static fhec_status turn(struct fh_ckks *ckks, struct fh_poly *poly, size_t limbs, uint64_t g,
                        uint64_t in, uint64_t out) {
    if (!poly->params.rotated) {
        struct fh_poly_params params = fh_ckks_poly_params(ckks, 0);
        params.rotated = limbs;
        fhec_status status =
            fh_poly_make(poly, &params, ckks->guest.machine, &ckks->options, &ckks->error);
        if (status != FHEC_OK)
            return status;
    }
    fh_ckks_tally(ckks, FH_GOLDEN_CKKS_PERMUTATION, limbs);
    return fh_poly_run(poly, FH_POLY_AUTOMORPHISM, limbs,
                       (const uint64_t[]){in, out, g | g >> 1 << 32}, 3);
}

fhec_status fh_ckks_rotate_raised(struct fh_ckks *ckks, size_t level, uint64_t g,
                                  struct fh_ckks_pair in, uint64_t raised, uint64_t key,
                                  uint64_t out) {
    struct fh_ckks_level *l;
    fhec_status status = fh_ckks_level_get(ckks, level, &l);
    if (status == FHEC_OK)
        status = check_element(ckks, g);
    if (status != FHEC_OK)
        return status;
    g &= 2 * ckks->chain.n - 1;
    size_t extended = level + ckks->chain.alpha;
    uint64_t sums = ckks->raised; /* permuted: the digits are elsewhere */
    const uint64_t addends[2] = {ckks->product, 0};
    status = inner_product(ckks, l, in.c[1], raised, key);
    if (status == FHEC_OK)
        status = turn(ckks, &l->turn_sums, 2 * extended, g, ckks->sums, sums);
    if (status == FHEC_OK)
        status = turn(ckks, &l->turn_one, level, g, in.c[0], ckks->product);
    for (size_t c = 0; c < 2 && status == FHEC_OK; c++)
        status = mod_down(ckks, l, fh_ckks_limb_at(ckks, sums, c * extended), addends[c],
                          FH_POLY_CORRECT_ADD, fh_ckks_limb_at(ckks, out, c * level));
    return status;
}

/*
 * ckks_run.c - the CKKS primitives on a machine: which kernels on which memory. Names and steps are
 * those of golden/ckks_switch.c and golden/ckks_ops.c.
 */
#include "ckks_device.h"
#include "ckks_plan.h"

#include <stdlib.h>

/* ---------------------------------------------------------------- the homomorphic operations */

fhec_status fh_ckks_rotate(struct fh_ckks *ckks, size_t level, uint64_t r, uint64_t in,
                           uint64_t key, uint64_t out) {
    uint64_t g = 1;
    (void)fh_golden_galois_element(ckks->chain.n, r, &g); /* N is in range */
    return fh_ckks_galois(ckks, level, g, in, key, out);
}

struct fh_ckks_pair fh_ckks_pair_at(const struct fh_ckks *ckks, size_t level, uint64_t address) {
    return (struct fh_ckks_pair){{address, fh_ckks_limb_at(ckks, address, level)}};
}

fhec_status fh_ckks_hemult_pair(struct fh_ckks *ckks, size_t level, struct fh_ckks_pair a,
                                struct fh_ckks_pair b, uint64_t key, uint64_t out) {
    struct fh_ckks_level *l;
    fhec_status status = fh_ckks_level_get(ckks, level, &l);
    const uint64_t d[3] = {ckks->product, fh_ckks_limb_at(ckks, ckks->product, level),
                           fh_ckks_limb_at(ckks, ckks->product, 2 * level)};
    if (status == FHEC_OK)
        status = FH_CKKS_RUN(l, FH_POLY_TENSOR, level, a.c[0], a.c[1], b.c[0], b.c[1], d[0], d[1],
                             d[2], ckks->moduli);
    fh_ckks_tally(ckks, FH_GOLDEN_CKKS_PRODUCT, 4 * level);
    fh_ckks_tally(ckks, FH_GOLDEN_CKKS_ADDITION, level);
    if (status == FHEC_OK)
        status = fh_ckks_switch_key(ckks, l, d[2], key, d, FH_POLY_CORRECT_ADD_LAZY, out);
    return status;
}

fhec_status fh_ckks_hemult(struct fh_ckks *ckks, size_t level, uint64_t a, uint64_t b, uint64_t key,
                           uint64_t out) {
    return fh_ckks_hemult_pair(ckks, level, fh_ckks_pair_at(ckks, level, a),
                               fh_ckks_pair_at(ckks, level, b), key, out);
}

fhec_status fh_ckks_hemult_rescale(struct fh_ckks *ckks, size_t level, uint64_t a, uint64_t b,
                                   uint64_t key, uint64_t out) {
    uint64_t whole;
    fhec_status status = fh_ckks_alloc(ckks, level, 2, &whole);
    if (status != FHEC_OK)
        return status;
    status = fh_ckks_hemult(ckks, level, a, b, key, whole);
    if (status == FHEC_OK)
        status = fh_ckks_rescale(ckks, level, whole, out);
    (void)fhec_release(ckks->guest.machine, whole);
    return status;
}

fhec_status fh_ckks_ptmult(struct fh_ckks *ckks, size_t level, uint64_t in, uint64_t plain,
                           uint64_t out) {
    struct fh_ckks_level *l;
    fhec_status status = fh_ckks_level_get(ckks, level, &l);
    if (status != FHEC_OK)
        return status;
    fh_ckks_tally(ckks, FH_GOLDEN_CKKS_PRODUCT, 2 * level);
    return FH_CKKS_RUN(l, FH_POLY_MULTIPLY_PAIR, level, in, fh_ckks_limb_at(ckks, in, level), plain,
                       out, fh_ckks_limb_at(ckks, out, level), ckks->moduli);
}

fhec_status fh_ckks_ptadd(struct fh_ckks *ckks, size_t level, uint64_t in, uint64_t plain) {
    struct fh_ckks_level *l;
    fhec_status status = fh_ckks_level_get(ckks, level, &l);
    if (status != FHEC_OK)
        return status;
    fh_ckks_tally(ckks, FH_GOLDEN_CKKS_ADDITION, level);
    return FH_CKKS_RUN(l, FH_POLY_ADD, level, in, plain, in, ckks->moduli);
}

fhec_status fh_ckks_headd_pair(struct fh_ckks *ckks, size_t level, struct fh_ckks_pair a,
                               struct fh_ckks_pair b, uint64_t out) {
    struct fh_ckks_level *l;
    fhec_status status = fh_ckks_level_get(ckks, level, &l);
    if (status != FHEC_OK)
        return status;
    fh_ckks_tally(ckks, FH_GOLDEN_CKKS_ADDITION, 2 * level);
    return FH_CKKS_RUN(l, FH_POLY_ADD_PAIRS, level, a.c[0], a.c[1], b.c[0], b.c[1], out,
                       fh_ckks_limb_at(ckks, out, level), ckks->moduli);
}

fhec_status fh_ckks_headd(struct fh_ckks *ckks, size_t level, uint64_t a, uint64_t b,
                          uint64_t out) {
    return fh_ckks_headd_pair(ckks, level, fh_ckks_pair_at(ckks, level, a),
                              fh_ckks_pair_at(ckks, level, b), out);
}

fhec_status fh_ckks_hesub(struct fh_ckks *ckks, size_t level, struct fh_ckks_pair a,
                          struct fh_ckks_pair b, uint64_t out) {
    struct fh_ckks_level *l;
    fhec_status status = fh_ckks_level_get(ckks, level, &l);
    fh_ckks_tally(ckks, FH_GOLDEN_CKKS_ADDITION, 2 * level);
    for (size_t c = 0; c < 2 && status == FHEC_OK; c++)
        status = FH_CKKS_RUN(l, FH_POLY_SUBTRACT, level, a.c[c], b.c[c],
                             fh_ckks_limb_at(ckks, out, c * level), ckks->moduli);
    return status;
}

fhec_status fh_ckks_switch_secret(struct fh_ckks *ckks, size_t level, struct fh_ckks_pair in,
                                  uint64_t key, uint64_t out) {
    struct fh_ckks_level *l;
    fhec_status status = fh_ckks_level_get(ckks, level, &l);
    const uint64_t addends[2] = {in.c[0], 0};
    return status == FHEC_OK
               ? fh_ckks_switch_key(ckks, l, in.c[1], key, addends, FH_POLY_CORRECT_ADD, out)
               : status;
}

/* ---------------------------------------------------------------- products and sums with integers
 */

/* A table of the level's scalars modulo each q, in the form of this kernel. */
static fhec_status write_scalars(struct fh_ckks *ckks, struct fh_ckks_level *l,
                                 enum fh_poly_kernel kernel, fh_golden_i128 scalar) {
    unsigned char *entries = fh_table(l->level, ckks->entry);
    if (!entries)
        return fh_fail_memory(&ckks->error);
    for (size_t i = 0; i < l->level; i++) {
        uint64_t q = ckks->chain.moduli[i], rest = fh_golden_ckks_residue(scalar, q);
        (kernel == FH_POLY_ADD_SCALAR ? fh_poly_scalar : fh_poly_factor)(&l->poly.params, q, rest,
                                                                         entries + i * ckks->entry);
    }
    fhec_status status =
        fh_guest_write(&ckks->guest, ckks->scalars, entries, l->level * ckks->entry);
    free(entries);
    return status;
}

fhec_status fh_ckks_scalar_mult(struct fh_ckks *ckks, size_t level, fh_golden_i128 scalar,
                                struct fh_ckks_pair in, uint64_t out) {
    struct fh_ckks_level *l;
    fhec_status status = fh_ckks_level_get(ckks, level, &l);
    if (status == FHEC_OK)
        status = write_scalars(ckks, l, FH_POLY_MULTIPLY_SCALAR, scalar);
    fh_ckks_tally(ckks, FH_GOLDEN_CKKS_PRODUCT, 2 * level);
    for (size_t c = 0; c < 2 && status == FHEC_OK; c++)
        status = FH_CKKS_RUN(l, FH_POLY_MULTIPLY_SCALAR, level, in.c[c],
                             fh_ckks_limb_at(ckks, out, c * level), ckks->scalars);
    return status;
}

fhec_status fh_ckks_scalar_add(struct fh_ckks *ckks, size_t level, fh_golden_i128 scalar,
                               struct fh_ckks_pair in, uint64_t out) {
    struct fh_ckks_level *l;
    fhec_status status = fh_ckks_level_get(ckks, level, &l);
    fh_ckks_tally(ckks, FH_GOLDEN_CKKS_ADDITION, level);
    for (size_t c = 0; c < 2 && status == FHEC_OK; c++) {
        status = write_scalars(ckks, l, FH_POLY_ADD_SCALAR, c ? 0 : scalar); /* c1: a copy */
        if (status == FHEC_OK)
            status = FH_CKKS_RUN(l, FH_POLY_ADD_SCALAR, level, in.c[c],
                                 fh_ckks_limb_at(ckks, out, c * level), ckks->scalars);
    }
    return status;
}

fhec_status fh_ckks_ptadd_pair(struct fh_ckks *ckks, size_t level, struct fh_ckks_pair in,
                               uint64_t plain, uint64_t out) {
    struct fh_ckks_level *l;
    fhec_status status = fh_ckks_level_get(ckks, level, &l);
    fh_ckks_tally(ckks, FH_GOLDEN_CKKS_ADDITION, level);
    if (status == FHEC_OK)
        status = FH_CKKS_RUN(l, FH_POLY_ADD, level, in.c[0], plain, out, ckks->moduli);
    if (status == FHEC_OK)
        status = write_scalars(ckks, l, FH_POLY_ADD_SCALAR, 0); /* a copy */
    return status == FHEC_OK ? FH_CKKS_RUN(l, FH_POLY_ADD_SCALAR, level, in.c[1],
                                           fh_ckks_limb_at(ckks, out, level), ckks->scalars)
                             : status;
}

/* ---------------------------------------------------------------- ModRaise
 *
 * x modulo q0 q1 as the integer nearest to zero, in balanced mixed radix: x = y + q0 z with
 * |y| <= (q0 - 1) / 2, |z| <= (q1 - 1) / 2. Both digits are odd in number, so these are all
 * integers up to (q0 q1 - 1) / 2 in magnitude, each once: exactly golden's centred value. y is x
 * mod q0, z is (x mod q1 - y) / q0 mod q1, and what Rescale does to the limb that it drops, the
 * switch of modulus, takes each of them, as the residue nearest to zero, to all primes.
 */
struct raise {
    struct fh_ckks *ckks;
    struct fh_ckks_level *l; /* of the result */
    size_t base;
    struct fh_poly from[2];      /* poly_switch for what q0 and q1 leave */
    uint64_t addends[2];         /* its tables */
    uint64_t inverse, multiples; /* q0^-1 modulo q1; q0 modulo each q */
};

static fhec_status raise_from(struct raise *r, size_t j) {
    struct fh_ckks *ckks = r->ckks;
    struct fh_poly_params params = fh_ckks_poly_params(ckks, r->l->level);
    params.switched = r->l->level;
    params.dropped = ckks->chain.moduli[j];
    fhec_status status =
        fh_poly_make(&r->from[j], &params, ckks->guest.machine, &ckks->options, &ckks->error);
    size_t bytes = status == FHEC_OK ? fh_poly_addend_bytes(&r->from[j]) : 0;
    void *addends = fh_table(bytes, 1);
    if (status == FHEC_OK && !addends)
        status = fh_fail_memory(&ckks->error);
    if (status == FHEC_OK) {
        fh_poly_addends(&r->from[j], ckks->chain.moduli, addends);
        status = fh_guest_table(&r->from[j].guest, "addends", addends, bytes, &r->addends[j]);
    }
    free(addends);
    return status;
}

static fhec_status raise_tables(struct raise *r) {
    struct fh_ckks *ckks = r->ckks;
    const uint64_t *q = ckks->chain.moduli;
    size_t level = r->l->level, entry = ckks->entry;
    unsigned char *factors = fh_table(level + 1, entry);
    if (!factors)
        return fh_fail_memory(&ckks->error);
    uint64_t inverse = 0;
    (void)fh_golden_invmod(q[0], q[1], &inverse); /* distinct primes */
    fh_poly_factor(&r->l->poly.params, q[1], inverse, factors);
    for (size_t i = 0; i < level; i++)
        fh_poly_factor(&r->l->poly.params, q[i], q[0], factors + (i + 1) * entry);
    fhec_status status =
        fh_guest_table(&r->from[1].guest, "factors", factors, (level + 1) * entry, &r->inverse);
    r->multiples = r->inverse + entry;
    free(factors);
    return status;
}

/* Coefficients of the base limbs to coefficients of all limbs. */
static fhec_status raise_coefficients(struct raise *r, uint64_t low, uint64_t out) {
    struct fh_ckks *ckks = r->ckks;
    size_t level = r->l->level;
    fhec_status status = fh_poly_run(&r->from[0], FH_POLY_SWITCH, level,
                                     (const uint64_t[]){low, out, r->addends[0]}, 3);
    if (r->base == 1 || status != FHEC_OK)
        return status;
    status = FH_CKKS_RUN(r->l, FH_POLY_CORRECT, 1, fh_ckks_limb_at(ckks, low, 1),
                         fh_ckks_limb_at(ckks, out, 1), low, r->inverse);
    if (status == FHEC_OK)
        status = fh_poly_run(&r->from[1], FH_POLY_SWITCH, level,
                             (const uint64_t[]){low, ckks->converted, r->addends[1]}, 3);
    if (status == FHEC_OK)
        status = FH_CKKS_RUN(r->l, FH_POLY_MULTIPLY_SCALAR, level, ckks->converted, ckks->converted,
                             r->multiples);
    if (status == FHEC_OK)
        status = FH_CKKS_RUN(r->l, FH_POLY_ADD, level, out, ckks->converted, out, ckks->moduli);
    return status;
}

fhec_status fh_ckks_mod_raise(struct fh_ckks *ckks, size_t base, size_t level,
                              struct fh_ckks_pair in, uint64_t out) {
    struct raise r = {.ckks = ckks, .base = base};
    fhec_status status = fh_ckks_level_get(ckks, level, &r.l);
    if (status == FHEC_OK && (base < 1 || base > 2 || base > level))
        status = fh_fail(&ckks->error, FHEC_BAD_INPUT,
                         "ModRaise goes from 1 or 2 limbs up, not from %zu to %zu", base, level);
    if (status == FHEC_OK && base == 2 && !ckks->near)
        status = fh_fail(&ckks->error, FHEC_BAD_INPUT,
                         "ModRaise from 2 limbs needs primes that are less than twice each other");
    for (size_t j = 0; j < base && status == FHEC_OK; j++)
        status = raise_from(&r, j);
    if (status == FHEC_OK && base == 2)
        status = raise_tables(&r);
    for (size_t c = 0; c < 2 && status == FHEC_OK; c++) {
        uint64_t to = fh_ckks_limb_at(ckks, out, c * level);
        status = fh_ckks_to_coefficients(ckks, 0, base, in.c[c], ckks->coefficients);
        if (status == FHEC_OK)
            status = raise_coefficients(&r, ckks->coefficients, to);
        if (status == FHEC_OK)
            status = fh_ckks_to_evaluations(ckks, 0, level, to, to);
    }
    for (size_t j = 0; j < 2; j++)
        fh_poly_free(&r.from[j]);
    return status;
}

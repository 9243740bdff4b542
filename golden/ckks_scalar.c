/*
 * ckks_scalar.c - products with integers and monomials, sums with integers, and lower levels.
 */
#include "ckks_internal.h"
#include "room.h"

#include <stdlib.h>
#include <string.h>

uint64_t fh_golden_ckks_residue(fh_golden_i128 scalar, uint64_t q) {
    /* The magnitude of the smallest number, too: modulo 2^128 it is its own negative. */
    fh_golden_u128 magnitude = scalar < 0 ? 0 - (fh_golden_u128)scalar : (fh_golden_u128)scalar;
    uint64_t rest = (uint64_t)(magnitude % q);
    return scalar < 0 && rest != 0 ? q - rest : rest;
}

fh_golden_status fh_golden_ckks_hesub(const fh_golden_ckks *ckks, size_t level, const uint64_t *a,
                                      const uint64_t *b, uint64_t *out) {
    fh_golden_status status = check_level(ckks, level);
    if (status != FH_GOLDEN_OK) {
        return status;
    }
    for (size_t j = 0; j < 2 * level; j++) {
        size_t at = j * ckks->n;
        (void)fh_golden_sub(ckks->n, ckks->moduli[j % level], a + at, b + at, out + at);
    }
    tally(ckks, FH_GOLDEN_CKKS_ADDITION, 2 * level);
    return FH_GOLDEN_OK;
}

fh_golden_status fh_golden_ckks_scalar_mult(const fh_golden_ckks *ckks, size_t level,
                                            fh_golden_i128 scalar, const uint64_t *in,
                                            uint64_t *out) {
    fh_golden_status status = check_level(ckks, level);
    if (status != FH_GOLDEN_OK) {
        return status;
    }
    for (size_t j = 0; j < 2 * level; j++) {
        uint64_t q = ckks->moduli[j % level];
        (void)fh_golden_mul_scalar(ckks->n, q, in + j * ckks->n, fh_golden_ckks_residue(scalar, q),
                                   out + j * ckks->n);
    }
    tally(ckks, FH_GOLDEN_CKKS_PRODUCT, 2 * level);
    return FH_GOLDEN_OK;
}

fh_golden_status fh_golden_ckks_scalar_add(const fh_golden_ckks *ckks, size_t level,
                                           fh_golden_i128 scalar, const uint64_t *in,
                                           uint64_t *out) {
    fh_golden_status status = check_level(ckks, level);
    if (status != FH_GOLDEN_OK) {
        return status;
    }
    for (size_t j = 0; j < 2 * level; j++) {
        uint64_t q = ckks->moduli[j % level];
        uint64_t term = j < level ? fh_golden_ckks_residue(scalar, q) : 0;
        (void)fh_golden_add_scalar(ckks->n, q, in + j * ckks->n, term, out + j * ckks->n);
    }
    tally(ckks, FH_GOLDEN_CKKS_ADDITION, level);
    return FH_GOLDEN_OK;
}

fh_golden_status fh_golden_ckks_monomial(const fh_golden_ckks *ckks, size_t level,
                                         uint64_t exponent, const uint64_t *in, uint64_t *out) {
    fh_golden_status status = check_level(ckks, level);
    if (status != FH_GOLDEN_OK) {
        return status;
    }
    size_t n = ckks->n;
    uint64_t *plain = fh_golden_zeros(level * n, sizeof *plain);
    if (plain == NULL) {
        return FH_GOLDEN_ERR_NO_MEMORY;
    }
    bool negative = exponent % (2 * n) >= n; /* X^N = -1 */
    for (size_t j = 0; j < level; j++) {
        plain[j * n + exponent % n] = negative ? ckks->moduli[j] - 1 : 1;
        to_evaluations(ckks, j, plain + j * n, plain + j * n);
    }
    status = fh_golden_ckks_ptmult(ckks, level, in, plain, out);
    free(plain);
    return status;
}

fh_golden_status fh_golden_ckks_drop(const fh_golden_ckks *ckks, size_t level, size_t lower,
                                     const uint64_t *in, uint64_t *out) {
    if (lower < 1 || lower > level || level > ckks->limbs) {
        return FH_GOLDEN_ERR_LEVEL;
    }
    for (size_t j = 0; j < 2 * lower; j++) {
        size_t from = j < lower ? j : level + (j - lower);
        uint64_t q = ckks->moduli[j % lower];
        (void)fh_golden_add_scalar(ckks->n, q, in + from * ckks->n, 0, out + j * ckks->n);
    }
    return FH_GOLDEN_OK;
}

fh_golden_status fh_golden_ckks_rescale_limbs(const fh_golden_ckks *ckks, size_t level,
                                              size_t limbs, const uint64_t *in, uint64_t *out) {
    fh_golden_status status = check_level(ckks, level);
    if (status != FH_GOLDEN_OK || limbs >= level) {
        return FH_GOLDEN_ERR_LEVEL;
    }
    if (limbs == 0) {
        return fh_golden_ckks_drop(ckks, level, level, in, out);
    }
    if (limbs == 1) {
        return fh_golden_ckks_rescale(ckks, level, in, out);
    }
    uint64_t *scratch = fh_golden_room(4 * (level - 1) * ckks->n, sizeof *scratch);
    if (scratch == NULL) {
        return FH_GOLDEN_ERR_NO_MEMORY;
    }
    uint64_t *higher = scratch;
    uint64_t *lower = scratch + 2 * (level - 1) * ckks->n;
    status = fh_golden_ckks_rescale(ckks, level, in, higher);
    for (size_t now = level - 1; now > level - limbs + 1 && status == FH_GOLDEN_OK; now--) {
        status = fh_golden_ckks_rescale(ckks, now, higher, lower);
        uint64_t *held = higher;
        higher = lower;
        lower = held;
    }
    if (status == FH_GOLDEN_OK) {
        status = fh_golden_ckks_rescale(ckks, level - limbs + 1, higher, out);
    }
    free(scratch);
    return status;
}

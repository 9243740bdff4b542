/*
 * ckks_encode.c - complex slots to polynomials in residues, and back.
 */
#include "ckks_internal.h"

#include <math.h>
#include <stdlib.h>

/* Q as a long double. */
static long double modulus_product(const fh_golden_ckks *ckks, size_t level) {
    long double product = 1;
    for (size_t j = 0; j < level; j++) {
        product *= (long double)ckks->moduli[j];
    }
    return product;
}

/* A rounded coefficient modulo q: 64 significant bits times a power of two, exactly. */
static uint64_t residue(long double rounded, uint64_t q) {
    int exponent = 0;
    long double fraction = frexpl(fabsl(rounded), &exponent);
    uint64_t value;
    if (exponent <= 64) { /* below 2^64 */
        value = (uint64_t)fabsl(rounded) % q;
    } else {
        uint64_t bits = (uint64_t)ldexpl(fraction, 64);
        value = fh_golden_mulmod(bits, fh_golden_powmod(2, (uint64_t)(exponent - 64), q), q);
    }
    return rounded < 0 ? (q - value) % q : value;
}

static bool scale_is_usable(double scale) {
    return isfinite(scale) && scale > 0;
}

/* Checks the arguments that encoding and decoding share, and makes their embedding. */
static fh_golden_status begin(const fh_golden_ckks *ckks, size_t level, double scale,
                              fh_golden_embedding *e) {
    fh_golden_status status = check_level(ckks, level);
    if (status == FH_GOLDEN_OK && !scale_is_usable(scale)) {
        status = FH_GOLDEN_ERR_SCALE;
    }
    return status == FH_GOLDEN_OK ? fh_golden_embedding_make(ckks->n, e) : status;
}

fh_golden_status fh_golden_ckks_encode(const fh_golden_ckks *ckks, size_t level, double scale,
                                       const fh_golden_complex *slots, uint64_t *plain) {
    fh_golden_embedding e = {0};
    fh_golden_status status = begin(ckks, level, scale, &e);
    if (status != FH_GOLDEN_OK) {
        return status;
    }
    size_t n = ckks->n;
    long double bound = modulus_product(ckks, level) / 2;
    for (size_t j = 0; j < n / 2; j++) {
        e.slots[j] = (fh_golden_wide_complex){(long double)slots[j].re * scale,
                                              (long double)slots[j].im * scale};
    }
    fh_golden_embedding_to_coefficients(&e);
    for (size_t k = 0; k < n && status == FH_GOLDEN_OK; k++) {
        long double rounded = roundl(e.values[k].re);
        if (!(fabsl(rounded) < bound)) { /* NaN included */
            status = FH_GOLDEN_ERR_SCALE;
        }
        for (size_t j = 0; j < level && status == FH_GOLDEN_OK; j++) {
            plain[j * n + k] = residue(rounded, ckks->moduli[j]);
        }
    }
    for (size_t j = 0; j < level && status == FH_GOLDEN_OK; j++) {
        to_evaluations(ckks, j, plain + j * n, plain + j * n);
    }
    fh_golden_embedding_free(&e);
    return status;
}

/* The integer in (-Q/2, Q/2) with the residues in[j * n]. Its mixed-radix digits, each taken in
 * (-q_j / 2, q_j / 2), belong to exactly one integer of that interval, since every q_j is odd; a
 * small integer of either sign has small digits, so the sum below loses nothing. */
static long double centred_value(const fh_golden_ckks *ckks, size_t level, const uint64_t *in) {
    uint64_t digits[FH_GOLDEN_MAX_LIMBS]; /* digit j modulo q_j */
    for (size_t j = 0; j < level; j++) {
        uint64_t q = ckks->moduli[j];
        uint64_t rest = in[j * ckks->n];
        for (size_t i = 0; i < j; i++) {
            uint64_t p = ckks->moduli[i];
            bool negative = digits[i] > p / 2;
            uint64_t magnitude = (negative ? p - digits[i] : digits[i]) % q;
            uint64_t less = negative ? rest + magnitude : rest + (q - magnitude);
            rest = fh_golden_mulmod(less, ckks->q_inverse[i][j], q);
        }
        digits[j] = rest;
    }
    long double value = 0;
    for (size_t j = level; j-- > 0;) {
        uint64_t q = ckks->moduli[j];
        bool negative = digits[j] > q / 2;
        value = value * (long double)q;
        value += negative ? -(long double)(q - digits[j]) : (long double)digits[j];
    }
    return value;
}

fh_golden_status fh_golden_ckks_lift(const fh_golden_ckks *ckks, size_t level,
                                     const uint64_t *plain, long double *coefficients) {
    fh_golden_status status = check_level(ckks, level);
    if (status != FH_GOLDEN_OK) {
        return status;
    }
    size_t n = ckks->n;
    uint64_t *limbs = malloc(level * n * sizeof *limbs);
    if (limbs == NULL) {
        return FH_GOLDEN_ERR_NO_MEMORY;
    }
    for (size_t j = 0; j < level; j++) {
        to_coefficients(ckks, j, plain + j * n, limbs + j * n);
    }
    for (size_t k = 0; k < n; k++) {
        coefficients[k] = centred_value(ckks, level, limbs + k);
    }
    free(limbs);
    return FH_GOLDEN_OK;
}

fh_golden_status fh_golden_ckks_decode(const fh_golden_ckks *ckks, size_t level, double scale,
                                       const uint64_t *plain, fh_golden_complex *slots) {
    fh_golden_embedding e = {0};
    fh_golden_status status = begin(ckks, level, scale, &e);
    if (status != FH_GOLDEN_OK) {
        return status;
    }
    size_t n = ckks->n;
    long double *coefficients = malloc(n * sizeof *coefficients);
    status = coefficients == NULL ? FH_GOLDEN_ERR_NO_MEMORY
                                  : fh_golden_ckks_lift(ckks, level, plain, coefficients);
    if (status == FH_GOLDEN_OK) {
        fh_golden_embedding_to_slots(&e, coefficients);
        for (size_t j = 0; j < n / 2; j++) {
            slots[j] = (fh_golden_complex){(double)(e.slots[j].re / scale),
                                           (double)(e.slots[j].im / scale)};
        }
    }
    free(coefficients);
    fh_golden_embedding_free(&e);
    return status;
}

/*
 * ckks_encode.c - complex slots to polynomials and back: the canonical embedding in long double.
 *
 * A polynomial m with N real coefficients has the values m(zeta^(2t+1)), t = 0 .. N-1: a Fourier
 * transform of length N after coefficient k was multiplied by zeta^k. Slot j is the value with
 * 2t + 1 = 5^j mod 2N; its conjugate sits at N - 1 - t, and together they are all of them.
 */
#include "ckks_internal.h"

#include <math.h>
#include <stdlib.h>

typedef struct wide_complex {
    long double re;
    long double im;
} wide_complex;

/* Room for one transform: values[n], then powers[n], powers[k] = zeta^k = exp(i pi k / N). */
typedef struct embedding {
    size_t n;
    unsigned log2_n;
    wide_complex *values;
    wide_complex *powers;
} embedding;

static wide_complex multiply(wide_complex a, wide_complex b) {
    return (wide_complex){a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}

static wide_complex conjugate(wide_complex a) {
    return (wide_complex){a.re, -a.im};
}

/* The caller frees values. */
static fh_golden_status make_embedding(size_t n, embedding *made) {
    made->n = n;
    made->log2_n = 0;
    (void)fh_golden_log2(n, &made->log2_n); /* a power of two since the chain was checked */
    made->values = malloc(2 * n * sizeof *made->values);
    if (made->values == NULL) {
        return FH_GOLDEN_ERR_NO_MEMORY;
    }
    made->powers = made->values + n;
    long double quarter = atanl(1.0L); /* pi / 4 */
    for (size_t k = 0; k < n; k++) {
        long double angle = 4 * quarter * (long double)k / (long double)n;
        made->powers[k] = (wide_complex){cosl(angle), sinl(angle)};
    }
    return FH_GOLDEN_OK;
}

/* values[t] = sum_k values[k] w^(tk), w = zeta^2, or its conjugate for the inverse direction
 * (without the factor 1/N). Radix 2, decimation in time. */
static void fourier(const embedding *e, bool inverse) {
    for (size_t i = 0; i < e->n; i++) {
        size_t j = (size_t)fh_golden_bitrev(i, e->log2_n);
        if (i < j) {
            wide_complex held = e->values[i];
            e->values[i] = e->values[j];
            e->values[j] = held;
        }
    }
    for (size_t half = 1; half < e->n; half *= 2) {
        for (size_t start = 0; start < e->n; start += 2 * half) {
            for (size_t j = 0; j < half; j++) {
                /* The (2 half)-th root to the j: zeta^(2N / (2 half) * j). */
                wide_complex root = e->powers[e->n / half * j];
                wide_complex *low = e->values + start + j;
                wide_complex *high = low + half;
                wide_complex product = multiply(*high, inverse ? conjugate(root) : root);
                *high = (wide_complex){low->re - product.re, low->im - product.im};
                *low = (wide_complex){low->re + product.re, low->im + product.im};
            }
        }
    }
}

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

/* values[n] of e = the embedding of the slots: conjugate-symmetric. */
static void place_slots(const embedding *e, double scale, const fh_golden_complex *slots) {
    uint64_t power = 1; /* 5^j mod 2N */
    for (size_t j = 0; j < e->n / 2; j++) {
        size_t t = (size_t)(power - 1) / 2;
        wide_complex value = {(long double)slots[j].re * scale, (long double)slots[j].im * scale};
        e->values[t] = value;
        e->values[e->n - 1 - t] = conjugate(value);
        power = power * 5 % (2 * e->n);
    }
}

/* Checks the arguments that encoding and decoding share, and makes their embedding. */
static fh_golden_status begin(const fh_golden_ckks *ckks, size_t level, double scale,
                              embedding *e) {
    fh_golden_status status = check_level(ckks, level);
    if (status == FH_GOLDEN_OK && !scale_is_usable(scale)) {
        status = FH_GOLDEN_ERR_SCALE;
    }
    return status == FH_GOLDEN_OK ? make_embedding(ckks->n, e) : status;
}

fh_golden_status fh_golden_ckks_encode(const fh_golden_ckks *ckks, size_t level, double scale,
                                       const fh_golden_complex *slots, uint64_t *plain) {
    embedding e;
    fh_golden_status status = begin(ckks, level, scale, &e);
    if (status != FH_GOLDEN_OK) {
        return status;
    }
    size_t n = ckks->n;
    long double bound = modulus_product(ckks, level) / 2;
    place_slots(&e, scale, slots);
    fourier(&e, true);
    for (size_t k = 0; k < n && status == FH_GOLDEN_OK; k++) {
        wide_complex value = multiply(e.values[k], conjugate(e.powers[k]));
        long double rounded = roundl(value.re / (long double)n);
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
    free(e.values);
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
    embedding e;
    fh_golden_status status = begin(ckks, level, scale, &e);
    if (status != FH_GOLDEN_OK) {
        return status;
    }
    size_t n = ckks->n;
    long double *coefficients = malloc(n * sizeof *coefficients);
    status = coefficients == NULL ? FH_GOLDEN_ERR_NO_MEMORY
                                  : fh_golden_ckks_lift(ckks, level, plain, coefficients);
    if (status == FH_GOLDEN_OK) {
        for (size_t k = 0; k < n; k++) {
            e.values[k] = multiply(e.powers[k], (wide_complex){coefficients[k], 0});
        }
        fourier(&e, false);
        uint64_t power = 1; /* 5^j mod 2N */
        for (size_t j = 0; j < n / 2; j++) {
            wide_complex value = e.values[(power - 1) / 2];
            slots[j] = (fh_golden_complex){(double)(value.re / scale), (double)(value.im / scale)};
            power = power * 5 % (2 * n);
        }
    }
    free(coefficients);
    free(e.values);
    return status;
}

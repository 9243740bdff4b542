/*
 * bigint.c - multi-word integers as little-endian arrays of 32-bit words.
 *
 * These are the references for multi-word kernels. The Montgomery value comes from its definition,
 * a * b * 2^(-32 W) mod M, with long division, so that it shares no idea with any Montgomery
 * reduction that it is compared with.
 */
#include "golden.h"

#include <string.h>

#define MAX_PRODUCT_WORDS ((size_t)2 * FH_GOLDEN_MAX_WORDS)

static bool size_in_range(size_t words) {
    return words >= 1 && words <= FH_GOLDEN_MAX_WORDS;
}

static bool is_zero(size_t words, const uint32_t *a) {
    for (size_t i = 0; i < words; i++) {
        if (a[i] != 0) {
            return false;
        }
    }
    return true;
}

static bool at_least(size_t words, const uint32_t *a, const uint32_t *b) {
    for (size_t i = words; i-- > 0;) {
        if (a[i] != b[i]) {
            return a[i] > b[i];
        }
    }
    return true;
}

/* a -= b modulo 2^(32 words). */
static void subtract(size_t words, uint32_t *a, const uint32_t *b) {
    uint32_t borrow = 0;
    for (size_t i = 0; i < words; i++) {
        uint64_t difference = (uint64_t)a[i] - b[i] - borrow;
        a[i] = (uint32_t)difference;
        borrow = (uint32_t)(difference >> 63);
    }
}

/* a = 2 a + bit; returns the bit that leaves at the top. */
static uint32_t shift_in(size_t words, uint32_t *a, uint32_t bit) {
    for (size_t i = 0; i < words; i++) {
        uint32_t top = a[i] >> 31;
        a[i] = a[i] << 1 | bit;
        bit = top;
    }
    return bit;
}

static void multiply(size_t na, const uint32_t *a, size_t nb, const uint32_t *b, uint32_t *out) {
    memset(out, 0, (na + nb) * sizeof out[0]);
    for (size_t i = 0; i < na; i++) {
        uint64_t carry = 0;
        for (size_t j = 0; j < nb; j++) {
            /* At most (2^32-1)^2 + 2 (2^32-1) = 2^64 - 1. */
            carry += (uint64_t)a[i] * b[j] + out[i + j];
            out[i + j] = (uint32_t)carry;
            carry >>= 32;
        }
        out[i + nb] = (uint32_t)carry;
    }
}

/* rest[nm] = a[na] mod m[nm], m != 0, one quotient bit at a time. */
static void reduce(size_t na, const uint32_t *a, size_t nm, const uint32_t *m, uint32_t *rest) {
    memset(rest, 0, nm * sizeof rest[0]);
    for (size_t bit = 32 * na; bit-- > 0;) {
        uint32_t carry = shift_in(nm, rest, a[bit / 32] >> bit % 32 & 1);
        /* The remainder was below m, so it is now below 2 m: one subtraction is enough, and with a
         * carry the wrap-around of the subtraction gives the right words. */
        if (carry != 0 || at_least(nm, rest, m)) {
            subtract(nm, rest, m);
        }
    }
}

/* out = a * b mod m, all of `words` words; out may be a or b. */
static void multiply_mod(size_t words, const uint32_t *a, const uint32_t *b, const uint32_t *m,
                         uint32_t *out) {
    uint32_t product[MAX_PRODUCT_WORDS];
    multiply(words, a, words, b, product);
    reduce(2 * words, product, words, m, out);
}

fh_golden_status fh_golden_big_mul(size_t na, const uint32_t *a, size_t nb, const uint32_t *b,
                                   uint32_t *out) {
    if (!size_in_range(na) || !size_in_range(nb)) {
        return FH_GOLDEN_ERR_ARGUMENT;
    }
    multiply(na, a, nb, b, out);
    return FH_GOLDEN_OK;
}

fh_golden_status fh_golden_big_mod(size_t na, const uint32_t *a, size_t nm, const uint32_t *m,
                                   uint32_t *out) {
    if (na < 1 || na > MAX_PRODUCT_WORDS || !size_in_range(nm)) {
        return FH_GOLDEN_ERR_ARGUMENT;
    }
    if (is_zero(nm, m)) {
        return FH_GOLDEN_ERR_MODULUS;
    }
    reduce(na, a, nm, m, out);
    return FH_GOLDEN_OK;
}

fh_golden_status fh_golden_big_montgomery(size_t words, const uint32_t *a, const uint32_t *b,
                                          const uint32_t *m, uint32_t *out) {
    if (!size_in_range(words)) {
        return FH_GOLDEN_ERR_ARGUMENT;
    }
    if ((m[0] & 1) == 0) {
        return FH_GOLDEN_ERR_EVEN_MODULUS;
    }
    if (m[0] == 1 && is_zero(words - 1, m + 1)) {
        return FH_GOLDEN_ERR_MODULUS;
    }
    /* For odd m the inverse of 2 is (m + 1) / 2 = (m >> 1) + 1. */
    uint32_t power[FH_GOLDEN_MAX_WORDS];
    for (size_t i = 0; i < words; i++) {
        power[i] = m[i] >> 1 | (i + 1 < words ? m[i + 1] << 31 : 0);
    }
    for (size_t i = 0; i < words && ++power[i] == 0; i++) {
    }
    uint32_t value[FH_GOLDEN_MAX_WORDS];
    multiply_mod(words, a, b, m, value);
    /* value *= (1/2)^(32 words), the exponent by its binary digits. */
    for (size_t exponent = 32 * words; exponent != 0; exponent >>= 1) {
        if ((exponent & 1) != 0) {
            multiply_mod(words, value, power, m, value);
        }
        multiply_mod(words, power, power, m, power);
    }
    memcpy(out, value, words * sizeof out[0]);
    return FH_GOLDEN_OK;
}

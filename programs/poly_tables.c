/*
 * poly_tables.c - the tables of poly.sass: what its kernels want to know of a limb. The words and
 * the formulas are explained in lib/residue_*.sass.
 */
#include "cuda_factor.h"
#include "poly.h"
#include "residue.h"

#include <string.h>

enum { LARGEST_BITS = 60 };

static unsigned bit_length(uint64_t x) {
    return x ? 64 - (unsigned)__builtin_clzll(x) : 0;
}

static void put64(uint32_t *words, uint64_t value) {
    words[0] = (uint32_t)value;
    words[1] = (uint32_t)(value >> 32);
}

size_t fh_poly_entry_bytes(const struct fh_poly_params *params) {
    return params->unit == FH_UNIT_CUDA64 ? FH_POLY_MAX_ENTRY : 16;
}

/* A zeroed entry in whole words, and where it goes. */
struct entry {
    uint32_t words[FH_POLY_MAX_ENTRY / 4];
};

static void finish(const struct fh_poly_params *params, const struct entry *entry, void *to) {
    memcpy(to, entry->words, fh_poly_entry_bytes(params));
}

/* s: what makes a modulus one of 60 bits, if that is done. */
static unsigned shift_of(const struct fh_poly_params *params, uint64_t q) {
    return fh_poly_is_shifted(params) ? LARGEST_BITS - bit_length(q) : 0;
}

/* ---------------------------------------------------------------- moduli */

/* The shift of REDUCE_30, q < 2^30: the largest s with 2^s < q and 2^s / q + h / 2^32 <= 1 for
 * every h of a product and a residue. There is one: with q between 2^(k-1) and 2^k, k - 1 or k - 2.
 */
static unsigned barrett_shift(uint32_t q) {
    unsigned s = bit_length(q) - 1;
    uint64_t most = (uint64_t)(q - 1) * q;
    while ((uint64_t)1 << s >= q || ((uint64_t)1 << (s + 32)) + (most >> s) * q > (uint64_t)q << 32)
        s--;
    return s;
}

static void modulus_32(const struct fh_poly_params *params, uint64_t q, uint32_t *words) {
    unsigned bits = fh_poly_modulus_bits(params);
    words[0] = (uint32_t)q;
    if (bits <= 30) {
        words[2] = barrett_shift((uint32_t)q);
        words[1] = (uint32_t)(((uint64_t)1 << (words[2] + 32)) / q);
        return;
    }
    fh_u128 quotient = ((fh_u128)1 << 96) / q + (bits == 31);
    for (unsigned i = 0; i < 3; i++)
        words[i + 1] = (uint32_t)(quotient >> 32 * i);
}

static void modulus_64(const struct fh_poly_params *params, uint64_t q, uint32_t *words) {
    unsigned shift = shift_of(params, q), bits = bit_length(q) + shift;
    uint64_t large = q << shift;
    put64(words, large);
    put64(words + 2, 0 - large);
    put64(words + 4, (uint64_t)(((fh_u128)1 << (62 + bits)) / large));
    words[6] = bits - 34;
    words[7] = shift;
    put64(words + 8, q);
}

void fh_poly_modulus(const struct fh_poly_params *params, uint64_t q, void *entry) {
    struct entry e = {0};
    switch (params->unit) {
    case FH_UNIT_CUDA32: modulus_32(params, q, e.words); break;
    case FH_UNIT_CUDA64: modulus_64(params, q, e.words); break;
    case FH_UNIT_GME32:
    case FH_UNIT_GME64: put64(e.words, q); break;
    }
    finish(params, &e, entry);
}

void fh_poly_inner_modulus(const struct fh_poly_params *params, uint64_t q, void *entry) {
    struct entry e = {0};
    uint32_t negative = fh_negative_inverse((uint32_t)q);
    put64(e.words, q);
    if (params->unit == FH_UNIT_CUDA64)
        e.words[2] = negative;
    else if (params->unit == FH_UNIT_CUDA32)
        e.words[1] = fh_poly_is_lazy(params) ? negative : 0 - negative;
    if (params->unit == FH_UNIT_CUDA32) {
        e.words[2] = negative;
        e.words[3] = 0 - negative;
    }
    finish(params, &e, entry);
}

/* ---------------------------------------------------------------- constants */

static void factor_32(uint64_t q, uint64_t c, uint32_t *words) {
    struct fh_factor factor = fh_factor(c, (uint32_t)q);
    words[0] = factor.value;
    put64(words + 1, factor.quotient + 1);
    words[3] = 0 - factor.q;
}

static void factor_64(const struct fh_poly_params *params, uint64_t q, uint64_t c,
                      uint32_t *words) {
    unsigned shift = shift_of(params, q);
    uint64_t large = q << shift;
    fh_factor_signed_64(large, c << shift, words);
    fh_put_signed_64(words + 6, 0 - large);
    put64(words + 8, large);
    words[10] = (uint32_t)((((fh_u128)1 << 64) + large / 2) / large);
    words[11] = shift;
}

void fh_poly_factor(const struct fh_poly_params *params, uint64_t q, uint64_t c, void *entry) {
    struct entry e = {0};
    c %= q;
    switch (params->unit) {
    case FH_UNIT_CUDA32: factor_32(q, c, e.words); break;
    case FH_UNIT_CUDA64: factor_64(params, q, c, e.words); break;
    case FH_UNIT_GME32:
    case FH_UNIT_GME64:
        put64(e.words, c);
        put64(e.words + 2, q);
        break;
    }
    finish(params, &e, entry);
}

void fh_poly_scalar(const struct fh_poly_params *params, uint64_t q, uint64_t s, void *entry) {
    struct entry e = {0};
    uint32_t *words = params->unit == FH_UNIT_CUDA64 ? e.words + 8 : e.words;
    put64(words, q);
    if (params->unit == FH_UNIT_CUDA32)
        words[1] = (uint32_t)(s % q);
    else
        put64(words + 2, s % q);
    finish(params, &e, entry);
}

/* out = in 2^bits mod q, or in on modular lane units. With c = 2^bits mod q and w = floor(c 2^64 /
 * q), x c - floor(x w / 2^64) q is below 2 q for every x (Shoup): a division for all elements. */
static void shifted_elements(const struct fh_poly_params *params, uint64_t q, unsigned bits,
                             size_t count, const uint64_t *in, uint64_t *out) {
    const bool gme = fh_poly_is_gme(params);
    const uint64_t c = (uint64_t)(((fh_u128)1 << bits) % q), w = (uint64_t)(((fh_u128)c << 64) / q);
    for (size_t i = 0; i < count; i++) {
        uint64_t r = in[i] * c - (uint64_t)((fh_u128)in[i] * w >> 64) * q;
        out[i] = gme ? in[i] : r >= q ? r - q : r;
    }
}

uint64_t fh_poly_key_element(const struct fh_poly_params *params, uint64_t q, uint64_t x) {
    fh_poly_key_elements(params, q, 1, &x, &x);
    return x;
}

void fh_poly_key_elements(const struct fh_poly_params *params, uint64_t q, size_t count,
                          const uint64_t *in, uint64_t *out) {
    shifted_elements(params, q, 32 * fh_poly_words(params), count, in, out);
}

void fh_poly_sum_elements(const struct fh_poly_params *params, uint64_t q, size_t count,
                          const uint64_t *in, uint64_t *out) {
    shifted_elements(params, q, 64, count, in, out);
}

size_t fh_poly_scalar_row(const struct fh_poly_params *params) {
    size_t words = params->terms * fh_poly_words(params);
    return (words + 3) / 4 * 16;
}

/* ---------------------------------------------------------------- changes of modulus */

/* Addends of a share: whole vectors of them. */
static size_t share_addends(const struct fh_poly *poly) {
    size_t vector = fh_poly_vector(&poly->params);
    return (poly->switched_at_once + vector - 1) / vector * vector;
}

size_t fh_poly_addend_bytes(const struct fh_poly *poly) {
    size_t shares = (poly->params.switched + poly->switched_at_once - 1) / poly->switched_at_once;
    return shares * share_addends(poly) * 4 * fh_poly_words(&poly->params);
}

/* k q - dropped with half <= k q < half + q: below 2^61 or 2^33. */
static uint64_t addend_of(uint64_t q, uint64_t dropped) {
    return (dropped / 2 + q - 1) / q * q - dropped;
}

void fh_poly_pair_addends(const struct fh_poly_params *params, const uint64_t *q, void *table) {
    const uint64_t dropped[] = {params->dropped, params->second};
    for (size_t i = 0; i < params->switched; i++) {
        size_t limb = (i + params->switched - 1) % params->switched;
        unsigned char *row = (unsigned char *)table + 16 * i;
        for (unsigned k = 0; k < 2; k++) {
            uint64_t addend = addend_of(q[limb], dropped[k]);
            if (fh_poly_words(params) == 2)
                ((uint64_t *)row)[k] = addend;
            else
                ((uint32_t *)row)[k] = (uint32_t)addend;
        }
    }
}

void fh_poly_addends(const struct fh_poly *poly, const uint64_t *q, void *table) {
    size_t each = poly->switched_at_once, row = share_addends(poly);
    for (size_t i = 0; i < poly->params.switched; i++) {
        uint64_t addend = addend_of(q[i], poly->params.dropped);
        size_t at = i / each * row + i % each;
        if (fh_poly_words(&poly->params) == 2)
            ((uint64_t *)table)[at] = addend;
        else
            ((uint32_t *)table)[at] = (uint32_t)addend;
    }
}

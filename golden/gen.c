/*
 * gen.c - seeded inputs whose every element can be computed on its own.
 */
#include "golden.h"
#include "wide_rest.h"

#define GOLDEN_GAMMA 0x9e3779b97f4a7c15ULL

typedef fh_golden_u128 u128;

/* The finaliser of splitmix64 (Steele, Lea and Flood, 2014). Arithmetic modulo 2^64. */
static uint64_t finalise(uint64_t x) {
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9ULL;
    x = (x ^ x >> 27) * 0x94d049bb133111ebULL;
    return x ^ x >> 31;
}

static uint64_t stream_key(uint64_t seed, uint64_t stream) {
    return finalise(finalise(seed + GOLDEN_GAMMA) + (stream + 1) * GOLDEN_GAMMA);
}

static uint64_t word_of_key(uint64_t key, uint64_t w) {
    return finalise(key + (w + 1) * GOLDEN_GAMMA);
}

static u128 wide_of_key(uint64_t key, uint64_t index) {
    return (u128)word_of_key(key, 2 * index) << 64 | word_of_key(key, 2 * index + 1);
}

uint64_t fh_golden_random_word(uint64_t seed, uint64_t stream, uint64_t w) {
    return word_of_key(stream_key(seed, stream), w);
}

uint64_t fh_golden_random_residue(uint64_t seed, uint64_t stream, uint64_t index, uint64_t q) {
    return fh_golden_rest(wide_of_key(stream_key(seed, stream), index), q);
}

/* n residues in a row. */
static void residues_of_key(uint64_t key, uint64_t q, size_t n, uint64_t *out) {
    if (q >> 62 != 0) {
        for (size_t i = 0; i < n; i++) {
            out[i] = fh_golden_rest(wide_of_key(key, i), q);
        }
        return;
    }
    const fh_golden_divisor divisor = fh_golden_divisor_of(q);
    for (size_t i = 0; i < n; i++) {
        out[i] = fh_golden_rest_by(wide_of_key(key, i), &divisor);
    }
}

fh_golden_status fh_golden_generate(fh_golden_pattern pattern, uint64_t seed, uint64_t stream,
                                    uint64_t q, size_t n, uint64_t *out) {
    if (q == 0) {
        return FH_GOLDEN_ERR_MODULUS;
    }
    if (pattern >= FH_GOLDEN_PATTERN_COUNT) {
        return FH_GOLDEN_ERR_ARGUMENT;
    }
    if (pattern == FH_GOLDEN_RANDOM) {
        residues_of_key(stream_key(seed, stream), q, n, out);
        return FH_GOLDEN_OK;
    }
    for (size_t i = 0; i < n; i++) {
        switch (pattern) {
        case FH_GOLDEN_RANDOM:
        case FH_GOLDEN_PATTERN_COUNT: break;
        case FH_GOLDEN_ALL_MAX: out[i] = q - 1; break;
        case FH_GOLDEN_ONE_HOT: out[i] = i == seed % n ? 1 % q : 0; break;
        case FH_GOLDEN_ALTERNATING: out[i] = i % 2 == 0 ? 0 : q - 1; break;
        case FH_GOLDEN_RAMP: out[i] = i % q; break;
        }
    }
    return FH_GOLDEN_OK;
}

fh_golden_status fh_golden_generate_limbs(fh_golden_pattern pattern, uint64_t seed, size_t limbs,
                                          const uint64_t *q, size_t n, uint64_t *out) {
    for (size_t j = 0; j < limbs; j++) {
        fh_golden_status status = fh_golden_generate(pattern, seed, j, q[j], n, out + j * n);
        if (status != FH_GOLDEN_OK) {
            return status;
        }
    }
    return FH_GOLDEN_OK;
}

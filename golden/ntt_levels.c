/* ntt_levels.c - see ntt_levels.h. Compiled for AVX2 where there is such a thing. */
#include "ntt_levels.h"

enum { LANES = 4 };

#if defined __AVX2__

#include <immintrin.h>

bool fh_golden_levels_usable(size_t n, uint64_t q) {
    return n >= 2 * LANES && q >> 30 == 0 && __builtin_cpu_supports("avx2");
}

typedef struct constants {
    __m256i value, quotient, q, twice;
} constants;

static constants constants_of(fh_golden_factor w, uint64_t q) {
    return (constants){_mm256_set1_epi64x((long long)w.value),
                       _mm256_set1_epi64x((long long)(w.quotient >> 32)),
                       _mm256_set1_epi64x((long long)q), _mm256_set1_epi64x((long long)(2 * q))};
}

/* x w, in [0, 2q). */
static inline __m256i multiply_lazy(__m256i x, const constants *c) {
    const __m256i estimate = _mm256_srli_epi64(_mm256_mul_epu32(x, c->quotient), 32);
    return _mm256_sub_epi64(_mm256_mul_epu32(x, c->value), _mm256_mul_epu32(estimate, c->q));
}

/* x below 4q to below 2q: of x and x - 2q modulo 2^32 the smaller one, since x < 2^32. */
static inline __m256i halve(__m256i x, const constants *c) {
    return _mm256_min_epu32(x, _mm256_sub_epi32(x, c->twice));
}

void fh_golden_levels_forward(size_t n, uint64_t q, const fh_golden_factor *table, uint64_t *data) {
    size_t length = n / 2;
    for (size_t m = 1; length >= LANES; m *= 2, length /= 2) {
        for (size_t i = 0; i < m; i++) {
            const constants c = constants_of(table[m + i], q);
            __m256i *low = (__m256i *)(void *)(data + 2 * i * length);
            __m256i *high = low + length / LANES;
            for (size_t j = 0; j < length / LANES; j++) {
                const __m256i x = halve(_mm256_loadu_si256(low + j), &c);
                const __m256i y = multiply_lazy(_mm256_loadu_si256(high + j), &c);
                _mm256_storeu_si256(low + j, _mm256_add_epi64(x, y));
                _mm256_storeu_si256(high + j, _mm256_sub_epi64(_mm256_add_epi64(x, c.twice), y));
            }
        }
    }
}

void fh_golden_levels_inverse(size_t n, uint64_t q, const fh_golden_factor *table, uint64_t *data) {
    size_t length = LANES;
    for (size_t m = n / 2 / LANES; m >= 1; m /= 2, length *= 2) {
        for (size_t i = 0; i < m; i++) {
            const constants c = constants_of(table[m + i], q);
            __m256i *low = (__m256i *)(void *)(data + 2 * i * length);
            __m256i *high = low + length / LANES;
            for (size_t j = 0; j < length / LANES; j++) {
                const __m256i x = _mm256_loadu_si256(low + j), y = _mm256_loadu_si256(high + j);
                const __m256i difference = _mm256_sub_epi64(_mm256_add_epi64(x, c.twice), y);
                _mm256_storeu_si256(low + j, halve(_mm256_add_epi64(x, y), &c));
                _mm256_storeu_si256(high + j, multiply_lazy(difference, &c));
            }
        }
    }
}

#else

bool fh_golden_levels_usable(size_t n, uint64_t q) {
    (void)n;
    (void)q;
    return false;
}

void fh_golden_levels_forward(size_t n, uint64_t q, const fh_golden_factor *table, uint64_t *data) {
    (void)n;
    (void)q;
    (void)table;
    (void)data;
}

void fh_golden_levels_inverse(size_t n, uint64_t q, const fh_golden_factor *table, uint64_t *data) {
    (void)n;
    (void)q;
    (void)table;
    (void)data;
}

#endif

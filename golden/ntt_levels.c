/* ntt_levels.c - see ntt_levels.h. Compiled for AVX2 where there is such a thing. */
#include "ntt_levels.h"

enum { LANES = 4 };

#if defined __AVX2__

#include <immintrin.h>

bool fh_golden_levels_usable(size_t n, uint64_t q) {
    return n >= 2 * LANES && q >> 32 == 0 && __builtin_cpu_supports("avx2");
}

static inline __m256i load(const uint64_t *from) {
    return _mm256_loadu_si256((const __m256i *)(const void *)from);
}

static inline void store(uint64_t *to, __m256i value) {
    _mm256_storeu_si256((__m256i *)(void *)to, value);
}

/* Lanes of `negative` where x has its sign bit set, else of x. */
static inline __m256i choose(__m256i x, __m256i negative) {
    return _mm256_castpd_si256(_mm256_blendv_pd(
        _mm256_castsi256_pd(x), _mm256_castsi256_pd(negative), _mm256_castsi256_pd(x)));
}

/* x in [0, 2q) to [0, q). */
static inline __m256i below(__m256i x, __m256i q) {
    return choose(_mm256_sub_epi64(x, q), x);
}

/* x - y, both below q. */
static inline __m256i subtract(__m256i x, __m256i y, __m256i q) {
    const __m256i difference = _mm256_sub_epi64(x, y);
    return choose(difference, _mm256_add_epi64(difference, q));
}

/* Constants with the upper halves of their quotients. */
typedef struct constants {
    __m256i value, quotient;
} constants;

static inline __m256i multiply(__m256i x, constants w, __m256i q) {
    const __m256i estimate = _mm256_srli_epi64(_mm256_mul_epu32(x, w.quotient), 32);
    return below(_mm256_sub_epi64(_mm256_mul_epu32(x, w.value), _mm256_mul_epu32(estimate, q)), q);
}

static inline constants same_constant(fh_golden_factor w) {
    return (constants){_mm256_set1_epi64x((long long)w.value),
                       _mm256_set1_epi64x((long long)(w.quotient >> 32))};
}

/* w[0], w[0], w[1], w[1]: of two groups of four values. */
static inline constants two_constants(const fh_golden_factor *w) {
    const __m256i both = load(&w->value);
    return (constants){_mm256_permute4x64_epi64(both, 0xa0),
                       _mm256_srli_epi64(_mm256_permute4x64_epi64(both, 0xf5), 32)};
}

/* w[0] .. w[3]: of four pairs. */
static inline constants four_constants(const fh_golden_factor *w) {
    const __m256i first = load(&w[0].value), second = load(&w[2].value);
    const __m256i values = _mm256_unpacklo_epi64(first, second);
    const __m256i quotients = _mm256_unpackhi_epi64(first, second);
    return (constants){_mm256_permute4x64_epi64(values, 0xd8),
                       _mm256_srli_epi64(_mm256_permute4x64_epi64(quotients, 0xd8), 32)};
}

static inline void forward(__m256i *low, __m256i *high, constants w, __m256i q) {
    const __m256i x = *low, y = multiply(*high, w, q);
    *low = below(_mm256_add_epi64(x, y), q);
    *high = subtract(x, y, q);
}

static inline void inverse(__m256i *low, __m256i *high, constants w, __m256i q) {
    const __m256i x = *low, y = *high;
    *low = below(_mm256_add_epi64(x, y), q);
    *high = multiply(subtract(x, y, q), w, q);
}

/* The last two levels of eight values: groups of four, then pairs. */
static inline void forward_eight(const fh_golden_factor *fours, const fh_golden_factor *pairs,
                                 __m256i q, uint64_t *data) {
    const __m256i first = load(data), second = load(data + LANES);
    __m256i low = _mm256_permute2x128_si256(first, second, 0x20);  /* 0 1 4 5 */
    __m256i high = _mm256_permute2x128_si256(first, second, 0x31); /* 2 3 6 7 */
    forward(&low, &high, two_constants(fours), q);
    __m256i even = _mm256_unpacklo_epi64(low, high); /* 0 2 4 6 */
    __m256i odd = _mm256_unpackhi_epi64(low, high);
    forward(&even, &odd, four_constants(pairs), q);
    low = _mm256_unpacklo_epi64(even, odd);
    high = _mm256_unpackhi_epi64(even, odd);
    store(data, _mm256_permute2x128_si256(low, high, 0x20));
    store(data + LANES, _mm256_permute2x128_si256(low, high, 0x31));
}

/* The first two levels of the inverse. */
static inline void inverse_eight(const fh_golden_factor *fours, const fh_golden_factor *pairs,
                                 __m256i q, uint64_t *data) {
    const __m256i first = load(data), second = load(data + LANES);
    __m256i low = _mm256_permute2x128_si256(first, second, 0x20);
    __m256i high = _mm256_permute2x128_si256(first, second, 0x31);
    __m256i even = _mm256_unpacklo_epi64(low, high);
    __m256i odd = _mm256_unpackhi_epi64(low, high);
    inverse(&even, &odd, four_constants(pairs), q);
    low = _mm256_unpacklo_epi64(even, odd);
    high = _mm256_unpackhi_epi64(even, odd);
    inverse(&low, &high, two_constants(fours), q);
    store(data, _mm256_permute2x128_si256(low, high, 0x20));
    store(data + LANES, _mm256_permute2x128_si256(low, high, 0x31));
}

void fh_golden_levels_forward(size_t n, uint64_t q, const fh_golden_factor *table, uint64_t *data) {
    const __m256i modulus = _mm256_set1_epi64x((long long)q);
    size_t length = n / 2;
    for (size_t m = 1; length >= LANES; m *= 2, length /= 2) {
        for (size_t i = 0; i < m; i++) {
            const constants w = same_constant(table[m + i]);
            uint64_t *low = data + 2 * i * length;
            for (size_t j = 0; j < length; j += LANES) {
                __m256i x = load(low + j), y = load(low + length + j);
                forward(&x, &y, w, modulus);
                store(low + j, x);
                store(low + length + j, y);
            }
        }
    }
    for (size_t i = 0; i < n; i += 2 * LANES) {
        forward_eight(table + n / 4 + i / 4, table + n / 2 + i / 2, modulus, data + i);
    }
}

void fh_golden_levels_inverse(size_t n, uint64_t q, const fh_golden_factor *table, uint64_t *data) {
    const __m256i modulus = _mm256_set1_epi64x((long long)q);
    for (size_t i = 0; i < n; i += 2 * LANES) {
        inverse_eight(table + n / 4 + i / 4, table + n / 2 + i / 2, modulus, data + i);
    }
    size_t length = LANES;
    for (size_t m = n / 2 / LANES; m >= 1; m /= 2, length *= 2) {
        for (size_t i = 0; i < m; i++) {
            const constants w = same_constant(table[m + i]);
            uint64_t *low = data + 2 * i * length;
            for (size_t j = 0; j < length; j += LANES) {
                __m256i x = load(low + j), y = load(low + length + j);
                inverse(&x, &y, w, modulus);
                store(low + j, x);
                store(low + length + j, y);
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

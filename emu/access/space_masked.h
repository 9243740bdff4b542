/*
 * space_masked.h - values of some lanes that lie one behind another in memory, as those of a guard
 * `index < n` and of code that has diverged do, at the SIMD level of the including file. Part of
 * space_fast.inc.
 *
 * Lane l's value is l * bytes behind `first`, which may be outside of the range if lane 0 is not
 * active. Nothing is touched of inactive lanes' values, which may be another thread's, nor of their
 * registers. With AVX-512 the host's masks see to that: what a masked access leaves out is neither
 * read nor written nor faults. Elsewhere lanes go one by one.
 */
#ifndef FH_SPACE_MASKED_H
#define FH_SPACE_MASKED_H

#include "access.h"

#if defined __AVX512F__
#include <immintrin.h>
#endif

/* Lane by lane, from lane 0's place on if `index` is NULL, else from memory + index[l]. */
static inline __attribute__((always_inline)) void
fh_each_load(uint32_t *d, const uint8_t *memory, const uint32_t *index, uint32_t active,
             const uint32_t bytes, const bool sign) {
    for (uint32_t rest = active; rest; rest &= rest - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctz(rest);
        const uint8_t *from = memory + (index ? index[lane] : lane * bytes);
        if (bytes >= 4)
            fh_words_load(d, lane, bytes / 4, from);
        else
            d[lane] = fh_narrow_load(from, bytes, sign);
    }
}

static inline __attribute__((always_inline)) void fh_each_store(const uint32_t *s, uint8_t *memory,
                                                                const uint32_t *index,
                                                                uint32_t active,
                                                                const uint32_t bytes) {
    for (uint32_t rest = active; rest; rest &= rest - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctz(rest);
        uint8_t *to = memory + (index ? index[lane] : lane * bytes);
        if (bytes >= 4)
            fh_words_store(s, lane, bytes / 4, to);
        else
            memcpy(to, &s[lane], bytes); /* the low bytes of the register come first */
    }
}

#if defined __AVX512F__

/* The active lanes of a row become those of 2 x 16 values. It is stored as a whole, since hosts
 * hand no masked store on to the loads behind it. */
static inline __attribute__((always_inline)) void fh_merge_row(uint32_t *row, uint32_t active,
                                                               __m512i low, __m512i high) {
    const __m512i a = _mm512_load_si512(row), b = _mm512_load_si512(row + 16);
    _mm512_store_si512(row, _mm512_mask_mov_epi32(a, (__mmask16)active, low));
    _mm512_store_si512(row + 16, _mm512_mask_mov_epi32(b, (__mmask16)(active >> 16), high));
}

/* A mask of 16 lanes as one of their words of 128 bits: bit l becomes bits 4l to 4l + 3. */
static inline uint64_t fh_four_words(uint32_t lanes) {
    return _pdep_u64((uint16_t)lanes, UINT64_C(0x1111111111111111)) * 0xf;
}

/* Words 0 to 3 of lanes 4i to 4i + 3 in v[i], i < 4, into words by lanes: v[k] is word k of 16
 * lanes. Transposing within 128 bits leaves lanes 0 4 8 12 1 5 ..; `order` puts them in theirs. The
 * way back is the same, since to transpose twice does nothing, with the permutation first. */
static inline __attribute__((always_inline)) void fh_transpose_16(__m512i v[4]) {
    const __m512i low01 = _mm512_unpacklo_epi32(v[0], v[1]);
    const __m512i low23 = _mm512_unpacklo_epi32(v[2], v[3]);
    const __m512i high01 = _mm512_unpackhi_epi32(v[0], v[1]);
    const __m512i high23 = _mm512_unpackhi_epi32(v[2], v[3]);
    v[0] = _mm512_unpacklo_epi64(low01, low23);
    v[1] = _mm512_unpackhi_epi64(low01, low23);
    v[2] = _mm512_unpacklo_epi64(high01, high23);
    v[3] = _mm512_unpackhi_epi64(high01, high23);
}

static inline __attribute__((always_inline)) __m512i fh_by_fours(__m512i v) {
    const __m512i order = _mm512_setr_epi32(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15);
    return _mm512_permutexvar_epi32(order, v);
}

static inline __attribute__((always_inline)) void
fh_masked_load_64(uint32_t *d, const uint8_t *first, uint32_t active) {
    const __m512i even =
        _mm512_setr_epi32(0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30);
    const __m512i odd = _mm512_add_epi32(even, _mm512_set1_epi32(1));
    __m512i v[4];
#pragma GCC unroll 4
    for (uint32_t i = 0; i < 4; i++)
        v[i] = _mm512_maskz_loadu_epi64((__mmask8)(active >> 8 * i), first + 64 * i);
    fh_merge_row(d, active, _mm512_permutex2var_epi32(v[0], even, v[1]),
                 _mm512_permutex2var_epi32(v[2], even, v[3]));
    fh_merge_row(d + FH_LANES, active, _mm512_permutex2var_epi32(v[0], odd, v[1]),
                 _mm512_permutex2var_epi32(v[2], odd, v[3]));
}

static inline __attribute__((always_inline)) void
fh_masked_load_128(uint32_t *d, const uint8_t *first, uint32_t active) {
    __m512i v[2][4];
#pragma GCC unroll 2
    for (uint32_t h = 0; h < 2; h++) {
        const uint64_t words = fh_four_words(active >> 16 * h);
#pragma GCC unroll 4
        for (uint32_t i = 0; i < 4; i++)
            v[h][i] =
                _mm512_maskz_loadu_epi32((__mmask16)(words >> 16 * i), first + 256 * h + 64 * i);
        fh_transpose_16(v[h]);
    }
#pragma GCC unroll 4
    for (uint32_t k = 0; k < 4; k++)
        fh_merge_row(d + k * FH_LANES, active, fh_by_fours(v[0][k]), fh_by_fours(v[1][k]));
}

static inline __attribute__((always_inline)) void fh_masked_load(uint32_t *d, const uint8_t *first,
                                                                 uint32_t active,
                                                                 const uint32_t bytes,
                                                                 const bool sign) {
    if (bytes == 1) {
        const __m256i v = _mm256_maskz_loadu_epi8(active, first);
        const __m128i low = _mm256_castsi256_si128(v), high = _mm256_extracti128_si256(v, 1);
        fh_merge_row(d, active, sign ? _mm512_cvtepi8_epi32(low) : _mm512_cvtepu8_epi32(low),
                     sign ? _mm512_cvtepi8_epi32(high) : _mm512_cvtepu8_epi32(high));
    } else if (bytes == 2) {
        const __m512i v = _mm512_maskz_loadu_epi16(active, first);
        const __m256i low = _mm512_castsi512_si256(v), high = _mm512_extracti64x4_epi64(v, 1);
        fh_merge_row(d, active, sign ? _mm512_cvtepi16_epi32(low) : _mm512_cvtepu16_epi32(low),
                     sign ? _mm512_cvtepi16_epi32(high) : _mm512_cvtepu16_epi32(high));
    } else if (bytes == 4) {
        fh_merge_row(d, active, _mm512_maskz_loadu_epi32((__mmask16)active, first),
                     _mm512_maskz_loadu_epi32((__mmask16)(active >> 16), first + 64));
    } else if (bytes == 8) {
        fh_masked_load_64(d, first, active);
    } else {
        fh_masked_load_128(d, first, active);
    }
}

static inline __attribute__((always_inline)) void
fh_masked_store_64(const uint32_t *s, uint8_t *first, uint32_t active) {
    const __m512i lower = _mm512_setr_epi32(0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
    const __m512i upper = _mm512_add_epi32(lower, _mm512_set1_epi32(8));
#pragma GCC unroll 2
    for (uint32_t h = 0; h < 2; h++) {
        const __m512i low = _mm512_load_si512(s + 16 * h);
        const __m512i high = _mm512_load_si512(s + 16 * h + FH_LANES);
        const uint32_t lanes = active >> 16 * h;
        uint8_t *const to = first + 128 * h;
        _mm512_mask_storeu_epi64(to, (__mmask8)lanes, _mm512_permutex2var_epi32(low, lower, high));
        _mm512_mask_storeu_epi64(to + 64, (__mmask8)(lanes >> 8),
                                 _mm512_permutex2var_epi32(low, upper, high));
    }
}

static inline __attribute__((always_inline)) void
fh_masked_store_128(const uint32_t *s, uint8_t *first, uint32_t active) {
#pragma GCC unroll 2
    for (uint32_t h = 0; h < 2; h++) {
        __m512i v[4];
#pragma GCC unroll 4
        for (uint32_t k = 0; k < 4; k++)
            v[k] = fh_by_fours(_mm512_load_si512(s + 16 * h + k * FH_LANES));
        const uint64_t words = fh_four_words(active >> 16 * h);
        fh_transpose_16(v);
#pragma GCC unroll 4
        for (uint32_t i = 0; i < 4; i++)
            _mm512_mask_storeu_epi32(first + 256 * h + 64 * i, (__mmask16)(words >> 16 * i), v[i]);
    }
}

static inline __attribute__((always_inline)) void
fh_masked_store(const uint32_t *s, uint8_t *first, uint32_t active, const uint32_t bytes) {
    const __m512i low = _mm512_load_si512(s), high = _mm512_load_si512(s + 16);
    if (bytes == 1) {
        const __m256i v = _mm256_inserti128_si256(_mm256_castsi128_si256(_mm512_cvtepi32_epi8(low)),
                                                  _mm512_cvtepi32_epi8(high), 1);
        _mm256_mask_storeu_epi8(first, active, v);
    } else if (bytes == 2) {
        const __m512i v = _mm512_inserti64x4(_mm512_castsi256_si512(_mm512_cvtepi32_epi16(low)),
                                             _mm512_cvtepi32_epi16(high), 1);
        _mm512_mask_storeu_epi16(first, active, v);
    } else if (bytes == 4) {
        _mm512_mask_storeu_epi32(first, (__mmask16)active, low);
        _mm512_mask_storeu_epi32(first + 64, (__mmask16)(active >> 16), high);
    } else if (bytes == 8) {
        fh_masked_store_64(s, first, active);
    } else {
        fh_masked_store_128(s, first, active);
    }
}

#else

static inline __attribute__((always_inline)) void fh_masked_load(uint32_t *d, const uint8_t *first,
                                                                 uint32_t active,
                                                                 const uint32_t bytes,
                                                                 const bool sign) {
    fh_each_load(d, first, NULL, active, bytes, sign);
}

static inline __attribute__((always_inline)) void
fh_masked_store(const uint32_t *s, uint8_t *first, uint32_t active, const uint32_t bytes) {
    fh_each_store(s, first, NULL, active, bytes);
}

#endif

#endif

/*
 * space_quads.h - 128-bit accesses of which lanes 4n .. 4n + 3 are 64 bytes side by side: a vector
 * for each such run, and four rows of words out of eight runs. Part of space_fast.inc; AVX-512
 * only.
 */
#ifndef FH_SPACE_QUADS_H
#define FH_SPACE_QUADS_H

#include <stdint.h>

#include "exec.h"

#if defined __AVX512F__
#include <immintrin.h>

enum { FH_RUNS = FH_LANES / 4 };

/* Where the runs are: `memory` + at[n] for lanes 4n .. 4n + 3. */
struct fh_runs {
    uint32_t at[FH_RUNS];
};

static inline __attribute__((always_inline)) struct fh_runs fh_straight_runs(void) {
    return (struct fh_runs){{0, 64, 128, 192, 256, 320, 384, 448}};
}

/* Whether places that are 16 bytes each lie like that. */
static inline bool fh_are_runs(const uint32_t index[FH_LANES]) {
    const __m512i along =
        _mm512_setr_epi32(0, 16, 32, 48, 0, 16, 32, 48, 0, 16, 32, 48, 0, 16, 32, 48);
    __mmask16 other = 0;
    for (uint32_t l = 0; l < FH_LANES; l += 16) {
        const __m512i v = _mm512_load_si512(index + l);
        const __m512i head = _mm512_shuffle_epi32(v, _MM_PERM_AAAA);
        other |= _mm512_cmpneq_epi32_mask(v, _mm512_add_epi32(head, along));
    }
    return !other;
}

/* Words 0 and 1 of eight lanes are the halves of one vector on the way, words 2 and 3 of another.
 * The first row may be the one that the places come from, which `runs` has. */
static inline __attribute__((always_inline)) void fh_runs_load(uint32_t *d, const uint8_t *memory,
                                                               const struct fh_runs runs) {
    const __m512i first =
        _mm512_setr_epi32(0, 4, 8, 12, 16, 20, 24, 28, 1, 5, 9, 13, 17, 21, 25, 29);
    const __m512i last = _mm512_add_epi32(first, _mm512_set1_epi32(2));
#pragma GCC unroll 2
    for (uint32_t half = 0; half < 2; half++) {
        __m512i v[4];
#pragma GCC unroll 4
        for (uint32_t i = 0; i < 4; i++)
            v[i] = _mm512_loadu_si512(memory + runs.at[4 * half + i]);
        const __m512i low01 = _mm512_permutex2var_epi32(v[0], first, v[1]);
        const __m512i high01 = _mm512_permutex2var_epi32(v[2], first, v[3]);
        const __m512i low23 = _mm512_permutex2var_epi32(v[0], last, v[1]);
        const __m512i high23 = _mm512_permutex2var_epi32(v[2], last, v[3]);
        uint32_t *const to = d + 16 * half;
        _mm512_store_si512(to, _mm512_shuffle_i64x2(low01, high01, 0x44));
        _mm512_store_si512(to + FH_LANES, _mm512_shuffle_i64x2(low01, high01, 0xee));
        _mm512_store_si512(to + 2 * FH_LANES, _mm512_shuffle_i64x2(low23, high23, 0x44));
        _mm512_store_si512(to + 3 * FH_LANES, _mm512_shuffle_i64x2(low23, high23, 0xee));
    }
}

/* The other way. Runs come in the order of lanes, so that of two places that are one the higher
 * lane's value stays. */
static inline __attribute__((always_inline)) void fh_runs_store(const uint32_t *s, uint8_t *memory,
                                                                const struct fh_runs runs) {
    const __m512i even =
        _mm512_setr_epi32(0, 8, 16, 24, 1, 9, 17, 25, 2, 10, 18, 26, 3, 11, 19, 27);
    const __m512i odd = _mm512_add_epi32(even, _mm512_set1_epi32(4));
#pragma GCC unroll 2
    for (uint32_t half = 0; half < 2; half++) {
        __m512i row[4];
#pragma GCC unroll 4
        for (uint32_t i = 0; i < 4; i++)
            row[i] = _mm512_load_si512(s + i * FH_LANES + 16 * half);
#pragma GCC unroll 2
        for (uint32_t i = 0; i < 2; i++) { /* lanes 8i .. 8i + 7 of the half */
            const __m512i v01 = i ? _mm512_shuffle_i64x2(row[0], row[1], 0xee)
                                  : _mm512_shuffle_i64x2(row[0], row[1], 0x44);
            const __m512i v23 = i ? _mm512_shuffle_i64x2(row[2], row[3], 0xee)
                                  : _mm512_shuffle_i64x2(row[2], row[3], 0x44);
            const uint32_t *const at = runs.at + 4 * half + 2 * i;
            _mm512_storeu_si512(memory + at[0], _mm512_permutex2var_epi32(v01, even, v23));
            _mm512_storeu_si512(memory + at[1], _mm512_permutex2var_epi32(v01, odd, v23));
        }
    }
}

#endif

#endif

/*
 * space_pairs.h - 64-bit accesses as fragments of matrices are loaded and stored: all lanes, four
 * of them side by side in 32 bytes, eight such chunks anywhere. Part of space_fast.inc.
 *
 * A chunk is what lanes l, l + step, l + 2 step and l + 3 step access, in this order:
 *     step 1   lanes 4g .. 4g + 3, a row of a fragment
 *     step 4   lanes t, t + 4, t + 8, t + 12, and the same 16 further on: halves of a column
 *     step 8   lanes l, l + 8, l + 16, l + 24: every second element of a column
 * A chunk is one access for the host, where lanes one by one are four, with a place each. Places
 * are read from the address row itself: what vectors have computed is not in memory yet.
 * Only AVX-512 has these ways; elsewhere they are never taken.
 */
#ifndef FH_SPACE_PAIRS_H
#define FH_SPACE_PAIRS_H

#include "space_move.h"

enum { PAIR_BYTES = 8, CHUNK_LANES = 4 };

#if defined __AVX512F__

ALWAYS_INLINE bool same_behind(__m512i place, __m512i head, __m512i behind) {
    return !_mm512_cmpneq_epi32_mask(place, _mm512_add_epi32(head, behind));
}

/* Which step the lanes' places, which are aligned, are in chunks of; 0: of none. */
static uint32_t fh_chunk_step(const uint32_t index[FH_LANES]) {
    const __m512i low = _mm512_load_si512(index), high = _mm512_load_si512(index + 16);
    const __m512i along = _mm512_setr_epi32(0, 8, 16, 24, 0, 8, 16, 24, 0, 8, 16, 24, 0, 8, 16, 24);
    if (same_behind(low, _mm512_shuffle_epi32(low, _MM_PERM_AAAA), along) &&
        same_behind(high, _mm512_shuffle_epi32(high, _MM_PERM_AAAA), along))
        return 1;
    const __m512i down = _mm512_setr_epi32(0, 0, 0, 0, 8, 8, 8, 8, 16, 16, 16, 16, 24, 24, 24, 24);
    if (same_behind(low, _mm512_shuffle_i32x4(low, low, 0), down) &&
        same_behind(high, _mm512_shuffle_i32x4(high, high, 0), down))
        return 4;
    const __m512i heads = _mm512_shuffle_i64x2(low, low, 0x44); /* lanes 0 .. 7 twice */
    const __m512i first = _mm512_setr_epi32(0, 0, 0, 0, 0, 0, 0, 0, 8, 8, 8, 8, 8, 8, 8, 8);
    return same_behind(low, heads, first) &&
                   same_behind(high, heads, _mm512_add_epi32(first, _mm512_set1_epi32(16)))
               ? 8
               : 0;
}

/* The chunks of which lanes l and m are the first, one above the other. */
ALWAYS_INLINE __m512i two_chunks(const uint8_t *memory, const struct lanes_at *at, uint32_t l,
                                 uint32_t m) {
    const uint8_t *below = memory + index_of(at, l);
    const uint8_t *above = memory + index_of(at, m);
    return _mm512_inserti64x4(
        _mm512_castsi256_si512(_mm256_loadu_si256((const __m256i *)(const void *)below)),
        _mm256_loadu_si256((const __m256i *)(const void *)above), 1);
}

/* Four chunks into the 16 lanes of two rows that they are: `low` says which of their words become
 * the first row, those behind them are the second. */
ALWAYS_INLINE void load_16(uint32_t *d, __m512i first, __m512i second, __m512i low) {
    const __m512i high = _mm512_add_epi32(low, _mm512_set1_epi32(1));
    _mm512_store_si512(d, _mm512_permutex2var_epi32(first, low, second));
    _mm512_store_si512(d + FH_LANES, _mm512_permutex2var_epi32(first, high, second));
}

/* The chunks of lanes `apart` from each other, in their order, four to each half of the rows. */
ALWAYS_INLINE void load_in_order(uint32_t *d, const uint8_t *memory, const struct lanes_at *at,
                                 const uint32_t apart, __m512i low) {
#pragma GCC unroll 2
    for (uint32_t l = 0; l < FH_LANES; l += 16)
        load_16(d + l, two_chunks(memory, at, l, l + apart),
                two_chunks(memory, at, l + 2 * apart, l + 3 * apart), low);
}

/* The first row may be the address row: nothing is stored to lanes whose chunks are still to be
 * read. */
ALWAYS_INLINE void fh_chunks_load(uint32_t *d, const uint8_t *memory, const struct lanes_at *at,
                                  const uint32_t step) {
    if (step == 1) {
        load_in_order(d, memory, at, 4,
                      _mm512_setr_epi32(0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30));
        return;
    }
    if (step == 4) {
        load_in_order(d, memory, at, 1,
                      _mm512_setr_epi32(0, 8, 16, 24, 2, 10, 18, 26, 4, 12, 20, 28, 6, 14, 22, 30));
        return;
    }
    /* z[i] has the chunks of lanes i and i + 4; row[r][i], of row r, each 128 bits two lanes of
     * chunk 2i and then the same two of chunk 2i + 1; the chunks 4 further on lie above. */
    __m512i z[4], row[2][2];
#pragma GCC unroll 4
    for (uint32_t i = 0; i < 4; i++)
        z[i] = two_chunks(memory, at, i, i + 4);
#pragma GCC unroll 2
    for (uint32_t i = 0; i < 2; i++) {
        const __m512 a = _mm512_castsi512_ps(z[2 * i]), b = _mm512_castsi512_ps(z[2 * i + 1]);
        row[0][i] = _mm512_castps_si512(_mm512_shuffle_ps(a, b, 0x88));
        row[1][i] = _mm512_castps_si512(_mm512_shuffle_ps(a, b, 0xdd));
    }
    const __m512i first =
        _mm512_setr_epi32(0, 2, 16, 18, 8, 10, 24, 26, 1, 3, 17, 19, 9, 11, 25, 27);
    const __m512i rest = _mm512_add_epi32(first, _mm512_set1_epi32(4));
#pragma GCC unroll 2
    for (uint32_t i = 0; i < 2; i++) {
        _mm512_store_si512(d + i * FH_LANES,
                           _mm512_permutex2var_epi32(row[i][0], first, row[i][1]));
        _mm512_store_si512(d + i * FH_LANES + 16,
                           _mm512_permutex2var_epi32(row[i][0], rest, row[i][1]));
    }
}

/* For step 1 only. Of two chunks in one place the later one stays, as the higher lanes' values
 * must; in chunks of other steps the higher lanes are not all in one. */
ALWAYS_INLINE void fh_chunks_store(const uint32_t *s, uint8_t *memory, const struct lanes_at *at) {
#pragma GCC unroll 4
    for (uint32_t l = 0; l < FH_LANES; l += 8) {
        const __m256i low = load_row(s + l), high = load_row(s + FH_LANES + l);
        const __m256i even = _mm256_unpacklo_epi32(low, high); /* lanes 0 1 4 5 */
        const __m256i odd = _mm256_unpackhi_epi32(low, high);  /* lanes 2 3 6 7 */
        uint8_t *const first = memory + index_of(at, l);
        uint8_t *const second = memory + index_of(at, l + CHUNK_LANES);
        _mm256_storeu_si256((__m256i *)(void *)first, _mm256_permute2x128_si256(even, odd, 0x20));
        _mm256_storeu_si256((__m256i *)(void *)second, _mm256_permute2x128_si256(even, odd, 0x31));
    }
}

#else

static uint32_t fh_chunk_step(const uint32_t index[FH_LANES]) {
    (void)index;
    return 0;
}

ALWAYS_INLINE void fh_chunks_load(uint32_t *d, const uint8_t *memory, const struct lanes_at *at,
                                  const uint32_t step) {
    (void)d, (void)memory, (void)at, (void)step;
}

ALWAYS_INLINE void fh_chunks_store(const uint32_t *s, uint8_t *memory, const struct lanes_at *at) {
    (void)s, (void)memory, (void)at;
}

#endif

#endif

/*
 * space_move.h - the 32 lanes' places in one range of memory, and values between them and register
 * rows, at the SIMD level of the including file. Part of space_fast.inc.
 *
 * A place is an index of 32 bits from a pointer. That all of them are in bounds is checked once,
 * by fh_row_pattern; the movers check nothing.
 */
#ifndef FH_SPACE_MOVE_H
#define FH_SPACE_MOVE_H

#include "access.h"
#include "ownership.h"
#include "space_masked.h"
#include "space_quads.h"

#if defined __AVX2__
#include <immintrin.h>
#endif

#define ALWAYS_INLINE static inline __attribute__((always_inline))

/* Where the lanes may go: the place of a lane whose address register holds x is (x << shift) -
 * from, modulo 2^32, which must be at most `last`. */
struct reach {
    uint32_t from, last, shift;
};

/* What the lanes' places are, as far as it matters to the movers. */
enum pattern {
    OUTSIDE,  /* an active lane is out of reach or not aligned: nothing may be moved */
    STRAIGHT, /* all lanes are active, and lane l's place is l * bytes behind lane 0's */
    PARTIAL,  /* the same of the active lanes, which are not all; where masks move them */
    ANYWHERE,
};

/* Whether STRAIGHT lanes, lane 0 at `first`, are in reach. */
ALWAYS_INLINE enum pattern fh_straight(uint32_t first, uint32_t last, uint32_t bytes) {
    const uint32_t span = (FH_LANES - 1) * bytes;
    return last >= span && first <= last - span && !(first & (bytes - 1)) ? STRAIGHT : OUTSIDE;
}

/* Indices of all lanes, or of lane 0 if they are STRAIGHT; those of inactive ones mean nothing. */
ALWAYS_INLINE enum pattern fh_row_pattern(const uint32_t x[FH_LANES], struct reach r,
                                          uint32_t active, uint32_t bytes,
                                          uint32_t index[FH_LANES]) {
    const uint32_t lowest = (uint32_t)__builtin_ctz(active);
    const uint32_t first = (x[lowest] << r.shift) - r.from - lowest * bytes; /* lane 0's place */
#if defined __AVX512F__
    const __m128i shift = _mm_cvtsi32_si128((int)r.shift);
    const __m512i from = _mm512_set1_epi32((int)r.from), last = _mm512_set1_epi32((int)r.last);
    const __m512i within = _mm512_set1_epi32((int)bytes - 1);
    const __m512i lane = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    const __m512i low = _mm512_sub_epi32(_mm512_sll_epi32(_mm512_load_si512(x), shift), from);
    const __m512i high = _mm512_sub_epi32(_mm512_sll_epi32(_mm512_load_si512(x + 16), shift), from);
    __m512i straight = _mm512_mullo_epi32(lane, _mm512_set1_epi32((int)bytes));
    straight = _mm512_add_epi32(straight, _mm512_set1_epi32((int)first));
    const __mmask16 off_low = _mm512_cmpneq_epi32_mask(low, straight);
    straight = _mm512_add_epi32(straight, _mm512_set1_epi32((int)(16 * bytes)));
    const __mmask16 off_high = _mm512_cmpneq_epi32_mask(high, straight);
    if (active == UINT32_MAX && !(off_low | off_high)) {
        index[0] = first;
        return fh_straight(first, r.last, bytes);
    }
    const __mmask16 bad_low =
        _mm512_cmpgt_epu32_mask(low, last) | _mm512_test_epi32_mask(low, within);
    const __mmask16 bad_high =
        _mm512_cmpgt_epu32_mask(high, last) | _mm512_test_epi32_mask(high, within);
    const uint32_t off = fh_lanes_of_mask(off_low) | fh_lanes_of_mask(off_high) << 16;
    const uint32_t bad = fh_lanes_of_mask(bad_low) | fh_lanes_of_mask(bad_high) << 16;
    _mm512_store_si512(index, low);
    _mm512_store_si512(index + 16, high);
    if (bad & active)
        return OUTSIDE;
    /* Of places that are all in reach, the highest lane's is not below the lowest's: the sum has
     * not wrapped. */
    const uint32_t highest = 31 - (uint32_t)__builtin_clz(active);
    return !(off & active) && first + highest * bytes >= first + lowest * bytes ? PARTIAL
                                                                                : ANYWHERE;
#else
    uint32_t bad[FH_LANES], some = 0, off = 0;
    for (uint32_t l = 0; l < FH_LANES; l++) {
        index[l] = (x[l] << r.shift) - r.from;
        bad[l] = (index[l] > r.last) | ((index[l] & (bytes - 1)) != 0);
        some |= bad[l];
        off |= index[l] ^ (first + l * bytes);
    }
    if (active == UINT32_MAX && !off)
        return fh_straight(first, r.last, bytes);
    for (uint32_t rest = some ? active : 0; rest; rest &= rest - 1)
        if (bad[__builtin_ctz(rest)])
            return OUTSIDE;
    return ANYWHERE;
#endif
}

/* Whether the bits of all pieces that the active lanes' places are in are set in `known`
 * (ownership.h). A piece has 1 << shift bytes, and place index + skew, modulo 2^32, is in piece
 * `first` from its begin on. */
ALWAYS_INLINE bool fh_lanes_owned(const uint32_t *known, size_t first, uint32_t skew,
                                  uint32_t shift, const uint32_t index[FH_LANES], uint32_t active) {
#if defined __AVX512F__
    /* 16 words of bits, from some words before the lowest lane's on; what is not in them counts as
     * not known. */
    const size_t word = (first + ((index[__builtin_ctz(active)] + skew) >> shift)) / 32;
    const __m512i bits = _mm512_loadu_si512(known + (ptrdiff_t)word - FH_OWNED_PAD / 4);
    const __m512i base = _mm512_set1_epi32((int)(uint32_t)((word - FH_OWNED_PAD / 4) * 32 - first));
    const __m512i add = _mm512_set1_epi32((int)skew), end = _mm512_set1_epi32(16 * 32);
    const __m512i one = _mm512_set1_epi32(1), low = _mm512_set1_epi32(31);
    const __m128i by = _mm_cvtsi32_si128((int)shift);
    uint32_t set = 0;
#pragma GCC unroll 2
    for (uint32_t l = 0; l < FH_LANES; l += 16) {
        __m512i n = _mm512_srl_epi32(_mm512_add_epi32(_mm512_load_si512(index + l), add), by);
        n = _mm512_sub_epi32(n, base);
        const __m512i w = _mm512_permutexvar_epi32(_mm512_srli_epi32(n, 5), bits);
        const __m512i bit = _mm512_srlv_epi32(w, _mm512_and_si512(n, low));
        const __mmask16 inside = _mm512_cmplt_epu32_mask(n, end);
        set |= fh_lanes_of_mask(_mm512_mask_test_epi32_mask(inside, bit, one)) << l;
    }
    return !(active & ~set);
#else
    for (uint32_t rest = active; rest; rest &= rest - 1) {
        const size_t piece = first + ((index[__builtin_ctz(rest)] + skew) >> shift);
        if (!(known[piece / 32] >> piece % 32 & 1))
            return false;
    }
    return true;
#endif
}

/* Whether the active lanes of a row are all equal to `value`. */
ALWAYS_INLINE bool fh_lanes_equal(const uint32_t x[FH_LANES], uint32_t value, uint32_t active) {
#if defined __AVX512F__
    const __m512i same = _mm512_set1_epi32((int)value);
    if (active == UINT32_MAX) {
        const __m512i low = _mm512_xor_si512(_mm512_load_si512(x), same);
        const __m512i both =
            _mm512_or_si512(low, _mm512_xor_si512(_mm512_load_si512(x + 16), same));
        return !_mm512_test_epi32_mask(both, both);
    }
    uint32_t other = fh_lanes_of_mask(_mm512_cmpneq_epi32_mask(_mm512_load_si512(x), same));
    other |= fh_lanes_of_mask(_mm512_cmpneq_epi32_mask(_mm512_load_si512(x + 16), same)) << 16;
    return !(other & active);
#else
    uint32_t other = 0;
    for (uint32_t l = 0; l < FH_LANES; l++)
        other |= (x[l] ^ value) & (0U - (active >> l & 1));
    return !other;
#endif
}

/* ---------------------------------------------------------------- all lanes, anywhere */

/* Where the lanes are: indices from a pointer. */
struct lanes_at {
    const uint32_t *x;
    uint32_t from, shift; /* that of lane l is (x[l] << shift) - from, modulo 2^32 */
};

ALWAYS_INLINE uint32_t index_of(const struct lanes_at *at, uint32_t lane) {
    return (at->x[lane] << at->shift) - at->from;
}

/* Values of 64 and 128 bits are transposed, 2 or 4 words by lanes, in blocks of 128 bits; stores
 * come in the order of the lanes, so that of two at one place the higher lane's stays. The first of
 * the rows that are loaded may be the one that says where: lanes are stored behind their loads. */
#if defined __AVX2__

ALWAYS_INLINE __m128i two_lanes(const uint8_t *first, const uint8_t *second) {
    __m128i low = _mm_loadl_epi64((const __m128i *)(const void *)first);
    return _mm_castps_si128(
        _mm_loadh_pi(_mm_castsi128_ps(low), (const __m64 *)(const void *)second));
}

ALWAYS_INLINE __m256i pair_of(__m128i low, __m128i high) {
    return _mm256_inserti128_si256(_mm256_castsi128_si256(low), high, 1);
}

ALWAYS_INLINE __m128i load_lane(const uint8_t *from) {
    return _mm_loadu_si128((const __m128i *)(const void *)from);
}

ALWAYS_INLINE void store_lane(uint8_t *to, __m128i value) {
    _mm_storeu_si128((__m128i *)(void *)to, value);
}

ALWAYS_INLINE __m256i load_row(const uint32_t *row) {
    return _mm256_load_si256((const __m256i *)(const void *)row);
}

ALWAYS_INLINE void store_row(uint32_t *row, __m256i value) {
    _mm256_store_si256((__m256i *)(void *)row, value);
}

/* Words 0 to 3 of eight lanes out of the pairs of lanes l and l + 4, and back. */
ALWAYS_INLINE void transpose(__m256i v[4]) {
    __m256i low01 = _mm256_unpacklo_epi32(v[0], v[1]), low23 = _mm256_unpacklo_epi32(v[2], v[3]);
    __m256i high01 = _mm256_unpackhi_epi32(v[0], v[1]), high23 = _mm256_unpackhi_epi32(v[2], v[3]);
    v[0] = _mm256_unpacklo_epi64(low01, low23);
    v[1] = _mm256_unpackhi_epi64(low01, low23);
    v[2] = _mm256_unpacklo_epi64(high01, high23);
    v[3] = _mm256_unpackhi_epi64(high01, high23);
}

ALWAYS_INLINE void gather64(uint32_t *d, const uint8_t *memory, const struct lanes_at *at) {
    for (uint32_t l = 0; l < FH_LANES; l += 8) {
        const uint8_t *p[8];
#pragma GCC unroll 8
        for (uint32_t i = 0; i < 8; i++)
            p[i] = memory + index_of(at, l + i);
        __m256i first = pair_of(two_lanes(p[0], p[1]), two_lanes(p[4], p[5]));
        __m256i second = pair_of(two_lanes(p[2], p[3]), two_lanes(p[6], p[7]));
        __m256 x = _mm256_castsi256_ps(first), y = _mm256_castsi256_ps(second);
        store_row(d + l, _mm256_castps_si256(_mm256_shuffle_ps(x, y, 0x88)));
        store_row(d + FH_LANES + l, _mm256_castps_si256(_mm256_shuffle_ps(x, y, 0xdd)));
    }
}

#if defined __AVX512F__

/* Four lanes that are four apart make a vector. */
ALWAYS_INLINE void gather128(uint32_t *d, const uint8_t *memory, const struct lanes_at *at) {
    for (uint32_t l = 0; l < FH_LANES; l += 16) {
        __m512i v[4];
#pragma GCC unroll 4
        for (uint32_t i = 0; i < 4; i++) {
            const uint32_t k = l + i;
            v[i] = _mm512_castsi128_si512(load_lane(memory + index_of(at, k)));
            v[i] = _mm512_inserti32x4(v[i], load_lane(memory + index_of(at, k + 4)), 1);
            v[i] = _mm512_inserti32x4(v[i], load_lane(memory + index_of(at, k + 8)), 2);
            v[i] = _mm512_inserti32x4(v[i], load_lane(memory + index_of(at, k + 12)), 3);
        }
        const __m512i low01 = _mm512_unpacklo_epi32(v[0], v[1]);
        const __m512i low23 = _mm512_unpacklo_epi32(v[2], v[3]);
        const __m512i high01 = _mm512_unpackhi_epi32(v[0], v[1]);
        const __m512i high23 = _mm512_unpackhi_epi32(v[2], v[3]);
        _mm512_store_si512(d + l, _mm512_unpacklo_epi64(low01, low23));
        _mm512_store_si512(d + l + FH_LANES, _mm512_unpackhi_epi64(low01, low23));
        _mm512_store_si512(d + l + 2 * FH_LANES, _mm512_unpacklo_epi64(high01, high23));
        _mm512_store_si512(d + l + 3 * FH_LANES, _mm512_unpackhi_epi64(high01, high23));
    }
}

#else

ALWAYS_INLINE void gather128(uint32_t *d, const uint8_t *memory, const struct lanes_at *at) {
    for (uint32_t l = 0; l < FH_LANES; l += 8) {
        __m256i v[4];
#pragma GCC unroll 4
        for (uint32_t i = 0; i < 4; i++)
            v[i] = pair_of(load_lane(memory + index_of(at, l + i)),
                           load_lane(memory + index_of(at, l + i + 4)));
        transpose(v);
#pragma GCC unroll 4
        for (uint32_t i = 0; i < 4; i++)
            store_row(d + i * FH_LANES + l, v[i]);
    }
}

#endif

ALWAYS_INLINE void scatter64(const uint32_t *s, uint8_t *memory, const struct lanes_at *at) {
    for (uint32_t l = 0; l < FH_LANES; l += 8) {
        __m256i low = load_row(s + l), high = load_row(s + FH_LANES + l);
        __m256i v[2] = {_mm256_unpacklo_epi32(low, high), _mm256_unpackhi_epi32(low, high)};
        for (uint32_t i = 0; i < 2; i++) { /* lanes 4i .. 4i + 3 */
            __m128i x = i ? _mm256_extracti128_si256(v[0], 1) : _mm256_castsi256_si128(v[0]);
            __m128i y = i ? _mm256_extracti128_si256(v[1], 1) : _mm256_castsi256_si128(v[1]);
            const uint32_t k = l + 4 * i;
            _mm_storel_pd((double *)(void *)(memory + index_of(at, k)), _mm_castsi128_pd(x));
            _mm_storeh_pd((double *)(void *)(memory + index_of(at, k + 1)), _mm_castsi128_pd(x));
            _mm_storel_pd((double *)(void *)(memory + index_of(at, k + 2)), _mm_castsi128_pd(y));
            _mm_storeh_pd((double *)(void *)(memory + index_of(at, k + 3)), _mm_castsi128_pd(y));
        }
    }
}

ALWAYS_INLINE void scatter128(const uint32_t *s, uint8_t *memory, const struct lanes_at *at) {
    for (uint32_t l = 0; l < FH_LANES; l += 8) {
        __m256i v[4];
#pragma GCC unroll 4
        for (uint32_t i = 0; i < 4; i++)
            v[i] = load_row(s + i * FH_LANES + l);
        transpose(v);
#pragma GCC unroll 4
        for (uint32_t i = 0; i < 4; i++)
            store_lane(memory + index_of(at, l + i), _mm256_castsi256_si128(v[i]));
#pragma GCC unroll 4
        for (uint32_t i = 0; i < 4; i++)
            store_lane(memory + index_of(at, l + i + 4), _mm256_extracti128_si256(v[i], 1));
    }
}

#else

ALWAYS_INLINE void gather64(uint32_t *d, const uint8_t *memory, const struct lanes_at *at) {
    for (uint32_t l = 0; l < FH_LANES; l++)
        fh_words_load(d, l, 2, memory + index_of(at, l));
}

ALWAYS_INLINE void gather128(uint32_t *d, const uint8_t *memory, const struct lanes_at *at) {
    for (uint32_t l = 0; l < FH_LANES; l++)
        fh_words_load(d, l, 4, memory + index_of(at, l));
}

ALWAYS_INLINE void scatter64(const uint32_t *s, uint8_t *memory, const struct lanes_at *at) {
    for (uint32_t l = 0; l < FH_LANES; l++)
        fh_words_store(s, l, 2, memory + index_of(at, l));
}

ALWAYS_INLINE void scatter128(const uint32_t *s, uint8_t *memory, const struct lanes_at *at) {
    for (uint32_t l = 0; l < FH_LANES; l++)
        fh_words_store(s, l, 4, memory + index_of(at, l));
}

#endif

/* Of 8 and 16 bits. */
ALWAYS_INLINE void gather_narrow(uint32_t *d, const uint8_t *memory, const struct lanes_at *at,
                                 const uint32_t bytes, const bool sign) {
#pragma GCC unroll 8
    for (uint32_t l = 0; l < FH_LANES; l += 4) {
        uint32_t value[4];
#pragma GCC unroll 4
        for (uint32_t i = 0; i < 4; i++)
            value[i] = fh_narrow_load(memory + index_of(at, l + i), bytes, sign);
        memcpy(d + l, value, sizeof value);
    }
}

ALWAYS_INLINE void scatter_narrow(const uint32_t *s, uint8_t *memory, const struct lanes_at *at,
                                  const uint32_t bytes) {
#pragma GCC unroll 8
    for (uint32_t l = 0; l < FH_LANES; l++)
        memcpy(memory + index_of(at, l), &s[l], bytes);
}

/* Of 32 bits. */
ALWAYS_INLINE void gather32(uint32_t *d, const uint8_t *memory, const struct lanes_at *at) {
#pragma GCC unroll 8
    for (uint32_t l = 0; l < FH_LANES; l += 4) {
        uint32_t value[4]; /* together, so that who reads the row finds few stores */
#pragma GCC unroll 4
        for (uint32_t i = 0; i < 4; i++)
            memcpy(&value[i], memory + index_of(at, l + i), 4);
        memcpy(d + l, value, sizeof value);
    }
}

ALWAYS_INLINE void scatter32(const uint32_t *s, uint8_t *memory, const struct lanes_at *at) {
#pragma GCC unroll 8
    for (uint32_t l = 0; l < FH_LANES; l++)
        memcpy(memory + index_of(at, l), &s[l], 4);
}

/* Up to 32 bits, where x[l] >= from in all lanes: the host adds registers of 32 bits to an address
 * for nothing. */
ALWAYS_INLINE void gather_unwrapped(uint32_t *d, const uint8_t *memory, const uint32_t *x,
                                    uint32_t from, const uint32_t bytes, const bool sign) {
    const uintptr_t zero = (uintptr_t)memory - from;
#pragma GCC unroll 8
    for (uint32_t l = 0; l < FH_LANES; l += 4) {
        uint32_t value[4];
#pragma GCC unroll 4
        for (uint32_t i = 0; i < 4; i++)
            if (bytes == 4)
                memcpy(&value[i], (const uint8_t *)(zero + x[l + i]), 4);
            else
                value[i] = fh_narrow_load((const uint8_t *)(zero + x[l + i]), bytes, sign);
        memcpy(d + l, value, sizeof value);
    }
}

ALWAYS_INLINE void scatter_unwrapped(const uint32_t *s, uint8_t *memory, const uint32_t *x,
                                     uint32_t from, const uint32_t bytes) {
    const uintptr_t zero = (uintptr_t)memory - from;
#pragma GCC unroll 8
    for (uint32_t l = 0; l < FH_LANES; l++)
        memcpy((uint8_t *)(zero + x[l]), &s[l], bytes);
}

/* All lanes, `bytes` for each; `sign` is of 1 and 2. */
ALWAYS_INLINE void fh_gather(uint32_t *d, const uint8_t *memory, const struct lanes_at *at,
                             const uint32_t bytes, const bool sign) {
    if (bytes < 4)
        gather_narrow(d, memory, at, bytes, sign);
    else if (bytes == 4)
        gather32(d, memory, at);
    else if (bytes == 8)
        gather64(d, memory, at);
    else
        gather128(d, memory, at);
}

ALWAYS_INLINE void fh_scatter(const uint32_t *s, uint8_t *memory, const struct lanes_at *at,
                              const uint32_t bytes) {
    if (bytes < 4)
        scatter_narrow(s, memory, at, bytes);
    else if (bytes == 4)
        scatter32(s, memory, at);
    else if (bytes == 8)
        scatter64(s, memory, at);
    else
        scatter128(s, memory, at);
}

/* ---------------------------------------------------------------- straight */

/* The values of all lanes one after another in memory, where no rows are; with `rows` a constant
 * compilers make vector code of these loops. */
ALWAYS_INLINE void straight_load(uint32_t *d, const uint8_t *from, const uint32_t rows) {
    FH_IVDEP
    for (uint32_t l = 0; l < FH_LANES; l++)
        fh_words_load(d, l, rows, from + 4 * rows * l);
}

ALWAYS_INLINE void straight_store(const uint32_t *s, uint8_t *to, const uint32_t rows) {
    FH_IVDEP
    for (uint32_t l = 0; l < FH_LANES; l++)
        fh_words_store(s, l, rows, to + 4 * rows * l);
}

/* Of 128 bits. */
ALWAYS_INLINE void straight_load_128(uint32_t *d, const uint8_t *from) {
#if defined __AVX512F__
    fh_runs_load(d, from, fh_straight_runs());
#else
    straight_load(d, from, 4);
#endif
}

ALWAYS_INLINE void straight_store_128(const uint32_t *s, uint8_t *to) {
#if defined __AVX512F__
    fh_runs_store(s, to, fh_straight_runs());
#else
    straight_store(s, to, 4);
#endif
}

ALWAYS_INLINE void straight_load_narrow(uint32_t *d, const uint8_t *from, const uint32_t bytes,
                                        const bool sign) {
    FH_IVDEP
    for (uint32_t l = 0; l < FH_LANES; l++)
        d[l] = fh_narrow_load(from + bytes * l, bytes, sign);
}

ALWAYS_INLINE void straight_store_narrow(const uint32_t *s, uint8_t *to, const uint32_t bytes) {
    FH_IVDEP
    for (uint32_t l = 0; l < FH_LANES; l++) {
        const uint16_t half = (uint16_t)s[l];
        if (bytes == 1)
            to[l] = (uint8_t)s[l];
        else
            memcpy(to + 2 * l, &half, 2);
    }
}

ALWAYS_INLINE void fh_straight_load(uint32_t *d, const uint8_t *from, const uint32_t bytes,
                                    const bool sign) {
    if (bytes < 4)
        straight_load_narrow(d, from, bytes, sign);
    else if (bytes == 4)
        straight_load(d, from, 1);
    else if (bytes == 8)
        straight_load(d, from, 2);
    else
        straight_load_128(d, from);
}

ALWAYS_INLINE void fh_straight_store(const uint32_t *s, uint8_t *to, const uint32_t bytes) {
    if (bytes < 4)
        straight_store_narrow(s, to, bytes);
    else if (bytes == 4)
        straight_store(s, to, 1);
    else if (bytes == 8)
        straight_store(s, to, 2);
    else
        straight_store_128(s, to);
}

/* ---------------------------------------------------------------- any lanes */

/* Where lane 0's value is or would be, of STRAIGHT and PARTIAL lanes. */
ALWAYS_INLINE uintptr_t lane_0(const uint8_t *memory, const uint32_t index[FH_LANES],
                               uint32_t active, uint32_t bytes) {
    const uint32_t lowest = (uint32_t)__builtin_ctz(active);
    return (uintptr_t)memory + index[lowest] - lowest * bytes;
}

ALWAYS_INLINE void load_pattern(uint32_t *d, uint32_t active, enum pattern pattern,
                                const uint8_t *memory, const uint32_t index[FH_LANES],
                                const uint32_t bytes, const bool sign) {
    if (pattern == STRAIGHT)
        fh_straight_load(d, memory + index[0], bytes, sign);
    else if (pattern == PARTIAL)
        fh_masked_load(d, (const uint8_t *)lane_0(memory, index, active, bytes), active, bytes,
                       sign);
    else if (active == UINT32_MAX)
        fh_gather(d, memory, &(struct lanes_at){.x = index}, bytes, sign);
    else
        fh_each_load(d, memory, index, active, bytes, sign);
}

ALWAYS_INLINE void store_pattern(const uint32_t *s, uint32_t active, enum pattern pattern,
                                 uint8_t *memory, const uint32_t index[FH_LANES],
                                 const uint32_t bytes) {
    if (pattern == STRAIGHT)
        fh_straight_store(s, memory + index[0], bytes);
    else if (pattern == PARTIAL)
        fh_masked_store(s, (uint8_t *)lane_0(memory, index, active, bytes), active, bytes);
    else if (active == UINT32_MAX)
        fh_scatter(s, memory, &(struct lanes_at){.x = index}, bytes);
    else
        fh_each_store(s, memory, index, active, bytes);
}

/* What the active lanes load; the pattern is that of fh_row_pattern. */
ALWAYS_INLINE void fh_lanes_load(struct fh_warp *w, const struct fh_address *a, uint32_t active,
                                 enum pattern pattern, const uint8_t *memory,
                                 const uint32_t index[FH_LANES]) {
    uint32_t *d = w->r[a->data];
    switch (a->bytes) {
    case 1: load_pattern(d, active, pattern, memory, index, 1, a->sign_extend); break;
    case 2: load_pattern(d, active, pattern, memory, index, 2, a->sign_extend); break;
    case 4: load_pattern(d, active, pattern, memory, index, 4, false); break;
    case 8: load_pattern(d, active, pattern, memory, index, 8, false); break;
    default: load_pattern(d, active, pattern, memory, index, 16, false); break;
    }
}

ALWAYS_INLINE void fh_lanes_store(const struct fh_warp *w, const struct fh_address *a,
                                  uint32_t active, enum pattern pattern, uint8_t *memory,
                                  const uint32_t index[FH_LANES]) {
    const uint32_t *s = w->r[a->data];
    switch (a->bytes) {
    case 1: store_pattern(s, active, pattern, memory, index, 1); break;
    case 2: store_pattern(s, active, pattern, memory, index, 2); break;
    case 4: store_pattern(s, active, pattern, memory, index, 4); break;
    case 8: store_pattern(s, active, pattern, memory, index, 8); break;
    default: store_pattern(s, active, pattern, memory, index, 16); break;
    }
}

#endif

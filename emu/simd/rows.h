/*
 * rows.h - what bodies compute for all lanes of a warp at once, on rows and lane masks: the fast
 * engine's meaning of the lanes_ functions of lane.h, and of its row functions, which compilers do
 * not vectorise well by themselves.
 */
#ifndef FH_ROWS_H
#define FH_ROWS_H

#include <stdbool.h>
#include <stddef.h>

#include "lanes.h"

/* What a body's source is: a row, const u32 *, or one u32 for all lanes. Whether it is a row is a
 * constant; that the row is not NULL compilers could not tell. */
/* clang-format off */
#define FH_IS_ROW(b) _Generic((b), u32: 0, default: 1)
#define FH_ROW_OF(b) _Generic((b), u32: (const u32 *)NULL, default: (b))
#define FH_SCALAR_OF(b) _Generic((b), u32: (b), default: 0U)
/* clang-format on */
#define FH_SOURCE(b) FH_IS_ROW(b), FH_ROW_OF(b), FH_SCALAR_OF(b)
/* The same of a pair: the first of two rows, or one u64. */
#define FH_PAIR_SOURCE(c)                                                                          \
    _Generic((c), u64 : 0, default : 1),                                                           \
        _Generic((c), u64                                                                          \
                 : (const u32 *)NULL, default                                                      \
                 : (c)),                                                                           \
        _Generic((c), u64                                                                          \
                 : (c), default : 0U)

#if defined __AVX512F__
/* Of 16 lanes; not for F and T. Vectors as wide as those that are forwarded, see threaded.h. */
static FH_ALWAYS_INLINE __mmask16 compare_16(const u32 operation, const u32 is_signed, __m512i x,
                                             __m512i y) {
    switch (operation) {
    case 1: return is_signed ? _mm512_cmplt_epi32_mask(x, y) : _mm512_cmplt_epu32_mask(x, y);
    case 2: return _mm512_cmpeq_epi32_mask(x, y);
    case 3: return is_signed ? _mm512_cmple_epi32_mask(x, y) : _mm512_cmple_epu32_mask(x, y);
    case 4: return is_signed ? _mm512_cmpgt_epi32_mask(x, y) : _mm512_cmpgt_epu32_mask(x, y);
    case 5: return _mm512_cmpneq_epi32_mask(x, y);
    default: return is_signed ? _mm512_cmpge_epi32_mask(x, y) : _mm512_cmpge_epu32_mask(x, y);
    }
}
#endif

/* Lanes where a stands to b as the comparison of ISETP says; unless is_row to `scalar` in all. */
static FH_ALWAYS_INLINE u32 fh_compare_rows(const u32 operation, const u32 is_signed, const u32 *a,
                                            const bool is_row, const u32 *b, u32 scalar) {
#if defined __AVX512F__
    u32 mask = 0;
    if (operation == 0 || operation == 7)
        return operation ? UINT32_MAX : 0;
#pragma GCC unroll 2
    for (int i = 0; i < FH_LANES; i += 16) {
        const __m512i x = _mm512_load_si512(a + i);
        const __m512i y = is_row ? _mm512_load_si512(b + i) : _mm512_set1_epi32((int)scalar);
        mask |= fh_lanes_of_mask(compare_16(operation, is_signed, x, y)) << i;
    }
    return mask;
#elif defined __AVX2__
    /* GT NE GE T are not LE EQ LT F. */
    const u32 unlike = operation >= 4 ? UINT32_MAX : 0, relation = operation ^ (unlike & 7);
    if (relation == 0)
        return unlike;
    u32 mask = 0;
    for (int i = 0; i < 4; i++) {
        const __m256i x = _mm256_load_si256((const __m256i *)(const void *)(a + 8 * i));
        const __m256i y = is_row ? _mm256_load_si256((const __m256i *)(const void *)(b + 8 * i))
                                 : _mm256_set1_epi32((int)scalar);
        /* x < y is y > x, with 2^31 added to both if they have no sign. */
        const __m256i bias = _mm256_set1_epi32(is_signed ? 0 : INT32_MIN);
        const __m256i less =
            _mm256_cmpgt_epi32(_mm256_xor_si256(y, bias), _mm256_xor_si256(x, bias));
        const __m256i equal = _mm256_cmpeq_epi32(x, y);
        const __m256i holds = relation == 1   ? less
                              : relation == 2 ? equal
                                              : _mm256_or_si256(less, equal);
        const u32 part = (u32)_mm256_movemask_ps(_mm256_castsi256_ps(holds));
        mask |= part << (8 * i);
    }
    return mask ^ unlike;
#else
    u32 mask = 0;
    for (u32 lane = 0; lane < FH_LANES; lane++)
        mask |= compare(operation, is_signed, a[lane], is_row ? b[lane] : scalar) << lane;
    return mask;
#endif
}

/* Vectors as wide as those of the loop that reads a row function's result, which then stays in
 * registers. Words are of 32 bits; the even ones are the low halves of 64 bits. */
#if defined __AVX512F__
typedef __m512i vector;
enum { VECTOR_LANES = 16 };
#define vector_load(p)           _mm512_load_si512(p)
#define vector_store(p, v)       _mm512_store_si512(p, v)
#define vector_of(word)          _mm512_set1_epi32((int)(word))
#define vector_of_64(x)          _mm512_set1_epi64((i64)(x))
#define vector_down(v)           _mm512_srli_epi64(v, 32)
#define vector_up(v)             _mm512_slli_epi64(v, 32)
#define vector_odd_of(even, odd) _mm512_mask_blend_epi32(0xaaaa, even, odd)
#define vector_xor(x, y)         _mm512_xor_si512(x, y)
#define vector_add_64(x, y)      _mm512_add_epi64(x, y)
#define vector_multiply(is_signed, x, y)                                                           \
    ((is_signed) ? _mm512_mul_epi32(x, y) : _mm512_mul_epu32(x, y))
/* 0 or 1 for each lane: the low bits of the mask. */
#define vector_bits(mask) _mm512_maskz_set1_epi32((__mmask16)(mask), 1)
#elif defined __AVX2__
typedef __m256i vector;
enum { VECTOR_LANES = 8 };
#define vector_load(p)           _mm256_load_si256((const __m256i *)(const void *)(p))
#define vector_store(p, v)       _mm256_store_si256((__m256i *)(void *)(p), v)
#define vector_of(word)          _mm256_set1_epi32((int)(word))
#define vector_of_64(x)          _mm256_set1_epi64x((i64)(x))
#define vector_down(v)           _mm256_srli_epi64(v, 32)
#define vector_up(v)             _mm256_slli_epi64(v, 32)
#define vector_odd_of(even, odd) _mm256_blend_epi32(even, odd, 0xaa)
#define vector_xor(x, y)         _mm256_xor_si256(x, y)
#define vector_add_64(x, y)      _mm256_add_epi64(x, y)
#define vector_multiply(is_signed, x, y)                                                           \
    ((is_signed) ? _mm256_mul_epi32(x, y) : _mm256_mul_epu32(x, y))
#define vector_bits(mask)                                                                          \
    _mm256_and_si256(_mm256_srlv_epi32(_mm256_set1_epi32((int)(mask)),                             \
                                       _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7)),                 \
                     _mm256_set1_epi32(1))
#endif

/* multiply_high: hosts multiply the even words of vectors to 64 bits; the odd words are moved
 * there. */
static FH_ALWAYS_INLINE void fh_multiply_rows(u32 *result, const u32 is_signed, const u32 *a,
                                              const bool is_row, const u32 *b, u32 scalar) {
#if defined __AVX2__
    for (int i = 0; i < FH_LANES; i += VECTOR_LANES) {
        const vector x = vector_load(a + i), y = is_row ? vector_load(b + i) : vector_of(scalar);
        const vector even = vector_multiply(is_signed, x, y);
        const vector odd = vector_multiply(is_signed, vector_down(x), is_row ? vector_down(y) : y);
        vector_store(result + i, vector_odd_of(vector_down(even), odd));
    }
#else
    for (u32 lane = 0; lane < FH_LANES; lane++)
        result[lane] = multiply_high(is_signed, a[lane], is_row ? b[lane] : scalar);
#endif
}

/* multiply_add_high: the addend, two rows or the same in all lanes, is added to the even products
 * and to the odd ones. `carry` is a lane mask. */
static FH_ALWAYS_INLINE void fh_multiply_add_rows(u32 *result, const u32 is_signed, const u32 *a,
                                                  const bool is_row, const u32 *b, u32 scalar,
                                                  const bool are_rows, const u32 *c, u64 addend,
                                                  u32 negate, const u32 extended, u32 carry) {
#if defined __AVX2__
    const vector flip = vector_of_64(-(u64)negate);
    for (int i = 0; i < FH_LANES; i += VECTOR_LANES) {
        const vector x = vector_load(a + i), y = is_row ? vector_load(b + i) : vector_of(scalar);
        vector even = vector_multiply(is_signed, x, y);
        vector odd = vector_multiply(is_signed, vector_down(x), is_row ? vector_down(y) : y);
        vector even_c = vector_of_64(addend), odd_c = even_c;
        if (are_rows) {
            const vector low = vector_load(c + i), high = vector_load(c + FH_LANES + i);
            even_c = vector_odd_of(low, vector_up(high));
            odd_c = vector_odd_of(vector_down(low), high);
        }
        even = vector_add_64(even, vector_xor(even_c, flip));
        odd = vector_add_64(odd, vector_xor(odd_c, flip));
        if (extended) {
            const vector bits = vector_bits(carry >> i);
            even = vector_add_64(even, vector_odd_of(bits, vector_of(0)));
            odd = vector_add_64(odd, vector_down(bits));
        } else {
            even = vector_add_64(even, vector_of_64(negate));
            odd = vector_add_64(odd, vector_of_64(negate));
        }
        vector_store(result + i, vector_odd_of(vector_down(even), odd));
    }
#else
    for (u32 lane = 0; lane < FH_LANES; lane++)
        result[lane] =
            multiply_add_high(is_signed, a[lane], is_row ? b[lane] : scalar,
                              are_rows ? c[lane] | (u64)c[FH_LANES + lane] << 32 : addend, negate,
                              extended, carry >> lane & 1);
#endif
}

#if defined __AVX512BW__
#define vector_or(x, y)             _mm512_or_si512(x, y)
#define vector_and(x, y)            _mm512_and_si512(x, y)
#define vector_shift_up(v, n)       _mm512_slli_epi32(v, n)
#define vector_shuffle_bytes(v, at) _mm512_shuffle_epi8(v, at)
#define vector_of_quarter(v)        _mm512_broadcast_i32x4(v)
/* Bytes of 255 where the top bit of the byte is set. */
#define vector_byte_signs(v) _mm512_movm_epi8(_mm512_movepi8_mask(v))
#define vector_choose_bytes(which, one, zero)                                                      \
    _mm512_mask_blend_epi8(_mm512_movepi8_mask(which), zero, one)
#elif defined __AVX2__
#define vector_or(x, y)                       _mm256_or_si256(x, y)
#define vector_and(x, y)                      _mm256_and_si256(x, y)
#define vector_shift_up(v, n)                 _mm256_slli_epi32(v, n)
#define vector_shuffle_bytes(v, at)           _mm256_shuffle_epi8(v, at)
#define vector_of_quarter(v)                  _mm256_broadcastsi128_si256(v)
#define vector_byte_signs(v)                  _mm256_cmpgt_epi8(_mm256_setzero_si256(), v)
#define vector_choose_bytes(which, one, zero) _mm256_blendv_epi8(zero, one, which)
#endif

#if defined __AVX2__
/* Byte i becomes nibble i of the low half of its word. */
static FH_ALWAYS_INLINE vector nibbles_of(vector v) {
    v = vector_and(v, vector_of(0xffff));
    v = vector_and(vector_or(v, vector_shift_up(v, 8)), vector_of(0x00ff00ffU));
    return vector_and(vector_or(v, vector_shift_up(v, 4)), vector_of(0x0f0f0f0fU));
}

/* What permute_bytes in mode 0 does to a vector: one shuffle of each source, of which a control
 * byte with its top bit set gives 0, and the results are joined. */
struct fh_byte_shuffles {
    vector from_a, from_c, is_sign;
};

static FH_ALWAYS_INLINE vector fh_bytes_of_word(void) {
    return vector_of_quarter(_mm_setr_epi32(0, 0x04040404, 0x08080808, 0x0c0c0c0c));
}

static FH_ALWAYS_INLINE struct fh_byte_shuffles fh_shuffles_by(vector selectors) {
    const vector top = vector_of(0x80808080U), nibbles = nibbles_of(selectors);
    const vector place = vector_or(vector_and(nibbles, vector_of(0x03030303U)), fh_bytes_of_word());
    const vector is_c = vector_and(vector_shift_up(nibbles, 5), top);
    return (struct fh_byte_shuffles){vector_or(place, is_c),
                                     vector_or(place, vector_xor(is_c, top)),
                                     vector_and(vector_shift_up(nibbles, 4), top)};
}

/* The same for one selector in all lanes, by scalars, which are ready sooner. */
static FH_ALWAYS_INLINE struct fh_byte_shuffles fh_shuffles_alike(u32 selector) {
    const u32 top = 0x80808080U;
    u32 nibbles = selector & 0xffff;
    nibbles = (nibbles | nibbles << 8) & 0x00ff00ffU;
    nibbles = (nibbles | nibbles << 4) & 0x0f0f0f0fU;
    const u32 place = nibbles & 0x03030303U, is_c = nibbles << 5 & top;
    return (struct fh_byte_shuffles){vector_or(vector_of(place | is_c), fh_bytes_of_word()),
                                     vector_or(vector_of(place | (is_c ^ top)), fh_bytes_of_word()),
                                     vector_of(nibbles << 4 & top)};
}

static FH_ALWAYS_INLINE void fh_permute_by_nibbles(u32 *result, const u32 *a, const u32 *c,
                                                   const bool is_row, const u32 *selectors,
                                                   u32 selector) {
    const struct fh_byte_shuffles alike = fh_shuffles_alike(selector);
    for (int i = 0; i < FH_LANES; i += VECTOR_LANES) {
        const struct fh_byte_shuffles by =
            is_row ? fh_shuffles_by(vector_load(selectors + i)) : alike;
        const vector x = vector_shuffle_bytes(vector_load(a + i), by.from_a);
        const vector y = vector_shuffle_bytes(vector_load(c + i), by.from_c);
        const vector bytes = vector_or(x, y);
        vector_store(result + i, vector_choose_bytes(by.is_sign, vector_byte_signs(bytes), bytes));
    }
}
#endif

/* permute_bytes; unless they are rows, c0 or `selector` in all lanes. */
static FH_ALWAYS_INLINE void fh_permute_rows(u32 *result, const u32 *a, const bool is_row_c,
                                             const u32 *c, u32 c0, const bool is_row_selector,
                                             const u32 *selectors, u32 selector, const u32 mode) {
#if defined __AVX2__
    if (mode == 0 && is_row_c) {
        fh_permute_by_nibbles(result, a, c, is_row_selector, selectors, selector);
        return;
    }
#endif
    for (u32 lane = 0; lane < FH_LANES; lane++)
        result[lane] = permute_bytes(a[lane], is_row_c ? c[lane] : c0,
                                     is_row_selector ? selectors[lane] : selector, mode);
}

/* leading_one. Without an instruction that counts zeros the exponent of a float tells: in
 * y & ~(y >> 1) the highest one h of y is followed by a zero, so that it is less than 2^h + 2^(h -
 * 1) and is rounded to no power of two above 2^h, whatever the rounding. Conversions have a sign:
 * of a y with bit 31 only that bit is taken, -2^31, of which the exponent is 31. 0 has the exponent
 * -127. */
static FH_ALWAYS_INLINE void fh_leading_rows(u32 *result, const bool is_row, const u32 *b,
                                             u32 scalar, u32 negated, u32 is_signed, u32 from_top) {
#if defined __AVX512CD__
    const __m512i last = _mm512_set1_epi32(31), none = _mm512_set1_epi32(-1);
    for (int i = 0; i < FH_LANES; i += VECTOR_LANES) {
        vector y = is_row ? vector_load(b + i) : vector_of(scalar);
        y = vector_xor(y, vector_of(0U - negated));
        if (is_signed)
            y = vector_xor(y, _mm512_srai_epi32(y, 31));
        const vector zeros = _mm512_lzcnt_epi32(y);
        const vector place = from_top ? zeros : _mm512_sub_epi32(last, zeros);
        vector_store(result + i, _mm512_mask_mov_epi32(none, _mm512_test_epi32_mask(y, y), place));
    }
#elif defined __AVX2__
    for (int i = 0; i < FH_LANES; i += VECTOR_LANES) {
        vector y = is_row ? vector_load(b + i) : vector_of(scalar);
        y = vector_xor(y, vector_of(0U - negated));
        if (is_signed)
            y = vector_xor(y, _mm256_srai_epi32(y, 31));
        const vector below = _mm256_srli_epi32(vector_or(y, _mm256_srai_epi32(y, 31)), 1);
        const vector top = _mm256_andnot_si256(below, y);
        const vector bits = _mm256_castps_si256(_mm256_cvtepi32_ps(top));
        const vector exponent = _mm256_and_si256(_mm256_srli_epi32(bits, 23), vector_of(255));
        const vector place = from_top ? _mm256_sub_epi32(vector_of(31 + 127), exponent)
                                      : _mm256_sub_epi32(exponent, vector_of(127));
        const vector none = _mm256_cmpeq_epi32(y, _mm256_setzero_si256());
        vector_store(result + i, vector_or(place, none));
    }
#else
    for (u32 lane = 0; lane < FH_LANES; lane++)
        result[lane] = leading_one(is_row ? b[lane] : scalar, negated, is_signed, from_top);
#endif
}

/* After the calls for all lanes, before the loop. In a loop that is not unrolled gcc 12 may address
 * a local row by its distance from another one, and then takes the stores to it for dead; in one
 * that is (all lanes, in two vectors) the row is in registers. */
#if defined __AVX512F__
#define FH_LOOP_IS_UNROLLED(all) (all)
#else
#define FH_LOOP_IS_UNROLLED(all) false
#endif
static FH_ALWAYS_INLINE void fh_row_made(const u32 *row, const bool in_registers) {
    if (!in_registers)
        __asm__ volatile("" : : "r"(row) : "memory");
}

/* The lanes_ functions; predicates are lane masks. */
#define fh_lanes_compare(operation, is_signed, a, b)                                               \
    fh_compare_rows(operation, is_signed, a, FH_SOURCE(b))
#define fh_lanes_equal(a, b)          fh_lanes_compare(2, 0, a, b)
#define fh_lanes_not(x)               (~(x))
#define fh_lanes_lop3(a, b, c, table) lop3(a, b, c, table)

/* The row functions: the result's row before the arguments. */
#define fh_multiply_high(result, is_signed, a, b)                                                  \
    fh_multiply_rows(result, is_signed, a, FH_SOURCE(b))
#define fh_multiply_add_high(result, is_signed, a, b, c, negate, extended, carry)                  \
    fh_multiply_add_rows(result, is_signed, a, FH_SOURCE(b), FH_PAIR_SOURCE(c), negate, extended,  \
                         carry)
#define fh_leading_one(result, b, negated, is_signed, from_top)                                    \
    fh_leading_rows(result, FH_SOURCE(b), negated, is_signed, from_top)
#define fh_permute_bytes(result, a, c, selector, mode)                                             \
    fh_permute_rows(result, a, FH_SOURCE(c), FH_SOURCE(selector), mode)

#endif

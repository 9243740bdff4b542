/*
 * float_vector.h - pieces of rows as the host's floating point vectors, at the SIMD level that the
 * including file is compiled for; at the portable one a piece is one lane.
 *
 * All arithmetic here is IEEE 754's: to nearest, even, and with AVX-512 as `how` says, which the
 * instructions carry there.
 */
#ifndef FH_FLOAT_VECTOR_H
#define FH_FLOAT_VECTOR_H

#include "float_exact.h"
#include "float_rows.h"
#include "lanes.h"

#if defined __FLT_EVAL_METHOD__ && __FLT_EVAL_METHOD__ != 0
#error "float_vector.h needs float and double that are computed as such"
#endif

enum { FLOAT_NAN = 0x7fffffff };

#if defined __AVX512F__

enum { PIECE = 16 };
typedef __m512 floats;

/* A macro of an intrinsic with the rounding mode of `how`; `how` is the same for all lanes, so that
 * the host predicts where this goes. */
#define ROUNDED(how, intrinsic, ...)                                                               \
    (((how)&FH_ROUND_MASK) == FH_ROUND_NEAREST                                                     \
         ? intrinsic(__VA_ARGS__, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC)                   \
     : ((how)&FH_ROUND_MASK) == FH_ROUND_DOWN                                                      \
         ? intrinsic(__VA_ARGS__, _MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC)                       \
     : ((how)&FH_ROUND_MASK) == FH_ROUND_UP                                                        \
         ? intrinsic(__VA_ARGS__, _MM_FROUND_TO_POS_INF | _MM_FROUND_NO_EXC)                       \
         : intrinsic(__VA_ARGS__, _MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC))

static FH_ALWAYS_INLINE floats floats_load(const u32 *row) {
    return _mm512_load_ps(row);
}

static FH_ALWAYS_INLINE void floats_store(u32 *row, floats x) {
    _mm512_store_ps(row, x);
}

/* Without the bits that are not in `kept`, then with those of `flipped` inverted. */
static FH_ALWAYS_INLINE floats floats_bits(floats x, u32 kept, u32 flipped) {
    return _mm512_xor_ps(_mm512_and_ps(x, _mm512_castsi512_ps(_mm512_set1_epi32((int)kept))),
                         _mm512_castsi512_ps(_mm512_set1_epi32((int)flipped)));
}

/* Subnormal numbers as zeros of their sign. */
static FH_ALWAYS_INLINE floats floats_flushed(floats x) {
    const __mmask16 subnormal = _mm512_fpclass_ps_mask(x, 0x20);
    return _mm512_mask_and_ps(x, subnormal, x, _mm512_set1_ps(-0.0f));
}

/* NaN as the canonical one. */
static FH_ALWAYS_INLINE floats floats_canonical(floats x) {
    const __mmask16 nan = _mm512_cmp_ps_mask(x, x, _CMP_UNORD_Q);
    return _mm512_mask_mov_ps(x, nan, _mm512_castsi512_ps(_mm512_set1_epi32(FLOAT_NAN)));
}

/* In 0..1, NaN as 0. Of two zeros, and where the first one is NaN, max gives the second one. */
static FH_ALWAYS_INLINE floats floats_saturated(floats x) {
    return _mm512_min_ps(_mm512_max_ps(x, _mm512_setzero_ps()), _mm512_set1_ps(1));
}

static FH_ALWAYS_INLINE floats floats_add(floats x, floats y, u32 how) {
    return ROUNDED(how, _mm512_add_round_ps, x, y);
}

static FH_ALWAYS_INLINE floats floats_multiply(floats x, floats y, u32 how) {
    return ROUNDED(how, _mm512_mul_round_ps, x, y);
}

static FH_ALWAYS_INLINE floats floats_multiply_add(floats x, floats y, floats z, u32 how) {
    return ROUNDED(how, _mm512_fmadd_round_ps, x, y, z);
}

/* Lane masks of a piece; a comparison with NaN is false. */
static FH_ALWAYS_INLINE u32 floats_less(floats x, floats y) {
    return fh_lanes_of_mask(_mm512_cmp_ps_mask(x, y, _CMP_LT_OQ));
}

static FH_ALWAYS_INLINE u32 floats_equal(floats x, floats y) {
    return fh_lanes_of_mask(_mm512_cmp_ps_mask(x, y, _CMP_EQ_OQ));
}

static FH_ALWAYS_INLINE u32 floats_unordered(floats x, floats y) {
    return fh_lanes_of_mask(_mm512_cmp_ps_mask(x, y, _CMP_UNORD_Q));
}

#elif defined __AVX2__

enum { PIECE = 8 };
typedef __m256 floats;

static FH_ALWAYS_INLINE floats floats_of(u32 bits) {
    return _mm256_castsi256_ps(_mm256_set1_epi32((int)bits));
}

static FH_ALWAYS_INLINE floats floats_load(const u32 *row) {
    return _mm256_load_ps((const float *)(const void *)row);
}

static FH_ALWAYS_INLINE void floats_store(u32 *row, floats x) {
    _mm256_store_ps((float *)(void *)row, x);
}

static FH_ALWAYS_INLINE floats floats_bits(floats x, u32 kept, u32 flipped) {
    return _mm256_xor_ps(_mm256_and_ps(x, floats_of(kept)), floats_of(flipped));
}

/* Zeros are in it, too, which stay as they are. */
static FH_ALWAYS_INLINE floats floats_flushed(floats x) {
    const __m256i exponent = _mm256_castps_si256(_mm256_and_ps(x, floats_of(0x7f800000)));
    const __m256i small = _mm256_cmpeq_epi32(exponent, _mm256_setzero_si256());
    return _mm256_andnot_ps(_mm256_and_ps(_mm256_castsi256_ps(small), floats_of(0x7fffffff)), x);
}

static FH_ALWAYS_INLINE floats floats_canonical(floats x) {
    return _mm256_blendv_ps(x, floats_of(FLOAT_NAN), _mm256_cmp_ps(x, x, _CMP_UNORD_Q));
}

static FH_ALWAYS_INLINE floats floats_saturated(floats x) {
    return _mm256_min_ps(_mm256_max_ps(x, _mm256_setzero_ps()), _mm256_set1_ps(1));
}

static FH_ALWAYS_INLINE floats floats_add(floats x, floats y, u32 how) {
    (void)how;
    return _mm256_add_ps(x, y);
}

static FH_ALWAYS_INLINE floats floats_multiply(floats x, floats y, u32 how) {
    (void)how;
    return _mm256_mul_ps(x, y);
}

static FH_ALWAYS_INLINE floats floats_multiply_add(floats x, floats y, floats z, u32 how) {
    (void)how;
    return _mm256_fmadd_ps(x, y, z);
}

static FH_ALWAYS_INLINE u32 floats_less(floats x, floats y) {
    return (u32)_mm256_movemask_ps(_mm256_cmp_ps(x, y, _CMP_LT_OQ));
}

static FH_ALWAYS_INLINE u32 floats_equal(floats x, floats y) {
    return (u32)_mm256_movemask_ps(_mm256_cmp_ps(x, y, _CMP_EQ_OQ));
}

static FH_ALWAYS_INLINE u32 floats_unordered(floats x, floats y) {
    return (u32)_mm256_movemask_ps(_mm256_cmp_ps(x, y, _CMP_UNORD_Q));
}

#else

enum { PIECE = 1 };
typedef float floats;

static FH_ALWAYS_INLINE floats floats_load(const u32 *row) {
    return float_of_bits(*row);
}

static FH_ALWAYS_INLINE void floats_store(u32 *row, floats x) {
    *row = bits_of_float(x);
}

static FH_ALWAYS_INLINE floats floats_bits(floats x, u32 kept, u32 flipped) {
    return float_of_bits((bits_of_float(x) & kept) ^ flipped);
}

static FH_ALWAYS_INLINE floats floats_flushed(floats x) {
    const u32 bits = bits_of_float(x);
    return float_of_bits(bits & 0x7f800000 ? bits : bits & 0x80000000);
}

static FH_ALWAYS_INLINE floats floats_canonical(floats x) {
    return x != x ? float_of_bits(FLOAT_NAN) : x;
}

static FH_ALWAYS_INLINE floats floats_saturated(floats x) {
    return x > 0 ? x < 1 ? x : 1 : 0;
}

static FH_ALWAYS_INLINE floats floats_add(floats x, floats y, u32 how) {
    (void)how;
    return x + y;
}

static FH_ALWAYS_INLINE floats floats_multiply(floats x, floats y, u32 how) {
    (void)how;
    return x * y;
}

static FH_ALWAYS_INLINE u32 floats_less(floats x, floats y) {
    return x < y;
}

static FH_ALWAYS_INLINE u32 floats_equal(floats x, floats y) {
    return x == y;
}

static FH_ALWAYS_INLINE u32 floats_unordered(floats x, floats y) {
    return x != x || y != y;
}

#endif

#endif

/*
 * simd.h - loops over lanes that compilers vectorise, and the step between rows of 0 and 1, as the
 * lane loops compute predicates, and the lane masks that predicates are kept as. The level is what
 * the including file is compiled for.
 */
#ifndef FH_SIMD_H
#define FH_SIMD_H

#include <stdint.h>

#if defined __AVX2__ || defined __AVX512F__
#include <immintrin.h>
#endif

/* Before a loop whose iterations touch index `lane` of each row only: iterations are independent
 * whatever rows the operands are. */
#if defined __clang__
#define FH_IVDEP _Pragma("clang loop vectorize(assume_safety)")
#pragma clang diagnostic ignored "-Wpass-failed"
#else
#define FH_IVDEP _Pragma("GCC ivdep") _Pragma("GCC unroll 1")
#endif

#if defined __AVX512F__
/* The mask of 16 lanes as a number. GCC's conversion takes 32 bits from where it has put away
 * 16 when the registers for masks run out (seen with GCC 12.2); a mask that it cannot follow is
 * widened as written. tests/checks/masks.sh looks for what escapes this. */
static inline __attribute__((always_inline)) uint32_t fh_lanes_of_mask(__mmask16 mask) {
    __asm__("" : "+k"(mask));
    return mask;
}

/* The same of 8. */
static inline __attribute__((always_inline)) uint32_t fh_lanes_of_mask8(__mmask8 mask) {
    __asm__("" : "+k"(mask));
    return mask;
}
#endif

/* Bit l of the result is bit `bit` of row[l]; row is 64-byte aligned. */
static inline uint32_t fh_bit_of_row(const uint32_t row[32], uint32_t bit) {
#if defined __AVX512F__
    __m512i one = _mm512_set1_epi32((int)(1U << bit));
    const uint32_t low = fh_lanes_of_mask(_mm512_test_epi32_mask(_mm512_load_si512(row), one));
    const uint32_t high =
        fh_lanes_of_mask(_mm512_test_epi32_mask(_mm512_load_si512(row + 16), one));
    return low | high << 16;
#elif defined __AVX2__
    uint32_t mask = 0;
    for (int i = 0; i < 4; i++) {
        __m256i bits = _mm256_load_si256((const __m256i *)(const void *)(row + 8 * i));
        __m256i top = _mm256_slli_epi32(bits, (int)(31 - bit));
        mask |= (uint32_t)_mm256_movemask_ps(_mm256_castsi256_ps(top)) << (8 * i);
    }
    return mask;
#else
    uint32_t mask = 0;
    for (uint32_t l = 0; l < 32; l++)
        mask |= (row[l] >> bit & 1) << l;
    return mask;
#endif
}

/* Bit 0 of the lanes. */
static inline uint32_t fh_mask_of_row(const uint32_t row[32]) {
    return fh_bit_of_row(row, 0);
}

#endif

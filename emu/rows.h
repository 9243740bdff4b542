/*
 * rows.h - what bodies compute for all lanes of a warp at once, on rows and lane masks: the fast
 * engine's meaning of the lanes_ functions of lane.h.
 *
 * Loads are of 256 bits with AVX-512, too: that is as fast, and a row that has just been stored in
 * pieces of 256 bits makes none of them wait.
 */
#ifndef FH_ROWS_H
#define FH_ROWS_H

#include <stddef.h>

#include "lanes.h"

/* Lanes where a stands to b as the comparison of ISETP says; `b` NULL: to `scalar` in all lanes. */
static FH_ALWAYS_INLINE u32 fh_compare_rows(const u32 operation, const u32 is_signed, const u32 *a,
                                            const u32 *b, u32 scalar) {
#if defined __AVX2__
    /* GT NE GE T are not LE EQ LT F. */
    const u32 unlike = operation >= 4 ? UINT32_MAX : 0, relation = operation ^ (unlike & 7);
    if (relation == 0)
        return unlike;
    u32 mask = 0;
    for (int i = 0; i < 4; i++) {
        const __m256i x = _mm256_load_si256((const __m256i *)(const void *)(a + 8 * i));
        const __m256i y = b ? _mm256_load_si256((const __m256i *)(const void *)(b + 8 * i))
                            : _mm256_set1_epi32((int)scalar);
        u32 part;
#if defined __AVX512VL__
        if (relation == 2)
            part = _mm256_cmpeq_epi32_mask(x, y);
        else if (is_signed)
            part = relation == 1 ? _mm256_cmplt_epi32_mask(x, y) : _mm256_cmple_epi32_mask(x, y);
        else
            part = relation == 1 ? _mm256_cmplt_epu32_mask(x, y) : _mm256_cmple_epu32_mask(x, y);
#else
        /* x < y is y > x, with 2^31 added to both if they have no sign. */
        const __m256i bias = _mm256_set1_epi32(is_signed ? 0 : INT32_MIN);
        const __m256i less =
            _mm256_cmpgt_epi32(_mm256_xor_si256(y, bias), _mm256_xor_si256(x, bias));
        const __m256i equal = _mm256_cmpeq_epi32(x, y);
        const __m256i holds = relation == 1   ? less
                              : relation == 2 ? equal
                                              : _mm256_or_si256(less, equal);
        part = (u32)_mm256_movemask_ps(_mm256_castsi256_ps(holds));
#endif
        mask |= part << (8 * i);
    }
    return mask ^ unlike;
#else
    u32 mask = 0;
    for (u32 lane = 0; lane < FH_LANES; lane++)
        mask |= compare(operation, is_signed, a[lane], b ? b[lane] : scalar) << lane;
    return mask;
#endif
}

/* clang-format off */
#define FH_ROW_OF(b) _Generic((b), u32: (const u32 *)NULL, default: (b))
#define FH_SCALAR_OF(b) _Generic((b), u32: (b), default: 0U)
/* clang-format on */

/* The sources of a body: rows, const u32 *, or one u32 for all lanes; predicates are lane masks. */
#define fh_lanes_compare(operation, is_signed, a, b)                                               \
    fh_compare_rows(operation, is_signed, a, FH_ROW_OF(b), FH_SCALAR_OF(b))
#define fh_lanes_equal(a, b)          fh_lanes_compare(2, 0, a, b)
#define fh_lanes_not(x)               (~(x))
#define fh_lanes_lop3(a, b, c, table) lop3(a, b, c, table)

#endif

/*
 * float_calls.h - the fast engine's calls of float_rows.h: the functions of lane.h by the same
 * names with fh_rows_ before them, result rows first.
 */
#ifndef FH_FLOAT_CALLS_H
#define FH_FLOAT_CALLS_H

#include "float_rows.h"
#include "rows.h"

#define FH_FLOAT_ROWS FH_SIMD_SYMBOL(fh_float_rows_)

/* The lanes of `active` of a row become those of another one. */
static FH_ALWAYS_INLINE void fh_take_lanes(u32 *row, const u32 *from, u32 active) {
    FH_IVDEP
    for (u32 lane = 0; lane < FH_LANES; lane++)
        row[lane] = active >> lane & 1 ? from[lane] : row[lane];
}

/* The row, or `room` filled with the scalar. */
static FH_ALWAYS_INLINE const u32 *fh_whole_row(const bool is_row, const u32 *row, u32 scalar,
                                                u32 *room) {
    if (is_row)
        return row;
    FH_IVDEP
    for (u32 lane = 0; lane < FH_LANES; lane++)
        room[lane] = scalar;
    return room;
}

/* Sources b and c are a row or, in all lanes, a scalar: as FH_SOURCE says it. */
static FH_ALWAYS_INLINE void fh_call_add(u32 *d, const u32 *a, const bool is_row, const u32 *b,
                                         u32 scalar, u32 how) {
    _Alignas(64) u32 room[FH_LANES];
    FH_FLOAT_ROWS.add(d, a, fh_whole_row(is_row, b, scalar, room), how);
}

static FH_ALWAYS_INLINE void fh_call_multiply(u32 *d, const u32 *a, const bool is_row, const u32 *b,
                                              u32 scalar, i32 scale, u32 how) {
    _Alignas(64) u32 room[FH_LANES];
    FH_FLOAT_ROWS.multiply(d, a, fh_whole_row(is_row, b, scalar, room), scale, how);
}

static FH_ALWAYS_INLINE void fh_call_multiply_add(u32 *d, const u32 *a, const bool is_row_b,
                                                  const u32 *b, u32 scalar_b, const bool is_row_c,
                                                  const u32 *c, u32 scalar_c, u32 how) {
    _Alignas(64) u32 room_b[FH_LANES], room_c[FH_LANES];
    FH_FLOAT_ROWS.multiply_add(d, a, fh_whole_row(is_row_b, b, scalar_b, room_b),
                               fh_whole_row(is_row_c, c, scalar_c, room_c), how);
}

#define fh_rows_float_add(d, a, neg_a, abs_a, b, neg_b, abs_b, round, flush, saturating)           \
    fh_call_add(d, a, FH_SOURCE(b),                                                                \
                float_how(round, flush, saturating) | FH_SIGNS_OF(0, neg_a, abs_a) |               \
                    FH_SIGNS_OF(1, neg_b, abs_b))
#define fh_rows_float_multiply(d, a, neg_a, abs_a, b, neg_b, abs_b, scale, round, flush,           \
                               saturating)                                                         \
    fh_call_multiply(d, a, FH_SOURCE(b), (i32)(scale)-4,                                           \
                     float_how(round, flush, saturating) | FH_SIGNS_OF(0, neg_a, abs_a) |          \
                         FH_SIGNS_OF(1, neg_b, abs_b))
#define fh_rows_float_multiply_add(d, a, neg_a, abs_a, b, neg_b, abs_b, c, neg_c, abs_c, round,    \
                                   flush, saturating)                                              \
    fh_call_multiply_add(d, a, FH_SOURCE(b), FH_SOURCE(c),                                         \
                         float_how(round, flush, saturating) | FH_SIGNS_OF(0, neg_a, abs_a) |      \
                             FH_SIGNS_OF(1, neg_b, abs_b) | FH_SIGNS_OF(2, neg_c, abs_c))

#endif

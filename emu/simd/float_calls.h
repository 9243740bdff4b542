/*
 * float_calls.h - the fast engine's calls of float_rows.h: the functions of lane_float.h by the
 * same names, with fh_rows_ before them and the rows of the result first, or with fh_ before them
 * if they give lane masks.
 */
#ifndef FH_FLOAT_CALLS_H
#define FH_FLOAT_CALLS_H

#include "float_rows.h"
#include "rows.h"

#define FH_FLOAT_ROWS FH_SIMD_SYMBOL(fh_float_rows_)

/* A source: a row, or two, or the same value in all lanes. */
struct fh_row_source {
    bool is_row;
    const u32 *row;
    u64 scalar;
};
#define FH_ROW_SOURCE(x)  ((const struct fh_row_source){FH_SOURCE(x)})
#define FH_ROWS_SOURCE(x) ((const struct fh_row_source){FH_PAIR_SOURCE(x)})

/* The lanes of `active` of a row become those of another one. */
static FH_ALWAYS_INLINE void fh_take_lanes(u32 *row, const u32 *from, u32 active) {
    FH_IVDEP
    for (u32 lane = 0; lane < FH_LANES; lane++)
        row[lane] = active >> lane & 1 ? from[lane] : row[lane];
}

static FH_ALWAYS_INLINE void fh_fill_row(u32 *row, u32 value) {
    FH_IVDEP
    for (u32 lane = 0; lane < FH_LANES; lane++)
        row[lane] = value;
}

/* The row, or `room` filled with the scalar. */
static FH_ALWAYS_INLINE const u32 *fh_whole_row(struct fh_row_source source, u32 *room) {
    if (source.is_row)
        return source.row;
    fh_fill_row(room, (u32)source.scalar);
    return room;
}

static FH_ALWAYS_INLINE const u32 *fh_whole_rows(struct fh_row_source source, u32 *room) {
    if (source.is_row)
        return source.row;
    fh_fill_row(room, (u32)source.scalar);
    fh_fill_row(room + FH_LANES, (u32)(source.scalar >> 32));
    return room;
}

/* A row of `one` in the lanes of the mask, else 0. */
static FH_ALWAYS_INLINE void fh_row_of_mask(u32 *d, u32 mask, u32 one) {
    FH_IVDEP
    for (u32 lane = 0; lane < FH_LANES; lane++)
        d[lane] = mask >> lane & 1 ? one : 0;
}

#define FH_HOW_2(how, neg_a, abs_a, neg_b, abs_b)                                                  \
    ((how) | FH_SIGNS_OF(0, neg_a, abs_a) | FH_SIGNS_OF(1, neg_b, abs_b))
#define FH_HOW_3(how, neg_a, abs_a, neg_b, abs_b, neg_c, abs_c)                                    \
    (FH_HOW_2(how, neg_a, abs_a, neg_b, abs_b) | FH_SIGNS_OF(2, neg_c, abs_c))
#define FH_NAN_HOW(wins, flush) (float_how(0, flush, 0) | ((wins) ? FH_NAN_WINS : 0))

/* ---------------------------------------------------------------- F32 */

#define fh_rows_float_add(d, a, neg_a, abs_a, b, neg_b, abs_b, round, flush, saturating)           \
    do {                                                                                           \
        _Alignas(64) u32 fh_room[FH_LANES];                                                        \
        FH_FLOAT_ROWS.add(                                                                         \
            d, a, fh_whole_row(FH_ROW_SOURCE(b), fh_room),                                         \
            FH_HOW_2(float_how(round, flush, saturating), neg_a, abs_a, neg_b, abs_b));            \
    } while (0)
#define fh_rows_float_multiply(d, a, neg_a, abs_a, b, neg_b, abs_b, scale, round, flush,           \
                               saturating)                                                         \
    do {                                                                                           \
        _Alignas(64) u32 fh_room[FH_LANES];                                                        \
        FH_FLOAT_ROWS.multiply(                                                                    \
            d, a, fh_whole_row(FH_ROW_SOURCE(b), fh_room), (i32)(scale)-4,                         \
            FH_HOW_2(float_how(round, flush, saturating), neg_a, abs_a, neg_b, abs_b));            \
    } while (0)
#define fh_rows_float_multiply_add(d, a, neg_a, abs_a, b, neg_b, abs_b, c, neg_c, abs_c, round,    \
                                   flush, saturating)                                              \
    do {                                                                                           \
        _Alignas(64) u32 fh_room[2][FH_LANES];                                                     \
        FH_FLOAT_ROWS.multiply_add(d, a, fh_whole_row(FH_ROW_SOURCE(b), fh_room[0]),               \
                                   fh_whole_row(FH_ROW_SOURCE(c), fh_room[1]),                     \
                                   FH_HOW_3(float_how(round, flush, saturating), neg_a, abs_a,     \
                                            neg_b, abs_b, neg_c, abs_c));                          \
    } while (0)

static FH_ALWAYS_INLINE u32 fh_compared(const u32 *a, struct fh_row_source b, u32 relations,
                                        u32 how) {
    _Alignas(64) u32 room[FH_LANES];
    return FH_FLOAT_ROWS.compare(a, fh_whole_row(b, room), relations, how);
}
#define fh_lanes_float_compare(relations, a, neg_a, abs_a, b, neg_b, abs_b, flush)                 \
    fh_compared(a, FH_ROW_SOURCE(b), relations,                                                    \
                FH_HOW_2(float_how(0, flush, 0), neg_a, abs_a, neg_b, abs_b))
#define fh_rows_float_set(d, relations, operation, a, neg_a, abs_a, b, neg_b, abs_b, predicate,    \
                          flush)                                                                   \
    fh_row_of_mask(                                                                                \
        d,                                                                                         \
        combine(operation,                                                                         \
                fh_lanes_float_compare(relations, a, neg_a, abs_a, b, neg_b, abs_b, flush),        \
                predicate),                                                                        \
        0x3f800000)
#define fh_rows_float_extreme(d, a, neg_a, abs_a, b, neg_b, abs_b, smaller, nan_wins, flush)       \
    do {                                                                                           \
        _Alignas(64) u32 fh_room[FH_LANES];                                                        \
        FH_FLOAT_ROWS.select(d, a, fh_whole_row(FH_ROW_SOURCE(b), fh_room), smaller,               \
                             FH_HOW_2(FH_NAN_HOW(nan_wins, flush), neg_a, abs_a, neg_b, abs_b));   \
    } while (0)

static FH_ALWAYS_INLINE u32 fh_hard_divisions(const u32 *a, struct fh_row_source b) {
    _Alignas(64) u32 room[FH_LANES], hard[FH_LANES];
    const u32 *divisor = fh_whole_row(b, room);
    FH_IVDEP
    for (u32 lane = 0; lane < FH_LANES; lane++)
        hard[lane] = fh_float_division_is_hard(a[lane], divisor[lane]);
    return fh_mask_of_row(hard);
}
#define fh_lanes_division_is_hard(a, b) fh_hard_divisions(a, FH_ROW_SOURCE(b))

/* ---------------------------------------------------------------- F64 */

#define fh_rows_double_add(low, high, a, neg_a, abs_a, b, neg_b, abs_b, round)                     \
    do {                                                                                           \
        _Alignas(64) u32 fh_room[2 * FH_LANES];                                                    \
        FH_FLOAT_ROWS.add_64(low, high, a, fh_whole_rows(FH_ROWS_SOURCE(b), fh_room),              \
                             FH_HOW_2(round, neg_a, abs_a, neg_b, abs_b));                         \
    } while (0)
#define fh_rows_double_multiply(low, high, a, neg_a, abs_a, b, neg_b, abs_b, round)                \
    do {                                                                                           \
        _Alignas(64) u32 fh_room[2 * FH_LANES];                                                    \
        FH_FLOAT_ROWS.multiply_64(low, high, a, fh_whole_rows(FH_ROWS_SOURCE(b), fh_room),         \
                                  FH_HOW_2(round, neg_a, abs_a, neg_b, abs_b));                    \
    } while (0)
#define fh_rows_double_multiply_add(low, high, a, neg_a, abs_a, b, neg_b, abs_b, c, neg_c, abs_c,  \
                                    round)                                                         \
    do {                                                                                           \
        _Alignas(64) u32 fh_room[2][2 * FH_LANES];                                                 \
        FH_FLOAT_ROWS.multiply_add_64(low, high, a, fh_whole_rows(FH_ROWS_SOURCE(b), fh_room[0]),  \
                                      fh_whole_rows(FH_ROWS_SOURCE(c), fh_room[1]),                \
                                      FH_HOW_3(round, neg_a, abs_a, neg_b, abs_b, neg_c, abs_c));  \
    } while (0)

static FH_ALWAYS_INLINE u32 fh_compared_64(const u32 *a, struct fh_row_source b, u32 relations,
                                           u32 how) {
    _Alignas(64) u32 room[2 * FH_LANES];
    return FH_FLOAT_ROWS.compare_64(a, fh_whole_rows(b, room), relations, how);
}
#define fh_lanes_double_compare(comparison, a, neg_a, abs_a, b, neg_b, abs_b)                      \
    fh_compared_64(a, FH_ROWS_SOURCE(b),                                                           \
                   (comparison) == 0    ? (u32)FH_SMALLER                                          \
                   : (comparison) == 15 ? (u32)FH_LARGER                                           \
                                        : (comparison),                                            \
                   FH_HOW_2(0, neg_a, abs_a, neg_b, abs_b))
#define fh_lanes_double_other(comparison, r, a, neg_a, abs_a, b, neg_b, abs_b)                     \
    (double_is_extreme(comparison) ? fh_compared_64(a, FH_ROWS_SOURCE(b), FH_BOTH_NAN,             \
                                                    FH_HOW_2(0, neg_a, abs_a, neg_b, abs_b))       \
                                   : ~(r))

/* ---------------------------------------------------------------- halves */

#define FH_HALVES_2(how, part_a, neg_a, abs_a, part_b, neg_b, abs_b)                               \
    (FH_HOW_2(how, neg_a, abs_a, neg_b, abs_b) | FH_PART_OF(0, part_a) | FH_PART_OF(1, part_b))
#define FH_FORMAT(format) ((format) == FH_BF16 ? FH_OF_BF16 : 0)

static FH_ALWAYS_INLINE void fh_call_halves(void (*function)(u32 *, const u32 *, const u32 *, u32),
                                            u32 *d, const u32 *a, struct fh_row_source b, u32 how) {
    _Alignas(64) u32 room[FH_LANES];
    function(d, a, fh_whole_row(b, room), how);
}
#define fh_rows_half_add(d, a, part_a, neg_a, abs_a, b, part_b, neg_b, abs_b, flush, saturating)   \
    fh_call_halves(                                                                                \
        FH_FLOAT_ROWS.add_halves, d, a, FH_ROW_SOURCE(b),                                          \
        FH_HALVES_2(float_how(0, flush, saturating), part_a, neg_a, abs_a, part_b, neg_b, abs_b))
#define fh_rows_half_add_widened(d, a, part_a, neg_a, abs_a, b, part_b, neg_b, abs_b, flush,       \
                                 saturating)                                                       \
    fh_call_halves(                                                                                \
        FH_FLOAT_ROWS.add_widened, d, a, FH_ROW_SOURCE(b),                                         \
        FH_HALVES_2(float_how(0, flush, saturating), part_a, neg_a, abs_a, part_b, neg_b, abs_b))
#define fh_rows_half_multiply(d, a, part_a, neg_a, abs_a, b, part_b, neg_b, abs_b, flush,          \
                              saturating)                                                          \
    fh_call_halves(                                                                                \
        FH_FLOAT_ROWS.multiply_halves, d, a, FH_ROW_SOURCE(b),                                     \
        FH_HALVES_2(float_how(0, flush, saturating), part_a, neg_a, abs_a, part_b, neg_b, abs_b))

static FH_ALWAYS_INLINE void fh_call_fused(u32 *d, const u32 *a, struct fh_row_source b,
                                           struct fh_row_source c, u32 positive, u32 how) {
    _Alignas(64) u32 room[2][FH_LANES];
    FH_FLOAT_ROWS.multiply_add_halves(d, a, fh_whole_row(b, room[0]), fh_whole_row(c, room[1]),
                                      positive, how);
}
#define fh_rows_half_multiply_add(d, format, a, part_a, neg_a, abs_a, b, part_b, neg_b, abs_b, c,  \
                                  part_c, neg_c, abs_c, flush, saturating)                         \
    fh_call_fused(d, a, FH_ROW_SOURCE(b), FH_ROW_SOURCE(c), 0,                                     \
                  FH_HALVES_2(float_how(0, flush, saturating) | FH_FORMAT(format), part_a, neg_a,  \
                              abs_a, part_b, neg_b, abs_b) |                                       \
                      FH_SIGNS_OF(2, neg_c, abs_c) | FH_PART_OF(2, part_c) |                       \
                      ((flush) || (saturating) ? 0 : FH_KEEPS_ADDEND))
#define fh_rows_half_multiply_add_relu(d, format, a, part_a, neg_a, abs_a, b, part_b, neg_b,       \
                                       abs_b, c, part_c, neg_c, abs_c, positive, flush,            \
                                       saturating)                                                 \
    fh_call_fused(d, a, FH_ROW_SOURCE(b), FH_ROW_SOURCE(c), positive,                              \
                  FH_HALVES_2(float_how(0, flush, saturating) | FH_FORMAT(format), part_a, neg_a,  \
                              abs_a, part_b, neg_b, abs_b) |                                       \
                      FH_SIGNS_OF(2, neg_c, abs_c) | FH_PART_OF(2, part_c))

static FH_ALWAYS_INLINE u64 fh_compared_halves(const u32 *a, struct fh_row_source b, u32 relations,
                                               u32 how) {
    _Alignas(64) u32 room[FH_LANES];
    return FH_FLOAT_ROWS.compare_halves(a, fh_whole_row(b, room), relations, how);
}
#define fh_lanes_half_compare(relations, a, part_a, neg_a, abs_a, b, part_b, neg_b, abs_b, flush)  \
    fh_compared_halves(                                                                            \
        a, FH_ROW_SOURCE(b), relations,                                                            \
        FH_HALVES_2(float_how(0, flush, 0), part_a, neg_a, abs_a, part_b, neg_b, abs_b))
#define fh_rows_half_extreme(d, format, a, part_a, neg_a, abs_a, b, part_b, neg_b, abs_b, smaller, \
                             nan_wins, flush)                                                      \
    do {                                                                                           \
        _Alignas(64) u32 fh_room[FH_LANES];                                                        \
        FH_FLOAT_ROWS.select_halves(d, a, fh_whole_row(FH_ROW_SOURCE(b), fh_room), smaller,        \
                                    FH_HALVES_2(FH_NAN_HOW(nan_wins, flush) | FH_FORMAT(format),   \
                                                part_a, neg_a, abs_a, part_b, neg_b, abs_b));      \
    } while (0)

#define fh_rows_half_set(d, relations, operation, number, a, part_a, neg_a, abs_a, b, part_b,      \
                         neg_b, abs_b, predicate, flush)                                           \
    do {                                                                                           \
        _Alignas(64) u32 fh_room[FH_LANES];                                                        \
        FH_FLOAT_ROWS.set_halves(                                                                  \
            d, a, fh_whole_row(FH_ROW_SOURCE(b), fh_room), relations, operation, predicate,        \
            (number) ? 0x3c00U : 0xffffU,                                                          \
            FH_HALVES_2(float_how(0, flush, 0), part_a, neg_a, abs_a, part_b, neg_b, abs_b));      \
    } while (0)

#endif

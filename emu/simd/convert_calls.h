/*
 * convert_calls.h - the fast engine's calls of float_rows.h for conversions and MUFU: the functions
 * of lane_convert.h by the same names, with fh_rows_ before them and the rows of the result first.
 */
#ifndef FH_CONVERT_CALLS_H
#define FH_CONVERT_CALLS_H

#include "float_calls.h"

/* The row of a source, or its two rows. */
static FH_ALWAYS_INLINE const u32 *fh_rows_from(struct fh_row_source b, u32 format, u32 *room) {
    return format == FH_F64 ? fh_whole_rows(b, room) : fh_whole_row(b, room);
}

static FH_ALWAYS_INLINE void fh_to_integer(u32 *low, u32 *high, struct fh_row_source b, u32 from,
                                           u32 type, u32 nan_zero, u32 how) {
    _Alignas(64) u32 room[2 * FH_LANES];
    FH_FLOAT_ROWS.to_integer(low, high, fh_rows_from(b, from, room), from, type,
                             how | (nan_zero ? FH_NAN_IS_ZERO : 0));
}

static FH_ALWAYS_INLINE void fh_from_integer(u32 *low, u32 *high, struct fh_row_source b, u32 to,
                                             u32 type, u32 how) {
    _Alignas(64) u32 room[2 * FH_LANES];
    FH_FLOAT_ROWS.from_integer(low, high, type < 6 ? fh_whole_row(b, room) : fh_whole_rows(b, room),
                               to, type, how);
}

static FH_ALWAYS_INLINE void fh_convert(u32 *low, u32 *high, struct fh_row_source b, u32 to,
                                        u32 from, u32 how) {
    _Alignas(64) u32 room[2 * FH_LANES];
    FH_FLOAT_ROWS.convert(low, high, fh_rows_from(b, from, room), to, from, how);
}

static FH_ALWAYS_INLINE void fh_integral(u32 *low, u32 *high, struct fh_row_source b, u32 format,
                                         u32 how) {
    _Alignas(64) u32 room[2 * FH_LANES];
    FH_FLOAT_ROWS.integral(low, high, fh_rows_from(b, format, room), format, how);
}

static FH_ALWAYS_INLINE void fh_special(u32 *d, struct fh_row_source b, bool is_half, u32 function,
                                        u32 how) {
    _Alignas(64) u32 room[FH_LANES];
    (is_half ? FH_FLOAT_ROWS.special_halves : FH_FLOAT_ROWS.special)(d, fh_whole_row(b, room),
                                                                     function, how);
}

#define FH_HOW_1(round, flush, neg, abs) (float_how(round, flush, 0) | FH_SIGNS_OF(0, neg, abs))
#define FH_HALF_1(round, flush, part, neg, abs)                                                    \
    (FH_HOW_1(round, flush, neg, abs) | FH_PART_OF(0, 2 | (part)))
/* The type of integers of so many bits. */
#define FH_INTEGER_TYPE(bits, is_signed) (((bits) / 16) << 1 | (is_signed))

/* ---------------------------------------------------------------- integers */

#define fh_rows_float_to_integer(d, b, neg, abs, type, nan_zero, round, flush)                     \
    fh_to_integer(d, NULL, FH_ROW_SOURCE(b), FH_F32, type, nan_zero,                               \
                  FH_HOW_1(round, flush, neg, abs))
#define fh_rows_float_to_long(low, high, b, neg, abs, is_signed, nan_zero, round, flush)           \
    fh_to_integer(low, high, FH_ROW_SOURCE(b), FH_F32, 6 | (is_signed), nan_zero,                  \
                  FH_HOW_1(round, flush, neg, abs))
#define fh_rows_half_to_integer(d, b, part, neg, abs, type, nan_zero, round, flush)                \
    fh_to_integer(d, NULL, FH_ROW_SOURCE(b), FH_F16, type, nan_zero,                               \
                  FH_HALF_1(round, flush, part, neg, abs))
#define fh_rows_half_to_long(low, high, b, part, neg, abs, is_signed, nan_zero, round, flush)      \
    fh_to_integer(low, high, FH_ROW_SOURCE(b), FH_F16, 6 | (is_signed), nan_zero,                  \
                  FH_HALF_1(round, flush, part, neg, abs))
#define fh_rows_double_to_integer(low, high, b, neg, abs, type, nan_zero, round, flush)            \
    fh_to_integer(low, high, FH_ROWS_SOURCE(b), FH_F64, type, nan_zero,                            \
                  FH_HOW_1(round, flush, neg, abs))
#define fh_rows_integer_to_float(d, b, part, bits, is_signed, to, round)                           \
    fh_from_integer(d, NULL, FH_ROW_SOURCE(b), float_format(to), FH_INTEGER_TYPE(bits, is_signed), \
                    (round) | FH_PART_OF(0, part))
#define fh_rows_integer_to_double(low, high, b, part, bits, is_signed, round)                      \
    fh_from_integer(low, high, FH_ROW_SOURCE(b), FH_F64, FH_INTEGER_TYPE(bits, is_signed),         \
                    (round) | FH_PART_OF(0, part))
#define fh_rows_long_to_float(low, high, b, is_signed, to, round)                                  \
    fh_from_integer(low, high, FH_ROWS_SOURCE(b), float_format(to), 6 | (is_signed), round)

/* ---------------------------------------------------------------- floating point */

#define fh_rows_float_integral(d, b, neg, abs, round, flush)                                       \
    fh_integral(d, NULL, FH_ROW_SOURCE(b), FH_F32, FH_HOW_1(round, flush, neg, abs))
#define fh_rows_half_integral(d, b, part, neg, abs, round, flush)                                  \
    fh_integral(d, NULL, FH_ROW_SOURCE(b), FH_F16, FH_HALF_1(round, flush, part, neg, abs))
#define fh_rows_double_integral(low, high, b, neg, abs, round, flush)                              \
    fh_integral(low, high, FH_ROWS_SOURCE(b), FH_F64, FH_HOW_1(round, flush, neg, abs))

#define fh_rows_float_to_double(low, high, b, neg, abs, round, flush)                              \
    fh_convert(low, high, FH_ROW_SOURCE(b), FH_F64, FH_F32, FH_HOW_1(round, flush, neg, abs))
#define fh_rows_double_to_float(d, b, neg, abs, round, flush)                                      \
    fh_convert(d, NULL, FH_ROWS_SOURCE(b), FH_F32, FH_F64, FH_HOW_1(round, flush, neg, abs))
#define fh_rows_double_to_half(d, b, neg, abs, round)                                              \
    fh_convert(d, NULL, FH_ROWS_SOURCE(b), FH_F16, FH_F64, FH_HOW_1(round, 0, neg, abs))
#define fh_rows_half_to_double(low, high, b, part, neg, abs, round)                                \
    fh_convert(low, high, FH_ROW_SOURCE(b), FH_F64, FH_F16, FH_HALF_1(round, 0, part, neg, abs))
#define fh_rows_half_to_float(d, b, part, neg, abs, round)                                         \
    fh_convert(d, NULL, FH_ROW_SOURCE(b), FH_F32, FH_F16, FH_HALF_1(round, 0, part, neg, abs))
#define fh_rows_float_to_half(d, b, neg, abs, round, flush)                                        \
    fh_convert(d, NULL, FH_ROW_SOURCE(b), FH_F16, FH_F32, FH_HOW_1(round, flush, neg, abs))
#define fh_rows_float_to_bfloat(d, b, neg, abs, round, flush)                                      \
    fh_convert(d, NULL, FH_ROW_SOURCE(b), FH_BF16, FH_F32, FH_HOW_1(round, flush, neg, abs))

/* Two halves of a word each, of which the upper one is shifted there, or is in place in c. */
static FH_ALWAYS_INLINE void fh_join_halves(u32 *d, const u32 *high, u32 shift, const u32 *low) {
    FH_IVDEP
    for (u32 lane = 0; lane < FH_LANES; lane++)
        d[lane] = (high[lane] << shift & 0xffff0000) | low[lane];
}

static FH_ALWAYS_INLINE void fh_pack_halves(u32 *d, const u32 *a, struct fh_row_source b, u32 to,
                                            u32 how_a, u32 how_b) {
    _Alignas(64) u32 high[FH_LANES], low[FH_LANES];
    FH_FLOAT_ROWS.convert(high, NULL, a, to, FH_F32, how_a);
    fh_convert(low, NULL, b, to, FH_F32, how_b);
    fh_join_halves(d, high, 16, low);
}
#define FH_HALF_FORMAT(bf16) ((bf16) ? FH_BF16 : FH_F16)
#define FH_RELU_IF(relu)     ((relu) ? FH_RELU : 0)
#define fh_rows_pack_halves(d, bf16, a, neg_a, abs_a, b, neg_b, abs_b, relu, round)                \
    fh_pack_halves(d, a, FH_ROW_SOURCE(b), FH_HALF_FORMAT(bf16),                                   \
                   FH_HOW_1(round, 0, neg_a, abs_a) | FH_RELU_IF(relu),                            \
                   FH_HOW_1(round, 0, neg_b, abs_b) | FH_RELU_IF(relu))

static FH_ALWAYS_INLINE void fh_merge_half(u32 *d, struct fh_row_source b, struct fh_row_source c,
                                           u32 to, u32 how) {
    _Alignas(64) u32 room[FH_LANES], low[FH_LANES];
    fh_convert(low, NULL, b, to, FH_F32, how);
    fh_join_halves(d, fh_whole_row(c, room), 0, low);
}
#define fh_rows_merge_half(d, bf16, b, neg, abs, c, relu, round)                                   \
    fh_merge_half(d, FH_ROW_SOURCE(b), FH_ROW_SOURCE(c), FH_HALF_FORMAT(bf16),                     \
                  FH_HOW_1(round, 0, neg, abs) | FH_RELU_IF(relu))

/* ---------------------------------------------------------------- MUFU */

#define fh_rows_special(d, function, b, neg, abs)                                                  \
    fh_special(d, FH_ROW_SOURCE(b), false, function, FH_SIGNS_OF(0, neg, abs))
#define fh_rows_special_of_half(d, function, b, part, neg, abs)                                    \
    fh_special(d, FH_ROW_SOURCE(b), true, function, FH_HALF_1(0, 0, part, neg, abs))

#endif

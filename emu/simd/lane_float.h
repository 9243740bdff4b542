/*
 * lane_float.h - the bodies of floating point instructions, for one lane, with the parts, signs and
 * bars of their sources. The fast engine computes these for all lanes at once: float_rows.h.
 */
#ifndef FH_LANE_FLOAT_H
#define FH_LANE_FLOAT_H

#include "lane.h"

static inline u32 float_add(u32 a, u32 neg_a, u32 abs_a, u32 b, u32 neg_b, u32 abs_b, u32 round,
                            u32 flush, u32 saturating) {
    return (u32)fh_float_add(FH_F32, float_source(FH_F32, a, neg_a, abs_a),
                             float_source(FH_F32, b, neg_b, abs_b),
                             float_how(round, flush, saturating));
}

/* FMUL's: a b 2^(scale - 4). */
static inline u32 float_multiply(u32 a, u32 neg_a, u32 abs_a, u32 b, u32 neg_b, u32 abs_b,
                                 u32 scale, u32 round, u32 flush, u32 saturating) {
    return (u32)fh_float_mul(FH_F32, float_source(FH_F32, a, neg_a, abs_a),
                             float_source(FH_F32, b, neg_b, abs_b), (i32)scale - 4,
                             float_how(round, flush, saturating));
}

static inline u32 float_multiply_add(u32 a, u32 neg_a, u32 abs_a, u32 b, u32 neg_b, u32 abs_b,
                                     u32 c, u32 neg_c, u32 abs_c, u32 round, u32 flush,
                                     u32 saturating) {
    return (u32)fh_float_fma(
        FH_F32, float_source(FH_F32, a, neg_a, abs_a), float_source(FH_F32, b, neg_b, abs_b),
        float_source(FH_F32, c, neg_c, abs_c), float_how(round, flush, saturating));
}

/* 1 or 0; as a predicate, of all lanes at once in the fast engine. */
static inline u32 lanes_float_compare(u32 relations, u32 a, u32 neg_a, u32 abs_a, u32 b, u32 neg_b,
                                      u32 abs_b, u32 flush) {
    return fh_float_compare(FH_F32, relations, float_source(FH_F32, a, neg_a, abs_a),
                            float_source(FH_F32, b, neg_b, abs_b), float_how(0, flush, 0));
}

/* 1.0 or 0. */
static inline u32 float_set(u32 relations, u32 operation, u32 a, u32 neg_a, u32 abs_a, u32 b,
                            u32 neg_b, u32 abs_b, u32 predicate, u32 flush) {
    u32 r = lanes_float_compare(relations, a, neg_a, abs_a, b, neg_b, abs_b, flush);
    return combine(operation, r, predicate) ? 0x3f800000 : 0;
}

static inline u32 float_extreme(u32 a, u32 neg_a, u32 abs_a, u32 b, u32 neg_b, u32 abs_b,
                                u32 smaller, u32 nan_wins, u32 flush) {
    return (u32)fh_float_select(FH_F32, smaller, nan_wins, float_source(FH_F32, a, neg_a, abs_a),
                                float_source(FH_F32, b, neg_b, abs_b), float_how(0, flush, 0));
}

static inline u32 lanes_division_is_hard(u32 a, u32 b) {
    return fh_float_division_is_hard(a, b);
}

static inline u64 double_add(u64 a, u32 neg_a, u32 abs_a, u64 b, u32 neg_b, u32 abs_b, u32 round) {
    return fh_float_add(FH_F64, float_source(FH_F64, a, neg_a, abs_a),
                        float_source(FH_F64, b, neg_b, abs_b), round);
}

static inline u64 double_multiply(u64 a, u32 neg_a, u32 abs_a, u64 b, u32 neg_b, u32 abs_b,
                                  u32 round) {
    return fh_float_mul(FH_F64, float_source(FH_F64, a, neg_a, abs_a),
                        float_source(FH_F64, b, neg_b, abs_b), 0, round);
}

static inline u64 double_multiply_add(u64 a, u32 neg_a, u32 abs_a, u64 b, u32 neg_b, u32 abs_b,
                                      u64 c, u32 neg_c, u32 abs_c, u32 round) {
    return fh_float_fma(FH_F64, float_source(FH_F64, a, neg_a, abs_a),
                        float_source(FH_F64, b, neg_b, abs_b),
                        float_source(FH_F64, c, neg_c, abs_c), round);
}

/* DSETP's comparisons: 0 and 15 ask whether a is the smaller, or the larger one, and no NaN. */
static inline u32 double_is_extreme(u32 comparison) {
    return comparison == 0 || comparison == 15;
}

static inline u32 lanes_double_compare(u32 comparison, u64 a, u32 neg_a, u32 abs_a, u64 b,
                                       u32 neg_b, u32 abs_b) {
    u64 x = float_source(FH_F64, a, neg_a, abs_a), y = float_source(FH_F64, b, neg_b, abs_b);
    if (!double_is_extreme(comparison))
        return fh_float_compare(FH_F64, comparison, x, y, 0);
    return fh_float_select(FH_F64, comparison == 0, 0, x, y, 0) == x &&
           !fh_float_compare(FH_F64, 8, x, x, 0);
}

/* The other result: that both are NaN, if it asks so, else not the first result r. */
static inline u32 lanes_double_other(u32 comparison, u32 r, u64 a, u32 neg_a, u32 abs_a, u64 b,
                                     u32 neg_b, u32 abs_b) {
    u64 x = float_source(FH_F64, a, neg_a, abs_a), y = float_source(FH_F64, b, neg_b, abs_b);
    return double_is_extreme(comparison)
               ? fh_float_compare(FH_F64, 8, x, x, 0) & fh_float_compare(FH_F64, 8, y, y, 0)
               : r ^ 1;
}

/* Of pairs of halves: `call` for each, with its sources x, y (and z) and what it is to be. */
#define FH_FOR_HALVES(call)                                                                        \
    do {                                                                                           \
        for (u32 i = 0; i < 2; i++) {                                                              \
            u32 x = half_source(a, part_a, i, neg_a, abs_a);                                       \
            u32 y = half_source(b, part_b, i, neg_b, abs_b);                                       \
            d |= (u32)(call) << 16 * i;                                                            \
        }                                                                                          \
    } while (0)

static inline u32 half_add(u32 a, u32 part_a, u32 neg_a, u32 abs_a, u32 b, u32 part_b, u32 neg_b,
                           u32 abs_b, u32 flush, u32 saturating) {
    u32 d = 0;
    FH_FOR_HALVES(fh_float_add(FH_F16, x, y, float_how(0, flush, saturating)));
    return d;
}

static inline u32 half_multiply(u32 a, u32 part_a, u32 neg_a, u32 abs_a, u32 b, u32 part_b,
                                u32 neg_b, u32 abs_b, u32 flush, u32 saturating) {
    u32 d = 0;
    FH_FOR_HALVES(fh_float_mul(FH_F16, x, y, 0, float_how(0, flush, saturating)));
    return d;
}

static inline u32 half_multiply_add(u32 format, u32 a, u32 part_a, u32 neg_a, u32 abs_a, u32 b,
                                    u32 part_b, u32 neg_b, u32 abs_b, u32 c, u32 part_c, u32 neg_c,
                                    u32 abs_c, u32 flush, u32 saturating) {
    u32 d = 0;
    FH_FOR_HALVES(half_fma(format, x, y, half_source(c, part_c, i, neg_c, abs_c),
                           float_how(0, flush, saturating)));
    return d;
}

/* The same with b times the imaginary unit: its halves exchanged, and the one from above negated.
 */
static inline u32 half_multiply_turned(u32 format, u32 a, u32 part_a, u32 neg_a, u32 abs_a, u32 b,
                                       u32 c, u32 part_c, u32 neg_c, u32 abs_c, u32 flush,
                                       u32 saturating) {
    return half_multiply_add(format, a, part_a, neg_a, abs_a, b << 16 | (b >> 16 ^ 0x8000), 0, 0, 0,
                             c, part_c, neg_c, abs_c, flush, saturating);
}

/* The same, but for the rule of half_fma; negative results are +0 if `positive`. */
static inline u32 half_multiply_add_relu(u32 format, u32 a, u32 part_a, u32 neg_a, u32 abs_a, u32 b,
                                         u32 part_b, u32 neg_b, u32 abs_b, u32 c, u32 part_c,
                                         u32 neg_c, u32 abs_c, u32 positive, u32 flush,
                                         u32 saturating) {
    u32 d = 0;
    for (u32 i = 0; i < 2; i++) {
        u32 x = half_source(a, part_a, i, neg_a, abs_a),
            y = half_source(b, part_b, i, neg_b, abs_b);
        u32 z = half_source(c, part_c, i, neg_c, abs_c);
        u32 sum = (u32)fh_float_fma(format, x, y, z, float_how(0, flush, saturating));
        d |= (positive ? half_relu(format, sum) : sum) << 16 * i;
    }
    return d;
}

static inline u32 half_extreme(u32 format, u32 a, u32 part_a, u32 neg_a, u32 abs_a, u32 b,
                               u32 part_b, u32 neg_b, u32 abs_b, u32 smaller, u32 nan_wins,
                               u32 flush) {
    u32 d = 0;
    FH_FOR_HALVES(fh_float_select(format, smaller, nan_wins, x, y, float_how(0, flush, 0)));
    return d;
}

/* Of the low halves, and from bit 32 on of the high ones. */
static inline u64 lanes_half_compare(u32 relations, u32 a, u32 part_a, u32 neg_a, u32 abs_a, u32 b,
                                     u32 part_b, u32 neg_b, u32 abs_b, u32 flush) {
    u64 d = 0;
    for (u32 i = 0; i < 2; i++)
        d |= (u64)fh_float_compare(FH_F16, relations, half_source(a, part_a, i, neg_a, abs_a),
                                   half_source(b, part_b, i, neg_b, abs_b), float_how(0, flush, 0))
             << 32 * i;
    return d;
}

/* HSET2's halves: 1.0 if `number`, else all ones; or 0. */
static inline u32 half_set(u32 relations, u32 operation, u32 number, u32 a, u32 part_a, u32 neg_a,
                           u32 abs_a, u32 b, u32 part_b, u32 neg_b, u32 abs_b, u32 predicate,
                           u32 flush) {
    u32 d = 0, truth = number ? 0x3c00 : 0xffff;
    FH_FOR_HALVES(combine(operation,
                          fh_float_compare(FH_F16, relations, x, y, float_how(0, flush, 0)),
                          predicate)
                      ? truth
                      : 0);
    return d;
}

#undef FH_FOR_HALVES

/* The sum of the low halves, as their parts say, as F32. */
static inline u32 half_add_widened(u32 a, u32 part_a, u32 neg_a, u32 abs_a, u32 b, u32 part_b,
                                   u32 neg_b, u32 abs_b, u32 flush, u32 saturating) {
    u64 x = fh_float_convert(FH_F32, FH_F16, half_source(a, part_a, 0, neg_a, abs_a), 0);
    u64 y = fh_float_convert(FH_F32, FH_F16, half_source(b, part_b, 0, neg_b, abs_b), 0);
    return (u32)fh_float_add(FH_F32, x, y, float_how(0, flush, saturating));
}

#endif

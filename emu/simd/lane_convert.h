/*
 * lane_convert.h - the bodies of conversions and of MUFU, for one lane, with the parts, signs and
 * bars of their sources. The fast engine computes these for all lanes at once: float_rows.h.
 */
#ifndef FH_LANE_CONVERT_H
#define FH_LANE_CONVERT_H

#include "lane.h"

/* Half `part` of a register. */
static inline u64 half_of(u32 b, u32 part, u32 negated, u32 absolute) {
    return float_source(FH_F16, b >> 16 * part & 0xffff, negated, absolute);
}

/* F2I. `type`: 0 U8, 1 S8, 2 U16, 3 S16, 4 U32, 5 S32, 6 U64, 7 S64. */
static inline u64 to_integer(u32 format, u64 x, u32 type, u32 nan_zero, u32 round, u32 flush) {
    return fh_float_to_int(format, x, 8U << (type >> 1), type & 1, nan_zero,
                           float_how(round, flush, 0));
}

static inline u32 float_to_integer(u32 b, u32 neg_b, u32 abs_b, u32 type, u32 nan_zero, u32 round,
                                   u32 flush) {
    return (u32)to_integer(FH_F32, float_source(FH_F32, b, neg_b, abs_b), type, nan_zero, round,
                           flush);
}

static inline u64 float_to_long(u32 b, u32 neg_b, u32 abs_b, u32 is_signed, u32 nan_zero, u32 round,
                                u32 flush) {
    return to_integer(FH_F32, float_source(FH_F32, b, neg_b, abs_b), 6 | is_signed, nan_zero, round,
                      flush);
}

static inline u32 half_to_integer(u32 b, u32 part_b, u32 neg_b, u32 abs_b, u32 type, u32 nan_zero,
                                  u32 round, u32 flush) {
    return (u32)to_integer(FH_F16, half_of(b, part_b, neg_b, abs_b), type, nan_zero, round, flush);
}

static inline u64 half_to_long(u32 b, u32 part_b, u32 neg_b, u32 abs_b, u32 is_signed, u32 nan_zero,
                               u32 round, u32 flush) {
    return to_integer(FH_F16, half_of(b, part_b, neg_b, abs_b), 6 | is_signed, nan_zero, round,
                      flush);
}

static inline u64 double_to_integer(u64 b, u32 neg_b, u32 abs_b, u32 type, u32 nan_zero, u32 round,
                                    u32 flush) {
    return to_integer(FH_F64, float_source(FH_F64, b, neg_b, abs_b), type, nan_zero, round, flush);
}

/* F2IP: the byte of a above that of b, both below c. */
static inline u32 pack_floats(u32 a, u32 b, u32 c, u32 is_signed, u32 nan_zero, u32 positive,
                              u32 round) {
    enum { S32 = 5 };
    u32 high = float_to_integer(a, 0, 0, S32, nan_zero, round, 0);
    u32 low = float_to_integer(b, 0, 0, S32, nan_zero, round, 0);
    high = positive && (i32)high < 0 ? 0 : high;
    low = positive && (i32)low < 0 ? 0 : low;
    return pack_saturated(high, low, c, 8, is_signed);
}

/* I2F: an integer of `bits` bits, number `part` of the register. */
static inline u64 from_integer(u32 format, u32 b, u32 part, u32 bits, u32 is_signed, u32 round) {
    const u32 x = extend_bits(b >> bits * part, bits, is_signed);
    return fh_float_from_int(format, is_signed ? (u64)(i64)(i32)x : x, is_signed, round);
}

static inline u32 integer_to_float(u32 b, u32 part, u32 bits, u32 is_signed, u32 to, u32 round) {
    return (u32)from_integer(float_format(to), b, part, bits, is_signed, round);
}

static inline u64 integer_to_double(u32 b, u32 part, u32 bits, u32 is_signed, u32 round) {
    return from_integer(FH_F64, b, part, bits, is_signed, round);
}

static inline u64 long_to_float(u64 b, u32 is_signed, u32 to, u32 round) {
    return fh_float_from_int(float_format(to), b, is_signed, round);
}

static inline u32 float_integral(u32 b, u32 neg_b, u32 abs_b, u32 round, u32 flush) {
    return (u32)fh_float_integral(FH_F32, float_source(FH_F32, b, neg_b, abs_b),
                                  float_how(round, flush, 0));
}

static inline u32 half_integral(u32 b, u32 part_b, u32 neg_b, u32 abs_b, u32 round, u32 flush) {
    return (u32)fh_float_integral(FH_F16, half_of(b, part_b, neg_b, abs_b),
                                  float_how(round, flush, 0));
}

static inline u64 double_integral(u64 b, u32 neg_b, u32 abs_b, u32 round, u32 flush) {
    return fh_float_integral(FH_F64, float_source(FH_F64, b, neg_b, abs_b),
                             float_how(round, flush, 0));
}

static inline u64 float_to_double(u32 b, u32 neg_b, u32 abs_b, u32 round, u32 flush) {
    return fh_float_convert(FH_F64, FH_F32, float_source(FH_F32, b, neg_b, abs_b),
                            float_how(round, flush, 0));
}

static inline u32 double_to_float(u64 b, u32 neg_b, u32 abs_b, u32 round, u32 flush) {
    return (u32)fh_float_convert(FH_F32, FH_F64, float_source(FH_F64, b, neg_b, abs_b),
                                 float_how(round, flush, 0));
}

static inline u32 double_to_half(u64 b, u32 neg_b, u32 abs_b, u32 round) {
    return (u32)fh_float_convert(FH_F16, FH_F64, float_source(FH_F64, b, neg_b, abs_b), round);
}

static inline u64 half_to_double(u32 b, u32 part_b, u32 neg_b, u32 abs_b, u32 round) {
    return fh_float_convert(FH_F64, FH_F16, half_of(b, part_b, neg_b, abs_b), round);
}

static inline u32 half_to_float(u32 b, u32 part_b, u32 neg_b, u32 abs_b, u32 round) {
    return (u32)fh_float_convert(FH_F32, FH_F16, half_of(b, part_b, neg_b, abs_b), round);
}

/* To a 16-bit format; .FTZ is about the source. */
static inline u32 narrowed_float(u32 format, u32 b, u32 neg_b, u32 abs_b, u32 round, u32 flush) {
    u64 x = float_source(FH_F32, b, neg_b, abs_b);
    if (flush)
        x = fh_float_convert(FH_F32, FH_F32, x, FH_FTZ);
    return (u32)fh_float_convert(format, FH_F32, x, round);
}

static inline u32 float_to_half(u32 b, u32 neg_b, u32 abs_b, u32 round, u32 flush) {
    return narrowed_float(FH_F16, b, neg_b, abs_b, round, flush);
}

static inline u32 float_to_bfloat(u32 b, u32 neg_b, u32 abs_b, u32 round, u32 flush) {
    return narrowed_float(FH_BF16, b, neg_b, abs_b, round, flush);
}

/* F2FP: the half that a gives above that of b; that of b below the upper one of c. */
static inline u32 pack_halves(u32 bf16, u32 a, u32 neg_a, u32 abs_a, u32 b, u32 neg_b, u32 abs_b,
                              u32 relu, u32 round) {
    const u32 to = bf16 ? FH_BF16 : FH_F16;
    const u32 high = half_convert(to, float_source(FH_F32, a, neg_a, abs_a), relu, round);
    return high << 16 | half_convert(to, float_source(FH_F32, b, neg_b, abs_b), relu, round);
}

static inline u32 merge_half(u32 bf16, u32 b, u32 neg_b, u32 abs_b, u32 c, u32 relu, u32 round) {
    const u32 to = bf16 ? FH_BF16 : FH_F16;
    return (c & 0xffff0000) | half_convert(to, float_source(FH_F32, b, neg_b, abs_b), relu, round);
}

/* MUFU, enum fh_special. */
static inline u32 special(u32 function, u32 b, u32 neg_b, u32 abs_b) {
    return fh_float_special(function, (u32)float_source(FH_F32, b, neg_b, abs_b));
}

/* That of the half's value, rounded to a half. */
static inline u32 special_of_half(u32 function, u32 b, u32 part_b, u32 neg_b, u32 abs_b) {
    const u64 x = fh_float_convert(FH_F32, FH_F16, half_of(b, part_b, neg_b, abs_b), 0);
    return (u32)fh_float_convert(FH_F16, FH_F32, fh_float_special(function, (u32)x), 0);
}

#endif

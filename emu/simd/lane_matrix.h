/*
 * lane_matrix.h - the sums of the matrix units of floating point, for the bodies of HMMA. Silicon's
 * are not documented; these are what measurements of an A100 show (Fasi, Higham, Mikaitis, Pranesh,
 * "Numerical behavior of NVIDIA tensor cores", PeerJ Computer Science 7:e330, 2021): products are
 * exact, the terms of a block are aligned to the largest and cut, and the sum is cut, not rounded.
 */
#ifndef FH_LANE_MATRIX_H
#define FH_LANE_MATRIX_H

#include "lane.h"

/* Products that are added in one step. */
#define FH_MOST_PRODUCTS 8
/* Bits behind the point of the term with the largest exponent: an F32's, and one. */
#define FH_SUM_BITS 24

/* Elements of a format as F32 of the same values, in their places; of F32 itself only the upper 19
 * bits count, as in TF32. */
static inline void widen(u32 format, u32 *elements, u32 count) {
    for (u32 i = 0; i < count; i++)
        switch (format) {
        case FH_BF16: elements[i] <<= 16; break;
        case FH_F32: elements[i] &= 0xffffe000; break;
        default: elements[i] = (u32)fh_float_convert(FH_F32, FH_F16, elements[i], 0);
        }
}

/* significand * 2^(exponent - 127 - 23); of subnormal numbers the exponent is 1. */
struct fh_unpacked {
    i32 exponent;
    u32 significand; /* below 2^24 */
};
static inline struct fh_unpacked fh_unpack(u32 x) {
    const i32 exponent = (i32)(x >> 23 & 255);
    const u32 fraction = x & 0x7fffff;
    return exponent ? (struct fh_unpacked){exponent, fraction | 1U << 23}
                    : (struct fh_unpacked){1, fraction};
}

/* What an infinity or a NaN makes of sum + x[0] * y[0] + x[1] * y[stride] + ...; 0 if there is
 * none: the sum is a number. */
static inline u32 fh_special_sum(u32 sum, const u32 *x, const u32 *y, u32 stride, u32 count) {
    const u32 inf = 0x7f800000, nan = 0x7fffffff;
    bool infinite[2] = {false, false}; /* [1]: negative */
    for (u32 i = 0; i <= count; i++) {
        const u32 p = i < count ? x[i] : sum, q = i < count ? y[i * stride] : 0x3f800000;
        const u32 a = p & nan, b = q & nan;
        if (a < inf && b < inf)
            continue;
        if (a > inf || b > inf || !a || !b)
            return nan;
        infinite[(p ^ q) >> 31] = true;
    }
    return infinite[0] && infinite[1] ? nan : infinite[1] ? 1U << 31 | inf : infinite[0] ? inf : 0;
}

/* An F32 of a sum in units of 2^(exponent - 127 - FH_SUM_BITS), cut; beyond its range infinite. */
static inline u32 fh_pack_cut(i64 sum, i32 exponent) {
    const u32 sign = sum < 0 ? 1U << 31 : 0;
    u64 magnitude = (u64)(sum < 0 ? -sum : sum);
    if (!magnitude)
        return 0;
    const i32 top = 63 - __builtin_clzll(magnitude);
    i32 result = exponent + top - FH_SUM_BITS; /* with the leading one before the point */
    i32 shift = top - 23;
    if (result < 1) {
        shift += 1 - result;
        result = 1;
    }
    if (result > 254)
        return sign | 0x7f800000;
    magnitude = shift > 63 ? 0 : shift >= 0 ? magnitude >> shift : magnitude << -shift;
    return sign | (u32)(magnitude >> 23 ? (u32)result << 23 : 0) | (magnitude & 0x7fffff);
}

/* sum + x[0] * y[0] + x[1] * y[stride] + ... of F32, `count` products, whose factors have
 * significands of at most 11 bits. Each term is cut where the largest one's exponent says, so is
 * the sum. */
static inline u32 fh_add_step(u32 sum, const u32 *x, const u32 *y, u32 stride, u32 count) {
    i32 exponents[FH_MOST_PRODUCTS + 1], largest = -1000;
    i64 terms[FH_MOST_PRODUCTS + 1], total = 0; /* with FH_SUM_BITS bits behind the point */
    u32 signs[FH_MOST_PRODUCTS + 1], negative = 1;
    const u32 special = fh_special_sum(sum, x, y, stride, count);
    if (special)
        return special;
    for (u32 i = 0; i < count; i++) {
        const struct fh_unpacked a = fh_unpack(x[i]), b = fh_unpack(y[i * stride]);
        exponents[i] = a.exponent + b.exponent - 127;
        terms[i] = (i64)(a.significand >> 13) * (b.significand >> 13) << (FH_SUM_BITS - 20);
        signs[i] = (x[i] ^ y[i * stride]) >> 31;
    }
    exponents[count] = fh_unpack(sum).exponent;
    terms[count] = (i64)fh_unpack(sum).significand << (FH_SUM_BITS - 23);
    signs[count] = sum >> 31;
    for (u32 i = 0; i <= count; i++) {
        negative &= signs[i];
        if (terms[i] && exponents[i] > largest)
            largest = exponents[i];
    }
    if (largest == -1000)
        return negative << 31; /* only zeros: -0 if all of them are */
    for (u32 i = 0; i <= count; i++) {
        const i32 shift = largest - exponents[i];
        const i64 term = shift > 63 ? 0 : terms[i] >> (shift > 0 ? shift : 0);
        total += signs[i] ? -term : term;
    }
    return fh_pack_cut(total, largest);
}

/* c + x[0] * y[0] + x[1] * y[stride] + ..., `block` of `count` products in each step. c and the
 * result are F32, or F16 if not `single`, which is rounded to nearest at the end. */
static inline u32 add_products(u32 single, u32 c, u32 block, u32 count, const u32 *x, const u32 *y,
                               u32 stride) {
    u32 sum = single ? c : (u32)fh_float_convert(FH_F32, FH_F16, c, 0);
    for (u32 k = 0; k < count; k += block)
        sum = fh_add_step(sum, x + k, y + k * stride, stride, block);
    return single ? sum : (u32)fh_float_convert(FH_F16, FH_F32, sum, FH_ROUND_NEAREST);
}

#endif

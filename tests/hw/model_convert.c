/*
 * model_convert.c - what the rows of convert.def should give.
 */
#include "model_float.h"

#define ROW(name, value)                                                                           \
    HW_MODEL(name);                                                                                \
    HW_MODEL(name) {                                                                               \
        u64 x = w->x[0][lane];                                                                     \
        return (u64)(value);                                                                       \
    }

/* ---------------------------------------------------------------- from integers */

enum { U32, S32, U64, S64 };

__attribute__((noinline)) static u64 to_float(u64 x, int type, int mode) {
    volatile float r = 0;
    volatile u64 u = x;
    volatile s64 s = type == S32 ? (s32)x : (s64)x;
    volatile u32 narrow = (u32)x;
    int before = enter(mode);
    r = type == U32 ? (float)narrow : type == U64 ? (float)u : (float)s;
    fesetround(before);
    return of_float(x ? r : 0);
}
__attribute__((noinline)) static u64 to_double(u64 x, int type, int mode) {
    volatile double r = 0;
    volatile u64 u = x;
    volatile s64 s = type == S32 ? (s32)x : (s64)x;
    volatile u32 narrow = (u32)x;
    int before = enter(mode);
    r = type == U32 ? (double)narrow : type == U64 ? (double)u : (double)s;
    fesetround(before);
    return of_double(x ? r : 0); /* some compilers' conversion of 0 rounds to -0 */
}

#define FROM(suffix, mode)                                                                         \
    ROW(u32_to_f32_##suffix, to_float(x, U32, mode))                                               \
    ROW(s32_to_f32_##suffix, to_float(x, S32, mode))                                               \
    ROW(u64_to_f32_##suffix, to_float(x, U64, mode))                                               \
    ROW(s64_to_f32_##suffix, to_float(x, S64, mode))                                               \
    ROW(u64_to_f64_##suffix, to_double(x, U64, mode))                                              \
    ROW(s64_to_f64_##suffix, to_double(x, S64, mode))
FROM(rn, FE_TONEAREST)
FROM(rz, FE_TOWARDZERO)
FROM(rm, FE_DOWNWARD)
FROM(rp, FE_UPWARD)
ROW(u32_to_f64_rn, of_double((double)(u32)x))
ROW(s32_to_f64_rn, of_double((double)(s32)x))
ROW(u8_to_f32, of_float((float)(uint8_t)x))
ROW(s8_to_f32, of_float((float)(int8_t)x))
ROW(u16_to_f32, of_float((float)(uint16_t)x))
ROW(s16_to_f32, of_float((float)(int16_t)x))

/* A half is `value` times 2^-24; infinities and NaN apart. */
static float half_as_float(u32 half) {
    if ((half & 0x7c00) != 0x7c00)
        return copysignf(ldexpf((float)hw_half_value(half), -24), half & 0x8000 ? -1.0f : 1.0f);
    return half & 1023 ? NAN : half & 0x8000 ? -INFINITY : INFINITY;
}
ROW(f16_to_f32, of_float(half_as_float((u32)x & 0xffff)))

/* ---------------------------------------------------------------- to integers */

static double integral(double x, int mode) {
    switch (mode) {
    case FE_DOWNWARD: return floor(x);
    case FE_UPWARD: return ceil(x);
    case FE_TOWARDZERO: return trunc(x);
    default: return rint(x);
    }
}

/* What fits, or the nearest that does; `nan` for a NaN. Bits above `bits` are the sign. */
static u64 to_integer(double x, int mode, unsigned bits, bool is_signed, u64 nan) {
    if (isnan(x))
        return nan;
    double r = integral(x, mode), top = ldexp(1, (int)bits - (is_signed ? 1 : 0));
    u64 highest = is_signed ? ((u64)1 << (bits - 1)) - 1 : UINT64_MAX >> (64 - bits);
    if (r >= top)
        return highest;
    if (is_signed)
        return r < -top ? ~highest : (u64)(s64)r;
    return r < 0 ? 0 : (u64)r;
}
/* NaN becomes 0 where a float goes to an integer as wide or narrower, and the integer with its top
 * bit alone in the other cases. */
static u64 to_32(double x, int mode, bool is_signed, bool is_double) {
    return (u32)to_integer(x, mode, 32, is_signed, is_double ? (u64)1 << 31 : 0);
}
static u64 to_64(double x, int mode, bool is_signed) {
    return to_integer(x, mode, 64, is_signed, (u64)1 << 63);
}

ROW(f16_to_s32, to_32((double)half_as_float((u32)x & 0xffff), FE_TONEAREST, true, false))

#define FROM_SINGLE(suffix, mode)                                                                  \
    ROW(f32_##suffix, of_float((float)integral((double)float_of(x), mode)))                        \
    ROW(f32_to_u32_##suffix, to_32((double)float_of(x), mode, false, false))                       \
    ROW(f32_to_s32_##suffix, to_32((double)float_of(x), mode, true, false))                        \
    ROW(f32_to_u64_##suffix, to_64((double)float_of(x), mode, false))                              \
    ROW(f32_to_s64_##suffix, to_64((double)float_of(x), mode, true))
#define FROM_TWICE(suffix, mode)                                                                   \
    ROW(f64_##suffix, of_double(integral(double_of(x), mode)))                                     \
    ROW(f64_to_u32_##suffix, to_32(double_of(x), mode, false, true))                               \
    ROW(f64_to_s32_##suffix, to_32(double_of(x), mode, true, true))                                \
    ROW(f64_to_u64_##suffix, to_64(double_of(x), mode, false))                                     \
    ROW(f64_to_s64_##suffix, to_64(double_of(x), mode, true))
FROM_SINGLE(rni, FE_TONEAREST)
FROM_SINGLE(rzi, FE_TOWARDZERO)
FROM_SINGLE(rmi, FE_DOWNWARD)
FROM_SINGLE(rpi, FE_UPWARD)
FROM_TWICE(rni, FE_TONEAREST)
FROM_TWICE(rzi, FE_TOWARDZERO)
FROM_TWICE(rmi, FE_DOWNWARD)
FROM_TWICE(rpi, FE_UPWARD)
ROW(f32_to_s32_ftz, to_32((double)flushed(float_of(x)), FE_UPWARD, true, false))
ROW(f32_to_u8_sat, (u32)to_integer((double)float_of(x), FE_TOWARDZERO, 8, false, 0))
ROW(f32_to_s8_sat, (u32)to_integer((double)float_of(x), FE_TONEAREST, 8, true, 0))
ROW(f32_to_s16, (u32)to_integer((double)float_of(x), FE_TONEAREST, 16, true, 0))
ROW(f32_to_u16, (u32)to_integer((double)float_of(x), FE_TOWARDZERO, 16, false, 0))

/* ---------------------------------------------------------------- among floats */

ROW(f32_to_f64, of_double((double)float_of(x)))

__attribute__((noinline)) static u64 narrowed(u64 x, int mode) {
    volatile double in = double_of(x);
    volatile float r = 0;
    int before = enter(mode);
    r = (float)in;
    fesetround(before);
    return of_float(r);
}
ROW(f64_to_f32_rn, narrowed(x, FE_TONEAREST))
ROW(f64_to_f32_rz, narrowed(x, FE_TOWARDZERO))
ROW(f64_to_f32_rm, narrowed(x, FE_DOWNWARD))
ROW(f64_to_f32_rp, narrowed(x, FE_UPWARD))

static u32 half_from(u64 bits, bool truncate) {
    float x = float_of(bits);
    if (isnan(x))
        return 0x7fff;
    u32 sign = signbit(x) ? 0x8000 : 0;
    if (isinf(x) || fabsf(x) >= 131072)
        return sign | (isinf(x) || !truncate ? 0x7c00 : 0x7bff);
    double scaled = ldexp((double)x, 48); /* below 2^65; what is left of it only breaks ties */
    __int128 m = (__int128)fabs(scaled);
    if ((double)m != fabs(scaled))
        m |= 1;
    return hw_half_of(sign ? -m : m, sign != 0, truncate);
}
ROW(f32_to_f16_rn, half_from(x, false))
ROW(f32_to_f16_rz, half_from(x, true))
ROW(f32_to_f16x2, half_from(x, false) << 16 | half_from(w->x[1][lane], false))

HW_MODEL(f32_to_bf16);
HW_MODEL(f32_to_bf16) {
    u32 x = (u32)w->x[0][lane];
    if ((x & 0x7fffffff) > 0x7f800000)
        return 0x7fff;
    return (x + 0x7fff + (x >> 16 & 1)) >> 16;
}

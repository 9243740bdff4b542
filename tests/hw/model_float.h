/*
 * model_float.h - floating point for the model: the host's own arithmetic in the four rounding
 * modes, with what NVIDIA's differs in: one NaN, flushing, saturating.
 */
#ifndef FHEC_HW_MODEL_FLOAT_H
#define FHEC_HW_MODEL_FLOAT_H

#include <fenv.h>
#include <math.h>
#include <string.h>

#include "hw.h"

typedef uint32_t u32;
typedef uint64_t u64;
typedef int32_t s32;
typedef int64_t s64;

enum { NAN32 = 0x7fffffff };
#define NAN64 UINT64_C(0xfff8000000000000)

static inline float float_of(u64 bits) {
    u32 low = (u32)bits;
    float x;
    memcpy(&x, &low, sizeof x);
    return x;
}
static inline double double_of(u64 bits) {
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}
static inline u64 of_float(float x) {
    u32 bits;
    memcpy(&bits, &x, sizeof bits);
    return isnan(x) ? NAN32 : bits;
}
static inline u64 of_double(double x) {
    u64 bits;
    memcpy(&bits, &x, sizeof bits);
    return isnan(x) ? NAN64 : bits;
}
/* Subnormal numbers become zeros of their sign. */
static inline float flushed(float x) {
    return fpclassify(x) == FP_SUBNORMAL ? copysignf(0, x) : x;
}
/* [0, 1], NaN and -0 giving +0. */
static inline float saturated(float x) {
    return x > 1 ? 1.0f : x > 0 ? x : 0.0f;
}

/* The host's rounding mode while an expression is computed, whose operands must be volatile so that
 * nothing of it is computed elsewhere. */
static inline int enter(int mode) {
    int before = fegetround();
    fesetround(mode);
    return before;
}

/* A number that is `m` times 2^-48, exactly, as the bits of a half, rounded to nearest even or, if
 * `truncate`, to zero; `minus` is the sign of a zero. In model_half.c. */
u32 hw_half_of(__int128 m, bool minus, bool truncate);
/* The sums of two pairs of halves, rounded to nearest even. */
u32 hw_add_halves(u32 a, u32 b);
/* A finite half, times 2^24. */
s64 hw_half_value(u32 half);

#endif

/*
 * model_float.c - what the rows of float.def should give, halves apart.
 */
#include "model_float.h"

enum operation { ADD, SUB, MUL, FMA, DIV, SQRT };
enum { FTZ = 1, SAT = 2 };

__attribute__((noinline)) static u64 single(const struct hw_warp *w, unsigned lane,
                                            enum operation op, int mode, int flags) {
    volatile float x[3];
    for (int k = 0; k < 3; k++) {
        float operand = float_of(w->x[k][lane]);
        x[k] = flags & FTZ ? flushed(operand) : operand;
    }
    volatile float r = 0;
    int before = enter(mode);
    switch (op) {
    case ADD: r = x[0] + x[1]; break;
    case SUB: r = x[0] - x[1]; break;
    case MUL: r = x[0] * x[1]; break;
    case FMA: r = fmaf(x[0], x[1], x[2]); break;
    case DIV: r = x[0] / x[1]; break;
    case SQRT: r = sqrtf(x[0]); break;
    }
    fesetround(before);
    float result = flags & SAT ? saturated(r) : r;
    return of_float(flags & FTZ ? flushed(result) : result);
}

__attribute__((noinline)) static u64 twice(const struct hw_warp *w, unsigned lane,
                                           enum operation op, int mode) {
    volatile double x[3];
    for (int k = 0; k < 3; k++)
        x[k] = double_of(w->x[k][lane]);
    volatile double r = 0;
    int before = enter(mode);
    switch (op) {
    case ADD: r = x[0] + x[1]; break;
    case SUB: r = x[0] - x[1]; break;
    case MUL: r = x[0] * x[1]; break;
    case FMA: r = fma(x[0], x[1], x[2]); break;
    case DIV: r = x[0] / x[1]; break;
    case SQRT: r = sqrt(x[0]); break;
    }
    fesetround(before);
    return of_double(r);
}

#define ROW(name, value)                                                                           \
    HW_MODEL(name);                                                                                \
    HW_MODEL(name) {                                                                               \
        float a = float_of(w->x[0][lane]), b = float_of(w->x[1][lane]);                            \
        (void)a, (void)b;                                                                          \
        return (u64)(value);                                                                       \
    }
#define ROW64(name, value)                                                                         \
    HW_MODEL(name);                                                                                \
    HW_MODEL(name) {                                                                               \
        double a = double_of(w->x[0][lane]), b = double_of(w->x[1][lane]);                         \
        (void)a, (void)b;                                                                          \
        return (u64)(value);                                                                       \
    }
#define ROUNDED(name, op)                                                                          \
    ROW(name##_rn, single(w, lane, op, FE_TONEAREST, 0))                                           \
    ROW(name##_rz, single(w, lane, op, FE_TOWARDZERO, 0))                                          \
    ROW(name##_rm, single(w, lane, op, FE_DOWNWARD, 0))                                            \
    ROW(name##_rp, single(w, lane, op, FE_UPWARD, 0))
#define FLAGGED(name, op)                                                                          \
    ROW(name##_ftz, single(w, lane, op, FE_TONEAREST, FTZ))                                        \
    ROW(name##_rz_ftz, single(w, lane, op, FE_TOWARDZERO, FTZ))                                    \
    ROW(name##_sat, single(w, lane, op, FE_TONEAREST, SAT))                                        \
    ROW(name##_ftz_sat, single(w, lane, op, FE_TONEAREST, FTZ | SAT))
#define ROUNDED64(name, op)                                                                        \
    ROW64(name##_rn, twice(w, lane, op, FE_TONEAREST))                                             \
    ROW64(name##_rz, twice(w, lane, op, FE_TOWARDZERO))                                            \
    ROW64(name##_rm, twice(w, lane, op, FE_DOWNWARD))                                              \
    ROW64(name##_rp, twice(w, lane, op, FE_UPWARD))

ROUNDED(add, ADD)
FLAGGED(add, ADD)
ROUNDED(sub, SUB)
FLAGGED(sub, SUB)
ROUNDED(mul, MUL)
FLAGGED(mul, MUL)
ROUNDED(fma, FMA)
FLAGGED(fma, FMA)
ROUNDED(div, DIV)
ROUNDED(sqrt, SQRT)
ROW(div_ftz, single(w, lane, DIV, FE_TONEAREST, FTZ))

/* 1 / a, a in the place of the divisor. */
static u64 reciprocal(const struct hw_warp *w, unsigned lane, int mode) {
    struct hw_warp one = *w;
    one.x[0][lane] = 0x3f800000;
    one.x[1][lane] = w->x[0][lane];
    return single(&one, lane, DIV, mode, 0);
}
ROW(rcp_rn, reciprocal(w, lane, FE_TONEAREST))
ROW(rcp_rz, reciprocal(w, lane, FE_TOWARDZERO))
ROW(rcp_rm, reciprocal(w, lane, FE_DOWNWARD))
ROW(rcp_rp, reciprocal(w, lane, FE_UPWARD))

/* A NaN is the other one's loss; -0 is below +0. */
static double least(double a, double b) {
    if (isnan(a) || isnan(b))
        return isnan(a) ? b : a;
    return a < b || (a == b && signbit(a)) ? a : b;
}
static double most(double a, double b) {
    return -least(-a, -b);
}
ROW(min, of_float((float)least(a, b)))
ROW(max, of_float((float)most(a, b)))
ROW(min_nan, isnan(a) || isnan(b) ? NAN32 : of_float((float)least(a, b)))
ROW(max_ftz, of_float((float)most(flushed(a), flushed(b))))
ROW(copysign, ((u32)w->x[1][lane] & 0x7fffffff) | ((u32)w->x[0][lane] & 0x80000000))

/* The functions of MUFU: the double, rounded; within their rows' bounds of what silicon gives. */
static float in_range(const struct hw_warp *w, unsigned lane) {
    return float_of(w->x[0][lane] & 0xbfffffff);
}
ROW(rcp_approx, of_float(flushed((float)(1 / (double)flushed(a)))))
ROW(rsqrt_approx, of_float(flushed((float)(1 / sqrt((double)flushed(a))))))
ROW(sqrt_approx, of_float(flushed((float)sqrt((double)flushed(a)))))
ROW(lg2_approx, of_float(flushed((float)log2((double)flushed(a)))))
ROW(ex2_approx, of_float(flushed((float)exp2((double)flushed(a)))))
ROW(sin_approx, of_float(flushed((float)sin((double)flushed(in_range(w, lane))))))
ROW(cos_approx, of_float(flushed((float)cos((double)flushed(in_range(w, lane))))))
ROW(tanh_approx, of_float((float)tanh((double)in_range(w, lane))))

#define COMPARISONS(ROW, prefix)                                                                   \
    ROW(prefix##_eq, a == b)                                                                       \
    ROW(prefix##_ne, a<b || a> b)                                                                  \
    ROW(prefix##_lt, a < b)                                                                        \
    ROW(prefix##_le, a <= b)                                                                       \
    ROW(prefix##_gt, a > b)                                                                        \
    ROW(prefix##_ge, a >= b)                                                                       \
    ROW(prefix##_equ, !(a < b) && !(a > b))                                                        \
    ROW(prefix##_neu, !(a == b))                                                                   \
    ROW(prefix##_ltu, !(a >= b))                                                                   \
    ROW(prefix##_leu, !(a > b))                                                                    \
    ROW(prefix##_gtu, !(a <= b))                                                                   \
    ROW(prefix##_geu, !(a < b))                                                                    \
    ROW(prefix##_num, !isnan(a) && !isnan(b))                                                      \
    ROW(prefix##_nan, isnan(a) || isnan(b))
COMPARISONS(ROW, setp)
ROW(setp_lt_ftz, flushed(a) < flushed(b))
ROW(set_gtu, !(a <= b) ? UINT32_MAX : 0)
ROW(testp_subnormal, fpclassify(a) == FP_SUBNORMAL)

ROUNDED64(add64, ADD)
ROUNDED64(sub64, SUB)
ROUNDED64(mul64, MUL)
ROUNDED64(fma64, FMA)
ROW64(div64, twice(w, lane, DIV, FE_TONEAREST))
ROW64(rcp64, of_double(1 / a))
ROW64(sqrt64, twice(w, lane, SQRT, FE_TONEAREST))
ROW64(min64, of_double(least(a, b)))
ROW64(max64, of_double(most(a, b)))
COMPARISONS(ROW64, setp64)

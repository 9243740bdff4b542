/*
 * real.cu - floating point as libraries use it: FFT butterflies, torus elements to and from doubles,
 * conversions with their rounding, divisions and roots. Every operation rounds once and is written
 * out, so that plain C gives the same bits. A result that is no number is written as one pattern.
 */
#include "cuda.h"

#ifndef __CUDACC__
#include <math.h>
#include <string.h>
#endif

DEVICE u64 pattern64(double x) {
    u64 r;
    memcpy(&r, &x, 8);
    return x == x ? r : 0x7ff8000000000000;
}
DEVICE u32 pattern32(float x) {
    u32 r;
    memcpy(&r, &x, 4);
    return x == x ? r : 0x7fc00000;
}
DEVICE double as64(u64 x) {
    double r;
    memcpy(&r, &x, 8);
    return r;
}
DEVICE float as32(u32 x) {
    float r;
    memcpy(&r, &x, 4);
    return r;
}

/* in: a, b, c as doubles' bits. */
KERNEL(arithmetic64, u64, u64) {
    u32 i = THREAD_INDEX;
    if (i >= n)
        return;
    double a = as64(in[3 * i]), b = as64(in[3 * i + 1]), c = as64(in[3 * i + 2]);
    u64 *o = out + 12 * i;
    o[0] = pattern64(__dadd_rn(a, b));
    o[1] = pattern64(__dsub_rn(a, c));
    o[2] = pattern64(__dmul_rn(a, b));
    o[3] = pattern64(__fma_rn(a, b, c));
    o[4] = pattern64(__fma_rn(-a, b, __dmul_rn(c, c)));
    o[5] = pattern64(a / b);
    o[6] = pattern64(sqrt(fabs(a)));
    o[7] = pattern64(floor(a));
    o[8] = pattern64(rint(b));
    o[9] = pattern64(trunc(c));
    o[10] = pattern64(a < b ? a : b) ^ pattern64(a >= c ? -b : c);
    o[11] = (u64)(a < b) | (u64)(a == c) << 1 | (u64)(a != a) << 2 | (u64)(b <= c) << 3 |
            (u64)(fabs(a) > fabs(c)) << 4 | s << 8;
}

/* Torus elements: 64 bits as a double, a double's fraction as 64 bits, and digits. */
KERNEL(torus, u64, u64) {
    u32 i = THREAD_INDEX;
    if (i >= n)
        return;
    u64 x = in[i], *o = out + 6 * i;
    double all = 18446744073709551616.0, y = (double)x, z = (double)(s64)x;
    o[0] = pattern64(__dmul_rn(y, 1.0 / all));
    o[1] = pattern64(__dadd_rn(z, (double)(s32)s));
    double f = __dadd_rn(__dmul_rn(y, 0.000030517578125 / all), 0.75);
    f = __dmul_rn(f - floor(f), all);
    o[2] = f >= all ? 0 : (u64)f;
    o[3] = (u64)(s64)rint(__dmul_rn(z, 0x1p-20));
    u64 state = x >> 40, digits = 0;
    for (u32 k = 0; k < 3; k++) {
        u64 digit = state & 255, carry;
        state >>= 8;
        carry = ((digit - 1) | state) & digit;
        carry >>= 7;
        state += carry;
        digit -= carry << 8;
        digits = digits << 16 ^ (digit & 0xffff);
    }
    o[4] = digits;
    o[5] = (u64)round(__dmul_rn(y, 2048.0 / all));
}

/* One butterfly with its twiddle, and back: (ar, ai, br, bi, wr, wi). */
KERNEL(butterfly, u64, s32) {
    u32 i = THREAD_INDEX;
    if (i >= n)
        return;
    const s32 *v = in + 6 * i;
    double ar = v[0], ai = v[1], br = v[2], bi = v[3], wr = v[4] * 0x1p-31, wi = v[5] * 0x1p-31;
    double tr = __fma_rn(br, wr, -__dmul_rn(bi, wi)), ti = __fma_rn(br, wi, __dmul_rn(bi, wr));
    double ur = __dadd_rn(ar, tr), ui = __dadd_rn(ai, ti);
    double vr = __dsub_rn(ar, tr), vi = __dsub_rn(ai, ti);
    double dr = __dsub_rn(ur, vr), di = __dsub_rn(ui, vi);
    u64 *o = out + 6 * i;
    o[0] = pattern64(ur);
    o[1] = pattern64(ui);
    o[2] = pattern64(vr);
    o[3] = pattern64(vi);
    o[4] = pattern64(__fma_rn(dr, wr, __dmul_rn(di, wi)) / 2.0);
    o[5] = pattern64(__fma_rn(di, wr, -__dmul_rn(dr, wi)) / (double)(u32)(s | 1));
}

/* in: a, b, c as floats' bits. */
KERNEL(arithmetic32, u32, u32) {
    u32 i = THREAD_INDEX;
    if (i >= n)
        return;
    float a = as32(in[3 * i]), b = as32(in[3 * i + 1]), c = as32(in[3 * i + 2]);
    u32 *o = out + 12 * i;
    o[0] = pattern32(__fadd_rn(a, b));
    o[1] = pattern32(__fmul_rn(a, c));
    o[2] = pattern32(__fmaf_rn(a, b, c));
    o[3] = pattern32(a / b);
    o[4] = pattern32(sqrtf(fabsf(c)));
    o[5] = pattern32(floorf(a)) ^ pattern32(ceilf(b));
    o[6] = pattern32(rintf(c)) + pattern32(truncf(a));
    o[7] = pattern32((float)(s32)in[3 * i]) ^ pattern32((float)in[3 * i + 1]);
    o[8] = pattern32((float)((double)a * 0.5));
    o[9] = (u32)(a < b) | (u32)(b == c) << 1 | (u32)(c != c) << 2 | (u32)(a >= c) << 3;
    o[10] = fabsf(a) < 1e9f ? (u32)(s32)a : (u32)s;
    o[11] = b >= 0 && b < 4e9f ? (u32)b : 7;
}

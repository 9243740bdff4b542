/*
 * divide.cu - quotients and remainders, which compilers make of conversions and a reciprocal, of
 * calls, or, for constants, of multiplications. No divisor is 0.
 */
#include "cuda.h"

/* in: pairs. */
KERNEL(divide_u32, u32, u32) {
    u32 i = THREAD_INDEX;
    if (i >= n)
        return;
    u32 a = in[2 * i], b = in[2 * i + 1];
    out[2 * i] = a / b;
    out[2 * i + 1] = a % b + (u32)s;
}

KERNEL(divide_s32, s32, s32) {
    u32 i = THREAD_INDEX;
    if (i >= n)
        return;
    s32 a = in[2 * i], b = in[2 * i + 1];
    out[2 * i] = a / b;
    out[2 * i + 1] = (s32)((u32)(a % b) + (u32)s);
}

KERNEL(divide_u64, u64, u64) {
    u32 i = THREAD_INDEX;
    if (i >= n)
        return;
    u64 a = in[2 * i], b = in[2 * i + 1];
    out[2 * i] = a / b;
    out[2 * i + 1] = a % b + s;
}

KERNEL(divide_s64, s64, s64) {
    u32 i = THREAD_INDEX;
    if (i >= n)
        return;
    s64 a = in[2 * i], b = in[2 * i + 1];
    out[2 * i] = a / b;
    out[2 * i + 1] = (s64)((u64)(a % b) + s);
}

/* Narrow types, widened. */
KERNEL(divide_narrow, u32, u16) {
    u32 i = THREAD_INDEX;
    if (i >= n)
        return;
    u16 a = in[2 * i], b = in[2 * i + 1];
    s16 c = (s16)a, d = (s16)b;
    u8 e = (u8)(a >> 8), f = (u8)(b | 1);
    out[3 * i] = (u32)(a / b) << 16 | (u32)(a % b);
    out[3 * i + 1] = (u32)(c / d) ^ (u32)(c % d) << 8;
    out[3 * i + 2] = (u32)(e / f) << 8 | (u32)(e % f) | (u32)s << 24;
}

/* Constants. */
KERNEL(divide_constant, u64, u64) {
    u32 i = THREAD_INDEX;
    if (i >= n)
        return;
    u64 a = in[i];
    u32 b = (u32)(a >> 16);
    s32 c = (s32)b;
    s64 d = (s64)a;
    out[8 * i] = a / 10;
    out[8 * i + 1] = a % 1000000007u;
    out[8 * i + 2] = b / 7;
    out[8 * i + 3] = b % 641;
    out[8 * i + 4] = (u64)(s64)(c / -3);
    out[8 * i + 5] = (u64)(s64)(c % 8);
    out[8 * i + 6] = (u64)(d / 12345);
    out[8 * i + 7] = (u64)(d % 64) + s;
}

/*
 * wide.cu - more than 64 bits: 128-bit arithmetic, carry chains, base conversion with 128-bit
 * accumulators.
 */
#include "cuda.h"

/* in: (a lo, a hi, b lo, b hi); out: sum, difference, low product, shifts by s and by b. */
KERNEL(int128, u64, u64) {
    u32 i = THREAD_INDEX;
    if (i >= n)
        return;
    u128 a = (u128)in[4 * i + 1] << 64 | in[4 * i], b = (u128)in[4 * i + 3] << 64 | in[4 * i + 2];
    u128 r[6] = {a + b, a - b, a * b, a << (s & 127), a >> (u32)(b & 127),
                 (u128)((s128)a >> (u32)(b & 127))};
    for (u32 k = 0; k < 6; k++) {
        out[14 * i + 2 * k] = (u64)r[k];
        out[14 * i + 2 * k + 1] = (u64)(r[k] >> 64);
    }
    out[14 * i + 12] = (u64)(a < b) | (u64)((s128)a < (s128)b) << 1 | (u64)(a == b) << 2;
    out[14 * i + 13] = (u64)(a % (s | 1)); /* a library routine */
}

/* Eight words plus eight words, minus eight words: carry chains. */
KERNEL(carry, u32, u32) {
    u32 i = THREAD_INDEX;
    if (i >= n)
        return;
    const u32 *a = in + 16 * i, *b = a + 8;
    u32 sum[9], less[9];
#ifdef __CUDACC__
    asm("add.cc.u32 %0, %1, %2;" : "=r"(sum[0]) : "r"(a[0]), "r"(b[0]));
#pragma unroll
    for (u32 k = 1; k < 8; k++)
        asm volatile("addc.cc.u32 %0, %1, %2;" : "=r"(sum[k]) : "r"(a[k]), "r"(b[k]));
    asm volatile("addc.u32 %0, 0, 0;" : "=r"(sum[8]));
    asm volatile("sub.cc.u32 %0, %1, %2;" : "=r"(less[0]) : "r"(a[0]), "r"(b[0]));
#pragma unroll
    for (u32 k = 1; k < 8; k++)
        asm volatile("subc.cc.u32 %0, %1, %2;" : "=r"(less[k]) : "r"(a[k]), "r"(b[k]));
    asm volatile("subc.u32 %0, 0, 0;" : "=r"(less[8]));
#else
    u64 carry = 0, borrow = 0;
    for (u32 k = 0; k < 8; k++) {
        carry += (u64)a[k] + b[k];
        sum[k] = (u32)carry;
        carry >>= 32;
        u64 d = (u64)a[k] - b[k] - borrow;
        less[k] = (u32)d;
        borrow = d >> 63;
    }
    sum[8] = (u32)carry;
    less[8] = (u32)(0 - borrow);
#endif
    for (u32 k = 0; k < 9; k++) {
        out[18 * i + k] = sum[k];
        out[18 * i + 9 + k] = less[k] + (u32)s;
    }
}

/* 256 x 256 bits by schoolbook. */
KERNEL(product256, u32, u32) {
    u32 i = THREAD_INDEX;
    if (i >= n)
        return;
    const u32 *a = in + 16 * i, *b = a + 8;
    u32 r[16] = {0};
#ifdef __CUDACC__
#pragma unroll
#endif
    for (u32 j = 0; j < 8; j++) {
        u64 carry = 0;
#ifdef __CUDACC__
#pragma unroll
#endif
        for (u32 k = 0; k < 8; k++) {
            carry += (u64)a[j] * b[k] + r[j + k];
            r[j + k] = (u32)carry;
            carry >>= 32;
        }
        r[j + 8] = (u32)carry;
    }
    for (u32 k = 0; k < 16; k++)
        out[16 * i + k] = r[k] ^ (u32)s;
}

/* Base conversion: sums of alpha = s products of 60 bits in 128-bit accumulators, reduced once by
 * 128-bit remainder. in: alpha weights, alpha moduli-sized values per thread, then q. */
KERNEL(base_conversion, u64, u64) {
    u32 i = THREAD_INDEX, alpha = (u32)s;
    if (i >= n)
        return;
    u64 q = in[0];
    u128 sum = 0;
    for (u32 j = 0; j < alpha; j++)
        sum += (u128)in[1 + j] * in[1 + alpha + j * n + i];
    out[i] = (u64)(sum % q);
}

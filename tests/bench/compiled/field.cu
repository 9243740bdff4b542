/*
 * field.cu - powers in a prime field of 255 bits (the scalars of BLS12-381), by Montgomery's
 * multiplication with eight words of 32 bits and chains of carries.
 */
#include "../../cuda/cuda.h"

enum { WORDS = 8 };

struct element {
    u32 word[WORDS];
};

__constant__ const u32 prime[WORDS] = {0x00000001, 0xffffffff, 0xfffe5bfe, 0x53bda402,
                                       0x09a1d805, 0x3339d808, 0x299d7d48, 0x73eda753};
enum : u32 { INVERSE = 0xffffffff }; /* -1 / prime modulo 2^32 */

/* sum += a b, from word 0 on, by the low halves of all products, then by the high ones. */
DEVICE void add_row(u32 sum[WORDS + 2], const u32 a[WORDS], u32 b) {
    asm volatile("mad.lo.cc.u32 %0, %1, %2, %0;" : "+r"(sum[0]) : "r"(a[0]), "r"(b));
#pragma unroll
    for (u32 i = 1; i < WORDS; i++)
        asm volatile("madc.lo.cc.u32 %0, %1, %2, %0;" : "+r"(sum[i]) : "r"(a[i]), "r"(b));
    asm volatile("addc.cc.u32 %0, %0, 0;" : "+r"(sum[WORDS]));
    asm volatile("addc.u32 %0, %0, 0;" : "+r"(sum[WORDS + 1]));
    asm volatile("mad.hi.cc.u32 %0, %1, %2, %0;" : "+r"(sum[1]) : "r"(a[0]), "r"(b));
#pragma unroll
    for (u32 i = 1; i < WORDS; i++)
        asm volatile("madc.hi.cc.u32 %0, %1, %2, %0;" : "+r"(sum[i + 1]) : "r"(a[i]), "r"(b));
    asm volatile("addc.u32 %0, %0, 0;" : "+r"(sum[WORDS + 1]));
}

DEVICE element times(const element &a, const element &b) {
    u32 sum[WORDS + 2] = {0}, p[WORDS];
#pragma unroll
    for (u32 i = 0; i < WORDS; i++)
        p[i] = prime[i];
#pragma unroll
    for (u32 i = 0; i < WORDS; i++) {
        add_row(sum, a.word, b.word[i]);
        add_row(sum, p, sum[0] * INVERSE);
#pragma unroll
        for (u32 k = 0; k <= WORDS; k++)
            sum[k] = sum[k + 1];
        sum[WORDS + 1] = 0;
    }
    element r;
    u32 borrow;
    asm volatile("sub.cc.u32 %0, %1, %2;" : "=r"(r.word[0]) : "r"(sum[0]), "r"(p[0]));
#pragma unroll
    for (u32 i = 1; i < WORDS; i++)
        asm volatile("subc.cc.u32 %0, %1, %2;" : "=r"(r.word[i]) : "r"(sum[i]), "r"(p[i]));
    asm volatile("subc.u32 %0, %1, 0;" : "=r"(borrow) : "r"(sum[WORDS]));
#pragma unroll
    for (u32 i = 0; i < WORDS; i++)
        r.word[i] = borrow ? sum[i] : r.word[i];
    return r;
}

/* out[i] = in[i]^exponent[i], all in Montgomery's form; `one` is 2^256 modulo the prime. */
extern "C" __global__ void field_power(element *out, const element *in, const u32 *exponents,
                                       element one, u32 n) {
    const u32 i = THREAD_INDEX;
    if (i >= n)
        return;
    element power = in[i], product = one;
    for (u32 e = exponents[i]; e; e >>= 1) {
        if (e & 1)
            product = times(product, power);
        power = times(power, power);
    }
    out[i] = product;
}

/*
 * rns.cu - what switching keys is made of, over residues modulo primes below 2^60: inner products
 * with a key, and the conversion to another base, both with sums of 128 bits that are reduced once.
 */
#include "../../cuda/cuda.h"

struct modulus {
    u64 q, ratio[2]; /* floor(2^128 / q), low word first */
};

/* (hi 2^64 + lo) mod q: Barrett's reduction of 128 bits, one subtraction at the end. */
DEVICE u64 reduce(u64 lo, u64 hi, const modulus &m) {
    const u64 carry = __umul64hi(lo, m.ratio[0]);
    u64 low = lo * m.ratio[1], high = __umul64hi(lo, m.ratio[1]);
    low += carry;
    high += low < carry;
    const u64 low2 = hi * m.ratio[0];
    low += low2;
    high += __umul64hi(hi, m.ratio[0]) + (low < low2);
    const u64 r = lo - (hi * m.ratio[1] + high) * m.q;
    return r >= m.q ? r - m.q : r;
}

DEVICE void add_product(u64 &lo, u64 &hi, u64 a, u64 b) {
    const u64 low = a * b;
    lo += low;
    hi += __umul64hi(a, b) + (lo < low);
}

/* out[j][limb][i] = sum over d of digits[d][limb][i] key[d][j][limb][i], j of 0 and 1. A row of
 * blocks, blockIdx.y, for each of the `limbs` limbs of n elements. */
extern "C" __global__ void keyswitch(u64 *out, const u64 *digits, const u64 *key,
                                     const modulus *moduli, u32 n, u32 limbs, u32 digit_count) {
    const modulus m = moduli[blockIdx.y];
    const size_t whole = (size_t)n * limbs;
    for (u32 i = THREAD_INDEX; i < n; i += gridDim.x * blockDim.x) {
        const size_t at = (size_t)blockIdx.y * n + i;
        u64 lo0 = 0, hi0 = 0, lo1 = 0, hi1 = 0;
        for (u32 d = 0; d < digit_count; d++) {
            const u64 x = digits[d * whole + at];
            add_product(lo0, hi0, x, key[2 * d * whole + at]);
            add_product(lo1, hi1, x, key[(2 * d + 1) * whole + at]);
        }
        out[at] = reduce(lo0, hi0, m);
        out[whole + at] = reduce(lo1, hi1, m);
    }
}

/* The first step of a conversion: in[limb][i] times the limb's factor, whose quotient by the
 * modulus stands behind it. */
extern "C" __global__ void bconv_scale(u64 *out, const u64 *in, const u64 *factors,
                                       const modulus *moduli, u32 n) {
    const u64 q = moduli[blockIdx.y].q, w = factors[2 * blockIdx.y], p = factors[2 * blockIdx.y + 1];
    const size_t at = (size_t)blockIdx.y * n + THREAD_INDEX;
    if (THREAD_INDEX < n) {
        const u64 x = in[at], r = x * w - __umul64hi(x, p) * q;
        out[at] = min(r, r - q);
    }
}

/* The second: out[t][i] = sum over s of in[s][i] weights[t][s], modulo modulus t. */
extern "C" __global__ void bconv_sum(u64 *out, const u64 *in, const u64 *weights,
                                     const modulus *moduli, u32 n, u32 sources) {
    __shared__ u64 row[32];
    const modulus m = moduli[blockIdx.y];
    if (threadIdx.x < sources)
        row[threadIdx.x] = weights[blockIdx.y * sources + threadIdx.x];
    __syncthreads();
    const u32 i = THREAD_INDEX;
    if (i < n) {
        u64 lo = 0, hi = 0;
        for (u32 s = 0; s < sources; s++)
            add_product(lo, hi, in[(size_t)s * n + i], row[s]);
        out[(size_t)blockIdx.y * n + i] = reduce(lo, hi, m);
    }
}

/*
 * divide.cu - quotients and remainders of integers by variables: by way of a reciprocal in floating
 * point for 32 bits, by a function that is called for 64.
 */
#include "../../cuda/cuda.h"

template <class U, class S> DEVICE void divide(U *out, const U *dividends, const U *divisors, u32 n) {
    for (u32 i = THREAD_INDEX; i < n; i += gridDim.x * blockDim.x) {
        const U a = dividends[i], b = divisors[i];
        out[i] = a / b;
        out[n + i] = a % b;
        out[2 * n + i] = (U)((S)a / (S)b);
        out[3 * n + i] = (U)((S)a % (S)b);
    }
}

extern "C" __global__ void divide32(u32 *out, const u32 *dividends, const u32 *divisors, u32 n) {
    divide<u32, s32>(out, dividends, divisors, n);
}
extern "C" __global__ void divide64(u64 *out, const u64 *dividends, const u64 *divisors, u32 n) {
    divide<u64, s64>(out, dividends, divisors, n);
}

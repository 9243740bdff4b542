/*
 * sobol.cu - Sobol's sequence in several dimensions, in the order of Gray codes: a thread begins at
 * its own number and goes on in strides, with one exclusive or each.
 */
#include "../../cuda/cuda.h"

enum { BITS = 32 };

/* out[dimension][i], with `directions` of 32 words for each dimension, blockIdx.y. The stride, of
 * all threads along x, is a power of two. */
extern "C" __global__ void sobol(float *out, const u32 *directions, u32 n) {
    __shared__ u32 v[BITS];
    directions += BITS * blockIdx.y;
    out += (size_t)n * blockIdx.y;
    if (threadIdx.x < BITS)
        v[threadIdx.x] = directions[threadIdx.x];
    __syncthreads();
    const u32 first = THREAD_INDEX, stride = gridDim.x * blockDim.x;
    u32 gray = first ^ first >> 1, x = 0;
    for (u32 k = 0; k < (u32)__ffs((s32)stride) - 1; k++) {
        x ^= (0 - (gray & 1)) & v[k];
        gray >>= 1;
    }
    const float unit = 2.3283064365386963e-10f; /* 2^-32 */
    if (first < n)
        out[first] = (float)x * unit;
    const u32 step = v[__ffs((s32)stride) - 2], mask = stride - 1;
    for (u32 i = first + stride; i < n; i += stride) {
        x ^= step ^ v[__ffs((s32)~((i - stride) | mask)) - 1];
        out[i] = (float)x * unit;
    }
}

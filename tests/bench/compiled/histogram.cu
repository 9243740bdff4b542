/*
 * histogram.cu - counts of the upper six bits of bytes: a counter of one byte for each thread and
 * value in shared memory, whose sums go to a histogram of the block; and the sum of those.
 */
#include "../../cuda/cuda.h"

enum { BINS = 64, THREADS = 64, WORDS = 63 }; /* a thread's 252 bytes cannot overflow a counter */

extern "C" __global__ void histogram_blocks(u32 *parts, const uint4 *in, u32 n) {
    __shared__ u8 count[BINS * THREADS];
    const u32 t = threadIdx.x, place = (t & ~63) | (t & 15) << 2 | (t & 48) >> 4;
    for (u32 i = 0; i < BINS / 4; i++)
        ((u32 *)count)[t + i * THREADS] = 0;
    __syncthreads();
    for (u32 i = THREAD_INDEX; i < n; i += gridDim.x * THREADS) {
        const uint4 x = in[i];
        const u32 word[4] = {x.x, x.y, x.z, x.w};
#pragma unroll
        for (u32 k = 0; k < 4; k++)
#pragma unroll
            for (u32 shift = 2; shift < 32; shift += 8)
                count[place + (word[k] >> shift & 63) * THREADS]++;
    }
    __syncthreads();
    u32 sum = 0;
    for (u32 i = 0; i < THREADS; i += 4) {
        const uchar4 four = *(const uchar4 *)&count[t * THREADS + ((i + 4 * t) & (THREADS - 1))];
        sum += four.x + four.y + four.z + four.w;
    }
    parts[blockIdx.x * BINS + t] = sum;
}

extern "C" __global__ void histogram_merge(u32 *out, const u32 *parts, u32 count) {
    __shared__ u32 sums[256];
    u32 sum = 0;
    for (u32 i = threadIdx.x; i < count; i += 256)
        sum += parts[blockIdx.x + i * BINS];
    sums[threadIdx.x] = sum;
    for (u32 k = 128; k; k /= 2) {
        __syncthreads();
        if (threadIdx.x < k)
            sums[threadIdx.x] += sums[threadIdx.x + k];
    }
    if (threadIdx.x == 0)
        out[blockIdx.x] = sums[0];
}

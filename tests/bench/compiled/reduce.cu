/*
 * reduce.cu - sums of a whole array: of integers by one block, whose threads go through it in
 * strides; and of floats by many blocks, the last of which adds what they have left.
 */
#include "../../cuda/cuda.h"

enum { THREADS = 512, FENCE_THREADS = 128 };

/* A tree in shared memory down to a warp, then shuffles. */
extern "C" __global__ void reduce_block(s32 *out, const s32 *in, u32 n) {
    __shared__ s32 part[THREADS];
    const u32 t = threadIdx.x;
    s32 sum = 0;
    for (u32 i = t; i < n; i += 2 * THREADS) {
        sum += in[i];
        if (i + THREADS < n)
            sum += in[i + THREADS];
    }
    part[t] = sum;
    __syncthreads();
    for (u32 k = THREADS / 2; k > 32; k /= 2) {
        if (t < k)
            part[t] = sum = sum + part[t + k];
        __syncthreads();
    }
    if (t < 32) {
        sum += part[t + 32];
        for (u32 k = 16; k; k /= 2)
            sum += __shfl_down_sync(~0u, sum, k);
        if (t == 0)
            *out = sum;
    }
}

/* The block's sum, in thread 0; `part` has a place for each thread. */
DEVICE float block_sum(float sum, float *part) {
    const u32 t = threadIdx.x;
    part[t] = sum;
    __syncthreads();
    for (u32 k = FENCE_THREADS / 2; k; k /= 2) {
        if (t < k)
            part[t] = sum = __fadd_rn(sum, part[t + k]);
        __syncthreads();
    }
    return sum;
}

extern "C" __global__ void reduce_fence(float *out, const float *in, u32 *ticket, u32 n) {
    __shared__ float part[FENCE_THREADS];
    __shared__ bool last;
    float sum = 0;
    for (u32 i = THREAD_INDEX; i < n; i += gridDim.x * FENCE_THREADS)
        sum = __fadd_rn(sum, in[i]);
    sum = block_sum(sum, part);
    if (threadIdx.x == 0) {
        out[1 + blockIdx.x] = sum;
        __threadfence();
        last = atomicInc(ticket, gridDim.x - 1) == gridDim.x - 1;
    }
    __syncthreads();
    if (!last)
        return;
    sum = 0;
    for (u32 i = threadIdx.x; i < gridDim.x; i += FENCE_THREADS)
        sum = __fadd_rn(sum, ((volatile float *)out)[1 + i]);
    sum = block_sum(sum, part);
    if (threadIdx.x == 0)
        *out = sum;
}

/*
 * prefix.cu - exclusive prefix sums of arrays, as a sample of old does them: four words a thread,
 * steps in shared memory, thousands of blocks of few instructions.
 */
#include "../../cuda/cuda.h"

enum { THREADS = 256, PIECE = 4 * THREADS };

/* The sum over the threads up to this one, of groups of `size` threads; the words before a group
 * are zeros. */
DEVICE u32 inclusive(u32 x, volatile u32 *shared, u32 size) {
    u32 at = 2 * threadIdx.x - (threadIdx.x & (size - 1));
    shared[at] = 0;
    at += size;
    shared[at] = x;
    for (u32 k = 1; k < size; k *= 2) {
        __syncthreads();
        const u32 sum = shared[at] + shared[at - k];
        __syncthreads();
        shared[at] = sum;
    }
    return shared[at];
}

DEVICE uint4 exclusive4(uint4 x, volatile u32 *shared, u32 size) {
    x.y += x.x;
    x.z += x.y;
    x.w += x.z;
    const u32 before = inclusive(x.w, shared, size / 4) - x.w;
    return make_uint4(before, before + x.x, before + x.y, before + x.z);
}

extern "C" __global__ void prefix_pieces(uint4 *out, const uint4 *in, u32 size) {
    __shared__ u32 shared[2 * THREADS];
    out[THREAD_INDEX] = exclusive4(in[THREAD_INDEX], shared, size);
}

/* sums[i]: of the pieces before piece i of its array of `count` pieces. */
extern "C" __global__ void prefix_sums(u32 *sums, const u32 *out, const u32 *in, u32 n, u32 count) {
    __shared__ u32 shared[2 * THREADS];
    const u32 i = THREAD_INDEX, last = (i + 1) * PIECE - 1;
    const u32 x = i < n ? out[last] + in[last] : 0;
    const u32 sum = inclusive(x, shared, count) - x;
    if (i < n)
        sums[i] = sum;
}

extern "C" __global__ void prefix_add(uint4 *out, const u32 *sums) {
    __shared__ u32 before;
    if (threadIdx.x == 0)
        before = sums[blockIdx.x];
    uint4 x = out[THREAD_INDEX];
    __syncthreads();
    x.x += before;
    x.y += before;
    x.z += before;
    x.w += before;
    out[THREAD_INDEX] = x;
}

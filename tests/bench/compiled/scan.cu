/*
 * scan.cu - inclusive prefix sums of 32-bit words by shuffles: of pieces of four words a thread, of
 * the sums of the pieces, and the addition of what is before each piece.
 */
#include "../../cuda/cuda.h"

enum { THREADS = 256, WARPS = THREADS / 32, PIECE = 4 * THREADS };

DEVICE u32 warp_scan(u32 x) {
    const u32 lane = threadIdx.x % 32;
#pragma unroll
    for (u32 k = 1; k < 32; k *= 2) {
        const u32 other = __shfl_up_sync(~0u, x, k);
        if (lane >= k)
            x += other;
    }
    return x;
}

/* The sum over the threads up to this one; *all: over the block. */
DEVICE u32 block_scan(u32 x, u32 *all) {
    __shared__ u32 sums[WARPS];
    const u32 lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    x = warp_scan(x);
    if (lane == 31)
        sums[warp] = x;
    __syncthreads();
    if (threadIdx.x < WARPS) {
        u32 s = sums[threadIdx.x];
        for (u32 k = 1; k < WARPS; k *= 2) {
            const u32 other = __shfl_up_sync((1u << WARPS) - 1, s, k);
            if (threadIdx.x >= k)
                s += other;
        }
        sums[threadIdx.x] = s;
    }
    __syncthreads();
    *all = sums[WARPS - 1];
    return x + (warp ? sums[warp - 1] : 0);
}

extern "C" __global__ void scan_pieces(uint4 *out, u32 *sums, const uint4 *in) {
    u32 all;
    uint4 x = in[THREAD_INDEX];
    x.y += x.x;
    x.z += x.y;
    x.w += x.z;
    const u32 before = block_scan(x.w, &all) - x.w;
    out[THREAD_INDEX] = make_uint4(x.x + before, x.y + before, x.z + before, x.w + before);
    if (threadIdx.x == 0)
        sums[blockIdx.x] = all;
}

extern "C" __global__ void scan_sums(u32 *sums, u32 n) {
    u32 before = 0, all;
    for (u32 first = 0; first < n; first += THREADS) {
        const u32 i = first + threadIdx.x, x = block_scan(i < n ? sums[i] : 0, &all);
        if (i < n)
            sums[i] = before + x;
        before += all;
        __syncthreads();
    }
}

extern "C" __global__ void scan_add(uint4 *out, const u32 *sums) {
    if (blockIdx.x == 0)
        return;
    const u32 before = sums[blockIdx.x - 1];
    uint4 x = out[THREAD_INDEX];
    x.x += before;
    x.y += before;
    x.z += before;
    x.w += before;
    out[THREAD_INDEX] = x;
}

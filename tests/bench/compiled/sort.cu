/*
 * sort.cu - radix sort of 32-bit keys, from the lowest four bits up: counts of the digits by block,
 * their prefix sums, and the way of every key to its place. A block has CHUNK keys.
 */
#include "../../cuda/cuda.h"

enum { THREADS = 256, WARPS = THREADS / 32, CHUNK = 1024, DIGITS = 16, SCAN_THREADS = 1024 };

/* counts[digit][block] */
extern "C" __global__ void radix_count(u32 *counts, const u32 *keys, u32 shift, u32 n) {
    __shared__ u32 count[DIGITS];
    if (threadIdx.x < DIGITS)
        count[threadIdx.x] = 0;
    __syncthreads();
    for (u32 i = threadIdx.x; i < CHUNK; i += THREADS) {
        const u32 at = blockIdx.x * CHUNK + i;
        if (at < n)
            atomicAdd(&count[keys[at] >> shift & (DIGITS - 1)], 1);
    }
    __syncthreads();
    if (threadIdx.x < DIGITS)
        counts[threadIdx.x * gridDim.x + blockIdx.x] = count[threadIdx.x];
}

/* Exclusive prefix sums of all counts, by one block. */
extern "C" __global__ void __launch_bounds__(SCAN_THREADS) radix_scan(u32 *counts, u32 n) {
    __shared__ u32 sums[SCAN_THREADS / 32];
    const u32 lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    u32 before = 0;
    for (u32 first = 0; first < n; first += SCAN_THREADS) {
        const u32 i = first + threadIdx.x, x = i < n ? counts[i] : 0;
        u32 sum = x;
        for (u32 k = 1; k < 32; k *= 2) {
            const u32 other = __shfl_up_sync(~0u, sum, k);
            sum += lane >= k ? other : 0;
        }
        if (lane == 31)
            sums[warp] = sum;
        __syncthreads();
        if (warp == 0) {
            u32 all = sums[lane];
            for (u32 k = 1; k < 32; k *= 2) {
                const u32 other = __shfl_up_sync(~0u, all, k);
                all += lane >= k ? other : 0;
            }
            sums[lane] = all;
        }
        __syncthreads();
        if (i < n)
            counts[i] = before + (warp ? sums[warp - 1] : 0) + sum - x;
        before += sums[SCAN_THREADS / 32 - 1];
        __syncthreads();
    }
}

/* The order of equal digits stays: by rounds of THREADS keys, then warps, then lanes. */
extern "C" __global__ void radix_scatter(u32 *out, const u32 *keys, const u32 *counts, u32 shift,
                                         u32 n) {
    __shared__ u32 start[WARPS][DIGITS], next[DIGITS];
    const u32 lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    if (threadIdx.x < DIGITS)
        next[threadIdx.x] = counts[threadIdx.x * gridDim.x + blockIdx.x];
    for (u32 i = threadIdx.x; i < CHUNK; i += THREADS) {
        const u32 at = blockIdx.x * CHUNK + i;
        const u32 key = at < n ? keys[at] : 0;
        const u32 digit = at < n ? key >> shift & (DIGITS - 1) : DIGITS;
        if (lane < DIGITS)
            start[warp][lane] = 0;
        __syncwarp();
        const u32 peers = __match_any_sync(~0u, digit), rank = __popc(peers & ((1u << lane) - 1));
        if (rank == 0 && digit < DIGITS)
            start[warp][digit] = __popc(peers);
        __syncthreads();
        if (threadIdx.x < DIGITS) {
            u32 sum = next[threadIdx.x];
            for (u32 w = 0; w < WARPS; w++) {
                const u32 count = start[w][threadIdx.x];
                start[w][threadIdx.x] = sum;
                sum += count;
            }
            next[threadIdx.x] = sum;
        }
        __syncthreads();
        if (at < n)
            out[start[warp][digit] + rank] = key;
        __syncthreads();
    }
}

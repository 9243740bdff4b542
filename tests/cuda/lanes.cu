/*
 * lanes.cu - what lanes of a warp tell each other: shuffles, votes, matches, reductions. Not for the
 * host: cubin_lanes_test.c has the references.
 */
#include "cuda.h"

#define FULL 0xffffffffu

/* in: pairs (value, lane selector); all 32 lanes of every warp are there. */
KERNEL(shuffles, u32, u32) {
    u32 i = THREAD_INDEX, x = in[2 * i], b = in[2 * i + 1], *r = out + 12 * i;
    r[0] = __shfl_sync(FULL, x, (int)b);
    r[1] = __shfl_up_sync(FULL, x, b & 31);
    r[2] = __shfl_down_sync(FULL, x, b & 31);
    r[3] = __shfl_xor_sync(FULL, x, (int)(b & 31));
    r[4] = __shfl_sync(FULL, x, (int)b, 8);
    r[5] = __shfl_up_sync(FULL, x, 3, 16);
    r[6] = __shfl_down_sync(FULL, x, 5, 16);
    r[7] = __shfl_xor_sync(FULL, x, 6, 8);
    u64 wide = __shfl_sync(FULL, (u64)x << 32 | b, (int)(s & 31));
    r[8] = (u32)wide;
    r[9] = (u32)(wide >> 32);
    r[10] = __shfl_sync(FULL, x, 17);
    r[11] = n;
}

KERNEL(votes, u32, u32) {
    u32 i = THREAD_INDEX, x = in[i], *r = out + 6 * i;
    r[0] = __ballot_sync(FULL, (int)(x & 1));
    r[1] = (u32)__any_sync(FULL, x == (u32)s);
    r[2] = (u32)__all_sync(FULL, x >> 31 == 0);
    r[3] = __match_any_sync(FULL, x & 7);
    int same;
    r[4] = __match_all_sync(FULL, x >> 4, &same) | (u32)same << 16;
    r[5] = n;
    if (x & 2) { /* part of the warp */
        r[5] = __activemask();
        r[5] ^= __ballot_sync(r[5], (int)(x & 4)) << 1;
    }
}

KERNEL(match64, u32, u64) {
    u32 i = THREAD_INDEX;
    int same;
    out[2 * i] = __match_any_sync(FULL, in[i] & s);
    out[2 * i + 1] = __match_all_sync(FULL, in[i] >> 32, &same) + (u32)same + n;
}

KERNEL(reductions, u32, u32) {
    u32 i = THREAD_INDEX, x = in[i], *r = out + 8 * i;
    r[0] = __reduce_add_sync(FULL, x);
    r[1] = __reduce_min_sync(FULL, x);
    r[2] = __reduce_max_sync(FULL, x);
    r[3] = __reduce_and_sync(FULL, x | (u32)s);
    r[4] = __reduce_or_sync(FULL, x);
    r[5] = __reduce_xor_sync(FULL, x);
    r[6] = (u32)__reduce_min_sync(FULL, (int)x);
    r[7] = (u32)__reduce_max_sync(FULL, (int)x) + n;
}

/* An inclusive prefix sum over the block, by shuffles and shared memory. */
KERNEL(prefix_sum, u64, u64) {
    __shared__ u64 sums[32];
    u32 i = THREAD_INDEX, lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
    u64 x = i < n ? in[i] : 0;
    for (u32 k = 1; k < 32; k *= 2) {
        u64 y = __shfl_up_sync(FULL, x, k);
        x += lane >= k ? y : 0;
    }
    if (lane == 31)
        sums[warp] = x;
    __syncthreads();
    for (u32 k = 0; k < warp; k++)
        x += sums[k];
    if (i < n)
        out[i] = x + s;
}

/*
 * groups.cu - cooperative groups: barriers of the grid, tiles and what they reduce, lanes that came
 * together by chance; and loops that swap 64-bit words until nobody else did.
 */
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>

#include "cuda.h"

namespace cg = cooperative_groups;

/* Eight rounds of out[i] = 3 out[i + 1] + out[i], with a barrier of the grid after each half: from
 * out to its second half of n elements and back. */
KERNEL(grid_stencil, u32, u32) {
    cg::grid_group grid = cg::this_grid();
    for (u32 i = grid.thread_rank(); i < n; i += grid.size())
        out[i] = in[i];
    grid.sync();
    for (u32 r = 0; r < 8; r++) {
        const volatile u32 *from = out + (r & 1) * n;
        u32 *to = out + (~r & 1) * n;
        for (u32 i = grid.thread_rank(); i < n; i += grid.size())
            to[i] = from[i + 1 < n ? i + 1 : 0] * 3 + from[i] + (u32)s * r;
        grid.sync();
    }
}

/* Every block writes, and after the barrier overwrites what the others have just read, as code does
 * that counts on blocks getting on at the same pace. n rounds; one word a block. */
KERNEL(same_pace, u32, u32) {
    cg::grid_group grid = cg::this_grid();
    volatile u32 *room = out + gridDim.x;
    u32 mine = in[blockIdx.x];
    for (u32 r = 0; r < n; r++) {
        room[blockIdx.x] = mine;
        grid.sync();
        u32 sum = 0;
        for (u32 b = 0; b < gridDim.x; b++)
            sum = sum * 5 + room[b];
        mine = sum + blockIdx.x;
        for (u32 k = 0; k < 3000; k++) /* what takes the others longer than their reading */
            mine = mine * 1664525 + (u32)s;
    }
    if (threadIdx.x == 0)
        out[blockIdx.x] = mine;
}

KERNEL(tiles, u32, u32) {
    u32 i = THREAD_INDEX;
    cg::thread_block block = cg::this_thread_block();
    auto warp = cg::tiled_partition<32>(block);
    auto eight = cg::tiled_partition<8>(block);
    u32 x = i < n ? in[i] : 0;
    u32 sum = cg::reduce(warp, x, cg::plus<u32>()), most = cg::reduce(eight, x, cg::greater<u32>());
    u32 before = cg::exclusive_scan(warp, x), odd = eight.ballot(x & 1);
    u32 together = 0;
    if (x & 2) {
        auto active = cg::coalesced_threads();
        together = active.size() * 64 + active.thread_rank() * 4096 + active.shfl(x, 0) % 61;
    }
    u64 wide = cg::reduce(eight, (u64)x * (u64)x, cg::plus<u64>());
    block.sync();
    if (i < n) {
        u32 *o = out + 6 * i;
        o[0] = sum;
        o[1] = most + (u32)s;
        o[2] = before;
        o[3] = odd | eight.thread_rank() << 8 | eight.meta_group_rank() << 16;
        o[4] = together;
        o[5] = (u32)(wide >> 13);
    }
}

/* Each warp in parts, lanes of equal mark together, all of one part in one branch; and with a mask
 * that the host gives, which is the same for all. */
KERNEL(masks, u32, u32) {
    u32 i = THREAD_INDEX, x = in[i], o[6];
    u32 part = __match_any_sync(0xffffffff, x & 7);
    if (x & 4) {
        o[0] = __ballot_sync(part, x >> 8 & 1);
        o[1] = __reduce_add_sync(part, x);
        o[2] = __shfl_sync(part, x, 31 - __clz((s32)part));
    } else {
        o[0] = __any_sync(part, x >> 9 & 1) | __all_sync(part, x >> 10 & 3) << 1;
        o[1] = __reduce_max_sync(part, x);
        o[2] = __match_any_sync(part, x >> 12 & 1);
    }
    u32 all = (u32)(s | s >> 32) | 0xffffffff;
    o[3] = __ballot_sync(all, x & 2);
    o[4] = __shfl_xor_sync(n | 0xffffffff, x, 1);
    o[5] = __reduce_xor_sync(part, x >> 3);
    for (u32 k = 0; k < 6; k++)
        out[6 * i + k] = o[k];
}
/* The mask is all that is known of who is there. */
extern "C" __global__ void mask_given(u32 *out, const u32 *in, u32 mask, u64) {
    u32 i = threadIdx.x, x = in[i];
    if (mask >> i & 1) {
        out[i] = __ballot_sync(mask, x & 1) + __shfl_sync(mask, x, __ffs((s32)mask) - 1);
        __syncwarp(mask);
        out[32 + i] = out[63 - __clz((s32)mask) - 32] + __reduce_or_sync(mask, x & 0xff);
    }
}

/* out[0..2]: a maximum, a saturating sum and a double sum, none of which is an instruction. */
KERNEL(swap_loops, u64, u64) {
    u32 i = THREAD_INDEX;
    if (i >= n)
        return;
    unsigned long long *place = (unsigned long long *)out, x = in[i], seen, next;
    seen = place[0];
    while (seen < x) {
        next = atomicCAS(place, seen, x);
        if (next == seen)
            break;
        seen = next;
    }
    next = place[1];
    do {
        seen = next;
        next = seen + (x >> 8);
        next = next < seen ? ~0ull : next;
        next = atomicCAS(place + 1, seen, next);
    } while (next != seen);
    next = place[2];
    do {
        seen = next;
        double sum = __longlong_as_double((long long)seen) + (double)(x >> 44);
        next = atomicCAS(place + 2, seen, (unsigned long long)__double_as_longlong(sum));
    } while (next != seen);
    atomicAdd((double *)out + 3, (double)(x & 0xffff));
}

/* A histogram in a part of shared memory that is chosen when it runs; constant operands. */
KERNEL(histogram, u32, u32) {
    __shared__ u32 count[4][64];
    for (u32 k = threadIdx.x; k < 256; k += blockDim.x)
        count[k >> 6][k & 63] = 0;
    __syncthreads();
    u32 i = THREAD_INDEX;
    if (i < n) {
        u32 x = in[i], y = in[i ^ 1];
        atomicAdd(&count[s & 3][x & 63], 1);
        atomicAdd(&out[256 + (x >> 6 & 63)], __sad((s32)x, (s32)y, 3));
    }
    __syncthreads();
    for (u32 k = threadIdx.x; k < 256; k += blockDim.x)
        atomicAdd(&out[k], count[k >> 6][k & 63]);
}

/* Few registers for many values: what does not fit goes to local memory. */
template <u32 N> static __device__ __forceinline__ void mix(u64 (&v)[N], u64 s) {
#pragma unroll
    for (u32 k = 0; k < N; k++)
        v[k] = v[k] * v[(k + 7) % N] + (v[(5 * k + 1) % N] ^ s);
}
extern "C" __global__ void __launch_bounds__(1024, 2)
    spilled(u64 *__restrict__ out, const u64 *__restrict__ in, u32 n, u64 s) {
    u64 v[40];
    for (u32 k = 0; k < 40; k++)
        v[k] = in[(THREAD_INDEX + k) % n];
    for (u32 r = 0; r < 3; r++)
        mix<40>(v, s + r);
    if (THREAD_INDEX < n)
        for (u32 k = 0; k < 40; k++)
            out[40 * THREAD_INDEX + k] = v[k];
}

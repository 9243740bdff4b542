/*
 * tiles.cu - cooperative groups of more than one warp. Their barriers and what their warps tell each
 * other are in the block's reserved shared memory, beside the arrays of the kernel.
 */
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>

#include "cuda.h"

namespace cg = cooperative_groups;

/* Tiles of 64 and 128 threads in blocks of 256 add up and count, while every word of two arrays, one
 * of which has the size that the launch gives it, must stay as it was. */
KERNEL(tiles_and_arrays, u32, u32) {
    __shared__ u32 own[256];
    extern __shared__ u32 more[];
    auto block = cg::this_thread_block();
    auto two = cg::tiled_partition<64>(block);
    auto four = cg::tiled_partition<128>(block);
    u32 i = THREAD_INDEX, t = threadIdx.x, x = i < n ? in[i] : 0;
    own[t] = x * 3;
    more[t] = x + (u32)s;
    block.sync();
    u32 sum = cg::reduce(two, x, cg::plus<u32>()), most = cg::reduce(four, x, cg::greater<u32>());
    u32 before = cg::exclusive_scan(two, x), upto = cg::inclusive_scan(four, x ^ 5);
    u64 wide = cg::reduce(four, (u64)x * x, cg::plus<u64>());
    block.sync();
    if (i < n) {
        u32 *o = out + 7 * i;
        o[0] = sum;
        o[1] = most;
        o[2] = before;
        o[3] = upto;
        o[4] = (u32)(wide >> 7);
        o[5] = own[t ^ 77] + more[t ^ 130];
        o[6] = two.thread_rank() | two.meta_group_rank() << 8 | four.thread_rank() << 16 |
               four.meta_group_rank() << 24;
    }
}

/* Barriers of tiles only: each tile of 128 threads passes its words on, seven times, while the
 * others are elsewhere. */
KERNEL(tiles_in_step, u32, u32) {
    __shared__ u32 ring[512];
    auto tile = cg::tiled_partition<128>(cg::this_thread_block());
    u32 i = THREAD_INDEX, first = threadIdx.x & ~127u, r = threadIdx.x & 127;
    u32 x = i < n ? in[i] : 0;
    for (u32 k = 0; k < 7 + (first >> 7); k++) {
        ring[first + r] = x;
        tile.sync();
        x = ring[first + ((r + 1 + k) & 127)] * 5 + (u32)s;
        tile.sync();
    }
    if (i < n)
        out[i] = x;
}

/* No shared memory but the reserved part. */
KERNEL(tiles_alone, u32, u32) {
    auto tile = cg::tiled_partition<512>(cg::this_thread_block());
    u32 i = THREAD_INDEX;
    u32 all = cg::reduce(tile, i < n ? in[i] : 0, cg::bit_xor<u32>());
    if (i < n)
        out[i] = all + tile.thread_rank();
}

/* What PTX tells of the region: it begins behind the kernel's memory, whose size is counted in units
 * of 128 bytes; both offsets into it are in it. The block's own memory ends at `shared`. */
KERNEL(tiles_where, u32, u32) {
    __shared__ u32 own[25];
    u32 begin, end, cap, first, second, total, dynamic;
    asm volatile("mov.u32 %0, %%reserved_smem_offset_begin;" : "=r"(begin));
    asm volatile("mov.u32 %0, %%reserved_smem_offset_end;" : "=r"(end));
    asm volatile("mov.u32 %0, %%reserved_smem_offset_cap;" : "=r"(cap));
    asm volatile("mov.u32 %0, %%reserved_smem_offset_0;" : "=r"(first));
    asm volatile("mov.u32 %0, %%reserved_smem_offset_1;" : "=r"(second));
    asm volatile("mov.u32 %0, %%total_smem_size;" : "=r"(total));
    asm volatile("mov.u32 %0, %%dynamic_smem_size;" : "=r"(dynamic));
    own[threadIdx.x] = in[threadIdx.x];
    __syncthreads();
    if (threadIdx.x == 0) {
        out[0] = total;
        out[1] = dynamic;
        out[2] = begin == total;
        out[3] = end - begin;
        out[4] = cap;
        out[5] = begin <= first && first < end;
        out[6] = begin <= second && second + 288 <= end && second % 8 == 0;
        out[7] = own[n];
    }
}

/*
 * library.cu - parts of libraries that come with the compiler: sorting, scanning and exchanging in
 * blocks, groups of lanes, barriers in memory, latches, copies behind them.
 */
#include "cuda.h"

#ifdef __CUDACC__

#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cub/block/block_exchange.cuh>
#include <cub/block/block_load.cuh>
#include <cub/block/block_merge_sort.cuh>
#include <cub/block/block_radix_sort.cuh>
#include <cub/block/block_scan.cuh>
#include <cuda/latch>
#include <cuda/pipeline>

namespace cg = cooperative_groups;

/* Four words of each thread, by their low 20 bits. */
KERNEL(library_radix_sort, u32, u32) {
    using sort = cub::BlockRadixSort<u32, 128, 4, u32>;
    __shared__ typename sort::TempStorage room;
    u32 key[4], index[4];
    for (u32 i = 0; i < 4; i++) {
        index[i] = 4 * threadIdx.x + i;
        key[i] = in[index[i]] & 0xfffff;
    }
    sort(room).SortBlockedToStriped(key, index, 0, 20);
    for (u32 i = 0; i < 4; i++)
        out[threadIdx.x + 128 * i] = index[i] + (u32)s;
}

struct library_less {
    __device__ bool operator()(const u64 &a, const u64 &b) const {
        return a < b;
    }
};

KERNEL(library_merge_sort, u64, u64) {
    using sort = cub::BlockMergeSort<u64, 64, 3>;
    __shared__ typename sort::TempStorage room;
    u64 x[3];
    for (u32 i = 0; i < 3; i++)
        x[i] = 3 * threadIdx.x + i < n ? in[3 * threadIdx.x + i] : ~(u64)0;
    sort(room).Sort(x, library_less(), n, ~(u64)0);
    for (u32 i = 0; i < 3; i++)
        if (3 * threadIdx.x + i < n)
            out[3 * threadIdx.x + i] = x[i];
}

/* Sums of all words before each; loaded and scanned in one room. */
KERNEL(library_scan, u32, u32) {
    using load = cub::BlockLoad<u32, 128, 5, cub::BLOCK_LOAD_WARP_TRANSPOSE>;
    using scan = cub::BlockScan<u32, 128, cub::BLOCK_SCAN_RAKING_MEMOIZE>;
    using exchange = cub::BlockExchange<u32, 128, 5>;
    __shared__ union {
        typename load::TempStorage load;
        typename scan::TempStorage scan;
        typename exchange::TempStorage exchange;
    } room;
    u32 x[5];
    load(room.load).Load(in, x);
    __syncthreads();
    scan(room.scan).ExclusiveSum(x, x);
    __syncthreads();
    exchange(room.exchange).BlockedToStriped(x, x);
    for (u32 i = 0; i < 5; i++)
        out[threadIdx.x + 128 * i] = x[i] ^ (u32)s;
}

/* Sums over lanes with the same low bits, and over those that are in a branch. */
KERNEL(library_groups, u32, u32) {
    auto warp = cg::tiled_partition<32>(cg::this_thread_block());
    const u32 x = in[THREAD_INDEX];
    auto odd = cg::binary_partition(warp, x & 1);
    auto same = cg::labeled_partition(warp, x >> 1 & 3);
    out[3 * THREAD_INDEX] = cg::reduce(odd, x, cg::plus<u32>());
    out[3 * THREAD_INDEX + 1] = cg::reduce(same, x, cg::bit_xor<u32>());
    u32 sum = (u32)s;
    if (x % 3 == 0) {
        auto here = cg::coalesced_threads();
        sum = cg::reduce(here, x, cg::greater<u32>());
    }
    out[3 * THREAD_INDEX + 2] = sum;
}

/* Two warps copy, two use what has come, by a pipeline of two stages. */
KERNEL(library_pipeline, u32, u32) {
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
    __shared__ u32 room[2][64];
    auto block = cg::this_thread_block();
    auto pipe = cuda::make_pipeline(block, &state, 64);
    for (u32 i = 0; i < n / 64; i++) {
        if (threadIdx.x < 64) {
            pipe.producer_acquire();
            cuda::memcpy_async(&room[i % 2][threadIdx.x], in + 64 * i + threadIdx.x, 4, pipe);
            pipe.producer_commit();
        } else {
            pipe.consumer_wait();
            out[64 * i + threadIdx.x - 64] = room[i % 2][127 - threadIdx.x] + (u32)s;
            pipe.consumer_release();
        }
    }
}

/* All count down, and wait for each other. */
KERNEL(library_latch, u32, u32) {
    __shared__ alignas(16) char room[sizeof(cuda::latch<cuda::thread_scope_block>)];
    __shared__ u32 word[96];
    auto *latch = reinterpret_cast<cuda::latch<cuda::thread_scope_block> *>(room);
    if (threadIdx.x == 0)
        new (latch) cuda::latch<cuda::thread_scope_block>(96);
    __syncthreads();
    word[threadIdx.x] = in[threadIdx.x] + (u32)s;
    latch->arrive_and_wait();
    out[threadIdx.x] = word[95 - threadIdx.x];
}

#endif

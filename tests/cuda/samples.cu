/*
 * samples.cu - what well-known samples do: reductions, scans, histograms, networks, flags, tickets.
 * The checkers must find nothing in them, although lanes shuffle from inactive ones, blocks wait for
 * each other, and structures have gaps.
 */
#include "cuda.h"

#ifdef __CUDACC__

/* A sum of each block: the last shuffles have fewer lanes than they read from. */
KERNEL(sample_reduce, u32, u32) {
    __shared__ u32 part[32];
    u32 sum = 0;
    for (u32 i = THREAD_INDEX; i < n; i += gridDim.x * blockDim.x)
        sum += in[i] ^ (u32)s;
    for (u32 k = 16; k; k >>= 1)
        sum += __shfl_down_sync(~0u, sum, k);
    if (threadIdx.x % 32 == 0)
        part[threadIdx.x / 32] = sum;
    __syncthreads();
    const u32 warps = blockDim.x / 32, mask = __ballot_sync(~0u, threadIdx.x < warps);
    if (threadIdx.x < warps) {
        sum = part[threadIdx.x];
        for (u32 k = warps / 2; k; k >>= 1)
            sum += __shfl_down_sync(mask, sum, k);
    }
    if (threadIdx.x == 0)
        out[blockIdx.x] = sum;
}

VARIABLE(u32, sample_ticket) = 0;
VARIABLE(u32, sample_sums)[64];

/* The block that draws the last ticket adds what all blocks have left. */
KERNEL(sample_last_block, u32, u32) {
    __shared__ u32 part[128];
    __shared__ bool last;
    u32 sum = 0;
    for (u32 i = THREAD_INDEX; i < n; i += gridDim.x * blockDim.x)
        sum += in[i] * (u32)s;
    for (u32 round = 0; round < 2; round++) {
        part[threadIdx.x] = sum;
        __syncthreads();
        for (u32 k = blockDim.x / 2; k; k >>= 1) {
            if (threadIdx.x < k)
                part[threadIdx.x] += part[threadIdx.x + k];
            __syncthreads();
        }
        if (round) {
            if (threadIdx.x == 0)
                *out = part[0];
            return;
        }
        if (threadIdx.x == 0) {
            sample_sums[blockIdx.x] = part[0];
            __threadfence();
            last = atomicInc(&sample_ticket, gridDim.x - 1) == gridDim.x - 1;
        }
        __syncthreads();
        if (!last)
            return;
        sum = threadIdx.x < gridDim.x ? ((volatile u32 *)sample_sums)[threadIdx.x] : 0;
    }
}

/* Counters of a byte's high six bits, a byte for each thread and counter. */
KERNEL(sample_histogram, u32, u32) {
    __shared__ u8 count[64 * 64];
    for (u32 i = threadIdx.x; i < 64 * 16; i += 64)
        ((u32 *)count)[i] = 0;
    __syncthreads();
    for (u32 i = threadIdx.x; i < n; i += 64)
        for (u32 k = 2; k < 32; k += 8)
            count[(in[i] >> k & 63) * 64 + threadIdx.x]++;
    __syncthreads();
    u32 sum = 0;
    for (u32 i = 0; i < 64; i++)
        sum += count[threadIdx.x * 64 + (i + threadIdx.x) % 64];
    out[threadIdx.x] = sum;
}

/* The bitonic network, over twice as many words as threads. */
KERNEL(sample_sort, u32, u32) {
    __shared__ u32 a[256];
    const u32 t = threadIdx.x;
    a[t] = in[t];
    a[t + 128] = in[t + 128];
    for (u32 size = 2; size <= 256; size *= 2) {
        for (u32 step = size / 2; step; step /= 2) {
            __syncthreads();
            const u32 at = 2 * t - (t & (step - 1)), x = a[at], y = a[at + step];
            if ((x > y) == !(at & size)) {
                a[at] = y;
                a[at + step] = x;
            }
        }
    }
    __syncthreads();
    out[t] = a[t];
    out[t + 128] = a[t + 128];
}

/* Warp 0 hands words to warp 1 through four places, with counters that nobody marks as atomic. */
KERNEL(sample_flags, u32, u32) {
    __shared__ volatile u32 head, tail;
    __shared__ u32 place[4];
    if (threadIdx.x == 0)
        head = tail = 0;
    __syncthreads();
    if (threadIdx.x == 0) {
        for (u32 i = 0; i < n; i++) {
            while (i - tail >= 4)
                ;
            place[i % 4] = in[i];
            __threadfence_block();
            head = i + 1;
        }
    } else if (threadIdx.x == 32) {
        for (u32 i = 0; i < n; i++) {
            while (head <= i)
                ;
            __threadfence_block();
            out[i] = place[i % 4] + (u32)s;
            __threadfence_block();
            tail = i + 1;
        }
    }
}

/* The same for whole warps, by barriers with names. */
KERNEL(sample_names, u32, u32) {
    __shared__ u32 room[2][32];
    const u32 lane = threadIdx.x % 32;
    for (u32 i = 0; i < n / 32; i++) {
        if (threadIdx.x < 32) {
            if (i >= 2)
                asm volatile("bar.sync %0, 64;" ::"r"(3 + i % 2) : "memory");
            room[i % 2][lane] = in[32 * i + lane];
            asm volatile("bar.arrive %0, 64;" ::"r"(1 + i % 2) : "memory");
        } else {
            asm volatile("bar.sync %0, 64;" ::"r"(1 + i % 2) : "memory");
            out[32 * i + lane] = room[i % 2][31 - lane] ^ (u32)s;
            if (i + 2 < n / 32)
                asm volatile("bar.arrive %0, 64;" ::"r"(3 + i % 2) : "memory");
        }
    }
}

/* Odd words, in place: each block waits for the one before it, which by then has loaded its own. */
KERNEL(sample_compact, u32, u32) {
    __shared__ u32 word[64], rank[64], before;
    volatile u32 *state = out + n;
    const u32 t = threadIdx.x, mine = out[THREAD_INDEX];
    word[t] = mine;
    rank[t] = mine & 1;
    for (u32 k = 1; k < 64; k *= 2) {
        __syncthreads();
        const u32 x = t >= k ? rank[t - k] : 0;
        __syncthreads();
        rank[t] += x;
    }
    __syncthreads();
    if (t == 0) {
        u32 sum = 0;
        while (blockIdx.x && !(sum = state[blockIdx.x - 1]))
            ;
        before = blockIdx.x ? sum - 1 : 0;
        state[blockIdx.x] = before + rank[63] + 1;
    }
    __syncthreads();
    if (word[t] & 1)
        out[before + rank[t] - 1] = word[t];
}

/* What is dropped all goes to one place. */
KERNEL(sample_drop, u32, u32) {
    __shared__ u32 room[4][33];
    const u32 lane = threadIdx.x % 32, warp = threadIdx.x / 32, mine = in[THREAD_INDEX];
    const u32 kept = __ballot_sync(~0u, mine >> 31), before = __popc(kept & ((1u << lane) - 1));
    room[warp][mine >> 31 ? before : 32] = mine;
    __syncwarp();
    out[THREAD_INDEX] = lane < __popc(kept) ? room[warp][lane] : (u32)s;
}

struct sample_parts {
    u32 word;
    u8 byte;
    u64 wide;
    u16 halves[3];
};

/* Structures with gaps, which are copied with them. */
KERNEL(sample_gaps, struct sample_parts, struct sample_parts) {
    const u32 i = THREAD_INDEX;
    if (i < n) {
        struct sample_parts x = in[i];
        x.word += x.byte;
        x.wide *= s;
        x.halves[i % 3]++;
        out[i] = x;
    }
}

/* Tiles of a product, and its transpose. */
KERNEL(sample_tiles, u32, u32) {
    __shared__ u32 a[16][16], b[16][16], c[16][17];
    const u32 x = threadIdx.x % 16, y = threadIdx.x / 16, row = blockIdx.x * 16 + y;
    u32 sum = 0;
    for (u32 k = 0; k < 48; k += 16) {
        a[y][x] = in[row * 48 + k + x];
        b[y][x] = in[(k + y) * 16 + x] ^ (u32)s;
        __syncthreads();
        for (u32 i = 0; i < 16; i++)
            sum += a[y][i] * b[i][x];
        __syncthreads();
    }
    c[y][x] = sum;
    __syncthreads();
    out[blockIdx.x * 256 + threadIdx.x] = c[x][y];
}

#endif

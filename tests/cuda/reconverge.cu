/*
 * reconverge.cu - loops in which some lanes leave out the warp's barrier: `continue` before
 * __syncwarp(), which names them all the same. They wait for the others at the end of the loop's
 * body, and GPUs let those pass. The lanes that do come to the barrier hand words on through shared
 * memory, so what they find there shows whether it has held them together.
 */
#include "cuda.h"

#define LANE (threadIdx.x & 31)

/* Which lanes go through iteration r: bit r of what the lane read. */
KERNEL(skip_some, u32, u32) {
    __shared__ u32 room[1024];
    u32 i = THREAD_INDEX, x = in[i], sum = x;
    for (u32 r = 0; r < n; r++) {
        if (x >> r & 1)
            continue;
        room[threadIdx.x] = sum + r;
        __syncwarp();
        for (u32 k = 0; k < 32; k++)
            sum = sum * 5 + room[(threadIdx.x & ~31u) + (LANE + k) % 32];
        __syncwarp();
    }
    out[i] = sum + (u32)s;
}

/* More and more lanes take part: lane k + s has its word from lane k, which had it before. */
KERNEL(more_and_more, u32, u32) {
    __shared__ u32 tree[1024];
    u32 i = THREAD_INDEX, *mine = tree + (threadIdx.x & ~31u);
    mine[LANE] = LANE ? 0 : in[i];
    __syncwarp();
    for (u32 step = 1; step < n; step *= 2) {
        if (LANE >= step)
            continue;
        mine[LANE + step] = mine[LANE] * 3 + step + (u32)s;
        __syncwarp();
    }
    __syncthreads();
    out[i] = tree[threadIdx.x ^ 32 % blockDim.x];
}

/* Fewer and fewer, and the block's barrier behind the loop. */
KERNEL(fewer_and_fewer, u32, u32) {
    __shared__ u32 sum[1024];
    u32 i = THREAD_INDEX;
    sum[threadIdx.x] = in[i];
    __syncwarp();
    for (u32 step = 16; step > n; step /= 2) {
        if (LANE >= step)
            continue;
        sum[threadIdx.x] += sum[threadIdx.x + step] * (u32)s;
        __syncwarp();
    }
    __syncthreads();
    out[i] = sum[(threadIdx.x + 32) % blockDim.x];
}

/* A loop in a loop, each with lanes that leave out a part or end it before the others. */
KERNEL(loop_in_loop, u32, u32) {
    __shared__ u32 room[1024];
    u32 i = THREAD_INDEX, x = in[i], sum = x;
    const u32 *next = room + (threadIdx.x & ~31u) + (LANE + 1) % 32;
    room[threadIdx.x] = 0;
    __syncwarp();
    for (u32 a = 0; a < 6; a++) {
        if ((x >> a & 3) == 1)
            continue;
        if (a > 3 && (x >> 30) == 3)
            break;
        for (u32 b = 0; b < n; b++) {
            if ((x >> (a + 3 * b) & 7) == 2)
                continue;
            if ((x >> (a + 2 * b) & 31) == 17)
                break;
            room[threadIdx.x] = sum * (b + 3);
            __syncwarp();
            sum += *next ^ (u32)s;
            __syncwarp();
        }
        sum = sum * 7 + a;
        __syncwarp();
    }
    out[i] = sum;
}

/* Lanes that end early, which nobody waits for. */
KERNEL(ending, u32, u32) {
    __shared__ u32 room[1024];
    u32 i = THREAD_INDEX, x = in[i], sum = x;
    const u32 *next = room + (threadIdx.x & ~31u) + (LANE + 7) % 32;
    room[threadIdx.x] = x;
    __syncwarp();
    for (u32 r = 0; r < n; r++) {
        if ((x >> r & 7) == 5) {
            out[i] = sum;
            return;
        }
        if (x >> (31 - r) & 1)
            continue;
        sum = sum * 9 + *next + (u32)s;
        __syncwarp();
        room[threadIdx.x] = sum;
        __syncwarp();
    }
    out[i] = ~sum;
}

/* The halves of a warp apart from each other, with a mask of their own. */
KERNEL(halves, u32, u32) {
    __shared__ u32 room[1024];
    u32 i = THREAD_INDEX, x = in[i], sum = x, low = LANE < 16;
    const u32 *next = room + (threadIdx.x & ~15u) + (LANE + 3) % 16;
    for (u32 r = 0; r < n; r++) {
        room[threadIdx.x] = sum;
        __syncwarp(low ? 0xffff : 0xffff0000);
        if (low) {
            if (x >> r & 1)
                continue;
            sum += *next * 3;
            __syncwarp(0xffff);
        } else {
            if (x >> (r + 5) & 1)
                continue;
            sum = sum * 5 + *next;
            __syncwarp(0xffff0000);
        }
        sum ^= (u32)s;
    }
    out[i] = sum;
}

/* The barrier is in a function, which keeps the caller's convergence barrier in a register. */
CALLED u32 through(u32 *mine, u32 *warp, u32 sum) {
    *mine = sum;
    __syncwarp();
    u32 other = warp[(LANE + 5) % 32];
    __syncwarp();
    return other;
}
KERNEL(in_a_function, u32, u32) {
    __shared__ u32 room[1024];
    u32 i = THREAD_INDEX, x = in[i], sum = x;
    room[threadIdx.x] = 0;
    __syncwarp();
    for (u32 r = 0; r < n; r++) {
        if (x >> r & 1)
            continue;
        sum = sum * 11 + through(room + threadIdx.x, room + (threadIdx.x & ~31u), sum + (u32)s);
    }
    out[i] = sum;
}

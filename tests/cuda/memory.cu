/*
 * memory.cu - kinds of memory: atomics of every sort, spin locks, generic pointers, constant tables,
 * variables, wide accesses, asynchronous copies. Not for the host: cubin_memory_test.c has the
 * references.
 */
#include "cuda.h"

CONSTANT(u32, constant_table[256]);
CONSTANT(u64, constant_primes[4]) = {0x1fffffffffe00001, 65537, 998244353, 12289};
VARIABLE(u32, counter);
VARIABLE(u64, device_table[64]) = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, 3};
VARIABLE(u64 *, device_pointer) = device_table + 5;

/* Results do not depend on the order: one word for each operation. */
KERNEL(atomics32, u32, u32) {
    u32 i = THREAD_INDEX;
    if (i >= n)
        return;
    u32 x = in[i];
    atomicAdd(&out[0], x);
    atomicSub(&out[1], x);
    atomicMin(&out[2], x);
    atomicMax(&out[3], x);
    atomicAnd(&out[4], x | 0xff00ff);
    atomicOr(&out[5], x & (u32)s);
    atomicXor(&out[6], x);
    atomicMin((int *)&out[7], (int)x);
    atomicMax((int *)&out[8], (int)x);
    atomicInc(&out[9], 36);
    atomicDec(&out[10], 40);
    u32 old = out[11], seen;
    do { /* a product modulo 2^32, by compare and swap */
        seen = old;
        old = atomicCAS(&out[11], seen, seen * (x | 1));
    } while (old != seen);
    atomicAdd(&out[12 + atomicAdd(&out[32], 1) % 16], 1);
    atomicExch(&out[28], 7);
}

KERNEL(atomics64, u64, u64) {
    u32 i = THREAD_INDEX;
    if (i >= n)
        return;
    unsigned long long x = in[i], *o = (unsigned long long *)out;
    atomicAdd(o, x);
    atomicMin(o + 1, x);
    atomicMax(o + 2, x);
    atomicAnd(o + 3, x | 0xff00ff00ff00ffull);
    atomicOr(o + 4, x & s);
    atomicXor(o + 5, x);
    atomicMin((long long *)o + 6, (long long)x);
    atomicMax((long long *)o + 7, (long long)x);
    unsigned long long old = o[8], seen;
    do {
        seen = old;
        old = atomicCAS(o + 8, seen, seen * (x | 1));
    } while (old != seen);
    atomicExch(o + 9, 7);
}

/* The same on shared memory, then summed up. */
KERNEL(atomics_shared, u32, u32) {
    __shared__ u32 bins[64];
    __shared__ unsigned long long total;
    u32 i = THREAD_INDEX;
    if (threadIdx.x < 64)
        bins[threadIdx.x] = 0;
    if (threadIdx.x == 0)
        total = 0;
    __syncthreads();
    if (i < n) {
        atomicAdd(&bins[in[i] & 31], 1);
        atomicMax(&bins[32 + (in[i] >> 5 & 7)], in[i]);
        atomicXor(&bins[40 + (in[i] >> 8 & 7)], in[i]);
        atomicCAS(&bins[48], 0, (u32)s);
        atomicAdd(&total, (unsigned long long)in[i] << 20);
    }
    __syncthreads();
    if (threadIdx.x < 32 || (threadIdx.x >= 40 && threadIdx.x < 48))
        atomicAdd(&out[threadIdx.x], bins[threadIdx.x]);
    else if (threadIdx.x < 40)
        atomicMax(&out[threadIdx.x], bins[threadIdx.x]);
    else if (threadIdx.x == 48)
        out[48] = bins[48];
    if (threadIdx.x == 0)
        atomicAdd((unsigned long long *)(out + 50), total);
}

/* Every thread of every block takes the lock once: a sum that is not atomic by itself. */
KERNEL(spin_lock, u32, u32) {
    u32 i = THREAD_INDEX;
    if (i >= n)
        return;
    bool done = false;
    while (!done) {
        if (atomicCAS(&out[0], 0, 1) == 0) {
            volatile u32 *sum = out + 1;
            *sum = *sum + in[i];
            volatile u32 *most = out + 2;
            if (in[i] > *most)
                *most = in[i];
            __threadfence();
            atomicExch(&out[0], 0);
            done = true;
        }
    }
    atomicAdd(&out[3], (u32)s);
}

/* A pointer that is shared memory in some lanes, global in others, local in the rest. */
KERNEL(generic_pointers, u32, u32) {
    __shared__ u32 shared[256];
    u32 i = THREAD_INDEX, t = threadIdx.x, local[8];
    for (u32 k = 0; k < 8; k++)
        local[k] = in[i] * k + (u32)s;
    shared[t] = in[i] ^ 0x5a5a5a5a;
    __syncthreads();
    u32 pick = in[i] % 3;
    u32 *p = pick == 0 ? &shared[t ^ 1] : pick == 1 ? &out[n + i] : &local[in[i] >> 4 & 7];
    *p += 17; /* shared[t ^ 1] belongs to one lane only */
    __syncthreads();
    out[i] = *p + shared[t] + local[in[i] >> 9 & 7] + (u32)__isShared(p) + 2 * (u32)__isGlobal(p);
}

KERNEL(constants, u64, u32) {
    u32 i = THREAD_INDEX;
    if (i >= n)
        return;
    u32 x = in[i];
    out[i] = constant_table[x & 255] + constant_primes[x >> 8 & 3] + constant_table[s & 255];
}

KERNEL(variables, u64, u32) {
    u32 i = THREAD_INDEX;
    if (i >= n)
        return;
    atomicAdd(&counter, in[i] + (u32)s);
    out[i] = device_table[in[i] & 63] + device_pointer[in[i] >> 6 & 7];
    if (i == 0)
        device_table[63] = 0x123456789abcdef;
}

/* 128-bit loads and stores, backwards. */
KERNEL(vectors, u32, u32) {
    u32 i = THREAD_INDEX;
    if (i >= n)
        return;
    uint4 a = ((const uint4 *)in)[n - 1 - i];
    ulonglong2 b = ((const ulonglong2 *)in)[i];
    ((uint4 *)out)[2 * i] = make_uint4(a.w, a.x + (u32)s, a.z, a.y);
    ((ulonglong2 *)out)[2 * i + 1] = make_ulonglong2(b.y, b.x);
}

/* Copies a tile of 4 words per thread to shared memory asynchronously, two stages in flight. */
KERNEL(async_copy, u32, u32) {
    __shared__ __align__(16) u32 tile[2][1024];
    u32 t = threadIdx.x, tiles = n, sum = (u32)s;
    for (u32 k = 0; k <= tiles; k++) {
        if (k < tiles) {
            u32 to = (u32)__cvta_generic_to_shared(&tile[k & 1][4 * t]);
            const u32 *from = in + (k * blockDim.x + t) * 4;
            asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(to), "l"(from));
        }
        asm volatile("cp.async.commit_group;");
        if (k) {
            asm volatile("cp.async.wait_group 1;");
            __syncthreads();
            sum = sum * 3 + tile[(k - 1) & 1][(4 * t + 5) % (4 * blockDim.x)];
            __syncthreads();
        }
    }
    asm volatile("cp.async.wait_all;");
    out[t] = sum;
}

/* Producers and consumers over named barriers: half of the block's warps each. */
KERNEL(named_barriers, u32, u32) {
    __shared__ u32 box[512];
    u32 t = threadIdx.x, half = blockDim.x / 2;
    for (u32 k = 0; k < n; k++) {
        if (t < half) {
            box[t] = in[k * half + t] + (u32)s;
            asm volatile("bar.arrive 1, %0;" ::"r"(blockDim.x) : "memory");
            asm volatile("bar.sync 2, %0;" ::"r"(blockDim.x) : "memory");
        } else {
            asm volatile("bar.sync 1, %0;" ::"r"(blockDim.x) : "memory");
            out[k * half + t - half] = box[(t - half) ^ 1] * 3;
            asm volatile("bar.arrive 2, %0;" ::"r"(blockDim.x) : "memory");
        }
    }
    u32 votes = (u32)__syncthreads_count((int)(in[t] & 1));
    u32 all = (u32)__syncthreads_and((int)(in[t] | 1)), any = (u32)__syncthreads_or((int)(t == 9));
    if (t == 0)
        out[n * half] = votes + (all ? 1000 : 0) + (any ? 10000 : 0);
}

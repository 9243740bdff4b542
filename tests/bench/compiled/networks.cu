/*
 * networks.cu - sorting networks over keys with values, bitonic and by odd-even merges: in shared
 * memory as long as it holds the elements that are compared, a launch a step after that.
 */
#include "../../cuda/cuda.h"

enum { PIECE = 1024, THREADS = PIECE / 2 };

DEVICE void compare(u32 &key_a, u32 &value_a, u32 &key_b, u32 &value_b, u32 up) {
    if ((key_a > key_b) == up) {
        u32 t = key_a;
        key_a = key_b;
        key_b = t;
        t = value_a;
        value_a = value_b;
        value_b = t;
    }
}

struct piece {
    u32 *key, *value; /* in shared memory */
    __device__ void load(const u32 *keys, const u32 *values) const {
        const u32 first = blockIdx.x * PIECE + threadIdx.x;
        key[threadIdx.x] = keys[first];
        value[threadIdx.x] = values[first];
        key[threadIdx.x + THREADS] = keys[first + THREADS];
        value[threadIdx.x + THREADS] = values[first + THREADS];
    }
    __device__ void store(u32 *keys, u32 *values) const {
        const u32 first = blockIdx.x * PIECE + threadIdx.x;
        keys[first] = key[threadIdx.x];
        values[first] = value[threadIdx.x];
        keys[first + THREADS] = key[threadIdx.x + THREADS];
        values[first + THREADS] = value[threadIdx.x + THREADS];
    }
    /* Steps of the strides `stride`, stride / 2, ..., 1. */
    __device__ void merge(u32 stride, u32 up) const {
        for (; stride; stride /= 2) {
            __syncthreads();
            const u32 at = 2 * threadIdx.x - (threadIdx.x & (stride - 1));
            compare(key[at], value[at], key[at + stride], value[at + stride], up);
        }
    }
};

/* All of a piece; pieces go up and down in turn. */
extern "C" __global__ void bitonic_sort(u32 *keys, u32 *values, const u32 *from_keys,
                                        const u32 *from_values) {
    __shared__ u32 key[PIECE], value[PIECE];
    const piece p = {key, value};
    p.load(from_keys, from_values);
    for (u32 size = 2; size < PIECE; size *= 2)
        p.merge(size / 2, (threadIdx.x & size / 2) == 0);
    p.merge(PIECE / 2, (blockIdx.x & 1) == 0);
    __syncthreads();
    p.store(keys, values);
}

extern "C" __global__ void bitonic_merge(u32 *keys, u32 *values, u32 size) {
    __shared__ u32 key[PIECE], value[PIECE];
    const piece p = {key, value};
    p.load(keys, values);
    p.merge(PIECE / 2, (THREAD_INDEX & size / 2) == 0);
    __syncthreads();
    p.store(keys, values);
}

extern "C" __global__ void bitonic_step(u32 *keys, u32 *values, u32 size, u32 stride) {
    const u32 i = THREAD_INDEX, a = 2 * i - (i & (stride - 1)), b = a + stride;
    u32 key_a = keys[a], value_a = values[a], key_b = keys[b], value_b = values[b];
    compare(key_a, value_a, key_b, value_b, (i & size / 2) == 0);
    keys[a] = key_a;
    values[a] = value_a;
    keys[b] = key_b;
    values[b] = value_b;
}

/* All of a piece by odd-even merges. */
extern "C" __global__ void odd_even_sort(u32 *keys, u32 *values, const u32 *from_keys,
                                         const u32 *from_values) {
    __shared__ u32 key[PIECE], value[PIECE];
    const piece p = {key, value};
    p.load(from_keys, from_values);
    for (u32 size = 2; size <= PIECE; size *= 2) {
        u32 stride = size / 2;
        const u32 offset = threadIdx.x & (stride - 1);
        __syncthreads();
        u32 at = 2 * threadIdx.x - offset;
        compare(key[at], value[at], key[at + stride], value[at + stride], 1);
        for (stride /= 2; stride; stride /= 2) {
            __syncthreads();
            at = 2 * threadIdx.x - (threadIdx.x & (stride - 1));
            if (offset >= stride)
                compare(key[at - stride], value[at - stride], key[at], value[at], 1);
        }
    }
    __syncthreads();
    p.store(keys, values);
}

extern "C" __global__ void odd_even_step(u32 *keys, u32 *values, u32 size, u32 stride) {
    const u32 i = THREAD_INDEX, at = 2 * i - (i & (stride - 1)), offset = i & (size / 2 - 1);
    if (stride < size / 2 && offset < stride)
        return;
    const u32 a = stride < size / 2 ? at - stride : at, b = a + stride;
    u32 key_a = keys[a], value_a = values[a], key_b = keys[b], value_b = values[b];
    compare(key_a, value_a, key_b, value_b, 1);
    keys[a] = key_a;
    values[a] = value_a;
    keys[b] = key_b;
    values[b] = value_b;
}

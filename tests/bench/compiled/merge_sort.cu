/*
 * merge_sort.cu - a stable sort of keys with values by merging: pieces in shared memory, then runs
 * of twice the length in each launch, whose parts for a block are found by bisection.
 */
#include "../../cuda/cuda.h"

enum { PIECE = 1024, THREADS = PIECE / 2 };

/* How many of the n sorted keys are below `key`, or, with `equal`, at most that. */
DEVICE u32 rank(const u32 *keys, u32 n, u32 key, bool equal) {
    u32 low = 0;
    while (n) {
        const u32 half = n / 2, k = keys[low + half];
        if (k < key || (equal && k == key)) {
            low += half + 1;
            n -= half + 1;
        } else {
            n = half;
        }
    }
    return low;
}

extern "C" __global__ void merge_pieces(u32 *keys, u32 *values, const u32 *from_keys,
                                        const u32 *from_values) {
    __shared__ u32 key[PIECE], value[PIECE];
    const u32 t = threadIdx.x, first = blockIdx.x * PIECE + t;
    key[t] = from_keys[first];
    value[t] = from_values[first];
    key[t + THREADS] = from_keys[first + THREADS];
    value[t + THREADS] = from_values[first + THREADS];
    for (u32 run = 1; run < PIECE; run *= 2) {
        const u32 at = t & (run - 1);
        u32 *base = key + 2 * (t - at);
        __syncthreads();
        const u32 a = base[at], value_a = value[base - key + at];
        const u32 b = base[at + run], value_b = value[base - key + at + run];
        const u32 place_a = rank(base + run, run, a, false) + at;
        const u32 place_b = rank(base, run, b, true) + at;
        __syncthreads();
        base[place_a] = a;
        value[base - key + place_a] = value_a;
        base[place_b] = b;
        value[base - key + place_b] = value_b;
    }
    __syncthreads();
    keys[first] = key[t];
    values[first] = value[t];
    keys[first + THREADS] = key[t + THREADS];
    values[first + THREADS] = value[t + THREADS];
}

/* How many of the first `count` elements of two merged runs are of the first one. */
DEVICE u32 share(const u32 *a, const u32 *b, u32 run, u32 count) {
    u32 low = count > run ? count - run : 0, high = min(count, run);
    while (low < high) {
        const u32 middle = (low + high) / 2;
        if (a[middle] <= b[count - 1 - middle])
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* A block makes PIECE elements of two merged runs of `run` elements each. */
extern "C" __global__ void merge_runs(u32 *keys, u32 *values, const u32 *from_keys,
                                      const u32 *from_values, u32 run) {
    __shared__ u32 key[PIECE], value[PIECE], shares[2];
    const u32 t = threadIdx.x, first = blockIdx.x * PIECE, done = first & (2 * run - 1);
    const u32 *a = from_keys + (first - done), *b = a + run;
    if (t < 2)
        shares[t] = share(a, b, run, done + t * PIECE);
    __syncthreads();
    const u32 skip_a = shares[0], count_a = shares[1] - skip_a, skip_b = done - skip_a;
    for (u32 i = t; i < PIECE; i += THREADS) {
        const u32 at = first - done + (i < count_a ? skip_a + i : run + skip_b + i - count_a);
        key[i] = from_keys[at];
        value[i] = from_values[at];
    }
    __syncthreads();
    for (u32 i = t; i < PIECE; i += THREADS) {
        const u32 k = key[i];
        const u32 place = i < count_a ? i + rank(key + count_a, PIECE - count_a, k, false)
                                      : i - count_a + rank(key, count_a, k, true);
        keys[first + place] = k;
        values[first + place] = value[i];
    }
}

/*
 * abi.cu - what hosts hand to kernels: structures by value, arrays of addresses, addresses in
 * variables, tables in constant memory, dynamic shared memory, several kernels on one memory; and
 * asserts. tests/cli/launch.sh does what a host program would do.
 */
#include <assert.h>

#include "cuda.h"

/* With padding behind step and shift. */
struct rns {
    const u64 *a;
    u16 step;
    u32 n;
    u8 shift;
    double scale;
    const u64 *b;
};

extern "C" __global__ void by_value(u64 *out, rns p, u32 more) {
    for (u32 i = THREAD_INDEX; i < p.n; i += blockDim.x * gridDim.x)
        out[i] = (p.a[i] >> p.shift) * p.step + p.b[p.n - 1 - i] + (u64)(p.scale * 4.0) + more;
}

/* The rows of a key, each somewhere else; one may not be there. */
extern "C" __global__ void inner_product(u64 *out, const u64 *const *rows, const u64 *digits,
                                         u32 count, u32 n) {
    for (u32 i = THREAD_INDEX; i < n; i += blockDim.x * gridDim.x) {
        u64 sum = 0;
        for (u32 k = 0; k < count; k++)
            if (rows[k])
                sum += rows[k][i] * digits[k * n + i];
        out[i] = sum;
    }
}

extern "C" __constant__ u64 moduli[5];
extern "C" __constant__ struct {
    u32 step, from;
} walk;
extern "C" __device__ u64 *target = nullptr;
extern "C" __device__ u32 rounds_done = 0;

extern "C" __global__ void through_variables(u32 n) {
    u32 i = THREAD_INDEX;
    if (i < n)
        target[i] = (target[i] + (u64)i * walk.step + walk.from) % moduli[i % 5];
    if (i == 0)
        rounds_done++;
}

/* Two kernels, the second of which needs all that the first one wrote. Shared memory as large as
 * the host says. */
extern "C" __global__ void reverse_blocks(u64 *data, u64 *between) {
    extern __shared__ u64 room[];
    room[blockDim.x - 1 - threadIdx.x] = data[THREAD_INDEX];
    __syncthreads();
    between[THREAD_INDEX] = room[threadIdx.x];
}
extern "C" __global__ void add_across(u64 *data, const u64 *between) {
    u32 n = blockDim.x * gridDim.x;
    data[THREAD_INDEX] += between[n - 1 - THREAD_INDEX] * 3;
}

extern "C" __global__ void floats(double *out, float x, double y, s16 z) {
    out[threadIdx.x] = (double)x * y + z + threadIdx.x;
}

extern "C" __global__ void asserts(u32 *data, u32 most) {
    assert(data[threadIdx.x] < most && "too large");
    data[threadIdx.x]++;
}

/* More than 4096 bytes of parameters, which still begin where all others do. */
struct page {
    u64 words[512];
};

extern "C" __global__ void page_struct(u64 *out, const __grid_constant__ page p) {
    u32 i = THREAD_INDEX;
    out[i] = p.words[i] + p.words[511 - i] * 5;
}

/* More than 4352 bytes of parameters, which begin elsewhere in the constant bank. Each warp has a
 * row of its own, whose number is the warp's in its block. */
struct table {
    u64 rows[5][211];
};

extern "C" __global__ void large_struct(u64 *out, const __grid_constant__ table t, u32 n) {
    u32 warp, i = THREAD_INDEX;
    asm volatile("mov.u32 %0, %%warpid;" : "=r"(warp));
    if (i < n)
        out[i] = t.rows[warp % 5][i % 211] * 3 + warp;
}

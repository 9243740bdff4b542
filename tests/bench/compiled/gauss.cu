/*
 * gauss.cu - integers of a discrete Gaussian distribution, from counters by Philox 4x32-10 (Salmon
 * and others 2011): by a table of cumulative probabilities, with integers alone and in a time that
 * tells nothing; and by the method of Box and Muller, with the fast functions of the hardware.
 */
#include "../../cuda/cuda.h"

enum { TABLE = 32 };

DEVICE uint4 philox(u32 counter, u64 key) {
    uint4 x = make_uint4(counter, 0, 0x243f6a88, 0x85a308d3);
    u32 k0 = (u32)key, k1 = (u32)(key >> 32);
#pragma unroll
    for (u32 round = 0; round < 10; round++) {
        const u64 a = (u64)x.x * 0xd2511f53u, b = (u64)x.z * 0xcd9e8d57u;
        x = make_uint4((u32)(b >> 32) ^ x.y ^ k0, (u32)b, (u32)(a >> 32) ^ x.w ^ k1, (u32)a);
        k0 += 0x9e3779b9u;
        k1 += 0xbb67ae85u;
    }
    return x;
}

/* The number of entries that are at most the low 63 bits, with the highest bit as its sign. */
DEVICE s32 sample(const u64 *table, u64 random) {
    const u64 x = random & 0x7fffffffffffffffull;
    s32 magnitude = 0;
#pragma unroll 8
    for (u32 i = 0; i < TABLE; i++)
        magnitude += x >= table[i];
    return random >> 63 ? -magnitude : magnitude;
}

/* Two for each counter: n counters from `first` on. */
extern "C" __global__ void gauss_cdt(int2 *out, const u64 *table, u64 key, u32 first, u32 n) {
    __shared__ u64 shared[TABLE];
    if (threadIdx.x < TABLE)
        shared[threadIdx.x] = table[threadIdx.x];
    __syncthreads();
    for (u32 i = THREAD_INDEX; i < n; i += gridDim.x * blockDim.x) {
        const uint4 x = philox(first + i, key);
        out[i] = make_int2(sample(shared, (u64)x.y << 32 | x.x), sample(shared, (u64)x.w << 32 | x.z));
    }
}

/* Four for each counter. */
extern "C" __global__ void gauss_box_muller(int4 *out, u64 key, u32 first, u32 n, float deviation) {
    for (u32 i = THREAD_INDEX; i < n; i += gridDim.x * blockDim.x) {
        const uint4 x = philox(first + i, key);
        const float scale = 2.3283064365386963e-10f, turn = 6.2831853071795865f * scale; /* 2^-32 */
        float s0, c0, s1, c1;
        const float r0 = deviation * sqrtf(-2 * __logf((float)x.x * scale + scale / 2));
        const float r1 = deviation * sqrtf(-2 * __logf((float)x.z * scale + scale / 2));
        __sincosf((float)x.y * turn, &s0, &c0);
        __sincosf((float)x.w * turn, &s1, &c1);
        out[i] = make_int4(__float2int_rn(r0 * c0), __float2int_rn(r0 * s0), __float2int_rn(r1 * c1),
                           __float2int_rn(r1 * s1));
    }
}

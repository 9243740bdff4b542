/*
 * walsh.cu - fast Walsh transforms of floats, two stages at a time, in global memory while the
 * stride is large and in shared memory for the rest; and products of spectra.
 */
#include "../../cuda/cuda.h"

enum { PIECE = 2048, THREADS = PIECE / 4 };

/* Two stages: of elements 2 stride apart, then stride. */
DEVICE void two_stages(float *out, const float *in, u32 i0, u32 stride) {
    const u32 i1 = i0 + stride, i2 = i1 + stride, i3 = i2 + stride;
    const float a = in[i0] + in[i2], c = in[i0] - in[i2];
    const float b = in[i1] + in[i3], d = in[i1] - in[i3];
    out[i0] = a + b;
    out[i1] = a - b;
    out[i2] = c + d;
    out[i3] = c - d;
}

extern "C" __global__ void walsh_global(float *out, const float *in, u32 stride) {
    const u32 i = THREAD_INDEX, low = i & (stride - 1);
    two_stages(out, in, (i - low) * 4 + low, stride);
}

/* The last eleven stages. */
extern "C" __global__ void walsh_shared(float *data) {
    __shared__ float part[PIECE];
    data += blockIdx.x * PIECE;
    for (u32 i = threadIdx.x; i < PIECE; i += THREADS)
        part[i] = data[i];
    u32 stride = PIECE / 4;
    for (; stride; stride /= 4) {
        const u32 low = threadIdx.x & (stride - 1);
        __syncthreads();
        two_stages(part, part, (threadIdx.x - low) * 4 + low, stride);
    }
    __syncthreads();
    for (u32 i = threadIdx.x; i < PIECE / 2; i += THREADS) {
        const float a = part[2 * i], b = part[2 * i + 1];
        part[2 * i] = a + b;
        part[2 * i + 1] = a - b;
    }
    __syncthreads();
    for (u32 i = threadIdx.x; i < PIECE; i += THREADS)
        data[i] = part[i];
}

extern "C" __global__ void walsh_multiply(float *a, const float *b, u32 n, float factor) {
    for (u32 i = THREAD_INDEX; i < n; i += gridDim.x * blockDim.x)
        a[i] *= b[i] * factor;
}

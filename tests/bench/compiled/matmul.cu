/*
 * matmul.cu - a product of matrices of floats by tiles in shared memory, an element a thread.
 */
#include "../../cuda/cuda.h"

enum { TILE = 32 };

/* c = a b, of rows of `inner` and of `width` elements. */
extern "C" __global__ void matmul(float *c, const float *a, const float *b, u32 inner, u32 width) {
    const u32 x = threadIdx.x, y = threadIdx.y;
    const u32 first = inner * TILE * blockIdx.y;
    float sum = 0;
    for (u32 k = 0; k < inner; k += TILE) {
        __shared__ float part_a[TILE][TILE], part_b[TILE][TILE];
        part_a[y][x] = a[first + k + inner * y + x];
        part_b[y][x] = b[width * (k + y) + TILE * blockIdx.x + x];
        __syncthreads();
#pragma unroll
        for (u32 i = 0; i < TILE; i++)
            sum = __fmaf_rn(part_a[y][i], part_b[i][x], sum);
        __syncthreads();
    }
    c[width * (TILE * blockIdx.y + y) + TILE * blockIdx.x + x] = sum;
}

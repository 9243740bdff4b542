/*
 * transpose.cu - copies and transposes of a matrix of floats through tiles in shared memory, in
 * short blocks.
 */
#include "../../cuda/cuda.h"

enum { TILE = 16 };

extern "C" __global__ void transpose_copy(float *out, const float *in, u32 width) {
    __shared__ float tile[TILE][TILE];
    const u32 x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
    tile[threadIdx.y][threadIdx.x] = in[y * width + x];
    __syncthreads();
    out[y * width + x] = tile[threadIdx.y][threadIdx.x];
}

extern "C" __global__ void transpose_tiles(float *out, const float *in, u32 width, u32 height) {
    __shared__ float tile[TILE][TILE + 1];
    u32 x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
    tile[threadIdx.y][threadIdx.x] = in[y * width + x];
    __syncthreads();
    x = blockIdx.y * TILE + threadIdx.x;
    y = blockIdx.x * TILE + threadIdx.y;
    out[y * height + x] = tile[threadIdx.x][threadIdx.y];
}

/* The same with blocks in the order of diagonals. */
extern "C" __global__ void transpose_diagonal(float *out, const float *in, u32 width, u32 height) {
    __shared__ float tile[TILE][TILE + 1];
    const u32 number = blockIdx.x + gridDim.x * blockIdx.y, row = number % gridDim.y;
    const u32 column = (number / gridDim.y + row) % gridDim.x;
    u32 x = column * TILE + threadIdx.x, y = row * TILE + threadIdx.y;
    tile[threadIdx.y][threadIdx.x] = in[y * width + x];
    __syncthreads();
    x = row * TILE + threadIdx.x;
    y = column * TILE + threadIdx.y;
    out[y * height + x] = tile[threadIdx.x][threadIdx.y];
}

/*
 * imma.cu - a product of matrices of signed bytes by the matrix instructions, with tiles in shared
 * memory that LDSM brings to registers.
 *
 * A block has four warps and 64 x 64 elements of the product, a warp 32 x 32. Rows of the tiles have
 * 16 bytes more than they need, so that LDSM meets other banks in each.
 */
#include "../../cuda/cuda.h"

enum { TILE = 64, DEPTH = 64, PITCH = DEPTH + 16, THREADS = 128 };

DEVICE void load_tile(s8 (*tile)[PITCH], const s8 *from, u32 pitch) {
    for (u32 i = threadIdx.x; i < TILE * DEPTH / 16; i += THREADS)
        *(int4 *)&tile[i / 4][i % 4 * 16] = *(const int4 *)(from + i / 4 * pitch + i % 4 * 16);
}

/* Four matrices of 8 rows and 16 bytes; each lane gives a row. */
DEVICE void ldsm(u32 *r, const s8 *row) {
    const u32 address = (u32)__cvta_generic_to_shared(row);
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
                 : "r"(address));
}

DEVICE void multiply(s32 *c, const u32 *a, u32 b) {
    asm volatile("mma.sync.aligned.m16n8k16.row.col.s32.s8.s8.s32 {%0, %1, %2, %3}, {%4, %5}, "
                 "{%6}, {%0, %1, %2, %3};"
                 : "+r"(c[0]), "+r"(c[1]), "+r"(c[2]), "+r"(c[3])
                 : "r"(a[0]), "r"(a[1]), "r"(b));
}

/* d = a b + c; a by rows of `inner`, b by columns of `inner`, c and d by rows of `width`. */
extern "C" __global__ void imma(s32 *d, const s8 *a, const s8 *b, const s32 *c, u32 inner, u32 width) {
    __shared__ s8 part_a[TILE][PITCH], part_b[TILE][PITCH];
    const u32 lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    const u32 row = warp / 2 * 32, column = warp % 2 * 32;
    const u32 top = blockIdx.y * TILE + row + lane / 4;
    const u32 left = blockIdx.x * TILE + column + lane % 4 * 2;
    s32 sum[2][4][4];
    for (u32 i = 0; i < 2; i++)
        for (u32 j = 0; j < 4; j++)
            for (u32 k = 0; k < 4; k++)
                sum[i][j][k] = c[(top + 16 * i + k / 2 * 8) * width + left + 8 * j + k % 2];
    for (u32 first = 0; first < inner; first += DEPTH) {
        load_tile(part_a, a + (size_t)blockIdx.y * TILE * inner + first, inner);
        load_tile(part_b, b + (size_t)blockIdx.x * TILE * inner + first, inner);
        __syncthreads();
#pragma unroll
        for (u32 k = 0; k < DEPTH; k += 32) {
            u32 rows[2][4], columns[4][2];
            for (u32 i = 0; i < 2; i++)
                ldsm(rows[i], &part_a[row + 16 * i + lane % 16][k + lane / 16 * 16]);
            for (u32 j = 0; j < 2; j++) {
                u32 r[4];
                ldsm(r, &part_b[column + 16 * j + lane % 16][k + lane / 16 * 16]);
                columns[2 * j][0] = r[0];
                columns[2 * j + 1][0] = r[1];
                columns[2 * j][1] = r[2];
                columns[2 * j + 1][1] = r[3];
            }
            for (u32 i = 0; i < 2; i++)
                for (u32 j = 0; j < 4; j++)
                    for (u32 half = 0; half < 2; half++)
                        multiply(sum[i][j], rows[i] + 2 * half, columns[j][half]);
        }
        __syncthreads();
    }
    for (u32 i = 0; i < 2; i++)
        for (u32 j = 0; j < 4; j++)
            for (u32 k = 0; k < 4; k++)
                d[(top + 16 * i + k / 2 * 8) * width + left + 8 * j + k % 2] = sum[i][j][k];
}

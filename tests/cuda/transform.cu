/*
 * transform.cu - number theoretic transforms in shared memory, and integer matrix products on Tensor
 * Cores. Not for the host: cubin_transform_test.c has the references.
 */
#include "cuda.h"

#include <mma.h>

extern __shared__ __align__(16) u32 dynamic[];

/* A cyclic transform of 2 * blockDim.x words of below 2^31, radix 2, decimation in time over
 * bit-reversed input. in: the data, then the powers of the root w, w^k for k below half. s = q. */
KERNEL(ntt_radix2, u32, u32) {
    u32 t = threadIdx.x, size = 2 * blockDim.x, q = (u32)s;
    u32 bits = (u32)(31 - __clz((int)size));
    const u32 *powers = in + gridDim.x * size;
    in += blockIdx.x * size;
    out += blockIdx.x * size;
    for (u32 k = t; k < size; k += blockDim.x)
        dynamic[__brev(k) >> (32 - bits)] = in[k];
    __syncthreads();
    for (u32 half = 1; half < size; half *= 2) {
        u32 j = t & (half - 1), a = 2 * (t - j) + j, b = a + half;
        u32 y = (u32)((u64)dynamic[b] * powers[j * (size / 2 / half)] % q), x = dynamic[a];
        dynamic[a] = x + y >= q ? x + y - q : x + y;
        dynamic[b] = x >= y ? x - y : x + q - y;
        __syncthreads();
    }
    for (u32 k = t; k < size; k += blockDim.x)
        out[k] = dynamic[k] + n - n;
}

/* A cyclic transform of 64-bit words of n = 64 * 64 or less in four steps: columns, twiddles, rows,
 * transpose; the sides are blockDim.x. in: the data, then all n powers of the root. s = q. */
KERNEL(ntt_four_step, u64, u64) {
    u64 *tile = (u64 *)dynamic;
    u32 t = threadIdx.x, side = blockDim.x;
    const u64 *powers = in + n;
    for (u32 k2 = 0; k2 < side; k2++) { /* column t: sum over rows */
        u64 sum = 0;
        for (u32 r = 0; r < side; r++)
            sum = (u64)(((u128)in[r * side + t] * powers[(u64)r * k2 % side * side] + sum) % s);
        tile[k2 * side + t] = (u64)((u128)sum * powers[(u64)k2 * t % n] % s);
    }
    __syncthreads();
    for (u32 k1 = 0; k1 < side; k1++) { /* row t */
        u64 sum = 0;
        for (u32 c = 0; c < side; c++)
            sum = (u64)(((u128)tile[t * side + c] * powers[(u64)c * k1 % side * side] + sum) % s);
        out[k1 * side + t] = sum;
    }
}

/* C = A * B of bytes, 16 x 8 x 32 a warp and step of K: mma.sync. A is 16 x n, B is n x 8 by
 * columns; in: A, then B. */
KERNEL(mma_s8, s32, s8) {
    u32 lane = threadIdx.x & 31, g = lane >> 2, q = lane & 3;
    const s8 *b = in + 16 * n;
    s32 c[4] = {(s32)s, 0, 0, 0};
    for (u32 k = 0; k < n; k += 32) {
        u32 a[4], x[2];
        for (u32 r = 0; r < 4; r++)
            a[r] = *(const u32 *)(in + (g + 8 * (r & 1)) * n + k + 4 * q + 16 * (r >> 1));
        for (u32 r = 0; r < 2; r++)
            x[r] = *(const u32 *)(b + g * n + k + 4 * q + 16 * r);
        asm volatile("mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 {%0,%1,%2,%3}, "
                     "{%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
                     : "+r"(c[0]), "+r"(c[1]), "+r"(c[2]), "+r"(c[3])
                     : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(x[0]), "r"(x[1]));
    }
    for (u32 v = 0; v < 4; v++)
        out[(g + 8 * (v >> 1)) * 8 + 2 * q + (v & 1)] = c[v];
}

/* The same with unsigned bytes, 16 x 8 x 16, A through ldmatrix. */
KERNEL(mma_u8_ldmatrix, s32, u8) {
    __shared__ __align__(16) u8 tile[16 * 16];
    u32 lane = threadIdx.x & 31, g = lane >> 2, q = lane & 3;
    const u8 *b = in + 16 * n;
    s32 c[4] = {0, 0, 0, (s32)s};
    for (u32 k = 0; k < n; k += 16) {
        __syncwarp();
        ((u64 *)tile)[lane] = *(const u64 *)(in + (lane >> 1) * n + k + 8 * (lane & 1));
        __syncwarp();
        u32 a[2], x = *(const u32 *)(b + g * n + k + 4 * q);
        u32 from = (u32)__cvta_generic_to_shared(tile + 16 * (lane & 15));
        asm volatile("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0,%1}, [%2];"
                     : "=r"(a[0]), "=r"(a[1])
                     : "r"(from));
        asm volatile("mma.sync.aligned.m16n8k16.row.col.s32.u8.u8.s32 {%0,%1,%2,%3}, {%4,%5}, "
                     "{%6}, {%0,%1,%2,%3};"
                     : "+r"(c[0]), "+r"(c[1]), "+r"(c[2]), "+r"(c[3])
                     : "r"(a[0]), "r"(a[1]), "r"(x));
    }
    for (u32 v = 0; v < 4; v++)
        out[(g + 8 * (v >> 1)) * 8 + 2 * q + (v & 1)] = c[v];
}

/* 16 x 16 x n by WMMA; A by rows, B by columns. */
KERNEL(wmma_u8, s32, u8) {
    using namespace nvcuda;
    wmma::fragment<wmma::matrix_a, 16, 16, 16, u8, wmma::row_major> a;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, u8, wmma::col_major> b;
    wmma::fragment<wmma::accumulator, 16, 16, 16, s32> c;
    wmma::fill_fragment(c, (s32)s);
    for (u32 k = 0; k < n; k += 16) {
        wmma::load_matrix_sync(a, in + k, n);
        wmma::load_matrix_sync(b, in + 16 * n + k, n);
        wmma::mma_sync(c, a, b, c);
    }
    wmma::store_matrix_sync(out, c, 16, wmma::mem_row_major);
}

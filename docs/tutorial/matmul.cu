/*
 * matmul.cu - D = A B modulo q on int8 Tensor Cores, as CUDA code does it: residues of up to 30 bits
 * are cut into bytes, the bytes are multiplied by IMMA, the partial products are put together again
 * and reduced by Barrett's method.
 *
 * A: 16 rows a block, of k elements. B: 8 columns of k elements, one column after the other. D: 16
 * rows a block, of 8 elements. k is a multiple of 16. One warp a block. q < 2^30.
 */
#include <stdint.h>

struct modulus {
    uint32_t q, unused;
    uint64_t mu; /* floor(2^64 / q) */
};

/* Byte i of four elements. */
static __device__ uint32_t plane(uint4 x, int i) {
    uint32_t low = __byte_perm(x.x, x.y, i | (i + 4) << 4);
    uint32_t high = __byte_perm(x.z, x.w, i | (i + 4) << 4);
    return __byte_perm(low, high, 0x5410);
}

extern "C" __global__ void matmul_mod(uint32_t *__restrict__ d, const uint4 *__restrict__ a,
                                      const uint4 *__restrict__ b, struct modulus m, uint32_t k) {
    uint32_t lane = threadIdx.x, g = lane >> 2, t = lane & 3, row = 16 * blockIdx.x + g;
    uint32_t r[4] = {0, 0, 0, 0}; /* rows g and g + 8, columns 2t and 2t + 1 */
#pragma unroll 1
    for (uint32_t j = 0; j < k; j += 16) {
        uint4 upper = a[(row * k + j) / 4 + t], lower = a[((row + 8) * k + j) / 4 + t];
        uint4 column = b[(g * k + j) / 4 + t];
        uint32_t sum[7][4] = {}; /* of the products of bytes whose places add up to w */
#pragma unroll
        for (int x = 0; x < 4; x++)
#pragma unroll
            for (int y = 0; y < 4; y++) {
                uint32_t *s = sum[x + y];
                asm("mma.sync.aligned.m16n8k16.row.col.s32.u8.u8.s32 {%0,%1,%2,%3}, {%4,%5}, {%6}, "
                    "{%0,%1,%2,%3};"
                    : "+r"(s[0]), "+r"(s[1]), "+r"(s[2]), "+r"(s[3])
                    : "r"(plane(upper, x)), "r"(plane(lower, x)), "r"(plane(column, y)));
            }
#pragma unroll
        for (int i = 0; i < 4; i++) {
            uint64_t z = r[i]; /* stays below 2^64: 16 (q - 1)^2 + q - 1 */
#pragma unroll
            for (int w = 0; w < 7; w++)
                z += (uint64_t)sum[w][i] << 8 * w;
            uint32_t rest = (uint32_t)z - (uint32_t)__umul64hi(z, m.mu) * m.q;
            r[i] = rest >= m.q ? rest - m.q : rest;
        }
    }
    uint2 *to = (uint2 *)d + row * 4 + t;
    to[0] = make_uint2(r[0], r[1]);
    to[32] = make_uint2(r[2], r[3]);
}

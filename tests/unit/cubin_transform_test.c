/*
 * cubin_transform_test.c - compiled transforms against the sum that defines them, and compiled
 * integer matrix products on Tensor Cores against three loops.
 */
#include "cubin_util.h"

typedef unsigned __int128 u128;

static uint64_t power(uint64_t base, uint64_t e, uint64_t q) {
    uint64_t r = 1;
    for (; e; e >>= 1, base = (uint64_t)((u128)base * base % q))
        r = e & 1 ? (uint64_t)((u128)r * base % q) : r;
    return r;
}

/* ---------------------------------------------------------------- transforms */

enum { Q32 = 998244353 };                 /* 3 generates; 2^23 divides q - 1 */
#define Q64 UINT64_C(4179340454199820289) /* 29 * 2^57 + 1; 3 generates */

static uint32_t *words(uint8_t *bytes) {
    return (uint32_t *)(void *)bytes;
}
static uint64_t *longs(uint8_t *bytes) {
    return (uint64_t *)(void *)bytes;
}

/* n = grid * 2 * block words, then the powers of the root of size 2 * block. */
static void radix2_data(struct cubin_case *c) {
    uint32_t size = 2 * c->block;
    c->s = Q32;
    c->dynamic_shared = 4 * size;
    for (uint32_t i = 0; i < c->n; i++)
        words(c->in)[i] %= Q32;
    uint64_t w = power(3, (Q32 - 1) / size, Q32);
    for (uint32_t k = 0; k < size / 2; k++)
        words(c->in)[c->n + k] = (uint32_t)power(w, k, Q32);
}

static void ref_ntt_radix2(struct cubin_case *c) {
    uint32_t size = 2 * c->block;
    uint64_t w = power(3, (Q32 - 1) / size, Q32);
    for (uint32_t b = 0; b < c->grid; b++) {
        for (uint32_t k = 0; k < size; k++) {
            uint64_t sum = 0, wk = power(w, k, Q32), x = 1;
            for (uint32_t j = 0; j < size; j++, x = x * wk % Q32)
                sum = (sum + words(c->in)[b * size + j] * x) % Q32;
            words(c->want)[b * size + k] = (uint32_t)sum;
        }
    }
}

static void four_step_data(struct cubin_case *c) {
    c->s = Q64;
    c->dynamic_shared = 8 * c->n;
    uint64_t w = power(3, (Q64 - 1) / c->n, Q64);
    for (uint32_t i = 0; i < c->n; i++) {
        longs(c->in)[i] %= Q64;
        longs(c->in)[c->n + i] = power(w, i, Q64);
    }
}

/* X[k], k = k1 side + k2, is the sum of x[j] w^(jk). */
static void ref_ntt_four_step(struct cubin_case *c) {
    uint64_t w = power(3, (Q64 - 1) / c->n, Q64);
    for (uint32_t k = 0; k < c->n; k++) {
        uint64_t sum = 0, wk = power(w, k, Q64), x = 1;
        for (uint32_t j = 0; j < c->n; j++, x = (uint64_t)((u128)x * wk % Q64))
            sum = (uint64_t)(((u128)longs(c->in)[j] * x + sum) % Q64);
        longs(c->want)[k] = sum;
    }
}

/* ---------------------------------------------------------------- matrix products */

/* 16 x columns; A by rows of n bytes, B by columns of n bytes. */
static void product(struct cubin_case *c, uint32_t columns, bool is_signed, uint64_t constant,
                    int constant_at) {
    for (uint32_t row = 0; row < 16; row++) {
        for (uint32_t column = 0; column < columns; column++) {
            uint32_t sum = 0, at = row * columns + column, inside = column % 2;
            for (uint32_t k = 0; k < c->n; k++) {
                uint8_t a = c->in[row * c->n + k], b = c->in[(16 + column) * c->n + k];
                sum += is_signed ? (uint32_t)((int8_t)a * (int8_t)b) : (uint32_t)a * b;
            }
            int slot = (int)(row / 8 * 2 + inside);
            if (constant_at < 0 || slot == constant_at)
                sum += (uint32_t)constant;
            words(c->want)[at] = sum;
        }
    }
}

static void ref_mma_s8(struct cubin_case *c) {
    product(c, 8, true, c->s, 0);
}
static void ref_mma_u8_ldmatrix(struct cubin_case *c) {
    product(c, 8, false, c->s, 3);
}
static void ref_wmma_u8(struct cubin_case *c) {
    product(c, 16, false, c->s, -1);
}

static const uint32_t radix2_shapes[][3] = {
    {64, 1, 32}, {192, 3, 32}, {512, 2, 128}, {2048, 1, 1024}, {0, 0, 0}};
static const uint32_t four_step_shapes[][3] = {{64, 1, 8}, {256, 1, 16}, {1024, 1, 32}, {0, 0, 0}};
static const uint32_t product_shapes[][3] = {{32, 1, 32}, {64, 1, 32}, {256, 1, 32}, {0, 0, 0}};

int main(void) {
#define ROW(name, ...) CUBIN_KERNEL("transform", name, __VA_ARGS__)
    ROW(ntt_radix2, .prepare = radix2_data, .in_size = 6, .out_size = 4, .shapes = radix2_shapes,
        .seeds = 2)
    ROW(ntt_four_step, .prepare = four_step_data, .in_size = 16, .out_size = 8,
        .shapes = four_step_shapes, .seeds = 2)
    ROW(mma_s8, .in_size = 24, .out_more = 512, .shapes = product_shapes, .seeds = 12)
    ROW(mma_u8_ldmatrix, .in_size = 24, .out_more = 512, .shapes = product_shapes, .seeds = 12)
    ROW(wmma_u8, .in_size = 32, .out_more = 1024, .shapes = product_shapes, .seeds = 12)
    const struct CMUnitTest tests[] = {CUBIN_TEST(ntt_radix2), CUBIN_TEST(ntt_four_step),
                                       CUBIN_TEST(mma_s8), CUBIN_TEST(mma_u8_ldmatrix),
                                       CUBIN_TEST(wmma_u8)};
    return cmocka_run_group_tests_name("compiled transforms and products", tests, NULL, NULL);
}

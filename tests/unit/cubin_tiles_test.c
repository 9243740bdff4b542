/*
 * cubin_tiles_test.c - compiled kernels whose cooperative groups have more than one warp: results
 * of the groups, and that what they keep in reserved shared memory is none of the kernel's arrays.
 */
#include "cubin_util.h"

/* Word i of the input, 0 behind its end. */
static uint32_t at(const struct cubin_case *c, uint32_t i) {
    return i < c->n ? cubin_u32(c->in, i) : 0;
}

static void ref_tiles_and_arrays(struct cubin_case *c) {
    for (uint32_t i = 0; i < c->n; i++) {
        const uint32_t two = i / 64 * 64, four = i / 128 * 128, block = i / 256 * 256;
        uint32_t sum = 0, most = 0, before = 0, upto = 0;
        uint64_t wide = 0;
        for (uint32_t k = two; k < two + 64; k++) {
            sum += at(c, k);
            before += k < i ? at(c, k) : 0;
        }
        for (uint32_t k = four; k < four + 128; k++) {
            most = at(c, k) > most ? at(c, k) : most;
            upto += k <= i ? at(c, k) ^ 5 : 0;
            wide += (uint64_t)at(c, k) * at(c, k);
        }
        const uint32_t t = i - block;
        cubin_put(c, 7 * i, sum);
        cubin_put(c, 7 * i + 1, most);
        cubin_put(c, 7 * i + 2, before);
        cubin_put(c, 7 * i + 3, upto);
        cubin_put(c, 7 * i + 4, wide >> 7);
        cubin_put(c, 7 * i + 5, at(c, block + (t ^ 77)) * 3 + at(c, block + (t ^ 130)) + c->s);
        cubin_put(c, 7 * i + 6, t % 64 | t / 64 << 8 | t % 128 << 16 | t / 128 << 24);
    }
}

static void ref_tiles_in_step(struct cubin_case *c) {
    for (uint32_t first = 0; first < c->n; first += 128) {
        uint32_t x[128], ring[128];
        for (uint32_t r = 0; r < 128; r++)
            x[r] = at(c, first + r);
        for (uint32_t k = 0; k < 7 + first % c->block / 128; k++) {
            memcpy(ring, x, sizeof ring);
            for (uint32_t r = 0; r < 128; r++)
                x[r] = ring[(r + 1 + k) % 128] * 5 + (uint32_t)c->s;
        }
        for (uint32_t r = 0; r < 128 && first + r < c->n; r++)
            cubin_put(c, first + r, x[r]);
    }
}

static void ref_tiles_alone(struct cubin_case *c) {
    for (uint32_t first = 0; first < c->n; first += 512) {
        uint32_t all = 0;
        for (uint32_t r = 0; r < 512; r++)
            all ^= at(c, first + r);
        for (uint32_t r = 0; r < 512 && first + r < c->n; r++)
            cubin_put(c, first + r, all + r);
    }
}

/* The compiler makes 112 bytes of the kernel's 25 words. Of what it and the launch ask for an A100
 * gives a multiple of 128, then the reserved 1024. */
static void ref_tiles_where(struct cubin_case *c) {
    const uint32_t total = (112 + c->dynamic_shared + 127) / 128 * 128;
    const uint32_t want[] = {total, c->dynamic_shared,     1, 1024, total + 1024, 1,
                             1,     cubin_u32(c->in, c->n)};
    for (uint32_t i = 0; i < 8; i++)
        cubin_put(c, i, want[i]);
}

/* As much as there can be, of which 1024 bytes are the kernel's own; 0 and not a multiple of the
 * unit of allocation in turn. */
static void with_all(struct cubin_case *c) {
    static const uint32_t more[] = {163 * 1024 - 1024, 1024, 1024 + 36};
    c->dynamic_shared = more[c->seed % 3];
}
static void where_with_some(struct cubin_case *c) {
    static const uint32_t more[] = {0, 16, 17, 163 * 1024 - 112};
    c->dynamic_shared = more[c->seed % 4];
}

static const uint32_t blocks[][3] = {{256, 1, 256}, {200, 1, 256}, {1500, 6, 256}, {0, 0, 0}};
static const uint32_t steps[][3] = {
    {128, 1, 128}, {500, 1, 512}, {1000, 4, 256}, {300, 1, 384}, {0, 0, 0}};
static const uint32_t halves[][3] = {{512, 1, 512}, {900, 1, 1024}, {2048, 4, 512}, {0, 0, 0}};
static const uint32_t small[][3] = {{3, 1, 25}, {24, 1, 25}, {0, 0, 0}};

int main(void) {
#define ROW(name, ...) CUBIN_KERNEL("tiles", name, .seeds = 5, __VA_ARGS__)
    ROW(tiles_and_arrays, .prepare = with_all, .in_size = 4, .out_size = 28, .shapes = blocks)
    ROW(tiles_in_step, .in_size = 4, .out_size = 4, .shapes = steps)
    ROW(tiles_alone, .in_size = 4, .out_size = 4, .shapes = halves)
    ROW(tiles_where, .prepare = where_with_some, .in_more = 100, .out_more = 32, .shapes = small)
    const struct CMUnitTest tests[] = {CUBIN_TEST(tiles_and_arrays), CUBIN_TEST(tiles_in_step),
                                       CUBIN_TEST(tiles_alone), CUBIN_TEST(tiles_where)};
    return cmocka_run_group_tests_name("compiled kernels with wide groups", tests, NULL, NULL);
}

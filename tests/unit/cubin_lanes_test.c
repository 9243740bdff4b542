/*
 * cubin_lanes_test.c - compiled kernels whose lanes talk to each other, against plain loops over
 * the lanes of each warp (CUDA C++ Programming Guide, warp functions).
 */
#include "cubin_util.h"

enum { LANES = 32 };

/* The value of lane `from` of the warp of thread i, of pairs; its own where there is none. */
static uint32_t lane_value(const struct cubin_case *c, uint32_t i, bool there, uint32_t from) {
    return cubin_u32(c->in, 2 * (there ? i / LANES * LANES + from : i));
}

static void ref_shuffles(struct cubin_case *c) {
    for (uint32_t i = 0; i < c->n; i++) {
        uint32_t lane = i % LANES, b = cubin_u32(c->in, 2 * i + 1), m = b & 31;
        cubin_put(c, 12 * i, lane_value(c, i, true, b % LANES));
        cubin_put(c, 12 * i + 1, lane_value(c, i, lane >= m, lane - m));
        cubin_put(c, 12 * i + 2, lane_value(c, i, lane + m < LANES, lane + m));
        cubin_put(c, 12 * i + 3, lane_value(c, i, true, lane ^ m));
        cubin_put(c, 12 * i + 4, lane_value(c, i, true, lane / 8 * 8 + b % 8));
        cubin_put(c, 12 * i + 5, lane_value(c, i, lane % 16 >= 3, lane - 3));
        cubin_put(c, 12 * i + 6, lane_value(c, i, lane % 16 + 5 < 16, lane + 5));
        cubin_put(c, 12 * i + 7, lane_value(c, i, true, lane ^ 6));
        cubin_put(c, 12 * i + 8, cubin_u32(c->in, 2 * (i / LANES * LANES + (c->s & 31)) + 1));
        cubin_put(c, 12 * i + 9, cubin_u32(c->in, 2 * (i / LANES * LANES + (c->s & 31))));
        cubin_put(c, 12 * i + 10, lane_value(c, i, true, 17));
        cubin_put(c, 12 * i + 11, c->n);
    }
}

static void votes_data(struct cubin_case *c) {
    for (uint32_t i = 0; i < c->n; i++) { /* some warps agree */
        uint32_t x = cubin_u32(c->in, i), w = i / LANES;
        x = w % 3 == 0 ? x & 0x7fffffff : w % 3 == 1 ? (x & 15) | 0x1230 : x;
        memcpy(c->in + 4 * i, &x, 4);
    }
    if (c->seed & 1)
        c->s = cubin_u32(c->in, c->n / 2);
}

static void ref_votes(struct cubin_case *c) {
    for (uint32_t i = 0; i < c->n; i++) {
        uint32_t first = i / LANES * LANES, x = cubin_u32(c->in, i), ballot = 0, any = 0, all = 1,
                 match = 0, same = 1, part = 0, part_votes = 0;
        for (uint32_t l = 0; l < LANES; l++) {
            uint32_t y = cubin_u32(c->in, first + l);
            ballot |= (y & 1) << l;
            any |= y == (uint32_t)c->s;
            all &= y >> 31 == 0;
            match |= (uint32_t)((y & 7) == (x & 7)) << l;
            same &= y >> 4 == x >> 4;
            part |= (y >> 1 & 1) << l;
            part_votes |= (y >> 1 & y >> 2 & 1) << l;
        }
        cubin_put(c, 6 * i, ballot);
        cubin_put(c, 6 * i + 1, any);
        cubin_put(c, 6 * i + 2, all);
        cubin_put(c, 6 * i + 3, match);
        cubin_put(c, 6 * i + 4, (same ? UINT32_MAX : 0) | same << 16);
        cubin_put(c, 6 * i + 5, x & 2 ? part ^ part_votes << 1 : c->n);
    }
}

static void match_data(struct cubin_case *c) {
    for (uint32_t i = 0; i < c->n; i++) {
        uint64_t x = cubin_u64(c->in, i);
        x = i / LANES % 2 ? (x & 3) | UINT64_C(0xabc) << 32 : x & UINT64_C(0x300000003);
        memcpy(c->in + 8 * i, &x, 8);
    }
}

static void ref_match64(struct cubin_case *c) {
    for (uint32_t i = 0; i < c->n; i++) {
        uint64_t x = cubin_u64(c->in, i);
        uint32_t match = 0, same = 1;
        for (uint32_t l = 0; l < LANES; l++) {
            uint64_t y = cubin_u64(c->in, i / LANES * LANES + l);
            match |= (uint32_t)((y & c->s) == (x & c->s)) << l;
            same &= y >> 32 == x >> 32;
        }
        cubin_put(c, 2 * i, match);
        cubin_put(c, 2 * i + 1, (same ? UINT32_MAX : 0) + same + c->n);
    }
}

static void ref_reductions(struct cubin_case *c) {
    for (uint32_t i = 0; i < c->n; i++) {
        uint32_t x0 = cubin_u32(c->in, i), r[6] = {0, x0, x0, UINT32_MAX, 0, 0};
        int32_t low = (int32_t)x0, high = (int32_t)x0;
        for (uint32_t l = 0; l < LANES; l++) {
            uint32_t x = cubin_u32(c->in, i / LANES * LANES + l);
            r[0] += x;
            r[1] = x < r[1] ? x : r[1];
            r[2] = x > r[2] ? x : r[2];
            r[3] &= x | (uint32_t)c->s;
            r[4] |= x;
            r[5] ^= x;
            low = (int32_t)x < low ? (int32_t)x : low;
            high = (int32_t)x > high ? (int32_t)x : high;
        }
        for (uint32_t k = 0; k < 6; k++)
            cubin_put(c, 8 * i + k, r[k]);
        cubin_put(c, 8 * i + 6, (uint32_t)low);
        cubin_put(c, 8 * i + 7, (uint32_t)high + c->n);
    }
}

static void ref_prefix_sum(struct cubin_case *c) {
    uint64_t sum = 0;
    for (uint32_t i = 0; i < c->n; i++) {
        sum = (i % c->block ? sum : 0) + cubin_u64(c->in, i);
        uint64_t x = sum + c->s;
        memcpy(c->want + 8 * i, &x, 8);
    }
}

static const uint32_t whole[][3] = {
    {32, 1, 32}, {96, 1, 96}, {512, 2, 256}, {1024, 1, 1024}, {0, 0, 0}};
static const uint32_t ragged[][3] = {
    {5, 1, 32}, {77, 1, 96}, {500, 2, 256}, {1000, 1, 1024}, {0, 0, 0}};

int main(void) {
#define ROW(name, ...) CUBIN_KERNEL("lanes", name, .seeds = 12, __VA_ARGS__)
    ROW(shuffles, .in_size = 8, .out_size = 48, .shapes = whole)
    ROW(votes, .prepare = votes_data, .in_size = 4, .out_size = 24, .shapes = whole)
    ROW(match64, .prepare = match_data, .in_size = 8, .out_size = 8, .shapes = whole)
    ROW(reductions, .in_size = 4, .out_size = 32, .shapes = whole)
    ROW(prefix_sum, .in_size = 8, .out_size = 8, .shapes = ragged)
    const struct CMUnitTest tests[] = {CUBIN_TEST(shuffles), CUBIN_TEST(votes), CUBIN_TEST(match64),
                                       CUBIN_TEST(reductions), CUBIN_TEST(prefix_sum)};
    return cmocka_run_group_tests_name("compiled kernels across lanes", tests, NULL, NULL);
}

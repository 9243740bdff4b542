/*
 * cubin_groups_test.c - compiled kernels that use cooperative groups, of warps and of the whole
 * grid, and that swap words until nobody else did. References are plain loops.
 */
#include "cubin_util.h"

static void ref_grid_stencil(struct cubin_case *c) {
    uint32_t n = c->n;
    memcpy(c->want, c->in, 4 * (size_t)n);
    for (uint32_t r = 0; r < 8; r++) {
        const uint8_t *from = c->want + 4 * (size_t)(r & 1) * n;
        for (uint32_t i = 0; i < n; i++)
            cubin_put(c, (size_t)(~r & 1) * n + i,
                      cubin_u32(from, (i + 1) % n) * 3 + cubin_u32(from, i) + (uint32_t)c->s * r);
    }
}

static void ref_same_pace(struct cubin_case *c) {
    uint32_t mine[64], room[64];
    memcpy(mine, c->in, sizeof mine);
    for (uint32_t r = 0; r < c->n; r++) {
        memcpy(room, mine, sizeof room);
        uint32_t sum = 0;
        for (uint32_t b = 0; b < c->grid; b++)
            sum = sum * 5 + room[b];
        for (uint32_t b = 0; b < c->grid; b++) {
            mine[b] = sum + b;
            for (uint32_t k = 0; k < 3000; k++)
                mine[b] = mine[b] * 1664525 + (uint32_t)c->s;
        }
    }
    for (uint32_t b = 0; b < c->grid; b++) {
        cubin_put(c, b, mine[b]);
        cubin_put(c, c->grid + b, room[b]);
    }
}

static void ref_tiles(struct cubin_case *c) {
    for (uint32_t i = 0; i < c->n; i++) {
        uint32_t warp = i / 32 * 32, eight = i / 8 * 8, sum = 0, most = 0, before = 0, odd = 0;
        uint32_t active = 0, rank = 0, first = 0, mine = cubin_u32(c->in, i);
        uint64_t wide = 0;
        for (uint32_t k = warp; k < warp + 32; k++) {
            uint32_t x = k < c->n ? cubin_u32(c->in, k) : 0;
            sum += x;
            before += k < i ? x : 0;
            first = x & 2 && !active ? x : first;
            active += x >> 1 & 1;
            rank += k < i ? x >> 1 & 1 : 0;
        }
        for (uint32_t k = eight; k < eight + 8; k++) {
            uint32_t x = k < c->n ? cubin_u32(c->in, k) : 0;
            most = x > most ? x : most;
            odd |= (x & 1) << (k - eight);
            wide += (uint64_t)x * x;
        }
        cubin_put(c, 6 * i, sum);
        cubin_put(c, 6 * i + 1, most + (uint32_t)c->s);
        cubin_put(c, 6 * i + 2, before);
        cubin_put(c, 6 * i + 3, odd | (i & 7) << 8 | (i % c->block / 8) << 16);
        cubin_put(c, 6 * i + 4, mine & 2 ? active * 64 + rank * 4096 + first % 61 : 0);
        cubin_put(c, 6 * i + 5, wide >> 13);
    }
}

/* What the lanes of [first, first + 32) that are in `part` make of their words. */
static uint32_t over(const uint8_t *in, size_t first, uint32_t part, char what, uint32_t shift) {
    uint32_t r = 0;
    for (uint32_t l = 0; l < 32; l++) {
        uint32_t x = cubin_u32(in, first + l) >> shift;
        if (!(part >> l & 1))
            continue;
        switch (what) {
        case '+': r += x; break;
        case '^': r ^= x; break;
        case '|': r |= x; break;
        case 'm': r = x > r ? x : r; break;
        default: r |= (x & 1) << l; break; /* ballot */
        }
    }
    return r;
}

static void ref_masks(struct cubin_case *c) {
    for (uint32_t i = 0; i < c->n; i++) {
        uint32_t x = cubin_u32(c->in, i), first = i / 32 * 32, part = 0, some = 0, same = 0;
        for (uint32_t l = 0; l < 32; l++) {
            uint32_t y = cubin_u32(c->in, first + l);
            part |= (uint32_t)((y & 7) == (x & 7)) << l;
            some |= (uint32_t)((y >> 10 & 3) != 0) << l;
            same |= (uint32_t)((y >> 12 & 1) == (x >> 12 & 1)) << l;
        }
        if (x & 4) {
            cubin_put(c, 6 * i, over(c->in, first, part, 'b', 8));
            cubin_put(c, 6 * i + 1, over(c->in, first, part, '+', 0));
            cubin_put(c, 6 * i + 2, cubin_u32(c->in, first + 31 - (uint32_t)__builtin_clz(part)));
        } else {
            cubin_put(c, 6 * i,
                      (over(c->in, first, part, 'b', 9) != 0) | (uint32_t)((part & ~some) == 0)
                                                                    << 1);
            cubin_put(c, 6 * i + 1, over(c->in, first, part, 'm', 0));
            cubin_put(c, 6 * i + 2, part & same);
        }
        cubin_put(c, 6 * i + 3, over(c->in, first, UINT32_MAX, 'b', 1));
        cubin_put(c, 6 * i + 4, cubin_u32(c->in, i ^ 1));
        cubin_put(c, 6 * i + 5, over(c->in, first, part, '^', 3));
    }
}

static void ref_mask_given(struct cubin_case *c) {
    uint32_t mask = c->n, low = (uint32_t)__builtin_ctz(mask),
             high = 31 - (uint32_t)__builtin_clz(mask);
    for (uint32_t i = 0; i < 32; i++)
        if (mask >> i & 1)
            cubin_put(c, i, over(c->in, 0, mask, 'b', 0) + cubin_u32(c->in, low));
    for (uint32_t i = 0; i < 32; i++)
        if (mask >> i & 1)
            cubin_put(c, 32 + i, cubin_u32(c->want, high) + (over(c->in, 0, mask, '|', 0) & 0xff));
}

static void ref_swap_loops(struct cubin_case *c) {
    uint64_t most = 0, sum = 0;
    double parts = 0, low = 0;
    for (uint32_t i = 0; i < c->n; i++) {
        uint64_t x = cubin_u64(c->in, i);
        most = x > most ? x : most;
        sum = sum + (x >> 8) < sum ? UINT64_MAX : sum + (x >> 8);
        parts += (double)(x >> 44); /* whole numbers: exact in any order */
        low += (double)(x & 0xffff);
    }
    cubin_put64(c, 0, most);
    cubin_put64(c, 1, sum);
    memcpy(c->want + 16, &parts, 8);
    memcpy(c->want + 24, &low, 8);
}

static void ref_histogram(struct cubin_case *c) {
    for (uint32_t i = 0; i < c->n; i++) {
        uint32_t x = cubin_u32(c->in, i), y = cubin_u32(c->in, i ^ 1);
        size_t count = (c->s & 3) * 64 + (x & 63), sum = 256 + (x >> 6 & 63);
        cubin_put(c, count, cubin_u32(c->want, count) + 1);
        cubin_put(c, sum, cubin_u32(c->want, sum) + ((int32_t)x < (int32_t)y ? y - x : x - y) + 3);
    }
}

static void ref_spilled(struct cubin_case *c) {
    for (uint32_t i = 0; i < c->n; i++) {
        uint64_t v[40];
        for (uint32_t k = 0; k < 40; k++)
            v[k] = cubin_u64(c->in, (i + k) % c->n);
        for (uint32_t r = 0; r < 3; r++)
            for (uint32_t k = 0; k < 40; k++)
                v[k] = v[k] * v[(k + 7) % 40] + (v[(5 * k + 1) % 40] ^ (c->s + r));
        for (uint32_t k = 0; k < 40; k++)
            cubin_put64(c, 40 * (size_t)i + k, v[k]);
    }
}

static const uint32_t grids[][3] = {
    {64, 1, 64}, {100, 4, 32}, {1000, 7, 96}, {3000, 16, 256}, {0, 0, 0}};
static const uint32_t paces[][3] = {{1, 2, 32}, {3, 5, 64}, {6, 16, 32}, {0, 0, 0}};
static const uint32_t warps[][3] = {{32, 1, 32}, {96, 1, 96}, {512, 4, 128}, {0, 0, 0}};
static const uint32_t given[][3] = {{0x1, 1, 32},        {0x80000000, 1, 32}, {0xffffffff, 1, 32},
                                    {0x00ffa500, 1, 32}, {0x7fffffff, 1, 32}, {0, 0, 0}};
static const uint32_t whole[][3] = {{30, 1, 32}, {96, 1, 96}, {600, 5, 128}, {0, 0, 0}};

int main(void) {
#define ROW(name, ...) CUBIN_KERNEL("groups", name, .seeds = 5, __VA_ARGS__)
    ROW(grid_stencil, .in_size = 4, .out_size = 8, .shapes = grids)
    ROW(same_pace, .in_more = 256, .out_more = 512, .shapes = paces)
    ROW(tiles, .in_size = 4, .out_size = 24, .shapes = whole)
    ROW(masks, .in_size = 4, .out_size = 24, .shapes = warps)
    ROW(mask_given, .in_more = 128, .out_more = 256, .shapes = given)
    ROW(swap_loops, .in_size = 8, .out_more = 32, .shapes = whole)
    ROW(histogram, .in_size = 4, .out_more = 1280, .shapes = whole)
    ROW(spilled, .in_size = 8, .out_size = 320, .shapes = whole)
    const struct CMUnitTest tests[] = {CUBIN_TEST(grid_stencil), CUBIN_TEST(same_pace),
                                       CUBIN_TEST(tiles),        CUBIN_TEST(masks),
                                       CUBIN_TEST(mask_given),   CUBIN_TEST(swap_loops),
                                       CUBIN_TEST(histogram),    CUBIN_TEST(spilled)};
    return cmocka_run_group_tests_name("compiled kernels in groups", tests, NULL, NULL);
}

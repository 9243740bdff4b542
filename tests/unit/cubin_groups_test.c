/*
 * cubin_groups_test.c - compiled kernels that use cooperative groups, of warps and of the whole
 * grid, and that swap words until nobody else did. References are plain loops.
 */
#include "cubin_util.h"

static uint32_t u32_at(const uint8_t *bytes, size_t i) {
    uint32_t x;
    memcpy(&x, bytes + 4 * i, 4);
    return x;
}

static uint64_t u64_at(const uint8_t *bytes, size_t i) {
    uint64_t x;
    memcpy(&x, bytes + 8 * i, 8);
    return x;
}

static void put(struct cubin_case *c, size_t i, uint64_t x) {
    uint32_t word = (uint32_t)x;
    memcpy(c->want + 4 * i, &word, 4);
}

static void put64(struct cubin_case *c, size_t i, uint64_t x) {
    memcpy(c->want + 8 * i, &x, 8);
}

static void grid_stencil(struct cubin_case *c) {
    uint32_t n = c->n;
    memcpy(c->want, c->in, 4 * (size_t)n);
    for (uint32_t r = 0; r < 8; r++) {
        const uint8_t *from = c->want + 4 * (size_t)(r & 1) * n;
        for (uint32_t i = 0; i < n; i++)
            put(c, (size_t)(~r & 1) * n + i,
                u32_at(from, (i + 1) % n) * 3 + u32_at(from, i) + (uint32_t)c->s * r);
    }
}

static void same_pace(struct cubin_case *c) {
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
        put(c, b, mine[b]);
        put(c, c->grid + b, room[b]);
    }
}

static void tiles(struct cubin_case *c) {
    for (uint32_t i = 0; i < c->n; i++) {
        uint32_t warp = i / 32 * 32, eight = i / 8 * 8, sum = 0, most = 0, before = 0, odd = 0;
        uint32_t active = 0, rank = 0, first = 0, mine = u32_at(c->in, i);
        uint64_t wide = 0;
        for (uint32_t k = warp; k < warp + 32; k++) {
            uint32_t x = k < c->n ? u32_at(c->in, k) : 0;
            sum += x;
            before += k < i ? x : 0;
            first = x & 2 && !active ? x : first;
            active += x >> 1 & 1;
            rank += k < i ? x >> 1 & 1 : 0;
        }
        for (uint32_t k = eight; k < eight + 8; k++) {
            uint32_t x = k < c->n ? u32_at(c->in, k) : 0;
            most = x > most ? x : most;
            odd |= (x & 1) << (k - eight);
            wide += (uint64_t)x * x;
        }
        put(c, 6 * i, sum);
        put(c, 6 * i + 1, most + (uint32_t)c->s);
        put(c, 6 * i + 2, before);
        put(c, 6 * i + 3, odd | (i & 7) << 8 | (i % c->block / 8) << 16);
        put(c, 6 * i + 4, mine & 2 ? active * 64 + rank * 4096 + first % 61 : 0);
        put(c, 6 * i + 5, wide >> 13);
    }
}

/* What the lanes of [first, first + 32) that are in `part` make of their words. */
static uint32_t over(const uint8_t *in, size_t first, uint32_t part, char what, uint32_t shift) {
    uint32_t r = 0;
    for (uint32_t l = 0; l < 32; l++) {
        uint32_t x = u32_at(in, first + l) >> shift;
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

static void masks(struct cubin_case *c) {
    for (uint32_t i = 0; i < c->n; i++) {
        uint32_t x = u32_at(c->in, i), first = i / 32 * 32, part = 0, some = 0, same = 0;
        for (uint32_t l = 0; l < 32; l++) {
            uint32_t y = u32_at(c->in, first + l);
            part |= (uint32_t)((y & 7) == (x & 7)) << l;
            some |= (uint32_t)((y >> 10 & 3) != 0) << l;
            same |= (uint32_t)((y >> 12 & 1) == (x >> 12 & 1)) << l;
        }
        if (x & 4) {
            put(c, 6 * i, over(c->in, first, part, 'b', 8));
            put(c, 6 * i + 1, over(c->in, first, part, '+', 0));
            put(c, 6 * i + 2, u32_at(c->in, first + 31 - (uint32_t)__builtin_clz(part)));
        } else {
            put(c, 6 * i,
                (over(c->in, first, part, 'b', 9) != 0) | (uint32_t)((part & ~some) == 0) << 1);
            put(c, 6 * i + 1, over(c->in, first, part, 'm', 0));
            put(c, 6 * i + 2, part & same);
        }
        put(c, 6 * i + 3, over(c->in, first, UINT32_MAX, 'b', 1));
        put(c, 6 * i + 4, u32_at(c->in, i ^ 1));
        put(c, 6 * i + 5, over(c->in, first, part, '^', 3));
    }
}

static void mask_given(struct cubin_case *c) {
    uint32_t mask = c->n, low = (uint32_t)__builtin_ctz(mask),
             high = 31 - (uint32_t)__builtin_clz(mask);
    for (uint32_t i = 0; i < 32; i++)
        if (mask >> i & 1)
            put(c, i, over(c->in, 0, mask, 'b', 0) + u32_at(c->in, low));
    for (uint32_t i = 0; i < 32; i++)
        if (mask >> i & 1)
            put(c, 32 + i, u32_at(c->want, high) + (over(c->in, 0, mask, '|', 0) & 0xff));
}

static void swap_loops(struct cubin_case *c) {
    uint64_t most = 0, sum = 0;
    double parts = 0, low = 0;
    for (uint32_t i = 0; i < c->n; i++) {
        uint64_t x = u64_at(c->in, i);
        most = x > most ? x : most;
        sum = sum + (x >> 8) < sum ? UINT64_MAX : sum + (x >> 8);
        parts += (double)(x >> 44); /* whole numbers: exact in any order */
        low += (double)(x & 0xffff);
    }
    put64(c, 0, most);
    put64(c, 1, sum);
    memcpy(c->want + 16, &parts, 8);
    memcpy(c->want + 24, &low, 8);
}

static void histogram(struct cubin_case *c) {
    for (uint32_t i = 0; i < c->n; i++) {
        uint32_t x = u32_at(c->in, i), y = u32_at(c->in, i ^ 1);
        size_t count = (c->s & 3) * 64 + (x & 63), sum = 256 + (x >> 6 & 63);
        put(c, count, u32_at(c->want, count) + 1);
        put(c, sum, u32_at(c->want, sum) + ((int32_t)x < (int32_t)y ? y - x : x - y) + 3);
    }
}

static void spilled(struct cubin_case *c) {
    for (uint32_t i = 0; i < c->n; i++) {
        uint64_t v[40];
        for (uint32_t k = 0; k < 40; k++)
            v[k] = u64_at(c->in, (i + k) % c->n);
        for (uint32_t r = 0; r < 3; r++)
            for (uint32_t k = 0; k < 40; k++)
                v[k] = v[k] * v[(k + 7) % 40] + (v[(5 * k + 1) % 40] ^ (c->s + r));
        for (uint32_t k = 0; k < 40; k++)
            put64(c, 40 * (size_t)i + k, v[k]);
    }
}

static const uint32_t grids[][3] = {
    {64, 1, 64}, {100, 4, 32}, {1000, 7, 96}, {3000, 16, 256}, {0, 0, 0}};
static const uint32_t paces[][3] = {{1, 2, 32}, {3, 5, 64}, {6, 16, 32}, {0, 0, 0}};
static const uint32_t warps[][3] = {{32, 1, 32}, {96, 1, 96}, {512, 4, 128}, {0, 0, 0}};
static const uint32_t given[][3] = {{0x1, 1, 32},        {0x80000000, 1, 32}, {0xffffffff, 1, 32},
                                    {0x00ffa500, 1, 32}, {0x7fffffff, 1, 32}, {0, 0, 0}};
static const uint32_t whole[][3] = {{30, 1, 32}, {96, 1, 96}, {600, 5, 128}, {0, 0, 0}};

static unsigned runs;

static void test(void **state) {
    cubin_check(*state, &runs);
}

int main(void) {
#define ROW(name_, in_, out_, in_more_, out_more_, shapes_)                                        \
    static struct cubin_kernel name_##_row = {.file = "groups",                                    \
                                              .name = #name_,                                      \
                                              .reference = name_,                                  \
                                              .in_size = in_,                                      \
                                              .out_size = out_,                                    \
                                              .in_more = in_more_,                                 \
                                              .out_more = out_more_,                               \
                                              .shapes = shapes_,                                   \
                                              .seeds = 5};
#define TEST(name) {#name, test, NULL, NULL, &name##_row}
    ROW(grid_stencil, 4, 8, 0, 0, grids)
    ROW(same_pace, 0, 0, 256, 512, paces)
    ROW(tiles, 4, 24, 0, 0, whole)
    ROW(masks, 4, 24, 0, 0, warps)
    ROW(mask_given, 0, 0, 128, 256, given)
    ROW(swap_loops, 8, 0, 0, 32, whole)
    ROW(histogram, 4, 0, 0, 1280, whole)
    ROW(spilled, 8, 320, 0, 0, whole)
    const struct CMUnitTest tests[] = {TEST(grid_stencil), TEST(same_pace),  TEST(tiles),
                                       TEST(masks),        TEST(mask_given), TEST(swap_loops),
                                       TEST(histogram),    TEST(spilled)};
    int failed = cmocka_run_group_tests_name("compiled kernels in groups", tests, NULL, NULL);
    print_message("# %u runs\n", runs);
    return failed;
}

/*
 * cubin_reconverge_test.c - compiled loops in which some lanes leave out the warp's barrier. The
 * references go through the iterations one by one: of the lanes that take part all write, then all
 * read.
 */
#include "cubin_util.h"

enum { MOST = 512 }; /* threads of a launch */

/* The threads of a launch, one number each. */
struct threads {
    uint32_t count, x[MOST], sum[MOST], room[MOST];
    bool there[MOST]; /* takes part in this iteration */
};

static struct threads begin(const struct cubin_case *c) {
    struct threads t = {.count = c->grid * c->block};
    assert_in_range(t.count, 32, MOST);
    for (uint32_t i = 0; i < t.count; i++)
        t.x[i] = t.sum[i] = cubin_u32(c->in, i);
    return t;
}

static uint32_t ahead(uint32_t i, uint32_t lanes, uint32_t width) {
    return i / width * width + (i + lanes) % width;
}

static void ref_skip_some(struct cubin_case *c) {
    struct threads t = begin(c);
    for (uint32_t r = 0; r < c->n; r++) {
        for (uint32_t i = 0; i < t.count; i++)
            if (!(t.x[i] >> r & 1))
                t.room[i] = t.sum[i] + r;
        for (uint32_t i = 0; i < t.count; i++)
            for (uint32_t k = 0; k < 32 && !(t.x[i] >> r & 1); k++)
                t.sum[i] = t.sum[i] * 5 + t.room[ahead(i, k, 32)];
    }
    for (uint32_t i = 0; i < t.count; i++)
        cubin_put(c, i, t.sum[i] + c->s);
}

static void ref_more_and_more(struct cubin_case *c) {
    struct threads t = begin(c);
    for (uint32_t i = 0; i < t.count; i++)
        t.room[i] = i % 32 ? 0 : t.x[i];
    for (uint32_t step = 1; step < c->n; step *= 2)
        for (uint32_t i = 0; i < t.count; i++)
            if (i % 32 < step)
                t.room[i + step] = t.room[i] * 3 + step + (uint32_t)c->s;
    for (uint32_t i = 0; i < t.count; i++)
        cubin_put(c, i, t.room[i ^ 32 % c->block]);
}

static void ref_fewer_and_fewer(struct cubin_case *c) {
    struct threads t = begin(c);
    for (uint32_t step = 16; step > c->n; step /= 2)
        for (uint32_t i = 0; i < t.count; i++)
            if (i % 32 < step)
                t.sum[i] += t.sum[i + step] * (uint32_t)c->s;
    for (uint32_t i = 0; i < t.count; i++)
        cubin_put(c, i, t.sum[ahead(i, 32, c->block)]);
}

static void ref_loop_in_loop(struct cubin_case *c) {
    struct threads t = begin(c);
    bool outer[MOST], inner[MOST], left[MOST] = {false};
    for (uint32_t a = 0; a < 6; a++) {
        for (uint32_t i = 0; i < t.count; i++) {
            outer[i] = !left[i] && (t.x[i] >> a & 3) != 1;
            left[i] |= outer[i] && a > 3 && t.x[i] >> 30 == 3;
            inner[i] = outer[i] = outer[i] && !left[i];
        }
        for (uint32_t b = 0; b < c->n; b++) {
            for (uint32_t i = 0; i < t.count; i++) {
                bool skips = (t.x[i] >> (a + 3 * b) & 7) == 2;
                inner[i] = inner[i] && (skips || (t.x[i] >> (a + 2 * b) & 31) != 17);
                t.there[i] = inner[i] && !skips;
                if (t.there[i])
                    t.room[i] = t.sum[i] * (b + 3);
            }
            for (uint32_t i = 0; i < t.count; i++)
                if (t.there[i])
                    t.sum[i] += t.room[ahead(i, 1, 32)] ^ (uint32_t)c->s;
        }
        for (uint32_t i = 0; i < t.count; i++)
            t.sum[i] = outer[i] ? t.sum[i] * 7 + a : t.sum[i];
    }
    for (uint32_t i = 0; i < t.count; i++)
        cubin_put(c, i, t.sum[i]);
}

static void ref_ending(struct cubin_case *c) {
    struct threads t = begin(c);
    bool ended[MOST] = {false};
    memcpy(t.room, t.x, sizeof t.room);
    for (uint32_t r = 0; r < c->n; r++) {
        for (uint32_t i = 0; i < t.count; i++) {
            ended[i] |= (t.x[i] >> r & 7) == 5;
            t.there[i] = !ended[i] && !(t.x[i] >> (31 - r) & 1);
            if (t.there[i])
                t.sum[i] = t.sum[i] * 9 + t.room[ahead(i, 7, 32)] + (uint32_t)c->s;
        }
        for (uint32_t i = 0; i < t.count; i++)
            t.room[i] = t.there[i] ? t.sum[i] : t.room[i];
    }
    for (uint32_t i = 0; i < t.count; i++)
        cubin_put(c, i, ended[i] ? t.sum[i] : ~t.sum[i]);
}

static void ref_halves(struct cubin_case *c) {
    struct threads t = begin(c);
    for (uint32_t r = 0; r < c->n; r++) {
        memcpy(t.room, t.sum, sizeof t.room);
        for (uint32_t i = 0; i < t.count; i++) {
            const uint32_t next = t.room[ahead(i, 3, 16)];
            if (i % 32 < 16 ? t.x[i] >> r & 1 : t.x[i] >> (r + 5) & 1)
                continue;
            t.sum[i] = i % 32 < 16 ? t.sum[i] + next * 3 : t.sum[i] * 5 + next;
            t.sum[i] ^= (uint32_t)c->s;
        }
    }
    for (uint32_t i = 0; i < t.count; i++)
        cubin_put(c, i, t.sum[i]);
}

static void ref_in_a_function(struct cubin_case *c) {
    struct threads t = begin(c);
    for (uint32_t r = 0; r < c->n; r++) {
        for (uint32_t i = 0; i < t.count; i++)
            if (!(t.x[i] >> r & 1))
                t.room[i] = t.sum[i] + (uint32_t)c->s;
        for (uint32_t i = 0; i < t.count; i++)
            if (!(t.x[i] >> r & 1))
                t.sum[i] = t.sum[i] * 11 + t.room[ahead(i, 5, 32)];
    }
    for (uint32_t i = 0; i < t.count; i++)
        cubin_put(c, i, t.sum[i]);
}

/* Words of which each bit is as likely as not, so that lanes of all kinds are in one warp. */
static void mixed(struct cubin_case *c) {
    uint64_t seed = c->seed;
    for (size_t i = 0; i < c->in_bytes; i += 4) {
        uint32_t x = (uint32_t)cubin_random(&seed);
        memcpy(c->in + i, &x, 4);
    }
}

/* Iterations, blocks, threads. */
static const uint32_t loops[][3] = {{1, 1, 32}, {7, 1, 64}, {12, 4, 128}, {5, 3, 96}, {0, 0, 0}};
static const uint32_t nested[][3] = {{1, 1, 32}, {8, 4, 128}, {5, 3, 96}, {0, 0, 0}};
static const uint32_t trees[][3] = {{2, 1, 32}, {32, 1, 64}, {16, 4, 128}, {0, 0, 0}};
static const uint32_t sums[][3] = {{1, 1, 32}, {1, 2, 64}, {4, 3, 160}, {0, 0, 0}};

int main(void) {
#define ROW(name, ...)                                                                             \
    CUBIN_KERNEL("reconverge", name, .prepare = mixed, .seeds = 5, .in_more = 4 * MOST,            \
                 .out_more = 4 * MOST, __VA_ARGS__)
    /* lanes that leave an iteration out have not written the words that others read */
    ROW(skip_some, .shapes = loops, .faulty = FH_CHECK_BIT(FH_CHECK_INIT))
    ROW(more_and_more, .shapes = trees)
    ROW(fewer_and_fewer, .shapes = sums)
    ROW(loop_in_loop, .shapes = nested)
    ROW(ending, .shapes = loops)
    ROW(halves, .shapes = loops)
    ROW(in_a_function, .shapes = loops)
    const struct CMUnitTest tests[] = {CUBIN_TEST(skip_some),       CUBIN_TEST(more_and_more),
                                       CUBIN_TEST(fewer_and_fewer), CUBIN_TEST(loop_in_loop),
                                       CUBIN_TEST(ending),          CUBIN_TEST(halves),
                                       CUBIN_TEST(in_a_function)};
    return cmocka_run_group_tests_name("compiled loops that leave out barriers", tests, NULL, NULL);
}

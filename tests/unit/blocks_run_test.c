/*
 * blocks_run_test.c - plans of a few tiles, to the cycle: what computes, memory and channels take
 * alone and together; LABS's graph and loads; orders of list scheduling.
 */
#include <math.h>
#include <string.h>

#include "block_plan.h"
#include "block_run.h"
#include "emu_util.h"
#include "list_schedule.h"

/* Limb 0 is an input of 640 bytes, 1 a temporary of 320, 2 a result of 160. Tile 0 makes 1 of 0,
 * tile 1 makes 2 of 1, tile 2 reads 0 alone, of another block. */
static struct fh_limb limbs[] = {
    {640, false, true}, {320, false, false}, {160, true, false}, {80, true, false}};
static struct fh_tile_access accesses[] = {{0, FH_TILE_NONE}, {1, FH_TILE_NONE}, {1, 0},
                                           {2, FH_TILE_NONE}, {0, FH_TILE_NONE}, {3, FH_TILE_NONE}};
static struct fh_tile tile_list[] = {
    {.block = 0,
     .part = 0,
     .first = 0,
     .reads = 1,
     .writes = 1,
     .cycles = 1000,
     .plain = 2000,
     .loaded = 900,
     .stored = 300},
    {.block = 0,
     .part = 1,
     .first = 2,
     .reads = 1,
     .writes = 1,
     .cycles = 500,
     .plain = 500,
     .loaded = 320,
     .stored = 160},
    {.block = 1,
     .part = 2,
     .first = 4,
     .reads = 1,
     .writes = 1,
     .cycles = 300,
     .plain = 300,
     .loaded = 640,
     .stored = 80},
};
static const struct fh_tiles tiles = {.tiles = tile_list,
                                      .accesses = accesses,
                                      .limbs = limbs,
                                      .count = 3,
                                      .access_count = 6,
                                      .limb_count = 4};
static const struct fh_block_graph graph = {.block_count = 2};
static const uint32_t as_they_stand[] = {0, 1, 2};

/* An engine does 10 cycles in one, memory has 20 bytes a cycle, a channel 16. */
static const struct fh_block_machine base = {.torus = {2, 1},
                                             .rate = 10,
                                             .memory = 20,
                                             .link = 16,
                                             .hop = 3,
                                             .onchip = 100000,
                                             .policy = FH_ONCHIP_LRU,
                                             .orders = 1};

static void near(double got, double wanted, const char *what) {
    if (fabs(got - wanted) > 1e-9)
        fail_msg("%s: %.12g, expected %.12g", what, got, wanted);
}

static void expect_tile(const struct fh_block_plan *p, uint32_t tile, uint32_t engine, double start,
                        double end) {
    assert_int_equal(p->tiles[tile].engine, engine);
    near(p->tiles[tile].start, start, "start");
    near(p->tiles[tile].end, end, "end");
}

static void simulate(struct fh_block_plan *plan, const struct fh_block_machine *machine,
                     const uint32_t *order, const uint32_t *engine, bool hashed) {
    const struct fh_block_candidate c = {order, engine, hashed, false};
    assert_int_equal(fh_block_simulate(plan, &graph, &tiles, machine, &c), FHEC_OK);
}

/* All goes to memory: tile 0 takes 100 to compute and 60 of memory, 1 50 and 24, 2 30 and 36. */
static void test_without_cnoc(void **unused) {
    (void)unused;
    static const uint32_t engine[] = {0, 0, 1};
    struct fh_block_plan p;
    simulate(&p, &base, as_they_stand, engine, false);
    expect_tile(&p, 0, 0, 0, 160);
    expect_tile(&p, 1, 0, 160, 234);
    expect_tile(&p, 2, 1, 0, 250); /* from when memory is free: 184 */
    near(p.cycles, 250, "cycles");
    near(p.bounds.path, 234, "path");
    near(p.bounds.work, (160 + 74 + 66) / 2.0, "work");
    near(p.bounds.memory, 120, "memory");
    near(p.bounds.network, 0, "network");
    near(p.kernel_bytes, 2400, "kernel bytes");
    near(p.cold_bytes, 640 + 160 + 80, "cold bytes");
    near(p.all.compute, 90, "C");
    near(p.all.memory, 120, "M");
    near(p.all.fetched, 1860, "fetched");
    near(p.all.written, 540, "written");
    near(p.all.end, 250, "end");
    near(p.blocks[0].start, 0, "start of 0");
    near(p.blocks[0].end, 234, "end of 0");
    near(p.blocks[0].compute, 75, "C of 0");
    near(p.blocks[0].memory, 84, "M of 0");
    near(p.blocks[1].start, 0, "start of 1");
    near(p.blocks[1].end, 250, "end of 1");
    near(p.blocks[1].fetched, 640, "fetched of 1");
    near(p.blocks[1].written, 80, "written of 1");
    fh_block_plan_free(&p);
    assert_true(!p.blocks && !p.tiles && !p.loads);
    /* Computing and memory at once: the longest; memory serves tile 2 behind the others. */
    struct fh_block_machine machine = base;
    machine.overlap = 1;
    simulate(&p, &machine, as_they_stand, engine, false);
    expect_tile(&p, 0, 0, 0, 100);
    expect_tile(&p, 1, 0, 100, 150);
    expect_tile(&p, 2, 1, 0, 160); /* 124 and 36 */
    near(p.bounds.path, 150, "path");
    fh_block_plan_free(&p);
    machine.overlap = 0.5;
    simulate(&p, &machine, as_they_stand, engine, false);
    expect_tile(&p, 0, 0, 0, 130);
    near(p.bounds.path, 130 + (50 + 74) / 2.0, "path");
    fh_block_plan_free(&p);
    /* Another order, one engine. */
    static const uint32_t last_first[] = {2, 0, 1}, one[] = {1, 1, 1};
    simulate(&p, &base, last_first, one, false);
    expect_tile(&p, 2, 1, 0, 66);
    expect_tile(&p, 0, 1, 66, 226);
    expect_tile(&p, 1, 1, 226, 300);
    near(p.blocks[0].start, 66, "start");
    fh_block_plan_free(&p);
}

/* Limbs stay where they were made: what tile 1 and 2 read of another engine's goes over a channel.
 */
static void test_homes(void **unused) {
    (void)unused;
    static const uint32_t engine[] = {0, 1, 1};
    struct fh_block_machine machine = base;
    struct fh_block_plan p;
    machine.cnoc = true;
    simulate(&p, &machine, as_they_stand, engine, false);
    /* 640 bytes are fetched, 32 cycles; nothing is written, limb 1 stays. */
    expect_tile(&p, 0, 0, 0, 132);
    /* 320 bytes from engine 0, 20 cycles and a hop of 3; the result goes to memory, 8. */
    expect_tile(&p, 1, 1, 132, 132 + 50 + 8 + 23);
    /* 640 bytes, 40 and 3; they are on the chip; the result 4. */
    expect_tile(&p, 2, 1, 213, 213 + 30 + 4 + 43);
    near(p.all.fetched, 640, "fetched");
    near(p.all.written, 240, "written");
    near(p.all.moved, 960, "moved");
    near(p.loads[0], 960, "x + 1 of router 0");
    for (uint32_t c = 1; c < 8; c++)
        near(p.loads[c], 0, "others");
    near(p.bounds.network, 60, "network");
    near(p.blocks[0].network, 20, "X of 0");
    near(p.blocks[1].network, 40, "X of 1");
    near(p.bounds.memory, 44, "memory");
    fh_block_plan_free(&p);
    /* On one engine nothing moves. */
    static const uint32_t one[] = {0, 0, 0};
    simulate(&p, &machine, as_they_stand, one, false);
    expect_tile(&p, 0, 0, 0, 132);
    expect_tile(&p, 1, 0, 132, 190);
    expect_tile(&p, 2, 0, 190, 224);
    near(p.all.moved, 0, "moved");
    near(p.bounds.network, 0, "network");
    fh_block_plan_free(&p);
    /* Without room for limb 0 it is fetched twice; without room for anything 1 is written, too, but
     * no more is fetched than the kernels load. */
    machine.onchip = 400;
    simulate(&p, &machine, as_they_stand, one, false);
    near(p.all.fetched, 1280, "fetched");
    near(p.all.written, 240, "written");
    fh_block_plan_free(&p);
    machine.onchip = 10;
    tile_list[2].loaded = 600;
    simulate(&p, &machine, as_they_stand, one, false);
    near(p.all.fetched, 640 + 320 + 600, "fetched");
    near(p.all.written, 320 + 160 + 80, "written");
    fh_block_plan_free(&p);
    tile_list[2].loaded = 640;
}

/* By a hash half of each limb is at each of two routers, a hop away or none. */
static void test_hashed(void **unused) {
    (void)unused;
    static const uint32_t engine[] = {0, 1, 1};
    struct fh_block_machine machine = base;
    struct fh_block_plan p;
    machine.cnoc = true;
    simulate(&p, &machine, as_they_stand, engine, true);
    /* 640 read: 320 over router 1's channel; 320 written: 160 over router 0's; 20 and a hop. */
    expect_tile(&p, 0, 0, 0, 100 + 32 + 23);
    /* 320 read: 160 over router 0's, 10; 160 written. */
    expect_tile(&p, 1, 1, 155, 155 + 50 + 8 + 13);
    expect_tile(&p, 2, 1, 226, 226 + 30 + 4 + 23);
    near(p.loads[0], 160 + 160 + 320, "x + 1 of router 0");
    near(p.loads[4], 320 + 80 + 40, "x + 1 of router 1");
    near(p.all.moved, 1080, "moved");
    fh_block_plan_free(&p);
}

/* ---------------------------------------------------------------- choices */

static uint32_t seen_first[8], seen_to[16], seen_bytes[16], seen_loads[16];
static struct fh_labs_graph seen;
static fhec_status look(const struct fh_labs_graph *g, uint32_t parts, uint32_t *part) {
    seen = *g;
    assert_int_equal(parts, 2);
    memcpy(seen_first, g->first, (g->count + 1) * sizeof *g->first);
    memcpy(seen_to, g->to, g->first[g->count] * sizeof *g->to);
    memcpy(seen_bytes, g->bytes, g->first[g->count] * sizeof *g->bytes);
    memcpy(seen_loads, g->loads, (size_t)g->count * g->constraints * sizeof *g->loads);
    part[0] = 0;
    part[1] = part[2] = 1;
    return FHEC_OK;
}

/* An edge from tile 0 to tile 1, of a KiB at least and of 65536 at most; three kinds of loads, 2^28
 * in all each. */
static void test_labs(void **unused) {
    (void)unused;
    struct fh_block_machine machine = base;
    struct fh_block_plan p;
    machine.cnoc = true;
    machine.labs = look;
    machine.orders = (1 << FH_ORDERS) - 1;
    static const uint32_t sizes[] = {320,  1024, 1025,     2048,           2049,
                                     3000, 1000, 67107840, (64 << 20) - 1, (64 << 20) + 1},
                          in_kib[] = {1, 1, 2, 2, 3, 3, 1, 65535, 65536, 65536};
    for (unsigned n = 0; n < COUNT_OF(sizes); n++) {
        limbs[1].bytes = sizes[n];
        assert_int_equal(fh_block_plan_make(&p, &graph, &tiles, &machine), FHEC_OK);
        assert_int_equal(seen.count, 3);
        assert_int_equal(seen.constraints, 3);
        assert_memory_equal(seen_first, ((const uint32_t[]){0, 1, 2, 2}), 16);
        assert_true(seen_to[0] == 1 && seen_to[1] == 0);
        const uint32_t kib = in_kib[n];
        assert_true(seen_bytes[0] == kib && seen_bytes[1] == kib);
        for (uint32_t v = 0; v < 3; v++)
            for (uint32_t c = 0; c < 3; c++)
                assert_int_equal(seen_loads[3 * v + c], v == c ? 1 << 28 : 0);
        assert_int_equal(p.labs.phi, kib);
        assert_int_equal(p.labs.gamma, kib);
        assert_int_equal(p.labs.gamma_before, kib);
        fh_block_plan_free(&p);
    }
    limbs[1].bytes = 320;
    static const char *const orders[] = {"program", "path", "sequence"}, *const mappings[] = {
                                                                             "greedy, hashed",
                                                                             "greedy", "labs"};
    for (unsigned i = 0; i < 3; i++) {
        assert_string_equal(fh_block_order_name((enum fh_block_order)i), orders[i]);
        assert_string_equal(fh_block_mapping_name((enum fh_block_mapping)i), mappings[i]);
    }
}

/* Two engines: 0 and 2 begin, 1 follows 0 when that has ended, on the first engine that can. */
static void test_list(void **unused) {
    (void)unused;
    static const double taken[] = {100, 50, 30}, before[] = {-150, -50, -200};
    static const struct {
        const double *first;
        uint32_t engines;
        uint32_t order[3], engine[3];
    } cases[] = {
        {NULL, 2, {0, 2, 1}, {0, 0, 1}}, /* both could at 100 */
        {before, 2, {2, 0, 1}, {1, 0, 0}},
        {NULL, 1, {0, 1, 2}, {0, 0, 0}},
        {before, 1, {2, 0, 1}, {0, 0, 0}},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        const struct fh_list_schedule how = {
            .taken = taken, .first = cases[i].first, .engines = cases[i].engines};
        uint32_t order[3], engine[3] = {0};
        assert_int_equal(fh_list_schedule(&tiles, &how, order, engine), FHEC_OK);
        assert_memory_equal(order, cases[i].order, sizeof order);
        if (memcmp(engine, cases[i].engine, sizeof engine) != 0)
            fail_msg("case %zu: %u %u %u", i, engine[0], engine[1], engine[2]);
    }
    /* Fixed: each where it is to go. */
    const struct fh_list_schedule how = {.taken = taken, .engines = 2, .fixed = true};
    uint32_t order[3], engine[3] = {1, 0, 1};
    assert_int_equal(fh_list_schedule(&tiles, &how, order, engine), FHEC_OK);
    assert_memory_equal(order, ((const uint32_t[]){0, 1, 2}), sizeof order);
    assert_memory_equal(engine, ((const uint32_t[]){1, 0, 1}), sizeof engine);
}

/* A tile reads 256 limbs, and no more: of a ModRaise of so many. */
static void test_most_reads(void **unused) {
    (void)unused;
    for (size_t level = 256; level <= 257; level++) {
        static char id[] = "x";
        struct fh_block_buffer buffers[2] = {{.id = id, .bytes = 257 * 2 * 2048},
                                             {.id = id, .bytes = 257 * 2 * 2048}};
        struct fh_block block = {.id = id,
                                 .op = FH_BLOCK_MODRAISE,
                                 .level = level,
                                 .word = 8,
                                 .read_count = 1,
                                 .write = 1};
        struct fh_block_graph g = {.chain = {8, 257, 1, 1, 1, 54},
                                   .buffers = buffers,
                                   .buffer_count = 2,
                                   .blocks = &block,
                                   .block_count = 1};
        struct fh_block_error error = {"", ""};
        struct fh_tiles made;
        if (fh_block_graph_finish(&g, &error) != FHEC_OK)
            fail_msg("%s: %s", error.at, error.text);
        assert_int_equal(fh_tiles_make(&made, &g, &(struct fh_tiling){0, false}),
                         level == 256 ? FHEC_OK : FHEC_HOST_ERROR);
        fh_tiles_free(&made);
        free(g.order);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_without_cnoc), cmocka_unit_test(test_homes),
        cmocka_unit_test(test_hashed),       cmocka_unit_test(test_labs),
        cmocka_unit_test(test_list),         cmocka_unit_test(test_most_reads),
    };
    return cmocka_run_group_tests_name("blocks_run", tests, NULL, NULL);
}

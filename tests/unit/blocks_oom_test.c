/*
 * blocks_oom_test.c - every allocation on the way from a graph of blocks to its plan is made to
 * fail, one after the other: that is said, or the plan is what it is without.
 */
#include <string.h>

#include "block_report.h"
#include "emu_util.h"
#include "refuse.h"

static char ids[][4] = {"a", "b", "c", "d", "one", "two"};

static fhec_status halves(const struct fh_labs_graph *g, uint32_t parts, uint32_t *part) {
    for (uint32_t v = 0; v < g->count; v++)
        part[v] = v * parts / g->count;
    return FHEC_OK;
}

/* A product and its Rescale, planned and told; false: something says that there was no memory. */
static bool life(bool cnoc, struct fh_trace_bytes *to) {
    struct fh_block_buffer buffers[] = {{.id = ids[0], .bytes = 24576},
                                        {.id = ids[1], .bytes = 24576},
                                        {.id = ids[2], .bytes = 24576},
                                        {.id = ids[3], .bytes = 24576}};
    struct fh_block blocks[] = {{.id = ids[4],
                                 .op = FH_BLOCK_HEMULT,
                                 .level = 4,
                                 .word = 8,
                                 .reads = {0, 1},
                                 .read_count = 2,
                                 .write = 2},
                                {.id = ids[5],
                                 .op = FH_BLOCK_RESCALE,
                                 .level = 4,
                                 .drop = 1,
                                 .word = 8,
                                 .reads = {2},
                                 .read_count = 1,
                                 .write = 3}};
    struct fh_block_graph graph = {.chain = {8, 6, 2, 3, 1, 54},
                                   .buffers = buffers,
                                   .buffer_count = 4,
                                   .blocks = blocks,
                                   .block_count = 2};
    struct fh_block_cost costs[2];
    const struct fh_block_machine machine = {.torus = {2, 2},
                                             .rate = 10,
                                             .memory = 100,
                                             .link = 32,
                                             .hop = 3,
                                             .overlap = 0.5,
                                             .onchip = 20000,
                                             .policy = FH_ONCHIP_BELADY,
                                             .cnoc = cnoc,
                                             .labs = cnoc ? halves : NULL,
                                             .orders = (1 << FH_ORDERS) - 1};
    const struct fh_time_machine described = {.name = "m", .clock_mhz = 1000, .hbm_bandwidth = 1};
    const struct fh_tiling tiling = {FH_TILES_BY_LIMB, false};
    struct fh_block_error error;
    struct fh_tiles tiles = {0};
    struct fh_block_plan plan = {0};
    memset(costs, 0, sizeof costs);
    for (unsigned b = 0; b < 2; b++)
        for (unsigned p = 0; p < FH_TILE_PARTS; p++)
            costs[b].part[p] = (struct fh_part_cost){
                .cycles = 1000, .plain = 2000, .loaded = 5000, .stored = 3000};
    const struct fh_block_view view = {&graph,   costs, &tiles, &tiling, &described,
                                       &machine, &plan, "",     1};
    bool fine = fh_block_graph_finish(&graph, &error) == FHEC_OK;
    fine = fine && fh_tiles_make(&tiles, &graph, &tiling) == FHEC_OK;
    fine = fine && fh_tiles_price(&tiles, &graph, costs) == FHEC_OK;
    fine = fine && fh_block_plan_make(&plan, &graph, &tiles, &machine) == FHEC_OK;
    if (fine) {
        fine = fh_block_text(to, &view);
        fine &= fh_block_json(to, &view);
        fine &= fh_block_gantt(to, &view);
    }
    fh_block_plan_free(&plan);
    fh_tiles_free(&tiles);
    free(graph.order);
    return fine;
}

static void every_allocation(bool cnoc) {
    struct fh_trace_bytes whole = {0};
    unsigned said = 0;
    long granted = 0;
    assert_true(life(cnoc, &whole));
    assert_true(whole.count > 4000);
    for (;; granted++) {
        struct fh_trace_bytes got = {0};
        refuse_after(granted, true);
        const bool fine = life(cnoc, &got);
        const bool refused = refuse_end();
        if (fine) {
            assert_int_equal(got.count, whole.count);
            assert_memory_equal(got.bytes, whole.bytes, whole.count);
        }
        fh_trace_bytes_free(&got);
        said += !fine;
        if (!refused)
            break;
    }
    assert_true(granted < 10000);
    assert_int_equal(said, granted); /* none of them can be done without */
    fh_trace_bytes_free(&whole);
}

static void test_without_cnoc(void **unused) {
    (void)unused;
    every_allocation(false);
}

static void test_labs(void **unused) {
    (void)unused;
    every_allocation(true);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_without_cnoc),
        cmocka_unit_test(test_labs),
    };
    return cmocka_run_group_tests_name("blocks_oom", tests, NULL, NULL);
}

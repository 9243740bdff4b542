/*
 * blocks_report_test.c - plans of blocks, whole, as text, JSON and a Gantt chart, of numbers that
 * are set by hand. The clock is 500 MHz: 500 cycles are a microsecond.
 */
#include <string.h>

#include "block_report.h"
#include "emu_util.h"

static char first_id[] = "fi<rst>", second_id[] = "a \"second\" with a long name", third_id[] = "c",
            fourth_id[] = "d";
static struct fh_block blocks[] = {
    {.id = first_id, .op = FH_BLOCK_HEMULT, .level = 6, .map = "gme64"},
    {.id = second_id, .op = FH_BLOCK_RESCALE, .level = 6, .drop = 2, .map = "gme64"},
    {.id = third_id, .op = FH_BLOCK_HEMULT, .level = 6, .map = "gme64"},
    {.id = fourth_id, .op = FH_BLOCK_HEMULT, .level = 6, .map = "gme32"},
};
static const struct fh_block_graph graph = {
    .chain = {16, 24, 8, 3, 1, 54}, .blocks = blocks, .block_count = 4};
#define NONE                                                                                       \
    { 0, 0, 0, 0, 0, 0, 0 }
static const struct fh_block_cost costs[] = {
    {{{1000.5, 0, 1, 2, 3, 4, 5}, {2000, 0, 6, 7, 8, 9, 10}, {3000, 0, 11, 12, 13, 14, 15}}},
    {{{100, 0, 16, 17, 18, 19, 20}, NONE, NONE}},
    {{NONE, NONE, NONE}},
    {{{5, 0, 0, 0, 0, 0, 0}, NONE, NONE}},
};
static struct fh_tile tiles_of[] = {{.block = 0}, {.block = 0}, {.block = 1}, {.block = 2},
                                    {.block = 0}, {.block = 3}, {.block = 0}};
static const struct fh_tiles tiles = {.tiles = tiles_of, .count = 7};
static const struct fh_time_machine described = {
    .name = "m<1>", .clock_mhz = 500, .hbm_bandwidth = 1000};
static struct fh_tile_times times[] = {{0, 0, 100},     {0, 100, 200}, {1, 50, 400},
                                       {0, 200.1, 300}, {0, 500, 600}, {1, 400, 1000},
                                       {0, 600.2, 700}};
static double loads[] = {1, 2, 3, 4, 5, 6, 7, 8};
static struct fh_block_times of_blocks[] = {
    {0, 700, 80, 250, 30, 1500000, 500000, 7},
    {50, 400, 40, 0, 0, 0, 2000000, 0},
    {200, 300, 10, 20, 5, 1e6, 0, 1},
    {400, 1000, 1, 2, 3, 4, 5, 6},
};
static const struct fh_block_plan plan = {
    .cycles = 1000,
    .order = FH_ORDER_PATH,
    .mapping = FH_MAPPING_LABS,
    .all = {0, 1000, 131, 272, 38, 2500004, 2500005, 14},
    .blocks = of_blocks,
    .tiles = times,
    .loads = loads,
    .bounds = {900, 800.5, 700, 600},
    .kernel_bytes = 9e6,
    .cold_bytes = 3.5e6,
    .labs = {10, 20, 30},
};
static fhec_status no_partition(const struct fh_labs_graph *of, uint32_t parts, uint32_t *part) {
    (void)of, (void)parts, (void)part;
    return FHEC_OK;
}
static struct fh_block_machine machine = {.torus = {2, 1},
                                          .memory = 600,
                                          .link = 32,
                                          .hop = 4,
                                          .overlap = 0.25,
                                          .onchip = 1048576,
                                          .policy = FH_ONCHIP_BELADY,
                                          .cnoc = true,
                                          .labs = no_partition};
static struct fh_tiling tiling = {FH_TILES_BY_LIMB, true};
static struct fh_block_view view = {&graph,   costs, &tiles,      &tiling, &described,
                                    &machine, &plan, "cnoc, mod", 8};

typedef bool report_fn(struct fh_trace_bytes *to, const struct fh_block_view *v);

static void expect(report_fn *report, const char *wanted) {
    struct fh_trace_bytes got = {0};
    assert_true(report(&got, &view));
    fh_trace_put_byte(&got, 0);
    if (strcmp((const char *)got.bytes, wanted) != 0) {
        size_t at = 0;
        while (wanted[at] && wanted[at] == (char)got.bytes[at])
            at++;
        fail_msg("from byte %zu on: %.300s", at, (const char *)got.bytes + at);
    }
    fh_trace_bytes_free(&got);
}

static void with_features(bool with) {
    machine.cnoc = with;
    machine.labs = with ? no_partition : NULL;
    machine.policy = with ? FH_ONCHIP_BELADY : FH_ONCHIP_LRU;
    tiling = with ? (struct fh_tiling){FH_TILES_BY_LIMB, true}
                  : (struct fh_tiling){FH_TILES_BY_DIGIT, false};
    view.features = with ? "cnoc, mod" : "";
}

#define HEAD                                                                                       \
    "\nblock                op            level   start us     end us      C us      M us      X " \
    "us        MB\n"

/* The efficiency is 600 bytes a cycle at 500 MHz, 300 GB/s, of 1000. */
static void test_text(void **unused) {
    (void)unused;
    with_features(true);
    expect(
        fh_block_text,
        "m<1> with cnoc, mod at 500 MHz: 2.0 us, 1000 cycles\n"
        "4 blocks, 7 tiles on 2 engines; order path, mapping labs\n"
        "not less than: 1.8 us the longest path, 1.6 the engines, 1.4 memory, 1.2 the busiest "
        "channel\n"
        "bytes: 9.00 MB that kernels load and store, 3.50 cold, 2.50 fetched, 2.50 written\n"
        "LABS: 10 KiB between parts; times hops 20, before the annealing 30\n" HEAD
        "fi<rst>              hemult            6        0.0        1.4       0.2       0.5       "
        "0.1      2.00\n"
        "a \"second\" with a lo rescale           6        0.1        0.8       0.1       0.0     "
        "  0.0      2.00\n"
        "c                    hemult            6        0.4        0.6       0.0       0.0       "
        "0.0      1.00\n"
        "d                    hemult            6        0.8        2.0       0.0       0.0       "
        "0.0      0.00\n"
        "all                                             0.0        2.0       0.3       0.5       "
        "0.1      5.00\n"
        "\nassumed: hbm_efficiency 0.3; overlap 0.25; link_bytes 32; hop_cycles 4; onchip_bytes "
        "1.04858e+06; sms_of_engine 8; launch_cycles 0; policy belady; limbs packed; loops limbs; "
        "hash uniform over routers; routing x, then y, the shorter way; partition METIS k-way, "
        "seed 1; annealing, fixed seed\n");
    with_features(false);
    expect(
        fh_block_text,
        "m<1> at 500 MHz: 2.0 us, 1000 cycles\n"
        "4 blocks, 7 tiles on 2 engines; order path, mapping labs\n"
        "not less than: 1.8 us the longest path, 1.6 the engines, 1.4 memory, 1.2 the busiest "
        "channel\n"
        "bytes: 9.00 MB that kernels load and store, 3.50 cold, 2.50 fetched, 2.50 written\n" HEAD
        "fi<rst>              hemult            6        0.0        1.4       0.2       0.5       "
        "0.1      2.00\n"
        "a \"second\" with a lo rescale           6        0.1        0.8       0.1       0.0     "
        "  0.0      2.00\n"
        "c                    hemult            6        0.4        0.6       0.0       0.0       "
        "0.0      1.00\n"
        "d                    hemult            6        0.8        2.0       0.0       0.0       "
        "0.0      0.00\n"
        "all                                             0.0        2.0       0.3       0.5       "
        "0.1      5.00\n"
        "\nassumed: hbm_efficiency 0.3; overlap 0.25; link_bytes 32; hop_cycles 4; onchip_bytes "
        "1.04858e+06; sms_of_engine 8; launch_cycles 0; policy lru; limbs words; loops digits; "
        "hash none; routing x, then y, the shorter way; partition none\n");
}

/* Forty blocks are listed, of more the ops. */
static void test_many(void **unused) {
    (void)unused;
    static struct fh_block many[41];
    static struct fh_block_times many_times[41];
    const struct fh_block_graph kept = graph;
    struct fh_block_graph other = kept;
    struct fh_block_plan other_plan = plan;
    struct fh_trace_bytes got = {0};
    with_features(false);
    for (unsigned i = 0; i < 41; i++) {
        many[i] = (struct fh_block){
            .id = third_id, .op = i % 2 ? FH_BLOCK_PTMULT : FH_BLOCK_HEADD, .level = 3};
        many_times[i] = (struct fh_block_times){
            500.0 * (i ^ 6), 500.0 * (i ^ 6) + 500, 50, 100, 150, 1e6, 1e6, 0};
    }
    other.blocks = many;
    other_plan.blocks = many_times;
    view.graph = &other;
    view.plan = &other_plan;
    for (other.block_count = 40; other.block_count <= 41; other.block_count++) {
        assert_true(fh_block_text(&got, &view));
        fh_trace_put_byte(&got, 0);
        const char *at = strstr((const char *)got.bytes, HEAD);
        assert_non_null(at);
        at += strlen(HEAD);
        if (other.block_count == 40) {
            unsigned lines = 0;
            for (; at[0] == 'c'; lines++)
                at = strchr(at, '\n') + 1;
            assert_int_equal(lines, 40);
        } else { /* 21 begin at 0 (block 6) and end with block 40 ^ 6 = 46; 20 at 1 (7) and 46 */
            static const char wanted[] =
                "21 blocks            headd                      0.0       47.0       2.1       4.2"
                "       6.3     42.00\n"
                "20 blocks            ptmult                     1.0       40.0       2.0       4.0"
                "       6.0     40.00\nall ";
            assert_memory_equal(at, wanted, sizeof wanted - 1);
        }
        fh_trace_bytes_free(&got);
        got = (struct fh_trace_bytes){0};
    }
    view.graph = &graph;
    view.plan = &plan;
}

#define PART(name, insts, cycles, ldg, stg, lds, sts)                                              \
    ", \"" name "\": {\"warp_insts\": " insts ", \"cycles\": " cycles ", \"ldg\": " ldg            \
    ", \"stg\": " stg ", \"lds\": " lds ", \"sts\": " sts "}"
#define NO(name) PART(name, "0", "0", "0", "0", "0", "0")
#define BLOCKS                                                                                     \
    ",\n \"costs\": [\n"                                                                           \
    "  {\"op\": \"hemult\", \"level\": 6, \"map\": \"gme64\"" PART("transforms", "1", "1000.5",    \
                                                                   "2", "3", "4", "5")             \
        PART("conversions", "6", "2000", "7", "8", "9", "10") PART(                                \
            "elements", "11", "3000", "12", "13", "14",                                            \
            "15") "},\n"                                                                           \
                  "  {\"op\": \"rescale\", \"level\": 6, \"map\": \"gme64\", \"drop\": 2" PART(    \
                      "transforms", "16", "100", "17", "18", "19", "20") NO("conversions")         \
                      NO("elements") "},\n"                                                        \
                                     "  {\"op\": \"hemult\", \"level\": 6, \"map\": "              \
                                     "\"gme32\"" PART("transforms", "0", "5", "0", "0", "0",       \
                                                      "0") NO("conversions")                       \
                                         NO("elements") "}],\n"                                    \
                                                        " \"blocks\": [\n"                         \
                                                        "  {\"id\": \"fi<rst>\", \"op\": "         \
                                                        "\"hemult\", \"level\": 6, \"map\": "      \
                                                        "\"gme64\", \"start\": 0, "                \
                                                        "\"end\": 700, \"C\": 80, \"M\": 250, "    \
                                                        "\"X\": 30, \"bytes\": 2000000, "          \
                                                        "\"fetched\": 1500000, "                   \
                                                        "\"written\": 500000, \"moved\": 7},\n"    \
                                                        "  {\"id\": \"a \\\"second\\\" with a "    \
                                                        "long name\", \"op\": \"rescale\", "       \
                                                        "\"level\": 6, "                           \
                                                        "\"map\": \"gme64\", \"start\": 50, "      \
                                                        "\"end\": 400, \"C\": 40, \"M\": 0, "      \
                                                        "\"X\": 0, "                               \
                                                        "\"bytes\": 2000000, \"fetched\": 0, "     \
                                                        "\"written\": 2000000, \"moved\": 0},\n"   \
                                                        "  {\"id\": \"c\", \"op\": \"hemult\", "   \
                                                        "\"level\": 6, \"map\": \"gme64\", "       \
                                                        "\"start\": 200, "                         \
                                                        "\"end\": 300, \"C\": 10, \"M\": 20, "     \
                                                        "\"X\": 5, \"bytes\": 1000000, "           \
                                                        "\"fetched\": 1000000, "                   \
                                                        "\"written\": 0, \"moved\": 1},\n"         \
                                                        "  {\"id\": \"d\", \"op\": \"hemult\", "   \
                                                        "\"level\": 6, \"map\": \"gme32\", "       \
                                                        "\"start\": 400, "                         \
                                                        "\"end\": 1000, \"C\": 1, \"M\": 2, "      \
                                                        "\"X\": 3, \"bytes\": 9, \"fetched\": 4, " \
                                                        "\"written\": 5, \"moved\": 6}]}\n"
#define BOUNDS                                                                                     \
    ", \"clock_mhz\": 500, \"cycles\": 1000, \"us\": 2, \"engines\": 2, \"tiles\": 7, "            \
    "\"order\": \"path\", \"mapping\": \"labs\",\n \"bounds\": {\"path\": 900, \"work\": 800.5, "  \
    "\"memory\": 700, \"network\": 600},\n \"all\": {\"kernel_bytes\": 9000000, "                  \
    "\"cold_bytes\": 3500000, \"start\": 0, \"end\": 1000, \"C\": 131, \"M\": 272, \"X\": 38, "    \
    "\"bytes\": 5000009, \"fetched\": 2500004, \"written\": 2500005, \"moved\": 14},\n"
#define CHAIN                                                                                      \
    ",\n \"assumptions\": {\"chain\": {\"log2_n\": 16, \"limbs\": 24, \"alpha\": 8, \"dnum\": 3, " \
    "\"bits\": 54, \"base_alpha\": 1}, \"hbm_efficiency\": 0.3, \"overlap\": 0.25, "               \
    "\"link_bytes\": 32, \"hop_cycles\": 4, \"onchip_bytes\": 1048576, \"sms_of_engine\": 8, "     \
    "\"launch_cycles\": 0, "

/* On a ring of two routers x + 1 and x - 1 are the same one, y the router itself. */
static void test_json(void **unused) {
    (void)unused;
    with_features(true);
    expect(fh_block_json,
           "{\"machine\": \"m<1>\", \"features\": [\"cnoc\", \"mod\"]" BOUNDS
           " \"labs\": {\"phi\": 10, \"gamma\": 20, \"gamma_before\": 30}" CHAIN
           "\"policy\": \"belady\", \"limbs\": \"packed\", \"loops\": \"limbs\", "
           "\"hash\": \"uniform over routers\", \"routing\": \"x, then y, the shorter way\", "
           "\"partition\": \"METIS k-way, seed 1; annealing, fixed seed\"},\n"
           " \"channel_loads\": [{\"from\": 0, \"to\": 1, \"bytes\": 1}, {\"from\": 0, \"to\": 1, "
           "\"bytes\": 2}, {\"from\": 0, \"to\": 0, \"bytes\": 3}, {\"from\": 0, \"to\": 0, "
           "\"bytes\": 4}, {\"from\": 1, \"to\": 0, \"bytes\": 5}, {\"from\": 1, \"to\": 0, "
           "\"bytes\": 6}, {\"from\": 1, \"to\": 1, \"bytes\": 7}, {\"from\": 1, \"to\": 1, "
           "\"bytes\": 8}]" BLOCKS);
    with_features(false);
    expect(fh_block_json, "{\"machine\": \"m<1>\", \"features\": []" BOUNDS " \"labs\": null" CHAIN
                          "\"policy\": \"lru\", \"limbs\": \"words\", \"loops\": \"digits\", "
                          "\"hash\": \"none\", \"routing\": \"x, then y, the shorter way\", "
                          "\"partition\": \"none\"},\n \"channel_loads\": []" BLOCKS);
}

/* 1.2 pixels a cycle from 90 on, rows of 22 from 60 on: bars of one block that are nearer than a
 * quarter of a pixel are one. */
static void test_gantt(void **unused) {
    (void)unused;
    with_features(true);
    expect(fh_block_gantt,
           "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"1330\" height=\"174\" "
           "font-family=\"sans-serif\" font-size=\"12\">\n"
           "<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n"
           "<text x=\"90\" y=\"28\" font-size=\"16\" font-weight=\"bold\">m&lt;1&gt; with cnoc, "
           "mod: 2.0 us</text>\n"
           "<line x1=\"90.00\" y1=\"60\" x2=\"90.00\" y2=\"104\" stroke=\"#ddd\"/>\n"
           "<text x=\"90.00\" y=\"120\" text-anchor=\"middle\">0 us</text>\n"
           "<line x1=\"210.00\" y1=\"60\" x2=\"210.00\" y2=\"104\" stroke=\"#ddd\"/>\n"
           "<text x=\"210.00\" y=\"120\" text-anchor=\"middle\">0.2 us</text>\n"
           "<line x1=\"330.00\" y1=\"60\" x2=\"330.00\" y2=\"104\" stroke=\"#ddd\"/>\n"
           "<text x=\"330.00\" y=\"120\" text-anchor=\"middle\">0.4 us</text>\n"
           "<line x1=\"450.00\" y1=\"60\" x2=\"450.00\" y2=\"104\" stroke=\"#ddd\"/>\n"
           "<text x=\"450.00\" y=\"120\" text-anchor=\"middle\">0.6 us</text>\n"
           "<line x1=\"570.00\" y1=\"60\" x2=\"570.00\" y2=\"104\" stroke=\"#ddd\"/>\n"
           "<text x=\"570.00\" y=\"120\" text-anchor=\"middle\">0.8 us</text>\n"
           "<line x1=\"690.00\" y1=\"60\" x2=\"690.00\" y2=\"104\" stroke=\"#ddd\"/>\n"
           "<text x=\"690.00\" y=\"120\" text-anchor=\"middle\">1 us</text>\n"
           "<line x1=\"810.00\" y1=\"60\" x2=\"810.00\" y2=\"104\" stroke=\"#ddd\"/>\n"
           "<text x=\"810.00\" y=\"120\" text-anchor=\"middle\">1.2 us</text>\n"
           "<line x1=\"930.00\" y1=\"60\" x2=\"930.00\" y2=\"104\" stroke=\"#ddd\"/>\n"
           "<text x=\"930.00\" y=\"120\" text-anchor=\"middle\">1.4 us</text>\n"
           "<line x1=\"1050.00\" y1=\"60\" x2=\"1050.00\" y2=\"104\" stroke=\"#ddd\"/>\n"
           "<text x=\"1050.00\" y=\"120\" text-anchor=\"middle\">1.6 us</text>\n"
           "<line x1=\"1170.00\" y1=\"60\" x2=\"1170.00\" y2=\"104\" stroke=\"#ddd\"/>\n"
           "<text x=\"1170.00\" y=\"120\" text-anchor=\"middle\">1.8 us</text>\n"
           "<line x1=\"1290.00\" y1=\"60\" x2=\"1290.00\" y2=\"104\" stroke=\"#ddd\"/>\n"
           "<text x=\"1290.00\" y=\"120\" text-anchor=\"middle\">2 us</text>\n"
           "<text x=\"82\" y=\"75\" text-anchor=\"end\">engine 0</text>\n"
           "<text x=\"82\" y=\"97\" text-anchor=\"end\">engine 1</text>\n"
           "<rect x=\"90.00\" y=\"62\" width=\"240.00\" height=\"18\" "
           "fill=\"#228833\"><title>fi&lt;rst&gt;, hemult, level 6: 0.0 to 0.4 us</title></rect>\n"
           "<rect x=\"330.12\" y=\"62\" width=\"119.88\" height=\"18\" fill=\"#228833\"><title>c, "
           "hemult, level 6: 0.4 to 0.6 us</title></rect>\n"
           "<rect x=\"690.00\" y=\"62\" width=\"240.00\" height=\"18\" "
           "fill=\"#228833\"><title>fi&lt;rst&gt;, hemult, level 6: 1.0 to 1.4 us</title></rect>\n"
           "<rect x=\"150.00\" y=\"84\" width=\"420.00\" height=\"18\" fill=\"#aa3377\"><title>a "
           "\"second\" with a long name, rescale, level 6: 0.1 to 0.8 us</title></rect>\n"
           "<rect x=\"570.00\" y=\"84\" width=\"720.00\" height=\"18\" fill=\"#228833\"><title>d, "
           "hemult, level 6: 0.8 to 2.0 us</title></rect>\n"
           "<rect x=\"90\" y=\"140\" width=\"12\" height=\"12\" fill=\"#228833\"/><text x=\"108\" "
           "y=\"150\">hemult</text>\n"
           "<rect x=\"240\" y=\"140\" width=\"12\" height=\"12\" fill=\"#aa3377\"/><text x=\"258\" "
           "y=\"150\">rescale</text>\n"
           "</svg>\n");
    view.features = "";
    struct fh_trace_bytes got = {0};
    assert_true(fh_block_gantt(&got, &view));
    fh_trace_put_byte(&got, 0);
    assert_non_null(strstr((const char *)got.bytes, ">m&lt;1&gt;: 2.0 us</text>"));
    fh_trace_bytes_free(&got);
}

/* Ten steps at most, of 1, 2 or 5 and zeros; a plan that takes no time. */
static void test_axis(void **unused) {
    (void)unused;
    static const struct {
        double cycles;
        unsigned count;
        const char *last;
    } cases[] = {
        {4.9, 10, "0.009"},  {5.1, 6, "0.01"},   {9.9, 10, "0.018"}, {10.1, 5, "0.02"},
        {24.9, 10, "0.045"}, {26, 6, "0.05"},    {49, 10, "0.09"},   {51, 6, "0.1"},
        {49900, 10, "90"},   {126000, 6, "250"}, {0, 1, "0"},
    };
    struct fh_block_plan other = plan;
    struct fh_tiles none = {.tiles = tiles_of, .count = 0};
    with_features(true);
    view.plan = &other;
    view.tiles = &none;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct fh_trace_bytes got = {0};
        char wanted[40];
        other.cycles = cases[i].cycles;
        assert_true(fh_block_gantt(&got, &view));
        fh_trace_put_byte(&got, 0);
        unsigned count = 0;
        const char *last = NULL;
        for (const char *at = (const char *)got.bytes; (at = strstr(at, "\"middle\">")); at++) {
            last = at;
            count++;
        }
        snprintf(wanted, sizeof wanted, "\"middle\">%s us<", cases[i].last);
        if (count != cases[i].count || !last || strncmp(last, wanted, strlen(wanted)) != 0)
            fail_msg("%g cycles: %u, %.20s", cases[i].cycles, count, last);
        fh_trace_bytes_free(&got);
    }
    view.plan = &plan;
    view.tiles = &tiles;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_text),  cmocka_unit_test(test_many), cmocka_unit_test(test_json),
        cmocka_unit_test(test_gantt), cmocka_unit_test(test_axis),
    };
    return cmocka_run_group_tests_name("blocks_report", tests, NULL, NULL);
}

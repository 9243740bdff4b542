/*
 * time_report_test.c - reports of times, whole, of kernels whose numbers are set by hand: text,
 * JSON, callgrind and the roofline. Roofs of the machine: 10 SMs of 2 schedulers, one issue in 2
 * cycles, at 500 MHz: 5 10^9 a second; L1 64 bytes a cycle and SM: 10 10^9 sectors; L2 128: 2; HBM
 * 16 GB/s: 0.5.
 */
#include <stdlib.h>
#include <string.h>

#include "emu_util.h"
#include "roofline.h"
#include "time_report.h"
#include "timer_state.h"

static const struct fh_time_machine machine = {
    .name = "m<1>",
    .title = "A & B",
    .clock_mhz = 500,
    .sms = 10,
    .schedulers = 2,
    .slot = 2,
    .warps = 16,
    .launch = 100,
    .l1_width = 64,
    .l2_bandwidth = 128,
    .hbm_bandwidth = 16,
    .units = {{"memory", false}, {"alu", false}, {"tensor", true}, {"unused", false}},
    .unit_count = 4,
};

#define MOV                                                                                        \
    { 0x0000000500017802, 0x000fe20000000f00 } /* MOV R1, 0x5 */
#define NOP                                                                                        \
    { 0x0000000000007918, 0x000fe20000000000 }
#define EXIT                                                                                       \
    { 0x000000000000794d, 0x000fea0003800000 }

static char other_a[] = "a.sass"; /* equal to, but not the same as a literal */

/* Words 0 and 1 are of one line; 3 and 4 of none; 5 never issued; 6 begins a function. */
static struct fh_profiled_word first_words[] = {
    {.word = MOV, .file = "a.sass", .line = 5},
    {.word = NOP, .file = other_a, .line = 5},
    {.word = NOP, .file = "b.sass", .line = 5},
    {.word = MOV},
    {.word = {0, 0}},
    {.word = NOP, .file = "a.sass", .line = 6},
    {.word = NOP, .file = "a.sass", .line = 7, .function = "f"},
    {.word = NOP, .file = "b.sass", .line = 8},
    {.word = EXIT, .file = "a.sass", .line = 9},
};
static struct fh_profiled_word second_words[] = {{.word = {0, 0}}, {.word = {0, 0}}};
static struct fh_profiled_word third_words[] = {{.word = EXIT, .file = "c.sass", .line = 1}};
static char first_name[] = "first", second_name[] = "se<co>nd", third_name[] = "third";
static const struct fh_profiled_kernel
    first_code = {.name = first_name, .words = first_words, .count = COUNT_OF(first_words)},
    second_code = {.name = second_name, .words = second_words, .count = 2},
    third_code = {.name = third_name, .words = third_words, .count = 1};
static const struct fh_timed_name second_names[] = {
    {0x20, 0, 3, "LDG <- R2"},
    {0x1238, 4, 3, "@P0 FOO.BAR R1"},
};

static struct fh_timed_kernel *add(struct fh_timer *timer, const struct fh_profiled_kernel *of) {
    struct fh_timed_kernel *k = fh_timer_add(timer, of);
    assert_non_null(k);
    return k;
}

/* Bound by HBM: 8000 sectors of 4000 instructions. */
static void fill_first(struct fh_timed_kernel *k) {
    static const struct fh_timed_word words[] = {
        {100, {[FH_TIME_STALL] = 10, [FH_TIME_DEPENDENCE] = 30}},
        {50, {[FH_TIME_UNIT] = 30}},
        {200, {0}},
        {20, {[FH_TIME_WAIT_BARRIER] = 100, [FH_TIME_NO_WARP] = 80}},
        {30, {[FH_TIME_PORTS] = 7}},
        {0, {[FH_TIME_STALL] = 99}},
        {5, {0}},
        {1, {0}},
        {1, {0}},
    };
    memcpy(k->words, words, sizeof words);
    k->launches = 3;
    k->cycles = 1300;
    k->sm_cycles = 1000;
    k->hbm_cycles = 900;
    k->warp_insts = 4000;
    k->hbm_bytes = 256000;
    k->occupancy = (struct fh_time_occupancy){4, 3, "shared", 0};
    k->resident = 2;
    k->warps = 8;
    k->waves = 1.5;
    k->blocks = 30;
    k->sm_blocks = 3;
    k->sm = (struct fh_time_sm_result){
        .issued = 400,
        .stalls = {[FH_TIME_STALL] = 500, [FH_TIME_PORTS] = 60, [FH_TIME_NO_WARP] = 640},
        .busy = {100, 500, 300, 0},
        .traffic = {11, 22, 5, 800, 600, 500, 300},
    };
}

/* No traffic, by a trace: bound by issue. */
static void fill_second(struct fh_timed_kernel *k) {
    k->names = second_names;
    k->words[0] = (struct fh_timed_word){5, {[FH_TIME_WAIT_GLOBAL] = 3, [FH_TIME_QUEUE_FULL] = 4}};
    k->words[1] =
        (struct fh_timed_word){20, {[FH_TIME_WAIT_SHARED] = 2, [FH_TIME_WAIT_RESULT] = 1}};
    k->launches = 1;
    k->cycles = 150;
    k->sm_cycles = 50;
    k->warp_insts = 100;
    k->occupancy = (struct fh_time_occupancy){2, 3, "registers", 0};
    k->resident = 3;
    k->warps = 6;
    k->waves = 1;
    k->blocks = 30;
    k->sm_blocks = 3;
    k->sm =
        (struct fh_time_sm_result){.issued = 25, .stalls = {[FH_TIME_STALL] = 50}, .busy = {0, 30}};
}

static struct fh_timer *make(void) {
    struct fh_timer *timer = fh_timer_new(&machine);
    assert_non_null(timer);
    fill_first(add(timer, &first_code));
    fill_second(add(timer, &second_code));
    add(timer, &third_code); /* not launched */
    return timer;
}

static void expect(struct fh_trace_bytes *got, bool fine, const char *wanted) {
    fh_trace_put_byte(got, 0);
    assert_true(fine);
    assert_string_equal((const char *)got->bytes, wanted);
    fh_trace_bytes_free(got);
}

/* ---------------------------------------------------------------- text */

#define TEN   "0123456789"
#define SIXTY TEN TEN TEN TEN TEN TEN

static bool source(void *user, const char *file, uint32_t line, const char **text, size_t *length) {
    (void)user;
    if (strcmp(file, "b.sass") == 0 && line == 5)
        return false;
    *text = strcmp(file, "b.sass") == 0 ? SIXTY
            : line == 5                 ? "    MOV R1, 0x5 ; // five"
            : line == 7                 ? "  " SIXTY "7"
                                        : "   ";
    *length = strlen(*text);
    return true;
}

static void test_text(void **unused) {
    (void)unused;
    struct fh_timer *timer = make();
    struct fh_trace_bytes to = {0};
    const struct fh_profile_sources sources = {NULL, source};
    const bool fine = fh_time_text(&to, timer, &sources);
    expect(&to, fine,
           "m<1> (A & B) at 500 MHz: 1450 cycles, 2.900 us, 4100 warp instructions\n"
           "\n"
           "kernel first: 3 launches, 1300 cycles, 2.600 us\n"
           "  occupancy: 8 of 16 warps, 2 blocks, limited by the grid; 1.50 waves\n"
           "  bounds: SM 1000 cycles, HBM 900 (256000 bytes), launches 300; IPC 0.400\n"
           "  roofline: 2 of 0.25 10^9 warp instructions a second, bound by HBM; 0.5, 0.8, 0.5 a"
           " sector of L1, L2, HBM\n"
           "  issue slots: 40.0 % used, 25.0 % stall_count, 3.0 % register_ports, 32.0 % no_warp\n"
           "\n"
           "        issued      stalled  mostly for      where\n"
           "           150           70  dependence          5  MOV R1, 0x5 ; // five\n"
           "           200            0                      5  \n"
           "            20          180  barrier        0x0030  MOV R1, 0x5\n"
           "            30            7  register_ports 0x0040  \n"
           "             5            0                      7  " SIXTY "\n"
           "             1            0                      8  " SIXTY "\n"
           "             1            0                      9  \n"
           "\n"
           "kernel se<co>nd: 1 launches, 150 cycles, 0.300 us\n"
           "  occupancy: 6 of 16 warps, 3 blocks, limited by registers; 1.00 waves\n"
           "  bounds: SM 50 cycles, HBM 0 (0 bytes), launches 100; IPC 0.500\n"
           "  roofline: 1 of 5 10^9 warp instructions a second, bound by issue; 0, 0, 0 a sector of"
           " L1, L2, HBM\n"
           "  issue slots: 50.0 % used, 50.0 % stall_count\n"
           "\n"
           "        issued      stalled  mostly for      where\n"
           "            20            3  shared_memory  0x1238  @P0 FOO.BAR R1\n"
           "             5            7  memory_queue   0x0020  LDG <- R2\n");
    fh_timer_free(timer);
}

/* Twelve lines of thirteen, those that took longest. */
static void test_most_lines(void **unused) {
    (void)unused;
    struct fh_profiled_word words[13];
    char name[] = "many";
    const struct fh_profiled_kernel code = {.name = name, .words = words, .count = 13};
    struct fh_timer *timer = fh_timer_new(&machine);
    struct fh_timed_kernel *k = add(timer, &code);
    struct fh_trace_bytes to = {0};
    const struct fh_profile_sources sources = {NULL, source};
    k->launches = 1;
    k->sm_cycles = 2;
    for (uint32_t i = 0; i < 13; i++) {
        words[i] = (struct fh_profiled_word){.word = NOP, .file = "a.sass", .line = 100 + i};
        k->words[i].issued = i + 1;
    }
    assert_true(fh_time_text(&to, timer, &sources));
    fh_trace_put_byte(&to, 0);
    const char *at = (const char *)to.bytes;
    unsigned lines = 0;
    for (uint32_t i = 13; i-- > 1; lines++) {
        char wanted[80];
        snprintf(wanted, sizeof wanted, "  %12u %12u  %-14s %6u  \n", i + 1, 0, "", 100 + i);
        at = strstr(at, wanted);
        assert_non_null(at);
        at += strlen(wanted);
    }
    assert_int_equal(lines, 12);
    assert_string_equal(at, "");
    fh_trace_bytes_free(&to);
    fh_timer_free(timer);
}

static void test_total(void **unused) {
    (void)unused;
    struct fh_timer *timer = make();
    struct fh_time_total t;
    fh_time_total(timer, &t);
    assert_int_equal(t.cycles, 1300 + 150);
    assert_int_equal(t.warp_insts, 4000 + 100);
    assert_int_equal(t.sm_cycles, 1000 + 50);
    assert_int_equal(t.sm_issued, 400 + 25);
    assert_int_equal(t.hbm_bytes, 256000);
    assert_int_equal(t.launches, 4);
    assert_true(t.us == 1450 / 500.0);
    assert_true(t.ipc == 425 / 1050.0);
    assert_true(t.occupancy == (8 * 1000 + 6 * 50) / 1050.0 / 16);
    assert_int_equal(t.stalls[FH_TIME_STALL], 550);
    assert_int_equal(t.stalls[FH_TIME_NO_WARP], 640);
    fh_timer_free(timer);
    timer = fh_timer_new(&machine);
    fh_time_total(timer, &t);
    assert_true(t.ipc == 0 && t.occupancy == 0 && t.us == 0 && t.cycles == 0);
    fh_timer_free(timer);
}

/* ---------------------------------------------------------------- JSON */

#define STALLS(a, b, c)                                                                            \
    "\"stalls\": {\"stall_count\": " a ", \"dependence\": 0, \"global_memory\": 0, "               \
    "\"shared_memory\": 0, \"other_unit\": 0, \"barrier\": 0, \"unit_busy\": 0, "                  \
    "\"memory_queue\": 0, \"register_ports\": " b ", \"no_warp\": " c "}"
#define NO_MEMORY                                                                                  \
    "\"memory\": {\"shared_accesses\": 0, \"shared_passes\": 0, \"bank_conflicts\": 0, "           \
    "\"load_sectors\": 0, \"l1_hit_sectors\": 0, \"l2_sectors\": 0, \"hbm_sectors\": 0}"

static void test_json(void **unused) {
    (void)unused;
    struct fh_timer *timer = make();
    struct fh_trace_bytes to = {0};
    const bool fine = fh_time_json(&to, timer);
    expect(
        &to, fine,
        "{\"machine\": \"m<1>\", \"clock_mhz\": 500, \"sms\": 10, \"schedulers\": 2, "
        "\"slot\": 2, \"cycles\": 1450, \"us\": 2.9000, \"warp_insts\": 4100, "
        "\"ipc\": 0.4048, \"occupancy\": 0.4940, " STALLS(
            "550", "60",
            "640") ", \"launches\": 4, \"sm_cycles\": 1050, \"sm_warp_insts\": 425, "
                   "\"hbm_bytes\": 256000, \"roofs\": {\"issue\": 5, \"L1\": 10, \"L2\": 2, "
                   "\"HBM\": 0.5},\n"
                   " \"kernels\": [\n"
                   "  {\"name\": \"first\", \"launches\": 3, \"cycles\": 1300, \"sm_cycles\": "
                   "1000, "
                   "\"hbm_cycles\": 900, \"launch_cycles\": 300, \"warp_insts\": 4000, "
                   "\"sm_warp_insts\": 400, \"us\": 2.6000, \"ipc\": 0.4000, \"occupancy\": "
                   "0.5000, "
                   "\"limited_by\": \"grid\", \"resident_blocks\": 2, \"resident_warps\": 8, "
                   "\"blocks\": 30, \"sm_blocks\": 3, \"waves\": 1.5000, \"hbm_bytes\": "
                   "256000, " STALLS(
                       "500", "60",
                       "640") ", \"units\": {\"memory\": 0.0500, \"alu\": 0.2500, \"tensor\": "
                              "0.3000}, "
                              "\"memory\": {\"shared_accesses\": 11, \"shared_passes\": 22, "
                              "\"bank_conflicts\": 5, "
                              "\"load_sectors\": 800, \"l1_hit_sectors\": 600, \"l2_sectors\": "
                              "500, "
                              "\"hbm_sectors\": 300}, \"roofline\": {\"ginsts_per_s\": 2, "
                              "\"attainable\": 0.25, "
                              "\"bound\": \"HBM\", \"insts_per_sector\": {\"L1\": 0.5, \"L2\": "
                              "0.8, \"HBM\": 0.5}},\n"
                              "   \"instructions\": [\n"
                              "    {\"pc\": 0, \"text\": \"MOV R1, 0x5\", \"file\": \"a.sass\", "
                              "\"line\": 5, "
                              "\"issued\": 100, \"stalls\": {\"stall_count\": 10, \"dependence\": "
                              "30}},\n"
                              "    {\"pc\": 16, \"text\": \"NOP\", \"file\": \"a.sass\", \"line\": "
                              "5, \"issued\": 50, "
                              "\"stalls\": {\"unit_busy\": 30}},\n"
                              "    {\"pc\": 32, \"text\": \"NOP\", \"file\": \"b.sass\", \"line\": "
                              "5, "
                              "\"issued\": 200, \"stalls\": {}},\n"
                              "    {\"pc\": 48, \"text\": \"MOV R1, 0x5\", \"file\": null, "
                              "\"line\": 0, "
                              "\"issued\": 20, \"stalls\": {\"barrier\": 100, \"no_warp\": 80}},\n"
                              "    {\"pc\": 64, \"text\": null, \"file\": null, \"line\": 0, "
                              "\"issued\": 30, "
                              "\"stalls\": {\"register_ports\": 7}},\n"
                              "    {\"pc\": 96, \"text\": \"NOP\", \"file\": \"a.sass\", \"line\": "
                              "7, \"issued\": 5, "
                              "\"stalls\": {}},\n"
                              "    {\"pc\": 112, \"text\": \"NOP\", \"file\": \"b.sass\", "
                              "\"line\": 8, "
                              "\"issued\": 1, \"stalls\": {}},\n"
                              "    {\"pc\": 128, \"text\": \"EXIT\", \"file\": \"a.sass\", "
                              "\"line\": 9, "
                              "\"issued\": 1, \"stalls\": {}}]},\n"
                              "  {\"name\": \"se<co>nd\", \"launches\": 1, \"cycles\": 150, "
                              "\"sm_cycles\": 50, "
                              "\"hbm_cycles\": 0, \"launch_cycles\": 100, \"warp_insts\": 100, "
                              "\"sm_warp_insts\": 25, \"us\": 0.3000, \"ipc\": 0.5000, "
                              "\"occupancy\": 0.3750, "
                              "\"limited_by\": \"registers\", \"resident_blocks\": 3, "
                              "\"resident_warps\": 6, "
                              "\"blocks\": 30, \"sm_blocks\": 3, \"waves\": 1.0000, \"hbm_bytes\": "
                              "0, " STALLS(
                                  "50", "0",
                                  "0") ", \"units\": {\"alu\": 0.3000}, " NO_MEMORY
                                       ", \"roofline\": {\"ginsts_per_s\": 1, \"attainable\": 5, "
                                       "\"bound\": \"issue\", "
                                       "\"insts_per_sector\": {\"L1\": null, \"L2\": null, "
                                       "\"HBM\": null}},\n"
                                       "   \"instructions\": [\n"
                                       "    {\"pc\": 32, \"text\": \"LDG <- R2\", \"file\": null, "
                                       "\"line\": 0, \"issued\": 5, "
                                       "\"stalls\": {\"global_memory\": 3, \"memory_queue\": 4}},\n"
                                       "    {\"pc\": 4664, \"text\": \"@P0 FOO.BAR R1\", \"file\": "
                                       "null, \"line\": 0, "
                                       "\"issued\": 20, \"stalls\": {\"shared_memory\": 2, "
                                       "\"other_unit\": 1}}]},\n"
                                       "  {\"name\": \"third\", \"launches\": 0, \"cycles\": 0, "
                                       "\"sm_cycles\": 0, "
                                       "\"hbm_cycles\": 0, \"launch_cycles\": 0, \"warp_insts\": "
                                       "0, \"sm_warp_insts\": 0, "
                                       "\"us\": 0.0000, \"ipc\": 0.0000, \"occupancy\": 0.0000, "
                                       "\"limited_by\": null, "
                                       "\"resident_blocks\": 0, \"resident_warps\": 0, \"blocks\": "
                                       "0, \"sm_blocks\": 0, "
                                       "\"waves\": 0.0000, \"hbm_bytes\": 0, " STALLS(
                                           "0", "0",
                                           "0") ", \"units\": {}, " NO_MEMORY
                                                ", \"roofline\": {\"ginsts_per_s\": 0, "
                                                "\"attainable\": 5, \"bound\": \"issue\", "
                                                "\"insts_per_sector\": {\"L1\": null, \"L2\": "
                                                "null, \"HBM\": null}},\n"
                                                "   \"instructions\": []}]}\n");
    fh_timer_free(timer);
}

/* ---------------------------------------------------------------- callgrind */

#define EVENT(name) "event: " name " : Cycles that waited: " name "\n"

static void test_callgrind(void **unused) {
    (void)unused;
    struct fh_timer *timer = make();
    struct fh_trace_bytes to = {0};
    const bool fine = fh_time_callgrind(&to, timer);
    /* An issue takes two cycles. Sums of the words that issued. */
    static const char sums[] = " 864 10 30 3 2 1 100 30 4 7 80\n";
    char wanted[3000];
    snprintf(wanted, sizeof wanted,
             "# callgrind format\nversion: 1\ncreator: fhec-" FHEC_VERSION
             "\npid: 1\ncmd: one SM of m<1>, cycles of its schedulers\npart: 1\n\n\n"
             "positions: instr line\nevent: issue : Cycles that issued it\n" EVENT("stall_count")
                 EVENT("dependence") EVENT("global_memory") EVENT("shared_memory")
                     EVENT("other_unit") EVENT("barrier") EVENT("unit_busy") EVENT("memory_queue")
                         EVENT("register_ports")
                             EVENT("no_warp") "events: issue stall_count dependence global_memory "
                                              "shared_memory other_unit barrier "
                                              "unit_busy memory_queue register_ports no_warp\n"
                                              "summary:%s"
                                              "\nfl=a.sass\nfn=first\n"
                                              "0x0 5 200 10 30 0 0 0 0 0 0 0 0\n"
                                              "0x10 5 100 0 0 0 0 0 0 30 0 0 0\n"
                                              "fi=b.sass\n"
                                              "0x20 5 400 0 0 0 0 0 0 0 0 0 0\n"
                                              "fi=???\n"
                                              "0x30 0 40 0 0 0 0 0 100 0 0 0 80\n"
                                              "0x40 0 60 0 0 0 0 0 0 0 0 7 0\n"
                                              "\nfl=a.sass\nfn=f\n"
                                              "0x60 7 10 0 0 0 0 0 0 0 0 0 0\n"
                                              "fi=b.sass\n"
                                              "0x70 8 2 0 0 0 0 0 0 0 0 0 0\n"
                                              "fe=a.sass\n"
                                              "0x80 9 2 0 0 0 0 0 0 0 0 0 0\n"
                                              "\nfl=???\nfn=se<co>nd\n"
                                              "0x0 0 10 0 0 3 0 0 0 0 4 0 0\n"
                                              "0x10 0 40 0 0 0 2 1 0 0 0 0 0\n"
                                              "\ntotals:%s",
             sums, sums);
    expect(&to, fine, wanted);
    fh_timer_free(timer);
}

/* ---------------------------------------------------------------- roofs */

static void test_attainable(void **unused) {
    (void)unused;
    struct fh_timer *timer = fh_timer_new(&machine);
    struct fh_timed_kernel *k = add(timer, &first_code);
    enum fh_roofline_level bound;
    k->sm.issued = 10;
    k->warp_insts = 10;
    assert_true(fh_roofline_attainable(k, &machine, &bound) == 5);
    assert_int_equal(bound, FH_ROOFLINE_LEVELS);
    k->sm.traffic.sectors = 40; /* 0.25 instructions a sector, 10 10^9 sectors a second */
    assert_true(fh_roofline_attainable(k, &machine, &bound) == 2.5);
    assert_int_equal(bound, FH_ROOFLINE_L1);
    k->sm.traffic.l2_sectors = 8; /* 1.25: as much */
    assert_true(fh_roofline_attainable(k, &machine, &bound) == 2.5);
    assert_int_equal(bound, FH_ROOFLINE_L1);
    k->sm.traffic.l2_sectors = 10;
    assert_true(fh_roofline_attainable(k, &machine, &bound) == 2);
    assert_int_equal(bound, FH_ROOFLINE_L2);
    k->hbm_bytes = 32 * 5;
    assert_true(fh_roofline_attainable(k, &machine, &bound) == 1);
    assert_int_equal(bound, FH_ROOFLINE_HBM);
    assert_true(fh_roofline_rate(k, &machine) == 0); /* no cycles */
    k->launches = 2;
    k->cycles = 220;
    assert_true(fh_roofline_rate(k, &machine) == 0.25);
    fh_timer_free(timer);
}

static struct fh_trace_bytes drawing(const struct fh_timer *timer) {
    struct fh_trace_bytes to = {0};
    assert_true(fh_roofline_svg(&to, timer));
    fh_trace_put_byte(&to, 0);
    return to;
}

/* 300 pixels a decade of instructions per sector from 0.1 at 80, 240 a decade of rates from 10
 * at 60.
 */
static void test_drawing(void **unused) {
    (void)unused;
    struct fh_timer *timer = make();
    struct fh_trace_bytes to = drawing(timer);
    assert_string_equal(
        (const char *)to.bytes,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"1240\" height=\"600\" "
        "font-family=\"sans-serif\" font-size=\"12\">\n"
        "<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n"
        "<text x=\"80\" y=\"30\" font-size=\"15\" font-weight=\"bold\">Kernels under the roofs of "
        "m&lt;1&gt;</text>\n"
        "<path d=\"M80.0 60 V540\" stroke=\"#ddd\"/><text x=\"80.0\" y=\"558\" "
        "text-anchor=\"middle\">0.1</text>\n"
        "<path d=\"M380.0 60 V540\" stroke=\"#ddd\"/><text x=\"380.0\" y=\"558\" "
        "text-anchor=\"middle\">1</text>\n"
        "<path d=\"M680.0 60 V540\" stroke=\"#ddd\"/><text x=\"680.0\" y=\"558\" "
        "text-anchor=\"middle\">10</text>\n"
        "<path d=\"M980.0 60 V540\" stroke=\"#ddd\"/><text x=\"980.0\" y=\"558\" "
        "text-anchor=\"middle\">100</text>\n"
        "<path d=\"M80 540.0 H980\" stroke=\"#ddd\"/><text x=\"72\" y=\"544.0\" "
        "text-anchor=\"end\">0.1</text>\n"
        "<path d=\"M80 300.0 H980\" stroke=\"#ddd\"/><text x=\"72\" y=\"304.0\" "
        "text-anchor=\"end\">1</text>\n"
        "<path d=\"M80 60.0 H980\" stroke=\"#ddd\"/><text x=\"72\" y=\"64.0\" "
        "text-anchor=\"end\">10</text>\n"
        "<text x=\"530\" y=\"584\" text-anchor=\"middle\">warp instructions per sector of 32 "
        "bytes</text>\n"
        "<text transform=\"translate(22 300) rotate(-90)\" text-anchor=\"middle\">10^9 warp "
        "instructions a second</text>\n"
        "<path d=\"M80.0 300.0 L289.7 132.2\" stroke=\"#0072b2\" stroke-width=\"2\"/><text "
        "transform=\"translate(80.0 300.0) rotate(-38.66)\" x=\"8\" y=\"-5\" fill=\"#0072b2\">L1, "
        "10 10^9 sectors a second</text>\n"
        "<path d=\"M80.0 467.8 L499.4 132.2\" stroke=\"#009e73\" stroke-width=\"2\"/><text "
        "transform=\"translate(80.0 467.8) rotate(-38.66)\" x=\"8\" y=\"-5\" fill=\"#009e73\">L2, "
        "2 10^9 sectors a second</text>\n"
        "<path d=\"M170.3 540.0 L680.0 132.2\" stroke=\"#d55e00\" stroke-width=\"2\"/><text "
        "transform=\"translate(170.3 540.0) rotate(-38.66)\" x=\"8\" y=\"-5\" "
        "fill=\"#d55e00\">HBM, 0.5 10^9 sectors a second</text>\n"
        "<path d=\"M289.7 132.2 H980\" stroke=\"black\" stroke-width=\"2\"/><text x=\"974\" "
        "y=\"124.2\" text-anchor=\"end\">issue, 5</text>\n"
        "<circle cx=\"1004\" cy=\"56\" r=\"4\" fill=\"#0072b2\"/><text x=\"1014\" y=\"60\">a "
        "kernel, per sector of L1</text>\n"
        "<circle cx=\"1004\" cy=\"74\" r=\"4\" fill=\"#009e73\"/><text x=\"1014\" y=\"78\">a "
        "kernel, per sector of L2</text>\n"
        "<circle cx=\"1004\" cy=\"92\" r=\"4\" fill=\"#d55e00\"/><text x=\"1014\" y=\"96\">a "
        "kernel, per sector of HBM</text>\n"
        "<circle cx=\"289.7\" cy=\"227.8\" r=\"4\" fill=\"#0072b2\"><title>first: 2, 0.5 per "
        "sector of L1</title></circle>\n"
        "<circle cx=\"350.9\" cy=\"227.8\" r=\"4\" fill=\"#009e73\"><title>first: 2, 0.8 per "
        "sector of L2</title></circle>\n"
        "<circle cx=\"289.7\" cy=\"227.8\" r=\"4\" fill=\"#d55e00\"><title>first: 2, 0.5 per "
        "sector of HBM</title></circle>\n"
        "<text x=\"356.9\" y=\"231.8\">1</text>\n"
        "<text x=\"1000\" y=\"132\">1 first</text>\n"
        "<text x=\"1000\" y=\"150\">2 se&lt;co&gt;nd</text>\n"
        "<text x=\"1000\" y=\"168\">3 third</text>\n"
        "</svg>\n");
    fh_trace_bytes_free(&to);
    fh_timer_free(timer);
}

/* What points do to the axes: decades that hold them all. */
static void test_axes(void **unused) {
    (void)unused;
    static const struct {
        uint64_t insts, cycles, sectors;
        double x[2], y[2]; /* the decades at the ends */
    } cases[] = {
        {0, 0, 0, {0.1, 100}, {0.1, 10}},
        {100, 100, 1000, {0.1, 100}, {0.1, 10}}, /* 0.1 a sector, 0.5 */
        {99, 100, 1000, {0.01, 100}, {0.1, 10}},
        {1000, 100, 10, {0.1, 100}, {0.1, 10}}, /* 100 */
        {2001, 100, 20, {0.1, 1000}, {0.1, 100}},
        {1, 5, 0, {0.1, 100}, {0.1, 10}}, /* a rate of 0.1 */
        {1, 6, 0, {0.1, 100}, {0.01, 10}},
        {1, 50, 0, {0.1, 100}, {0.01, 10}},
        {20, 1, 0, {0.1, 100}, {0.1, 10}}, /* 10 */
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct fh_timer *timer = fh_timer_new(&machine);
        struct fh_timed_kernel *k = add(timer, &first_code);
        char wanted[4][120];
        k->launches = 1;
        k->cycles = 100 + cases[i].cycles;
        k->warp_insts = k->sm.issued = cases[i].insts;
        k->sm.traffic.sectors = cases[i].sectors;
        struct fh_trace_bytes to = drawing(timer);
        const double *x = cases[i].x, *y = cases[i].y;
        for (unsigned side = 0; side < 2; side++) {
            const int left = side ? 980 : 80, top = side ? 60 : 540;
            snprintf(wanted[side], sizeof *wanted,
                     "<text x=\"%d.0\" y=\"558\" text-anchor=\"middle\">%g</text>", left, x[side]);
            snprintf(wanted[2 + side], sizeof *wanted,
                     "<text x=\"72\" y=\"%d.0\" text-anchor=\"end\">%g</text>", top + 4, y[side]);
        }
        for (unsigned n = 0; n < 4; n++)
            if (!strstr((const char *)to.bytes, wanted[n]))
                fail_msg("case %zu: %s is not in %s", i, wanted[n], (const char *)to.bytes);
        fh_trace_bytes_free(&to);
        fh_timer_free(timer);
    }
}

/* The roofs themselves: of a slow HBM and a fast L1, 160 and 0.05 instructions a sector. */
static void test_wide_roofs(void **unused) {
    (void)unused;
    struct fh_time_machine wide = machine;
    wide.hbm_bandwidth = 1;
    wide.l1_width = 640;
    struct fh_timer *timer = fh_timer_new(&wide);
    struct fh_trace_bytes to = drawing(timer);
    static const char *const ends[] = {
        "<text x=\"80.0\" y=\"558\" text-anchor=\"middle\">0.01</text>",
        "<text x=\"980.0\" y=\"558\" text-anchor=\"middle\">1000</text>"};
    for (unsigned i = 0; i < 2; i++)
        assert_non_null(strstr((const char *)to.bytes, ends[i]));
    fh_trace_bytes_free(&to);
    fh_timer_free(timer);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_text),       cmocka_unit_test(test_most_lines),
        cmocka_unit_test(test_total),      cmocka_unit_test(test_json),
        cmocka_unit_test(test_callgrind),  cmocka_unit_test(test_attainable),
        cmocka_unit_test(test_drawing),    cmocka_unit_test(test_axes),
        cmocka_unit_test(test_wide_roofs),
    };
    return cmocka_run_group_tests_name("time_report", tests, NULL, NULL);
}

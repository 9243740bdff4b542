/*
 * time_path_test.c - the parts of the timing engine by themselves: the way of memory instructions,
 * L2's lines, lines of accesses, barriers, and what a block takes of an SM; with cycles that follow
 * from the numbers of a machine.
 *
 * The address unit takes 6 cycles to the first instruction, 4 from one to the next, 2 of all
 * schedulers, 3 wait; a pass 2. L1 has 64 bytes a cycle, L2 as many, of which a sector takes half a
 * cycle; HBM 16, a sector two.
 */
#include <string.h>

#include "emu_util.h"
#include "memory_path.h"
#include "occupancy.h"
#include "time_gates.h"
#include "time_stream.h"

static const struct fh_time_machine machine = {
    .name = "m",
    .clock_mhz = 1000,
    .schedulers = 4,
    .queue = 3,
    .queue_depth = 6,
    .queue_interval = 4,
    .queue_shared = 2,
    .pass = 2,
    .l1_width = 64,
    .l2_latency = 100,
    .l2_bandwidth = 64,
    .hbm_latency = 200,
    .hbm_bandwidth = 16,
    .latency = {[FH_TIME_LOAD_SHARED] = {{20, 24, 28}, {15, 16, 17}, {5, 6, 7}},
                [FH_TIME_STORE_SHARED] = {{21, 25, 29}, {31, 32, 33}, {8, 9, 10}},
                [FH_TIME_ATOMIC_SHARED] = {{22, 26, 30}, {22, 26, 30}, {11, 12, 13}},
                [FH_TIME_LOAD_MATRICES] = {{23, 27, 34}, {23, 27, 34}, {14, 15, 16}},
                [FH_TIME_LOAD_GLOBAL] = {{40, 42, 44}, {41, 43, 45}, {17, 18, 19}},
                [FH_TIME_STORE_GLOBAL] = {{50, 52, 54}, {51, 53, 55}, {3, 2, 1}},
                [FH_TIME_ATOMIC_GLOBAL] = {{60, 62, 64}, {61, 63, 65}, {20, 21, 22}},
                [FH_TIME_COPY] = {{70, 72, 74}, {71, 73, 75}, {23, 24, 25}}},
};
static const struct fh_time_rule rule = {.latency = 9, .interval = 1, .read = 3};
static const struct fh_time_op plain = {.rule = &rule, .memory = true};

struct world {
    struct fh_time_l2 l2;
    struct fh_time_path path;
};

static void begin(struct world *w, uint32_t l1_bytes) {
    memset(w, 0, sizeof *w);
    w->l2.capacity = UINT64_MAX / 2;
    assert_true(fh_time_path_begin(&w->path, &machine, &w->l2, l1_bytes, 1));
}

static void end(struct world *w) {
    fh_time_path_end(&w->path);
    fh_time_l2_free(&w->l2);
}

static void issue(struct world *w, uint32_t scheduler, uint64_t now, const struct fh_time_op *op,
                  const struct fh_time_note *notes, uint32_t count, const uint64_t *lines,
                  uint64_t result, uint64_t read) {
    const struct fh_time_done done =
        fh_time_path_issue(&w->path, scheduler, now, op, notes, count, lines);
    assert_int_equal(done.result, result);
    assert_int_equal(done.read, read);
    bool shared = false, global = false;
    for (uint32_t i = 0; i < count; i++) {
        shared |= notes[i].kind == FH_TIME_SHARED;
        global |= notes[i].kind == FH_TIME_GLOBAL;
    }
    assert_int_equal(done.shared, shared);
    assert_int_equal(done.global, global);
}

static void expect_traffic(const struct world *w, const struct fh_time_traffic *wanted) {
    assert_memory_equal(&w->path.traffic, wanted, sizeof *wanted);
}

#define TRAFFIC(...) (&(const struct fh_time_traffic){__VA_ARGS__})

/* ---------------------------------------------------------------- the queue and the port */

static void test_queue(void **unused) {
    (void)unused;
    struct world w;
    begin(&w, 0);
    assert_int_equal(fh_time_path_room(&w.path, 0), 0);
    issue(&w, 0, 0, &plain, NULL, 0, NULL, 9, 3);       /* leaves at 6: as if alone */
    issue(&w, 0, 1, &plain, NULL, 0, NULL, 13, 7);      /* at 10, three cycles late */
    issue(&w, 1, 1, &plain, NULL, 0, NULL, 11, 5);      /* at 8, since 6 and 7 are taken */
    issue(&w, 1, 2, &plain, NULL, 0, NULL, 15, 9);      /* at 12: 10 and 11 are taken */
    issue(&w, 2, 2, &plain, NULL, 0, NULL, 17, 11);     /* at 14, behind all */
    assert_int_equal(fh_time_path_room(&w.path, 0), 0); /* the third has room */
    issue(&w, 0, 2, &plain, NULL, 0, NULL, 19, 13);     /* at 16, though 14 would do for it alone */
    assert_int_equal(fh_time_path_room(&w.path, 0), 6);
    assert_int_equal(fh_time_path_room(&w.path, 1), 0);
    issue(&w, 0, 100, &plain, NULL, 0, NULL, 109, 103);
    assert_int_equal(fh_time_path_room(&w.path, 0), 10);
    /* Far later than the port remembers. */
    issue(&w, 3, 1000000, &plain, NULL, 0, NULL, 1000009, 1000003);
    issue(&w, 3, 1000000, &plain, NULL, 0, NULL, 1000013, 1000007);
    issue(&w, 2, 1000000, &plain, NULL, 0, NULL, 1000011, 1000005);
    expect_traffic(&w, TRAFFIC(0));
    /* Cycles 60 to 63 are taken, 64 is free; 120 to 127, and 124 is no better. */
    const struct fh_time_note note = {
        .kind = FH_TIME_SHARED, .access = FHEC_ACCESS_READ, .count = 2, .least = 2};
    const struct fh_time_note four = {
        .kind = FH_TIME_SHARED, .access = FHEC_ACCESS_READ, .count = 4, .least = 4};
    end(&w);
    begin(&w, 0);
    issue(&w, 0, 54, &plain, &note, 1, NULL, 74, 59);
    issue(&w, 1, 54, &plain, NULL, 0, NULL, 67, 61);
    issue(&w, 0, 114, &plain, &four, 1, NULL, 134, 119);
    issue(&w, 1, 118, &plain, NULL, 0, NULL, 131, 125);
    issue(&w, 2, 112, &plain, &note, 1, NULL, 112 + 12 + 20, 112 + 12 + 5); /* 118 is too short */
    end(&w);
}

/* At cycle 0 the port is looked at up to 32704: 511 words of 64 cycles. Cycles 6 to 32697 are
 * taken, and 32700 and 32701. Four would end at 32706 behind these, which is too late: they begin
 * in the first free one, as if the two were not there. Two have 32702 and 32703. */
static void test_horizon(void **unused) {
    (void)unused;
    struct world w;
    struct fh_time_note note = {
        .kind = FH_TIME_SHARED, .access = FHEC_ACCESS_READ, .count = 16345, .least = 16345};
    begin(&w, 0);
    issue(&w, 0, 0, &plain, &note, 1, NULL, 20, 5);               /* 6 to 32695 */
    issue(&w, 0, 0, &plain, NULL, 0, NULL, 9 + 32690, 3 + 32690); /* at 32696 */
    issue(&w, 0, 0, &plain, NULL, 0, NULL, 9 + 32694, 3 + 32694); /* at 32700, four later */
    note.count = note.least = 2;
    issue(&w, 1, 0, &plain, &note, 1, NULL, 20 + 32692, 5 + 32692); /* at 32698 */
    issue(&w, 2, 0, &plain, NULL, 0, NULL, 9 + 32696, 3 + 32696);   /* at 32702 */
    end(&w);
}

static void test_shared(void **unused) {
    (void)unused;
    struct world w;
    struct fh_time_note note = {
        .kind = FH_TIME_SHARED, .access = FHEC_ACCESS_READ, .count = 4, .least = 1};
    static const struct fh_time_op matrices = {.rule = &rule, .memory = true, .matrices = true};
    begin(&w, 0);
    issue(&w, 0, 0, &plain, &note, 1, NULL, 26, 11); /* three passes more than one: 6 cycles */
    expect_traffic(&w, TRAFFIC(1, 4, 3, 0, 0, 0, 0));
    issue(&w, 1, 0, &plain, &note, 1, NULL, 34, 19); /* behind the eight cycles of the four */
    note.count = 1;
    issue(&w, 2, 100, &plain, &note, 1, NULL, 120, 105);
    note.uniform = true;
    issue(&w, 2, 200, &plain, &note, 1, NULL, 215, 205);
    note.width = 1;
    issue(&w, 2, 300, &plain, &note, 1, NULL, 316, 306);
    note.width = 2;
    note.uniform = false;
    issue(&w, 2, 400, &plain, &note, 1, NULL, 428, 407);
    note.access = FHEC_ACCESS_WRITE;
    issue(&w, 2, 500, &plain, &note, 1, NULL, 529, 510);
    note.access = FHEC_ACCESS_READ | FHEC_ACCESS_WRITE;
    issue(&w, 2, 600, &plain, &note, 1, NULL, 630, 613);
    issue(&w, 2, 700, &matrices, &note, 1, NULL, 734, 716);
    note.count = note.least = 2;
    issue(&w, 2, 800, &plain, &note, 1, NULL, 830, 813); /* two without conflicts */
    expect_traffic(&w, TRAFFIC(10, 4 + 4 + 7 + 2, 6, 0, 0, 0, 0));
    end(&w);
}

/* ---------------------------------------------------------------- global memory */

#define LINE(number, sectors) ((uint64_t)(number) << FH_TIME_SECTORS | (sectors))

static void test_global(void **unused) {
    (void)unused;
    struct world w;
    struct fh_time_note load = {.kind = FH_TIME_GLOBAL, .access = FHEC_ACCESS_READ, .count = 1};
    const uint64_t all[] = {LINE(5, 0xf)}, first[] = {LINE(9, 1)}, rest[] = {LINE(9, 0xf)};
    begin(&w, 4 * 16 * 128);
    assert_int_equal(w.path.sets, 4);
    /* Four sectors from HBM, two cycles each, of which the first one's are in the latency. */
    issue(&w, 0, 0, &plain, &load, 1, all, 206, 17);
    expect_traffic(&w, TRAFFIC(0, 0, 0, 4, 0, 4, 4));
    issue(&w, 0, 300, &plain, &load, 1, all, 340, 317); /* in L1 */
    expect_traffic(&w, TRAFFIC(0, 0, 0, 8, 4, 4, 4));
    issue(&w, 0, 400, &plain, &load, 1, first, 600, 417);
    issue(&w, 0, 700, &plain, &load, 1, rest, 904, 717); /* three sectors more */
    expect_traffic(&w, TRAFFIC(0, 0, 0, 13, 5, 8, 8));
    issue(&w, 0, 710, &plain, &load, 1, first, 904, 727); /* not before the others have come */
    load.uniform = true;
    load.width = 2;
    issue(&w, 0, 1000, &plain, &load, 1, first, 1045, 1019);
    end(&w);
    /* Without L1 everything comes from L2, half a cycle a sector. */
    begin(&w, 0);
    load.uniform = false;
    load.width = 0;
    issue(&w, 0, 0, &plain, &load, 1, all, 206, 17);
    issue(&w, 0, 1000, &plain, &load, 1, all, 1101, 1017);
    issue(&w, 1, 1000, &plain, &load, 1, all, 1103, 1019); /* behind the other's four */
    expect_traffic(&w, TRAFFIC(0, 0, 0, 12, 0, 12, 4));
    end(&w);
}

static void test_stores(void **unused) {
    (void)unused;
    struct world w;
    struct fh_time_note note = {.kind = FH_TIME_GLOBAL, .access = FHEC_ACCESS_WRITE, .count = 2};
    const uint64_t lines[] = {LINE(5, 0xf), LINE(6, 0x3)};
    begin(&w, 4 * 16 * 128);
    issue(&w, 0, 0, &plain, &note, 1, lines, 50, 3); /* nobody waits for it */
    expect_traffic(&w, TRAFFIC(0, 0, 0, 0, 0, 6, 6));
    note.access = FHEC_ACCESS_READ | FHEC_ACCESS_WRITE;
    /* In L2: six sectors, half a cycle each; the last line's two come behind four. */
    issue(&w, 0, 100, &plain, &note, 1, lines, 100 + 100 + 2, 120);
    expect_traffic(&w, TRAFFIC(0, 0, 0, 0, 0, 12, 6));
    end(&w);
    /* The port is L1's for as long as the bytes take: 6 sectors of 32 bytes, 64 a cycle; a line at
     * least a cycle. */
    begin(&w, 0);
    note.access = FHEC_ACCESS_WRITE;
    issue(&w, 0, 0, &plain, &note, 1, lines, 50, 3);
    issue(&w, 1, 0, &plain, NULL, 0, NULL, 12, 6); /* at 9 */
    const uint64_t many[] = {LINE(1, 1), LINE(2, 1), LINE(3, 1), LINE(4, 1), LINE(5, 1)};
    note.count = 5;
    issue(&w, 2, 100, &plain, &note, 1, many, 150, 103);
    issue(&w, 3, 100, &plain, NULL, 0, NULL, 114, 108); /* five cycles later */
    end(&w);
}

/* Of several spaces the longest; of a copy its own latency. */
static void test_several(void **unused) {
    (void)unused;
    struct world w;
    static const struct fh_time_op copy = {.rule = &rule, .memory = true, .copies = true};
    const struct fh_time_note notes[] = {
        {.kind = FH_TIME_GLOBAL, .access = FHEC_ACCESS_READ, .count = 1},
        {.kind = FH_TIME_SHARED, .access = FHEC_ACCESS_READ, .count = 3, .least = 1},
        {.kind = FH_TIME_GLOBAL, .access = FHEC_ACCESS_READ, .count = 1},
    };
    const uint64_t lines[] = {LINE(5, 1), LINE(6, 1)};
    begin(&w, 4 * 16 * 128);
    issue(&w, 0, 0, &plain, notes, 3, lines, 202, 21); /* the second sector two cycles later */
    expect_traffic(&w, TRAFFIC(1, 3, 2, 2, 0, 2, 2));
    issue(&w, 0, 300, &plain, notes, 3, lines, 344, 321); /* 40 and two passes more */
    issue(&w, 0, 400, &copy, notes, 2, lines, 474, 427);
    end(&w);
}

/* Sixteen lines of a set; the one that was used longest ago goes. */
static void test_ways(void **unused) {
    (void)unused;
    struct world w;
    const struct fh_time_note load = {
        .kind = FH_TIME_GLOBAL, .access = FHEC_ACCESS_READ, .count = 1};
    uint64_t now = 0, hits = 0;
    begin(&w, 2 * 16 * 128);
    assert_int_equal(w.path.sets, 2);
    static const struct {
        uint64_t line;
        bool there;
    } rest[] = {{0, true},  {34, false}, {2, false}, {4, false}, {0, true},
                {34, true}, {33, true},  {1, false}, {30, true}};
    for (uint64_t i = 0; i < 34; i++) { /* of lines 0 to 33 the even ones' set has 17 */
        if (i == 32)
            continue;
        const uint64_t line = LINE(i, 1);
        (void)fh_time_path_issue(&w.path, 0, now += 1000, &plain, &load, 1, &line);
        /* Line 0 stays, since it is used again. */
        const uint64_t again = LINE(0, 1);
        (void)fh_time_path_issue(&w.path, 0, now += 1000, &plain, &load, 1, &again);
    }
    hits = w.path.traffic.l1_hits;
    assert_int_equal(hits, 33);
    for (size_t i = 0; i < COUNT_OF(rest); i++) {
        const uint64_t line = LINE(rest[i].line, 1);
        (void)fh_time_path_issue(&w.path, 0, now += 1000, &plain, &load, 1, &line);
        if (w.path.traffic.l1_hits - hits != rest[i].there)
            fail_msg("line %llu", (unsigned long long)rest[i].line);
        hits = w.path.traffic.l1_hits;
    }
    end(&w);
}

/* Of SMs that share L2 and HBM each has its part, and one alone no more than its own port. */
static void test_shares(void **unused) {
    (void)unused;
    static const struct {
        uint32_t active, width;
        uint64_t l2, hbm;
    } cases[] = {
        {1, 64, 512, 2048}, {2, 64, 1024, 4096}, {1, 32, 1024, 2048}, {8, 64, 4096, 16384}};
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct fh_time_machine m = machine;
        struct fh_time_l2 l2 = {.capacity = 1};
        struct fh_time_path path;
        m.l1_width = cases[i].width;
        assert_true(fh_time_path_begin(&path, &m, &l2, 5000, cases[i].active));
        assert_int_equal(path.l2_cost, cases[i].l2);
        assert_int_equal(path.hbm_cost, cases[i].hbm);
        assert_int_equal(path.sets, 2);
        fh_time_path_end(&path);
    }
}

/* ---------------------------------------------------------------- L2 */

static void test_l2(void **unused) {
    (void)unused;
    struct fh_time_l2 l2 = {.capacity = 64};
    assert_int_equal(fh_time_l2_access(&l2, LINE(7, 0x5), 0), 2);
    assert_int_equal(l2.clock, 64);
    assert_int_equal(fh_time_l2_access(&l2, LINE(7, 0xf), 64), 2); /* 64 bytes ago: still */
    assert_int_equal(l2.clock, 128);
    assert_int_equal(fh_time_l2_access(&l2, LINE(7, 0xf), 128), 0);
    assert_int_equal(fh_time_l2_access(&l2, LINE(7, 0xf), 193), 4); /* 65: it has gone */
    assert_int_equal(l2.clock, 256);
    assert_int_equal(fh_time_l2_access(&l2, LINE(7, 0xf), 100), 0); /* an earlier one */
    assert_int_equal(fh_time_l2_access(&l2, LINE(7, 0xf), 257), 0); /* counts from 193 */
    fh_time_l2_free(&l2);
    /* More lines than the first table has room for, none of which is lost. */
    l2 = (struct fh_time_l2){.capacity = UINT64_MAX / 2};
    for (unsigned round = 0; round < 2; round++)
        for (uint64_t i = 0; i < 20000; i++)
            assert_int_equal(fh_time_l2_access(&l2, LINE(i * 4096 + 1, 3), l2.clock),
                             round ? 0 : 2);
    assert_int_equal(l2.count, 20000);
    assert_int_equal(l2.clock, 20000 * 64);
    fh_time_l2_free(&l2);
    /* Those that have gone are left behind when the table grows. */
    l2 = (struct fh_time_l2){.capacity = 3200};
    for (uint64_t i = 0; i < 20000; i++)
        assert_int_equal(fh_time_l2_access(&l2, LINE(i, 1), l2.clock), 1);
    /* It grows with 2048 lines, 4096 and 8192, of which the last 100 stay each time. */
    assert_int_equal(l2.room, 8 * 4096);
    assert_int_equal(l2.count, 20000 - 2048 - (4096 - 100) - (8192 - 100) + 100);
    for (uint64_t i = 19999; i > 19999 - 100; i--)
        assert_int_equal(fh_time_l2_access(&l2, LINE(i, 1), l2.clock), 0);
    assert_int_equal(fh_time_l2_access(&l2, LINE(19000, 1), l2.clock), 1);
    fh_time_l2_free(&l2);
}

/* ---------------------------------------------------------------- lines of accesses */

static void test_lines(void **unused) {
    (void)unused;
    uint64_t address[FHEC_WARP_LANES], lines[FH_TIME_LINES];
    fhec_access access = {.space = FHEC_SPACE_GLOBAL, .bytes = 4, .address = address};
    for (uint32_t l = 0; l < FHEC_WARP_LANES; l++)
        address[l] = 0x1000 + 4 * l;
    assert_int_equal(fh_time_lines(&access, UINT32_MAX, lines), 1);
    assert_int_equal(lines[0], LINE(0x20, 0xf));
    assert_int_equal(fh_time_lines(&access, 0x00ffff00, lines), 1);
    assert_int_equal(lines[0], LINE(0x20, 0x6));
    assert_int_equal(fh_time_lines(&access, 0, lines), 0);
    for (uint32_t l = 0; l < FHEC_WARP_LANES; l++)
        address[l] += 16;
    assert_int_equal(fh_time_lines(&access, UINT32_MAX, lines), 2);
    assert_true(lines[0] == LINE(0x20, 0xf) && lines[1] == LINE(0x21, 0x1));
    access.bytes = 16;
    for (uint32_t l = 0; l < FHEC_WARP_LANES; l++)
        address[l] = 128 * (31 - l) + 112;
    assert_int_equal(fh_time_lines(&access, UINT32_MAX, lines), 32);
    assert_true(lines[0] == LINE(31, 8) && lines[31] == LINE(0, 8));
    /* Words of one address of the lanes lie side by side. */
    access = (fhec_access){.space = FHEC_SPACE_LOCAL, .bytes = 8, .address = address};
    for (uint32_t l = 0; l < FHEC_WARP_LANES; l++)
        address[l] = 8;
    assert_int_equal(fh_time_lines(&access, UINT32_MAX, lines), 2);
    assert_true(lines[0] == LINE(2, 0xf) && lines[1] == LINE(3, 0xf));
    assert_int_equal(fh_time_lines(&access, 0x80000001, lines), 2);
    assert_true(lines[0] == LINE(2, 0x9) && lines[1] == LINE(3, 0x9));
}

static void test_stream(void **unused) {
    (void)unused;
    struct fh_time_stream *s = calloc(1, sizeof *s);
    uint64_t address[FHEC_WARP_LANES];
    assert_non_null(s);
    for (uint32_t l = 0; l < FHEC_WARP_LANES; l++)
        address[l] = 8 * l;
    fhec_event event = {.pc = 0x20,
                        .lanes = UINT32_MAX,
                        .active = UINT32_MAX,
                        .access = {.space = FHEC_SPACE_GLOBAL,
                                   .access = FHEC_ACCESS_READ,
                                   .bytes = 8,
                                   .address = address}};
    fh_time_stream_access(s, &event, false);
    event.access.space = FHEC_SPACE_SHARED;
    event.access.bytes = 4;
    event.access.access = FHEC_ACCESS_WRITE;
    fh_time_stream_access(s, &event, false);
    fh_time_stream_barrier(s, 2, 7, 9);
    event.lanes = 0;
    fh_time_stream_access(s, &event, false); /* of no lane: none */
    assert_int_equal(s->note_count, 3);
    assert_int_equal(s->line_count, 2);
    assert_true(s->notes[0].kind == FH_TIME_GLOBAL && s->notes[0].count == 2 &&
                s->notes[0].width == 1 && !s->notes[0].uniform && s->notes[0].word == 2 &&
                s->notes[0].access == FHEC_ACCESS_READ);
    /* Two words a bank of a stride of eight bytes. */
    assert_true(s->notes[1].kind == FH_TIME_SHARED && s->notes[1].count == 2 &&
                s->notes[1].least == 1 && s->notes[1].width == 0 &&
                s->notes[1].access == FHEC_ACCESS_WRITE);
    assert_true(s->notes[2].kind == FH_TIME_BARRIER && s->notes[2].count == 9 &&
                s->notes[2].least == 7 && s->notes[2].word == 2);
    event.pc = 0x10;
    fh_time_stream_instruction(s, &event); /* another one: they are not its */
    assert_int_equal(s->placed, 0);
    event.pc = 0x20;
    event.active = 0;
    fh_time_stream_instruction(s, &event);
    assert_int_equal(s->placed, 3);
    assert_true(s->notes[0].at == 1 && s->notes[2].at == 1);
    assert_true(s->word[0] == 1 && s->word[1] == 2 && !s->idle[0] && s->idle[1]);
    for (uint32_t i = 2; i < FH_TIME_AHEAD + 3u; i++)
        fh_time_stream_instruction(s, &event);
    assert_int_equal(s->words, FH_TIME_AHEAD);
    for (uint32_t i = 0; i < 3 * FH_TIME_AHEAD + 3u; i++)
        fh_time_stream_barrier(s, 2, 7, 9);
    assert_int_equal(s->note_count, 3 * FH_TIME_AHEAD);
    fh_time_stream_restart(s);
    event.lanes = UINT32_MAX;
    for (uint32_t l = 0; l < FHEC_WARP_LANES; l++)
        address[l] = 64;
    for (uint32_t bytes = 1; bytes <= 16; bytes *= 2) {
        event.access.bytes = bytes;
        fh_time_stream_access(s, &event, false);
        const struct fh_time_note *note = &s->notes[s->note_count - 1];
        assert_true(note->uniform);
        assert_int_equal(note->width, bytes <= 4 ? 0 : bytes == 8 ? 1 : 2);
    }
    address[31] = 68;
    fh_time_stream_access(s, &event, false);
    assert_false(s->notes[s->note_count - 1].uniform);
    free(s);
}

/* ---------------------------------------------------------------- barriers */

static void test_gates(void **unused) {
    (void)unused;
    struct fh_time_gates g;
    assert_true(fh_time_gates_begin(&g, 2));
    struct fh_time_gate *gate = fh_time_gate(&g, 1, 3, 0);
    assert_ptr_equal(fh_time_gate(&g, 1, 3 + FH_TIME_BARRIERS, FH_TIME_GATES), gate);
    assert_ptr_not_equal(fh_time_gate(&g, 0, 3, 0), gate);
    assert_ptr_not_equal(fh_time_gate(&g, 1, 4, 0), gate);
    assert_ptr_not_equal(fh_time_gate(&g, 1, 3, 1), gate);
    assert_int_equal(fh_time_gates_arrival(&g, 1, 3), 0);
    assert_int_equal(fh_time_gates_arrival(&g, 1, 3), 0);
    assert_int_equal(gate->total, 2);
    assert_int_equal(fh_time_gate_come(gate), 0);
    gate->waiting = 1u << 4 | 1u << 5;
    assert_false(gate->open);
    fh_time_gates_release(&g, 1, 3);
    assert_true(gate->released);
    fh_time_gates_leave(&g, 1, 5);
    fh_time_gates_leave(&g, 0, 4);
    assert_int_equal(fh_time_gate_come(gate), 1u << 4);
    assert_true(gate->open && !gate->waiting);
    assert_int_equal(fh_time_gates_arrival(&g, 1, 3), 1); /* the next use */
    assert_int_equal(fh_time_gates_arrival(&g, 0, 3), 0); /* of the other block */
    assert_int_equal(fh_time_gates_arrival(&g, 1, 4), 0);
    fh_time_gates_restart(&g, 1);
    assert_int_equal(fh_time_gates_arrival(&g, 1, 3), 0);
    assert_int_equal(fh_time_gate(&g, 1, 3, 0)->total, 1);
    assert_int_equal(fh_time_gate(&g, 0, 3, 0)->total, 1);
    /* Of a trace: a use in the place of another one waits until all have come to that. */
    assert_true(fh_time_gates_expect(&g, 0, 5, 0, 2));
    gate = fh_time_gate(&g, 0, 5, 0);
    assert_int_equal(fh_time_gate_come(gate), 0);
    assert_false(fh_time_gates_expect(&g, 0, 5, FH_TIME_GATES, 3));
    assert_int_equal(fh_time_gate_come(gate), 0);
    assert_true(gate->open);
    assert_true(fh_time_gates_expect(&g, 0, 5, FH_TIME_GATES, 3));
    assert_true(gate->total == 3 && gate->come == 0 && gate->released && !gate->open);
    fh_time_gates_end(&g);
    assert_true(!g.gates && !g.uses);
}

/* ---------------------------------------------------------------- occupancy */

static void test_occupancy(void **unused) {
    (void)unused;
    static const struct fh_time_machine m = {.warps = 64,
                                             .blocks = 32,
                                             .registers = 65536,
                                             .register_unit = 256,
                                             .shared = 65536,
                                             .shared_unit = 128,
                                             .shared_reserved = 1024,
                                             .l1_bytes = 196608};
    static const struct {
        struct fh_time_block block;
        uint32_t warps, blocks, l1;
        const char *limit;
    } cases[] = {
        {{32, 0, 0}, 1, 32, 196608 - 32 * 1024, "blocks"},
        {{33, 0, 0}, 2, 32, 196608 - 32 * 1024, "blocks"},
        {{96, 0, 0}, 3, 21, 196608 - 21 * 1024, "warps"},
        {{64, 32, 0}, 2, 32, 196608 - 32 * 1024, "blocks"},
        {{64, 33, 0}, 2, 25, 196608 - 25 * 1024, "registers"}, /* 1280 a warp */
        {{32, 64, 0}, 1, 32, 196608 - 32 * 1024, "blocks"},
        {{1024, 65, 0}, 32, 0, 196608, "registers"},
        {{32, 0, 1024}, 1, 32, 196608 - 65536, "blocks"},
        {{32, 0, 1025}, 1, 30, 196608 - 30 * 2176, "shared"},
        {{32, 0, 64512}, 1, 1, 196608 - 65536, "shared"},
        {{32, 0, 64513}, 1, 0, 196608, "shared"},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct fh_time_occupancy o;
        fh_time_occupancy(&m, &cases[i].block, &o);
        if (o.warps != cases[i].warps || o.blocks != cases[i].blocks || o.l1_bytes != cases[i].l1 ||
            strcmp(o.limit, cases[i].limit) != 0)
            fail_msg("case %zu: %u warps, %u blocks, %u bytes of L1, %s", i, o.warps, o.blocks,
                     o.l1_bytes, o.limit);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_queue),     cmocka_unit_test(test_horizon),
        cmocka_unit_test(test_shared),    cmocka_unit_test(test_global),
        cmocka_unit_test(test_stores),    cmocka_unit_test(test_several),
        cmocka_unit_test(test_ways),      cmocka_unit_test(test_shares),
        cmocka_unit_test(test_l2),        cmocka_unit_test(test_lines),
        cmocka_unit_test(test_stream),    cmocka_unit_test(test_gates),
        cmocka_unit_test(test_occupancy),
    };
    return cmocka_run_group_tests_name("time_path", tests, NULL, NULL);
}

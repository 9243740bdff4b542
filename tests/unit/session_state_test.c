/*
 * session_state_test.c - sessions: steps, beginnings and ends, barriers, faults, cancelling; the
 * state of blocks, warps and lanes, read and changed, and what the launch does with the changes.
 */
#include "session_util.h"

#define KERNEL ".target sm_80\n.kernel K\n.param data, 8\n.shared s, 256\n.local 32\n"

/* Each thread stores its number; lanes below 8 add 100 first. The lines of the source are those of
 * the instructions, and 5 more. */
static const char branch[] = KERNEL "S2R R0, SR_TID.X ;\n"                 /* 00 */
                                    "ISETP.GE.AND P0, PT, R0, 0x8, PT ;\n" /* 10 */
                                    "MOV R4, R0 ;\n"                       /* 20 */
                                    "BSSY B0, join ;\n"                    /* 30 */
                                    "@P0 BRA other ;\n"                    /* 40 */
                                    "IADD3 R4, R4, 0x64, RZ ;\n"           /* 50 */
                                    "other: BSYNC B0 ;\n"                  /* 60 */
                                    "join: BAR.SYNC 0x0 ;\n"               /* 70 */
                                    "MOV R1, 0x4 ;\n"                      /* 80 */
                                    "IMAD.WIDE.U32 R2, R0, R1, data ;\n"   /* 90 */
                                    "STG.E [R2.64], R4 ;\n"                /* a0 */
                                    "EXIT ;\n"                             /* b0 */
                                    ".end\n";
static const uint32_t first[3] = {0, 0, 0};

static fhec_warp_info warp_info(const struct guest *g, uint32_t warp) {
    fhec_warp_info info;
    assert_int_equal(fhec_session_warp(g->session, first, warp, &info), FHEC_OK);
    return info;
}

/* The last snapshot is freed while the launch is under way, which goes on storing. */
static void a_launch_outlives_its_snapshots(void **unused) {
    (void)unused;
    struct guest g = guest_begin(branch, 1, 64, 64);
    const fhec_go half = {.instructions = 13};
    fhec_snapshot *snapshot;
    assert_int_equal(fhec_snapshot_take(g.machine, &snapshot), FHEC_OK);
    (void)guest_go(&g, &half);
    fhec_snapshot_free(snapshot);
    assert_int_equal(guest_go(&g, NULL).reason, FHEC_STOP_END);
    assert_int_equal(word_at(&g, 7), 107);
    assert_int_equal(word_at(&g, 40), 40);
    guest_end(&g);
}

static void steps_of_a_warp(void **unused) {
    (void)unused;
    struct guest g = guest_begin(branch, 1, 64, 64);
    fhec_go step = {.step = FHEC_STEP_INSTRUCTION, .scope = {.one_warp = true, .warp = 1}};
    fhec_stop stop = guest_go(&g, &step); /* warp 0 runs up to its barrier first: 8 instructions */
    expect_at(&stop, FHEC_STOP_STEP, 0, 1, 0x10, 9);
    stop = guest_go(&g, &step);
    expect_at(&stop, FHEC_STOP_STEP, 0, 1, 0x20, 10);
    step.scope.one_warp = false;
    stop = guest_go(&g, &step);
    expect_at(&stop, FHEC_STOP_STEP, 0, 1, 0x30, 11);
    for (int i = 0; i < 4; i++) /* of the branch it takes one side only */
        stop = guest_go(&g, &step);
    expect_at(&stop, FHEC_STOP_STEP, 0, 1, 0x80, 15);
    stop = guest_go(&g, &step); /* warp 0 goes on, which the barrier has let go */
    expect_at(&stop, FHEC_STOP_STEP, 0, 0, 0x90, 16);
    guest_end(&g);
}

/* The two sides of the branch issue one after the other; a step of lanes goes on until they do. */
static void steps_of_lanes(void **unused) {
    (void)unused;
    struct guest g = guest_begin(branch, 1, 32, 64);
    fhec_go step = {.step = FHEC_STEP_INSTRUCTION, .scope = {.lanes = 0x80000000}};
    fhec_stop stop;
    for (uint64_t n = 1; n <= 5; n++) {
        stop = guest_go(&g, &step);
        assert_int_equal(stop.instructions, n);
    }
    fhec_warp_info info = warp_info(&g, 0);
    assert_int_equal(info.group_count, 2);
    assert_int_equal(info.active, 0xff);
    assert_int_equal(info.groups[0].lanes, 0xff);
    assert_true(info.groups[0].pc == 0x50 && info.pc == 0x50);
    assert_int_equal(info.groups[1].lanes, 0xffffff00);
    assert_true(info.groups[1].pc == 0x60);
    stop = guest_go(&g, &step); /* 50 for the others, then 60 for all */
    expect_at(&stop, FHEC_STOP_STEP, 0, 0, 0x70, 7);
    assert_int_equal(stop.lanes, UINT32_MAX);
    guest_end(&g);
}

static void steps_of_lines(void **unused) {
    (void)unused;
    struct guest g = guest_begin(KERNEL "MOV R0, RZ ; MOV R1, RZ ; MOV R2, RZ ;\n" /* 00 */
                                        "again: IADD3 R0, R0, 0x1, RZ ; IADD3 R1, R1, 0x2, RZ ;\n"
                                        "ISETP.NE.AND P0, PT, R0, 0x3, PT ;\n" /* 50 */
                                        "@P0 BRA again ; EXIT ;\n.end\n",      /* 60 */
                                 1, 32, 1);
    const fhec_go step = {.step = FHEC_STEP_LINE};
    const uint64_t pcs[] = {0x30, 0x50, 0x60, 0x30, 0x50, 0x60, 0x30, 0x50, 0x60};
    const uint64_t counts[] = {3, 5, 6, 7, 9, 10, 11, 13, 14};
    for (size_t i = 0; i < COUNT_OF(pcs); i++) {
        fhec_stop stop = guest_go(&g, &step);
        expect_at(&stop, FHEC_STOP_STEP, 0, 0, pcs[i], counts[i]);
    }
    fhec_stop stop = guest_go(&g, &step); /* the warp ends on this line */
    assert_int_equal(stop.reason, FHEC_STOP_STEP);
    assert_int_equal(stop.instructions, 16);
    assert_int_equal(guest_go(&g, &step).reason, FHEC_STOP_END);
    guest_end(&g);
}

static void beginnings_and_ends(void **unused) {
    (void)unused;
    struct guest g = guest_begin(branch, 2, 64, 64);
    const unsigned blocks = guest_add(&g, (fhec_point){.kind = FHEC_POINT_BLOCK_BEGIN});
    guest_add(&g, (fhec_point){.kind = FHEC_POINT_WARP_BEGIN, .scope = {.one_warp = true}});
    const unsigned barrier = guest_add(&g, (fhec_point){.kind = FHEC_POINT_BARRIER});
    guest_add(&g, (fhec_point){.kind = FHEC_POINT_WARP_END});
    guest_add(&g, (fhec_point){.kind = FHEC_POINT_BLOCK_END});
    fhec_stop stop = guest_go(&g, NULL);
    expect_at(&stop, FHEC_STOP_BLOCK_BEGIN, 0, 0, 0, 0);
    assert_int_equal(stop.point, blocks);
    stop = guest_go(&g, NULL);
    expect_at(&stop, FHEC_STOP_WARP_BEGIN, 0, 0, 0, 0);
    stop = guest_go(&g, NULL);
    expect_at(&stop, FHEC_STOP_BARRIER, 0, 1, 0x70, 15);
    assert_int_equal(stop.point, barrier);
    assert_int_equal(stop.barrier, 0);
    stop = guest_go(&g, NULL);
    expect_at(&stop, FHEC_STOP_WARP_END, 0, 0, 0xb0, 19);
    stop = guest_go(&g, NULL);
    expect_at(&stop, FHEC_STOP_WARP_END, 0, 1, 0xb0, 23);
    assert_int_equal(fhec_session_block_count(g.session), 1);
    assert_int_equal(lane_of(&g, 0, 1, 4, 3), 35);
    stop = guest_go(&g, NULL);
    expect_at(&stop, FHEC_STOP_BLOCK_END, 0, 1, 0xb0, 23);
    stop = guest_go(&g, NULL);
    expect_at(&stop, FHEC_STOP_BLOCK_BEGIN, 1, 0, 0, 23);
    guest_end(&g);
}

/* What lanes wait for, and how many are missing. */
static void waiting(void **unused) {
    (void)unused;
    struct guest g = guest_begin(branch, 1, 64, 64);
    (void)guest_go(&g, &(fhec_go){.instructions = 9}); /* warp 0 at its barrier, 1 began */
    fhec_warp_info info = warp_info(&g, 0);
    assert_int_equal(info.active, 0);
    assert_int_equal(info.group_count, 1);
    assert_int_equal(info.groups[0].wait, FHEC_WAIT_BARRIER);
    assert_int_equal(info.groups[0].awaited, 32);
    assert_true(info.pc == 0x70);
    info = warp_info(&g, 1);
    assert_int_equal(info.active, UINT32_MAX);
    assert_int_equal(info.groups[0].wait, FHEC_WAIT_NOTHING);
    uint32_t block[3], warp, arrived, count;
    uint64_t pc;
    assert_true(fhec_session_next(g.session, block, &warp, &pc));
    assert_true(warp == 1 && pc == 0x10 && !block[0]);
    assert_int_equal(fhec_session_read_barrier(g.session, first, 0, &arrived, &count), FHEC_OK);
    assert_true(arrived == 32 && count == 0);
    assert_int_equal(fhec_session_read_barrier(g.session, first, 16, &arrived, &count),
                     FHEC_BAD_INPUT);
    assert_int_equal(fhec_session_warp(g.session, first, 2, &info), FHEC_BAD_INPUT);
    const uint32_t other[3] = {1, 0, 0};
    assert_int_equal(fhec_session_warp(g.session, other, 0, &info), FHEC_BAD_INPUT);
    guest_end(&g);
}

static void expect_group(const fhec_group *g, uint32_t lanes, uint64_t pc, fhec_wait wait,
                         uint32_t awaited) {
    assert_int_equal(g->lanes, lanes);
    assert_int_equal(g->pc, pc);
    assert_int_equal(g->wait, wait);
    assert_int_equal(g->awaited, awaited);
}

/* Lanes 0 to 3 wait at a convergence barrier for all others, 4 to 7 for the rest of a mask. */
static void waiting_lanes(void **unused) {
    (void)unused;
    struct guest g = guest_begin(KERNEL "S2R R0, SR_LANEID ;\n"                /* 00 */
                                        "ISETP.GE.AND P0, PT, R0, 0x8, PT ;\n" /* 10 */
                                        "ISETP.GE.AND P1, PT, R0, 0x4, PT ;\n" /* 20 */
                                        "BSSY B2, join ;\n"                    /* 30 */
                                        "@P0 BRA other ;\n"                    /* 40 */
                                        "@P1 BRA masked ;\n"                   /* 50 */
                                        "BSYNC B2 ; EXIT ;\n"                  /* 60 */
                                        "masked: WARPSYNC 0xff0 ;\n"           /* 80 */
                                        "other: NOP ;\n"                       /* 90 */
                                        "BSYNC B2 ;\njoin: EXIT ;\n.end\n",    /* a0 */
                                 1, 32, 1);
    (void)guest_go(&g, &(fhec_go){.instructions = 8});
    const fhec_warp_info info = warp_info(&g, 0);
    assert_int_equal(info.group_count, 3);
    assert_int_equal(info.active, 0xffffff00);
    expect_group(&info.groups[0], 0xffffff00, 0x90, FHEC_WAIT_NOTHING, 0);
    expect_group(&info.groups[1], 0x0000000f, 0x60, FHEC_WAIT_CONVERGE, 0xfffffff0);
    assert_int_equal(info.groups[1].number, 2);
    expect_group(&info.groups[2], 0x000000f0, 0x80, FHEC_WAIT_MASK, 0x00000f00);
    guest_end(&g);
}

/* Changes are what the launch goes on with. */
static void changes(void **unused) {
    (void)unused;
    struct guest g = guest_begin(branch, 1, 32, 64);
    uint32_t values[WARP];
    guest_add(&g, (fhec_point){.kind = FHEC_POINT_PC, .pc = 0x40});
    guest_add(&g, (fhec_point){.kind = FHEC_POINT_PC, .pc = 0x80});
    (void)guest_go(&g, NULL);
    values[0] = 0xfffffff0; /* now lanes below 4 do not branch */
    assert_int_equal(
        fhec_session_write_register(g.session, first, 0, FHEC_FILE_P, 0, UINT32_MAX, values),
        FHEC_OK);
    (void)guest_go(&g, NULL);
    for (uint32_t l = 0; l < WARP; l++)
        values[l] = 1000 + l;
    assert_int_equal(
        fhec_session_write_register(g.session, first, 0, FHEC_FILE_R, 4, 1u << 9, values), FHEC_OK);
    const uint64_t elsewhere = g.data + 128; /* the parameter, from now on */
    assert_int_equal(fhec_session_write(g.session, FHEC_SPACE_CONSTANT, 0, NULL, 0x160, &elsewhere,
                                        sizeof elsewhere),
                     FHEC_OK);
    assert_int_equal(guest_go(&g, NULL).reason, FHEC_STOP_END);
    for (uint32_t t = 0; t < WARP; t++) {
        assert_int_equal(word_at(&g, t), 0);
        assert_int_equal(word_at(&g, 32 + t), t < 4 ? 100 + t : t == 9 ? 1009 : t);
    }
    guest_end(&g);
}

static void files_and_spaces(void **unused) {
    (void)unused;
    struct guest g = guest_begin(branch, 1, 40, 64);
    const fhec_thread thread = {.warp = 1, .lane = 7}, outside = {.warp = 1, .lane = 8};
    uint32_t values[WARP] = {5}, read[WARP], word = 0x1234;
    (void)guest_go(&g, &(fhec_go){.instructions = 5});
    assert_int_equal(
        fhec_session_write_register(g.session, first, 0, FHEC_FILE_UR, 3, UINT32_MAX, values),
        FHEC_OK);
    assert_int_equal(fhec_session_read_register(g.session, first, 0, FHEC_FILE_UR, 3, read),
                     FHEC_OK);
    assert_int_equal(read[0], 5);
    assert_int_equal(
        fhec_session_write_register(g.session, first, 0, FHEC_FILE_UP, 2, UINT32_MAX, values),
        FHEC_OK);
    assert_int_equal(fhec_session_read_register(g.session, first, 0, FHEC_FILE_UP, 2, read),
                     FHEC_OK);
    assert_int_equal(read[0], 1);
    assert_int_equal(fhec_session_read_register(g.session, first, 0, FHEC_FILE_B, 0, read),
                     FHEC_OK); /* all lanes have entered B0 together */
    assert_int_equal(read[9], UINT32_MAX);
    assert_int_equal(fhec_session_read_register(g.session, first, 0, FHEC_FILE_R, 255, read),
                     FHEC_BAD_INPUT);
    assert_int_equal(fhec_session_read_register(g.session, first, 0, FHEC_FILE_P, 7, read),
                     FHEC_BAD_INPUT);
    assert_int_equal(fhec_session_write_register(g.session, first, 0, FHEC_FILE_R, 200, 1, values),
                     FHEC_BAD_INPUT);
    assert_int_equal(fhec_session_write(g.session, FHEC_SPACE_SHARED, 0, &thread, 252, &word, 4),
                     FHEC_OK);
    assert_int_equal(fhec_session_write(g.session, FHEC_SPACE_SHARED, 0, &thread, 253, &word, 4),
                     FHEC_BAD_INPUT);
    assert_int_equal(fhec_session_write(g.session, FHEC_SPACE_LOCAL, 0, &thread, 28, &word, 4),
                     FHEC_OK);
    assert_int_equal(fhec_session_read(g.session, FHEC_SPACE_LOCAL, 0, &thread, 28, read, 4),
                     FHEC_OK);
    assert_int_equal(read[0], 0x1234);
    assert_int_equal(fhec_session_read(g.session, FHEC_SPACE_LOCAL, 0, &outside, 28, read, 4),
                     FHEC_BAD_INPUT); /* a block of 40 threads has 8 in its second warp */
    assert_int_equal(fhec_session_read(g.session, FHEC_SPACE_CONSTANT, 0, NULL, 0, read, 12),
                     FHEC_OK); /* the sides of the block */
    assert_true(read[0] == 40 && read[1] == 1 && read[2] == 1);
    assert_int_equal(fhec_session_read(g.session, FHEC_SPACE_CONSTANT, 9, NULL, 0, read, 4),
                     FHEC_BAD_INPUT);
    assert_int_equal(fhec_session_read(g.session, FHEC_SPACE_SHARED, 0, NULL, 0, read, 4),
                     FHEC_BAD_INPUT); /* of which block? */
    assert_int_equal(fhec_session_write(g.session, FHEC_SPACE_LOCAL, 0, NULL, 0, &word, 4),
                     FHEC_BAD_INPUT);
    assert_int_equal(fhec_session_read(g.session, (fhec_space)99, 0, NULL, 0, read, 4),
                     FHEC_BAD_INPUT);
    assert_int_equal(warp_info(&g, 1).lanes, 0xff);
    guest_end(&g);
}

/* The state is that before the instruction; with another address it can be tried again. */
static void faults(void **unused) {
    (void)unused;
    struct guest g = guest_begin(branch, 1, 32, 16); /* lanes 16 to 31 store behind the data */
    fhec_stop stop = guest_go(&g, NULL);
    expect_at(&stop, FHEC_STOP_FAULT, 0, 0, 0xa0, 10);
    assert_non_null(stop.fault);
    assert_int_equal(stop.fault->kind, FHEC_FAULT_OUT_OF_BOUNDS);
    assert_int_equal(stop.lanes, 0xffff0000);
    assert_int_equal(word_at(&g, 0), 0);
    stop = guest_go(&g, NULL);
    expect_at(&stop, FHEC_STOP_FAULT, 0, 0, 0xa0, 10);
    uint32_t low[WARP];
    for (uint32_t l = 0; l < WARP; l++)
        low[l] = (uint32_t)g.data + 4 * (l % 16);
    assert_int_equal(
        fhec_session_write_register(g.session, first, 0, FHEC_FILE_R, 2, UINT32_MAX, low), FHEC_OK);
    stop = guest_go(&g, NULL);
    assert_int_equal(stop.reason, FHEC_STOP_END);
    assert_null(stop.fault);
    assert_null(fhec_machine_fault(g.machine));
    for (uint32_t t = 0; t < 16; t++)
        assert_int_equal(word_at(&g, t), 16 + t);
    guest_end(&g);
}

/* A cancel ends what runs next at its first turn; the session can go on from there. */
static void cancelled(void **unused) {
    (void)unused;
    struct guest g = guest_begin(branch, 1, 64, 64);
    fhec_machine_cancel(g.machine);
    fhec_stop stop = guest_go(&g, NULL);
    assert_int_equal(stop.reason, FHEC_STOP_CANCEL);
    stop = guest_go(&g, NULL);
    assert_int_equal(stop.reason, FHEC_STOP_END);
    assert_int_equal(word_at(&g, 3), 103);
    guest_end(&g);
}

static void one_at_a_time(void **unused) {
    (void)unused;
    struct guest g = guest_begin(branch, 1, 32, 64);
    fhec_session *second;
    const fhec_launch launch = {.program = g.program,
                                .grid = {1, 1, 1},
                                .block = {32, 1, 1},
                                .params = &g.data,
                                .param_bytes = 8};
    assert_int_equal(fhec_session_begin(g.machine, &launch, &second), FHEC_BAD_INPUT);
    assert_null(second);
    assert_int_equal(fhec_run(g.machine, &launch), FHEC_BAD_INPUT);
    assert_int_equal(fhec_session_end(g.session), FHEC_OK);
    assert_int_equal(fhec_run(g.machine, &launch), FHEC_OK);
    fhec_machine_cancel(g.machine);
    assert_int_equal(fhec_run(g.machine, &launch), FHEC_CANCELLED);
    assert_int_equal(fhec_run(g.machine, &launch), FHEC_OK);
    assert_int_equal(fhec_session_begin(g.machine, &launch, &g.session), FHEC_OK);
    assert_int_equal(fhec_session_end(NULL), FHEC_OK);
    guest_end(&g);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        ON_BOTH(a_launch_outlives_its_snapshots),
        ON_BOTH(steps_of_a_warp),
        ON_BOTH(steps_of_lanes),
        ON_BOTH(steps_of_lines),
        ON_BOTH(beginnings_and_ends),
        ON_BOTH(waiting),
        ON_BOTH(changes),
        ON_BOTH(files_and_spaces),
        ON_BOTH(faults),
        ON_BOTH(cancelled),
        ON_BOTH(one_at_a_time),
        ON_BOTH(waiting_lanes),
    };
    return cmocka_run_group_tests_name("session_state", tests, NULL, NULL);
}

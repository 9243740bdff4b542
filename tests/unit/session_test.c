/*
 * session_test.c - launches that stop: every reason to stop, at the instruction that follows from
 * the program, on both engines; what a stop tells; the state of blocks, warps and lanes, read and
 * changed; that the launch goes on as if it had not stopped.
 */
#include "session_util.h"

#define KERNEL ".target sm_80\n.kernel K\n.param data, 8\n.shared s, 256\n"

/* Two warps add their lane to 100 and to each other's, over shared memory.
 *                                                     byte offset */
static const char exchange[] =
    KERNEL "S2R R0, SR_TID.X ;\n"                     /* 00 */
           "MOV R1, 0x64 ;\n"                         /* 10 */
           "IADD3 R2, R0, R1, RZ ;\n"                 /* 20 */
           "IMAD R3, R0, 0x4, RZ ;\n"                 /* 30 */
           "STS [R3], R2 ;\n"                         /* 40 */
           "BAR.SYNC 0x0 ;\n"                         /* 50 */
           "LOP3.LUT R4, R3, 0x80, RZ, 0x3c, !PT ;\n" /* 60: the other warp's */
           "LDS R5, [R4] ;\n"                         /* 70 */
           "IADD3 R5, R5, R2, RZ ;\n"                 /* 80 */
           "MOV R6, 0x4 ;\n"                          /* 90 */
           "IMAD.WIDE.U32 R8, R0, R6, data ;\n"       /* a0 */
           "STG.E [R8.64], R5 ;\n"                    /* b0 */
           "EXIT ;\n"                                 /* c0 */
           ".end\n";

static void exchanged(struct guest *g) {
    fhec_stop stop = guest_go(g, NULL);
    assert_int_equal(stop.reason, FHEC_STOP_END);
    assert_int_equal(stop.instructions, 26);
    for (uint32_t t = 0; t < 64; t++)
        assert_int_equal(word_at(g, t), 200 + t + (t ^ 32));
    assert_int_equal(guest_go(g, NULL).reason, FHEC_STOP_END);
}

/* Warp 0 runs up to the barrier, then warp 1, which opens it; then warp 0 goes on first. */
static void by_count(void **unused) {
    (void)unused;
    struct guest g = guest_begin(exchange, 1, 64, 64);
    assert_int_equal(fhec_session_block_count(g.session), 0);
    fhec_stop stop = guest_go(&g, &(fhec_go){.instructions = 5});
    assert_int_equal(stop.reason, FHEC_STOP_COUNT);
    assert_int_equal(stop.instructions, 5);
    assert_int_equal(stop.point, 0);
    assert_int_equal(lane_of(&g, 0, 0, 2, 7), 107);
    assert_int_equal(lane_of(&g, 0, 1, 2, 7), 0);
    stop = guest_go(&g, &(fhec_go){.instructions = 3});
    assert_int_equal(stop.instructions, 8);
    assert_int_equal(lane_of(&g, 0, 1, 1, 31), 100);
    assert_int_equal(lane_of(&g, 0, 1, 2, 31), 0);
    exchanged(&g);
    assert_int_equal(fhec_session_block_count(g.session), 0);
    guest_end(&g);
}

static void breakpoints(void **unused) {
    (void)unused;
    struct guest g = guest_begin(exchange, 2, 64, 64);
    const unsigned pc = guest_add(&g, (fhec_point){.kind = FHEC_POINT_PC, .pc = 0x70});
    const unsigned other = guest_add(
        &g, (fhec_point){.kind = FHEC_POINT_OPCODE, .text = "LDS", .scope = {.lanes = 2}});
    assert_int_equal(pc, 1);
    assert_int_equal(other, 2);
    fhec_stop stop = guest_go(&g, NULL);
    expect_at(&stop, FHEC_STOP_BREAKPOINT, 0, 0, 0x70, 13);
    assert_int_equal(stop.point, pc);
    assert_int_equal(stop.lanes, UINT32_MAX);
    assert_int_equal(stop.active, UINT32_MAX);
    assert_int_equal(lane_of(&g, 0, 0, 4, 1), 4 + 128);
    assert_int_equal(lane_of(&g, 0, 0, 5, 1), 0);
    stop = guest_go(&g, NULL);
    expect_at(&stop, FHEC_STOP_BREAKPOINT, 0, 1, 0x70, 20);
    assert_int_equal(fhec_session_enable(g.session, pc, false), FHEC_OK);
    stop = guest_go(&g, NULL);
    expect_at(&stop, FHEC_STOP_BREAKPOINT, 1, 0, 0x70, 39);
    assert_int_equal(stop.point, other);
    assert_int_equal(fhec_session_remove(g.session, other), FHEC_OK);
    assert_int_equal(fhec_session_remove(g.session, other), FHEC_BAD_INPUT);
    uint64_t hits;
    assert_int_equal(fhec_session_hits(g.session, pc, &hits), FHEC_OK);
    assert_int_equal(hits, 2);
    stop = guest_go(&g, NULL);
    assert_int_equal(stop.reason, FHEC_STOP_END);
    assert_int_equal(stop.instructions, 52);
    guest_end(&g);
}

/* By line, by class, in one warp, behind so many hits. Lines count from that of `.target`. */
static void kinds_of_breakpoints(void **unused) {
    (void)unused;
    struct guest g = guest_begin(exchange, 2, 64, 64);
    const fhec_scope second = {.one_block = true, .block = {1, 0, 0}, .one_warp = true, .warp = 1};
    guest_add(&g, (fhec_point){.kind = FHEC_POINT_LINE, .line = 7, .scope = second});
    guest_add(&g, (fhec_point){.kind = FHEC_POINT_CLASS, .text = "control", .skip = 3});
    guest_add(
        &g, (fhec_point){.kind = FHEC_POINT_OPCODE, .text = "IMAD.WIDE", .scope = {.one_warp = 1}});
    fhec_stop stop = guest_go(&g, NULL);
    expect_at(&stop, FHEC_STOP_BREAKPOINT, 0, 0, 0xa0, 16);
    assert_int_equal(stop.point, 3);
    stop = guest_go(&g, NULL); /* BAR, BAR, EXIT of warp 0; then EXIT of warp 1 */
    expect_at(&stop, FHEC_STOP_BREAKPOINT, 0, 1, 0xc0, 25);
    assert_int_equal(stop.point, 2);
    assert_int_equal(fhec_session_enable(g.session, 2, false), FHEC_OK);
    stop = guest_go(&g, NULL);
    expect_at(&stop, FHEC_STOP_BREAKPOINT, 1, 1, 0x20, 26 + 6 + 2);
    assert_int_equal(stop.point, 1);
    guest_end(&g);
}

static void never_reached(void **unused) {
    (void)unused;
    static const fhec_point points[] = {
        {.kind = FHEC_POINT_PC, .pc = 0xd0},
        {.kind = FHEC_POINT_PC, .pc = 8},
        {.kind = FHEC_POINT_LINE, .line = 4},
        {.kind = FHEC_POINT_LINE, .line = 7, .file = "other.sass"},
        {.kind = FHEC_POINT_LINE, .line = 7, .file = "est.sass"},
        {.kind = FHEC_POINT_OPCODE, .text = "FADD"},
        {.kind = FHEC_POINT_OPCODE, .text = "IAD"},
        {.kind = FHEC_POINT_OPCODE},
        {.kind = FHEC_POINT_CLASS, .text = "matrix"},
        {.kind = FHEC_POINT_REGISTER, .reg = 7, .access = FHEC_ACCESS_READ},
        {.kind = FHEC_POINT_REGISTER, .reg = 1, .access = 0},
        {.kind = FHEC_POINT_REGISTER, .reg = 255, .access = FHEC_ACCESS_READ},
        {.kind = FHEC_POINT_REGISTER, .file_of = FHEC_FILE_B, .access = FHEC_ACCESS_READ},
        {.kind = FHEC_POINT_BARRIER, .scope = {.one_block = true, .block = {1, 0, 0}}},
        {.kind = FHEC_POINT_PC, .scope = {.one_block = true, .block = {0, 1, 0}}},
        {.kind = FHEC_POINT_WARP_END, .scope = {.one_warp = true, .warp = 2}},
        {.kind = (fhec_point_kind)99},
    };
    struct guest g = guest_begin(exchange, 1, 64, 64);
    for (size_t i = 0; i < COUNT_OF(points); i++) {
        unsigned number = 77;
        if (fhec_session_add(g.session, &points[i], &number) != FHEC_BAD_INPUT || number)
            fail_msg("point %zu was taken", i);
        assert_true(*fhec_machine_error(g.machine));
    }
    guest_add(&g, (fhec_point){.kind = FHEC_POINT_LINE, .line = 5, .file = "test.sass"});
    guest_end(&g);
}

static bool seven(void *user, fhec_session *session, const fhec_stop *stop) {
    uint32_t values[WARP], *asked = user;
    ++*asked;
    assert_int_equal(
        fhec_session_read_register(session, stop->block, stop->warp, FHEC_FILE_R, 4, values),
        FHEC_OK);
    return values[0] == 7;
}

static const char loop[] = KERNEL "MOV R4, RZ ;\n"                       /* 00 */
                                  "again: IADD3 R4, R4, 0x1, RZ ;\n"     /* 10 */
                                  "ISETP.NE.AND P0, PT, R4, 0xa, PT ;\n" /* 20 */
                                  "@P0 BRA again ;\n"                    /* 30 */
                                  "EXIT ;\n"                             /* 40 */
                                  ".end\n";

static void conditions(void **unused) {
    (void)unused;
    uint32_t asked = 0;
    struct guest g = guest_begin(loop, 1, 32, 1);
    guest_add(&g,
              (fhec_point){.kind = FHEC_POINT_PC, .pc = 0x20, .condition = seven, .user = &asked});
    fhec_stop stop = guest_go(&g, NULL);
    expect_at(&stop, FHEC_STOP_BREAKPOINT, 0, 0, 0x20, 1 + 6 * 3 + 1);
    assert_int_equal(asked, 7);
    uint64_t hits;
    assert_int_equal(fhec_session_hits(g.session, 1, &hits), FHEC_OK);
    assert_int_equal(hits, 1);
    stop = guest_go(&g, NULL);
    assert_int_equal(stop.reason, FHEC_STOP_END);
    assert_int_equal(stop.instructions, 1 + 10 * 3 + 1);
    assert_int_equal(asked, 10);
    guest_end(&g);
}

/* A breakpoint at which the launch has stopped for another reason stops it, too: once. A step does
 * not stop before its own first instruction. */
static void breakpoint_after_another_stop(void **unused) {
    (void)unused;
    struct guest g = guest_begin(loop, 1, 32, 1);
    guest_add(&g, (fhec_point){.kind = FHEC_POINT_PC, .pc = 0x20});
    fhec_stop stop = guest_go(&g, &(fhec_go){.instructions = 2});
    assert_int_equal(stop.reason, FHEC_STOP_COUNT);
    stop = guest_go(&g, NULL);
    expect_at(&stop, FHEC_STOP_BREAKPOINT, 0, 0, 0x20, 2);
    stop = guest_go(&g, &(fhec_go){.instructions = 3});
    assert_int_equal(stop.reason, FHEC_STOP_COUNT);
    stop = guest_go(&g, &(fhec_go){.step = FHEC_STEP_INSTRUCTION});
    expect_at(&stop, FHEC_STOP_STEP, 0, 0, 0x30, 6);
    stop = guest_go(&g, NULL);
    expect_at(&stop, FHEC_STOP_BREAKPOINT, 0, 0, 0x20, 8);
    guest_end(&g);
}

/* Steps that follow one another come to breakpoints before their own first instructions; who asks
 * before has been told. */
static void steps_that_go_on(void **unused) {
    (void)unused;
    const fhec_go step = {.step = FHEC_STEP_INSTRUCTION}, next = {.step = step.step, .goes_on = 1};
    const uint32_t block[3] = {0, 0, 0};
    struct guest g = guest_begin(loop, 1, 32, 1);
    guest_add(&g, (fhec_point){.kind = FHEC_POINT_PC, .pc = 0x20});
    fhec_stop stop = guest_go(&g, &step);
    expect_at(&stop, FHEC_STOP_STEP, 0, 0, 0x10, 1);
    assert_false(fhec_session_breaks(g.session, block, 0, &stop));
    stop = guest_go(&g, &next);
    expect_at(&stop, FHEC_STOP_STEP, 0, 0, 0x20, 2);
    stop = guest_go(&g, &next);
    expect_at(&stop, FHEC_STOP_BREAKPOINT, 0, 0, 0x20, 2);
    assert_false(fhec_session_breaks(g.session, block, 0, &stop));
    stop = guest_go(&g, &next);
    expect_at(&stop, FHEC_STOP_STEP, 0, 0, 0x30, 3);
    stop = guest_go(&g, &(fhec_go){.instructions = 2});
    assert_int_equal(stop.reason, FHEC_STOP_COUNT);
    assert_true(fhec_session_breaks(g.session, block, 0, &stop));
    expect_at(&stop, FHEC_STOP_BREAKPOINT, 0, 0, 0x20, 5);
    uint64_t hits;
    assert_int_equal(fhec_session_hits(g.session, 1, &hits), FHEC_OK);
    assert_int_equal(hits, 2);
    stop = guest_go(&g, NULL);
    expect_at(&stop, FHEC_STOP_BREAKPOINT, 0, 0, 0x20, 8);
    assert_false(fhec_session_breaks(g.session, block, 1, &stop));
    guest_end(&g);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        ON_BOTH(by_count),         ON_BOTH(breakpoints), ON_BOTH(kinds_of_breakpoints),
        ON_BOTH(never_reached),    ON_BOTH(conditions),  ON_BOTH(breakpoint_after_another_stop),
        ON_BOTH(steps_that_go_on),
    };
    return cmocka_run_group_tests_name("session", tests, NULL, NULL);
}

/*
 * emu_wait_threads_test.c - blocks that wait for blocks which have not started: barriers of the
 * whole grid, chains from the last block to the first, loops of any length, clocks; and the reports
 * when nobody can ever go on. The same on any number of host threads.
 */
#include "emu_work.h"
#include "slow_build.h"

static struct emu_outcome one;

static uint32_t word(const struct emu_outcome *o, size_t i) {
    uint32_t value;
    memcpy(&value, o->bytes + 4 * i, 4);
    return value;
}

/* What emu_run_work puts into word i of the memory before the launch. */
static uint32_t initial(size_t i) {
    uint32_t value = 0;
    for (size_t b = 4 * i; i && b < 4 * i + 4; b++)
        value |= (uint32_t)(uint8_t)(b * 37 + (b >> 6) * 11 + 5) << 8 * (b % 4);
    return value;
}

/* Three rounds, with all blocks together after each: thread i adds three times what thread i + 1
 * had, from one half of the memory to the other. The barrier counts in word 0. */
static void barrier_of_the_grid(void **unused) {
    (void)unused;
    enum { BLOCKS = 37, THREADS = 96, N = BLOCKS * THREADS, ROUNDS = 3 };
    emu_same_for_all(
        (struct emu_work){BEGIN INDEX
                          "MOV R20, RZ ;\nMOV R24, 0x0 ;\nMOV R10, c[0x0][0x160] ;\n"
                          "MOV R11, c[0x0][0x164] ;\nMOV R23, 0xde00 ;\nMOV R16, 0x1 ;\n"
                          "round: IADD3 R8, R0, 0x1, RZ ;\n"
                          "ISETP.GE.U32.AND P0, PT, R8, 0xde0, PT ;\n@P0 MOV R8, RZ ;\n"
                          "IADD3 R12, R8, R24, RZ ;\nIADD3 R13, R0, R24, RZ ;\n"
                          "IADD3 R24, -R24, 0xde0, RZ ;\nIADD3 R14, R0, R24, RZ ;\n"
                          "IMAD.WIDE.U32 R26, R12, R3, c[0x0][0x160] ;\n"
                          "IMAD.WIDE.U32 R28, R13, R3, c[0x0][0x160] ;\n"
                          "IMAD.WIDE.U32 R30, R14, R3, c[0x0][0x160] ;\n"
                          "LDG.E R12, [R26.64+0x80] ;\nLDG.E R13, [R28.64+0x80] ;\n"
                          "IMAD R13, R12, 0x3, R13 ;\nSTG.E [R30.64+0x80], R13 ;\n"
                          "IADD3 R20, R20, 0x25, RZ ;\nBAR.SYNC 0x0 ;\n"
                          "ISETP.NE.AND P1, PT, R2, RZ, PT ;\n@P1 BRA behind ;\n"
                          "RED.E.ADD.STRONG.GPU [R10.64], R16 ;\n"
                          "wait: LDG.E.STRONG.GPU R17, [R10.64] ;\n"
                          "ISETP.LT.U32.AND P2, PT, R17, R20, PT ;\n@P2 BRA wait ;\n"
                          "behind: WARPSYNC 0xffffffff ;\nBAR.SYNC 0x0 ;\n"
                          "ISETP.LT.U32.AND P3, PT, R20, 0x6f, PT ;\n@P3 BRA round ;\n"
                          "EXIT ;\n.end\n",
                          BLOCKS, THREADS, (2 * N + 32) * 4, 0, 1},
        &one);
    assert_int_equal(one.status, FHEC_OK);
    static uint32_t want[2][N];
    for (size_t i = 0; i < N; i++)
        want[0][i] = initial(32 + i);
    for (unsigned r = 0; r < ROUNDS; r++)
        for (size_t i = 0; i < N; i++)
            want[(r + 1) % 2][i] = want[r % 2][(i + 1) % N] * 3 + want[r % 2][i];
    for (size_t i = 0; i < N; i++)
        if (word(&one, 32 + N + i) != want[1][i] || word(&one, 32 + i) != want[0][i])
            fail_msg("element %zu: 0x%08x and 0x%08x, not 0x%08x and 0x%08x", i, word(&one, 32 + i),
                     word(&one, 32 + N + i), want[0][i], want[1][i]);
    assert_int_equal(word(&one, 0), ROUNDS * BLOCKS);
}

/* Block b waits for word b + 1, which block b + 1 writes; the last block does not wait. The loop
 * has `length` instructions more than it needs, so that it is in step with no round. */
static void chain_backward(void **unused) {
    (void)unused;
    static const unsigned lengths[] = {0, 1, 4, 30, 250};
    static char text[8192];
    for (size_t k = 0; k < COUNT_OF(lengths); k++) {
        size_t used = (size_t)snprintf(
            text, sizeof text,
            BEGIN INDEX "ISETP.EQ.AND P0, PT, R1, 0x13, PT ;\nMOV R8, 0x64 ;\n@P0 BRA write ;\n"
                        "loop: LDG.E.STRONG.GPU R8, [R6.64+0x84] ;\n");
        for (unsigned i = 0; i < lengths[k]; i++)
            used +=
                (size_t)snprintf(text + used, sizeof text - used, "IADD3 R9, R8, 0x%x, RZ ;\n", i);
        snprintf(text + used, sizeof text - used,
                 "ISETP.GE.U32.AND P1, PT, R8, 0x1000, PT ;\n@P1 BRA loop ;\n"
                 "write: IADD3 R8, R8, R1, RZ ;\nSTG.E.STRONG.GPU [R6.64+0x80], R8 ;\n"
                 "EXIT ;\n.end\n");
        emu_same_for_all((struct emu_work){text, 20, 1, 64 * 4, 0, 2}, &one);
        assert_int_equal(one.status, FHEC_OK);
        uint32_t want = 100;
        for (size_t b = 20; b-- > 0;) {
            want += (uint32_t)b;
            if (word(&one, 32 + b) != want)
                fail_msg("length %u, block %zu: %u, not %u", lengths[k], b, word(&one, 32 + b),
                         want);
        }
    }
}

/* A loop that looks at the clock is never in a state that it has been in. */
static void clock_in_the_loop(void **unused) {
    (void)unused;
    emu_same_for_all((struct emu_work){BEGIN INDEX
                                       "ISETP.NE.AND P0, PT, R1, RZ, PT ;\n@P0 BRA write ;\n"
                                       "loop: S2R R9, SR_CLOCKLO ;\nNANOSLEEP 0x20 ;\n"
                                       "LDG.E.STRONG.GPU R8, [R6.64+0x4] ;\n"
                                       "ISETP.NE.AND P1, PT, R8, 0x77, PT ;\n@P1 BRA loop ;\n"
                                       "EXIT ;\n"
                                       "write: MOV R8, 0x77 ;\nSTG.E [R6.64], R8 ;\nEXIT ;\n.end\n",
                                       3, 1, 64 * 4, 0, 1},
                     &one);
    assert_int_equal(one.status, FHEC_OK);
    assert_int_equal(word(&one, 2), 0x77);
}

static void expect_standstill(uint32_t block, const char *message) {
    assert_int_equal(one.status, FHEC_GUEST_FAULT);
    assert_int_equal(one.fault.kind, FHEC_FAULT_DEADLOCK);
    if (one.fault.block[0] != block || !strstr(one.fault_text, message))
        fail_msg("block %u, not %u, or another message: %s", one.fault.block[0], block,
                 one.fault_text);
}

/* Block 3 of 9 waits for a word that nobody writes, in the second of its two warps. */
static void nobody_comes(void **unused) {
    (void)unused;
    emu_same_for_all((struct emu_work){BEGIN INDEX
                                       "ISETP.NE.AND P0, PT, R1, 0x3, PT ;\n@P0 EXIT ;\n"
                                       "ISETP.LT.AND P0, PT, R2, 0x20, PT ;\n@P0 BRA end ;\n"
                                       "loop: LDG.E.STRONG.GPU R8, [R6.64] ;\n"
                                       "ISETP.NE.AND P1, PT, R8, 0x77, PT ;\n@P1 BRA loop ;\n"
                                       "end: BAR.SYNC 0x0 ;\nSTG.E [R4.64], R0 ;\nEXIT ;\n.end\n",
                                       9, 64, 9 * 64 * 4, 0, 1},
                     &one);
    expect_standstill(3, "this block waits in a loop");
    assert_int_equal(one.fault.warp, 1);
    assert_true(one.fault.pc >= 10 * 16 && one.fault.pc <= 12 * 16);
}

/* A barrier of the grid for as many blocks as fit, and for one more. Shared memory allows one block
 * for each of the 108 multiprocessors. */
static void more_than_fit(void **unused) {
    (void)unused;
    for (unsigned more = 0; more < (SLOW_BUILD ? 1 : 2); more++) {
        char text[1000];
        snprintf(text, sizeof text,
                 BEGIN ".shared room, 0x28000\n" INDEX
                       "MOV R10, c[0x0][0x160] ;\nMOV R11, c[0x0][0x164] ;\nMOV R16, 0x1 ;\n"
                       "RED.E.ADD.STRONG.GPU [R10.64], R16 ;\n"
                       "wait: LDG.E.STRONG.GPU R17, [R10.64] ;\n"
                       "ISETP.LT.U32.AND P2, PT, R17, 0x%x, PT ;\n@P2 BRA wait ;\nEXIT ;\n.end\n",
                 108 + more);
        emu_same_for_all((struct emu_work){text, 108 + more, 1, 64, 0, 1}, &one);
        if (more)
            expect_standstill(0,
                              "1 of the grid's 109 blocks cannot start: an A100 has room for 108");
        else
            assert_int_equal(one.status, FHEC_OK);
    }
}

/* The steps of blocks that wait count, too. */
static void limit_while_waiting(void **unused) {
    (void)unused;
    emu_same_for_all((struct emu_work){BEGIN INDEX "loop: LDG.E.STRONG.GPU R8, [R6.64+0x4] ;\n"
                                                   "IADD3 R9, R9, 0x1, RZ ;\nBRA loop ;\n.end\n",
                                       2, 1, 64, 500000, 1},
                     &one);
    assert_int_equal(one.fault.kind, FHEC_FAULT_STEP_LIMIT);
    assert_int_equal(one.warp, 500000);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(barrier_of_the_grid), cmocka_unit_test(chain_backward),
        cmocka_unit_test(clock_in_the_loop),   cmocka_unit_test(nobody_comes),
        cmocka_unit_test(more_than_fit),       cmocka_unit_test(limit_while_waiting),
    };
    return cmocka_run_group_tests_name("emu_wait_threads", tests, NULL, NULL);
}

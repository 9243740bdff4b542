/*
 * emu_spin_threads_test.c - loops in which a block's own state recurs although they end: by a
 * clock, or by what they change in memory; and loops of that kind that never end. A deadlock is
 * reported only where nothing changes. The same on both engines and on any number of host threads.
 */
#include "emu_work.h"
#include "residents.h"
#include "slow_build.h"
#include "state.h"

enum { FAST_DEADLOCK = 1 << 20 }; /* steps by which a deadlock is found */

static struct emu_outcome one;

static uint32_t word(size_t i) {
    uint32_t value;
    memcpy(&value, one.bytes + 4 * i, 4);
    return value;
}

static void run_both(struct emu_work work) {
    static struct emu_outcome ref;
    fhec_program *program = emu_assemble(work.text);
    emu_run_work(&work, program, FHEC_ENGINE_REF, work.blocks > 1 ? 2 : 1, &ref);
    emu_run_work(&work, program, FHEC_ENGINE_FAST, 1, &one);
    fhec_program_free(program);
    if (work.blocks > 1)
        emu_same_for_all(work, &one);
    assert_int_equal(one.status, ref.status);
    assert_string_equal(one.fault_text, ref.fault_text);
    assert_int_equal(one.warp, ref.warp);
    assert_int_equal(one.thread, ref.thread);
    assert_memory_equal(one.bytes, ref.bytes, work.bytes);
}

/* Runs a kernel in which LIMIT stands for that number; it must end well. */
static void ends(const char *kernel, uint32_t limit, uint32_t blocks, uint32_t threads) {
    char text[3000];
    snprintf(text, sizeof text, ".equ LIMIT, %u\n%s", limit, kernel);
    run_both((struct emu_work){text, blocks, threads, 64 * 4, 0, 1});
    if (one.status != FHEC_OK)
        fail_msg("status %d: %s\n%s", one.status, one.fault_text, text);
}

/* Runs a kernel that can never go on; that must be found soon. */
static void is_deadlock(const char *text, uint32_t blocks, uint32_t threads, uint32_t block) {
    run_both((struct emu_work){text, blocks, threads, 64 * 4, 0, 1});
    assert_int_equal(one.status, FHEC_GUEST_FAULT);
    assert_int_equal(one.fault.kind, FHEC_FAULT_DEADLOCK);
    assert_non_null(strstr(one.fault_text, "in a loop, and nothing that is read there changes"));
    assert_int_equal(one.fault.block[0], block);
    assert_in_range(one.warp, 1, FAST_DEADLOCK);
}

/* Runs a kernel that goes on for ever and is no deadlock. */
static void is_endless(const char *text, uint32_t blocks, uint32_t threads) {
    const uint64_t limit = SLOW_BUILD ? 300000 : 1500000;
    run_both((struct emu_work){text, blocks, threads, 64 * 4, limit, 1});
    assert_int_equal(one.status, FHEC_GUEST_FAULT);
    if (one.fault.kind != FHEC_FAULT_STEP_LIMIT)
        fail_msg("%s\n%s", one.fault_text, text);
    assert_int_equal(one.warp, limit);
}

/* ---------------------------------------------------------------- loops that end */

enum { COUNT = SLOW_BUILD ? 12000 : 30000 };

/* What nvcc -O3 makes of
 *     long long t = clock64(); while (clock64() - t < n && *flag == 0); *elapsed = clock64() - t;
 * Behind the load no register holds what was read of the clock. */
static void until_a_time(void **unused) {
    (void)unused;
    static const uint32_t times[] = {300000, 1000000};
    for (size_t i = 0; i < (SLOW_BUILD ? 1 : COUNT_OF(times)); i++) {
        ends(BEGIN "MOV R6, c[0x0][0x160] ;\nMOV R7, c[0x0][0x164] ;\n"
                   "CS2R R2, SR_CLOCKLO ;\n"
                   "loop: CS2R R4, SR_CLOCKLO ;\n"
                   "IADD3 R0, P0, -R2, R4, RZ ;\nIADD3.X R4, ~R3, R5, RZ, P0, !PT ;\n"
                   "ISETP.GE.U32.AND P0, PT, R0, LIMIT, PT ;\n"
                   "ISETP.GE.AND.EX P0, PT, R4, 0x0, PT, P0 ;\n@P0 BRA done ;\n"
                   "LDG.E.STRONG.SYS R0, [R6.64] ;\nISETP.NE.AND P0, PT, R0, RZ, PT ;\n"
                   "@!P0 BRA loop ;\n"
                   "done: CS2R R4, SR_CLOCKLO ;\nIADD3 R4, P0, -R2, R4, RZ ;\n"
                   "IMAD.X R5, R5, 0x1, ~R3, P0 ;\nSTG.E.64 [R6.64+0x8], R4 ;\nEXIT ;\n.end\n",
             times[i], 1, 1);
        /* A clock counts instructions. The loop has 9 and reads 1, 10, 19 ... later than the first;
         * the last read comes 6 behind the one that is late enough. */
        uint32_t late = 1;
        while (late < times[i])
            late += 9;
        assert_int_equal(word(2), late + 6);
        assert_int_equal(word(3), 0);
    }
}

static void until_a_count_of_the_clock(void **unused) {
    (void)unused;
    /* The loop has a length that divides that of a round, so where rounds end depends on what comes
     * before it: at one of the places, no register holds what was read. */
    static const char *const before[] = {"", "NOP ;\n", "NOP ;\nNOP ;\n", "NOP ;\nNOP ;\nNOP ;\n"};
    for (size_t i = 0; i < COUNT_OF(before); i++) {
        char text[1000];
        snprintf(text, sizeof text,
                 BEGIN INDEX "%sloop: S2R R9, SR_CLOCKLO ;\n"
                             "ISETP.GE.U32.AND P0, PT, R9, LIMIT, PT ;\nMOV R9, RZ ;\n"
                             "@!P0 BRA loop ;\nSTG.E [R6.64+0x4], R1 ;\nEXIT ;\n.end\n",
                 before[i]);
        ends(text, SLOW_BUILD ? 200000 : 500000, 1, 32);
        assert_int_equal(word(1), 0);
    }
}

/* do { atomicAdd(p, 1); if (v[0] >= n) v[1] = 1; } while (v[1] == 0); with p = v. Nothing of the
 * count stays in a register. */
static void until_a_count_in_memory(void **unused) {
    (void)unused;
    ends(BEGIN "MOV R2, c[0x0][0x160] ;\nMOV R3, c[0x0][0x164] ;\nMOV R7, 0x1 ;\n"
               "STG.E [R2.64+0x4], RZ ;\n"
               "loop: RED.E.ADD.STRONG.GPU [R2.64], R7 ;\n"
               "LDG.E.STRONG.SYS R0, [R2.64] ;\nISETP.GE.U32.AND P0, PT, R0, LIMIT, PT ;\n"
               "@P0 STG.E.STRONG.SYS [R2.64+0x4], R7 ;\n"
               "LDG.E.STRONG.SYS R0, [R2.64+0x4] ;\nISETP.NE.AND P0, PT, R0, RZ, PT ;\n"
               "@!P0 BRA loop ;\nEXIT ;\n.end\n",
         30000, 1, 1);
    assert_int_equal(word(0), 30000);
    assert_int_equal(word(1), 1);
}

/* All lanes count in words of their own: with all 32, which go straight to memory, with a part of
 * them, through generic addresses, and by compare and swap. */
static void counting_by_loads_and_stores(void **unused) {
    (void)unused;
    static const struct {
        uint32_t threads;
        const char *load, *store;
    } ways[] = {
        {32, "LDG.E R0, [R4.64] ;\n", "STG.E [R4.64], R0 ;\n"},
        {5, "LDG.E R0, [R4.64] ;\n", "STG.E [R4.64], R0 ;\n"},
        {32, "LD.E R0, [R4.64] ;\n", "ST.E [R4.64], R0 ;\n"},
        {32, "LDG.E R0, [R4.64] ;\nMOV R8, R0 ;\n",
         "ATOMG.E.CAS.STRONG.GPU PT, RZ, [R4], R8, R0 ;\nMOV R8, RZ ;\n"},
        {32, "LDG.E.64 R10, [R4.64] ;\nMOV R0, R10 ;\n",
         "MOV R10, R0 ;\nSTG.E.64 [R4.64], R10 ;\nMOV R10, RZ ;\nMOV R11, RZ ;\n"},
    };
    for (size_t i = 0; i < COUNT_OF(ways); i++) {
        char text[2000];
        const bool wide = strstr(ways[i].load, ".64 R10") != NULL;
        snprintf(text, sizeof text,
                 BEGIN INDEX "%sSTG.E [R4.64], RZ ;\n"
                             "loop: %sIADD3 R0, R0, 0x1, RZ ;\n%s"
                             "ISETP.LT.U32.AND P0, PT, R0, LIMIT, PT ;\nMOV R0, RZ ;\n"
                             "@P0 BRA loop ;\nEXIT ;\n.end\n",
                 wide ? "MOV R3, 0x8 ;\nIMAD.WIDE.U32 R4, R0, R3, c[0x0][0x160] ;\n" : "",
                 ways[i].load, ways[i].store);
        ends(text, COUNT, 1, ways[i].threads);
        for (uint32_t t = 0; t < ways[i].threads; t++)
            assert_int_equal(word(wide ? 2 * t : t), COUNT);
    }
}

/* One warp counts in shared memory, by atomic operations and by stores, and the other looks on. */
static void counting_in_shared_memory(void **unused) {
    (void)unused;
    static const char *const ways[] = {
        "ATOMS.ADD RZ, [RZ], R9 ;\nLDS R8, [RZ] ;\n",
        "LDS R8, [RZ] ;\nIADD3 R8, R8, 0x1, RZ ;\nSTS [RZ], R8 ;\n",
    };
    for (size_t i = 0; i < COUNT_OF(ways); i++) {
        char text[2000];
        snprintf(text, sizeof text,
                 BEGIN ".shared s, 4\n" INDEX
                       "MOV R9, 0x1 ;\nISETP.NE.AND P1, PT, R2, RZ, PT ;\n@P1 BRA wait ;\n"
                       "loop: %sISETP.LT.U32.AND P0, PT, R8, LIMIT, PT ;\nMOV R8, RZ ;\n"
                       "@P0 BRA loop ;\nEXIT ;\n"
                       "wait: LDS R8, [RZ] ;\nISETP.LT.U32.AND P0, PT, R8, LIMIT, PT ;\n"
                       "MOV R8, RZ ;\n@P0 BRA wait ;\nSTG.E [R4.64], R9 ;\nEXIT ;\n.end\n",
                 ways[i]);
        ends(text, COUNT, 1, 64);
        assert_int_equal(word(40), 1);
    }
}

/* Blocks take turns: block b counts when the count modulo the number of blocks is b. */
static void blocks_in_turns(void **unused) {
    (void)unused;
    for (uint32_t blocks = 2; blocks <= 4; blocks += 2) {
        char text[1000];
        snprintf(text, sizeof text,
                 BEGIN INDEX "MOV R10, c[0x0][0x160] ;\nMOV R11, c[0x0][0x164] ;\n"
                             "loop: LDG.E.STRONG.GPU R8, [R10.64] ;\n"
                             "LOP3.LUT R9, R8, 0x%x, RZ, 0xc0, !PT ;\n"
                             "ISETP.NE.AND P0, PT, R9, R1, PT ;\nIADD3 R8, R8, 0x1, RZ ;\n"
                             "@!P0 STG.E.STRONG.GPU [R10.64], R8 ;\n"
                             "ISETP.LT.U32.AND P0, PT, R8, LIMIT, PT ;\n"
                             "MOV R8, RZ ;\nMOV R9, RZ ;\n@P0 BRA loop ;\nEXIT ;\n.end\n",
                 blocks - 1);
        ends(text, 1000, blocks, 1);
        assert_in_range(word(0), 1000, 1000 + blocks);
    }
}

/* Block 0 counts, without a trace in its registers, and says when it is done; the others wait for
 * that. One of them reads a clock while it waits. */
static void waiting_for_one_that_counts(void **unused) {
    (void)unused;
    ends(BEGIN INDEX "MOV R10, c[0x0][0x160] ;\nMOV R11, c[0x0][0x164] ;\nMOV R9, 0x1 ;\n"
                     "ISETP.EQ.AND P3, PT, R1, 0x2, PT ;\n"
                     "ISETP.NE.AND P0, PT, R1, RZ, PT ;\n@P0 BRA wait ;\n"
                     "loop: LDG.E R8, [R10.64] ;\nIADD3 R8, R8, 0x1, RZ ;\nSTG.E [R10.64], R8 ;\n"
                     "ISETP.LT.U32.AND P0, PT, R8, LIMIT, PT ;\nMOV R8, RZ ;\n@P0 BRA loop ;\n"
                     "STG.E.STRONG.GPU [R10.64+0x40], R9 ;\nEXIT ;\n"
                     "wait: @P3 S2R R8, SR_CLOCKLO ;\nLDG.E.STRONG.GPU R8, [R10.64+0x40] ;\n"
                     "ISETP.NE.AND P0, PT, R8, 0x1, PT ;\n@P0 BRA wait ;\n"
                     "STG.E [R6.64+0x80], R1 ;\nEXIT ;\n.end\n",
         SLOW_BUILD ? 30000 : 60000, 4, 1);
    for (uint32_t b = 1; b < 4; b++)
        assert_int_equal(word(32 + b), b);
}

/* ---------------------------------------------------------------- deadlocks */

/* Stores and atomic operations that leave what is there change nothing: a lock that is never
 * given back is a deadlock. Word 0 is 0 at the start. */
static void writing_what_is_there(void **unused) {
    (void)unused;
    static const char *const ways[] = {
        "STG.E [R6.64], RZ ;\n",
        "ST.E.64 [R6.64], R10 ;\n",
        "STG.E.U8 [R6.64], RZ ;\n",
        "RED.E.ADD.STRONG.GPU [R6.64], RZ ;\n",
        "RED.E.OR.STRONG.GPU [R6.64], RZ ;\n",
        "ATOMG.E.EXCH.STRONG.GPU PT, R9, [R6.64], RZ ;\n",
        "ATOMG.E.CAS.STRONG.GPU PT, R9, [R6], R12, R12 ;\n",
        "ATOMG.E.CAS.STRONG.GPU PT, R9, [R6], RZ, RZ ;\n",
    };
    for (size_t i = 0; i < COUNT_OF(ways); i++)
        for (uint32_t threads = SLOW_BUILD ? 32 : 1; threads <= 32; threads += 31) {
            char text[1000];
            snprintf(text, sizeof text,
                     BEGIN INDEX "LDG.E.64 R10, [R6.64] ;\nMOV R12, 0x77 ;\n"
                                 "loop: %sLDG.E.STRONG.GPU R8, [R6.64] ;\n"
                                 "ISETP.EQ.AND P0, PT, R8, RZ, PT ;\n@P0 BRA loop ;\nEXIT ;\n"
                                 ".end\n",
                     ways[i]);
            is_deadlock(text, 1, threads, 0);
        }
}

/* Shared and local memory are of the block: a loop that changes them and changes them back can do
 * so for ever. */
static void changing_only_ones_own(void **unused) {
    (void)unused;
    static const char *const spaces[] = {"S", "L"};
    for (size_t i = 0; i < COUNT_OF(spaces); i++) {
        char text[1000];
        snprintf(text, sizeof text,
                 BEGIN ".shared s, 8\n.local 8\n" INDEX "MOV R9, 0x1 ;\n"
                       "loop: ST%s [RZ], R9 ;\nST%s [RZ], RZ ;\n"
                       "LDG.E.STRONG.GPU R8, [R6.64] ;\nISETP.EQ.AND P0, PT, R8, RZ, PT ;\n"
                       "@P0 BRA loop ;\nEXIT ;\n.end\n",
                 spaces[i], spaces[i]);
        is_deadlock(text, 1, 1, 0);
    }
}

/* The loop changes memory 20,000 times, or reads a clock for so long, before it gets stuck. */
static void stuck_after_a_while(void **unused) {
    (void)unused;
    is_deadlock(BEGIN INDEX "loop: LDG.E R8, [R6.64] ;\nIADD3 R8, R8, 0x1, RZ ;\n"
                            "IMNMX.U32 R8, R8, 0x4e20, PT ;\nSTG.E [R6.64], R8 ;\nMOV R8, RZ ;\n"
                            "BRA loop ;\n.end\n",
                1, 1, 0);
    assert_int_equal(word(0), 20000);
    is_deadlock(BEGIN INDEX
                "ISETP.NE.AND P1, PT, R1, RZ, PT ;\n@P1 BRA wait ;\n"
                "loop: S2R R9, SR_CLOCKLO ;\nISETP.LT.U32.AND P0, PT, R9, 0x30d40, PT ;\n"
                "MOV R9, RZ ;\n@P0 BRA loop ;\nEXIT ;\n"
                "wait: LDG.E.STRONG.GPU R8, [R6.64] ;\nISETP.NE.AND P0, PT, R8, 0x7, PT ;\n"
                "@P0 BRA wait ;\nEXIT ;\n.end\n",
                2, 1, 1);
}

/* Half of the warp goes round without the warp's barrier, so that at the end of every round no lane
 * can run by itself. Of the two warps the first has ended. */
static void stuck_with_a_barrier(void **unused) {
    (void)unused;
    is_deadlock(BEGIN INDEX "ISETP.LT.U32.AND P0, PT, R2, 0x20, PT ;\n@P0 EXIT ;\n"
                            "ISETP.GE.U32.AND P0, PT, R2, 0x30, PT ;\n"
                            "loop: BSSY B0, next ;\n@P0 BRA join ;\nWARPSYNC 0xffffffff ;\n"
                            "join: BSYNC B0 ;\n"
                            "next: LDG.E.STRONG.GPU R8, [R6.64] ;\n"
                            "ISETP.EQ.AND P1, PT, R8, RZ, PT ;\n@P1 BRA loop ;\nEXIT ;\n.end\n",
                1, 64, 0);
    assert_int_equal(one.fault.warp, 1);
}

/* A loop of 250 instructions, of which a block has run a whole number only after 125 rounds. */
static void long_loop(void **unused) {
    (void)unused;
    char text[8192];
    size_t used =
        (size_t)snprintf(text, sizeof text, BEGIN INDEX "loop: LDG.E.STRONG.GPU R8, [R6.64] ;\n");
    for (unsigned i = 0; i < 247; i++)
        used += (size_t)snprintf(text + used, sizeof text - used, "IADD3 R9, R8, 0x%x, RZ ;\n", i);
    snprintf(text + used, sizeof text - used,
             "ISETP.EQ.AND P0, PT, R8, RZ, PT ;\n@P0 BRA loop ;\nEXIT ;\n.end\n");
    is_deadlock(text, 1, 1, 0);
}

/* ---------------------------------------------------------------- loops without end */

/* Memory changes and changes back: two blocks that swap a word, one that writes two values in turn,
 * one that adds and subtracts. And one that only looks at the clock. */
static const char *const endless[] = {
    BEGIN INDEX "MOV R10, c[0x0][0x160] ;\nMOV R11, c[0x0][0x164] ;\nIADD3 R9, R1, 0x1, RZ ;\n"
                "loop: ATOMG.E.EXCH.STRONG.GPU PT, R8, [R10.64], R9 ;\nMOV R8, RZ ;\n"
                "BRA loop ;\n.end\n",
    BEGIN INDEX "MOV R9, 0x1 ;\n"
                "loop: STG.E [R6.64], R9 ;\nSTG.E [R6.64], RZ ;\nBRA loop ;\n.end\n",
    BEGIN INDEX "MOV R9, 0x1 ;\nMOV R8, 0xffffffff ;\n"
                "loop: RED.E.ADD.STRONG.GPU [R6.64], R9 ;\nRED.E.ADD.STRONG.GPU [R6.64], R8 ;\n"
                "BRA loop ;\n.end\n",
    BEGIN INDEX "loop: CS2R.32 R9, SR_CLOCKLO ;\nMOV R9, RZ ;\nBRA loop ;\n.end\n",
    BEGIN INDEX "loop: S2UR UR4, SR_GLOBALTIMERLO ;\nUMOV UR4, URZ ;\nBRA loop ;\n.end\n",
};

static void changing_for_ever(void **unused) {
    (void)unused;
    for (size_t i = 0; i < COUNT_OF(endless); i++)
        is_endless(endless[i], i ? 1 : 2, 1);
    is_endless(endless[1], 1, 32);
}

/* Somebody who watches such a launch is told that its blocks only spin. */
static bool left_spinning(const char *text, fhec_fault_kind kind) {
    fhec_program *program = emu_assemble(text);
    fhec_machine *machine = emu_machine(FHEC_ENGINE_FAST, FHEC_SIMD_BEST, 1);
    uint64_t params[2] = {0, 0};
    assert_int_equal(fhec_alloc(machine, "data", 64, 0, &params[0]), FHEC_OK);
    fhec_launch launch = {.program = program,
                          .grid = {2, 1, 1},
                          .block = {1, 1, 1},
                          .params = params,
                          .param_bytes = sizeof params};
    struct fh_state *state;
    assert_int_equal(fh_state_new(machine, &launch, &state), FHEC_OK);
    state->launch.max_steps = 600000;
    struct fh_residents turns;
    fh_residents_begin(&turns, &state->launch, 0);
    assert_int_equal(fh_residents_go(&turns), FH_FAULTED);
    fh_residents_end(&turns);
    assert_int_equal(state->launch.fault.kind, kind);
    bool spinning = state->launch.spinning;
    fh_state_free(state);
    fhec_machine_free(machine);
    fhec_program_free(program);
    return spinning;
}

static void what_is_told(void **unused) {
    (void)unused;
    for (size_t i = 0; i < COUNT_OF(endless); i++)
        assert_true(left_spinning(endless[i], FHEC_FAULT_STEP_LIMIT));
    /* A clock whose value stays in a register, so that no state recurs. */
    assert_true(left_spinning(BEGIN "loop: S2R R9, SR_CLOCKLO ;\nBRA loop ;\n.end\n",
                              FHEC_FAULT_STEP_LIMIT));
    assert_false(left_spinning(BEGIN "loop: IADD3 R9, R9, 0x1, RZ ;\nBRA loop ;\n.end\n",
                               FHEC_FAULT_STEP_LIMIT));
    assert_false(left_spinning(BEGIN "loop: BRA loop ;\n.end\n", FHEC_FAULT_DEADLOCK));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(until_a_time),
        cmocka_unit_test(until_a_count_of_the_clock),
        cmocka_unit_test(until_a_count_in_memory),
        cmocka_unit_test(counting_by_loads_and_stores),
        cmocka_unit_test(counting_in_shared_memory),
        cmocka_unit_test(blocks_in_turns),
        cmocka_unit_test(waiting_for_one_that_counts),
        cmocka_unit_test(writing_what_is_there),
        cmocka_unit_test(changing_only_ones_own),
        cmocka_unit_test(stuck_after_a_while),
        cmocka_unit_test(stuck_with_a_barrier),
        cmocka_unit_test(long_loop),
        cmocka_unit_test(changing_for_ever),
        cmocka_unit_test(what_is_told),
    };
    return cmocka_run_group_tests_name("emu_spin_threads", tests, NULL, NULL);
}

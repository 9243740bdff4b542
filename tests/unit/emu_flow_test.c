/*
 * emu_flow_test.c - divergence, convergence barriers, barriers of the block: what runs, in which
 * company, in which order, and that nothing hangs that can go on.
 */
#include "emu_words.h"

static uint32_t if_else(uint32_t t) {
    uint32_t side = t % 32 < 11 ? 0x100 + t : 0x200 + 3 * t;
    return side + (t % 32 < 11 ? 0x7ff : 0xfffff800);
}

/* Each side sees its own lanes by a vote; after BSYNC all are together. */
static void test_if_else(void **unused) {
    (void)unused;
    expect(HEAD "S2R R1, SR_LANEID ;\n"
                "ISETP.GE.AND P0, PT, R1, 0xb, PT ;\n"
                "BSSY B0, join ;\n"
                "@P0 BRA other ;\n"
                "IADD3 R8, R0, 0x100, RZ ;\n"
                "VOTE.ALL R9, PT, PT ;\n"
                "BRA sync ;\n"
                "other:\n"
                "IMAD R8, R0, 0x3, RZ ;\n"
                "IADD3 R8, R8, 0x200, RZ ;\n"
                "VOTE.ALL R9, PT, PT ;\n"
                "sync:\n"
                "BSYNC B0 ;\n"
                "join:\n"
                "VOTE.ALL R10, PT, PT ;\n"
                "ISETP.NE.AND P1, PT, R10, -0x1, PT ;\n"
                "IADD3 R8, R8, R9, RZ ;\n"
                "@P1 MOV R8, 0xbad ;\n" STORE("R8") TAIL,
           64, if_else);
}

static uint32_t triangle(uint32_t t) {
    uint32_t sum = 0;
    for (uint32_t i = 0; i <= t % 7; i++)
        for (uint32_t j = 0; j < i + t % 3; j++)
            sum += i * 16 + j;
    return sum;
}

/* Two nested loops with different trip counts; the inner barrier is used again and again. */
static void test_nested_loops(void **unused) {
    (void)unused;
    expect(HEAD
           /* R1 = t % 7, R2 = t % 3, by repeated subtraction: loops with their own trip counts */
           "MOV R1, R0 ;\n"
           "BSSY B0, m7e ;\n"
           "m7: ISETP.LT.U32.AND P0, PT, R1, 0x7, PT ;\n"
           "@P0 BRA m7s ;\n"
           "IADD3 R1, R1, -0x7, RZ ;\n"
           "BRA m7 ;\n"
           "m7s: BSYNC B0 ;\n"
           "m7e: MOV R2, R0 ;\n"
           "BSSY B0, m3e ;\n"
           "m3: ISETP.LT.U32.AND P0, PT, R2, 0x3, PT ;\n"
           "@!P0 IADD3 R2, R2, -0x3, RZ ;\n"
           "@!P0 BRA m3 ;\n"
           "BSYNC B0 ;\n"
           "m3e: MOV R8, RZ ;\n"
           "MOV R9, RZ ;\n"
           "BSSY B1, oe ;\n"
           "outer: ISETP.GT.U32.AND P0, PT, R9, R1, PT ;\n"
           "@P0 BRA os ;\n"
           "MOV R10, RZ ;\n"
           "IADD3 R11, R9, R2, RZ ;\n"
           "BSSY B0, ie ;\n"
           "inner: ISETP.GE.U32.AND P1, PT, R10, R11, PT ;\n"
           "@P1 BRA is ;\n"
           "IMAD R8, R9, 0x10, R8 ;\n"
           "IADD3 R8, R8, R10, RZ ;\n"
           "IADD3 R10, R10, 0x1, RZ ;\n"
           "BRA inner ;\n"
           "is: BSYNC B0 ;\n"
           "ie: IADD3 R9, R9, 0x1, RZ ;\n"
           "BRA outer ;\n"
           "os: BSYNC B1 ;\n"
           "oe:\n" STORE("R8") TAIL,
           96, triangle);
}

static uint32_t break_want(uint32_t t) {
    return t % 32 < 5 ? 0x1000 + t % 32 : 0xffffffe0;
}

/* Lanes 0-4 leave the region by BREAK and never come to its BSYNC; the others do not wait for
 * them. */
static void test_break(void **unused) {
    (void)unused;
    expect(HEAD "S2R R1, SR_LANEID ;\n"
                "BSSY B3, end ;\n"
                "ISETP.LT.AND P0, PT, R1, 0x5, PT ;\n"
                "@P0 BREAK B3 ;\n"
                "@P0 BRA away ;\n"
                "BSYNC B3 ;\n"
                "end: VOTE.ALL R8, PT, PT ;\n" STORE(
                    "R8") "EXIT ;\n"
                          "away: IADD3 R8, R1, 0x1000, RZ ;\n" STORE("R8") TAIL,
           64, break_want);
}

static uint32_t exit_want(uint32_t t) {
    return t % 32 % 3 == 0 ? 0x51 : ~UINT32_C(0x49249249);
}

/* A third of the lanes ends inside the region. */
static void test_exit_in_region(void **unused) {
    (void)unused;
    expect(HEAD "S2R R1, SR_LANEID ;\n"
                "IMAD.HI.U32 R2, R1, 0x55555556, RZ ;\n"
                "IMAD R2, R2, -0x3, R1 ;\n"
                "ISETP.EQ.AND P0, PT, R2, RZ, PT ;\n"
                "MOV R8, 0x51 ;\n"
                "@P0 STG.E [R4.64], R8 ;\n"
                "BSSY B0, end ;\n"
                "@!P0 BRA sync ;\n"
                "EXIT ;\n"
                "sync: BSYNC B0 ;\n"
                "end: VOTE.ALL R8, PT, PT ;\n" STORE("R8") TAIL,
           32, exit_want);
}

static uint32_t warpsync_want(uint32_t t) {
    return t % 32 < 16 ? 0x0000ffff : 0xffff0000;
}

/* The halves take different ways; within each half quarters come apart and meet at WARPSYNC, in
 * the register form with a mask per half and at different pcs in the immediate one. */
static void test_warpsync(void **unused) {
    (void)unused;
    expect(HEAD "S2R R1, SR_LANEID ;\n"
                "MOV R9, 0xffff ;\n"
                "ISETP.GE.AND P0, PT, R1, 0x10, PT ;\n"
                "@P0 MOV R9, 0xffff0000 ;\n"
                "LOP3.LUT R2, R1, 0x8, RZ, 0xc0, !PT ;\n"
                "ISETP.NE.AND P1, PT, R2, RZ, PT ;\n"
                "@P0 BRA high ;\n"
                "@P1 BRA low8 ;\n"
                "NOP ;\n"
                "low8: WARPSYNC R9 ;\n"
                "VOTE.ALL R8, PT, PT ;\n"
                "BRA store ;\n"
                "high: @P1 BRA high8 ;\n"
                "NOP ;\n"
                "WARPSYNC 0xffff0000 ;\n"
                "BRA joined ;\n"
                "high8: WARPSYNC 0xffff0000 ;\n"
                "joined: WARPSYNC R9 ;\n"
                "VOTE.ALL R8, PT, PT ;\n"
                "store:\n" STORE("R8") TAIL,
           64, warpsync_want);
}

static uint32_t spin_want(uint32_t t) {
    return 0x700 + t;
}

/* Lane 31 sets, at a higher pc, the flag for which the others spin at a lower one. */
static void test_spin_in_warp(void **unused) {
    (void)unused;
    expect(".target sm_80\n.kernel K\n.param out, 8\n.shared flag, 4\n"
           "S2R R0, SR_TID.X ;\n"
           "MOV R6, 0x4 ;\n"
           "IMAD.WIDE.U32 R4, R0, R6, c[0x0][0x160] ;\n"
           "ISETP.EQ.AND P0, PT, R0, 0x1f, PT ;\n"
           "BSSY B0, end ;\n"
           "@P0 BRA setter ;\n"
           "spin: LDS R2, [RZ] ;\n"
           "ISETP.EQ.AND P1, PT, R2, RZ, PT ;\n"
           "@P1 BRA spin ;\n"
           "BRA sync ;\n"
           "setter: MOV R2, 0x700 ;\n"
           "STS [RZ], R2 ;\n"
           "sync: BSYNC B0 ;\n"
           "end: IADD3 R8, R2, R0, RZ ;\n" STORE("R8") TAIL,
           32, spin_want);
}

/* Three places: two spin, on flags that the third and then the second set; and so across warps. */
static void test_spin_chain(void **unused) {
    (void)unused;
    expect(".target sm_80\n.kernel K\n.param out, 8\n.shared flag, 1024\n"
           "S2R R0, SR_TID.X ;\n"
           "MOV R6, 0x4 ;\n"
           "IMAD.WIDE.U32 R4, R0, R6, c[0x0][0x160] ;\n"
           /* thread t waits for flag t+1, then sets flag t; the last waits for nothing */
           "IADD3 R1, R0, 0x1, RZ ;\n"
           "MOV R9, 0x700 ;\n"
           "ISETP.EQ.AND P0, PT, R1, c[0x0][0x0], PT ;\n"
           "BSSY B0, end ;\n"
           "@P0 BRA set ;\n"
           "spin: LDS R9, [R1.X4] ;\n"
           "ISETP.EQ.AND P1, PT, R9, RZ, PT ;\n"
           "@P1 BRA spin ;\n"
           "set: STS [R0.X4], R9 ;\n"
           "BSYNC B0 ;\n"
           "end: IADD3 R8, R9, R0, RZ ;\n" STORE("R8") TAIL,
           160, spin_want);
}

static uint32_t same_number_want(uint32_t t) {
    uint32_t half = t % 32 < 16 ? 0x0000ffff : 0xffff0000;
    return half;
}

/* Both halves use B1 at once, kept apart by spinning on each other's flags; each half meets all of
 * itself at its own BSYNC. */
static void test_same_barrier_twice(void **unused) {
    (void)unused;
    expect(".target sm_80\n.kernel K\n.param out, 8\n.shared flags, 8\n"
           "S2R R0, SR_TID.X ;\n"
           "MOV R6, 0x4 ;\n"
           "MOV R7, 0x1 ;\n"
           "IMAD.WIDE.U32 R4, R0, R6, c[0x0][0x160] ;\n"
           "LOP3.LUT R1, R0, 0x1, RZ, 0xc0, !PT ;\n"
           "ISETP.EQ.AND P1, PT, R1, RZ, PT ;\n"
           "ISETP.GE.AND P0, PT, R0, 0x10, PT ;\n"
           "BSSY B0, end ;\n"
           "@P0 BRA high ;\n"
           "BSSY B1, l1 ;\n"
           "@P1 BRA l0 ;\n"
           "STS [RZ], R7 ;\n"
           "a: LDS R2, [0x4] ;\n"
           "ISETP.EQ.AND P2, PT, R2, RZ, PT ;\n"
           "@P2 BRA a ;\n"
           "l0: BSYNC B1 ;\n"
           "l1: VOTE.ALL R8, PT, PT ;\n"
           "BRA sync ;\n"
           "high: BSSY B1, h1 ;\n"
           "@P1 BRA h0 ;\n"
           "STS [0x4], R7 ;\n"
           "b: LDS R2, [RZ] ;\n"
           "ISETP.EQ.AND P2, PT, R2, RZ, PT ;\n"
           "@P2 BRA b ;\n"
           "h0: BSYNC B1 ;\n"
           "h1: VOTE.ALL R8, PT, PT ;\n"
           "sync: BSYNC B0 ;\n"
           "end: VOTE.ALL R9, PT, PT ;\n"
           "ISETP.NE.AND P3, PT, R9, -0x1, PT ;\n"
           "@P3 MOV R8, 0xbad ;\n" STORE("R8") TAIL,
           32, same_number_want);
}

static uint32_t branch_want(uint32_t t) {
    return t % 32 < 8 ? 0x11 : 0x2;
}

/* BRA.DIV and BRA.CONV against the whole warp and against a mask in a uniform register, and the
 * predicate operand of BRA. */
static void test_branches_on_convergence(void **unused) {
    (void)unused;
    expect(HEAD "S2R R1, SR_LANEID ;\n"
                "MOV R8, RZ ;\n"
                "UMOV UR4, 0xff ;\n"
                "ISETP.LT.AND P0, PT, R1, 0x8, PT ;\n"
                "BRA.DIV ~URZ, bad ;\n"
                "BRA.CONV ~URZ, one ;\n"
                "bad: MOV R8, 0xbad ;\n"
                "one: BSSY B0, end ;\n"
                "BRA !P0, two ;\n"
                "BRA.DIV UR4, bad2 ;\n"
                "IADD3 R8, R8, 0x1, RZ ;\n"
                "BRA.CONV UR4, three ;\n"
                "bad2: MOV R8, 0xbad ;\n"
                "three: IADD3 R8, R8, 0x10, RZ ;\n"
                "BRA sync ;\n"
                "two: BRA.CONV ~URZ, sync ;\n"
                "BRA.DIV ~URZ, four ;\n"
                "MOV R8, 0xbad ;\n"
                "four: IADD3 R8, R8, 0x2, RZ ;\n"
                "sync: BSYNC B0 ;\n"
                "end:\n" STORE("R8") TAIL,
           64, branch_want);
}

static uint32_t yield_want(uint32_t t) {
    return t % 32 == 3 ? 2 : 1;
}

/* A lane counts in shared memory after the others, because it yields at a lower pc. */
static void test_yield(void **unused) {
    (void)unused;
    expect(".target sm_80\n.kernel K\n.param out, 8\n.shared count, 4\n"
           "S2R R0, SR_TID.X ;\n"
           "MOV R6, 0x4 ;\n"
           "IMAD.WIDE.U32 R4, R0, R6, c[0x0][0x160] ;\n"
           "ISETP.NE.AND P0, PT, R0, 0x3, PT ;\n"
           "BSSY B0, end ;\n"
           "@P0 BRA others ;\n"
           "YIELD ;\n"
           "LDS R8, [RZ] ;\n"
           "IADD3 R8, R8, 0x1, RZ ;\n"
           "BRA sync ;\n"
           "others: MOV R8, 0x1 ;\n"
           "STS [RZ], R8 ;\n"
           "sync: BSYNC B0 ;\n"
           "end:\n" STORE("R8") TAIL,
           32, yield_want);
}

static uint32_t all_want(uint32_t t) {
    (void)t;
    return 0xffffffff;
}

/* Groups that come to one plain instruction go on together, without any barrier. */
static void test_meeting_at_a_pc(void **unused) {
    (void)unused;
    expect(HEAD "S2R R1, SR_LANEID ;\n"
                "ISETP.LT.AND P0, PT, R1, 0x9, PT ;\n"
                "ISETP.LT.AND P1, PT, R1, 0x14, PT ;\n"
                "@P0 BRA a ;\n"
                "NOP ;\n"
                "@P1 BRA a ;\n"
                "NOP ;\nNOP ;\n"
                "a: NOP ;\n"
                "VOTE.ANY R8, PT, PT ;\n" STORE("R8") TAIL,
           64, all_want);
}

static uint32_t order_want(uint32_t t) {
    return t % 32 < 16 ? 1 : 2;
}

/* After a spin has made groups take turns and all are together again, the lowest pc goes first as
 * before: the near side of the branch sets the flag that the far side reads. */
static void test_order_after_spin(void **unused) {
    (void)unused;
    expect(".target sm_80\n.kernel K\n.param out, 8\n.shared flag, 8\n"
           "S2R R0, SR_TID.X ;\n"
           "MOV R6, 0x4 ;\n"
           "IMAD.WIDE.U32 R4, R0, R6, c[0x0][0x160] ;\n"
           "ISETP.GE.AND P0, PT, R0, 0x10, PT ;\n"
           "ISETP.EQ.AND P2, PT, R0, 0x1f, PT ;\n"
           "MOV R9, 0x1 ;\n"
           "BSSY B0, end ;\n"
           "@!P2 BRA spin ;\n"
           "BRA setter ;\n"
           "later: BSSY B1, end2 ;\n"
           "@P0 BRA far ;\n"
           "STS [0x4], R9 ;\n"
           "MOV R8, 0x1 ;\n"
           "BRA sync2 ;\n"
           "spin: LDS R2, [RZ] ;\n"
           "ISETP.EQ.AND P1, PT, R2, RZ, PT ;\n"
           "@P1 BRA spin ;\n"
           "BRA sync ;\n"
           "setter: STS [RZ], R9 ;\n"
           "sync: BSYNC B0 ;\n"
           "end: BRA later ;\n" /* backward, but nobody else is there */
           "far: LDS R8, [0x4] ;\n"
           "IADD3 R8, R8, 0x1, RZ ;\n"
           "sync2: BSYNC B1 ;\n"
           "end2:\n" STORE("R8") TAIL,
           32, order_want);
}

static uint32_t late_want(uint32_t t) {
    return t % 32 < 28 ? 0x0fffffff : 0x77;
}

/* Lanes wait first; the others end, or leave, later and at a higher pc: at BSYNC, at WARPSYNC, and
 * at a barrier of the block. */
static void test_waiting_for_the_late(void **unused) {
    (void)unused;
    static const char *const waits[] = {"BSYNC B0 ;\n", "WARPSYNC 0xffffffff ;\n",
                                        "BAR.SYNC 0x0 ;\n"};
    static const char *const leaves[] = {"EXIT ;\n", "BREAK B0 ;\nEXIT ;\n",
                                         "BREAK B0 ;\nloop: BRA loop2 ;\nloop2: EXIT ;\n"};
    for (size_t i = 0; i < COUNT_OF(waits); i++) {
        for (size_t k = 0; k < COUNT_OF(leaves); k++) {
            char text[1200];
            snprintf(text, sizeof text,
                     HEAD
                     "S2R R1, SR_LANEID ;\n"
                     "ISETP.GE.AND P0, PT, R1, 0x1c, PT ;\n"
                     "MOV R8, 0x77 ;\n"
                     "BSSY B0, end ;\n"
                     "@P0 BRA away ;\n"
                     "%s"
                     "end: VOTE.ALL R8, PT, PT ;\n" STORE("R8") "EXIT ;\n"
                                                                "away:\n" STORE("R8") "%s.end\n",
                     waits[i], leaves[k]);
            expect(text, 64, late_want);
        }
    }
}

static uint32_t rejoin_want(uint32_t t) {
    return t % 32 < 12 ? 0x00000fff : t % 32 < 16 ? 0xf000 : 0xffff0000;
}

/* Lanes 12-15 leave the B0 where 0-11 wait, and then wait for a flag that those set: by BREAK, and
 * by entering B0 anew, where the four meet among themselves. */
static void test_leaving_a_barrier(void **unused) {
    (void)unused;
    static const char *const ways[] = {"BREAK B0 ;\n", "BSSY B0, end2 ;\nBSYNC B0 ;\n"};
    for (size_t i = 0; i < COUNT_OF(ways); i++) {
        char text[1500];
        snprintf(text, sizeof text,
                 ".target sm_80\n.kernel K\n.param out, 8\n.shared flag, 4\n"
                 "S2R R0, SR_TID.X ;\n"
                 "MOV R6, 0x4 ;\n"
                 "IMAD.WIDE.U32 R4, R0, R6, c[0x0][0x160] ;\n"
                 "ISETP.GE.AND P0, PT, R0, 0x10, PT ;\n"
                 "ISETP.GE.AND P1, PT, R0, 0xc, PT ;\n"
                 "@P0 BRA upper ;\n"
                 "BSSY B0, end ;\n"
                 "@P1 BRA four ;\n"
                 "BSYNC B0 ;\n"
                 "end: VOTE.ALL R8, PT, PT ;\n" STORE(
                     "R8") "STS [RZ], R8 ;\n"
                           "EXIT ;\n"
                           "four: %s"
                           "end2: VOTE.ALL R8, PT, PT ;\n" STORE(
                               "R8") "spin: LDS R9, [RZ] ;\n"
                                     "ISETP.EQ.AND P2, PT, R9, RZ, PT ;\n"
                                     "@P2 BRA spin ;\n"
                                     "EXIT ;\n"
                                     "upper: VOTE.ALL R8, PT, PT ;\n" STORE("R8") TAIL,
                 ways[i]);
        expect(text, 32, rejoin_want);
    }
}

static uint32_t turn_want(uint32_t t) {
    return t % 32 == 0 ? 0x5 : 0x6;
}

/* A long way without a branch: the group at the higher pc gets its turn before the end of it. */
static void test_turns_without_branches(void **unused) {
    (void)unused;
    expect(".target sm_80\n.kernel K\n.param out, 8\n.shared flag, 4\n"
           "S2R R0, SR_TID.X ;\n"
           "MOV R6, 0x4 ;\n"
           "IMAD.WIDE.U32 R4, R0, R6, c[0x0][0x160] ;\n"
           "ISETP.NE.AND P0, PT, R0, RZ, PT ;\n"
           "@P0 BRA other ;\n"
           ".rept 400\nNOP ;\n.endr\n"
           "LDS R8, [RZ] ;\n" STORE("R8") "EXIT ;\n"
                                          "other: MOV R8, 0x5 ;\n"
                                          "STS [RZ], R8 ;\n"
                                          "MOV R8, 0x6 ;\n" STORE("R8") TAIL,
           32, turn_want);
}

static void expect_deadlock(const char *text, uint32_t threads, uint64_t pc, uint32_t lanes,
                            const char *piece) {
    fhec_machine *machine;
    const fhec_fault *fault;
    emu_fault(text, threads, threads, 0, &machine, &fault);
    assert_int_equal(fault->kind, FHEC_FAULT_DEADLOCK);
    assert_int_equal(fault->pc, pc);
    assert_int_equal(fault->lanes, lanes);
    if (!strstr(fault->message, piece))
        fail_msg("\"%s\" does not say \"%s\"", fault->message, piece);
    fhec_machine_free(machine);
}

static void test_deadlocks(void **unused) {
    (void)unused;
    /* Lane 0 waits for the block, the others for lane 0. */
    expect_deadlock(".target sm_80\n.kernel K\n.param out, 8\n"
                    "S2R R0, SR_TID.X ;\n"
                    "ISETP.EQ.AND P0, PT, R0, RZ, PT ;\n"
                    "BSSY B0, end ;\n"
                    "@!P0 BRA sync ;\n"
                    "BAR.SYNC 0x0 ;\n"
                    "sync: BSYNC B0 ;\n"
                    "end: EXIT ;\n.end\n",
                    32, 0x40, 0xffffffff, "lanes 0xfffffffe at 0x0050");
    /* A mask with a lane that has gone elsewhere for good. */
    expect_deadlock(".target sm_80\n.kernel K\n.param out, 8\n"
                    "S2R R0, SR_TID.X ;\n"
                    "ISETP.LT.AND P0, PT, R0, 0x4, PT ;\n"
                    "@P0 BRA first ;\n"
                    "WARPSYNC 0xffffffff ;\n"
                    "EXIT ;\n"
                    "first: BAR.SYNC 0x2, 0x40 ;\n"
                    "EXIT ;\n.end\n",
                    32, 0x50, 0xffffffff, "warp 0 lanes 0xfffffff0 at 0x0030");
    /* More threads are counted than there are. */
    expect_deadlock(".target sm_80\n.kernel K\n.param out, 8\n"
                    "BAR.SYNC 0x1, 0x80 ;\n"
                    "EXIT ;\n.end\n",
                    64, 0, 0xffffffff, "warp 1 lanes 0xffffffff at 0x0000");
}

/* A partial last warp: lanes that do not exist are not waited for. */
static uint32_t partial_want(uint32_t t) {
    return t < 32 ? 0xffffffff : 0x1ff;
}

static void test_partial_warp(void **unused) {
    (void)unused;
    expect(HEAD "BSSY B0, end ;\n"
                "ISETP.GE.AND P0, PT, R0, 0x22, PT ;\n"
                "@P0 BRA sync ;\n"
                "NOP ;\n"
                "sync: BSYNC B0 ;\n"
                "end: WARPSYNC 0xffffffff ;\n"
                "BAR.SYNC 0x0 ;\n"
                "VOTE.ANY R8, PT, PT ;\n" STORE("R8") TAIL,
           41, partial_want);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_if_else),
        cmocka_unit_test(test_nested_loops),
        cmocka_unit_test(test_break),
        cmocka_unit_test(test_exit_in_region),
        cmocka_unit_test(test_warpsync),
        cmocka_unit_test(test_spin_in_warp),
        cmocka_unit_test(test_spin_chain),
        cmocka_unit_test(test_same_barrier_twice),
        cmocka_unit_test(test_branches_on_convergence),
        cmocka_unit_test(test_yield),
        cmocka_unit_test(test_meeting_at_a_pc),
        cmocka_unit_test(test_order_after_spin),
        cmocka_unit_test(test_waiting_for_the_late),
        cmocka_unit_test(test_leaving_a_barrier),
        cmocka_unit_test(test_turns_without_branches),
        cmocka_unit_test(test_deadlocks),
        cmocka_unit_test(test_partial_warp),
    };
    return cmocka_run_group_tests_name("emu_flow", tests, NULL, NULL);
}

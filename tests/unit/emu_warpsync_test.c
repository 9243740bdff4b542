/*
 * emu_warpsync_test.c - WARPSYNC whose mask names lanes that wait elsewhere: those that a
 * convergence barrier holds are passed, all others are waited for. Lanes hand words on through
 * shared memory, so who went on too early finds another one.
 */
#include "emu_words.h"

#define BEGIN                                                                                      \
    ".target sm_80\n.kernel K\n.param out, 8\n.shared room, 256\n"                                 \
    "S2R R0, SR_TID.X ;\nMOV R6, 0x4 ;\nIMAD.WIDE.U32 R4, R0, R6, c[0x0][0x160] ;\n"
#define FINISH STORE("R8") TAIL

/* Lane k + s has 3 times what lane k had, and s, for s = 1, 2, 4, 8, 16. */
static uint32_t tree_want(uint32_t t) {
    uint32_t tree[32] = {5};
    for (uint32_t step = 1; step < 32; step *= 2)
        for (uint32_t k = 0; k < step; k++)
            tree[k + step] = tree[k] * 3 + step;
    return tree[t];
}

/* The loop of such a tree, whose lanes from s on go round without the barrier. */
static void test_left_out_in_a_loop(void **unused) {
    (void)unused;
    static const char *const barriers[] = {
        "WARPSYNC 0xffffffff ;\n",
        "WARPSYNC R20 ;\n",
        "WARPSYNC.EXCLUSIVE R20 ;\n",
        ("MOV R21, 0xffff ;\nISETP.LT.U32.AND P2, PT, R0, 0x10, PT ;\n"
         "@P2 WARPSYNC 0xffff ;\nWARPSYNC R20 ;\n"),
    };
    for (size_t i = 0; i < COUNT_OF(barriers); i++) {
        char text[2000];
        snprintf(text, sizeof text,
                 BEGIN "MOV R20, 0xffffffff ;\nISETP.EQ.AND P0, PT, R0, RZ, PT ;\n"
                       "MOV R1, RZ ;\n@P0 MOV R1, 0x5 ;\nSTS [R0.X4], R1 ;\nMOV R2, 0x1 ;\n"
                       "loop: BSSY B0, next ;\n"
                       "ISETP.GE.U32.AND P0, PT, R0, R2, PT ;\n@P0 BRA join ;\n"
                       "LDS R8, [R0.X4] ;\nIMAD R8, R8, 0x3, R2 ;\nIADD3 R9, R0, R2, RZ ;\n"
                       "STS [R9.X4], R8 ;\n%s"
                       "join: BSYNC B0 ;\n"
                       "next: IADD3 R2, R2, R2, RZ ;\nISETP.LT.U32.AND P1, PT, R2, 0x20, PT ;\n"
                       "@P1 BRA loop ;\nLDS R8, [R0.X4] ;\n" FINISH,
                 barriers[i]);
        expect(text, 32, tree_want);
    }
}

/* Lanes 16-31 are held at B0 for the others. Lanes 8-15 wait for lanes 0-7, which take long,
 * whoever else is passed: by many turns of a loop; at a barrier of the block, which the second warp
 * comes to later; and in a barrier's set that they keep in a register, so that lanes 16-31 are let
 * go and come, too. */
static uint32_t early_want(uint32_t t) {
    return t < 8 ? 100 + t : t < 16 ? 100 + t - 8 : 7;
}
static uint32_t register_want(uint32_t t) {
    return t < 16 ? 200 + 16 + t : t < 32 ? 200 + t - 16 : 7;
}

static void test_others_are_waited_for(void **unused) {
    (void)unused;
    static const char *const takes_long[] = {
        "MOV R10, 0x1000 ;\nagain: IADD3 R10, R10, -0x1, RZ ;\n"
        "ISETP.NE.AND P3, PT, R10, RZ, PT ;\n@P3 BRA again ;\n",
        "BAR.SYNC 0x1, 0x28 ;\n",
    };
    for (size_t i = 0; i < COUNT_OF(takes_long); i++) {
        char text[2000];
        snprintf(text, sizeof text,
                 BEGIN "MOV R8, 0x7 ;\nISETP.GE.U32.AND P0, PT, R0, 0x20, PT ;\n@P0 BRA second ;\n"
                       "BSSY B0, next ;\n"
                       "ISETP.GE.U32.AND P0, PT, R0, 0x10, PT ;\n@P0 BRA join ;\n"
                       "ISETP.GE.U32.AND P1, PT, R0, 0x8, PT ;\n@P1 BRA early ;\n"
                       "%sIADD3 R8, R0, 0x64, RZ ;\nSTS [R0.X4], R8 ;\nWARPSYNC 0xffffffff ;\n"
                       "BRA join ;\n"
                       "early: WARPSYNC 0xffffffff ;\nLDS R8, [R0.X4+-0x20] ;\n"
                       "join: BSYNC B0 ;\nnext: BRA end ;\n"
                       "second: MOV R10, 0x2000 ;\nwait: IADD3 R10, R10, -0x1, RZ ;\n"
                       "ISETP.NE.AND P3, PT, R10, RZ, PT ;\n@P3 BRA wait ;\n%s"
                       "end: " FINISH,
                 takes_long[i], i ? "BAR.SYNC 0x1, 0x28 ;\n" : "");
        expect(text, 64, early_want);
    }
    expect(BEGIN "IADD3 R8, R0, 0xc8, RZ ;\nBSSY B0, next ;\n"
                 "ISETP.GE.U32.AND P0, PT, R0, 0x10, PT ;\n@P0 BRA join ;\n"
                 "BMOV.32.CLEAR R12, B0 ;\nSTS [R0.X4], R8 ;\n"
                 "WARPSYNC 0xffffffff ;\nLDS R8, [R0.X4+0x40] ;\nBMOV.32 B0, R12 ;\n"
                 "BRA join ;\n"
                 "join: BSYNC B0 ;\n"
                 "next: ISETP.LT.U32.AND P0, PT, R0, 0x10, PT ;\n@P0 BRA end ;\n"
                 "STS [R0.X4], R8 ;\nWARPSYNC 0xffffffff ;\nLDS R8, [R0.X4+-0x40] ;\n"
                 "end: " FINISH,
           32, register_want);
}

static uint32_t crossed_want(uint32_t t) {
    return t + 3;
}

/* Lanes 16-23 are held for lanes 8-15, which are held for lanes 0-7. */
static void test_held_for_the_held(void **unused) {
    (void)unused;
    expect(BEGIN "ISETP.GE.U32.AND P0, PT, R0, 0x8, PT ;\nISETP.GE.U32.AND P1, PT, R0, 0x10, PT ;\n"
                 "@P1 BRA upper ;\nBSSY B0, done ;\n@P0 BRA upper ;\n"
                 "WARPSYNC 0xffffffff ;\nBRA joined ;\n"
                 "upper: BSSY B1, behind ;\n@!P1 BRA joined ;\n"
                 "BSYNC B1 ;\nbehind: BRA done ;\n"
                 "joined: BSYNC B0 ;\n"
                 "done: @P1 BRA end ;\n@P0 BRA last_too ;\nBRA end ;\n"
                 "last_too: BSYNC B1 ;\n"
                 "end: IADD3 R8, R0, 0x3, RZ ;\n" FINISH,
           24, crossed_want);
}

/* Lanes 0-7 wait for more threads than there are; nobody may pass them. */
static void test_still_a_deadlock(void **unused) {
    (void)unused;
    fhec_machine *machine;
    const fhec_fault *fault;
    emu_fault(BEGIN "BSSY B0, next ;\nISETP.GE.U32.AND P0, PT, R0, 0x10, PT ;\n@P0 BRA join ;\n"
                    "ISETP.GE.U32.AND P1, PT, R0, 0x8, PT ;\n@P1 BRA early ;\n"
                    "BAR.SYNC 0x1, 0x40 ;\nBRA join ;\n"
                    "early: WARPSYNC 0xffffffff ;\njoin: BSYNC B0 ;\nnext: EXIT ;\n.end\n",
              32, 32, 0, &machine, &fault);
    assert_int_equal(fault->kind, FHEC_FAULT_DEADLOCK);
    assert_non_null(strstr(fault->message, "warp 0 lanes 0x0000ff00 at 0x00a0"));
    assert_non_null(strstr(fault->message, "warp 0 lanes 0xffff0000 at 0x00b0"));
    fhec_machine_free(machine);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_left_out_in_a_loop),
        cmocka_unit_test(test_others_are_waited_for),
        cmocka_unit_test(test_held_for_the_held),
        cmocka_unit_test(test_still_a_deadlock),
    };
    return cmocka_run_group_tests_name("emu_warpsync", tests, NULL, NULL);
}

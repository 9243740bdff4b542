/*
 * race_order_test.c - what orders accesses to memory without atomic operations: barriers, named
 * ones too, WARPSYNC, convergence, shuffles; each missing one beside the kernel that has it.
 */
#include "race_util.h"

#define STORE   "STS [R6], R0 ;\n"
#define TO_WARP "LOP3.LUT R9, R6, 0x80, RZ, 0x3c, !PT ;\n"
#define TO_LANE "LOP3.LUT R9, R6, 0x4, RZ, 0x3c, !PT ;\n"
#define LOAD    "LDS R12, [R9] ;\n"

static void barriers(void **state) {
    static const struct race_case cases[] = {
        {"no barrier", 1, 64, STORE TO_WARP LOAD, "C021"},
        {"a barrier", 1, 64, STORE TO_WARP "BAR.SYNC 0x0 ;\n" LOAD, ""},
        {"a reduction", 1, 64, STORE TO_WARP "BAR.RED.OR.DEFER_BLOCKING 0x0, P0 ;\n" LOAD, ""},
        {"the next store before the others have read", 1, 64,
         STORE TO_WARP "BAR.SYNC 0x0 ;\n" LOAD "STS [R6], R9 ;\n", "C021"},
        {"a barrier before it", 1, 64,
         STORE TO_WARP "BAR.SYNC 0x0 ;\n" LOAD "BAR.SYNC 0x0 ;\nSTS [R6], R9 ;\n", ""},
        {"a warp is no block", 1, 64, STORE TO_WARP "WARPSYNC 0xffffffff ;\n" LOAD, "C021"},
        {"named barriers of other warps", 1, 128,
         STORE TO_WARP "LOP3.LUT R13, R8, 0x1, RZ, 0xc0, !PT ;\nIADD3 R13, R13, 0x1, RZ ;\n"
                       "LOP3.LUT R13, R13, 0x400000, RZ, 0xfc, !PT ;\nBAR.SYNC R13, R13 ;\n" LOAD,
         "C021"},
        {"named barriers of these warps", 1, 128,
         STORE TO_WARP "SHF.R.U32.HI R13, RZ, 0x1, R8 ;\nIADD3 R13, R13, 0x1, RZ ;\n"
                       "LOP3.LUT R13, R13, 0x400000, RZ, 0xfc, !PT ;\nBAR.SYNC R13, R13 ;\n" LOAD,
         ""},
        {"one arrives, one waits", 1, 64,
         "@P1 STS [R6], R0 ;\n@P1 BAR.ARV 0x1, 0x40 ;\n@!P1 BAR.SYNC 0x1, 0x40 ;\n" TO_WARP
         "@!P1 LDS R12, [R9] ;\n",
         ""},
        {"it stores once more behind its arrival", 1, 64,
         "@P1 BAR.ARV 0x1, 0x40 ;\n@P1 STS [R6], R0 ;\n@!P1 BAR.SYNC 0x1, 0x40 ;\n" TO_WARP
         "@!P1 LDS R12, [R9] ;\n",
         "C021"},
        {"who arrives does not wait", 1, 64,
         "@!P1 STS [R6], R0 ;\n@P1 BAR.ARV 0x1, 0x40 ;\n@!P1 BAR.SYNC 0x1, 0x40 ;\n" TO_WARP
         "@P1 LDS R12, [R9] ;\n",
         "C021"},
        {"global memory of a block", 1, 64,
         "STG.E [R4.64], R0 ;\nBAR.SYNC 0x0 ;\nIMAD.WIDE.U32 R14, R9, 0x1, R2 ;\n" TO_WARP
         "IADD3 R14, P5, R2, R9, RZ ;\nIADD3.X R15, R3, RZ, RZ, P5, !PT ;\nLDG.E R12, [R14.64] ;\n",
         ""},
        {"without the barrier", 1, 64,
         "STG.E [R4.64], R0 ;\n" TO_WARP
         "IADD3 R14, P5, R2, R9, RZ ;\nIADD3.X R15, R3, RZ, RZ, P5, !PT ;\nLDG.E R12, [R14.64] ;\n",
         "C021"},
        {"bytes of one word", 1, 64, "STS.U8 [R0], R0 ;\n", ""},
        {"bytes beside halves", 1, 64,
         "STS.U8 [R0], R0 ;\n@P4 LDS.U16 R12, [R10+0x40] ;\n@P4 LDS.U16 R12, [R10+0x7e] ;\n", ""},
        {"a half over two bytes", 1, 64, "STS.U8 [R0], R0 ;\n@P4 LDS.U16 R12, [R10+0x3e] ;\n",
         "C021"},
        {"wide and narrow", 1, 64,
         "@P4 STS.128 [R10+0x80], R4 ;\nISETP.EQ.U32.AND P5, PT, R0, 0x20, PT ;\n"
         "@P5 LDS R12, [R10+0x90] ;\n@P5 LDS R12, [R10+0x7c] ;\n",
         ""},
        {"wide over narrow", 1, 64,
         "@P4 STS.128 [R10+0x80], R4 ;\nISETP.EQ.U32.AND P5, PT, R0, 0x20, PT ;\n"
         "@P5 LDS R12, [R10+0x8c] ;\n",
         "C021"},
        {"the same value", 1, 64, "MOV R9, 0x7 ;\nSTS [R10], R9 ;\n", ""},
        {"different ones that nobody reads", 1, 64, "STS [R10], R8 ;\n", ""},
        {"different ones that somebody reads", 1, 64,
         "STS [R10], R8 ;\nBAR.SYNC 0x0 ;\n@P4 LDS R9, [R10] ;\n", "C021"},
        {"a part of which somebody reads", 1, 64,
         "STS.64 [R10+0x8], R8 ;\nBAR.SYNC 0x0 ;\n@P4 LDS.U8 R9, [R10+0x8] ;\n", "C021"},
        {"a part in which they agree", 1, 64,
         "STS.64 [R10+0x8], R8 ;\nBAR.SYNC 0x0 ;\n@P4 LDS.U8 R9, [R10+0x9] ;\n", ""},
        {"beside which somebody reads", 1, 64,
         "STS [R10], R8 ;\n@P4 STS [R10+0x4], R8 ;\nBAR.SYNC 0x0 ;\nLDS R9, [R10+0x4] ;\n", ""},
        {"different ones that are overwritten", 1, 64,
         "STS [R10], R8 ;\nBAR.SYNC 0x0 ;\n@P4 STS [R10], R6 ;\nBAR.SYNC 0x0 ;\n"
         "LDS R9, [R10] ;\n",
         ""},
        {"by the same value, once more", 1, 64,
         "STS [R10], R8 ;\nSTS [R10], R8 ;\nBAR.SYNC 0x0 ;\nLDS R9, [R10] ;\n", "C021"},
        {"and then atomically", 1, 64,
         "STS [R10], R8 ;\nBAR.SYNC 0x0 ;\nATOMS.ADD R9, [R10], R8 ;\n", "C021"},
    };
    (void)state;
    race_cases(cases, sizeof cases / sizeof *cases);
}

static void warps(void **state) {
    static const struct race_case cases[] = {
        {"in step is no order", 1, 32, STORE TO_LANE LOAD, "C020"},
        {"WARPSYNC", 1, 32, STORE TO_LANE "WARPSYNC 0xffffffff ;\n" LOAD, ""},
        {"WARPSYNC of pairs", 1, 32,
         STORE TO_LANE "LOP3.LUT R13, R7, 0x1e, RZ, 0xc0, !PT ;\nMOV R12, 0x3 ;\n"
                       "SHF.L.U32 R13, R12, R13, RZ ;\nWARPSYNC R13 ;\n" LOAD,
         ""},
        {"WARPSYNC of other pairs", 1, 32,
         STORE "LOP3.LUT R9, R6, 0x8, RZ, 0x3c, !PT ;\nLOP3.LUT R13, R7, 0x1e, RZ, 0xc0, !PT ;\n"
               "MOV R12, 0x3 ;\nSHF.L.U32 R13, R12, R13, RZ ;\nWARPSYNC R13 ;\n" LOAD,
         "C020"},
        {"a shuffle", 1, 32, STORE TO_LANE "SHFL.BFLY PT, R13, R7, 0x1, 0x1f ;\n" LOAD, ""},
        {"a vote", 1, 32, STORE TO_LANE "VOTE.ANY R13, PT, P0 ;\n" LOAD, ""},
        {"a NOP is nothing in a source", 1, 32, STORE TO_LANE "NOP ;\n" LOAD, "C020"},
        {"a fence is no wait", 1, 32, STORE TO_LANE "MEMBAR.SC.GPU ;\n" LOAD, "C020"},
        {"a block of one warp", 1, 32, STORE TO_LANE "BAR.SYNC 0x0 ;\n" LOAD, ""},
        {"the own word", 1, 32, STORE "LDS R12, [R6] ;\nSTS [R6], R12 ;\n", ""},
        {"two lanes of one instruction", 1, 32,
         "LOP3.LUT R9, R6, 0x78, RZ, 0xc0, !PT ;\nSTS [R9], R0 ;\nWARPSYNC 0xffffffff ;\n"
         "LDS R9, [R9] ;\n",
         "C020"},
        {"they store the same", 1, 32, "LOP3.LUT R9, R6, 0x78, RZ, 0xc0, !PT ;\nSTS [R9], R9 ;\n",
         ""},
        {"halves apart", 1, 32,
         "BSSY B0, out ;\n@P3 BRA low ;\nSTS [R6], R0 ;\nBRA out ;\nlow: STS [R6], R9 ;\n"
         "out: BSYNC B0 ;\n" TO_LANE LOAD "LDS R12, [R9] ;\n",
         ""},
        {"a half reads what the other writes", 1, 32,
         "LOP3.LUT R9, R6, 0x40, RZ, 0x3c, !PT ;\nBSSY B0, out ;\n@P3 BRA low ;\nSTS [R6], R0 ;\n"
         "BRA out ;\nlow: LDS R12, [R9] ;\nout: BSYNC B0 ;\n",
         "C020"},
        {"behind BSYNC", 1, 32,
         "LOP3.LUT R9, R6, 0x40, RZ, 0x3c, !PT ;\nBSSY B0, out ;\n@P3 BRA out ;\nSTS [R6], R0 ;\n"
         "out: BSYNC B0 ;\n@P3 LDS R12, [R9] ;\n",
         ""},
        {"one after the other, by hand", 1, 32,
         "LOP3.LUT R9, R6, 0x40, RZ, 0x3c, !PT ;\n@P3 BRA low ;\nSTS [R6], R0 ;\n"
         "WARPSYNC 0xffffffff ;\nBRA out ;\nlow: WARPSYNC 0xffffffff ;\nLDS R12, [R9] ;\nout: NOP "
         ";\n",
         ""},
        {"a matrix is loaded by all lanes", 1, 32,
         "IMAD R9, R0, 0x10, RZ ;\nSTS.128 [R9], R4 ;\nLDSM.16.M88.4 R12, [R9] ;\n", ""},
        {"stored over what a matrix instruction needed", 1, 32,
         "LDS R12, [R6] ;\nMOV R13, R12 ;\nIMMA.16816.U8.U8 R16, R12.ROW, R12.COL, RZ ;\n"
         "LOP3.LUT R9, R6, 0x4, RZ, 0x3c, !PT ;\nSTS [R9], R16 ;\n",
         ""},
        {"without it", 1, 32,
         "LDS R12, [R6] ;\nLOP3.LUT R9, R6, 0x4, RZ, 0x3c, !PT ;\nSTS [R9], R12 ;\n", "C020"},
        {"read what was stored before it", 1, 32,
         STORE TO_LANE "IMMA.16816.U8.U8 R16, R12.ROW, R12.COL, RZ ;\n" LOAD, "C020"},
        {"others' rows", 1, 32,
         "IMAD R9, R0, 0x10, RZ ;\nSTS.128 [R9], R4 ;\nLOP3.LUT R9, R9, 0x10, RZ, 0x3c, !PT ;\n"
         "LDSM.16.M88.4 R12, [R9] ;\n",
         "C020"},
    };
    (void)state;
    race_cases(cases, sizeof cases / sizeof *cases);
}

/* Both places, both threads, the memory, and the count. */
static void places(void **state) {
    const struct race_case c = {"places", 1, 64,
                                "@P1 STG.E [R4.64+0x80], R0 ;\n" /* 0: lanes 0-31 to x[32-63] */
                                "NANOSLEEP 0x1 ;\n@!P1 LDG.E R12, [R4.64] ;\n",
                                "C021"};
    (void)state;
    struct fh_findings *findings = race_findings(&c);
    assert_int_equal(fh_findings_count(findings), 1);
    const struct fh_finding *f = fh_findings_get(findings, 0);
    const int at = race_instruction(&f->at), other = race_instruction(&f->other);
    assert_string_equal(fh_finding_id(f->kind), "C021");
    assert_int_equal(at + other, 2); /* whichever came first */
    assert_int_equal(f->at.warp + f->other.warp, 1);
    assert_int_equal(f->at.lanes, 1);
    assert_int_equal(f->other.lanes, 1);
    assert_int_equal(f->count, 32);
    assert_true(f->has_memory);
    assert_string_equal(f->object.name, "x");
    assert_int_equal(f->object.offset, 128);
    assert_non_null(strstr(f->message, "a BAR.SYNC is missing"));
    fh_findings_free(findings);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(barriers),
        cmocka_unit_test(warps),
        cmocka_unit_test(places),
    };
    return cmocka_run_group_tests_name("race_order", tests, NULL, NULL);
}

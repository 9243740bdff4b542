/*
 * race_atomic_test.c - blocks of a launch, atomic operations with their scopes, fences, flags,
 * locks, barriers of the grid.
 */
#include "race_util.h"

static void blocks(void **state) {
    static const struct race_case cases[] = {
        {"words of their own", 3, 64, "STG.E [R4.64], R0 ;\nLDG.E R12, [R4.64] ;\n", ""},
        {"one word for all", 3, 32, "@P0 STG.E [R2.64], R1 ;\n", "C022"},
        {"read by the others", 3, 32, "@P4 STG.E [R4.64], R11 ;\n@P0 LDG.E R12, [R2.64] ;\n",
         "C022"},
        {"all read", 9, 64, "LDG.E R12, [R2.64] ;\n", ""},
        {"all read, one writes", 9, 64,
         "LDG.E R12, [R2.64] ;\nISETP.EQ.U32.AND P5, PT, R1, 0x5, P4 ;\n@P5 STG.E [R2.64], R11 ;\n",
         "C020 C021 C022"},
        {"of twelve readers one is not waited for", 1, 384,
         "LDS R12, [R10] ;\nISETP.EQ.U32.AND P5, PT, R8, 0x1, PT ;\n@P5 BRA out ;\n"
         "BAR.SYNC 0x1, 0x160 ;\n@P4 STS [R10], R11 ;\nout: NOP ;\n",
         "C021"},
        {"all twelve are", 1, 384, "LDS R12, [R10] ;\nBAR.SYNC 0x0 ;\n@P4 STS [R10], R11 ;\n", ""},
        {"forty blocks read, the last one writes", 40, 64,
         "ISETP.EQ.U32.AND P5, PT, R1, 0x27, PT ;\n@!P5 BRA read ;\n@P4 STG.E [R2.64], R11 ;\n"
         "BRA out ;\nread: LDG.E R12, [R2.64] ;\nout: NOP ;\n",
         "C022"},
        {"a counter", 3, 64, "RED.E.ADD.STRONG.GPU [R2.64+URZ], R0 ;\n", ""},
        {"a counter that is read plainly", 3, 32,
         "RED.E.ADD.STRONG.GPU [R2.64+URZ], R0 ;\n@P0 LDG.E R12, [R2.64] ;\n", "C020 C022"},
        {"read by a strong load", 3, 32,
         "RED.E.ADD.STRONG.GPU [R2.64+URZ], R0 ;\n@P0 LDG.E.STRONG.GPU R12, [R2.64] ;\n", ""},
        {"a scope of one block", 3, 32, "@P0 RED.E.ADD.STRONG.SM [R2.64+URZ], R0 ;\n", "C023"},
        {"within the block", 1, 64, "@P0 RED.E.ADD.STRONG.SM [R2.64+URZ], R0 ;\n", ""},
        {"strong stores", 3, 32, "@P0 STG.E.STRONG.SYS [R2.64], R1 ;\n", ""},
        {"a swap behind a plain read", 3, 32,
         "LDG.E R12, [R2.64] ;\nIADD3 R13, R12, 0x1, RZ ;\n"
         "ATOMG.E.CAS.STRONG.GPU PT, R14, [R2], R12, R13 ;\n",
         ""},
    };
    (void)state;
    race_cases(cases, sizeof cases / sizeof *cases);
}

/* Block 0 hands a word on: data at x + 0x200, flag at x + 0x100. */
#define WRITE "@!P2 BRA reader ;\n@P4 STG.E [R2.64+0x200], R11 ;\n"
#define SET   "@P4 STG.E.STRONG.GPU [R2.64+0x100], R11 ;\nBRA out ;\n"
#define WAIT                                                                                       \
    "reader: LDG.E.STRONG.GPU R12, [R2.64+0x100] ;\nISETP.EQ.U32.AND P5, PT, R12, RZ, PT ;\n"      \
    "@P5 BRA reader ;\n"
#define READ "@P0 LDG.E R13, [R2.64+0x200] ;\nout: NOP ;\n"

static void flags(void **state) {
    static const struct race_case cases[] = {
        {"a fence before the flag", 2, 32, WRITE "MEMBAR.SC.GPU ;\n" SET WAIT READ, ""},
        {"and one behind it", 2, 32, WRITE "MEMBAR.SC.GPU ;\n" SET WAIT "MEMBAR.SC.GPU ;\n" READ,
         ""},
        {"no fence", 2, 32, WRITE SET WAIT READ, "C022"},
        {"a fence of the block", 2, 32, WRITE "MEMBAR.SC.CTA ;\n" SET WAIT READ, "C022"},
        {"a fence before the data", 2, 32,
         "@!P2 BRA reader ;\nMEMBAR.SC.GPU ;\n@P4 STG.E [R2.64+0x200], R11 ;\n" SET WAIT READ,
         "C022"},
        {"a flag that is not strong", 2, 32,
         WRITE "MEMBAR.SC.GPU ;\n@P4 STG.E [R2.64+0x100], R11 ;\nBRA out ;\n" WAIT READ, "C022"},
        {"written by all, fenced by one behind a barrier", 2, 64,
         "@!P2 BRA reader ;\nSTG.E [R4.64+0x200], R11 ;\nBAR.SYNC 0x0 ;\nMEMBAR.SC.GPU ;\n" SET WAIT
         "LDG.E R13, [R2.64+0x2a0] ;\nout: NOP ;\n",
         ""},
        {"fenced by all before the barrier", 2, 64,
         "@!P2 BRA reader ;\nSTG.E [R4.64+0x200], R11 ;\nMEMBAR.SC.GPU ;\nBAR.SYNC 0x0 ;\n" SET WAIT
         "LDG.E R13, [R2.64+0x2a0] ;\nout: NOP ;\n",
         ""},
        {"fenced by nobody", 2, 64,
         "@!P2 BRA reader ;\nSTG.E [R4.64+0x200], R11 ;\nBAR.SYNC 0x0 ;\n" SET WAIT
         "LDG.E R13, [R2.64+0x2a0] ;\nout: NOP ;\n",
         "C022"},
        {"one lane waits, the others do not", 2, 32,
         WRITE "MEMBAR.SC.GPU ;\n" SET "reader: @!P4 BRA other ;\nspin: LDG.E.STRONG.GPU R12, "
               "[R2.64+0x100] ;\nISETP.EQ.U32.AND P5, PT, R12, RZ, PT ;\n@P5 BRA spin ;\n"
               "other: LDG.E R13, [R2.64+0x200] ;\nout: NOP ;\n",
         "C022"},
        {"they meet behind it", 2, 32,
         WRITE "MEMBAR.SC.GPU ;\n" SET "reader: @!P4 BRA other ;\nspin: LDG.E.STRONG.GPU R12, "
               "[R2.64+0x100] ;\nISETP.EQ.U32.AND P5, PT, R12, RZ, PT ;\n@P5 BRA spin ;\n"
               "other: WARPSYNC 0xffffffff ;\nLDG.E R13, [R2.64+0x200] ;\nout: NOP ;\n",
         ""},
    };
    (void)state;
    race_cases(cases, sizeof cases / sizeof *cases);
}

/* Block 0 loads words, and says so with a strong store; block 1 then overwrites them. */
static void loads_that_are_over(void **state) {
#define LOAD "@!P2 BRA writer ;\nLDG.E R12, [R4.64+0x200] ;\nSTS [R6], R12 ;\n"
#define TELL "@P4 STG.E.STRONG.GPU [R2.64+0x100], R11 ;\nBRA out ;\n"
#define AWAIT                                                                                      \
    "writer: LDG.E.STRONG.GPU R12, [R2.64+0x100] ;\n"                                              \
    "ISETP.EQ.U32.AND P5, PT, R12, RZ, PT ;\n@P5 BRA writer ;\n"
#define STORE "IADD3 R4, R4, -0x100, RZ ;\nSTG.E [R4.64+0x200], R0 ;\nout: NOP ;\n"
    static const struct race_case cases[] = {
        {"behind a barrier of those that load", 2, 64, LOAD "BAR.SYNC 0x0 ;\n" TELL AWAIT STORE,
         ""},
        {"one says so, and another one stores", 2, 64,
         LOAD "BAR.SYNC 0x0 ;\n" TELL "writer: @!P4 BRA behind ;\n"
              "spin: LDG.E.STRONG.GPU R12, [R2.64+0x100] ;\n"
              "ISETP.EQ.U32.AND P5, PT, R12, RZ, PT ;\n@P5 BRA spin ;\n"
              "behind: WARPSYNC 0xffffffff ;\nBAR.SYNC 0x0 ;\n" STORE,
         ""},
        {"without a barrier", 2, 64, LOAD TELL AWAIT STORE, "C022"},
        {"loads behind the barrier", 2, 64,
         "@!P2 BRA writer ;\nBAR.SYNC 0x0 ;\nLDG.E R12, [R4.64+0x200] ;\n" TELL AWAIT STORE,
         "C022"},
        {"by a store that is not strong", 2, 64,
         LOAD "BAR.SYNC 0x0 ;\n@P4 STG.E [R2.64+0x100], R11 ;\nBRA out ;\n" AWAIT STORE, "C022"},
        {"stores need a fence all the same", 2, 64,
         "@!P2 BRA writer ;\nSTG.E [R4.64+0x200], R11 ;\nBAR.SYNC 0x0 ;\n" TELL AWAIT STORE,
         "C022"},
    };
    (void)state;
    race_cases(cases, sizeof cases / sizeof *cases);
}

/* A warp's lanes fence what they have stored; one adds for all that a vote has counted. */
static void votes_for_all(void **state) {
    static const struct race_case cases[] = {
        {"one arrives for its warp", 1, 64,
         "STS [R6], R0 ;\nMEMBAR.SC.CTA ;\nVOTEU.ANY UR4, UPT, PT ;\nUPOPC UR4, UR4 ;\n"
         "MOV R12, UR4 ;\n@P0 ATOMS.ADD R13, [R10+0x800], R12 ;\n"
         "spin: LDS R13, [R10+0x800] ;\nISETP.NE.U32.AND P5, PT, R13, 0x40, PT ;\n@P5 BRA spin ;\n"
         "LOP3.LUT R6, R6, 0xfc, RZ, 0x3c, !PT ;\nLDS R12, [R6] ;\n",
         ""},
    };
    (void)state;
    race_cases(cases, sizeof cases / sizeof *cases);
}

/* A lock at x + 0x100, taken by one lane of each warp, around a counter at x + 0x200. */
#define TAKE                                                                                       \
    "@!P0 BRA out ;\ntake: ATOMG.E.CAS.STRONG.GPU PT, R12, [R2+0x100], R10, R11 ;\n"               \
    "ISETP.NE.U32.AND P5, PT, R12, RZ, PT ;\n@P5 BRA take ;\n"
#define COUNT "LDG.E R13, [R2.64+0x200] ;\nIADD3 R13, R13, R11, RZ ;\nSTG.E [R2.64+0x200], R13 ;\n"
#define GIVE  "ATOMG.E.EXCH.STRONG.GPU PT, R12, [R2.64+0x100+URZ], R10 ;\nout: NOP ;\n"

static void locks(void **state) {
    static const struct race_case cases[] = {
        {"a lock", 3, 64, TAKE COUNT "MEMBAR.SC.GPU ;\n" GIVE, ""},
        {"without a fence", 3, 64, TAKE COUNT GIVE, "C021 C022"},
        {"without a lock", 3, 64, "@!P0 BRA out ;\n" COUNT "out: NOP ;\n", "C021 C022"},
        {"a lock in shared memory", 1, 96,
         "@!P0 BRA out ;\ntake: ATOMS.CAS R12, [R10+0x100], R10, R11 ;\n"
         "ISETP.NE.U32.AND P5, PT, R12, RZ, PT ;\n@P5 BRA take ;\nLDS R13, [R10+0x200] ;\n"
         "IADD3 R13, R13, R11, RZ ;\nSTS [R10+0x200], R13 ;\nMEMBAR.SC.CTA ;\n"
         "ATOMS.EXCH R12, [R10+0x100], R10 ;\nout: NOP ;\n",
         ""},
        {"that is given back by a store", 1, 96,
         "@!P0 BRA out ;\ntake: ATOMS.CAS R12, [R10+0x100], R10, R11 ;\n"
         "ISETP.NE.U32.AND P5, PT, R12, RZ, PT ;\n@P5 BRA take ;\nLDS R13, [R10+0x200] ;\n"
         "IADD3 R13, R13, R11, RZ ;\nSTS [R10+0x200], R13 ;\nMEMBAR.SC.CTA ;\n"
         "STS [R10+0x100], R10 ;\nout: NOP ;\n",
         ""},
    };
    (void)state;
    race_cases(cases, sizeof cases / sizeof *cases);
}

/* Warp 0 writes a word, and a plain flag at 0x100; the others wait for it in a loop. */
static void plain_flags(void **state) {
#define FILL  "@!P1 BRA reader ;\n@P4 STS [R10], R11 ;\n"
#define RAISE "@P4 STS [R10+0x100], R11 ;\nBRA out ;\n"
#define POLL                                                                                       \
    "reader: LDS R12, [R10+0x100] ;\nISETP.EQ.U32.AND P5, PT, R12, RZ, PT ;\n@P5 BRA reader ;\n"
#define TAKEN "LDS R13, [R10] ;\nout: NOP ;\n"
    static const struct race_case cases[] = {
        {"a fence before the flag", 1, 64, FILL "MEMBAR.SC.CTA ;\n" RAISE POLL TAKEN, ""},
        {"no fence", 1, 64, FILL RAISE POLL TAKEN, "C021"},
        {"a flag that nobody waits for", 1, 64,
         FILL "MEMBAR.SC.CTA ;\n" RAISE "reader: LDS R12, [R10+0x100] ;\nout: NOP ;\n", "C021"},
        {"a search is no flag", 1, 64,
         FILL "MEMBAR.SC.CTA ;\n" RAISE
              "reader: MOV R9, 0x100 ;\nnext: LDS R12, [R9] ;\nIADD3 R9, R9, 0x4, RZ ;\n"
              "ISETP.NE.U32.AND P5, PT, R12, RZ, PT ;\n@P5 BRA next ;\nout: NOP ;\n",
         "C021"},
        {"a loop that stores", 1, 64,
         FILL "MEMBAR.SC.CTA ;\n" RAISE "reader: LDS R12, [R10+0x100] ;\nSTS [R6+0x200], R12 ;\n"
              "ISETP.EQ.U32.AND P5, PT, R12, RZ, PT ;\n@P5 BRA reader ;\nout: NOP ;\n",
         "C021"},
        {"taken back by the one that waited", 1, 64,
         FILL "MEMBAR.SC.CTA ;\n" RAISE "reader: @!P0 BRA out ;\nspin: LDS R12, [R10+0x100] ;\n"
              "ISETP.EQ.U32.AND P5, PT, R12, RZ, PT ;\n@P5 BRA spin ;\n"
              "LDS R13, [R10] ;\nSTS [R10+0x100], R10 ;\nout: NOP ;\n",
         ""},
        {"counters that are read without a barrier", 1, 64,
         "ATOMS.ADD R12, [R10], R11 ;\nLDS R13, [R10] ;\n", "C020 C021"},
        {"counters that are cleared without one", 1, 64,
         "ATOMS.ADD R12, [R10], R11 ;\n@P4 STS [R10], R10 ;\n", "C020 C021"},
        {"counters behind a barrier", 1, 64,
         "ATOMS.ADD R12, [R10], R11 ;\nBAR.SYNC 0x0 ;\nLDS R13, [R10] ;\n", ""},
    };
    (void)state;
    race_cases(cases, sizeof cases / sizeof *cases);
}

/* All blocks wait for each other: one lane of each counts, and waits until all 3 have. */
#define GRID_BARRIER                                                                               \
    "BAR.SYNC 0x0 ;\n@!P4 BRA behind ;\nMEMBAR.SC.GPU ;\n"                                         \
    "IADD3 R12, RZ, 0x1, RZ ;\nRED.E.ADD.STRONG.GPU [R2.64+URZ+0x100], R12 ;\n"                    \
    "spin: LDG.E.STRONG.GPU R12, [R2.64+0x100] ;\nISETP.NE.U32.AND P5, PT, R12, 0x3, PT ;\n"       \
    "@P5 BRA spin ;\nbehind: WARPSYNC 0xffffffff ;\nBAR.SYNC 0x0 ;\n"

static void grids(void **state) {
    static const struct race_case cases[] = {
        {"a barrier of the grid", 3, 64,
         "STG.E [R4.64+0x200], R0 ;\n" GRID_BARRIER "LDG.E R13, [R2.64+0x200] ;\n"
         "LDG.E R13, [R2.64+0x300] ;\nLDG.E R13, [R2.64+0x480] ;\n",
         ""},
        {"the next store before all have read", 3, 64,
         "STG.E [R4.64+0x200], R0 ;\n" GRID_BARRIER "LDG.E R13, [R2.64+0x200] ;\n"
         "@P2 STG.E [R4.64+0x200], R1 ;\n",
         "C020 C021 C022"},
    };
    (void)state;
    race_cases(cases, sizeof cases / sizeof *cases);
}

/* Where a value is read first that depends on the order of warps: of a load and an atomic operation
 * that of the load does, and of two atomic operations those of both. */
static void orders(void **state) {
#define LOAD_STRONG "LDG.E.STRONG.GPU R12, [R2.64] ;\n"
#define ADD_STRONG  "ATOMG.E.ADD.STRONG.GPU PT, R12, [R2.64], R11 ;\n"
#define RED_STRONG  "RED.E.ADD.STRONG.GPU [R2.64], R11 ;\n"
#define USE_IT      "STG.E [R4.64+0x100], R12 ;\n"
    static const struct {
        const char *body;
        int at; /* -1: none does */
    } cases[] = {
        {"@P0 " LOAD_STRONG "@P0 " USE_IT, -1},
        {"@P0 " RED_STRONG, -1},
        {"@P0 " ADD_STRONG "@P0 " USE_IT, 0},
        {"MOV R11, 0x1 ;\n@!P0 EXIT ;\n@P1 " LOAD_STRONG "@!P1 " ADD_STRONG USE_IT, 2},
        {"MOV R11, 0x1 ;\n@!P0 EXIT ;\n@!P1 " LOAD_STRONG "@P1 " ADD_STRONG USE_IT, 2},
        {"MOV R11, 0x1 ;\n@!P0 EXIT ;\n@P1 " LOAD_STRONG "@!P1 " RED_STRONG USE_IT, 2},
        {"MOV R11, 0x1 ;\n@!P0 EXIT ;\n@P1 " RED_STRONG "@!P1 " ADD_STRONG USE_IT, 3},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct race_case one = {"orders", 1, 64, cases[i].body, ""};
        struct fh_findings *findings = race_findings(&one);
        const struct fh_place *at = fh_findings_order(findings);
        const int is = at ? race_instruction(at) : -1;
        if (is != cases[i].at)
            print_error("%s: %d, expected %d\n", cases[i].body, is, cases[i].at);
        assert_int_equal(is, cases[i].at);
        fh_findings_free(findings);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blocks),
        cmocka_unit_test(flags),
        cmocka_unit_test(loads_that_are_over),
        cmocka_unit_test(votes_for_all),
        cmocka_unit_test(locks),
        cmocka_unit_test(plain_flags),
        cmocka_unit_test(grids),
        cmocka_unit_test(orders),
    };
    return cmocka_run_group_tests_name("race_atomic", tests, NULL, NULL);
}

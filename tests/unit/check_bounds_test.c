/*
 * check_bounds_test.c - what is said of addresses that leave what they are counted from, and of
 * allocations that nobody uses, to the word.
 */
#include "finding_text.h"

/* R0 is the lane, R6 four times the lane, R2:R3 the address of that byte of a, R4:R5 of b, which is
 * 0x1000100 bytes behind a. */
static const char head[] = ".target sm_80\n.kernel k\n.param a, 8\n.param b, 8\n"
                           ".shared first, 112\n.shared second, 128\n.shared third, 64\n"
                           ".shared apart, 16, 512\n"
                           "S2R R0, SR_LANEID ;\nMOV R1, 0x4 ;\n"
                           "IMAD.WIDE.U32 R2, R0, R1, a ;\nIMAD.WIDE.U32 R4, R0, R1, b ;\n"
                           "SHF.L.U32 R6, R0, 0x2, RZ ;\n"; /* 0x50 */
static const char tail[] = "EXIT ;\n.end\n";

#define FROM(lane, name, bytes, space)                                                             \
    ": the address of lane " lane " is counted from " name " (" bytes " bytes of " space           \
    " memory) and is "

static void test_shared(void **unused) {
    (void)unused;
    static const struct finding_case cases[] = {
        {"STS [R6+first], R0 ;\n", "", 28},
        {"STS [R6+first], R0 ;\n",
         "C050 at 0x50, lanes 0x10000000, once" FROM(
             "28", "first", "112", "shared") "0 bytes past its end, in second; expected it to stay "
                                             "in first; shared second+0\n",
         29},
        {"STS [R6+first], R0 ;\n",
         "C050 at 0x50, lanes 0xf0000000, once" FROM(
             "28", "first", "112", "shared") "0 bytes past its end, in second; expected it to stay "
                                             "in first; shared second+0\n",
         0},
        {"LDS R8, [R6+first+8] ;\n",
         "C050 at 0x50, lanes 0xfc000000, once" FROM(
             "26", "first", "112", "shared") "0 bytes past its end, in second; expected it to stay "
                                             "in first; shared second+0\n",
         0},
        {"LDS R8, [R6+second] ;\n", "", 0},
        {"LDS R8, [R6+second+-0x4] ;\n",
         "C050 at 0x50, lanes 0x1, once" FROM(
             "0", "second", "128", "shared") "4 bytes before its beginning, in first; expected it "
                                             "to stay in second; shared first+108\n",
         0},
        {"LDS R8, [R6+second+-0xc] ;\n",
         "C050 at 0x50, lanes 0x7, once" FROM(
             "0", "second", "128", "shared") "12 bytes before its beginning, in first; expected it "
                                             "to stay in second; shared first+100\n",
         0},
        {"LDS R8, [R6+third] ;\n",
         "C051 at 0x50, lanes 0xffff0000, once" FROM(
             "16", "third", "64", "shared") "0 bytes past its end, in no variable; expected it to "
                                            "stay in third; shared\n",
         0},
        {"MOV R8, third ;\nIADD3 R8, R8, R6, RZ ;\nLDS R8, [R8] ;\nLDS R9, [R6+third+4] ;\n",
         "C051 at 0x70, lanes 0xffff0000, once" FROM(
             "16", "third", "64", "shared") "0 bytes past its end, in no variable; expected it to "
                                            "stay in third; shared\n"
                                            "C051 at 0x80, lanes 0xffff8000, once" FROM(
                                                "15", "third", "64",
                                                "shared") "0 bytes past its end, in no variable; "
                                                          "expected it to stay in third; shared\n",
         0},
        /* 8 bytes at 8 times the lane; 16 at 4 times 16 from 104 on. */
        {"IADD3 R7, R6, R6, RZ ;\nLDS.64 R8, [R7+first] ;\n", "", 14},
        {"IADD3 R7, R6, R6, RZ ;\nLDS.64 R8, [R7+first] ;\n",
         "C050 at 0x60, lanes 0x4000, once" FROM(
             "14", "first", "112", "shared") "0 bytes past its end, in second; expected it to stay "
                                             "in first; shared second+0\n",
         15},
        {"IADD3 R7, R6, R6, RZ ;\nMOV R8, apart ;\nIADD3 R7, R7, R8, RZ ;\nLDS.64 R8, [R7+-0x8] "
         ";\n",
         "C051 at 0x80, lanes 0x1, once" FROM(
             "0", "apart", "16", "shared") "8 bytes before its beginning, in no variable; expected "
                                           "it to stay in apart; shared\n",
         3},
        /* Lanes without the guard do not count. */
        {"ISETP.LT.U32.AND P0, PT, R0, 0x1c, PT ;\n@P0 STS [R6+first], R0 ;\n", "", 0},
        {"ISETP.LT.U32.AND P0, PT, R0, 0x1e, PT ;\n@P0 STS [R6+first], R0 ;\n",
         "C050 at 0x60, lanes 0x30000000, once" FROM(
             "28", "first", "112", "shared") "0 bytes past its end, in second; expected it to stay "
                                             "in first; shared second+0\n",
         0},
        {"ATOMS.ADD RZ, [R6+first], R0 ;\n",
         "C050 at 0x50, lanes 0xf0000000, once" FROM(
             "28", "first", "112", "shared") "0 bytes past its end, in second; expected it to stay "
                                             "in first; shared second+0\n",
         0},
        /* Lanes of two variables, 16 each; at the end, in the next one. */
        {"MOV R8, first ;\nMOV R9, second ;\nIADD3 R8, R8, R6, RZ ;\nIADD3 R9, R9, R6, RZ ;\n"
         "ISETP.LT.U32.AND P0, PT, R0, 0x10, PT ;\nSEL R8, R8, R9, P0 ;\nLDS R9, [R8] ;\n",
         "", 0},
        {"MOV R8, first ;\nMOV R9, second ;\nIADD3 R8, R8, R6, RZ ;\nIADD3 R9, R9, R6, RZ ;\n"
         "ISETP.LT.U32.AND P0, PT, R0, 0x10, PT ;\n@!P0 MOV R8, R9 ;\nLDS R9, [R8] ;\n"
         "LDS R10, [R8+0x40] ;\n",
         "C050 at 0xc0, lanes 0xf000, twice" FROM(
             "12", "first", "112", "shared") "0 bytes past its end, in second; expected it to stay "
                                             "in first; shared second+0\n",
         0},
        {"MOV R31, RZ ;\nagain:\nSTS [R6+first], R0 ;\nIADD3 R31, R31, 0x1, RZ ;\n"
         "ISETP.LT.U32.AND P3, PT, R31, 0x3, PT ;\n@P3 BRA again ;\n",
         "C050 at 0x60, lanes 0xf0000000, 3 times" FROM(
             "28", "first", "112", "shared") "0 bytes past its end, in second; expected it to stay "
                                             "in first; shared second+0\n",
         0},
        /* What is nobody's. */
        {"MOV R8, first ;\nIMAD R8, R8, 0x1, R6 ;\nLDS R9, [R8] ;\n",
         "C050 at 0x70, lanes 0xf0000000, once" FROM(
             "28", "first", "112", "shared") "0 bytes past its end, in second; expected it to stay "
                                             "in first; shared second+0\n",
         0},
        {"MOV R8, first ;\nMOV R9, second ;\nIADD3 R8, R8, R9, RZ ;\nIADD3 R8, R8, R6, RZ ;\n"
         "LDS R9, [R8] ;\n",
         "", 0},
        {"LDS R9, [R6] ;\n", "", 0},
    };
    finding_cases(head, tail, FH_CHECK_BIT(FH_CHECK_BOUNDS), cases, COUNT_OF(cases));
}

static void test_global(void **unused) {
    (void)unused;
    static const struct finding_case cases[] = {
        {"LDG.E R8, [R2.64] ;\nLDG.E R8, [R2.64+0x80] ;\nSTG.E [R4.64], R8 ;\n", "", 0},
        {"IADD3 R2, P0, R2, 0x1000100, RZ ;\nIADD3.X R3, R3, RZ, RZ, P0, !PT ;\n"
         "LDG.E R8, [R2.64] ;\n",
         "C050 at 0x70, lanes 0xffffffff, once" FROM(
             "0", "a", "256",
             "global") "16777216 bytes past its end, in b; expected it to stay in a; global b+0\n",
         0},
        {"IADD3 R4, P0, R4, -0x1000100, RZ ;\nIADD3.X R5, R5, -1, RZ, P0, !PT ;\n"
         "LDG.E R8, [R4.64+0x10] ;\n",
         "C050 at 0x70, lanes 0xffffffff, once" FROM(
             "0", "b", "128", "global") "16777456 bytes before its beginning, in a; expected it to "
                                        "stay in b; global a+16\n",
         0},
        /* Lane 5 alone, and then others. */
        {"ISETP.EQ.U32.AND P1, PT, R0, 0x5, PT ;\n@P1 IADD3 R2, P0, R2, 0x1000100, RZ ;\n"
         "STG.E [R2.64], R0 ;\n",
         "C050 at 0x70, lanes 0x20, once" FROM(
             "5", "a", "256",
             "global") "16777236 bytes past its end, in b; expected it to stay in a; global b+20\n",
         0},
        /* LDGSTS: to shared memory, from global memory. */
        {"LDGSTS.E [R6+second], [R2.64] ;\n", "", 0},
        {"LDGSTS.E [R6+first], [R2.64] ;\n",
         "C050 at 0x50, lanes 0xf0000000, once" FROM(
             "28", "first", "112", "shared") "0 bytes past its end, in second; expected it to stay "
                                             "in first; shared second+0\n",
         0},
        {"IADD3 R2, P0, R2, 0x1000100, RZ ;\nIADD3.X R3, R3, RZ, RZ, P0, !PT ;\n"
         "LDGSTS.E [R6+second], [R2.64] ;\n",
         "C050 at 0x70, lanes 0xffffffff, once" FROM(
             "0", "a", "256",
             "global") "16777216 bytes past its end, in b; expected it to stay in a; global b+0\n",
         0},
        /* The address of b out of memory, where the kernel has put it. */
        {"SHF.L.U32 R7, R0, 0x3, RZ ;\nSTS.64 [R7], R4 ;\nLDS.64 R10, [R7] ;\n"
         "IADD3 R10, P0, R10, -0x1000100, RZ ;\nIADD3.X R11, R11, -1, RZ, P0, !PT ;\n"
         "LDG.E R8, [R10.64] ;\n",
         "C050 at 0xa0, lanes 0xffffffff, once" FROM(
             "0", "b", "128", "global") "16777472 bytes before its beginning, in a; expected it to "
                                        "stay in b; global a+0\n",
         0},
        {"SHF.L.U32 R7, R0, 0x3, RZ ;\nSTG.E [R4.64], R2 ;\nIADD3 R9, R2, 0x40, RZ ;\n"
         "LDG.E R8, [R2.64] ;\n",
         "", 0},
        /* What was an address in one load says nothing of the next one. */
        {"MOV R8, b ;\nMOV R9, b + 4 ;\nMOV R10, a ;\nMOV R11, a + 4 ;\nSTG.E.64 [R8.64], R10 ;\n"
         "LDG.E.64 R12, [R8.64] ;\nLDG.E R14, [R8.64+0x10] ;\nIADD3 R4, P0, R4, R14, RZ ;\n"
         "IADD3.X R5, R5, RZ, RZ, P0, !PT ;\nIADD3 R4, P0, R4, -0x1000100, RZ ;\n"
         "IADD3.X R5, R5, -1, RZ, P0, !PT ;\nLDG.E R15, [R4.64] ;\n",
         "C050 at 0x100, lanes 0xffffffff, once" FROM(
             "0", "b", "128", "global") "16777472 bytes before its beginning, in a; expected it to "
                                        "stay in b; global a+0\n",
         0},
        /* Nor in another lane: lane 0 loads the address of a again, the others a 0. */
        {"MOV R8, b ;\nMOV R9, b + 4 ;\nMOV R10, a ;\nMOV R11, a + 4 ;\nSTG.E.64 [R8.64], R10 ;\n"
         "LDG.E.64 R12, [R8.64] ;\nISETP.NE.U32.AND P1, PT, R0, RZ, PT ;\n"
         "@P1 IADD3 R8, R8, 0x8, RZ ;\nLDG.E.64 R14, [R8.64] ;\nIADD3 R4, P0, R4, R14, RZ ;\n"
         "IADD3.X R5, R5, R15, RZ, P0, !PT ;\nIADD3 R4, P0, R4, -0x1000100, RZ ;\n"
         "IADD3.X R5, R5, -1, RZ, P0, !PT ;\n@P1 LDG.E R17, [R4.64] ;\n",
         "C050 at 0x120, lanes 0xfffffffe, once" FROM(
             "1", "b", "128", "global") "16777468 bytes before its beginning, in a; expected it to "
                                        "stay in b; global a+4\n",
         0},
        /* A table in global memory: the address of a at the beginning of b, read by all lanes. */
        {"MOV R8, b ;\nMOV R9, b + 4 ;\nMOV R10, a ;\nMOV R11, a + 4 ;\nSTG.E.64 [R8.64], R10 ;\n"
         "LDG.E.64 R12, [R8.64] ;\nLDG.E R14, [R12.64+0xfc] ;\n"
         "IADD3 R12, P0, R12, 0x1000100, RZ ;\nIADD3.X R13, R13, RZ, RZ, P0, !PT ;\n"
         "LDG.E R14, [R12.64+0x4] ;\n",
         "C050 at 0xe0, lanes 0xffffffff, once" FROM(
             "0", "a", "256",
             "global") "16777220 bytes past its end, in b; expected it to stay in a; global b+4\n",
         0},
    };
    finding_cases(head, tail, FH_CHECK_BIT(FH_CHECK_BOUNDS), cases, COUNT_OF(cases));
}

/* Variables of a constant bank: `few` has 112 bytes, `more` 128 behind it. */
static void test_constants(void **unused) {
    (void)unused;
    static const char constants[] = ".target sm_80\n.section .nv.constant3\nfew:\n.size few, 112\n"
                                    ".zero 112\nmore:\n.size more, 128\n.zero 128\n"
                                    ".kernel k\n.param a, 8\n.param b, 8\n"
                                    "S2R R0, SR_LANEID ;\nSHF.L.U32 R6, R0, 0x2, RZ ;\n";
    static const struct finding_case cases[] = {
        {"LDC R8, c[0x3][R6] ;\n", "", 28},
        {"LDC R8, c[0x3][R6] ;\n",
         "C050 at 0x20, lanes 0x10000000, once" FROM(
             "28", "few", "112", "constant") "0 bytes past its end, in more; expected it to stay "
                                             "in few; constant more+0\n",
         29},
        {"LDC R8, c[0x3][R6+0x10] ;\n",
         "C050 at 0x20, lanes 0xff000000, once" FROM(
             "24", "few", "112", "constant") "0 bytes past its end, in more; expected it to stay "
                                             "in few; constant more+0\n",
         0},
        {"LDC R8, c[0x3][R6+0x70] ;\n", "", 0},
        {"SHF.L.U32 R7, R0, 0x3, RZ ;\nLDC.64 R8, c[0x3][R7] ;\n", "", 14},
        {"SHF.L.U32 R7, R0, 0x3, RZ ;\nLDC.64 R8, c[0x3][R7] ;\n",
         "C050 at 0x30, lanes 0x1c000, once" FROM(
             "14", "few", "112", "constant") "0 bytes past its end, in more; expected it to stay "
                                             "in few; constant more+0\n",
         17},
        /* With a number in the index it may be counted from another one. */
        {"IADD3 R7, R6, 0x40, RZ ;\nLDC R8, c[0x3][R7] ;\n", "", 0},
        {"LDC R8, c[0x0][R6+0x160] ;\n", "", 4},
        /* By its address in global memory it is not looked at. */
        {"MOV R2, 32@lo(few) ;\nMOV R3, 32@hi(few) ;\nIADD3 R2, P0, R2, R6, RZ ;\n"
         "IADD3.X R3, R3, RZ, RZ, P0, !PT ;\nLDG.E R8, [R2.64] ;\n",
         "", 0},
    };
    finding_cases(constants, tail, FH_CHECK_BIT(FH_CHECK_BOUNDS), cases, COUNT_OF(cases));
}

/* ---------------------------------------------------------------- leaks */

#define NEITHER(id, at, what, name, bytes)                                                         \
    id " at " at ", lanes 0x0, once: neither a kernel nor the host " what " " name                 \
       ", an allocation of " bytes " bytes; global " name "+0\n"
#define KEPT_A NEITHER("C092", "0x1", "releases", "a", "256")
#define KEPT_B NEITHER("C092", "0x2", "releases", "b", "128")

/* The host writes a and releases neither. */
static void test_leaks(void **unused) {
    (void)unused;
    static const struct finding_case cases[] = {
        {"",
         NEITHER("C090", "0x1", "reads", "a", "256")
             KEPT_A NEITHER("C090", "0x2", "reads", "b", "128")
                 NEITHER("C091", "0x2", "writes", "b", "128") KEPT_B,
         0},
        {"LDG.E R8, [R2.64] ;\n",
         KEPT_A NEITHER("C090", "0x2", "reads", "b", "128")
             NEITHER("C091", "0x2", "writes", "b", "128") KEPT_B,
         0},
        {"LDG.E R8, [R2.64] ;\nSTG.E [R4.64], R8 ;\n",
         KEPT_A NEITHER("C090", "0x2", "reads", "b", "128") KEPT_B, 0},
        {"LDG.E R8, [R4.64] ;\nSTG.E [R2.64], R8 ;\n",
         NEITHER("C090", "0x1", "reads", "a", "256")
             KEPT_A NEITHER("C091", "0x2", "writes", "b", "128") KEPT_B,
         0},
        {"LDG.E R8, [R2.64] ;\nATOMG.E.ADD PT, R8, [R4.64], R8 ;\n", KEPT_A KEPT_B, 0},
        {"LDG.E R8, [R2.64] ;\nSTS [R6], R8 ;\n@!PT STG.E [R4.64], R8 ;\n",
         KEPT_A NEITHER("C090", "0x2", "reads", "b", "128")
             NEITHER("C091", "0x2", "writes", "b", "128") KEPT_B,
         0},
    };
    finding_cases(head, tail, FH_CHECK_BIT(FH_CHECK_LEAKS), cases, COUNT_OF(cases));
    /* A launch that ends with a fault says nothing of what it might have done. */
    const struct finding_run run = {.source = ".target sm_80\n.kernel k\n.param a, 8\n.param b, "
                                              "8\nLDG.E R8, [RZ.U32] ;\nEXIT ;\n.end\n",
                                    .checkers = FH_CHECK_BIT(FH_CHECK_LEAKS),
                                    .blocks = 1,
                                    .threads = 32,
                                    .faults = true};
    char *found = finding_text(&run);
    assert_string_equal(found, "");
    free(found);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_shared),
        cmocka_unit_test(test_global),
        cmocka_unit_test(test_constants),
        cmocka_unit_test(test_leaks),
    };
    return cmocka_run_group_tests_name("check_bounds", tests, NULL, NULL);
}

/*
 * check_expected_test.c - what is said of .expect and of value contracts, to the word: elements and
 * lanes, what is there instead, who wrote it, and the lines that computed a value.
 */
#include "finding_text.h"

/* R0 is the lane, R2:R3 the address of word `lane` of a, which is the lane, in R8. P1 holds in lane
 * 3, P2 in lanes 4 to 31. */
static const char head[] = ".target sm_80, gme\n.kernel k\n.param a, 8\n.param b, 8\n" /* 4 lines */
                           ".shared s, 512\n.local 64\n"
                           "S2R R0, SR_LANEID ;\n"
                           "MOV R1, 0x4 ;\n"
                           "IMAD.WIDE.U32 R2, R0, R1, a ;\n"
                           "LDG.E R8, [R2.64] ;\n" /* 0x30 */
                           "ISETP.EQ.U32.AND P1, PT, R0, 0x3, PT ;\n"
                           "ISETP.GE.U32.AND P2, PT, R0, 0x4, PT ;\n"
                           "SHF.L.U32 R7, R0, 0x2, RZ ;\n"; /* 0x70, line 14 */
static const char tail[] = "EXIT ;\n.end\n";
#define ALL "lanes 0xffffffff, once: "

static void test_registers(void **unused) {
    (void)unused;
    static const struct finding_case cases[] = {
        {".expect R8 = lane\nNOP ;\n", "", 0},
        {".expect R8 = lane + 1\nNOP ;\n",
         "C084 at 0x70, " ALL
         "R8 of lane 0 is expected to be 1, and is 0; so are 32 of 32 elements "
         "(.expect R8 = lane + 1); 0x30 wrote the register\n",
         0},
        {".expect R8 = lane + 1\nNOP ;\n",
         "C084 at 0x70, lanes 0x3ff, once: R8 of lane 0 is expected to be 1, and is 0; so are 10 "
         "of "
         "10 elements (.expect R8 = lane + 1); 0x30 wrote the register\n",
         10},
        {".expect R8 < 31\nNOP ;\n",
         "C084 at 0x70, lanes 0x80000000, once: R8 of lane 31 is expected to be below 31, and is "
         "31 "
         "(.expect R8 < 31); 0x30 wrote the register\n",
         0},
        {".expect R8 < 32\nNOP ;\n", "", 0},
        {".expect R8 <= 31\nNOP ;\n", "", 0},
        {".expect R8 <= 29\nNOP ;\n",
         "C084 at 0x70, lanes 0xc0000000, once: R8 of lane 30 is expected to be at most 29, and is "
         "30; so are 2 of 32 elements (.expect R8 <= 29); 0x30 wrote the register\n",
         0},
        {".expect R8 = a[lane]\nNOP ;\n", "", 0},
        {".expect R8 = a[lane + 1]\nNOP ;\n",
         "C084 at 0x70, " ALL "R8 of lane 0 is expected to be a[1], and is a[0]; so are 32 of 32 "
         "elements (.expect R8 = a[lane + 1]); 0x30 wrote the register\n",
         0},
        {".expect R8 = b[lane]\nNOP ;\n",
         "C084 at 0x70, " ALL "R8 of lane 0 is expected to be b[0], and is a[0]; so are 32 of 32 "
         "elements (.expect R8 = b[lane]); 0x30 wrote the register\n",
         0},
        {".expect R8 = a[lane]\n@P1 NOP ;\n", "", 0},
        {"@P1 MOV R8, 0x5 ;\n.expect R8 = a[lane]\nNOP ;\n",
         "C084 at 0x80, lanes 0x8, once: R8 of lane 3 is expected to be a[3], and is a number "
         "(.expect R8 = a[lane]); 0x70 wrote the register\n",
         0},
        {".expect R8 = 0\n@P1 NOP ;\n",
         "C084 at 0x70, lanes 0x8, once: R8 of lane 3 is expected to be 0, and is 3 (.expect R8 = "
         "0); 0x30 wrote the register\n",
         0},
        {".expect R8 = 0\n@P2 NOP ;\n",
         "C084 at 0x70, lanes 0xfffffff0, once: R8 of lane 4 is expected to be 0, and is 4; so are "
         "28 of 28 elements (.expect R8 = 0); 0x30 wrote the register\n",
         0},
        {".expect R8 = 0\n@!PT NOP ;\n", "", 0},
        {"MOV R9, -1 ;\n.expect R9 = -1\nNOP ;\n.expect R9 = 0xffffffff\nNOP ;\n", "", 0},
        {"MOV R9, 0x5 ;\n.expect R9 = -1\nNOP ;\n",
         "C084 at 0x80, " ALL
         "R9 of lane 0 is expected to be -1, and is 5; so are 32 of 32 elements "
         "(.expect R9 = -1); 0x70 wrote the register\n",
         0},
        {"MOV R9, 0x80000000 ;\n.expect R9 = -2147483648\nNOP ;\n", "", 0},
        {"MOV R9, 0x7fffffff ;\n.expect R9 = -2147483649\nNOP ;\n",
         "C084 at 0x80, " ALL
         "R9 of lane 0 is expected to be -2147483649, and is 2147483647; so are "
         "32 of 32 elements (.expect R9 = -2147483649); 0x70 wrote the register\n",
         0},
        {"UMOV UR4, 0x7 ;\n.expect UR4 = 7\nNOP ;\n.expect UR4 = 8\nNOP ;\n",
         "C084 at 0x90, lanes 0x1, once: UR4 is expected to be 8, and is 7 (.expect UR4 = 8)\n", 0},
        {".expect R8 = 5 / (lane - lane)\nNOP ;\n",
         "C084 at 0x70, " ALL
         "R8 of lane 0 is expected to be what has no value, and is 0; so are 32 "
         "of 32 elements (.expect R8 = 5 / (lane - lane)); 0x30 wrote the register\n",
         0},
        /* Twice of two instructions, and several of one. */
        {".expect R8 = 9\n.expect R0 = lane\n.expect R7 = 4 * lane\nNOP ;\n.expect R7 = 1\nNOP ;\n",
         "C084 at 0x70, lanes 0xfffffdff, once: R8 of lane 0 is expected to be 9, and is 0; so are "
         "31 of 32 elements "
         "(.expect R8 = 9); 0x30 wrote the register\n"
         "C084 at 0x80, " ALL
         "R7 of lane 0 is expected to be 1, and is 0; so are 32 of 32 elements "
         "(.expect R7 = 1); 0x60 wrote the register\n",
         0},
    };
    finding_cases(head, tail, FH_CHECK_BIT(FH_CHECK_FRAGMENTS), cases, COUNT_OF(cases));
}

/* Operands by their names; results behind the instruction. */
static void test_operands(void **unused) {
    (void)unused;
    static const struct finding_case cases[] = {
        {".expect A = lane\n.expect B = 1\n.expect D = lane + 1\nIADD3 R9, R8, 0x1, RZ ;\n", "", 0},
        {".expect D = lane\nIADD3 R9, R8, 0x1, RZ ;\n",
         "C084 at 0x70, " ALL
         "R9 of lane 0 is expected to be 0, and is 1; so are 32 of 32 elements "
         "(.expect D = lane)\n",
         0},
        {".expect A = 3\nIADD3 R9, R8, 0x1, RZ ;\n",
         "C084 at 0x70, lanes 0xfffffff7, once: R8 of lane 0 is expected to be 3, and is 0; so are "
         "31 of 32 elements (.expect A = 3); 0x30 wrote the register\n",
         0},
        {".expect data = a[lane]\nSTS [R7], R8 ;\n", "", 0},
        {".expect data = a[31 - lane]\nSTS [R7], R8 ;\n",
         "C084 at 0x70, " ALL "R8 of lane 0 is expected to be a[31], and is a[0]; so are 32 of 32 "
         "elements (.expect data = a[31 - lane]); 0x30 wrote the register\n",
         0},
        /* Through shared and local memory; what is computed has its place there. */
        {"STS [R7], R8 ;\nLDS R9, [R7] ;\n.expect R9 = a[lane]\nNOP ;\n", "", 0},
        {"IADD3 R10, R8, 0x1, RZ ;\nSTS [R7+0x10], R10 ;\nLDS R9, [R7+0x10] ;\n"
         ".expect R9 = shared[lane + 4]\nNOP ;\n.expect R9 = shared[lane]\nNOP ;\n",
         "C084 at 0xb0, " ALL
         "R9 of lane 0 is expected to be shared[0], and is shared[4]; so are 32 "
         "of 32 elements (.expect R9 = shared[lane]); 0x90 wrote the register\n",
         0},
        {"IADD3 R10, R8, 0x1, RZ ;\nSTL [0x8], R10 ;\nLDL R9, [0x8] ;\n.expect R9 = local[2]\nNOP "
         ";\n"
         ".expect R9 = shared[2]\nNOP ;\n",
         "C084 at 0xb0, " ALL
         "R9 of lane 0 is expected to be shared[2], and is local[2]; so are 32 "
         "of 32 elements (.expect R9 = shared[2]); 0x90 wrote the register\n",
         0},
        {"PRMT R9, R8, 0x0123, RZ ;\n.expect R9 = a[lane]\nNOP ;\n",
         "C084 at 0x80, " ALL
         "R9 of lane 0 is expected to be a[0], and is of several places; so are "
         "32 of 32 elements (.expect R9 = a[lane]); 0x70 wrote the register\n",
         0},
        {"IADD3 R9, R8, R8, RZ ;\n.expect R9 = a[lane]\nNOP ;\n",
         "C084 at 0x80, " ALL
         "R9 of lane 0 is expected to be a[0], and is computed at 0x70; so are "
         "32 of 32 elements (.expect R9 = a[lane]); 0x70 wrote the register\n",
         0},
        /* The modulus of the instruction. */
        {"MOV R10, 97 ;\n.expect A < q\n.expect B < 2 * q\nMODADD.U32 R9, R8, R7, R10 ;\n", "", 0},
        {"MOV R10, 97 ;\n.expect B < q\nMODADD.U32 R9, R8, R7, R10 ;\n",
         "C084 at 0x80, lanes 0xfe000000, once: R7 of lane 25 is expected to be below 97, and is "
         "100; so are 7 of 32 elements (.expect B < q); 0x60 wrote the register\n",
         0},
    };
    finding_cases(head, tail, FH_CHECK_BIT(FH_CHECK_FRAGMENTS), cases, COUNT_OF(cases));
}

/* ---------------------------------------------------------------- what computed it */

#define SAID "0 is expected to be 1 in lane 0 and 31 of 31 others (.ensure "

/* Lines count from 1; the head has 14. */
static void test_computed(void **unused) {
    (void)unused;
    static const struct finding_case cases[] = {
        {"MOV R10, RZ ;\n.ensure R10 + 0 = 1\n", "C085 at 0x70, " ALL SAID "R10 + 0 = 1); by 14\n",
         0},
        {"MOV R10, RZ ;\nMOV R11, R10 ;\nMOV R12, R11 ;\nMOV R13, 0x3 ;\n"
         "IADD3 R12, R12, R11, RZ ;\n.ensure R12 + 0 = 1\n",
         "C085 at 0xb0, " ALL SAID "R12 + 0 = 1); by 14 15 16 18\n", 0},
        /* What is written again without a guard ends the need for it. */
        {"MOV R12, 0x7 ;\nMOV R12, RZ ;\n.ensure R12 + 0 = 1\n",
         "C085 at 0x80, " ALL SAID "R12 + 0 = 1); by 15\n", 0},
        {"MOV R12, RZ ;\n@P1 MOV R12, RZ ;\n.ensure R12 + 0 = 1\n",
         "C085 at 0x80, " ALL SAID "R12 + 0 = 1); by 7 11 14 15\n", 0},
        /* Behind the last .let that it names; inputs are not followed. */
        {"MOV R10, 0x1 ;\n.let x = R10\nMOV R11, RZ ;\nIADD3 R12, R11, RZ, RZ ;\n"
         ".ensure R12 + 0 = x\n",
         "C085 at 0x90, " ALL SAID "R12 + 0 = x); by 16 17\n", 0},
        {"MOV R10, 0x1 ;\nMOV R11, RZ ;\nIADD3 R12, R11, R10, -R10 ;\n.ensure R12 + 0 = R10\n",
         "C085 at 0x90, " ALL SAID "R12 + 0 = R10); by 15 16\n", 0},
        /* Uniform registers and predicates. */
        {"UMOV UR4, 0x0 ;\nUMOV UR5, UR4 ;\n.ensure UR5 + 0 = 1\n",
         "C085 at 0x80, " ALL SAID "UR5 + 0 = 1); by 14 15\n", 0},
        {"ISETP.NE.U32.AND P3, PT, R0, R0, PT ;\nNOP ;\n.ensure P3 + 0 = 1\n",
         "C085 at 0x80, " ALL SAID "P3 + 0 = 1); by 7 14\n", 0},
        /* A pair; several instructions of one line are one. */
        {"MOV R10, RZ ;  MOV R11, RZ ;\nNOP ;\n.ensure u64(R10) + 0 = 1\n",
         "C085 at 0x90, " ALL SAID "u64(R10) + 0 = 1); by 14\n", 0},
        /* Nothing of it is written behind the .let: all lines in between. */
        {"MOV R10, RZ ;\n.let x = R10\nMOV R11, 0x5 ;\nNOP ;\nMOV R12, 0x5 ;\n.ensure R10 + x = "
         "1\n",
         "C085 at 0xa0, " ALL SAID "R10 + x = 1); by 16 17 18\n", 0},
        /* The last eight lines. */
        {"MOV R10, RZ ;\nIADD3 R10, R10, RZ, RZ ;\nIADD3 R10, R10, RZ, RZ ;\nIADD3 R10, R10, RZ, "
         "RZ ;\n"
         "IADD3 R10, R10, RZ, RZ ;\nIADD3 R10, R10, RZ, RZ ;\nIADD3 R10, R10, RZ, RZ ;\n"
         "IADD3 R10, R10, RZ, RZ ;\nIADD3 R10, R10, RZ, RZ ;\n.ensure R10 + 0 = 1\n",
         "C085 at 0xf0, " ALL SAID "R10 + 0 = 1); by 15 16 17 18 19 20 21 22\n", 0},
        /* .expect: what stands before the instruction. */
        {"MOV R10, RZ ;\n.expect R10 + 0 = 1\nMOV R10, 0x1 ;\n",
         "C085 at 0x80, " ALL
         "0 is expected to be 1 in lane 0 and 31 of 31 others (.expect R10 + 0 "
         "= 1); by 14\n",
         0},
    };
    finding_cases(head, tail, FH_CHECK_BIT(FH_CHECK_FRAGMENTS), cases, COUNT_OF(cases));
}

/* ---------------------------------------------------------------- which warps */

/* All warps of a launch of 16, else the first two that come and one of 64. */
static void test_warps(void **unused) {
    (void)unused;
    static const char source[] = ".target sm_80\n.kernel k\n.param a, 8\n.param b, 8\n"
                                 "MOV R10, RZ ;\n.ensure R10 + 0 = 1\nEXIT ;\n.end\n";
    static const struct {
        uint32_t blocks, threads, times;
    } cases[] = {
        {1, 32, 1},   {1, 33, 2},   {1, 512, 16}, {1, 513, 2},  {16, 32, 16},
        {17, 32, 2},  {8, 64, 16},  {9, 64, 2},   {64, 32, 2},  {65, 32, 3},
        {128, 32, 3}, {129, 32, 4}, {32, 128, 3}, {4, 1024, 3},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        const struct finding_run run = {.source = source,
                                        .checkers = FH_CHECK_BIT(FH_CHECK_FRAGMENTS),
                                        .blocks = cases[i].blocks,
                                        .threads = cases[i].threads};
        char *found = finding_text(&run), wanted[40];
        snprintf(wanted, sizeof wanted, ", %u times: ", cases[i].times);
        const char *times = cases[i].times == 1   ? ", once: "
                            : cases[i].times == 2 ? ", twice: "
                                                  : wanted;
        if (!strstr(found, times))
            fail_msg("%u blocks of %u: %s", cases[i].blocks, cases[i].threads, found);
        free(found);
    }
}

/* A of FHEC.16816 in R16 to R23, through shared memory, in four turns: what was in order once has
 * to be so in each, in all registers. */
static void test_turns(void **unused) {
    (void)unused;
    static const char turns[] =
        ".target sm_80, fhec\n.kernel k\n.param a, 8\n.param b, 8\n.shared s, 1024\n"
        ".reg A[0:7] = R16\n.reg X[0:7] = R8\n"
        "S2R R0, SR_LANEID ;\nSHF.R.U32.HI R4, RZ, 0x2, R0 ;\n"
        "LOP3.LUT R5, R0, 0x3, RZ, 0xc0, !PT ;\nLEA R4, R4, R5, 0x4 ;\n" /* 16 g + t */
        "LEA R4, R4, RZ, 0x2 ;\nMOV R30, RZ ;\n"
        "ISETP.EQ.U32.AND P1, PT, R0, 0x3, PT ;\n"
        ".rept 8, i\nMOV X[\\i], 0x1 ;\n.endr\n"
        "UMOV UR4, 97 ;\nUMOV UR6, 0x5c5f02a3 ;\nUMOV UR7, 0x2a3a0fd ;\n" /* 18 */
        "again:\n.rept 8, i\nIADD3 R5, R4, 512 * (\\i & 1) + 16 * (\\i >> 1), RZ ;\n"
        "STS [R5], R0 ;\nLDS A[\\i], [R5] ;\n.endr\n"
        "ISETP.EQ.U32.AND P4, PT, R30, 0x2, PT ;\n"; /* 0x120 + 24 + 1: 0x2b0 */
    static const char back[] =
        "FHEC.16816.U32.U32 R12, R16.ROW, R8.COL, R12, UR4 ;\nMOV R12, 0x1 ;\nMOV R13, 0x1 ;\n"
        "MOV R14, 0x1 ;\nMOV R15, 0x1 ;\nIADD3 R30, R30, 0x1, RZ ;\n"
        "ISETP.LT.U32.AND P5, PT, R30, 0x4, PT ;\n@P5 BRA again ;\nEXIT ;\n.end\n";
#define MAP(n) " (A[i][j] = shared[16*i + j] for " n " of 256 elements); "
    static const struct finding_case cases[] = {
        {"", "", 0},
        {"@P4 MOV R5, R17 ;\n@P4 MOV R17, R18 ;\n@P4 MOV R18, R5 ;\n",
         "C080 at 0x2e0, " ALL "A[8][0] is expected in lane 0, R17; that holds shared[4], which "
         "belongs to A[0][4]: R17 and R18 look swapped" MAP("192") "0x2c0 wrote the register\n",
         0},
        {"@P4 MOV R5, R22 ;\n@P4 MOV R22, R23 ;\n@P4 MOV R23, R5 ;\n",
         "C080 at 0x2e0, " ALL "A[0][12] is expected in lane 0, R22; that holds shared[140], which "
         "belongs to A[8][12]: R22 and R23 look swapped" MAP("192") "0x2c0 wrote the register\n",
         0},
        {"ISETP.EQ.U32.AND P4, PT, R0, 0x1f, P4 ;\n@P4 MOV R23, R22 ;\n",
         "C083 at 0x2d0, lanes 0x80000000, once: A[15][15] is expected in lane 31, R23; that holds "
         "shared[127], which belongs to A[7][15]: all others follow the map" MAP(
             "255") "0x2c0 wrote the register\n",
         0},
        /* The same in each turn: once for each. */
        {"ISETP.EQ.U32.AND P4, PT, R0, 0x1f, PT ;\n@P4 MOV R23, R22 ;\n",
         "C083 at 0x2d0, lanes 0x80000000, 4 times: A[15][15] is expected in lane 31, R23; that "
         "holds shared[127], which belongs to A[7][15]: all others follow the map" MAP(
             "255") "0x2c0 wrote the register\n",
         0},
        /* Bytes of several places, of one lane in one turn. */
        {"ISETP.EQ.U32.AND P4, PT, R0, 0x1f, P4 ;\n@P4 PRMT R23, R23, 0x0123, RZ ;\n",
         "C083 at 0x2d0, lanes 0x80000000, once: A[15][15] is expected in lane 31, R23; that holds "
         "of several places: all others follow the map" MAP("255") "0x2c0 wrote the register\n",
         0},
        /* Where the source says so, that is what counts. */
        {"@P4 MOV R5, R17 ;\n@P4 MOV R17, R18 ;\n@P4 MOV R18, R5 ;\n.expect A = shared[16*i + j]\n",
         "C084 at 0x2e0, " ALL "A[8][0], in lane 0, R17, is expected to be shared[128], and is "
         "shared[4]; so are 64 of 256 elements; A[i][j] = shared[16*i + j] is there (.expect A = "
         "shared[16*i + j]); 0x2c0 wrote the register\n",
         0},
    };
    finding_cases(turns, back, FH_CHECK_BIT(FH_CHECK_FRAGMENTS), cases, COUNT_OF(cases));
}

/* Kernels one after another, each with contracts and names of its own, at other places. */
static void test_launches(void **unused) {
    (void)unused;
    static const char source[] =
        ".target sm_80\n.kernel k\n.param a, 8\n.param b, 8\nMOV R10, 0x3 ;\n.let x = R10\n"
        "MOV R11, 0x4 ;\n.ensure R11 + 0 = x + 2\n.let y = x * 2\nNOP ;\n.ensure R11 + 0 = y\n"
        "EXIT ;\n.end\n"
        ".kernel l\n.param a, 8\n.param b, 8\nNOP ;\nMOV R10, 0x7 ;\nNOP ;\n.let z = R10\nNOP ;\n"
        "NOP ;\n.ensure R10 + 0 = z + 1\nNOP ;\n.let x = 9\nNOP ;\n.ensure R10 + 0 = x\nNOP "
        ";\nEXIT ;\n"
        ".end\n";
    const struct finding_run run = {.source = source,
                                    .checkers = FH_CHECK_BIT(FH_CHECK_FRAGMENTS),
                                    .blocks = 1,
                                    .threads = 64,
                                    .launches = 3};
    char *found = finding_text(&run);
#define OTHERS " in lane 0 and 31 of 31 others (.ensure R1"
    assert_string_equal(found,
                        "C085 at 0x10, lanes 0xffffffff, 4 times: 4 is expected to be 5" OTHERS
                        "1 + 0 = x + 2); by 7\n"
                        "C085 at 0x20, lanes 0xffffffff, 4 times: 4 is expected to be 6" OTHERS
                        "1 + 0 = y); by 10\n"
                        "C085 at 0x40, lanes 0xffffffff, twice: 7 is expected to be 8" OTHERS
                        "0 + 0 = z + 1); by 21 22\n"
                        "C085 at 0x60, lanes 0xffffffff, twice: 7 is expected to be 9" OTHERS
                        "0 + 0 = x); by 26\n");
    free(found);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_launches),  cmocka_unit_test(test_turns),
        cmocka_unit_test(test_registers), cmocka_unit_test(test_operands),
        cmocka_unit_test(test_computed),  cmocka_unit_test(test_warps),
    };
    return cmocka_run_group_tests_name("check_expected", tests, NULL, NULL);
}

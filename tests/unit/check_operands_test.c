/*
 * check_operands_test.c - what is said of operands, moduli and descriptors, to the word: at the
 * bounds, of each word and column, and where the source states a bound of its own.
 */
#include "finding_text.h"
#include "stated_bound.h"

#define OPERANDS FH_CHECK_BIT(FH_CHECK_OPERANDS)

/* P1 holds in lane 3, P2 in lanes 4 to 31. A is R8 to R15, B R4 to R7, C R20 to R23, all of them 1;
 * UR4 to UR7: 97, 5, floor(2^64 / 97) = 0x2a3a0fd5c5f02a3. */
static const char matrix[] = ".target sm_80, fhec\n.kernel k\n.param a, 8\n.param b, 8\n"
                             "S2R R0, SR_LANEID ;\n"
                             "ISETP.EQ.U32.AND P1, PT, R0, 0x3, PT ;\n"
                             "ISETP.GE.U32.AND P2, PT, R0, 0x4, PT ;\n"
                             ".reg A[0:7] = R8\n.reg B[0:3] = R4\n.reg C[0:3] = R20\n"
                             ".rept 8, i\nMOV A[\\i], 0x1 ;\n.endr\n"
                             ".rept 4, i\nMOV B[\\i], 0x1 ;\nMOV C[\\i], 0x1 ;\n.endr\n"
                             "UMOV UR4, 97 ;\nUMOV UR5, 5 ;\nUMOV UR6, 0x5c5f02a3 ;\n"
                             "UMOV UR7, 0x2a3a0fd ;\n"; /* 0x170 */
static const char tail[] = "EXIT ;\n.end\n";
#define FHEC "FHEC.16816.U32.U32 R20, R8.ROW, R4.COL, R20, UR4 ;\n"
#define ALL  "lanes 0xffffffff"

/* Lane 4 g + t has A[g + 8 (r & 1)][t + 4 (r / 2)], B[t + 4 r][g], C[g + 8 (r / 2)][2 t + (r & 1)]
 * in register r. */
static void test_matrices(void **unused) {
    (void)unused;
    static const struct finding_case cases[] = {
        {FHEC, "", 0},
        {"MOV R8, 96 ;\nMOV R15, 96 ;\nMOV R4, 96 ;\nMOV R7, 96 ;\nMOV R20, 96 ;\nMOV R23, 96 "
         ";\n" FHEC,
         "", 0},
        {"@P1 MOV R8, 97 ;\n" FHEC,
         "C065 at 0x180, lanes 0x8, once: A[0][3], in R8 of lane 3, is 97; expected less than the "
         "modulus, 97\n",
         0},
        {"@P2 MOV R15, 98 ;\n" FHEC,
         "C065 at 0x180, lanes 0xfffffff0, once: A[9][12], in R15 of lane 4, is 98; expected less "
         "than the modulus, 97\n",
         0},
        {"@P2 MOV R4, 97 ;\n" FHEC,
         "C065 at 0x180, lanes 0xfffffff0, once: B[0][1], in R4 of lane 4, is 97; expected less "
         "than the modulus, 97\n",
         0},
        {"@P1 MOV R7, 0xffffffff ;\n" FHEC,
         "C065 at 0x180, lanes 0x8, once: B[15][0], in R7 of lane 3, is 4294967295; expected less "
         "than the modulus, 97\n",
         0},
        {"@P1 MOV R20, 97 ;\n" FHEC,
         "C064 at 0x180, lanes 0x8, once: C[0][6], in R20 of lane 3, is 97; expected less than the "
         "modulus, 97\n",
         0},
        {"@P2 MOV R23, 97 ;\n" FHEC,
         "C064 at 0x180, lanes 0xfffffff0, once: C[9][1], in R23 of lane 4, is 97; expected less "
         "than the modulus, 97\n",
         0},
        /* Of one kind once, however many registers and operands there are. */
        {"@P1 MOV R9, 97 ;\n@P1 MOV R10, 99 ;\n@P2 MOV R4, 97 ;\n@P1 MOV R21, 98 ;\n" FHEC,
         "C064 at 0x1b0, lanes 0x8, once: C[0][7], in R21 of lane 3, is 98; expected less than the "
         "modulus, 97\n"
         "C065 at 0x1b0, lanes 0x8, 3 times: A[8][3], in R9 of lane 3, is 97; expected less than "
         "the modulus, 97\n",
         0},
        {"UMOV UR4, 1 ;\n" FHEC,
         "C060 at 0x180, " ALL ", once: the modulus in UR4 is 1; expected 2 at least\n", 0},
        {"UMOV UR4, 2 ;\nUMOV UR6, 0 ;\nUMOV UR7, 0x80000000 ;\n" FHEC, "", 0},
        {"UMOV UR4, 0x80000000 ;\nUMOV UR6, 0 ;\nUMOV UR7, 0x2 ;\n" FHEC, "", 0},
        {"UMOV UR4, 0x80000000 ;\nUMOV UR6, 0xffffffff ;\nUMOV UR7, 0x1 ;\n" FHEC,
         "C063 at 0x1a0, " ALL ", once: mu, from UR6 on, is 0x1ffffffff; expected floor(2^64 / "
         "2147483648) = 0x200000000\n",
         0},
        {"UMOV UR6, 0x5c5f02a4 ;\n" FHEC,
         "C063 at 0x180, " ALL ", once: mu, from UR6 on, is 0x2a3a0fd5c5f02a4; expected floor(2^64 "
         "/ 97) = 0x2a3a0fd5c5f02a3\n",
         0},
        {"UMOV UR7, 0x2a3a0fe ;\nUMOV UR5, 99 ;\n" FHEC,
         "C063 at 0x190, " ALL ", once: mu, from UR6 on, is 0x2a3a0fe5c5f02a3; expected floor(2^64 "
         "/ 97) = 0x2a3a0fd5c5f02a3\n",
         0},
        {FHEC "@P1 MOV R8, 97 ;\nMOV R20, 0x1 ;\nMOV R21, 0x1 ;\n" FHEC,
         "C065 at 0x1b0, lanes 0x8, once: A[0][3], in R8 of lane 3, is 97; expected less than the "
         "modulus, 97\n",
         0},
        {"MOV R31, RZ ;\nagain:\n@P1 MOV R8, 97 ;\n" FHEC "MOV R20, RZ ;\nMOV R21, RZ ;\n"
         "MOV R22, RZ ;\nMOV R23, RZ ;\nIADD3 R31, R31, 0x1, RZ ;\n"
         "ISETP.LT.U32.AND P3, PT, R31, 0x3, PT ;\n@P3 BRA again ;\n",
         "C065 at 0x190, lanes 0x8, 3 times: A[0][3], in R8 of lane 3, is 97; expected less than "
         "the modulus, 97\n",
         0},
    };
    finding_cases(matrix, tail, OPERANDS, cases, COUNT_OF(cases));
}

/* .expect of an operand is what counts, as far as it is a straight line over the modulus. */
static void test_stated(void **unused) {
    (void)unused;
#define BOUND(value)                                                                               \
    "C065 at 0x180, lanes 0x8, once: A[0][3], in R8 of lane 3, is " value                          \
    "; expected less than the bound of .expect for the modulus 97\n"
#define STATED(value, relation) "@P1 MOV R8, " value " ;\n.expect A " relation "\n" FHEC
    static const struct finding_case cases[] = {
        {STATED("193", "< 2 * q"), "", 0},
        {STATED("194", "< 2 * q"), BOUND("194"), 0},
        {STATED("194", "<= 2 * q"), "", 0},
        {STATED("195", "<= 2 * q"), BOUND("195"), 0},
        {STATED("101", "< q + 5"), "", 0},
        {STATED("102", "< q + 5"), BOUND("102"), 0},
        {STATED("289", "< 3 * q - 1"), "", 0},
        {STATED("290", "< 3 * q - 1"), BOUND("290"), 0},
        {STATED("387", "< q << 2"), "", 0},
        {STATED("388", "< q << 2"), BOUND("388"), 0},
        {STATED("999", "< 1000"), "", 0},
        {STATED("1000", "< 1000"), BOUND("1000"), 0},
        {STATED("4294967295", "<= 0xffffffff"), "", 0},
        /* No line: another checker's. */
        {STATED("97000", "< q * q"), "", 0},
        {STATED("97000", "< q / 2"), "", 0},
        {STATED("97000", "< 9 + lane"), "", 0},
        {STATED("97", "= 97"),
         "C065 at 0x180, lanes 0x8, once: A[0][3], in R8 of lane 3, is 97; "
         "expected less than the modulus, 97\n",
         0},
        /* Of another operand. */
        {"@P1 MOV R8, 97 ;\n.expect B < 2 * q\n" FHEC,
         "C065 at 0x180, lanes 0x8, once: A[0][3], in R8 of lane 3, is 97; expected less than the "
         "modulus, 97\n",
         0},
        {"@P1 MOV R4, 97 ;\n@P1 MOV R20, 98 ;\n.expect B < 2 * q\n.expect C < 2 * q\n" FHEC, "", 0},
        {"@P1 MOV R20, 194 ;\n.expect C < 2 * q\n" FHEC,
         "C064 at 0x180, lanes 0x8, once: C[0][6], in R20 of lane 3, is 194; expected less than "
         "the "
         "bound of .expect for the modulus 97\n",
         0},
        /* Of another instruction. */
        {"@P1 MOV R8, 150 ;\n.expect A < 2 * q\n" FHEC "MOV R20, RZ ;\n" FHEC,
         "C065 at 0x1a0, lanes 0x8, once: A[0][3], in R8 of lane 3, is 150; expected less than the "
         "modulus, 97\n",
         0},
        /* Some lanes break it, others only the modulus. */
        {"@P2 MOV R8, 100 ;\n@P1 MOV R8, 200 ;\n.expect A < 2 * q\n" FHEC,
         "C065 at 0x190, lanes 0x8, once: A[0][3], in R8 of lane 3, is 200; expected less than the "
         "bound of .expect for the modulus 97\n",
         0},
    };
    finding_cases(matrix, tail, OPERANDS, cases, COUNT_OF(cases));
}

/* Descriptors in R24 to R27 of four lanes: of 97 but for columns 5 and 6, which have 101. */
static void test_columns(void **unused) {
    (void)unused;
    static const char head[] = ".target sm_80, fhec\n.kernel k\n.param a, 8\n.param b, 8\n"
                               "S2R R0, SR_LANEID ;\n"
                               "ISETP.EQ.U32.AND P1, PT, R0, 22, PT ;\n"
                               "ISETP.EQ.U32.AND P2, PT, R0, 20, PT ;\n"
                               "ISETP.GE.U32.AND P3, PT, R0, 20, PT ;\n"
                               "ISETP.LT.U32.AND P3, PT, R0, 28, P3 ;\n"
                               ".reg X[0:19] = R4\n.rept 20, i\nMOV X[\\i], 0x1 ;\n.endr\n"
                               "MOV R24, 97 ;\nMOV R25, R0 ;\nMOV R26, 0x5c5f02a3 ;\n"
                               "MOV R27, 0x2a3a0fd ;\n"
                               "@P3 MOV R24, 101 ;\n@P3 MOV R26, 0xac5b3f5d ;\n"
                               "@P3 MOV R27, 0x288df0c ;\n"; /* 0x200 */
#define MIX "FHEC.16816.U32.U32.MIX R20, R8.ROW, R4.COL, R20, R24 ;\n"
    static const struct finding_case cases[] = {
        {MIX, "", 0},
        {"MOV R8, 4000000000 ;\nMOV R7, 4000000000 ;\n" MIX, "", 0},
        {"@P1 MOV R24, 0x7f ;\n" MIX,
         "C062 at 0x210, lanes 0xf00000, once: word 0 of the descriptor of column 5 is 0x65 in "
         "lane "
         "20 and 0x7f in lane 22; expected the same in lanes 20 to 23, of which the first one "
         "counts\n",
         0},
        {"@P1 MOV R26, 0x7f ;\n" MIX,
         "C062 at 0x210, lanes 0xf00000, once: word 2 of the descriptor of column 5 is 0xac5b3f5d "
         "in lane 20 and 0x7f in lane 22; expected the same in lanes 20 to 23, of which the first "
         "one counts\n",
         0},
        {"@P1 MOV R27, 0x7f ;\n@P1 MOV R25, 0x99 ;\n" MIX,
         "C062 at 0x220, lanes 0xf00000, once: word 3 of the descriptor of column 5 is 0x288df0c "
         "in "
         "lane 20 and 0x7f in lane 22; expected the same in lanes 20 to 23, of which the first one "
         "counts\n",
         0},
        {"@P3 MOV R26, 0xac5b3f5e ;\n" MIX,
         "C063 at 0x210, lanes 0xf00000, twice: mu, from R26 of lane 20 on, is 0x288df0cac5b3f5e; "
         "expected floor(2^64 / 101) = 0x288df0cac5b3f5d\n",
         0},
        {"@P3 MOV R24, 1 ;\n" MIX,
         "C060 at 0x210, lanes 0xf00000, twice: the modulus in R24 of lane 20 is 1; expected 2 at "
         "least\n",
         0},
        /* Register 0 of lane 2 is C[0][4], of lane 30 C[7][4]; 1 of lane 2 C[0][5], 3 C[8][5]. */
        {"MOV R20, 96 ;\nMOV R21, 96 ;\nMOV R22, 96 ;\nMOV R23, 96 ;\n" MIX, "", 0},
        {"ISETP.EQ.U32.AND P4, PT, R0, 2, PT ;\n@P4 MOV R20, 97 ;\n@P4 MOV R21, 100 ;\n"
         "@P4 MOV R23, 101 ;\n" MIX,
         "C064 at 0x240, lanes 0x4, twice: C[0][4], in R20 of lane 2, is 97; expected less than "
         "the "
         "modulus, 97\n",
         0},
        {"ISETP.EQ.U32.AND P4, PT, R0, 2, PT ;\n@P4 MOV R23, 101 ;\n" MIX,
         "C064 at 0x220, lanes 0x4, once: C[8][5], in R23 of lane 2, is 101; expected less than "
         "the "
         "modulus, 101\n",
         0},
        {"ISETP.EQ.U32.AND P4, PT, R0, 2, PT ;\n@P4 MOV R23, 201 ;\n.expect C < 2 * q\n" MIX, "",
         0},
    };
    finding_cases(head, tail, OPERANDS, cases, COUNT_OF(cases));
}

/* ---------------------------------------------------------------- lanes */

/* R4:R5 = 96, R6:R7 = 5, R8:R9 and UR4:UR5 = 97, constants likewise; P1 holds in lane 3, P2 in
 * lanes 4 and above. */
static void test_lanes(void **unused) {
    (void)unused;
    static const char head[] =
        ".target sm_80, gme, mont\n.kernel k\n.param a, 8\n.param b, 8\n"
        "S2R R0, SR_LANEID ;\n"
        "ISETP.EQ.U32.AND P1, PT, R0, 0x3, PT ;\n"
        "ISETP.GE.U32.AND P2, PT, R0, 0x4, PT ;\n"
        "MOV R4, 96 ;\nMOV R5, RZ ;\nMOV R6, 5 ;\nMOV R7, RZ ;\nMOV R8, 97 ;\n"
        "MOV R9, RZ ;\nUMOV UR4, 97 ;\nUMOV UR5, 0 ;\n"; /* 0xb0 */
#define LESS "; expected less than the modulus, 97\n"
    static const struct finding_case cases[] = {
        {"MODADD.U32 R10, R4, R6, R8 ;\nMODSUB.U64 R10, R4, R6, R8 ;\nMODMUL.U32 R10, R4, R6, UR4 "
         ";\n"
         "MODMAD.U32 R10, R4, R6, R4, R8 ;\nMONTMUL.U32 R10, R4, R6, R8 ;\nMODRED.U64 R10, R4, R8 "
         ";\n",
         "", 0},
        {"@P1 MOV R4, 97 ;\nMODADD.U32 R10, R4, R6, R8 ;\n",
         "C065 at 0xc0, lanes 0x8, once: A, in R4 of lane 3, is 97" LESS, 0},
        {"@P2 MOV R6, 98 ;\nMODSUB.U32 R10, R4, R6, R8 ;\n",
         "C065 at 0xc0, lanes 0xfffffff0, once: B, in R6 of lane 4, is 98" LESS, 0},
        {"@P2 MOV R6, 98 ;\nMODSUB.U32 R10, R4, R6, R8 ;\n",
         "C065 at 0xc0, lanes 0xf0, once: B, in R6 of lane 4, is 98" LESS, 8},
        {"@P2 MOV R6, 98 ;\n@P1 MODSUB.U32 R10, R4, R6, R8 ;\n", "", 0},
        {"MOV R6, 98 ;\n@P1 MODSUB.U32 R10, R4, R6, R8 ;\n",
         "C065 at 0xc0, lanes 0x8, once: B, in R6 of lane 3, is 98" LESS, 0},
        {"@P1 MOV R6, 97 ;\nMODMAD.U32 R10, R4, R4, R6, R8 ;\n",
         "C064 at 0xc0, lanes 0x8, once: C, in R6 of lane 3, is 97" LESS, 0},
        {"@P1 MOV R4, 97 ;\n@P2 MOV R6, 99 ;\nMODMUL.U32 R10, R4, R6, UR4 ;\n",
         "C065 at 0xd0, lanes 0x8, twice: A, in R4 of lane 3, is 97" LESS, 0},
        {"@P1 MOV R5, 0x1 ;\nMODMUL.U32 R10, R4, R6, R8 ;\n", "", 0},
        {"@P1 MOV R5, 0x1 ;\nMODMUL.U64 R10, R4, R6, R8 ;\n",
         "C065 at 0xc0, lanes 0x8, once: A, in R4 of lane 3, is 4294967392" LESS, 0},
        {"MOV R5, 0x1 ;\nMOV R9, 0x1 ;\nMODMUL.U64 R10, R4, R6, R8 ;\n", "", 0},
        {"MOV R4, 97 ;\nMOV R5, 0x1 ;\nMOV R9, 0x1 ;\nMODMUL.U64 R10, R4, R6, R8 ;\n",
         "C065 at 0xe0, lanes 0xffffffff, once: A, in R4 of lane 0, is 4294967393; expected less "
         "than the modulus, 4294967393\n",
         0},
        {"MOV R4, 0xffffffff ;\nMODRED.U32 R10, R4, R8 ;\n", "", 0},
        {"MODADD.U32 R10, RZ, R6, R8 ;\n", "", 0},
        {"@P2 MOV R8, 0x1 ;\nMODRED.U32 R10, R4, R8 ;\n",
         "C060 at 0xc0, lanes 0xfffffff0, once: the modulus in R8 of lane 4 is 1; expected 2 at "
         "least\n",
         0},
        {"UMOV UR4, 0x1 ;\nMODRED.U32 R10, R4, UR4 ;\n",
         "C060 at 0xc0, lanes 0xffffffff, once: the modulus in UR4 is 1; expected 2 at least\n", 0},
        {"@P2 MOV R8, 98 ;\nMONTMUL.U32 R10, R4, R6, R8 ;\n",
         "C061 at 0xc0, lanes 0xfffffff0, once: the modulus in R8 of lane 4 is 98; a Montgomery "
         "product needs an odd one\n",
         0},
        {"MOV R8, 98 ;\nMODMUL.U32 R10, R4, R6, R8 ;\n", "", 0},
        {"@P1 MOV R8, 0x1 ;\n@P2 MOV R8, 98 ;\n@P2 MOV R4, 98 ;\nMONTMUL.U32 R10, R4, R6, R8 ;\n",
         "C060 at 0xe0, lanes 0x8, once: the modulus in R8 of lane 3 is 1; expected 2 at least\n"
         "C061 at 0xe0, lanes 0xfffffff0, once: the modulus in R8 of lane 4 is 98; a Montgomery "
         "product needs an odd one\n"
         "C065 at 0xe0, lanes 0xfffffff0, once: A, in R4 of lane 4, is 98; expected less than the "
         "modulus, 98\n",
         0},
        {"@P1 MOV R4, 190 ;\n.expect A < 2 * q\nMODADD.U32 R10, R4, R6, R8 ;\n", "", 0},
        {"@P1 MOV R4, 194 ;\n.expect A < 2 * q\nMODADD.U32 R10, R4, R6, R8 ;\n",
         "C065 at 0xc0, lanes 0x8, once: A, in R4 of lane 3, is 194; expected less than the bound "
         "of .expect for the modulus 97\n",
         0},
    };
    finding_cases(head, tail, OPERANDS, cases, COUNT_OF(cases));
}

/* Moduli in constant memory, of 32 and of 64 bits. */
static void test_constants(void **unused) {
    (void)unused;
    static const struct {
        const char *line, *found;
        uint64_t q;
    } cases[] = {
        {"MODMUL.U32 R10, R4, R6, q", "", 97},
        {"MODMUL.U64 R10, R4, R6, q", "", 97},
        {"MODMUL.U32 R10, R4, R6, q",
         "C065 at 0x40, lanes 0xffffffff, once: A, in R4 of lane 0, is 96; expected less than the "
         "modulus, 96\n",
         0x500000060},
        {"MODMUL.U64 R10, R4, R6, q", "", 0x500000060},
        {"MODMUL.U64 R10, R4, R6, q",
         "C060 at 0x40, lanes 0xffffffff, once: the modulus in c[0x0][0x170] is 1; expected 2 at "
         "least\n",
         1},
        {"MONTMUL.U32 R10, R4, R6, q",
         "C061 at 0x40, lanes 0xffffffff, once: the modulus in c[0x0][0x170] is 98; a Montgomery "
         "product needs an odd one\n",
         98},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        char source[300];
        const struct finding_run run = {.source = source,
                                        .checkers = OPERANDS,
                                        .blocks = 1,
                                        .threads = 32,
                                        .words = &cases[i].q,
                                        .word_count = 1};
        snprintf(source, sizeof source,
                 ".target sm_80, gme, mont\n.kernel k\n.param a, 8\n.param b, 8\n.param q, 8\n"
                 "MOV R4, 96 ;\nMOV R5, RZ ;\nMOV R6, 5 ;\nMOV R7, RZ ;\n%s ;\nEXIT ;\n.end\n",
                 cases[i].line);
        char *found = finding_text(&run);
        assert_string_equal(found, cases[i].found);
        free(found);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_matrices),  cmocka_unit_test(test_stated),
        cmocka_unit_test(test_columns),   cmocka_unit_test(test_lanes),
        cmocka_unit_test(test_constants),
    };
    return cmocka_run_group_tests_name("check_operands", tests, NULL, NULL);
}

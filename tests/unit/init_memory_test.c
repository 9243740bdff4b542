/*
 * init_memory_test.c - undefined bits through memory, bit by bit: parts of words, signs, pairs,
 * atomic operations and copies; and what is said of them where they matter.
 */
#include "init_util.h"

/* Of the 32 bits of R6 behind the body in lane 0 these are undefined. */
static void bits_are(const char *body, uint32_t undefined) {
    for (unsigned bit = 0; bit < 32; bit++) {
        char text[2048];
        snprintf(text, sizeof text,
                 "%sLOP3.LUT R6, R6, 0x%x, RZ, 0xc0, !PT ;\n@P0 STG.E [R4.64], R6 ;\n", body,
                 1u << bit);
        const struct init_case one = {body, text, undefined >> bit & 1 ? "C006" : ""};
        init_cases(&one, 1);
    }
}

/* R21 is 0 but for the bits that nobody writes. */
#define OPEN(mask) "LOP3.LUT R21, R20, " mask ", RZ, 0xc0, !PT ;\n"
#define ZEROS      "STS.128 [R10+0x40], RZ ;\n"

static void stores_and_loads(void **state) {
    (void)state;
    bits_are(ZEROS OPEN("0xf0") "STS [R10+0x40], R21 ;\nLDS R6, [R10+0x40] ;\n", 0xf0);
    bits_are(ZEROS OPEN("0xf0") "STS.U8 [R10+0x41], R21 ;\nLDS R6, [R10+0x40] ;\n", 0xf000);
    bits_are(ZEROS OPEN("0xf00") "STS.U8 [R10+0x41], R21 ;\nLDS R6, [R10+0x40] ;\n", 0);
    bits_are(ZEROS OPEN("0x8001") "STS.U16 [R10+0x42], R21 ;\nLDS R6, [R10+0x40] ;\n", 0x80010000);
    bits_are(ZEROS OPEN("0x10") "MOV R24, R21 ;\nMOV R25, R0 ;\nSTS.64 [R10+0x40], R24 ;\n"
                                "LDS R6, [R10+0x44] ;\n",
             0);
    bits_are(ZEROS OPEN("0x10") "MOV R25, R21 ;\nMOV R24, R0 ;\nSTS.64 [R10+0x40], R24 ;\n"
                                "LDS R6, [R10+0x44] ;\n",
             0x10);
    bits_are(
        ZEROS OPEN("0x30") "MOV R24, R0 ;\nMOV R25, R0 ;\nMOV R26, R0 ;\nMOV R27, R21 ;\n"
                           "STS.128 [R10+0x40], R24 ;\nLDS.128 R28, [R10+0x40] ;\nMOV R6, R31 ;\n",
        0x30);
    bits_are(
        ZEROS OPEN("0x30") "MOV R24, R0 ;\nMOV R25, R0 ;\nMOV R26, R0 ;\nMOV R27, R21 ;\n"
                           "STS.128 [R10+0x40], R24 ;\nLDS.128 R28, [R10+0x40] ;\nMOV R6, R30 ;\n",
        0);
    /* a sign that is extended */
    bits_are(ZEROS OPEN("0x80") "STS [R10+0x40], R21 ;\nLDS.S8 R6, [R10+0x40] ;\n", 0xffffff80);
    bits_are(ZEROS OPEN("0x40") "STS [R10+0x40], R21 ;\nLDS.S8 R6, [R10+0x40] ;\n", 0x40);
    bits_are(ZEROS OPEN("0x80") "STS [R10+0x40], R21 ;\nLDS.U8 R6, [R10+0x40] ;\n", 0x80);
    bits_are(ZEROS OPEN("0xf80") "STS [R10+0x40], R21 ;\nLDS.U8 R6, [R10+0x41] ;\n", 0xf);
    bits_are(ZEROS OPEN("0x8000") "STS [R10+0x40], R21 ;\nLDS.S16 R6, [R10+0x40] ;\n", 0xffff8000);
    bits_are(ZEROS OPEN("0x80") "STS [R10+0x40], R21 ;\nLDS.S16 R6, [R10+0x40] ;\n", 0x80);
    bits_are(ZEROS OPEN("0xc0000000") "STS [R10+0x40], R21 ;\nLDS.U16 R6, [R10+0x42] ;\n", 0xc000);
    /* local memory, and global */
    bits_are(OPEN("0x3") "STL [R10+0x8], R0 ;\nSTL.U8 [R10+0x9], R21 ;\nLDL R6, [R10+0x8] ;\n",
             0x300);
    bits_are(OPEN("0x3") "STG.E [R4.64+0x80], R0 ;\nSTG.E.U8 [R4.64+0x82], R21 ;\n"
                         "LDG.E R6, [R4.64+0x80] ;\n",
             0x30000);
    bits_are("STS.U8 [R10+0x40], R0 ;\nLDS R6, [R10+0x40] ;\n", 0xffffff00);
    bits_are("STS.U16 [R10+0x42], R0 ;\nLDS R6, [R10+0x40] ;\n", 0xffff);
    /* what is written over is defined again */
    bits_are(
        OPEN("0xffffffff") "STS [R10+0x40], R21 ;\nSTS.U8 [R10+0x41], R0 ;\nLDS R6, [R10+0x40] ;\n",
        0xffff00ff);
}

static void atomics(void **state) {
    (void)state;
    /* bitwise: those bits; sums and comparisons: all */
    bits_are(ZEROS OPEN("0x30") "@P0 ATOMS.OR RZ, [R10+0x40], R21 ;\nLDS R6, [R10+0x40] ;\n", 0x30);
    bits_are(ZEROS OPEN("0x30") "@P0 ATOMS.XOR RZ, [R10+0x40], R21 ;\nLDS R6, [R10+0x40] ;\n",
             0x30);
    bits_are(ZEROS OPEN("0x30") "@P0 ATOMS.EXCH RZ, [R10+0x40], R21 ;\nLDS R6, [R10+0x40] ;\n",
             0x30);
    bits_are(ZEROS OPEN("0x30") "@P0 ATOMS.ADD RZ, [R10+0x40], R21 ;\nLDS R6, [R10+0x40] ;\n",
             UINT32_MAX);
    bits_are(ZEROS OPEN("0x30") "@P0 ATOMS.MAX RZ, [R10+0x40], R21 ;\nLDS R6, [R10+0x40] ;\n",
             UINT32_MAX);
    bits_are(ZEROS "@P0 ATOMS.ADD RZ, [R10+0x40], R0 ;\nLDS R6, [R10+0x40] ;\n", 0);
    /* the old value; what an exchange leaves has nothing of it */
    bits_are(OPEN("0x30") "STS [R10+0x40], R21 ;\n@P0 ATOMS.EXCH R6, [R10+0x40], R0 ;\n", 0x30);
    bits_are(OPEN("0x30") "STS [R10+0x40], R21 ;\n@P0 ATOMS.EXCH RZ, [R10+0x40], R0 ;\n"
                          "LDS R6, [R10+0x40] ;\n",
             0);
    bits_are(OPEN("0x30") "STS [R10+0x40], R21 ;\n@P0 ATOMS.OR RZ, [R10+0x40], R0 ;\n"
                          "LDS R6, [R10+0x40] ;\n",
             0x30);
    bits_are(OPEN("0x30") "STS [R10+0x40], R21 ;\n@P0 ATOMS.ADD R6, [R10+0x40], R0 ;\n", 0x30);
    bits_are(OPEN("0x30") "STS [R10+0x40], R21 ;\n@P0 ATOMS.ADD R8, [R10+0x40], R0 ;\n"
                          "LDS R6, [R10+0x40] ;\n",
             UINT32_MAX);
    bits_are("STS [R10+0x44], R0 ;\n@P0 ATOMS.ADD R8, [R10+0x40], R0 ;\nLDS R6, [R10+0x44] ;\n", 0);
    /* compare and swap */
    bits_are(ZEROS OPEN("0x30") "@P0 ATOMS.CAS R6, [R10+0x40], R0, R21 ;\n", 0);
    bits_are(ZEROS OPEN("0x30") "@P0 ATOMS.CAS R8, [R10+0x40], R21, R0 ;\nLDS R6, [R10+0x40] ;\n",
             UINT32_MAX);
    bits_are(ZEROS OPEN("0x30") "@P0 ATOMS.CAST.SPIN R6, [R10+0x40], R21, R0 ;\n", 1);
    bits_are(ZEROS OPEN("0x30") "@P0 ATOMS.CAST.SPIN R6, [R10+0x40], R0, R21 ;\n", 0);
    bits_are(OPEN("0x30") "STS [R10+0x40], R21 ;\n@P0 ATOMS.CAST.SPIN R6, [R10+0x40], R0, R0 ;\n",
             1);
    /* pairs */
    bits_are(ZEROS OPEN(
                 "0x30") "MOV R24, R0 ;\nMOV R25, R21 ;\n@P0 ATOMS.EXCH.64 R8, [R10+0x40], R24 ;\n"
                         "LDS R6, [R10+0x44] ;\n",
             0x30);
    bits_are(ZEROS OPEN(
                 "0x30") "MOV R24, R0 ;\nMOV R25, R21 ;\n@P0 ATOMS.EXCH.64 R8, [R10+0x40], R24 ;\n"
                         "LDS R6, [R10+0x40] ;\n",
             0);
    bits_are(
        OPEN("0x30") "STS [R10+0x40], R0 ;\nSTS [R10+0x44], R21 ;\nMOV R24, R0 ;\nMOV R25, R0 ;\n"
                     "@P0 ATOMS.EXCH.64 R6, [R10+0x40], R24 ;\nMOV R6, R7 ;\n",
        0x30);
    bits_are("STG.E [R4.64+0x80], RZ ;\n" OPEN(
                 "0x30") "@P0 RED.E.OR.STRONG.GPU [R4.64+0x80], R21 ;\nLDG.E R6, [R4.64+0x80] ;\n",
             0x30);
    bits_are(
        "STG.E [R4.64+0x80], RZ ;\n" OPEN("0x30") "@P0 ATOMG.E.ADD.STRONG.GPU PT, R8, "
                                                  "[R4.64+0x80], R21 ;\nLDG.E R6, [R4.64+0x80] ;\n",
        UINT32_MAX);
}

#define WAIT "LDGDEPBAR ;\nDEPBAR.LE SB0, 0x0 ;\n"

static void copies(void **state) {
    (void)state;
    static const char words[] = "IMAD R7, R0, 0x4, RZ ;\nSTG.E [R4.64+0x80], R0 ;\n";
    char body[600];
    snprintf(body, sizeof body,
             "%s" OPEN("0x3") "STG.E.U8 [R4.64+0x82], R21 ;\n"
                              "LDGSTS.E [R7], [R4.64+0x80] ;\n" WAIT "LDS R6, [R7] ;\n",
             words);
    bits_are(body, 0x30000);
    /* lane 3's alone */
    init_undefined_in("ISETP.NE.U32.AND P3, PT, R0, 0x3, PT ;\n@P3 STG.E [R4.64+0x80], R0 ;\n"
                      "IMAD R7, R0, 0x4, RZ ;\nLDGSTS.E [R7], [R4.64+0x80] ;\n" WAIT
                      "LDS R6, [R7] ;\n",
                      UINT32_MAX, 1u << 3);
    init_undefined_in("IMAD R7, R0, 0x4, RZ ;\nISETP.NE.U32.AND P3, PT, R0, 0x3, PT ;\n"
                      "LDGSTS.E [R7], [R2.64], P3 ;\n" WAIT "LDS R6, [R7] ;\n",
                      UINT32_MAX, 1u << 3);
    init_undefined_in("IMAD R7, R0, 0x4, RZ ;\nISETP.NE.U32.AND P3, PT, R0, 0x3, PT ;\n"
                      "LDGSTS.E.ZFILL [R7], [R2.64], P3 ;\n" WAIT "LDS R6, [R7] ;\n",
                      UINT32_MAX, 0);
    init_undefined_in("ISETP.NE.U32.AND P3, PT, R0, 0x3, PT ;\nIMAD R7, R0, 0x4, RZ ;\n"
                      "@P3 STS [R7], R0 ;\nLDS R6, [R7] ;\n",
                      0x80000000, 1u << 3);
    init_undefined_in(
        "ISETP.NE.U32.AND P3, PT, R0, 0x3, PT ;\nMOV R6, R0 ;\n@P3 LDG.E R6, [R4.64] ;\n",
        UINT32_MAX, ~(1u << 3));
    init_undefined_in("ISETP.NE.U32.AND P3, PT, R0, 0x3, PT ;\n@P3 STL [R10+0x8], R0 ;\n"
                      "LDL R6, [R10+0x8] ;\n",
                      1, 1u << 3);
}

static void message_is(const char *body, const char *wanted, int at, int other) {
    int is_at, is_other;
    char *message = init_message(body, &is_at, &is_other);
    assert_string_equal(message, wanted);
    assert_int_equal(is_at, at);
    assert_int_equal(is_other, other);
    free(message);
}

#define STORE "STG.E [R4.64], R0 ;\n"
#define BY    ", which is undefined: "

static void messages(void **state) {
    (void)state;
    message_is(STORE "@P1 STS [R10], R0 ;\n",
               "whether the instruction acts depends on P1 of lane 0" BY "P1 was never written", 1,
               -1);
    message_is(STORE "ISETP.NE.U32.AND P1, PT, R20, RZ, !P0 ;\n@P1 STS [R10], R0 ;\n",
               "whether the instruction acts depends on P1 of lane 1" BY "R20 was never written", 2,
               1);
    message_is(STORE "@!P1 BAR.SYNC 0x0 ;\n",
               "which lanes wait depends on P1 of lane 0" BY "P1 was never written", 1, -1);
    message_is(STORE "@P6 EXIT ;\n",
               "where the lanes go depends on P6 of lane 0" BY "P6 was never written", 1, -1);
    message_is(STORE "LDS R6, [R10+UR9] ;\n",
               "the address depends on UR9" BY "UR9 was never written", 1, -1);
    message_is(
        STORE "ULOP3.LUT UR9, UR20, 0x30, URZ, 0xc0, !UPT ;\nLDS R6, [R10+UR9] ;\n",
        "the address depends on UR9, of which bits 0x30 are undefined: UR20 was never written", 2,
        1);
    message_is(
        STORE "LDL R8, [R10+0x8] ;\nLOP3.LUT R8, R8, 0xc, RZ, 0xc0, !PT ;\nLDS R6, [R8] ;\n",
        "the address depends on R8 of lane 0, of which bits 0xc are undefined: local memory at "
        "0x8 was never written",
        3, 1);
    message_is(STORE
               "ISETP.EQ.U32.AND P3, PT, R0, 0x5, PT ;\n@!P3 MOV R20, RZ ;\nLDS R6, [R20] ;\n",
               "the address depends on R20 of lane 5" BY "R20 was never written", 3, -1);
}

/* Of IMMA.16816 slot s of A's register is column 4 (l % 4) + s, slot s of B's row 4 (l % 4) + s:
 * undefined bytes of one matter if there is something in that row, or column, of the other. */
static void slots(void **state) {
    (void)state;
    static const char *const bytes[] = {"0xff", "0xff00", "0xff0000", "0xff000000"};
    for (unsigned open = 0; open < 4; open++)
        for (unsigned other = 0; other < 4; other++)
            for (unsigned b = 0; b < 2; b++) {
                char body[600];
                snprintf(body, sizeof body,
                         "LOP3.LUT R%u, R20, %s, RZ, 0xc0, !PT ;\nMOV R%u, %s ;\n%s"
                         "IMMA.16816.U8.U8 R40, R24.ROW, R26.COL, RZ ;\n",
                         b ? 26 : 24, bytes[open], b ? 24 : 26, bytes[other], "MOV R25, RZ ;\n");
                const struct init_case one = {body, body, open == other ? "C004" : ""};
                init_cases(&one, 1);
            }
    /* and of those lanes only whose columns are rows of what is there: lane 1's are 4 to 7 */
    for (unsigned lane = 0; lane < 4; lane++) {
        char body[600];
        snprintf(body, sizeof body,
                 "ISETP.EQ.U32.AND P3, PT, R0, 0x%x, PT ;\nMOV R26, RZ ;\n@P3 MOV R26, R11 ;\n"
                 "ISETP.EQ.U32.AND P3, PT, R0, 0x1, PT ;\n@!P3 MOV R24, R0 ;\nMOV R25, RZ ;\n"
                 "IMMA.16816.U8.U8 R40, R24.ROW, R26.COL, RZ ;\n",
                 lane);
        const struct init_case one = {body, body, lane == 1 ? "C004" : ""};
        init_cases(&one, 1);
    }
    message_is(
        STORE "LOP3.LUT R24, R20, 0xff00, RZ, 0xc0, !PT ;\nMOV R25, RZ ;\nMOV R26, R11 ;\n"
              "IMMA.16816.U8.U8 R40, R24.ROW, R26.COL, RZ ;\n",
        "the product depends on A[0][1], R24 of lane 0, of which bits 0xff00 are undefined: R20 "
        "was never written",
        4, 1);
    message_is(STORE "MOV R24, R11 ;\nMOV R25, RZ ;\nISETP.NE.U32.AND P3, PT, R0, 0x6, PT ;\n"
                     "@P3 MOV R26, R11 ;\nIMMA.16816.U8.U8 R40, R24.ROW, R26.COL, RZ ;\n",
               "the product depends on B[8][1], R26 of lane 6, which is undefined: R26 was never "
               "written",
               5, -1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(slots),  cmocka_unit_test(stores_and_loads), cmocka_unit_test(atomics),
        cmocka_unit_test(copies), cmocka_unit_test(messages),
    };
    return cmocka_run_group_tests_name("init_memory", tests, NULL, NULL);
}

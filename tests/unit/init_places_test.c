/*
 * init_places_test.c - undefined bits in memory and between lanes, and the places where they
 * matter: addresses, branches, guards, matrices, barriers, results; and where they are said to come
 * from.
 */
#include "init_util.h"

#include "fhec.h"

#define STORE(reg) "STG.E [R4.64], " reg " ;\n"

static void memory(void **state) {
    static const struct init_case cases[] = {
        {"shared memory", "LDS R6, [R10+0x40] ;\n" STORE("R6"), "C006"},
        {"written by the lane",
         "IMAD R7, R0, 0x4, RZ ;\nSTS [R7], R0 ;\nLDS R6, [R7] ;\n" STORE("R6"), ""},
        {"written by another lane",
         "IMAD R7, R0, 0x4, RZ ;\nSTS [R7], R0 ;\nBAR.SYNC 0x0 ;\nLDS R6, [R10+0x7c] ;\n" STORE(
             "R6"),
         ""},
        {"one word further",
         "IMAD R7, R0, 0x4, RZ ;\nSTS [R7], R0 ;\nBAR.SYNC 0x0 ;\nLDS R6, [R7+0x4] ;\n" STORE("R6"),
         "C006"},
        {"bytes of a word", "STS.U8 [R10+0x5], R0 ;\nLDS.U8 R6, [R10+0x5] ;\n" STORE("R6"), ""},
        {"the byte beside it", "STS.U8 [R10+0x5], R0 ;\nLDS.U8 R6, [R10+0x6] ;\n" STORE("R6"),
         "C006"},
        {"a sign that is extended",
         "STS.U8 [R10+0x4], R0 ;\nLDS.S16 R6, [R10+0x4] ;\nSHF.R.U32.HI R6, RZ, 0x1f, R6 ;\n" STORE(
             "R6"),
         "C006"},
        {"zeros beside what is loaded",
         "STS.U8 [R10+0x4], R0 ;\nLDS.U16 R6, [R10+0x4] ;\nSHF.R.U32.HI R6, RZ, 0x10, R6 ;\n" STORE(
             "R6"),
         ""},
        {"undefined bits stored and loaded",
         "LOP3.LUT R6, R20, 0xf0, RZ, 0xc0, !PT ;\nSTS [R10+0x4], R6 ;\nLDS R6, [R10+0x4] ;\n"
         "LOP3.LUT R6, R6, 0x80, RZ, 0xc0, !PT ;\n" STORE("R6"),
         "C006"},
        {"the bits beside them",
         "LOP3.LUT R6, R20, 0xf0, RZ, 0xc0, !PT ;\nSTS [R10+0x4], R6 ;\nLDS R6, [R10+0x4] ;\n"
         "LOP3.LUT R6, R6, 0xffffff0f, RZ, 0xc0, !PT ;\n" STORE("R6"),
         ""},
        {"overwritten",
         "STS [R10+0x4], R20 ;\nSTS [R10+0x4], R0 ;\nLDS R6, [R10+0x4] ;\n" STORE("R6"), ""},
        {"local memory", "LDL R6, [R10+0x8] ;\n" STORE("R6"), "C006"},
        {"local memory of the lane", "STL [R10+0x8], R0 ;\nLDL R6, [R10+0x8] ;\n" STORE("R6"), ""},
        {"local memory of other lanes",
         "@P0 STL [R10+0x8], R0 ;\nLDL R6, [R10+0x8] ;\n@!P0 " STORE("R6"), "C006"},
        {"global memory", "LDG.E R6, [R4.64+0x80] ;\n" STORE("R6"), "C006"},
        {"global memory that the host wrote", "LDG.E R6, [R2.64] ;\n" STORE("R6"), ""},
        {"global memory that the kernel wrote",
         "STG.E [R4.64+0x80], R0 ;\nLDG.E R6, [R4.64+0x80] ;\n" STORE("R6"), ""},
        {"four words, one not written",
         "LOP3.LUT R7, R0, 0xf, RZ, 0xc0, !PT ;\nIMAD R7, R7, 0x10, RZ ;\nSTS.64 [R7], R2 ;\n"
         "STS [R7+0xc], R0 ;\nLDS.128 R24, [R7] ;\nIADD3 R6, R24, R25, R27 ;\n" STORE("R6"),
         ""},
        {"that word",
         "LOP3.LUT R7, R0, 0xf, RZ, 0xc0, !PT ;\nIMAD R7, R7, 0x10, RZ ;\nSTS.64 [R7], R2 ;\n"
         "STS [R7+0xc], R0 ;\nLDS.128 R24, [R7] ;\n" STORE("R26"),
         "C006"},
        {"padding of a structure",
         "STS [R10+0x40], R0 ;\nSTS.U8 [R10+0x44], R0 ;\nLDS.64 R6, [R10+0x40] ;\n"
         "LOP3.LUT R4, R4, 0xfffffff8, RZ, 0xc0, !PT ;\nSTG.E.64 [R4.64], R6 ;\n",
         ""},
        {"a byte of it that was loaded alone",
         "STS.U8 [R10+0x44], R0 ;\nLDS.U8 R6, [R10+0x45] ;\nPRMT R6, R0, 0x4321, R6 ;\n" STORE(
             "R6"),
         "C006"},
        {"its padding stored alone, beside nothing",
         "STS.U8 [R10+0x44], R0 ;\nLDS R7, [R10+0x44] ;\nSHF.R.U32.HI R7, RZ, 0x8, R7 ;\n"
         "@P0 STG.E [R4.64], R0 ;\n@P0 STG.E.U8 [R4.64+0x5], R7 ;\n",
         "C006"},
        {"and beside a byte",
         "STS.U8 [R10+0x44], R0 ;\nLDS R7, [R10+0x44] ;\nSHF.R.U32.HI R7, RZ, 0x8, R7 ;\n"
         "@P0 STG.E.U8 [R4.64+0x4], R0 ;\n@P0 STG.E.U8 [R4.64+0x5], R7 ;\n",
         ""},
        {"a word of two",
         "STS [R10+0x40], R0 ;\nLDS.64 R6, [R10+0x40] ;\n"
         "LOP3.LUT R4, R4, 0xfffffff8, RZ, 0xc0, !PT ;\nSTG.E.64 [R4.64], R6 ;\n",
         "C006"},
        {"a word of two on the stack",
         "STL [R10+0x8], R0 ;\nLDL.64 R6, [R10+0x8] ;\n"
         "LOP3.LUT R4, R4, 0xfffffff8, RZ, 0xc0, !PT ;\nSTG.E.64 [R4.64], R6 ;\n",
         ""},
        {"that word alone", "STL [R10+0x8], R0 ;\nLDL.64 R6, [R10+0x8] ;\n" STORE("R7"), "C006"},
        {"an atomic operation on nothing", "ATOMS.ADD R6, [R10+0x40], R0 ;\n" STORE("R6"), "C006"},
        {"an atomic operation on something",
         "STS [R10+0x40], RZ ;\nATOMS.ADD R6, [R10+0x40], R0 ;\n" STORE("R6"), ""},
        {"undefined bits through atomic operations",
         "STS [R10+0x40], RZ ;\nATOMS.ADD RZ, [R10+0x40], R20 ;\nLDS R6, [R10+0x40] ;\n" STORE(
             "R6"),
         "C006"},
        {"an exchange", "@P0 ATOMS.EXCH RZ, [R10+0x40], R0 ;\nLDS R6, [R10+0x40] ;\n" STORE("R6"),
         ""},
        {"a result that is its own data",
         "STS [R10+0x40], RZ ;\n@P0 ATOMS.ADD R20, [R10+0x40], R20 ;\nLDS R6, [R10+0x40] ;\n" STORE(
             "R6"),
         "C006"},
        {"whether a swap was done",
         "STS [R10+0x40], RZ ;\nATOMS.CAST.SPIN R6, [R10+0x40], R20, R0 ;\n" STORE("R6"), "C006"},
        {"the old value of a swap",
         "STS [R10+0x40], RZ ;\n@P0 ATOMS.CAS R6, [R10+0x40], R20, R0 ;\n@P0 " STORE("R6"), ""},
        {"a load with an undefined predicate", "LDG.E R6, [R2.64], !P1 ;\n" STORE("R6"), "C006"},
        {"of what is partly defined",
         "STG.E.U8 [R4.64], R0 ;\nLDG.E R6, [R4.64], !P1 ;\n"
         "LOP3.LUT P5, R6, R6, 0xff, RZ, 0xc0, !PT ;\n@P5 BRA end ;\nNOP ;\nend:\n",
         "C002"},
        {"of what is partly defined, with a predicate",
         "STG.E.U8 [R4.64], R0 ;\nLDG.E R6, [R4.64], P0 ;\n"
         "LOP3.LUT P5, R6, R6, 0xff, RZ, 0xc0, !PT ;\n@P5 BRA end ;\nNOP ;\nend:\n",
         ""},
        {"a copy",
         "IMAD R7, R0, 0x10, RZ ;\nMOV R8, x ;\nMOV R9, c[0x0][0x164] ;\n"
         "LDGSTS.E [R7], [R8.64] ;\nLDGDEPBAR ;\nDEPBAR.LE SB0, 0x0 ;\nLDS R6, [R7] ;\n" STORE(
             "R6"),
         ""},
        {"behind a copy",
         "IMAD R7, R0, 0x10, RZ ;\nMOV R8, x ;\nMOV R9, c[0x0][0x164] ;\n"
         "LDGSTS.E [R7], [R8.64] ;\nLDGDEPBAR ;\nDEPBAR.LE SB0, 0x0 ;\nLDS R6, [R7+0x4] ;\n" STORE(
             "R6"),
         "C006"},
        {"a copy that is not made",
         "IMAD R7, R0, 0x4, RZ ;\nLDGSTS.E [R7], [R2.64], P0 ;\nLDGDEPBAR ;\n"
         "DEPBAR.LE SB0, 0x0 ;\nLDS R6, [R7] ;\n" STORE("R6"),
         "C006"},
        {"zeros in its place",
         "IMAD R7, R0, 0x4, RZ ;\nLDGSTS.E.ZFILL [R7], [R2.64], P0 ;\nLDGDEPBAR ;\n"
         "DEPBAR.LE SB0, 0x0 ;\nLDS R6, [R7] ;\n" STORE("R6"),
         ""},
        {"a copy of what is undefined",
         "IMAD R7, R0, 0x4, RZ ;\nLDGSTS.E [R7], [R4.64+0x80] ;\nLDGDEPBAR ;\n"
         "DEPBAR.LE SB0, 0x0 ;\nLDS R6, [R7] ;\n" STORE("R6"),
         "C006"},
    };
    (void)state;
    init_cases(cases, sizeof cases / sizeof *cases);
}

static void between_lanes(void **state) {
    static const struct init_case cases[] = {
        {"SHFL from the lane that is written",
         "@P0 MOV R20, R0 ;\nSHFL.IDX PT, R6, R20, RZ, 0x1f ;\n" STORE("R6"), ""},
        {"SHFL from another one",
         "@P0 MOV R20, R0 ;\nSHFL.IDX PT, R6, R20, 0x1, 0x1f ;\n" STORE("R6"), "C006"},
        {"SHFL within segments",
         "LOP3.LUT R7, R0, 0x7, RZ, 0xc0, !PT ;\nISETP.EQ.U32.AND P6, PT, R7, RZ, PT ;\n"
         "@P6 MOV R20, R0 ;\nSHFL.IDX PT, R6, R20, RZ, 0x181f ;\n" STORE("R6"),
         ""},
        {"SHFL by an undefined lane", "SHFL.IDX PT, R6, R0, R20, 0x1f ;\n" STORE("R6"), "C006"},
        {"a vote that a defined lane decides",
         "@P0 ISETP.EQ.U32.AND P5, PT, R0, RZ, PT ;\nVOTE.ANY P6, P5 ;\n@P6 BRA end ;\nNOP "
         ";\nend:\n",
         ""},
        {"a vote that it does not decide",
         "@P0 ISETP.EQ.U32.AND P5, PT, R0, RZ, PT ;\nVOTE.ALL P6, P5 ;\n@P6 BRA end ;\nNOP "
         ";\nend:\n",
         "C002"},
        {"its ballot, the bit",
         "@P0 ISETP.EQ.U32.AND P5, PT, R0, RZ, PT ;\nVOTE.ANY R6, PT, P5 ;\n"
         "LOP3.LUT R6, R6, 0x1, RZ, 0xc0, !PT ;\n" STORE("R6"),
         ""},
        {"its ballot, another bit",
         "@P0 ISETP.EQ.U32.AND P5, PT, R0, RZ, PT ;\nVOTE.ANY R6, PT, P5 ;\n"
         "LOP3.LUT R6, R6, 0x2, RZ, 0xc0, !PT ;\n" STORE("R6"),
         "C006"},
        {"R2UR of the first lane",
         "@P0 MOV R20, R0 ;\nR2UR UR6, R20 ;\nMOV R6, UR6 ;\n" STORE("R6"), ""},
        {"R2UR of another one", "@!P0 MOV R20, R0 ;\nR2UR UR6, R20 ;\nMOV R6, UR6 ;\n" STORE("R6"),
         "C006"},
        {"REDUX", "@P0 MOV R20, R0 ;\nREDUX.SUM UR6, R20 ;\nMOV R6, UR6 ;\n" STORE("R6"), "C006"},
        {"MATCH of what is written", "MATCH.ANY R6, R0 ;\n" STORE("R6"), ""},
        {"a vote of nobody knows whom",
         "@P1 VOTE.ANY R6, PT, PT ;\n@!P1 MOV R6, RZ ;\n" STORE("R6"), "C006"},
        {"P2R of other predicates", "P2R R6, PR, RZ, 0x1 ;\n" STORE("R6"), ""},
        {"P2R", "P2R R6, PR, RZ, 0x3 ;\n" STORE("R6"), "C006"},
        {"P2R into byte 1, the others", "P2R.B1 R6, PR, R20, 0x1 ;\n" STORE("R6"), "C006"},
        {"P2R into byte 1",
         "P2R.B1 R6, PR, RZ, 0x3 ;\nLOP3.LUT R6, R6, 0xfffffdff, RZ, 0xc0, !PT ;\n" STORE("R6"),
         ""},
        {"P2R into byte 1, the bit",
         "P2R.B1 R6, PR, RZ, 0x3 ;\nLOP3.LUT R6, R6, 0x200, RZ, 0xc0, !PT ;\n" STORE("R6"), "C006"},
        {"R2P of byte 2",
         "LOP3.LUT R6, R20, 0xff00ffff, RZ, 0xc0, !PT ;\nR2P PR, R6.B2, 0x2 ;\n@P1 BRA end ;\n"
         "NOP ;\nend:\n",
         ""},
        {"R2P of byte 2, the bit",
         "LOP3.LUT R6, R20, 0x20000, RZ, 0xc0, !PT ;\nR2P PR, R6.B2, 0x2 ;\n@P1 BRA end ;\n"
         "NOP ;\nend:\n",
         "C002"},
        {"R2P of byte 3, the bit",
         "LOP3.LUT R6, R20, 0x2000000, RZ, 0xc0, !PT ;\nR2P PR, R6.B3, 0x2 ;\n@P1 BRA end ;\n"
         "NOP ;\nend:\n",
         "C002"},
        {"R2P and back", "R2P PR, R0, 0x7e ;\nP2R R6, PR, RZ, 0x7f ;\n" STORE("R6"), ""},
        {"R2P of an undefined bit",
         "LOP3.LUT R6, R20, 0x2, RZ, 0xc0, !PT ;\nR2P PR, R6, 0x6 ;\n@P1 BRA end ;\nNOP ;\nend:\n",
         "C002"},
        {"R2P of the bit beside it",
         "LOP3.LUT R6, R20, 0x2, RZ, 0xc0, !PT ;\nR2P PR, R6, 0x6 ;\n@P2 BRA end ;\nNOP ;\nend:\n",
         ""},
        {"LDSM",
         "IMAD R7, R0, 0x10, RZ ;\nSTS.64 [R7], R2 ;\nSTS.64 [R7+0x8], R4 ;\n"
         "LDSM.16.M88 R6, [R7] ;\n" STORE("R6"),
         ""},
        {"LDSM of rows with a gap",
         "IMAD R7, R0, 0x10, RZ ;\nSTS.64 [R7], R2 ;\nSTS [R7+0xc], R4 ;\n"
         "LDSM.16.M88 R6, [R7] ;\n" STORE("R6"),
         "C006"},
        {"beside the gap",
         "IMAD R7, R0, 0x10, RZ ;\nSTS.64 [R7], R2 ;\nSTS [R7+0xc], R4 ;\nLDSM.16.M88 R6, [R7] ;\n"
         "LOP3.LUT R8, R0, 0x3, RZ, 0xc0, !PT ;\nISETP.NE.U32.AND P6, PT, R8, 0x2, PT ;\n"
         "@P6 " STORE("R6"),
         ""},
        {"MOVM",
         "@P0 MOV R20, R0 ;\nMOVM.16.MT88 R6, R20 ;\nLOP3.LUT R6, R6, 0xffff, RZ, 0xc0, !PT ;\n"
         "@P0 " STORE("R6"),
         ""},
        {"MOVM, another element", "@P0 MOV R20, R0 ;\nMOVM.16.MT88 R6, R20 ;\n@P0 " STORE("R6"),
         "C006"},
    };
    (void)state;
    init_cases(cases, sizeof cases / sizeof *cases);
}

/* R24 to R31 are A, R32 to R35 B, R36 to R39 C, UR8 to UR11 the modulus' descriptor. */
#define ZERO(reg) "MOV " reg ", RZ ;\n"
#define FACTOR_A                                                                                   \
    "MOV R24, R0 ;\nMOV R25, R0 ;\nMOV R26, R0 ;\nMOV R27, R0 ;\nMOV R28, R0 ;\nMOV R29, R0 ;\n"   \
    "MOV R30, R0 ;\nMOV R31, R0 ;\n"
#define FACTOR_B "MOV R32, R11 ;\nMOV R33, R11 ;\nMOV R34, R11 ;\nMOV R35, R11 ;\n"
#define TERM     ZERO("R36") ZERO("R37") ZERO("R38") ZERO("R39")
#define MODULUS  "UMOV UR8, 0x7 ;\nUMOV UR10, 0x92492492 ;\nUMOV UR11, 0x24924924 ;\n"
#define PRODUCT  "FHEC.16816.U32.U32 R40, R24.ROW, R32.COL, R36, UR8 ;\n" STORE("R40")

static void places(void **state) {
    static const struct init_case cases[] = {
        {"nothing", "", ""},
        {"an address", "LDS R6, [R20] ;\n", "C001"},
        {"its high word",
         "MOV R6, R2 ;\nLOP3.LUT R7, R3, R20, RZ, 0xfc, !PT ;\nLDG.E R6, [R6.64] ;\n", "C001"},
        {"the address of a store", "STS [R20], R0 ;\n", "C001"},
        {"a guard of a store", "@P1 STS [R10], R0 ;\n", "C003"},
        {"a guard of a load that is not used", "@P1 LDS R6, [R10] ;\n", ""},
        {"a branch", "@P1 BRA end ;\nNOP ;\nend:\n", "C002"},
        {"an exit", "@P1 EXIT ;\n", "C002"},
        {"a branch by a uniform predicate",
         "PLOP3.LUT P5, PT, PT, PT, UP1, 0x80, 0x0 ;\n@P5 BRA end ;\nNOP ;\nend:\n", "C002"},
        {"a barrier's number",
         "LOP3.LUT R20, R20, RZ, RZ, 0xc0, !PT ;\nBAR.SYNC R20 ;\nBAR.SYNC R21 ;\n", "C005"},
        {"a mask of lanes", "LOP3.LUT R6, R20, R11, RZ, 0xfc, !PT ;\nWARPSYNC R6 ;\n", ""},
        {"an undefined guard of a barrier", "@!P1 BAR.SYNC 0x0 ;\n", "C005"},
        {"a product", FACTOR_A FACTOR_B TERM MODULUS PRODUCT, ""},
        {"a term of it", FACTOR_A FACTOR_B MODULUS PRODUCT, "C004"},
        {"a modulus", FACTOR_A FACTOR_B TERM "UMOV UR8, 0x7 ;\nUMOV UR10, 0x0 ;\n" PRODUCT, "C004"},
        {"a factor", FACTOR_B TERM MODULUS PRODUCT, "C004"},
        {"a factor beside zeros",
         ZERO("R32") ZERO("R33") ZERO("R34") ZERO("R35") TERM MODULUS PRODUCT, ""},
        {"columns of a factor beside rows of zeros",
         "MOV R24, R0 ;\nMOV R25, R0 ;\nMOV R32, R11 ;\n" ZERO("R33") ZERO("R34") ZERO("R35")
             TERM MODULUS PRODUCT,
         ""},
        {"one column that is not",
         "MOV R24, R0 ;\nMOV R25, R0 ;\nMOV R32, R11 ;\nMOV R33, R11 ;\n" ZERO("R34") ZERO("R35")
             TERM MODULUS PRODUCT,
         "C004"},
        {"IMMA, a factor beside zeros", "IMMA.8816.U8.U8 R8, R10.ROW, R20.COL, RZ ;\n", ""},
        {"IMMA, a factor beside what is not zero", "IMMA.8816.U8.U8 R8, R11.ROW, R20.COL, RZ ;\n",
         "C004"},
        {"IMMA, zeros beside a factor", "IMMA.8816.U8.U8 R8, R20.ROW, R10.COL, RZ ;\n", ""},
        {"HMMA: zero times what may be no number", "HMMA.1688.F32 R24, R10, R20, RZ ;\n", "C004"},
        {"a store that the host reads", STORE("R20"), "C006"},
        {"one that it does not", "STS [R10], R20 ;\n" STORE("R0"), ""},
    };
    (void)state;
    init_cases(cases, sizeof cases / sizeof *cases);
}

static void assert_message(const char *body, const char *wanted, int at, int other) {
    int is_at, is_other;
    char *message = init_message(body, &is_at, &is_other);
    assert_string_equal(message, wanted);
    assert_int_equal(is_at, at);
    assert_int_equal(is_other, other);
    free(message);
}

static void causes(void **state) {
    (void)state;
    assert_message("MOV R6, R20 ;\nIADD3 R6, R6, R0, RZ ;\n" STORE("R6"),
                   "the host reads byte 0 of y, where an undefined value was stored: R20 was never "
                   "written",
                   2, 0);
    assert_message(
        "LDS R6, [R10+0x40] ;\nSTS [R10+0x10], R6 ;\nLDS R7, [R10+0x10] ;\n" STORE("R7"),
        "the host reads byte 0 of y, where an undefined value was stored: byte 64 of s was "
        "never written",
        3, 0);
    assert_message("LDG.E R6, [R4.64+0x84] ;\n" STORE("R0") "@!P0 MOV R6, RZ ;\nLDS R6, [R6] ;\n",
                   "the address depends on R6 of lane 0, which is undefined: byte 132 of y was "
                   "never written",
                   3, 0);
    assert_message("@P0 ISETP.EQ.U32.AND P5, PT, R0, RZ, PT ;\n" STORE("R0") "@P5 BRA end ;\n"
                                                                             "NOP ;\nend:\n",
                   "where the lanes go depends on P5 of lane 1, which is undefined: P5 was never "
                   "written",
                   2, -1);
    assert_message(STORE("R0") "LOP3.LUT R6, R20, 0xf0, RZ, 0xc0, !PT ;\nLDS R6, [R6] ;\n",
                   "the address depends on R6 of lane 0, of which bits 0xf0 are undefined: R20 was "
                   "never written",
                   2, 1);
    assert_message(STORE("R0") FACTOR_A FACTOR_B MODULUS
                   "@!P0 MOV R36, RZ ;\nMOV R37, RZ ;\n"
                   "MOV R38, RZ ;\nMOV R39, RZ ;\nFHEC.16816.U32.U32 R40, R24.ROW, R32.COL, R36, "
                   "UR8 ;\n",
                   "the product depends on C[0][0], R36 of lane 0, which is undefined: R36 was "
                   "never written",
                   20, -1);
    assert_message("MOV R6, R0 ;\n", "the host reads y, of which no one has written a byte", -1,
                   -1);
}

/* Operands of several registers that begin with one of the last: words that no assembler makes. */
static void last_registers(void **state) {
    static const struct {
        const char *text;
        unsigned bit; /* of the operand's number */
    } words[] = {
        {"LDG.E.128 R20, [R2.64]", 16},
        {"STG.E.128 [R4.64], R20", 32},
        {"LDS.128 R20, [R10]", 16},
        {"STS.128 [R10], R20", 32},
        {"IMAD.WIDE.U32 R20, R0, R0, R2", 16},
        {"IMAD.WIDE.U32 R2, R0, R0, R20", 64},
        {"LDSM.16.M88.4 R20, [R10]", 16},
        {"DADD R20, R20, R20", 24},
        {"ATOMS.EXCH.64 R20, [R10], R20", 16},
        {"ATOMS.EXCH.64 R20, [R10], R20", 32},
        {"IMMA.16832.U8.U8 R20, R20.ROW, R20.COL, R20", 24},
    };
    (void)state;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        for (unsigned reg = 252; reg < 256; reg++) {
            char body[200];
            fhec_word word;
            assert_int_equal(fhec_assemble_word(words[i].text, 0, NULL, NULL, &word), FHEC_OK);
            uint64_t *half = words[i].bit < 64 ? &word.lo : &word.hi;
            *half &= ~(UINT64_C(255) << words[i].bit % 64);
            *half |= (uint64_t)reg << words[i].bit % 64;
            snprintf(body, sizeof body, ".inst 0x%016llx, 0x%016llx\n", (unsigned long long)word.lo,
                     (unsigned long long)word.hi);
            init_survives(body);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(memory), cmocka_unit_test(between_lanes),  cmocka_unit_test(places),
        cmocka_unit_test(causes), cmocka_unit_test(last_registers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

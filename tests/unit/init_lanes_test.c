/*
 * init_lanes_test.c - undefined bits through instructions of lanes: each rule has a case in which
 * they come to a place that matters and a neighbour in which they do not.
 */
#include "init_util.h"

/* A result that the host reads. */
#define STORE(reg) "STG.E [R4.64], " reg " ;\n"
/* Decides a branch by bits of R6. */
#define BRANCH "ISETP.NE.U32.AND P5, PT, R6, RZ, PT ;\n@P5 BRA end ;\nNOP ;\nend:\n"

static void moves(void **state) {
    static const struct init_case cases[] = {
        {"MOV", "MOV R6, R20 ;\n" STORE("R6"), "C006"},
        {"MOV of what is written", "MOV R20, R0 ;\nMOV R6, R20 ;\n" STORE("R6"), ""},
        {"through RZ", "MOV RZ, R20 ;\n" STORE("RZ"), ""},
        {"IMAD.MOV", "IMAD.MOV.U32 R6, RZ, RZ, R20 ;\n" STORE("R6"), "C006"},
        {"a lane that is not written", "@P0 MOV R20, R0 ;\n" STORE("R20"), "C006"},
        {"the lane that is", "@P0 MOV R20, R0 ;\n@P0 " STORE("R20"), ""},
        {"both sides", "@P0 MOV R20, R0 ;\n@!P0 MOV R20, RZ ;\n" STORE("R20"), ""},
        {"SEL of the defined one", "SEL R6, R20, R0, !PT ;\n" STORE("R6"), ""},
        {"SEL of the other one", "SEL R6, R20, R0, PT ;\n" STORE("R6"), "C006"},
        {"SEL by lane", "SEL R6, R20, R0, P0 ;\n@!P0 " STORE("R6"), ""},
        {"SEL by an undefined predicate", "SEL R6, R0, R11, P1 ;\n" STORE("R6"), "C006"},
        {"SEL of the same", "SEL R6, R0, R0, P1 ;\n" STORE("R6"), ""},
        {"uniform", "UMOV UR6, UR20 ;\nMOV R6, UR6 ;\n" STORE("R6"), "C006"},
        {"uniform, written", "UMOV UR6, UR4 ;\nMOV R6, UR6 ;\n" STORE("R6"), ""},
        {"an undefined guard", "@P1 MOV R6, R0 ;\n@!P1 MOV R6, R0 ;\n" STORE("R6"), "C006"},
        {"a half of a wide result", "IMAD.WIDE.U32 R6, R0, R20, RZ ;\n" STORE("R7"), "C006"},
    };
    (void)state;
    init_cases(cases, sizeof cases / sizeof *cases);
}

static void logic(void **state) {
    static const struct init_case cases[] = {
        {"and with zeros", "LOP3.LUT R6, R20, R10, RZ, 0xc0, !PT ;\n" STORE("R6"), ""},
        {"and with ones", "LOP3.LUT R6, R20, R11, RZ, 0xc0, !PT ;\n" STORE("R6"), "C006"},
        {"or with ones", "LOP3.LUT R6, R20, R11, RZ, 0xfc, !PT ;\n" STORE("R6"), ""},
        {"or with zeros", "LOP3.LUT R6, R20, R10, RZ, 0xfc, !PT ;\n" STORE("R6"), "C006"},
        {"ULOP3, and with zeros",
         "ULOP3.LUT UR6, UR20, URZ, URZ, 0xc0, !UPT ;\nMOV R6, UR6 ;\n" STORE("R6"), ""},
        {"ULOP3, or with zeros",
         "ULOP3.LUT UR6, UR20, URZ, URZ, 0xfc, !UPT ;\nMOV R6, UR6 ;\n" STORE("R6"), "C006"},
        {"a constant table", "LOP3.LUT R6, R20, R21, R22, 0xff, !PT ;\n" STORE("R6"), ""},
        {"a table that leaves B out", "LOP3.LUT R6, R0, R20, R10, 0xf0, !PT ;\n" STORE("R6"), ""},
        {"xor with itself is not known", "LOP3.LUT R6, R20, R20, RZ, 0x3c, !PT ;\n" STORE("R6"),
         "C006"},
        {"bits apart, masked away",
         "LOP3.LUT R6, R20, 0xff00, RZ, 0xc0, !PT ;\nLOP3.LUT R6, R6, 0xff, RZ, 0xc0, !PT "
         ";\n" STORE("R6"),
         ""},
        {"bits apart, not all",
         "LOP3.LUT R6, R20, 0xff00, RZ, 0xc0, !PT ;\nLOP3.LUT R6, R6, 0x1ff, RZ, 0xc0, !PT "
         ";\n" STORE("R6"),
         "C006"},
        {"Pu of a result with a defined one",
         "LOP3.LUT R6, R20, 0xff, R11, 0xea, !PT ;\nLOP3.LUT P5, RZ, R20, R11, RZ, 0xfc, !PT ;\n"
         "@P5 BRA end ;\nNOP ;\nend:\n",
         ""},
        {"Pu of an undefined one",
         "LOP3.LUT P5, RZ, R20, R11, RZ, 0xc0, !PT ;\n@P5 BRA end ;\nNOP ;\nend:\n", "C002"},
        {"Pu of a result with a defined one of C",
         "LOP3.LUT R6, R20, 0xff, RZ, 0xc0, !PT ;\nMOV R7, 0xff00 ;\n"
         "LOP3.LUT P5, RZ, R6, RZ, R7, 0xfa, !PT ;\n@P5 BRA end ;\nNOP ;\nend:\n",
         ""},
        {"Pu of one with none of C",
         "LOP3.LUT R6, R20, 0xff, RZ, 0xc0, !PT ;\n"
         "LOP3.LUT P5, RZ, R6, RZ, R10, 0xfa, !PT ;\n@P5 BRA end ;\nNOP ;\nend:\n",
         "C002"},
        {"Pu of one with a defined one of B",
         "LOP3.LUT R6, R20, 0xff, RZ, 0xc0, !PT ;\nMOV R7, 0xff00 ;\n"
         "LOP3.LUT P5, RZ, R6, R7, RZ, 0xfc, !PT ;\n@P5 BRA end ;\nNOP ;\nend:\n",
         ""},
        {"Pu of one with none of B",
         "LOP3.LUT R6, R20, 0xff, RZ, 0xc0, !PT ;\n"
         "LOP3.LUT P5, RZ, R6, R10, RZ, 0xfc, !PT ;\n@P5 BRA end ;\nNOP ;\nend:\n",
         "C002"},
        {"Pu, decided by Pp",
         "LOP3.LUT P5, RZ, R20, R11, RZ, 0xc0, PT ;\n@P5 BRA end ;\nNOP ;\nend:\n", ""},
        {"PLOP3, decided",
         "PLOP3.LUT P5, PT, P1, !PT, PT, 0x80, 0x0 ;\n@P5 BRA end ;\nNOP ;\nend:\n", ""},
        {"PLOP3, not decided",
         "PLOP3.LUT P5, PT, P1, PT, PT, 0x80, 0x0 ;\n@P5 BRA end ;\nNOP ;\nend:\n", "C002"},
    };
    (void)state;
    init_cases(cases, sizeof cases / sizeof *cases);
}

static void shifts(void **state) {
    /* R6: the low byte is undefined */
#define LOW "LOP3.LUT R6, R20, 0xff, RZ, 0xc0, !PT ;\n"
    static const struct init_case cases[] = {
        {"shifted out", LOW "SHF.R.U32.HI R6, RZ, 0x8, R6 ;\n" STORE("R6"), ""},
        {"one bit left", LOW "SHF.R.U32.HI R6, RZ, 0x7, R6 ;\n" STORE("R6"), "C006"},
        {"to the left, cut",
         LOW "SHF.L.U32 R6, R6, 0x10, RZ ;\nLOP3.LUT R6, R6, 0xffff, RZ, 0xc0, !PT ;\n" STORE("R6"),
         ""},
        {"to the left",
         LOW
         "SHF.L.U32 R6, R6, 0x10, RZ ;\nLOP3.LUT R6, R6, 0x1ffff, RZ, 0xc0, !PT ;\n" STORE("R6"),
         "C006"},
        {"an undefined sign",
         "LOP3.LUT R6, R20, 0x80000000, RZ, 0xc0, !PT ;\nSHF.R.S32.HI R6, RZ, 0x1f, R6 ;\n"
         "LOP3.LUT R6, R6, 0x1, RZ, 0xc0, !PT ;\n" STORE("R6"),
         "C006"},
        {"zeros shifted in",
         "LOP3.LUT R6, R20, 0x80000000, RZ, 0xc0, !PT ;\nSHF.R.U32.HI R6, RZ, 0x4, R6 ;\n"
         "LOP3.LUT R6, R6, 0xf0000000, RZ, 0xc0, !PT ;\n" STORE("R6"),
         ""},
        {"funnel",
         LOW
         "SHF.R.U64 R6, R0, 0x8, R6 ;\nLOP3.LUT R6, R6, 0xffffff, RZ, 0xc0, !PT ;\n" STORE("R6"),
         ""},
        {"an undefined count", "SHF.L.U32 R6, R0, R20, RZ ;\n" STORE("R6"), "C006"},
        {"a count's high bits, wrapped",
         "LOP3.LUT R6, R20, 0x100, RZ, 0xc0, !PT ;\nSHF.L.W.U32 R6, R0, R6, RZ ;\n" STORE("R6"),
         ""},
        {"a count's high bits, not wrapped",
         "LOP3.LUT R6, R20, 0x100, RZ, 0xc0, !PT ;\nSHF.L.U32 R6, R0, R6, RZ ;\n" STORE("R6"),
         "C006"},
        {"PRMT of other bytes", LOW "PRMT R6, R6, 0x7321, R0 ;\n" STORE("R6"), ""},
        {"PRMT of the byte", LOW "PRMT R6, R6, 0x7320, R0 ;\n" STORE("R6"), "C006"},
        {"PRMT of its sign", LOW "PRMT R6, R6, 0x7328, R0 ;\n" STORE("R6"), "C006"},
        {"PRMT, selector", "PRMT R6, R0, R20, R0 ;\n" STORE("R6"), "C006"},
        {"PRMT, selector's unused half",
         "LOP3.LUT R6, R20, 0xffff0000, RZ, 0xc0, !PT ;\nPRMT R6, R0, R6, R0 ;\n" STORE("R6"), ""},
        {"SGXT of defined bits",
         "LOP3.LUT R6, R20, 0xff00, RZ, 0xc0, !PT ;\nSGXT R6, R6, 0x8 ;\n" STORE("R6"), ""},
        {"SGXT of an undefined sign", LOW "SGXT R6, R6, 0x8 ;\n" STORE("R6"), "C006"},
        {"BREV", LOW "BREV R6, R6 ;\nLOP3.LUT R6, R6, 0xffffff, RZ, 0xc0, !PT ;\n" STORE("R6"), ""},
        {"BREV, the byte",
         LOW "BREV R6, R6 ;\nLOP3.LUT R6, R6, 0x1ffffff, RZ, 0xc0, !PT ;\n" STORE("R6"), "C006"},
        {"FLO below a defined one",
         LOW "LOP3.LUT R6, R6, 0x100, RZ, 0xfc, !PT ;\nFLO.U32 R6, R6 ;\n" STORE("R6"), ""},
        {"FLO of an undefined one", LOW "FLO.U32 R6, R6 ;\n" STORE("R6"), "C006"},
        {"POPC", LOW "POPC R6, R6 ;\n" STORE("R6"), "C006"},
    };
    (void)state;
    init_cases(cases, sizeof cases / sizeof *cases);
}

static void arithmetic(void **state) {
    /* R6: bits 15:8 are undefined */
#define MIDDLE     "LOP3.LUT R6, R20, 0xff00, RZ, 0xc0, !PT ;\n"
#define P5_DEFINED "ISETP.EQ.U32.AND P5, PT, R0, RZ, PT ;\n"
#define P5_BRANCH  "@P5 BRA end ;\nNOP ;\nend:\n"
    static const struct init_case cases[] = {
        {"bits below a sum's",
         MIDDLE "IADD3 R6, R6, R0, RZ ;\nLOP3.LUT R6, R6, 0xff, RZ, 0xc0, !PT ;\n" STORE("R6"), ""},
        {"bits above, by carries",
         MIDDLE "IADD3 R6, R6, R0, RZ ;\nLOP3.LUT R6, R6, 0x10000, RZ, 0xc0, !PT ;\n" STORE("R6"),
         "C006"},
        {"a carry that cannot be",
         MIDDLE "IADD3 R7, P5, R6, R0, RZ ;\n@P5 BRA end ;\nNOP ;\nend:\n", ""},
        {"a carry that can", "IADD3 R7, P5, R20, R0, RZ ;\n@P5 BRA end ;\nNOP ;\nend:\n", "C002"},
        {"a carry of LEA", P5_DEFINED "LEA R7, P5, R20, R0, 0x4 ;\n" P5_BRANCH, "C002"},
        {"no carry of LEA", "LEA R7, P5, R0, R0, 0x4 ;\n" P5_BRANCH, ""},
        {"a carry of IMAD", P5_DEFINED "IMAD.WIDE.U32 R6, P5, R20, R0, R2 ;\n" P5_BRANCH, "C002"},
        {"no carry of IMAD", "IMAD.WIDE.U32 R6, P5, R20, RZ, R2 ;\n" P5_BRANCH, ""},
        {"a carry in", "IADD3.X R6, R0, R0, RZ, P1, !PT ;\n" STORE("R6"), "C006"},
        {"LEA",
         MIDDLE "LEA R6, R6, R0, 0x4 ;\nLOP3.LUT R6, R6, 0xfff, RZ, 0xc0, !PT ;\n" STORE("R6"), ""},
        {"LEA, its bits",
         MIDDLE "LEA R6, R6, R0, 0x4 ;\nLOP3.LUT R6, R6, 0x1fff, RZ, 0xc0, !PT ;\n" STORE("R6"),
         "C006"},
        {"times zero", "IMAD R6, R20, RZ, R0 ;\n" STORE("R6"), ""},
        {"times a zero in a register", "IMAD R6, R20, R10, R0 ;\n" STORE("R6"), ""},
        {"zero times it, the high word", "IMAD.WIDE.U32 R6, R10, R20, RZ ;\n" STORE("R7"), ""},
        {"times zero, the high word", "IMAD.WIDE.U32 R6, R20, R10, RZ ;\n" STORE("R7"), ""},
        {"times zero, with a sign", "IMAD.WIDE R6, R20, R10, RZ ;\n" STORE("R7"), ""},
        {"times one, the high word", "IMAD.WIDE.U32 R6, R20, 0x1, RZ ;\n" STORE("R7"), ""},
        {"times one, with a sign", "IMAD.WIDE R6, R20, 0x1, RZ ;\n" STORE("R7"), "C006"},
        {"times three, the high word", "IMAD.WIDE.U32 R6, R20, 0x3, RZ ;\n" STORE("R7"), "C006"},
        {"times one", "IMAD R6, R20, 0x1, R0 ;\n" STORE("R6"), "C006"},
        {"times 256",
         "IMAD.SHL.U32 R6, R20, 0x100, RZ ;\nLOP3.LUT R6, R6, 0xff, RZ, 0xc0, !PT ;\n" STORE("R6"),
         ""},
        {"times 128",
         "IMAD.SHL.U32 R6, R20, 0x80, RZ ;\nLOP3.LUT R6, R6, 0xff, RZ, 0xc0, !PT ;\n" STORE("R6"),
         "C006"},
        {"the high word of a product by a power of two",
         MIDDLE "IMAD.WIDE.U32 R6, R6, 0x100, RZ ;\n" STORE("R7"), ""},
        {"and of another one", MIDDLE "IMAD.WIDE.U32 R6, R6, 0x101, RZ ;\n" STORE("R7"), "C006"},
        {"floating point", "FADD R6, R20, R0 ;\n" STORE("R6"), "C006"},
        {"modular", "I2F.U32 R6, R0 ;\nFMUL R6, R6, R6 ;\n" STORE("R6"), ""},
        {"IMNMX", "IMNMX.U32 R6, R20, R0, PT ;\n" STORE("R6"), "C006"},
        {"I2F of a byte",
         "LOP3.LUT R6, R20, 0xff00, RZ, 0xc0, !PT ;\nI2F.U8 R6, R6 ;\n" STORE("R6"), ""},
        {"I2F of the other byte",
         "LOP3.LUT R6, R20, 0xff00, RZ, 0xc0, !PT ;\nI2F.U8 R6, R6.B1 ;\n" STORE("R6"), "C006"},
        {"half by half",
         "LOP3.LUT R6, R20, 0xffff, RZ, 0xc0, !PT ;\nHADD2 R6, R6, R0 ;\n"
         "SHF.R.U32.HI R6, RZ, 0x10, R6 ;\n" STORE("R6"),
         ""},
        {"a half that is not read",
         "LOP3.LUT R6, R20, 0xffff0000, RZ, 0xc0, !PT ;\nHADD2 R6, R6.H0_H0, R0 ;\n" STORE("R6"),
         ""},
        {"the other half",
         "LOP3.LUT R6, R20, 0xffff, RZ, 0xc0, !PT ;\nHADD2 R6, R6.H0_H0, R0 ;\n"
         "SHF.R.U32.HI R6, RZ, 0x10, R6 ;\n" STORE("R6"),
         "C006"},
    };
    (void)state;
    init_cases(cases, sizeof cases / sizeof *cases);
}

/* The part of a register that a conversion reads, and what is beside it. */
static void conversions(void **state) {
#define EXCEPT(mask) "LOP3.LUT R6, R20, " mask ", RZ, 0xc0, !PT ;\n"
    static const struct init_case cases[] = {
        {"I2F of byte 0", EXCEPT("0xffffff00") "I2F.U8 R6, R6 ;\n" STORE("R6"), ""},
        {"of its highest bit", EXCEPT("0x80") "I2F.U8 R6, R6 ;\n" STORE("R6"), "C006"},
        {"of its lowest one", EXCEPT("0x1") "I2F.U8 R6, R6 ;\n" STORE("R6"), "C006"},
        {"I2F of byte 1", EXCEPT("0xffff00ff") "I2F.U8 R6, R6.B1 ;\n" STORE("R6"), ""},
        {"of its highest bit", EXCEPT("0x8000") "I2F.U8 R6, R6.B1 ;\n" STORE("R6"), "C006"},
        {"of its lowest one", EXCEPT("0x100") "I2F.U8 R6, R6.B1 ;\n" STORE("R6"), "C006"},
        {"I2F of byte 2", EXCEPT("0xff00ffff") "I2F.U8 R6, R6.B2 ;\n" STORE("R6"), ""},
        {"of its highest bit", EXCEPT("0x800000") "I2F.U8 R6, R6.B2 ;\n" STORE("R6"), "C006"},
        {"of its lowest one", EXCEPT("0x10000") "I2F.U8 R6, R6.B2 ;\n" STORE("R6"), "C006"},
        {"I2F of byte 3", EXCEPT("0xffffff") "I2F.U8 R6, R6.B3 ;\n" STORE("R6"), ""},
        {"of its highest bit", EXCEPT("0x80000000") "I2F.U8 R6, R6.B3 ;\n" STORE("R6"), "C006"},
        {"of its lowest one", EXCEPT("0x1000000") "I2F.U8 R6, R6.B3 ;\n" STORE("R6"), "C006"},
        {"I2F of the low half", EXCEPT("0xffff0000") "I2F.U16 R6, R6 ;\n" STORE("R6"), ""},
        {"of its highest bit", EXCEPT("0x8000") "I2F.U16 R6, R6 ;\n" STORE("R6"), "C006"},
        {"of its lowest one", EXCEPT("0x1") "I2F.U16 R6, R6 ;\n" STORE("R6"), "C006"},
        {"I2F of the high half", EXCEPT("0xffff") "I2F.U16 R6, R6.H1 ;\n" STORE("R6"), ""},
        {"of its highest bit", EXCEPT("0x80000000") "I2F.U16 R6, R6.H1 ;\n" STORE("R6"), "C006"},
        {"of its lowest one", EXCEPT("0x10000") "I2F.U16 R6, R6.H1 ;\n" STORE("R6"), "C006"},
    };
    (void)state;
    init_cases(cases, sizeof cases / sizeof *cases);
}

static void comparisons(void **state) {
    static const struct init_case cases[] = {
        {"of an undefined register", "MOV R6, R20 ;\n" BRANCH, "C002"},
        {"of a defined one", "MOV R6, R0 ;\n" BRANCH, ""},
        {"different in a defined bit", "LOP3.LUT R6, R20, 0x100, RZ, 0xfc, !PT ;\n" BRANCH, ""},
        {"below whatever the bits are",
         "LOP3.LUT R6, R20, 0xff, RZ, 0xc0, !PT ;\nISETP.LT.U32.AND P5, PT, R6, 0x100, PT ;\n"
         "@P5 BRA end ;\nNOP ;\nend:\n",
         ""},
        {"below or not",
         "LOP3.LUT R6, R20, 0xff, RZ, 0xc0, !PT ;\nISETP.LT.U32.AND P5, PT, R6, 0xff, PT ;\n"
         "@P5 BRA end ;\nNOP ;\nend:\n",
         "C002"},
        {"signed: the sign decides",
         "LOP3.LUT R6, R20, 0x80000000, RZ, 0xfc, !PT ;\nISETP.LT.AND P5, PT, R6, RZ, PT ;\n"
         "@P5 BRA end ;\nNOP ;\nend:\n",
         ""},
        {"unsigned: it does not",
         "LOP3.LUT R6, R20, 0x80000000, RZ, 0xfc, !PT ;\nISETP.GT.U32.AND P5, PT, R6, R11, PT ;\n"
         "ISETP.GE.U32.AND P5, PT, R6, R11, PT ;\n@P5 BRA end ;\nNOP ;\nend:\n",
         "C002"},
        {"and with false", "ISETP.EQ.U32.AND P5, PT, R20, RZ, !PT ;\n@P5 BRA end ;\nNOP ;\nend:\n",
         ""},
        {"or with true", "ISETP.EQ.U32.OR P5, PT, R20, RZ, PT ;\n@P5 BRA end ;\nNOP ;\nend:\n", ""},
        {"or with false", "ISETP.EQ.U32.OR P5, PT, R20, RZ, !PT ;\n@P5 BRA end ;\nNOP ;\nend:\n",
         "C002"},
        {"extended: high words decide",
         "ISETP.LT.U32.AND P5, PT, R20, RZ, PT ;\nISETP.LT.U32.AND.EX P5, PT, R10, R11, PT, P5 ;\n"
         "@P5 BRA end ;\nNOP ;\nend:\n",
         ""},
        {"extended: low words decide",
         "ISETP.LT.U32.AND P5, PT, R20, R0, PT ;\nISETP.LT.U32.AND.EX P5, PT, R10, R10, PT, P5 ;\n"
         "@!P0 BRA next ;\nnext:\n@P5 BRA end ;\nNOP ;\nend:\n",
         "C002"},
        {"floating point", "FSETP.GT.AND P5, PT, R20, R0, PT ;\n@P5 BRA end ;\nNOP ;\nend:\n",
         "C002"},
        {"floating point and false",
         "FSETP.GT.AND P5, PT, R20, R0, !PT ;\n@P5 BRA end ;\nNOP ;\nend:\n", ""},
    };
    (void)state;
    init_cases(cases, sizeof cases / sizeof *cases);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(moves),      cmocka_unit_test(logic),       cmocka_unit_test(shifts),
        cmocka_unit_test(arithmetic), cmocka_unit_test(conversions), cmocka_unit_test(comparisons),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

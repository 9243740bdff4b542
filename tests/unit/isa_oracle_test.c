/*
 * Real instructions and the text that nvdisasm gave for them: every record whose mnemonic fhec
 * describes must print as that text and encode to that word. The folder of the files is named by
 * the environment variable FHEC_ORACLES; without them the tests are skipped. Textures
 * and surfaces are not described.
 */
#include "isa_util.h"

struct tally {
    unsigned matched, wrong;
    struct {
        char root[16];
        unsigned count;
    } other[256];
    unsigned others;
};

static void count_other(struct tally *tally, const char *mnemonic, size_t length) {
    for (unsigned i = 0; i < tally->others; i++) {
        if (strlen(tally->other[i].root) == length &&
            memcmp(tally->other[i].root, mnemonic, length) == 0) {
            tally->other[i].count++;
            return;
        }
    }
    assert_true(tally->others < COUNT_OF(tally->other) && length < sizeof tally->other[0].root);
    memcpy(tally->other[tally->others].root, mnemonic, length);
    tally->other[tally->others++].count = 1;
}

static fhec_word parse_word(const char *hex) {
    char high[17];
    assert_true(strlen(hex) == 34 && hex[0] == '0' && hex[1] == 'x');
    memcpy(high, hex + 2, 16);
    high[16] = '\0';
    return (fhec_word){strtoull(hex + 18, NULL, 16), strtoull(high, NULL, 16)};
}

static void one_record(struct tally *tally, uint64_t address, fhec_word word, const char *want) {
    const char *mnemonic = want;
    if (*want == '@')
        mnemonic = strchr(want, ' ') + 1;
    unsigned first;
    size_t root = strcspn(mnemonic, ". ");
    if (fh_insns_of_root(mnemonic, root, &first) == 0) {
        count_other(tally, mnemonic, root);
        return;
    }
    struct fh_inst inst;
    char text[256] = "(no instruction)";
    fhec_word again = {0, 0};
    if (fh_decode(word, &inst)) {
        fh_print(&inst, address, FHEC_DIS_NVDISASM, text, sizeof text);
        again = fh_encode(&inst);
    }
    if (strcmp(text, want) == 0 && same_word(again, word)) {
        tally->matched++;
        return;
    }
    tally->wrong++;
    print_message("# 0x%016" PRIx64 "%016" PRIx64
                  "\n#   wanted %s\n#   got    %s, encoded 0x%016" PRIx64 "%016" PRIx64 "\n",
                  word.hi, word.lo, want, text, again.hi, again.lo);
}

static void records(struct tally *tally, FILE *file) {
    char line[512];
    while (fgets(line, sizeof line, file)) {
        char *rest = NULL, *address = strtok_r(line, "\t", &rest);
        char *word = strtok_r(NULL, "\t", &rest), *text = strtok_r(NULL, "\n", &rest);
        assert_non_null(text);
        size_t length = strlen(text); /* without the end of the line: " ;", and ";" after NOP */
        for (const char *end = "; "; *end && length && text[length - 1] == *end; end++)
            text[--length] = '\0';
        one_record(tally, strtoull(address, NULL, 16), parse_word(word), text);
    }
}

static void check_pairs(const char *name, unsigned least) {
    const char *folder = getenv("FHEC_ORACLES");
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", folder ? folder : "../shared/oracles", name);
    FILE *file = fopen(path, "r");
    if (!file) {
        print_message("# SKIP: no file %s\n", path);
        skip();
    }
    struct tally tally = {0};
    records(&tally, file);
    fclose(file);
    unsigned outside = 0;
    for (unsigned i = 0; i < tally.others; i++)
        outside += tally.other[i].count;
    print_message("# %u records match, %u do not, %u of %u mnemonics that are not described:",
                  tally.matched, tally.wrong, outside, tally.others);
    for (unsigned i = 0; i < tally.others; i++)
        print_message(" %s %u", tally.other[i].root, tally.other[i].count);
    print_message("\n");
    assert_int_equal(tally.wrong, 0);
    assert_true(tally.matched >= least);
}

static void pairs_of_sm80(void **state) {
    (void)state;
    check_pairs("sm80-pairs.tsv", 1840);
}

static void pairs_of_sm86(void **state) {
    (void)state;
    check_pairs("sm86-pairs.tsv", 1601);
}

/* Recorded ones that were wrong once. */
static void some_recorded_pairs(void **state) {
    (void)state;
    static const struct {
        fhec_word word;
        const char *text;
    } pairs[] = {
        {{0x00c00000ff117b82, 0x0000000000000200}, "LDC.S8 R17, c[0x3][RZ]"},
        {{0x00006000ff090b82, 0x0000000000000400}, "@P0 LDC.U16 R9, c[0x0][0x180]"},
        {{0x0000000007ff7f8a, 0x000000000d1ea13f},
         "ATOM.E.POPC.INC.32.STRONG.SM PT, RZ, [R7.U32+URZ]"},
        {{0x00000000ffff7f8a, 0x000000000d1ea106}, "ATOM.E.POPC.INC.32.STRONG.SM PT, RZ, [UR6]"},
        {{0x0000000affff898a, 0x00000000081ea166}, "@!P0 ATOM.E.ADD.STRONG.SM PT, RZ, [UR38], R10"},
        {{0x0000001eff04798a, 0x000000000810ec18},
         "ATOM.ADD.F64.RN.STRONG.GPU P0, R4, [UR24], R30"},
        {{0x00000000ff007986, 0x000000000c10e910}, "STG.E.STRONG.GPU [UR16], R0"},
        {{0x00000006ff057981, 0x00000000081e8400}, "LDG.U16.CONSTANT R5, [UR6]"},
        /* what ptxas writes for sm_86, and, moves of barriers, for sm_87 only */
        {{0x00000007000f7245, 0x0800000000201400}, "I2FP.F32.S32 R15, R7.reuse"},
        {{0x0000000700117245, 0x000000000020d400}, "I2FP.F32.S32.RZ R17, R7"},
        {{0x00000300000f7a45, 0x0000000000201000}, "I2FP.F32.U32 R15, c[0x0][0xc]"},
        {{0x00000004ff067243, 0x00000000000004ff}, "F2IP.U8.F32.NTZ R6, RZ, R4, RZ"},
        {{0x00000000ff057243, 0x000000000000c4ff}, "F2IP.U8.F32.TRUNC.NTZ R5, RZ, R0, RZ"},
        {{0x00000004030b7231, 0x0000000000400c00}, "HFMA2 R11, R3.H1_H1, R4.H0_NH1, R0"},
        {{0x00000004030b7231, 0x0000000000600c00}, "HFMA2.BF16_V2 R11, R3.H1_H1, R4.H0_NH1, R0"},
        {{0xffffffff00007956, 0x0000000000000000}, "BMOV.32 B0, 0xffffffff"},
        {{0x0000000001027f55, 0x0000000000100000}, "BMOV.32.CLEAR B2, B1"},
        /* places in banks, addresses without registers, what is left out when zero, control
           registers */
        {{0x00f2c800000b7a02, 0x0000000000000f00}, "MOV R11, c[0x3][-0x34e0]"},
        {{0x00e00000000b7a02, 0x0000000000000f00}, "MOV R11, c[0x3][-0x8000]"},
        {{0x00dfff00000b7a02, 0x0000000000000f00}, "MOV R11, c[0x3][0x7ffc]"},
        {{0x00fffe00ff047b82, 0x0000000000000a00}, "LDC.64 R4, c[0x3][-0x8]"},
        {{0x00f2c800040b7b82, 0x0000000000000800}, "LDC R11, c[0x3][R4+-0x34e0]"},
        {{0x00e00000040b7b82, 0x0000000000004800}, "LDC.IL R11, c[0x3][R4+-0x8000]"},
        {{0x00f2c800000b7ab9, 0x0000000000000800}, "ULDC UR11, c[0x3][-0x34e0]"},
        {{0x00e00000040a7abb, 0x0000000008000a00}, "ULDC.64 UR10, c[0x3][UR4+-0x8000]"},
        {{0xffffd004ff007387, 0x0000000000100c00}, "STL.128 [0xffffd0], R4"},
        {{0x80001000ff087984, 0x0000000000000800}, "LDS R8, [0x800010]"},
        {{0xfffff800ff087983, 0x0000000000100a00}, "LDL.64 R8, [0xfffff8]"},
        {{0xfffffc00ff087381, 0x00000000001e0900}, "LDG.E R8, [0xfffffc]"},
        {{0xfffffc08ff08738c, 0x0000000000000000}, "ATOMS.ADD R8, [0xfffffc], R8"},
        {{0x80000010ff087980, 0x0000000000100800}, "LD R8, [0x80000010]"},
        {{0xfffffffcff007385, 0x0000000000100908}, "ST.E [0xfffffffc], R8"},
        {{0x80000010ff00798f, 0x0000000000000000}, "CCTL.PF1 [0x80000010]"},
        {{0xfffff000ff007990, 0x0000000001000000}, "CCTLL.WB [0xfffff0]"},
        {{0xfffff000ff08783b, 0x0000000000000000}, "LDSM.16.M88 R8, [-0x10]"},
        {{0x8001000008ff7fae, 0x0000000008120800}, "LDGSTS.E [-0x7fff0], [R8.U32+UR0], P0"},
        {{0xfffff03fff087984, 0x0000000008000800}, "LDS R8, [URZ+-0x10]"},
        {{0x000000000000795c, 0x0000000000500000}, "BPT.DRAIN"},
        {{0x000000000000795c, 0x0000000000300000}, "BPT.TRAP"},
        {{0x000000040000795c, 0x0000000000400000}, "BPT.INT 0x1"},
        {{0x0000000002007949, 0x0000000003800000}, "BRX R2"},
        {{0xfffffc7002007949, 0x000000000383ffff}, "BRX R2 -0x390"},
        {{0x0000000002007949, 0x0000000005200000}, "BRX.INC !P2, R2"},
        {{0x0000000004007958, 0x000000000b800000}, "BRXU UR4"},
        {{0x000000000600794c, 0x0000000003800000}, "JMX R6"},
        {{0x000000100600794c, 0x0000000003800000}, "JMX R6 0x10"},
        {{0x0000000517007356, 0x0000000000000000}, "BMOV.32 TRAP_RETURN_MASK, R5"},
        {{0x000000051c007356, 0x0000000000100000}, "BMOV.32.PQUAD OPT_STACK, R5"},
        {{0x000000051a007956, 0x0000000000000000}, "BMOV.32 MACTIVE, 0x5"},
        {{0x0000580014007b56, 0x0000000000000000}, "BMOV.32 THREAD_STATE_ENUM.4, c[0x0][0x160]"},
        {{0x000000051b007d56, 0x0000000008000000}, "BMOV.32 MATEXIT, UR5"},
        {{0x000000001d027f56, 0x0000000000000000}, "BMOV.32 API_CALL_DEPTH, B2"},
        {{0x0000000015027355, 0x0000000000000000}, "BMOV.32 R2, TRAP_RETURN_PC.LO"},
        {{0x0000000019027355, 0x0000000000100000}, "BMOV.32.CLEAR R2, MKILL"},
        {{0x000000001f027355, 0x0000000000000000}, "BMOV.32 R2, ATEXIT_PC.HI"},
        {{0x000000001c027f55, 0x0000000000000000}, "BMOV.32 B2, OPT_STACK"},
    };
    for (size_t i = 0; i < COUNT_OF(pairs); i++) {
        char text[128];
        (void)fhec_disassemble(pairs[i].word, 0, FHEC_DIS_NVDISASM, text, sizeof text);
        assert_string_equal(text, pairs[i].text);
        fhec_word word;
        assert_int_equal(fhec_assemble_word(pairs[i].text, 0, NULL, NULL, &word), FHEC_OK);
        assert_true(same_word(word, pairs[i].word));
    }
}

/* With default flags the descriptor shows, and a text of its own is the same word. */
static void descriptors_show_by_default(void **state) {
    (void)state;
    char text[128];
    /* opcode 0x1981 with bits 76 (descriptor) and 90 (64-bit base), UR 37:32 = 4, R2 + 4 */
    fhec_word word = {0x0000040402057981, 0x0c1e1900};
    fhec_disassemble(word, 0, FHEC_DIS_NVDISASM, text, sizeof text);
    assert_string_equal(text, "LDG.E R5, [R2.64+0x4]");
    fhec_disassemble(word, 0, 0, text, sizeof text);
    assert_string_equal(text, "LDG.E R5, desc[UR4][R2.64+0x4]");
    word.hi |= UINT64_C(1) << 37; /* bit 101 */
    fhec_disassemble(word, 0, FHEC_DIS_NVDISASM, text, sizeof text);
    assert_string_equal(text, "LDG.E R5, desc[UR4][R2.64+0x4]");
}

static void control_prefix(void **state) {
    (void)state;
    char text[128];
    /* stall 3, no yield, write barrier 2, read barrier none, waits for 0 and 4; reuse of A and B */
    uint64_t control = 3 | 1U << 4 | 2U << 5 | 7U << 8 | 0x11U << 11 | 3U << 17;
    fhec_word word = {0x0000000504067210, 0x07ffe0ff | control << 41};
    fhec_disassemble(word, 0, FHEC_DIS_CONTROL, text, sizeof text);
    assert_string_equal(text, "[B0---4-:R-:W2:-:S03] IADD3 R6, R4.reuse, R5.reuse, RZ");
    fhec_disassemble((fhec_word){0x0000000504067210, 0x07ffe0ff}, 0, FHEC_DIS_CONTROL, text,
                     sizeof text);
    assert_string_equal(text, "[B------:R0:W0:Y:S00] IADD3 R6, R4, R5, RZ");
}

/* What nvdisasm shows of addresses without a base register, whatever their widths and strides; the
 * text that is an address of this word only shows them. */
static void some_hidden_widths(void **state) {
    (void)state;
    static const struct {
        fhec_word word;
        const char *shown, *exact;
    } pairs[] = {
        {{0x80001008ff08798a, 0x0000000008000904},
         "ATOM.E.ADD.EF.F16x2.RN P0, R8, [UR4+-0x7ffff0], R8",
         "ATOM.E.ADD.EF.F16x2.RN P0, R8, [RZ.U32+UR4+-0x7ffff0], R8"},
        {{0x80001008ff00798e, 0x000000000c000804},
         "RED.ADD.EF.F16x2.RN [UR4+-0x7ffff0], R8",
         "RED.ADD.EF.F16x2.RN [RZ.64+UR4+-0x7ffff0], R8"},
        {{0x8000103fff087980, 0x0000000008000900},
         "LD.E.EF R8, [URZ+-0x7ffff0]",
         "LD.E.EF R8, [RZ.U32+URZ+-0x7ffff0]"},
        {{0x80001004ff0879aa, 0x000000000c000000},
         "QSPC.G P0, R8, [UR4+-0x7ffff0]",
         "QSPC.G P0, R8, [RZ.64+UR4+-0x7ffff0]"},
        {{0x8000103f04087980, 0x000000000c000900},
         "LD.E.EF R8, [R4.64+URZ+-0x7ffff0]",
         "LD.E.EF R8, [R4.64+-0x7ffff0]"},
        {{0x00000810ff087fae, 0x0000000008100804},
         "LDGSTS.E.BYPASS [R8], [RZ.U32+UR4+-0x7f0], P0",
         "LDGSTS.E.BYPASS [R8], [UR4+-0x7f0], P0"},
        {{0x00000810ff087fae, 0x000000000810087f},
         "LDGSTS.E.BYPASS [R8], [RZ.64+-0x7f0], P0",
         "LDGSTS.E.BYPASS [R8], [RZ.64+URZ+-0x7f0], P0"},
        {{0xfffff000ff087984, 0x0000000000008800},
         "LDS R8, [0xfffff0]",
         "LDS R8, [RZ.X8+0xfffff0]"},
        {{0x00001004ff087984, 0x0000000008004800},
         "LDS R8, [RZ.X4+UR4+0x10]",
         "LDS R8, [RZ.X4+UR4+0x10]"},
    };
    for (size_t i = 0; i < COUNT_OF(pairs); i++) {
        char text[128];
        fhec_word word;
        (void)fhec_disassemble(pairs[i].word, 0, FHEC_DIS_NVDISASM, text, sizeof text);
        assert_string_equal(text, pairs[i].shown);
        (void)fhec_disassemble(pairs[i].word, 0, 0, text, sizeof text);
        assert_string_equal(text, pairs[i].exact);
        assert_int_equal(fhec_assemble_word(text, 0, NULL, NULL, &word), FHEC_OK);
        assert_true(same_word(word, pairs[i].word));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pairs_of_sm80),
        cmocka_unit_test(pairs_of_sm86),
        cmocka_unit_test(some_recorded_pairs),
        cmocka_unit_test(some_hidden_widths),
        cmocka_unit_test(descriptors_show_by_default),
        cmocka_unit_test(control_prefix),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

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

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pairs_of_sm80),       cmocka_unit_test(pairs_of_sm86),
        cmocka_unit_test(some_recorded_pairs), cmocka_unit_test(descriptors_show_by_default),
        cmocka_unit_test(control_prefix),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/*
 * Real instructions and the text that nvdisasm gave for them: every record whose mnemonic fhec
 * describes must print as that text and encode to that word. The file is named by the environment
 * variable FHEC_ORACLES (a folder); without it the test is skipped.
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

static void pairs_of_words_and_texts(void **state) {
    (void)state;
    const char *folder = getenv("FHEC_ORACLES");
    char path[4096];
    snprintf(path, sizeof path, "%s/sm80-pairs.tsv", folder ? folder : "../shared/oracles");
    FILE *file = fopen(path, "r");
    if (!file) {
        print_message("# SKIP: no file %s\n", path);
        skip();
    }
    static struct tally tally;
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
    assert_true(tally.matched >= 1840);
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
        cmocka_unit_test(pairs_of_words_and_texts),
        cmocka_unit_test(descriptors_show_by_default),
        cmocka_unit_test(control_prefix),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

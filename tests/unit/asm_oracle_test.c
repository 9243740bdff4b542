/*
 * asm_oracle_test.c - the text of every known instruction of the files of recorded pairs assembles
 * to exactly the word that the vendor's disassembler printed it for. Their folder is given by
 * FHEC_ORACLES (default ../shared/oracles); without a file its test is skipped visibly.
 */
#include "asm_util.h"

#include <inttypes.h>

/* "address <tab> 0x + 32 hex digits <tab> text" */
static bool parse_record(char *line, uint64_t *pc, fhec_word *word, char **text) {
    char *tab = strchr(line, '\t');
    char *second = tab ? strchr(tab + 1, '\t') : NULL;
    if (!second || second - tab != 35)
        return false;
    char half[17] = {0};
    *pc = strtoull(line, NULL, 16);
    memcpy(half, tab + 3, 16);
    word->hi = strtoull(half, NULL, 16);
    memcpy(half, tab + 19, 16);
    word->lo = strtoull(half, NULL, 16);
    *text = second + 1;
    (*text)[strcspn(*text, "\r\n")] = '\0';
    return true;
}

static bool known_root(const char *text) {
    if (*text == '@')
        text += strcspn(text, " ") + 1;
    size_t length = strcspn(text, ". ;");
    unsigned first;
    bool sm86_only = strstr(text, ".H0_NH1") != NULL; /* an operand that sm_80 does not have */
    return fh_insns_of_root(text, length, &first) != 0 && !sm86_only;
}

/* Some words have reuse bits that the text does not show (stores, branches): the form has no
 * operand that could carry them. Returns those bits of the word's upper half. */
static uint64_t silent_reuse(fhec_word word) {
    uint64_t silent = UINT64_C(7) << (122 - 64);
    struct fh_inst inst;
    assert_true(fh_decode(word, &inst));
    for (unsigned i = 0; i < inst.form->operand_count; i++)
        if (inst.form->operands[i].reuse_bit >= 64)
            silent &= ~(UINT64_C(1) << (inst.form->operands[i].reuse_bit - 64));
    return silent;
}

static void check_records(const char *name, unsigned least) {
    FILE *file = oracle_file(name);
    if (!file) {
        skip_visibly(name, "the file is not here");
        return;
    }
    char line[512], *text;
    unsigned records = 0, known = 0, wrong = 0, silent = 0;
    while (fgets(line, sizeof line, file)) {
        uint64_t pc;
        fhec_word word;
        if (!parse_record(line, &pc, &word, &text))
            continue;
        records++;
        if (!known_root(text))
            continue;
        known++;
        struct said said = {0};
        fhec_word got;
        fhec_status status = fhec_assemble_word(text, pc, hear, &said, &got);
        if (status == FHEC_OK && got.lo == word.lo && got.hi == word.hi)
            continue;
        if (status == FHEC_OK && got.lo == word.lo && got.hi == (word.hi & ~silent_reuse(got))) {
            silent++;
            continue;
        }
        wrong++;
        print_message("0x%06" PRIx64 " %s\n  wanted %016" PRIx64 "%016" PRIx64 "\n", pc, text,
                      word.hi, word.lo);
        if (status == FHEC_OK)
            print_message("  got    %016" PRIx64 "%016" PRIx64 "\n", got.hi, got.lo);
        else
            print_message("  got    %s %s\n", said.count ? said.d[0].id : "?",
                          said.count ? said.d[0].message : "?");
    }
    fclose(file);
    print_message("# %u records, %u of instructions that are known: %u with reuse bits that their "
                  "text does not show, %u wrong\n",
                  records, known, silent, wrong);
    assert_true(known >= least);
    assert_int_equal(wrong, 0);
}

static void records_of_sm80(void **state) {
    (void)state;
    check_records("sm80-pairs.tsv", 1840);
}

static void records_of_sm86(void **state) {
    (void)state;
    check_records("sm86-pairs.tsv", 1587);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(records_of_sm80),
        cmocka_unit_test(records_of_sm86),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

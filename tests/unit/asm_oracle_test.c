/*
 * asm_oracle_test.c - the text of every known instruction of the listing sm80-pairs.tsv assembles
 * to exactly the word that the vendor's disassembler printed it for. The folder of the listing is
 * given by FHEC_ORACLES (default ../shared/oracles); without the file the test is skipped visibly.
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
    return fh_insns_of_root(text, length, &first) != 0;
}

/* Some words have reuse bits that the text does not show (stores, branches): the form has no
 * operand that could carry them. Returns those bits of the word's upper half. */
static uint64_t silent_reuse(const struct fh_inst *inst) {
    uint64_t silent = UINT64_C(7) << (122 - 64);
    for (unsigned i = 0; i < inst->form->operand_count; i++)
        if (inst->form->operands[i].reuse_bit >= 64)
            silent &= ~(UINT64_C(1) << (inst->form->operands[i].reuse_bit - 64));
    return silent;
}

static void every_known_record_assembles_to_its_word(void **state) {
    (void)state;
    FILE *file = oracle_file("sm80-pairs.tsv");
    if (!file) {
        skip_visibly("every record of sm80-pairs.tsv", "the file is not here");
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
        struct fh_inst inst;
        struct said said = {0};
        fhec_status status = fh_assemble_line(text, pc, hear, &said, &inst);
        fhec_word got = {0};
        if (status == FHEC_OK)
            got = fh_encode(&inst);
        if (status == FHEC_OK && got.lo == word.lo && got.hi == word.hi)
            continue;
        if (status == FHEC_OK && got.lo == word.lo && got.hi == (word.hi & ~silent_reuse(&inst))) {
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
    assert_true(known >= 1840);
    assert_int_equal(wrong, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_known_record_assembles_to_its_word),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

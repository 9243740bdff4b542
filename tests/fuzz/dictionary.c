/*
 * dictionary.c - prints a libFuzzer dictionary for sources: everything that the tables of the
 * instruction set spell. Directives and punctuation come from the seeds.
 */
#include "isa.h"

#include <stdio.h>

static void print_word(const char *before, const char *word) {
    if (word && *word)
        printf("\"%s%s\"\n", before, word);
}

int main(void) {
    for (unsigned i = 0; i < fh_insn_count; i++)
        print_word("", fh_insns[i].name);
    for (unsigned f = 0; f < fh_form_count; f++) {
        const struct fh_form *form = &fh_forms[f];
        for (unsigned m = 0; m < form->mod_count; m++)
            for (unsigned v = 0; v < form->mods[m].value_count; v++)
                print_word(".", form->mods[m].values[v].text);
        for (unsigned o = 0; o < form->operand_count; o++)
            print_word("", form->operands[o].suffix);
    }
    for (unsigned i = 0; i < fh_special_register_count; i++)
        print_word("SR_", fh_special_registers[i].text);
    for (unsigned i = 0; i < fh_feature_count; i++)
        print_word("", fh_features[i]);
    return 0;
}

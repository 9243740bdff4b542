/*
 * timed_names.c - what instructions of a timed kernel are called: see timer.h.
 */
#include "timer.h"

#include <stdio.h>

uint64_t fh_timed_text(const struct fh_timed_kernel *k, uint32_t word, char text[FH_TIMED_TEXT]) {
    const uint64_t pc = (uint64_t)word * sizeof(fhec_word);
    if (k->names) {
        snprintf(text, FH_TIMED_TEXT, "%s", k->names[word].text);
        return k->names[word].pc;
    }
    if (fhec_disassemble(k->of->words[word].word, pc, 0, text, FH_TIMED_TEXT) < 0)
        *text = '\0';
    return pc;
}

uint64_t fh_timed_mnemonic(const struct fh_timed_kernel *k, uint32_t word,
                           char text[FH_TIMED_TEXT]) {
    if (k->names) {
        const struct fh_timed_name *n = &k->names[word];
        snprintf(text, FH_TIMED_TEXT, "%.*s", (int)n->opcode_length, n->text + n->opcode);
        return n->pc;
    }
    if (fhec_mnemonic(k->of->words[word].word, text, FH_TIMED_TEXT) < 0)
        *text = '\0';
    return (uint64_t)word * sizeof(fhec_word);
}

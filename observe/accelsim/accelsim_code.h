/*
 * accelsim_code.h - what lines of a trace say of an instruction itself, once for each word of a
 * kernel's code: registers, opcode, and what lies between.
 */
#ifndef FH_ACCELSIM_CODE_H
#define FH_ACCELSIM_CODE_H

#include "accelsim_opcode.h"
#include "fhec_observe.h"
#include "trace_bytes.h"

struct fh_accelsim_word {
    size_t begin, length; /* in the texts: " 1 R4 LDG.E 1 R2 " */
    struct fh_accelsim_opcode opcode;
    int32_t immediate; /* the last one; of a barrier its number */
    bool asks;         /* a barrier whose number is in a register */
};

struct fh_accelsim_code {
    struct fh_accelsim_word *words;
    fhec_word *bits;
    size_t count, room, bit_room;
    struct fh_trace_bytes texts;
};

void fh_accelsim_code_free(struct fh_accelsim_code *code);
/* Forgets all words. */
void fh_accelsim_code_restart(struct fh_accelsim_code *code);
/* The next word, in order; with `imma`, FHEC is called IMMA. */
void fh_accelsim_code_add(struct fh_accelsim_code *code, fhec_word word, bool imma);
/* Appends the header lines that only fhec reads: all words, eight a line. */
void fh_accelsim_code_put(const struct fh_accelsim_code *code, struct fh_trace_bytes *to);

#endif

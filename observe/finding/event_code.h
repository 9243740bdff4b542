/*
 * event_code.h - decoded instructions of the kernels that run, looked up by launch and pc: made
 * once for each instruction, with whatever a checker wants to keep beside it.
 */
#ifndef FH_EVENT_CODE_H
#define FH_EVENT_CODE_H

#include "fhec_observe.h"

/* What a checker knows of one instruction: `own_bytes` of its own data, zeroed, which `prepare` has
 * filled, beside the instruction. An unknown word has no operands and an empty text. */
struct fh_code_entry {
    fhec_instruction instruction;
    const void *own;
};

struct fh_code;
/* `prepare` fills `own` of an instruction when it is met first. NULL without host memory. */
struct fh_code *fh_code_new(size_t own_bytes, /* 0: none */
                            void (*prepare)(void *own, const fhec_instruction *instruction));
void fh_code_free(struct fh_code *code);
/* The entry of an event's instruction: an array index once its kernel is known, and one comparison
 * of words, since a program may lie where one was that has been freed. NULL without host memory.
 * Valid until fh_code_free. */
const struct fh_code_entry *fh_code_of(struct fh_code *code, const fhec_event *event);

#endif

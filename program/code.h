/*
 * code.h - what instructions say about the code that they are in: which registers, barriers and
 * stack it needs, and whether control leaves it.
 */
#ifndef FH_CODE_H
#define FH_CODE_H

#include "dataflow.h"

/* How many registers a thread has at least that carries out an instruction with these uses: up to
 * the highest one that it reads or writes. */
uint32_t fh_registers_used(const struct fh_uses *uses);
/* How many named barriers of a block the instruction calls for: the number of the one that it
 * names, plus one; all 16 if a register names it; 0 if it is about none. */
uint32_t fh_named_barriers(const struct fh_inst *inst);
/* Bytes by which the instruction makes the stack larger: IADD3 R1, R1, -BYTES, RZ. */
uint32_t fh_stack_frame(const struct fh_inst *inst);
/* Whether the code has a stack, of which R1 is the top, and moves it by what only a run knows, as
 * alloca does. `began`: R1 is the top from the beginning, as in a function. */
bool fh_stack_moves(const fhec_word *words, size_t count, bool began);
/* Whether control never reaches the instruction after this one. */
bool fh_ends_control(const struct fh_inst *inst);
/* Whether the lanes may run past the last word: it and the NOPs before it do not end control. */
bool fh_runs_out(const fhec_word *words, size_t count);

#endif

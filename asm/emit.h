/*
 * emit.h - instructions into the open code.
 */
#ifndef FH_EMIT_H
#define FH_EMIT_H

struct fh_asm;

/* The current statement is an instruction. */
void fh_emit(struct fh_asm *a);

void fh_act_inst(struct fh_asm *a);
void fh_act_descriptor_bit(struct fh_asm *a);

#endif

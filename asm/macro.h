/*
 * macro.h - macros and repetitions.
 */
#ifndef FH_MACRO_H
#define FH_MACRO_H

struct fh_asm;

/* The current statement calls a macro, whose text is read next. */
void fh_call_macro(struct fh_asm *a);

void fh_act_macro(struct fh_asm *a);
void fh_act_rept(struct fh_asm *a);
void fh_act_irp(struct fh_asm *a);

#endif

/*
 * definitions.h - directives that define names: of numbers, which .set may change, and of
 * registers.
 */
#ifndef FH_DEFINITIONS_H
#define FH_DEFINITIONS_H

struct fh_asm;

void fh_act_equ(struct fh_asm *a);
void fh_act_set(struct fh_asm *a);
void fh_act_reg(struct fh_asm *a);

#endif

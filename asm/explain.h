/*
 * explain.h - why a statement is no instruction.
 */
#ifndef FH_EXPLAIN_H
#define FH_EXPLAIN_H

struct fh_asm;
struct fh_mnemonic;

/* explain_mnemonic.c: no form has this mnemonic with these modifiers. */
void fh_explain_mnemonic(struct fh_asm *a, const struct fh_mnemonic *mnemonic);
/* explain_operands.c: the arguments fit none of the forms. */
void fh_explain_operands(struct fh_asm *a, const struct fh_mnemonic *mnemonic);

#endif

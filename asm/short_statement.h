/*
 * short_statement.h - statements that need no parser, as nearly all do: a label alone; an
 * instruction, with a plain guard or without, a directive or the call of a macro, when its operands
 * are a text or have been read without the parser (statement_text.h).
 *
 * They are what parser.y makes of the same tokens. Of any other statement the tokens that were
 * looked at stay for the parser, which sees all of them, and finds every error: of those that were
 * looked at only the last one can be wrong, since what is before it begins one of the above.
 */
#ifndef FH_SHORT_STATEMENT_H
#define FH_SHORT_STATEMENT_H

#include <stdbool.h>

struct fh_asm;

/* Reads the next statement into a->st if it is one of these. */
bool fh_short_statement(struct fh_asm *a);

#endif

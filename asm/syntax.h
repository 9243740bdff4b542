/*
 * syntax.h - reports of syntax errors.
 */
#ifndef FH_SYNTAX_H
#define FH_SYNTAX_H

#include "source.h"

struct fh_asm;

/* Reports the last token, or the end of the statement. `allowed` says what may stand there; where
 * it is empty the tokens and brackets before say it. */
void fh_report_syntax(struct fh_asm *a, struct fh_span at, bool at_end, const char *allowed);
/* Reports an argument that a blank and no comma parts from the one before. */
void fh_missing_comma(struct fh_asm *a, struct fh_span at);

#endif

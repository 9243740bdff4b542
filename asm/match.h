/*
 * match.h - from a statement (dotted mnemonic, arguments) to the form that it is and a decoded
 * instruction.
 */
#ifndef FH_MATCH_H
#define FH_MATCH_H

#include "fit.h"

/* The current statement's instruction; false after a report. */
bool fh_match(struct fh_asm *a, struct fh_matched *m);

#endif

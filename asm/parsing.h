/*
 * parsing.h - tokens to one statement (parser.y).
 */
#ifndef FH_PARSING_H
#define FH_PARSING_H

#include <stdbool.h>

struct fh_asm;

/* One statement into a->st. False after a syntax error, which is reported. */
bool fh_parse_statement(struct fh_asm *a);

#endif

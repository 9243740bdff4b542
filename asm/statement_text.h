/*
 * statement_text.h - labels, mnemonics and operands read straight from the text, without lexer and
 * parser: the common ones, by far the most of any source.
 *
 *     R4.reuse   -acc[2 * i + 1]   0x1234 + STEP   c[0x0][p + 8]   [R2.64 + 0x10] desc[UR4][R2.64]
 *
 * The lexer is lexer.l, the grammar parser.y's. Here is the part of them that makes nearly all of a
 * source: names with or without a colon where a statement begins; words and numbers,
 * + - * / % & ^ << >>, signs, parentheses, indices, constants and addresses. What is anything else,
 * a comment within an operand too, or wrong in any way, is left where it begins for lexer and
 * parser, so every message is theirs. A value is made by the functions that the parser's rules
 * call, in their order and with their spans, so it is the same as the parser's.
 */
#ifndef FH_STATEMENT_TEXT_H
#define FH_STATEMENT_TEXT_H

#include <stdbool.h>

struct fh_asm;
struct fh_lexeme;

/* The label or the mnemonic that comes next, as FH_T_LABEL or FH_T_MNEMONIC; 0: the lexer must
 * look. Before a statement the ends of lines, too, are passed. To be asked where the lexer expects
 * either.
 */
int fh_read_head(struct fh_asm *a, struct fh_lexeme *t);

enum fh_operands_read {
    FH_READ_NONE, /* the next one is for the parser */
    FH_READ_SOME, /* with the comma behind them: the one behind it is for the parser */
    FH_READ_ALL,  /* the statement has ended */
};

/* Adds operands to the statement's arguments, from where the lexer is. `alone`: the parser has had
 * none, so the last one may be read, too, and the statement may end without one. */
enum fh_operands_read fh_read_operands(struct fh_asm *a, bool alone);

#endif

/*
 * expectation.h - the text of .expect, in which names have been replaced by what they stand for:
 *
 *     SUBJECT = BUFFER[EXPRESSION]     SUBJECT = EXPRESSION     SUBJECT < EXPRESSION, <= EXPRESSION
 *
 * SUBJECT is a register or the name of an operand. Expressions have numbers, i, j, lane, warp,
 * block (block.x), block.y, block.z, q, registers, C's operators * / % + - << >> < > <= >= == != &
 * ^ |, unary - and ~, and parentheses.
 */
#ifndef FH_EXPECTATION_H
#define FH_EXPECTATION_H

#include "program.h"

enum fh_expectation_problem {
    FH_EXPECTATION_FINE,
    FH_EXPECTATION_WRONG, /* *problem says what */
    FH_EXPECTATION_NO_MEMORY,
};

/* Reads `text`, which it copies, into what follows `origin`; *problem is static. */
enum fh_expectation_problem fh_expectation_parse(struct fh_expectation *expectation,
                                                 const char *text, const char **problem);
void fh_expectation_free(struct fh_expectation *expectation);
/* Whether the instruction has what it is about; a register always is there. */
bool fh_expectation_fits(const struct fh_expectation *expectation, fhec_word word);

#endif

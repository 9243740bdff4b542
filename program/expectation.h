/*
 * expectation.h - the text of .expect, .let and .ensure, in which names of registers and numbers
 * have been replaced by what they stand for:
 *
 *     SUBJECT = BUFFER[EXPRESSION]     SUBJECT = EXPRESSION     SUBJECT < EXPRESSION, <= EXPRESSION
 *
 * of .expect, where SUBJECT is a register or the name of an operand. Expressions have numbers, i,
 * j, lane, warp, block (block.x), block.y, block.z, q, registers, and what expression_text.h has.
 *
 *     EXPRESSION = EXPRESSION [mod EXPRESSION]     EXPRESSION < EXPRESSION, <= EXPRESSION
 *
 * of .expect and .ensure are value contracts, as is NAME = EXPRESSION of .let. Their expressions
 * have runs of registers (R4:R7), u64(R4), s32(R4), s64(R4), predicates (P0) and names beside, and
 * no i, j, q. The left side has none of < > <= >= == != & ^ | && || ?: but in parentheses.
 */
#ifndef FH_EXPECTATION_H
#define FH_EXPECTATION_H

#include "expression_text.h"
#include "program.h"

enum fh_expectation_problem {
    FH_EXPECTATION_FINE,
    FH_EXPECTATION_WRONG, /* *wrong says what */
    FH_EXPECTATION_NO_MEMORY,
};

/* What is wrong, and with which characters of the text. */
struct fh_expectation_wrong {
    size_t at, length;
    char what[FH_EXPRESSION_WRONG];
};
/* Reads `text`, which it copies, into what follows `origin`. Of .expect `contract` is
 * FHEC_CONTRACT_OPERAND where either kind may be meant. */
enum fh_expectation_problem fh_expectation_parse(struct fh_expectation *expectation,
                                                 fhec_contract contract, const char *text,
                                                 struct fh_expectation_wrong *wrong);
/* ".expect", ".let", ".ensure" */
const char *fh_contract_directive(uint8_t contract);
void fh_expectation_free(struct fh_expectation *expectation);
/* Whether the instruction has what it is about; a register always is there. */
bool fh_expectation_fits(const struct fh_expectation *expectation, fhec_word word);

#endif

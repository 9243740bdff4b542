/*
 * expression.h - arithmetic with values. That of numbers is fh_operate's: exact, from -2^63 to
 * 2^64 - 1, and what does not fit is an error.
 * Registers take part in sums only (addresses) and may carry a sign; names that are not known yet
 * (labels) may have a number added. What is added to either is below 2^63.
 *
 * What cannot be calculated becomes poison that keeps its reason, which is reported only if the
 * value is used: `n && 8/n` is fine for n = 0.
 */
#ifndef FH_EXPRESSION_H
#define FH_EXPRESSION_H

#include "diagnose.h"
#include "expr_value.h"
#include "operators.h"

/* Each makes its first value, x, what the operation gives; `at` is the span of the whole. */
void fh_value_unary(struct fh_asm *a, struct fh_value *x, enum fh_operator op, struct fh_span at);
void fh_value_binary(struct fh_asm *a, struct fh_value *x, enum fh_operator op,
                     const struct fh_value *y, struct fh_span at);
/* c ? x : y, in c. */
void fh_value_select(struct fh_value *c, const struct fh_value *x, const struct fh_value *y,
                     struct fh_span at);

/* The number that v must be; reports otherwise. */
bool fh_value_number(struct fh_asm *a, const struct fh_value *v, int64_t *number);
/* A size, a count or an alignment: from low to high, a power of two if asked. Reports. */
bool fh_size(struct fh_asm *a, const struct fh_value *v, const char *what, int64_t low,
             int64_t high, bool power, uint32_t *size);
/* Reports what is still unreported about v; false if v is POISON. */
bool fh_value_sound(struct fh_asm *a, const struct fh_value *v);

/* For messages: "the register `R4`"; a number's digits. */
const char *fh_describe_value(struct fh_asm *a, const struct fh_value *v);
const char *fh_number_written(struct fh_asm *a, const struct fh_value *v);

/* For operand_forms.c. Makes r poison; `problem` is one text, or two with a line end between them:
 * %1 and %2 of the diagnostic. */
void fh_value_poison(struct fh_value *r, enum fh_diagnostic d, const char *problem);
/* Is x a number? If not, r takes over its poison, or becomes poison for that. */
bool fh_number_or_poison(struct fh_asm *a, struct fh_value *r, const struct fh_value *x);
void fh_set_number(struct fh_value *x, int64_t number, struct fh_span at);
extern const char fh_too_far[]; /* the problem of an offset that has no sign */
/* Makes a register a sum of one; false if it cannot be in a sum. */
bool fh_value_as_sum(struct fh_value *x);

#endif

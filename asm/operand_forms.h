/*
 * operand_forms.h - the forms of operands beyond arithmetic: indices, suffixes, bars, sets,
 * constants, addresses, and parts of the addresses of names.
 */
#ifndef FH_OPERAND_FORMS_H
#define FH_OPERAND_FORMS_H

#include "expr_value.h"

struct fh_asm;

/* Each makes its first value, x, what the form means; `at` is the span of the whole. */

/* x[index], of the name of several registers or constants. */
void fh_value_index(struct fh_asm *a, struct fh_value *x, const struct fh_value *index,
                    struct fh_span at);
void fh_value_suffix(struct fh_asm *a, struct fh_value *x, const struct fh_value *suffix,
                     struct fh_span at);
/* |x| */
void fh_value_absolute(struct fh_asm *a, struct fh_value *x, struct fh_span at);
/* Adds a number to a set of which x->number has the bits; more NULL: x itself is the first one. */
void fh_value_set(struct fh_asm *a, struct fh_value *x, const struct fh_value *more,
                  struct fh_span at);
/* c[bank][x] */
void fh_value_constant(struct fh_asm *a, struct fh_value *x, const struct fh_value *bank,
                       struct fh_span at);
/* cx[UR4][0x10], which no instruction of fhec takes. */
void fh_value_described(struct fh_value *x, struct fh_span at);
/* [x], desc[descriptor][x] */
void fh_value_address(struct fh_asm *a, struct fh_value *x, const struct fh_value *descriptor,
                      struct fh_span at);
/* 32@lo(x), generic(x), x@srel. */
void fh_value_half(struct fh_asm *a, struct fh_value *x, const struct fh_value *half,
                   struct fh_span at);
void fh_value_generic(struct fh_value *x, struct fh_span at);
void fh_value_srel(struct fh_value *x, struct fh_span at);

#endif

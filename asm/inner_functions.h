/*
 * inner_functions.h - functions within the open code, which have a symbol in the object: .type
 * declares one before its label, .size and .frame say more about it.
 */
#ifndef FH_INNER_FUNCTIONS_H
#define FH_INNER_FUNCTIONS_H

#include "expr_value.h"

struct fh_asm;

/* .size of one: reports if there is none of that name. */
void fh_inner_function_size(struct fh_asm *a, const struct fh_value *name, uint32_t bytes);

void fh_act_type(struct fh_asm *a);
void fh_act_frame(struct fh_asm *a);

#endif

/*
 * trap.h - instructions that can only fault, and checks that find them while a kernel is decoded.
 */
#ifndef FH_TRAP_H
#define FH_TRAP_H

#include "launch.h"

/* The function that reports what is wrong with the registers, values or constants of the decoded
 * instruction, resolved as far as it can be; NULL if nothing is. */
fh_exec_fn *fh_trap_for(const struct fh_image *image, const struct fh_op *op);

/* The word is no instruction. */
fh_exec_fn fh_trap_illegal;
/* Execution ran past the last instruction. */
fh_exec_fn fh_trap_end;

/* Whether a constant operand lies within its bank; `bytes` long. */
bool fh_constant_fits(const struct fh_image *image, const struct fh_operand *operand,
                      uint32_t bytes);

#endif

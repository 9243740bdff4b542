/*
 * constant_result.h - instructions whose result is known when they are decoded. Compilers load
 * constants by whatever unit is free: HFMA2.MMA R0, -RZ, RZ, 1.5, 0.25.
 */
#ifndef FH_CONSTANT_RESULT_H
#define FH_CONSTANT_RESULT_H

#include "exec.h"

/* The operand of `op` that is a register which it writes, and nothing else, from operands that are
 * all fixed by its encoding, so that it always gives *value in every lane; FH_MAX_OPERANDS if that
 * is not so. `exec` is its function, which has no faults and sees a lane at a time; everything of
 * op but what the engine binds is filled in. */
unsigned fh_constant_result(const struct fh_op *op, fh_exec_fn *exec, uint32_t *value);

#endif

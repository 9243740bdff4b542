/*
 * modular.h - modular lane instructions by closed forms, where the bodies of the .isa files divide
 * or go bit by bit.
 */
#ifndef FH_MODULAR_H
#define FH_MODULAR_H

#include "exec.h"

/* The function for an op, NULL if this level has none that is shorter than the lane loop. op->inst
 * is filled in. */
fh_exec_fn *fh_modular_portable(const struct fh_op *op);
fh_exec_fn *fh_modular_avx2(const struct fh_op *op);
fh_exec_fn *fh_modular_avx512(const struct fh_op *op);

#endif

/*
 * warp_rows.h - instructions that see the warp as a whole, row by row with vectors, where the
 * bodies of the .isa files and the handlers go lane by lane: shuffles, matches, reductions, special
 * registers, predicates in registers.
 */
#ifndef FH_WARP_ROWS_H
#define FH_WARP_ROWS_H

#include "exec.h"

/* The function for an op, NULL if this level has none that is shorter than the generated one or the
 * handler. op->inst and mod are filled in. */
fh_exec_fn *fh_warp_rows_portable(const struct fh_op *op);
fh_exec_fn *fh_warp_rows_avx2(const struct fh_op *op);
fh_exec_fn *fh_warp_rows_avx512(const struct fh_op *op);

#endif

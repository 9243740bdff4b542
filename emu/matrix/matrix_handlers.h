/*
 * matrix_handlers.h - what the files of matrix handlers share.
 */
#ifndef FH_MATRIX_HANDLERS_H
#define FH_MATRIX_HANDLERS_H

#include "matrix.h"

/* True if all 32 lanes are active; else reports the fault, for the lanes that are missing. */
bool fh_all_lanes(struct fh_warp *w, const struct fh_op *op, uint32_t active);

fh_imma_select_fn fh_imma_select_avx512;

/* LDSM, and the matrices of elements of less than 8 bits, of the fast engine, all levels. */
fh_exec_fn fh_exec_ldsm_fast, fh_exec_imma4_fast, fh_exec_bmma_fast;

#endif

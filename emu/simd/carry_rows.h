/*
 * carry_rows.h - integer sums and products with carries, for whole warps with AVX-512, where the
 * compiler's vectors go a long way round: predicates by way of rows of 0 and 1, low words by a
 * multiplication of their own.
 */
#ifndef FH_CARRY_ROWS_H
#define FH_CARRY_ROWS_H

#include "exec.h"

/* What fh_fast_select_avx512 gives, with threaded functions of this file's for IADD3 with carries,
 * IMAD.WIDE and IMAD.HI. */
struct fh_functions fh_carry_select_avx512(const struct fh_op *op);

#endif

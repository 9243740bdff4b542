/*
 * carry_rows.h - integer sums and products of whole warps with AVX-512. Compilers make carries of
 * rows of 0 and 1, multiply twice for both words of a product and read rows twice; and only code by
 * hand hands on a row that the next instruction reads again (threaded.h).
 */
#ifndef FH_CARRY_ROWS_H
#define FH_CARRY_ROWS_H

#include "exec.h"

/* What fh_fast_select_avx512 gives, with threaded functions by hand for IADD3, IMAD, IMAD.WIDE and
 * IMAD.HI; for some signs there are none. */
struct fh_functions fh_carry_select_avx512(const struct fh_op *op);

#endif

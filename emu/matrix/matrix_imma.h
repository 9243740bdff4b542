/*
 * matrix_imma.h - IMMA as functions from fragments to fragments: they know no warp, check nothing,
 * and read all sources before they write, so that D may be any of them.
 */
#ifndef FH_MATRIX_IMMA_H
#define FH_MATRIX_IMMA_H

#include "matrix_fragment.h"

/* IMMA of 8-bit elements. */
struct fh_imma {
    uint8_t rows;  /* 8 or 16 */
    uint8_t depth; /* 16 or 32 */
    bool a_signed, b_signed;
    bool saturate; /* clamp the exact sum to int32, else wrap */
};

/* a: rows/8 * depth/16 rows, b: depth/16, c and d: rows/4. */
typedef void fh_imma_fn(const struct fh_imma *imma, const fh_row *a, const fh_row *b,
                        const fh_row *c, fh_row *d);
fh_imma_fn fh_imma_portable, fh_imma_avx2;

/* AVX-512 has a handler for each combination of types, shape and .SAT, with the values in it. */
fh_exec_fn *fh_imma_select_avx512(const struct fh_imma *imma);

#endif

/*
 * matrix.h - hand-written functions for matrix instructions: FHEC, FHEC.MIX, IMMA and BMMA.
 * They take the place of those that are generated from the bodies of the .isa files, for the forms
 * that they are about; all other matrix instructions run as generated.
 *
 * Below the handlers, which know warps and ops, are functions on fragments (matrix_fhec.h,
 * matrix_imma.h), which can be tested and timed alone.
 */
#ifndef FH_MATRIX_H
#define FH_MATRIX_H

#include "exec.h"

struct fh_imma;

/* Those of an engine at a SIMD level; NULL: the generated one is as good. */
struct fh_matrix_ops {
    const char *level; /* "ref", "portable", "avx2", "avx512" */
    fh_exec_fn *fhec, *fhec_mix, *imma, *imma4, *bmma;
    /* In place of `imma`: the handler for one combination of types, shape and .SAT. */
    fh_exec_fn *(*select_imma)(const struct fh_imma *imma);
};

/* The reference engine has one set, whatever `simd` is. FHEC_SIMD_BEST: the best that this host can
 * run. NULL: the host cannot run that level. */
const struct fh_matrix_ops *fh_matrix_for(fhec_engine engine, fhec_simd simd);

/* The function for an op, by its form; NULL: the set has none for it. */
fh_exec_fn *fh_matrix_override(const struct fh_matrix_ops *ops, const struct fh_op *op);

#endif

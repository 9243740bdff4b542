/*
 * space_ops.h - the short ways to memory (space_fast.inc), as the engine finds them.
 */
#ifndef FH_SPACE_OPS_H
#define FH_SPACE_OPS_H

#include "exec.h"

/* At one SIMD level. */
struct fh_space_ops {
    /* In place of the function that is made from the body of the op's instruction; NULL: that one
     * is as good. */
    fh_exec_fn *(*exec)(const struct fh_op *op);
    /* For an op that one of these executes: its threaded function; NULL: it has none. */
    fh_threaded_fn *(*threaded)(const struct fh_op *op);
};

extern const struct fh_space_ops fh_space_portable, fh_space_avx2, fh_space_avx512;

#endif

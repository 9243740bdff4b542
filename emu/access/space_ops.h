/*
 * space_ops.h - the short ways to memory (space_fast.inc), as the engine finds them.
 */
#ifndef FH_SPACE_OPS_H
#define FH_SPACE_OPS_H

#include "exec.h"

/* In place of the functions that are made from the bodies of LDG, STG, LDS and STS, at one SIMD
 * level. */
struct fh_space_ops {
    fh_exec_fn *load_global, *store_global, *load_shared, *store_shared;
    /* For an op that one of these executes and that has no guard: its threaded function, or NULL.
     */
    fh_threaded_fn *(*threaded)(const struct fh_op *op);
};

extern const struct fh_space_ops fh_space_portable, fh_space_avx2, fh_space_avx512;

#endif

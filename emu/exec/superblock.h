/*
 * superblock.h - straight code of a warp whose lanes run together, one op leading to the next.
 */
#ifndef FH_SUPERBLOCK_H
#define FH_SUPERBLOCK_H

#include "exec.h"

/* What superblocks of a SIMD level have beside the threaded functions of its forms (threaded.h). */
struct fh_threading {
    fh_superblock_fn *run;   /* from the scheduler to op->enter */
    fh_threaded_fn *end;     /* ends a superblock: returns the op, which has not been executed */
    fh_threaded_fn *call;    /* any plain op without a guard: its `exec`, then the next one */
    fh_threaded_fn *guarded; /* any plain op with one */
    /* Between ops that somebody watches (watch.h): before the op, and in place of `end`. */
    fh_threaded_fn *watched, *watched_end;
};
extern const struct fh_threading fh_threading_portable, fh_threading_avx2, fh_threading_avx512;

/* Joins ops[0] .. ops[count - 1], whose `enter` is their threaded function with nothing forwarded
 * (NULL: no superblock goes through them), into superblocks. ops[count] is there, and in none. */
void fh_superblocks_join(const struct fh_threading *threading, struct fh_op *ops, uint32_t count);

#endif

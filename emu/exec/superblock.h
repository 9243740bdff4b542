/*
 * superblock.h - straight code of a warp whose lanes run together, one op leading to the next.
 */
#ifndef FH_SUPERBLOCK_H
#define FH_SUPERBLOCK_H

#include "exec.h"

/* What chains of a SIMD level have beside the links of its forms (threaded.h). */
struct fh_threading {
    fh_superblock_fn *run;   /* from the scheduler to op->enter */
    fh_threaded_fn *end;     /* ends a chain: returns the op, which has not been executed */
    fh_threaded_fn *call;    /* any plain op without a guard: its `exec`, then the next one */
    fh_threaded_fn *guarded; /* any plain op with one */
    /* Between ops that somebody watches (watch.h): before the op, and in place of `end`. */
    fh_threaded_fn *watched, *watched_end;
};
extern const struct fh_threading fh_threading_portable, fh_threading_avx2, fh_threading_avx512;

/* Joins ops[0] .. ops[count - 1], whose `enter` is their link with nothing in hand (NULL: no chain
 * goes through them), into chains. ops[count] is there, and no chain's. */
void fh_superblocks_join(const struct fh_threading *links, struct fh_op *ops, uint32_t count);

#endif

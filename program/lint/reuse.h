/*
 * reuse.h - what becomes of a register that an operand keeps for reuse.
 *
 * The operand `R4.reuse` keeps R4 for the next instruction that reads R4 in the same operand place.
 * That one gets what was kept, also if R4 has been written in between. What nobody reads is kept
 * for nothing, but does no harm, so that is only told where no path leads to a reader.
 */
#ifndef FH_REUSE_H
#define FH_REUSE_H

#include "flowgraph.h"

enum fh_reuse {
    FH_REUSE_FINE,
    FH_REUSE_UNREAD,  /* nothing reads it in that place */
    FH_REUSE_CHANGED, /* it is written before the next instruction that reads it there */
    FH_REUSE_YIELD,   /* the warp yields behind the very instruction that keeps it */
};

/* Of operand `operand` of the instruction at `at`, which keeps it. */
enum fh_reuse fh_reuse_of(const struct fh_flowgraph *graph, uint32_t at, unsigned operand);

#endif

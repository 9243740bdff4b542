/*
 * live_in.h - which registers a warp has to find cleared: those that its code may read before it
 * has written them.
 */
#ifndef FH_LIVE_IN_H
#define FH_LIVE_IN_H

#include "launch.h"

/* Sets the bits of these rows, of the first `used`, in a kernel of `count` ops that are bound to
 * their functions. It holds for warps of 32 lanes whose registers nobody looks at but the code
 * itself. */
void fh_live_in_rows(const struct fh_op *ops, uint32_t count, uint32_t used,
                     uint64_t live_in[FH_ROW_WORDS]);

#endif

/*
 * repeat.h - blocks that only wait for others.
 *
 * A block is deterministic: if all that it consists of, registers, places of lanes, barriers,
 * shared and local memory, is as it was before, it does the same again, for ever, unless another
 * block changes global memory in the meantime. So the scheduler looks at the end of rounds whether
 * the block is in a state that it has been in, and if so it lets others go first. Nothing has to be
 * known of how the program waits: grid barriers, locks and flags are all loops of that kind.
 *
 *     rounds   1 .... 32 ...... 64 ............. 128       a picture is taken at powers of two, so
 *              nothing  ^picture ^picture         ^picture  that a loop of any length is found
 *
 * A loop that reads a clock is in a new state each time: after FH_MANY_CLOCKS reads of all lanes
 * together the block is taken to wait. That it is taken for one when it does not wait costs time,
 * nothing else.
 */
#ifndef FH_REPEAT_H
#define FH_REPEAT_H

#include "launch.h"

enum { FH_MANY_CLOCKS = 1 << 16, FH_PATIENCE = 32 };

enum fh_repeat_answer {
    FH_NEW_STATE,
    FH_SAME_STATE, /* it waits */
    FH_CANNOT_TELL /* no host memory for the picture */
};

/* The block begins. */
void fh_repeat_start(struct fh_block *block);
/* To be called at the end of each round of the block. */
enum fh_repeat_answer fh_repeat_look(struct fh_block *block);
/* Whether the block is, as far as is known, still in the loop in which it waited last. */
bool fh_repeat_still(const struct fh_block *block);
void fh_repeat_free(struct fh_block *block);

#endif

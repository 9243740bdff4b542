/*
 * busy_wait.h - detection of busy waiting by a recurring state of the block.
 *
 * What a block does next follows from its registers, the places of its lanes, its barriers, shared
 * and local memory; from global memory; and from clocks. At the end of rounds its own part of that
 * is compared with a snapshot. If it recurs, the block is in a loop that most probably waits for
 * other blocks, and the scheduler lets those go first. Nothing has to be known of how the program
 * waits: grid barriers, locks and flags are all loops of that kind.
 *
 *     rounds   1 ...... 32 ....... 64 .............. 128        snapshots at powers of two, so that
 *              nothing  ^snapshot  ^snapshot         ^snapshot  a loop of any length is found
 *
 * A loop that keeps what it reads of a clock is in a new state each time: after FH_MANY_CLOCKS
 * reads of all its warps together the block is taken to wait, too.
 *
 * Both are guesses: the loop may count in global memory, or until a time, and end by itself. A
 * wrong guess decides which block runs first, and nothing else. That blocks can never go on is a
 * conclusion, which takes more: that none of them has changed global memory or read a clock for as
 * long as it took all of them to come back to the same state (residents.c).
 */
#ifndef FH_BUSY_WAIT_H
#define FH_BUSY_WAIT_H

#include "launch.h"

enum { FH_MANY_CLOCKS = 1 << 16, FH_PATIENCE = 32 };

enum fh_busy_wait_answer {
    FH_NEW_STATE,
    FH_SAME_STATE, /* it waits */
    FH_CANNOT_TELL /* no host memory for the snapshot */
};

/* The block begins. */
void fh_busy_wait_start(struct fh_block *block);
/* To be called at the end of each round of the block. */
enum fh_busy_wait_answer fh_busy_wait_look(struct fh_block *block);
/* Whether the block is, as far as is known, still in the loop in which it waited last. */
bool fh_busy_wait_still(const struct fh_block *block);
/* Whether it has read clocks so often since it began, or left such a loop, that it seems to wait
 * for a time. */
bool fh_busy_wait_clocked(const struct fh_block *block);
/* Bytes of what is kept of the block's state, if it is (block->busy_wait.taken). */
size_t fh_busy_wait_bytes(const struct fh_block *block);
/* Makes room for so many; what is kept stays. False without host memory. */
bool fh_busy_wait_room(struct fh_block *block, size_t bytes);
void fh_busy_wait_free(struct fh_block *block);

#endif

/*
 * schedule.h - running blocks.
 */
#ifndef FH_SCHEDULE_H
#define FH_SCHEDULE_H

#include "launch.h"

enum fh_outcome {
    FH_DONE,
    FH_GOES_ON,   /* one round is over */
    FH_PAUSED,    /* within a round: fh_launch_paused */
    FH_FAULTED,   /* launch->fault says what; the state is that before the instruction */
    FH_WAITS,     /* it can do nothing until another block has changed memory */
    FH_CANCELLED, /* the watch function asked for it, or launch->cancel is set */
    FH_NO_MEMORY, /* of the host */
    FH_NO_CHOICE, /* the callback that orders warps has named none */
};

/* Called now and then while a block runs; true cancels it. */
typedef bool fh_watch_fn(void *user);

/* Memory for the blocks of a launch, used for one after the other. NULL without host memory. */
struct fh_block *fh_block_new(struct fh_launch_state *launch);
void fh_block_free(struct fh_block *block);

/* Makes the block number `index` of the grid, at its start. */
void fh_block_start(struct fh_block *block, uint64_t index);

/* One round, or the rest of one: a turn for every warp. After FH_GOES_ON, FH_WAITS,
 * FH_PAUSED and FH_CANCELLED it may be called again; after FH_FAULTED, too, which tries the
 * instruction again if launch->fault has been cleared. */
enum fh_outcome fh_block_round(struct fh_block *block);

/* Rounds until it ends, waits or pauses. `watch` may be NULL. */
enum fh_outcome fh_block_run(struct fh_block *block, fh_watch_fn *watch, void *user);

/* Slices: the same turns, cut into pieces and in any order. Lanes go together as they would in
 * whole turns; a turn also ends when another warp lets lanes of this one go. */

/* The warps that can run, a bit for each. */
uint32_t fh_block_ready(struct fh_block *block);
/* Runs one of them for up to *left instructions, which is 0 when the slice is over. FH_GOES_ON,
 * FH_PAUSED, FH_FAULTED, FH_CANCELLED or FH_NO_MEMORY; it may be called again after all of them,
 * while *left is not 0. */
enum fh_outcome fh_block_slice(struct fh_block *block, uint32_t warp, uint32_t *left);
/* To be called behind each slice. FH_GOES_ON: there are warps that can run. FH_DONE. FH_FAULTED: no
 * lane can ever go on. */
enum fh_outcome fh_block_settle(struct fh_block *block);
/* No warp is in a turn that runs in slices: rounds may follow, and slices behind those. */
void fh_block_end_turns(struct fh_block *block);

#endif

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

#endif

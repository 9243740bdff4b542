/*
 * parallel.h - the blocks of a launch on several host threads, with the result of running them one
 * after another.
 */
#ifndef FH_PARALLEL_H
#define FH_PARALLEL_H

#include "launch.h"

struct fh_crew;

/* Threads, the caller's one included. NULL without host memory or threads. */
struct fh_crew *fh_crew_new(unsigned threads);
void fh_crew_free(struct fh_crew *crew);
/* The allocation was released: what is kept for it goes too. */
void fh_crew_forget(struct fh_crew *crew, size_t allocation);

/* Whether it looks as if the crew would be faster than one thread. */
bool fh_crew_worthwhile(const struct fh_crew *crew, const struct fh_launch_state *launch);

/* Runs the launch's blocks. Returns the block at which to go on in turn, because the crew could not
 * know what it does before those below it had run; image->blocks if there is none. Memory, counts,
 * steps and launch->fault are then as if all blocks below the returned one had run in turn on one
 * thread; with a fault the launch is over. */
uint64_t fh_crew_run(struct fh_crew *crew, struct fh_launch_state *launch);

/* The launch took that many steps for its blocks: what fh_crew_worthwhile goes by. */
void fh_crew_remember(struct fh_crew *crew, const struct fh_launch_state *launch);

/* The arrays of a launch state. False without host memory. */
bool fh_launch_arrays(struct fh_launch_state *launch, bool counting);
void fh_launch_arrays_free(struct fh_launch_state *launch);

#endif

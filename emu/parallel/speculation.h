/*
 * speculation.h - the blocks of a launch on several host threads, with the result of running them
 * one after another.
 */
#ifndef FH_SPECULATION_H
#define FH_SPECULATION_H

#include "launch.h"

struct fh_speculator;

/* Threads, the caller's one included. NULL without host memory or threads. */
struct fh_speculator *fh_speculator_new(unsigned threads);
void fh_speculator_free(struct fh_speculator *speculator);
/* The allocation was released: what is kept for it goes too. */
void fh_speculator_forget(struct fh_speculator *speculator, size_t allocation);

/* Whether it looks as if several threads would be faster than one. */
bool fh_speculator_worthwhile(const struct fh_speculator *speculator,
                              const struct fh_launch_state *launch);

/* Runs the launch's blocks. Returns the block from which on they are to run sequentially, because
 * what it does could not be known before those below it had run; image->blocks if there is none.
 * Memory, counts, steps and launch->fault are then as if all blocks below the returned one had run
 * one after another on one thread; with a fault the launch is over. */
uint64_t fh_speculator_run(struct fh_speculator *speculator, struct fh_launch_state *launch);

/* The launch took that many steps for its blocks: what fh_speculator_worthwhile goes by. */
void fh_speculator_remember(struct fh_speculator *speculator, const struct fh_launch_state *launch);

/* The arrays of a launch state. False without host memory. */
bool fh_launch_arrays(struct fh_launch_state *launch, bool counting);
void fh_launch_arrays_free(struct fh_launch_state *launch);

#endif

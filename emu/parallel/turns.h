/*
 * turns.h - the blocks of a launch in turn, on one host thread: what a launch means.
 */
#ifndef FH_TURNS_H
#define FH_TURNS_H

#include "launch.h"

/* Runs the blocks from `first` on. Each runs to its end before the next one starts, until one only
 * waits for others (repeat.h). From then on as many blocks as an A100 would hold at once
 * (fh_resident_blocks) are there together and run a round each, again and again: they get on at the
 * same pace, as they do on hardware, and programs are written with that in mind. So grid barriers,
 * locks and flags between blocks work. When all that are there wait for each other, or for blocks
 * for which there is no room, and none changes memory or reads a clock, that is a deadlock.
 * FHEC_HOST_ERROR without host memory; a fault is in launch->fault. */
fhec_status fh_run_in_turn(struct fh_launch_state *launch, uint64_t first);

/* How many blocks of the launch an A100 holds at once, at least 1: 108 multiprocessors, each with
 * 64 warps, 32 blocks, 64 Ki registers, 164 KiB of shared memory. */
uint64_t fh_resident_blocks(const struct fh_image *image);

#endif

/*
 * cuda_reporter.h - a process that shares the memory and the open files of a CUDA program's process
 * (clone with CLONE_VM), and outlives it. Whatever ends the program, the observers' state is still
 * there, and no other thread is: the reporter writes then what the program has not come to write.
 *
 * The memory has the threads' locks as they were left. If the reporter waits for one it ends itself
 * after a while, and `fhec cuda` tells what the tally has. So it does where Linux, before 5.16,
 * ends all that share the memory of a process that dumps core.
 */
#ifndef FH_CLI_CUDA_REPORTER_H
#define FH_CLI_CUDA_REPORTER_H

#include <stdbool.h>

#include "cuda_tally.h"

/* Starts the process's reporter, which calls `report` when the process has ended, on a stack of its
 * own, and registers in the tally that the process shares with `fhec cuda` (NULL: there is none).
 * false: there is no such process; errno says why. */
bool fh_cli_cuda_reporter_start(struct fh_cli_cuda_tally *shared, void (*report)(void));
bool fh_cli_cuda_reporter_runs(void);
/* Ends it: there is nothing left for it to report. */
void fh_cli_cuda_reporter_stop(void);

/* In `fhec cuda`: waits for the reporters of processes that have ended, as their subreaper. */
void fh_cli_cuda_reporters_wait(struct fh_cli_cuda_tally *shared);

#endif

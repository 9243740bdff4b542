/*
 * polling.h - loops that wait for a word of shared memory to change. Compilers do not mark loads
 * and stores of shared memory that are volatile, so that a flag looks like data; the loop around
 * the load tells them apart.
 */
#ifndef FH_POLLING_H
#define FH_POLLING_H

#include "fhec_observe.h"

/* Whether the load at `pc` of the launch's kernel is read again and again, from one address, until
 * what it got lets a branch leave the loop; the loop has no store, barrier or call. */
bool fh_polls(const fhec_launch *launch, uint64_t pc);

#endif

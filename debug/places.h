/*
 * places.h - the snapshots of a debugger, in the order of their times: exponentially thinner the
 * farther they are from where it stands, and within a bound of memory.
 */
#ifndef FH_PLACES_H
#define FH_PLACES_H

#include "debugger_state.h"

/* The last place at or before the time; NULL: there is none. */
const struct fh_debug_place *fh_places_before(const struct fh_debugger *debugger,
                                              struct fh_debug_time time);
/* Takes a snapshot of the machine at `time`, where it is, unless there is one, with the launch
 * under way if it is now; and drops others that are needed less. Without host memory nothing
 * happens: going back takes longer then. */
void fh_places_take(struct fh_debugger *debugger, struct fh_debug_time time);
/* How many instructions a launch should issue from `count` on before the next place. */
uint64_t fh_places_interval(uint64_t count);
/* Drops those at or behind the time, but for the beginning of its launch. Whether there were some
 * behind it. */
bool fh_places_cut(struct fh_debugger *debugger, struct fh_debug_time time);
void fh_places_free(struct fh_debugger *debugger);

#endif

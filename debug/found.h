/*
 * found.h - what checkers have found of the launches, by time, and catches of it.
 */
#ifndef FH_FOUND_H
#define FH_FOUND_H

#include "debugger_state.h"

/* The first finding at (if `here`) or behind a time in its launch, if a catch of findings is
 * enabled; NULL: none. */
const struct fh_debug_finding *fh_found_next(const struct fh_debugger *debugger,
                                             struct fh_debug_time time, bool here);
/* The last one before a time, in any launch; the same. */
const struct fh_debug_finding *fh_found_last(const struct fh_debugger *debugger,
                                             struct fh_debug_time time);
/* The first enabled catch of findings; NULL: none. */
struct fh_stop_point *fh_found_catch(const struct fh_debugger *debugger);
/* The catch that stops there; it has been hit once more, unless nothing on the way counts. NULL:
 * hits are ignored. */
struct fh_stop_point *fh_found_hit(struct fh_debugger *debugger);
/* Those behind a time are not true any more. */
void fh_found_cut(struct fh_debugger *debugger, struct fh_debug_time time);
void fh_found_free(struct fh_debugger *debugger);

#endif

/*
 * stop_condition.h - conditions of breakpoints: expressions (query.h) in the lanes of the stop; a
 * condition holds if it is not 0 for some lane of it. `count` and `pc` are the stop's. Of a
 * watchpoint `value` and `old` are the first 8 bytes, and registers those of the lane that it is
 * about.
 */
#ifndef FH_STOP_CONDITION_H
#define FH_STOP_CONDITION_H

#include "debugger_state.h"

/* Whether it holds. *error: it is none; fh_debugger_error tells. */
bool fh_stop_condition_holds(struct fh_debugger *debugger, const struct fh_breakpoint *breakpoint,
                             const fhec_stop *stop, bool *error);

#endif

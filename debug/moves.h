/*
 * moves.h - what moves forward and backward have in common.
 */
#ifndef FH_MOVES_H
#define FH_MOVES_H

#include "debugger_state.h"

/* Puts the focus on the warp that a stop is about, or, without one, on the warp that issues next;
 * the lane stays if it is one of the stop's. */
void fh_moves_focus(struct fh_debugger *debugger, const fhec_stop *stop);
/* Makes sure that the focus' lane can go on: else the focus goes to the warp that issues next.
 * Whether it stays. */
bool fh_moves_refocus(struct fh_debugger *debugger);
/* Notes why and where the debugger has stopped. */
void fh_moves_stopped(struct fh_debugger *debugger, enum fh_debug_reason reason,
                      const fhec_stop *stop);
/* The line of the instruction at pc as a person sees it who looks at no macro: where the outermost
 * expansion is, or the line itself. */
fhec_location fh_moves_outer_line(const struct fh_debugger *debugger, uint64_t pc);
bool fh_moves_same_line(const fhec_location *a, const fhec_location *b);

/* Breakpoints here have been told of, if the last stop was here. */
void fh_moves_resume(struct fh_debugger *debugger);

/* As fh_debugger_move (forwards.c, backwards.c). */
fhec_status fh_moves_forward(struct fh_debugger *debugger, const struct fh_move *move);
fhec_status fh_moves_back(struct fh_debugger *debugger, const struct fh_move *move);
/* As fh_debugger_find, for a stop that is not in the list. */
fhec_status fh_moves_find(struct fh_debugger *debugger, struct fh_stop_point *only);
fhec_status fh_moves_find_back(struct fh_debugger *debugger, struct fh_stop_point *only);

#endif

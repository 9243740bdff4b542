/*
 * condition.h - conditions of breakpoints: comparisons, joined by "&&", of sums of numbers,
 * registers, elements of buffers, and what a watchpoint saw.
 *
 *     R3 == 0x10 && value >= 12289        x[4] + 1 < UR6        lane == 5
 *
 * Registers are those of the lowest lane that the stop is about. All is unsigned, 64 bits, but for
 * what has a minus sign, which wraps around.
 */
#ifndef FH_CONDITION_H
#define FH_CONDITION_H

#include "debugger_state.h"

/* Whether it holds. *error: it is none; fh_debugger_error tells. */
bool fh_condition_holds(struct fh_debugger *debugger, const char *text, const fhec_stop *stop,
                        bool *error);

#endif

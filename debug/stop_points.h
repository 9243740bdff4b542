/*
 * stop_points.h - a debugger's stops as points of the session under way.
 */
#ifndef FH_STOP_POINTS_H
#define FH_STOP_POINTS_H

#include "debugger_state.h"

/* Puts the stops that are enabled, or `only` that one, into the session under way, and takes others
 * out. Returns how many can stop it. */
size_t fh_stop_points_arm(struct fh_debugger *debugger, struct fh_stop_point *only);
/* Whether there is one that could be put into a session. */
bool fh_stop_points_any(const struct fh_debugger *debugger);
void fh_stop_points_disarm(struct fh_debugger *debugger);
/* The one that the session's point is; NULL: none. */
struct fh_stop_point *fh_stop_points_find(const struct fh_debugger *debugger, unsigned armed);
/* The first enabled one that stops before the launch at which the debugger stands; NULL: none. */
struct fh_stop_point *fh_stop_points_launch(struct fh_debugger *debugger);
/* A stop of its own, not in the list. NULL without host memory. */
struct fh_stop_point *fh_stop_point_new(struct fh_debugger *debugger,
                                        const struct fh_breakpoint *breakpoint);
void fh_stop_point_free(struct fh_stop_point *point); /* not in the session any more */
void fh_stop_points_free(struct fh_debugger *debugger);

#endif

/*
 * origin_trail.h - the origins of registers and shared memory in the launch under way, as observers
 * of the debugger's own machine follow them. They are of one time: where the debugger is as long as
 * they follow it, else where they rested; from there on, or from the launch's beginning, what was
 * run runs once more when they are wanted of a later, or an earlier, time.
 *
 *     begin ... rested ... here        follow: go to where they rested, and forward to here
 *     begin ... here ... rested        follow: go to the beginning, and forward to here
 */
#ifndef FH_ORIGIN_TRAIL_H
#define FH_ORIGIN_TRAIL_H

#include "debugger_state.h"
#include "origins.h"

struct fh_origin_trail {
    struct fh_origins *origins;
    bool follows;              /* the machine */
    struct fh_debug_time time; /* that they are of, if they do not */
    struct fh_debugger *debugger;
    struct fh_stop_point *only; /* the one that is looked for; NULL: those of the list */
};

/* Whether a stop that is enabled, or `only`, waits for an origin to change. */
bool fh_trail_is_wanted(const struct fh_debugger *debugger, const struct fh_stop_point *only);
/* Before what stops is put into the session: they follow from here on, if they are wanted. The
 * session has no points then. FHEC_CANCELLED: the debugger is where it was. */
fhec_status fh_trail_ready(struct fh_debugger *debugger, struct fh_stop_point *only);
/* They follow from here on. */
fhec_status fh_trail_follow(struct fh_debugger *debugger, struct fh_stop_point *only);
/* To be called while the debugger still is where they followed it. */
void fh_trail_rest(struct fh_debugger *debugger);
/* The launch is over. */
void fh_trail_leave(struct fh_debugger *debugger);
/* A change was made where the debugger is. */
void fh_trail_changed(struct fh_debugger *debugger, const struct fh_debug_change *change);
/* Those behind a time are not true any more. */
void fh_trail_cut(struct fh_debugger *debugger, struct fh_debug_time time);
void fh_trail_free(struct fh_debugger *debugger);

/* Whether what a watchpoint of an origin has seen written came from elsewhere before, in one of the
 * stop's lanes; the lowest one, with both origins, is point->change then. */
bool fh_trail_has_changed(struct fh_stop_point *point, const fhec_stop *stop);

#endif

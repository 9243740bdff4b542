/*
 * origin_trail.h - the origins of registers and shared memory in the launch under way, as observers
 * of the debugger's own machine follow them. They are of one time: where the debugger is as long as
 * they follow it, else where they rested. origin_follow.h brings them to other times.
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
/* At the beginning of a launch: of nothing so far but what was changed there, and following. */
fhec_status fh_trail_begin(struct fh_debugger *debugger, struct fh_stop_point *only);
/* Where they rested: they follow again. */
fhec_status fh_trail_resume(struct fh_debugger *debugger, struct fh_stop_point *only);
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

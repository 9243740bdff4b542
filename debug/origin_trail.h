/*
 * origin_trail.h - the origins of registers and shared memory in the launch under way, as observers
 * of the debugger's own machine follow them. They are of one time: where the debugger is as long as
 * they follow it, else where they rested; marks are kept of some other times of the launch.
 * origin_follow.h brings them to any time.
 */
#ifndef FH_ORIGIN_TRAIL_H
#define FH_ORIGIN_TRAIL_H

#include "debugger_state.h"
#include "origins.h"

/* What was known at another time of the launch. */
struct fh_trail_mark {
    uint64_t count, bytes;
    struct fh_shadows saved;
};
enum { FH_TRAIL_MARKS = 24 };

struct fh_origin_trail {
    struct fh_origins *origins;
    bool follows;              /* the machine */
    struct fh_debug_time time; /* that they are of, if they do not */
    struct fh_debugger *debugger;
    struct fh_stop_point *only; /* the one that is looked for; NULL: those of the list */
    struct fh_trail_mark marks[FH_TRAIL_MARKS]; /* by time */
    size_t mark_count;
    uint64_t mark_bytes;
};

/* Whether a stop that is enabled, or `only`, waits for an origin to change. */
bool fh_trail_is_wanted(const struct fh_debugger *debugger, const struct fh_stop_point *only);
/* The last time at or before this one, in its launch, of which something is known: where they
 * rested, a mark, or the beginning. */
struct fh_debug_time fh_trail_last(const struct fh_debugger *debugger, struct fh_debug_time time);
/* The debugger has come to such a time: they follow from here on. */
fhec_status fh_trail_begin(struct fh_debugger *debugger, struct fh_stop_point *only);
/* Keeps what is known here, if there is room for it. */
void fh_trail_mark(struct fh_debugger *debugger);
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

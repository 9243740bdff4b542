/*
 * session.h - a launch under way in a machine: what fhec_run runs to its end, and what a session
 * stops, looks at and changes.
 *
 *     fh_session_open -> fh_turns_go ... -> fh_session_close
 *
 * Why a launch stops is found in two steps. While it runs, hooks of the scheduler (steer.c) do as
 * little as possible: they make it pause where something may have happened, and note what. When it
 * has paused, between two instructions, points are looked at one by one, and their conditions asked
 * (points.c). If none holds, it goes on.
 */
#ifndef FH_SESSION_H
#define FH_SESSION_H

#include "fhec_session.h"
#include "machine.h"
#include "observe.h"
#include "turns.h"
#include "warp.h"

enum { FH_MOST_EVENTS = FH_BARRIERS + 2 }; /* of one instruction */

struct fh_point {
    fhec_point is; /* its strings are ours */
    unsigned number;
    bool on;
    uint64_t hits;
};

struct fhec_session {
    fhec_machine *machine;
    struct fh_image image;
    struct fh_launch_state launch;
    struct fh_turns turns;
    struct fh_observation observation;
    struct fh_steering steering;
    bool over;        /* all blocks have ended */
    uint64_t changes; /* of the machine by its host, as far as this session knows of them */

    struct fh_point *points; /* by number */
    size_t point_count, point_room;
    unsigned last_number;
    uint32_t kinds; /* bit k: there are points of kind k that are on */

    /* Of the run under way: */
    fhec_go go;
    uint64_t limit;         /* steps behind which it stops; 0: none */
    uint64_t serial;        /* of the step; counts all of this session */
    struct fh_flow *single; /* the warp that issues one instruction for the step ... */
    uint32_t single_lanes;  /* ... with these lanes */
    uint64_t single_from;   /* launch.steps before it */
    bool stopped;           /* `stop` says why, before an instruction */
    fhec_stop stop;
    fhec_stop events[FH_MOST_EVENTS]; /* behind the last instruction; not yet told */
    unsigned event_count, event_next;
};

/* Checks the launch and makes everything ready to run it. On failure nothing is left, and the
 * machine's error says why. */
fhec_status fh_session_open(fhec_machine *machine, const fhec_launch *launch,
                            fhec_session **session);
/* Adds what was counted to the machine's counts and frees the session; `how` the launch ended is
 * for observers. */
fhec_status fh_session_close(fhec_session *session, fhec_status how);
/* Makes the fault of the launch, if there is one, that of the machine. */
bool fh_session_fault(fhec_session *session);

/* What the warp is about to issue, or where it waits: block, warp, pc, lanes, active. */
void fh_stop_where(fhec_stop *stop, const struct fh_flow *f);
/* The resident block with this id; NULL: none. */
struct fh_block *fh_session_find(const fhec_session *session, const uint32_t block[3]);
bool fh_in_scope(const fhec_scope *scope, const struct fh_flow *f, uint32_t lanes);

/* steer.c: what the scheduler asks. */
bool fh_steer_before(void *user, struct fh_flow *f);
bool fh_steer_behind(void *user, struct fh_flow *f, const struct fh_op *op, uint32_t group,
                     uint32_t active);

/* points.c: completes *stop, of a reason that points ask for, with the first point that wants to
 * stop there. All that are hit count it. False: none does. */
bool fh_points_hit(fhec_session *session, fhec_point_kind kind, const struct fh_flow *f,
                   fhec_stop *stop);
void fh_points_free(fhec_session *session);

#endif

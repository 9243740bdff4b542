/*
 * session_state.h - a launch under way in a machine: what fhec_run runs to its end, and what a
 * session stops, looks at and changes.
 *
 *     fh_session_open -> fh_ordered_go ... -> fh_session_close
 *
 * Why a launch stops is found in two steps. While it runs, hooks of the scheduler (steer.c) do as
 * little as possible: they make it pause where something may have happened, and note what. When it
 * has paused, between two instructions, points are looked at one by one, and their conditions asked
 * (points.c). If none holds, it goes on.
 */
#ifndef FH_SESSION_STATE_H
#define FH_SESSION_STATE_H

#include "fhec_session.h"
#include "machine.h"
#include "observe.h"
#include "ordered.h"
#include "warp.h"
#include "watch.h"
#include "watched_memory.h"

/* Kinds of points, as bits. */
enum {
    FH_BREAKPOINTS =
        1 << FHEC_POINT_PC | 1 << FHEC_POINT_LINE | 1 << FHEC_POINT_OPCODE | 1 << FHEC_POINT_CLASS,
    FH_WATCHPOINTS = 1 << FHEC_POINT_MEMORY | 1 << FHEC_POINT_REGISTER,
    FH_POINTS_AT_CONTROL =
        1 << FHEC_POINT_BARRIER | 1 << FHEC_POINT_WARP_END | 1 << FHEC_POINT_BLOCK_END,
    FH_POINTS_AT_BEGIN = 1 << FHEC_POINT_WARP_BEGIN | 1 << FHEC_POINT_BLOCK_BEGIN,
};
enum { FH_CONTROL_EVENTS = FH_BARRIERS + 2 }; /* of one instruction, beside watchpoints */

struct fh_point {
    fhec_point is; /* its strings are ours */
    unsigned number;
    bool on;
    uint64_t hits;
    uint64_t *at; /* a bit for each instruction that concerns it; NULL: other points */
    bool noted;   /* the instruction that runs may be what a watchpoint waits for, and `old` is what
was there: in the register, or for each lane in memory */
    union {
        uint32_t old[FH_LANES];
        uint32_t old_memory[FH_LANES][FH_ACCESS_WORDS];
    };
};

/* Whether the instruction number `index` concerns the point. */
static inline bool fh_point_at(const struct fh_point *p, uint32_t index) {
    return p->at && p->at[index / 64] >> index % 64 & 1;
}

struct fhec_session {
    fhec_machine *machine;
    struct fh_image image;
    struct fh_launch_state launch;
    bool counting; /* its counts are added to the machine's */
    struct fh_residents residents;
    struct fh_observation observation;
    struct fh_steering steering;
    bool stale;       /* points, observers or constants have changed since ops were flagged */
    bool over;        /* all blocks have ended */
    uint64_t changes; /* of the machine by its host, as far as this session knows of them */
    uint64_t id;      /* of the launch; a session made again from a snapshot has the same one */
    uint64_t
        untouched;     /* machine->changes while the host has changed nothing in this session ... */
    bool touched;      /* ... since this was set: it had, or the session was moved */
    bool at_fault;     /* a warp that was has been ended by the host */
    bool by_host;      /* it ends a warp: not for points */
    bool redone;       /* it does an action of the record again */
    fhec_launch asked; /* what was asked for, ... */
    void *params;      /* ... with its parameters */
    fhec_word *unpatched; /* the kernel's words before the first patch; NULL: there is none */

    struct fh_point *points; /* by number */
    size_t point_count, point_room;
    unsigned last_number;
    uint32_t kinds; /* bit k: there are points of kind k that are on */

    /* Of the run under way: */
    fhec_go go;
    uint64_t limit;         /* steps behind which it stops; 0: none */
    uint64_t serial;        /* of the step; counts all of this session */
    bool first_step;        /* nothing has been issued for the step */
    struct fh_flow *single; /* the warp that issues one instruction for the step ... */
    uint32_t single_lanes;  /* ... with these lanes */
    uint64_t single_from;   /* launch.steps before it */
    bool stopped;           /* `stop` says why, before an instruction */
    fhec_stop stop;
    struct fh_flow *breaking; /* it paused for breakpoints of the instruction before which it is */
    struct fh_accesses accesses; /* of the watched instruction that runs */
    fhec_stop *events;           /* behind the last instruction; not yet told */
    size_t event_count, event_next;
};

/* Checks the launch and makes everything ready to run it. On failure nothing is left, and the
 * machine's error says why. */
fhec_status fh_session_open(fhec_machine *machine, const fhec_launch *launch,
                            fhec_session **session);
/* Begins a launch that can stop. */
fhec_status fh_session_begin(fhec_machine *machine, const fhec_launch *launch,
                             fhec_session **session);
/* fhec_run, without a record. */
fhec_status fh_session_run_all(fhec_machine *machine, const fhec_launch *launch);
/* Adds what was counted to the machine's counts and frees the session; `how` the launch ended is
 * for observers. */
fhec_status fh_session_close(fhec_session *session, fhec_status how);
/* Says that the callback which orders the warps has chosen none of them; FHEC_BAD_INPUT. */
fhec_status fh_session_no_choice(const fhec_session *session);
/* Notes where the blocks are that the cancelled launch leaves, as the machine's positions. */
void fh_session_leave(fhec_session *session);
/* Makes the fault of the launch, if there is one, that of the machine. */
bool fh_session_fault(fhec_session *session);

/* Memory or constant banks have changed otherwise than by the launch itself: what it has found out
 * about them is to be found out again. */
void fh_session_refresh(fhec_session *session);

/* Takes notice of what the host has done to the machine in the meantime. */
void fh_session_notice(fhec_session *session);

/* patch.c: the code of these words, as fh_image_code says. */
struct fh_decoded *fh_session_code(fhec_session *session, const fhec_word *words);
/* They are the launch's from now on. */
void fh_session_take_code(fhec_session *session, struct fh_decoded *code);

/* Whether what the launch does is not what it would have done without its host. */
static inline bool fh_session_touched(const fhec_session *s) {
    return s->touched || s->machine->changes != s->untouched;
}

/* What the warp is about to issue, or where it waits: block, warp, pc, lanes, active. */
void fh_stop_where(fhec_stop *stop, const struct fh_flow *f);
/* The resident block with this id; NULL: none. */
struct fh_block *fh_session_find(const fhec_session *session, const uint32_t block[3]);
/* The warp, ready to be looked at: what a fresh one holds has been put there. NULL: there is none;
 * the machine's error says so. */
struct fh_flow *fh_session_warp_of(const fhec_session *session, const uint32_t block[3],
                                   uint32_t warp);
bool fh_in_scope(const fhec_scope *scope, const struct fh_flow *f, uint32_t lanes);

/* describe.c: where the lanes of a warp are. */
void fh_describe_warp(const struct fh_flow *f, fhec_warp_info *info);

/* steer.c: what the scheduler asks. */
bool fh_steer_before(void *user, struct fh_flow *f);

/* hook.c: flags the instructions that points and observers are about. False without host memory. */
bool fh_session_watch(fhec_session *session);

/* points.c: what happened in the warp, which *stop tells but for the point: which points it is
 * about. The first of them that wants to stop goes to *stop; all that it hits count it. False: none
 * wants to. */
enum { FH_NO_OP = -1 };
bool fh_points_hit(fhec_session *session, uint32_t kinds, int64_t index, const struct fh_flow *f,
                   fhec_stop *stop);
void fh_points_free(fhec_session *session);
/* The kernel's words have changed: finds again which of them points are about. */
void fh_points_renew(fhec_session *session);

#endif

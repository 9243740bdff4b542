/*
 * debugger_state.h - what the files of this folder know of a debugger.
 */
#ifndef FH_DEBUGGER_STATE_H
#define FH_DEBUGGER_STATE_H

#include <stdatomic.h>

#include "debugger.h"
#include "shadow.h"

struct fh_origin_trail;

/* A snapshot of a time; of a launch's beginning before the changes that were made there. */
struct fh_debug_place {
    struct fh_debug_time time;
    fhec_snapshot *snapshot;
    bool under_way; /* the launch; else it has yet to begin */
    uint64_t bytes; /* of its session, about */
};

/* A stop, with what the session under way knows of it. */
struct fh_stop_point {
    struct fh_debugger *debugger;
    struct fh_breakpoint is; /* its strings are ours */
    unsigned armed;          /* number in the session of `generation`; 0: it is not there */
    unsigned generation;
    /* FH_WATCH_ORIGIN: before the instruction that writes the register, and what it has found. */
    fh_origin_bytes origins[FHEC_WARP_LANES];
    struct fh_origin_change change;
};

enum fh_change_kind { FH_CHANGE_REGISTER, FH_CHANGE_MEMORY, FH_CHANGE_INSTRUCTION };

/* What was changed at a time, to be done again. */
struct fh_debug_change {
    struct fh_debug_time time;
    enum fh_change_kind kind;
    fhec_thread thread;
    bool has_thread;
    fhec_register_file file;
    uint32_t reg, lanes, values[FHEC_WARP_LANES];
    fhec_space space;
    uint32_t bank;
    uint64_t address;
    uint8_t *data;
    size_t bytes;
    fhec_word word;    /* of an instruction, which `lanes` of the warp are to execute, ... */
    uint32_t executed; /* ... and these have */
};

struct fh_debugger {
    struct fh_debugger_options options;
    fhec_machine *machine;
    const fhec_record *record; /* NULL: nothing has been taken */
    size_t *launches;          /* the actions that are launches */
    size_t launch_count, launch_capacity;
    uint64_t *lengths; /* instructions of each launch; UINT64_MAX: not known */
    /* Where it is: so many actions are done; the launch, under way if there is a session. */
    size_t done, launch;
    fhec_session *session;
    unsigned generation; /* of sessions: points are armed in one of them */
    uint64_t count;
    struct fh_debug_time farthest; /* that it has been since the last change */
    struct fh_debug_place *places; /* by time */
    size_t place_count, place_capacity;
    uint64_t place_bytes;          /* of their sessions */
    struct fh_stop_point **points; /* by number */
    size_t point_count, point_capacity;
    unsigned last_number;
    bool searching; /* backwards: ignore counts do not count */
    bool resuming;  /* breakpoints at the time `resumed` have stopped already */
    struct fh_debug_time resumed;
    bool bad_condition;
    struct fh_debug_change *changes; /* by time */
    size_t change_count, change_capacity;
    struct fh_debug_patch *patches; /* as they begin, and as they were made; strings are ours */
    size_t patch_count;
    unsigned last_patch;
    struct fh_debug_finding *findings; /* by time; their texts are ours */
    size_t finding_count;
    struct fh_origin_trail *trail; /* NULL: no origins were wanted */
    struct fh_focus focus;
    struct fh_debug_stop stop;
    atomic_bool cancelled;
    char error[400];
};

/* fh_debugger_take without beginning a launch. */
fhec_status fh_debugger_list(struct fh_debugger *debugger, const fhec_record *record);

#endif

/*
 * record_log.h - the list of what a host does to a machine, and snapshots of places in it.
 *
 *     actions     0   1   2   3   4   5   6            position: 5, the others have been taken back
 *                | A | W | L | W | L | W | L |
 *     places     ^       ^       ^
 *                snapshots: of the begin, before some launches, and behind what cannot be done
 * again
 */
#ifndef FH_RECORD_LOG_H
#define FH_RECORD_LOG_H

#include "snapshot.h"

struct fh_action {
    fhec_action is;
    fhec_launch launch;         /* is.launch, if it is one */
    void *name, *data, *params; /* ours; NULL: there is none */
};

void fh_action_free(struct fh_action *action); /* NULL is allowed */

/* A place in the record whose state is known. */
struct fh_record_place {
    size_t position;
    fhec_snapshot *snapshot;
    bool needed; /* nothing leads there from the place before it */
};

struct fhec_record {
    fhec_machine *machine;
    struct fh_action **actions;
    size_t count, capacity, position;
    struct fh_action *pending;      /* begun, but not done; NULL: none */
    struct fh_record_place *places; /* in their order; the first one is the begin */
    size_t place_count, place_capacity;
    size_t every, launches; /* a snapshot before every so many launches; launches since the last */
    bool replaying;         /* what is done is in the record already */
    bool defers;            /* launches are noted only, and there are no places */
};

/* Before the machine does `what`, and behind it: `done` if it did. Without a record nothing
 * happens. False without host memory: then it must not be done. Behind an allocation `address` is
 * its address. */
bool fh_record_prepare(fhec_machine *machine, const fhec_action *what);
void fh_record_done(fhec_machine *machine, bool done, uint64_t address, fhec_status status);
/* What has been done cannot be done again: keeps a snapshot of what came of it. Without host memory
 * the record forgets everything and begins anew. */
void fh_record_done_kept(fhec_machine *machine, fhec_status status);
/* The machine has done what the record could not take down: it forgets everything, and begins anew
 * with the next action. */
void fh_record_lost(fhec_machine *machine);
/* The machine has done the action at its position again. */
void fh_record_redone(fhec_machine *machine);

/* Takes a snapshot of where the machine is; `needed`: nothing else leads there. False without host
 * memory. */
bool fh_record_add_place(fhec_record *record, bool needed);
/* Forgets all from `position` on. */
void fh_record_cut(fhec_record *record, size_t position);

#endif

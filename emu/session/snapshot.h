/*
 * snapshot.h - what a snapshot of a machine consists of.
 */
#ifndef FH_SNAPSHOT_H
#define FH_SNAPSHOT_H

#include "history.h"
#include "session_copy.h"

struct fhec_snapshot {
    fhec_machine *machine;
    struct fh_version *memory;
    struct fh_module **modules; /* the machine's list, in its order */
    size_t module_count;
    uint64_t grid_workspace;
    struct fh_tally tally;
    struct fh_session_copy *session; /* NULL: none */
};

/* fhec_snapshot_restore, without a record. */
fhec_status fh_snapshot_restore(const fhec_snapshot *snapshot, fhec_session **session);

#endif

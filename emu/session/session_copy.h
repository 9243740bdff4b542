/*
 * session_copy.h - a session as part of a snapshot: where its launch stands, and all that belongs
 * to it but global memory.
 */
#ifndef FH_SESSION_COPY_H
#define FH_SESSION_COPY_H

#include "block_copy.h"
#include "session_state.h"

struct fh_session_copy {
    uint64_t id;
    fhec_launch asked;
    void *params;
    struct fh_residents residents; /* but for its blocks */
    struct fh_block_copy **blocks;
    size_t count;
    uint64_t steps, array_cycles;
    bool tracked, changed, spinning, over, touched, at_fault;
    uint64_t serial;
    struct fh_op_count *counts; /* NULL: nothing is counted */
    bool counting, counted;     /* for the machine; from the launch's beginning on */
    uint8_t *banks[FH_BANKS];   /* bank 0, and those of the kernel that were changed */
    fhec_word *words;           /* of a patched kernel; NULL: it is not */
    fhec_stop *events;          /* not yet told */
    size_t event_count;
};

/* NULL without host memory. */
struct fh_session_copy *fh_session_copy_make(const fhec_session *session);
void fh_session_copy_free(struct fh_session_copy *copy);

/* What a session of the same launch needs to become the copy. False without host memory; the
 * session is as it was. */
struct fh_session_parts {
    struct fh_block **blocks; /* of the session, or fresh ones */
    bool *used;               /* by number of the session's blocks */
    struct fh_block **fresh;
    size_t fresh_count;
    fhec_stop *events;
    struct fh_decoded *code; /* NULL: the session's */
};
bool fh_session_copy_prepare(const struct fh_session_copy *copy, fhec_session *session,
                             struct fh_session_parts *parts);
/* Of parts that are not used after all. */
void fh_session_parts_free(struct fh_session_parts *parts);
/* The session becomes the copy; memory already is what it was. */
void fh_session_copy_restore(const struct fh_session_copy *copy, fhec_session *session,
                             struct fh_session_parts *parts);

#endif

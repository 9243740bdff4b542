/*
 * watching.h - how a checker begins and ends: a state of its own, one observer or more, decoded
 * code.
 */
#ifndef FH_WATCHING_H
#define FH_WATCHING_H

#include "event_code.h"
#include "finding.h"

enum { FH_WATCHING_OBSERVERS = 2 };

/* The first member of a checker's state. */
struct fh_watching {
    fhec_machine *machine;
    struct fh_findings *findings;
    struct fh_code *code; /* event_code.h */
    unsigned observers[FH_WATCHING_OBSERVERS];
    bool failed; /* there was no host memory on the way */
};

/* What a checker watches with. */
struct fh_watch {
    size_t bytes;                                                    /* of its state */
    size_t own_bytes;                                                /* of fh_code_new */
    void (*prepare)(void *own, const fhec_instruction *instruction); /* the same */
    fhec_observer observers[FH_WATCHING_OBSERVERS]; /* `user` is the state; no event: none */
    fhec_status (*end)(void *state); /* releases what is the checker's own, then fh_watch_end */
};

/* Makes the state, zero but for its first member, and observes. FHEC_HOST_ERROR without host
 * memory; nothing is left then. */
fhec_status fh_watch_begin(const struct fh_watch *watch, fhec_machine *machine,
                           struct fh_findings *findings, void **state);
/* Ends the observing and frees the state. FHEC_HOST_ERROR if something failed on the way. */
fhec_status fh_watch_end(void *state);

#endif

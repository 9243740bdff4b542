/*
 * trace_replay.h - a timer fed by traces instead of the emulator (docs/accelsim.md). Each trace is
 * read twice: once to check it, to learn its code and what other blocks leave in L2, and once while
 * the SM runs, with as many blocks in memory as that holds.
 *
 *     new -> launch, launch, ... -> results of the timer -> free
 */
#ifndef FH_TRACE_REPLAY_H
#define FH_TRACE_REPLAY_H

#include "accelsim_reader.h"
#include "timer.h"

/* A trace, from its beginning each time that it is opened. */
struct fh_trace_replay_source {
    void *user;
    bool (*open)(void *user, struct fh_accelsim_in *in); /* false: it failed, which has been said */
    void (*close)(void *user);
};

struct fh_trace_replay;
/* NULL without host memory. Its kernels are part of the timer's results, which must not be asked
 * for behind free. */
struct fh_trace_replay *fh_trace_replay_new(struct fh_timer *timer);
void fh_trace_replay_free(struct fh_trace_replay *replay); /* NULL is allowed */
/* Times one launch. FHEC_BAD_INPUT, FHEC_HOST_ERROR: fh_trace_replay_why, which is empty if the
 * source could not be opened. */
fhec_status fh_trace_replay_launch(struct fh_trace_replay *replay,
                                   const struct fh_trace_replay_source *source);
const char *fh_trace_replay_why(const struct fh_trace_replay *replay);

#endif

/*
 * sweep_run.h - runs the points of a plan whose results are not known, and keeps each result as
 * it comes.
 */
#ifndef FH_CLI_SWEEP_RUN_H
#define FH_CLI_SWEEP_RUN_H

#include "sweep_ranks.h"
#include "sweep_store.h"

struct fh_cli_sweep_work {
    const struct fh_cli *cli;
    const struct fh_cli_sweep_plan *plan;
    struct fh_cli_sweep_store *store;     /* to write */
    struct fh_cli_sweep_store *elsewhere; /* results in it are known, too; NULL: none */
    struct fh_cli_sweep_ranks *ranks;     /* other processes that run points; NULL: none */
    unsigned jobs;                        /* runs at once, in this process */
    double seconds;                       /* that a run may take; 0: any */
    unsigned attempts;                    /* that a run gets when signals from outside end it */
    bool retry;                           /* what has failed is run again */
    size_t share, shares;                 /* every `shares`-th point from `share` on */
};

/* Points of the share, by what has become of them. */
struct fh_cli_sweep_tally {
    size_t points;
    size_t known; /* before: not run */
    size_t good, failed;
};

/* FHEC_OK: all have run, whatever came of it. FHEC_CANCELLED: SIGINT or SIGTERM. FHEC_HOST_ERROR: a
 * result cannot be kept, a run cannot be started; said. In any case results so far are kept. */
fhec_status fh_cli_sweep_run(const struct fh_cli_sweep_work *work,
                             struct fh_cli_sweep_tally *tally);

#endif

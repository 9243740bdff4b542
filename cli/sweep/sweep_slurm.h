/*
 * sweep_slurm.h - a sweep as a job array of Slurm.
 */
#ifndef FH_CLI_SWEEP_SLURM_H
#define FH_CLI_SWEEP_SLURM_H

#include "cli.h"

struct fh_cli_sweep_script {
    const char *plan, *db;
    unsigned jobs;  /* cores of a task; 0: one */
    double seconds; /* limit of a run; 0: none */
    unsigned attempts;
    bool retry;
    size_t points, tasks;
};

/* Writes the script: `sh SCRIPT` submits it and the job that merges the results behind it. Each
 * task keeps its results in a file of its own, since SQLite's locks are not to be relied on between
 * machines. */
fhec_status fh_cli_sweep_slurm(const struct fh_cli *cli, const struct fh_cli_sweep_script *script,
                               const char *path);

#endif

/*
 * sweep_options.h - the options of `fhec sweep`.
 */
#ifndef FH_CLI_SWEEP_OPTIONS_H
#define FH_CLI_SWEEP_OPTIONS_H

#include "sweep_plot.h"
#include "sweep_view.h"

enum fh_cli_sweep_act {
    FH_CLI_SWEEP_ACT_RUN,   /* what is not known, then the outputs */
    FH_CLI_SWEEP_ACT_SHOW,  /* --no-run: the outputs */
    FH_CLI_SWEEP_ACT_LIST,  /* --list: the points */
    FH_CLI_SWEEP_ACT_MERGE, /* --merge: other files into this one */
    FH_CLI_SWEEP_ACT_SLURM  /* --slurm: the script of a job array */
};

struct fh_cli_sweep_options {
    struct fh_cli *cli;
    enum fh_cli_sweep_act act;
    const char *db, *plan;
    char **files; /* arguments: the plan, or what is merged */
    size_t file_count;
    /* running */
    unsigned jobs; /* 0: not given */
    double seconds;
    unsigned attempts;
    bool retry;
    size_t share, shares;
    const char *known;
    /* outputs */
    bool formatted;
    enum fh_cli_sweep_form form;
    const char *out;
    struct fh_cli_sweep_view view; /* its columns and conditions */
    struct fh_cli_sweep_plot plot;
    /* Slurm */
    const char *slurm;
    size_t tasks; /* 0: not given */
};

/* Ends the process with status 2 if they are wrong. */
void fh_cli_sweep_options_read(struct fh_cli *cli, int argc, char **argv,
                               struct fh_cli_sweep_options *options);
void fh_cli_sweep_options_free(struct fh_cli_sweep_options *options);

#endif

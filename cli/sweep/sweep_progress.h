/*
 * sweep_progress.h - one line on a terminal: how far the sweep is, and how long the rest will take.
 */
#ifndef FH_CLI_SWEEP_PROGRESS_H
#define FH_CLI_SWEEP_PROGRESS_H

#include "cli.h"

struct fh_cli_sweep_tally;
struct fh_cli_sweep_progress {
    const struct fh_cli *cli; /* NULL: there is no terminal */
    double begun, shown;      /* times; 0: not yet */
    size_t total, ended;      /* runs */
};

void fh_cli_sweep_progress_begin(struct fh_cli_sweep_progress *progress, const struct fh_cli *cli,
                                 size_t total);
/* Shows the line, twice a second at most. */
void fh_cli_sweep_progress_show(struct fh_cli_sweep_progress *progress,
                                const struct fh_cli_sweep_tally *tally, size_t running);
void fh_cli_sweep_progress_end(struct fh_cli_sweep_progress *progress);

#endif

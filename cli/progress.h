/*
 * progress.h - one line on a terminal that tells what is being done and for how long.
 */
#ifndef FH_CLI_PROGRESS_H
#define FH_CLI_PROGRESS_H

#include "cli.h"

/* Shows what is being done, and for how long, in one line of a terminal's stderr once it takes
 * more than a second. Without a terminal these do nothing. */
struct fh_cli_progress;
struct fh_cli_progress *fh_cli_progress_start(const struct fh_cli *cli, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void fh_cli_progress_stop(struct fh_cli_progress *progress); /* NULL is fine */

#endif

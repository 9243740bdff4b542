/*
 * progress.h - one line on a terminal that tells what is being done and for how long.
 */
#ifndef FH_CLI_PROGRESS_H
#define FH_CLI_PROGRESS_H

#include "cli.h"

/* Shows what is being done, and for how long, in one line of a terminal's stderr once it takes
 * more than a second; of a machine (NULL: there is none) also how far its launch is. Without a
 * terminal these do nothing. */
struct fh_cli_progress;
struct fh_cli_progress *fh_cli_progress_start(const struct fh_cli *cli, fhec_machine *machine,
                                              const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void fh_cli_progress_stop(struct fh_cli_progress *progress); /* NULL is fine */

#endif

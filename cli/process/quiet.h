/*
 * quiet.h - standard output closed to a library that prints.
 */
#ifndef FH_CLI_QUIET_H
#define FH_CLI_QUIET_H

/* What the process prints until the end goes nowhere. Without a file descriptor to spare nothing
 * happens. Not for several threads at a time. */
struct fh_cli_quiet {
    int standard; /* what standard output is; -1: nothing happened */
};
struct fh_cli_quiet fh_cli_quiet_begin(void);
void fh_cli_quiet_end(struct fh_cli_quiet quiet);

#endif

/*
 * seconds.h - how long something takes.
 */
#ifndef FH_CLI_SECONDS_H
#define FH_CLI_SECONDS_H

/* Seconds of a clock that never goes back. */
double fh_cli_now(void);

#endif

/*
 * time_options.h - which machine times are wanted of: --machine, --clock, --change.
 */
#ifndef FH_CLI_TIME_OPTIONS_H
#define FH_CLI_TIME_OPTIONS_H

#include <argp.h>

#include "cli.h"
#include "timer.h"

struct fh_cli_time_options {
    const char *machine;  /* a name, or a file; NULL: none is given */
    double clock_mhz;     /* 0: the machine's */
    const char **changes; /* further lines of its description */
    size_t change_count;
};
/* --machine, --clock, --change; its input is a struct fh_cli_time_options. */
extern const struct argp fh_cli_time_argp;
void fh_cli_time_options_free(struct fh_cli_time_options *options);

/* Reads the description, of the machine `other` if none is given. A feature, "+mod", brings the
 * instructions' costs that differ between the tool's machine that this one is, or is like, and the
 * one with that behind its name, but for what the description itself changes; NULL: none. Changes
 * come last. What is wrong has been said. */
fhec_status fh_cli_time_machine(const struct fh_cli *cli, const struct fh_cli_time_options *options,
                                const char *other, const char *feature,
                                struct fh_time_machine *machine);

/* Reads the description and makes the timer. What is wrong has been said. */
fhec_status fh_cli_timer_new(const struct fh_cli *cli, const struct fh_cli_time_options *options,
                             struct fh_timer **timer);

#endif

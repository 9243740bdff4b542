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

/* Reads the description, of the machine `other` if none is given. What is wrong has been said. */
fhec_status fh_cli_time_machine(const struct fh_cli *cli, const struct fh_cli_time_options *options,
                                const char *other, struct fh_time_machine *machine);
/* Gives it the instructions' costs that differ between the tool's machine that it is, or is like,
 * and the one whose name has `suffix` behind that. What is wrong has been said. */
fhec_status fh_cli_time_feature(const struct fh_cli *cli, const char *suffix,
                                struct fh_time_machine *machine);

/* Reads the description and makes the timer. What is wrong has been said. */
fhec_status fh_cli_timer_new(const struct fh_cli *cli, const struct fh_cli_time_options *options,
                             struct fh_timer **timer);

#endif

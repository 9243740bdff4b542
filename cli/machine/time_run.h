/*
 * time_run.h - --time: how long a command's launches take on a machine, told behind what else it
 * says.
 *
 *     parse -> open (before fh_cli_machine_new) -> attach -> launches -> close
 */
#ifndef FH_CLI_TIME_RUN_H
#define FH_CLI_TIME_RUN_H

#include <argp.h>
#include <stdio.h>

#include "time_options.h"

struct fh_cli_time_run {
    struct fh_cli_time_options options;
    bool wanted;
    size_t format; /* text, json, callgrind */
};
/* --time, --time-format; its input is a struct fh_cli_time_run. */
extern const struct argp fh_cli_time_run_argp;

/* *timer is NULL if no times are wanted, which the others take. Else the machine that is going to
 * be made of the options gets the timer's order of warps. */
fhec_status fh_cli_timing_open(const struct fh_cli *cli, const struct fh_cli_time_run *time,
                               fhec_machine_options *options, struct fh_timer **timer);
fhec_status fh_cli_timing_attach(const struct fh_cli *cli, struct fh_timer *timer,
                                 fhec_machine *machine);
/* Prints the times to `to` if what has run, with `status`, came to its end. Returns `status`, or
 * what became of the times if that is worse. */
fhec_status fh_cli_timing_close(const struct fh_cli *cli, const struct fh_cli_time_run *time,
                                struct fh_timer *timer, FILE *to, fhec_status status);

/* Prints what the timer has found: 0 as text, 1 as JSON, 2 in the format of
 * callgrind. */
fhec_status fh_cli_times_print(const struct fh_cli *cli, const struct fh_timer *timer,
                               size_t format, FILE *to);

#endif

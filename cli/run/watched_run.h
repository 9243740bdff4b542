/*
 * watched_run.h - the machine of `fhec run` with all that watches it: checks, a profile, a trace,
 * times.
 *
 *     begin -> launches -> launched -> end
 */
#ifndef FH_CLI_WATCHED_RUN_H
#define FH_CLI_WATCHED_RUN_H

#include "run_options.h"

struct fh_cli_check;
struct fh_cli_profile;
struct fh_cli_trace;

/* All zero at first. */
struct fh_cli_watch {
    struct fh_cli *cli;
    struct fh_cli_run_options *given;
    fhec_machine *machine;
    struct fh_cli_check *check;
    struct fh_cli_profile *profile;
    struct fh_cli_trace *trace;
    struct fh_timer *timer;
};

/* Makes the machine. The options must live as long; `end` in any case. */
fhec_status fh_cli_watch_begin(struct fh_cli_watch *watch, struct fh_cli *cli,
                               struct fh_cli_run_options *given);
/* The launches are over, with `status`: writes the trace, the profile and the times, and returns
 * the status, or what has become of them if it is FHEC_OK or FHEC_DIFFERS. */
fhec_status fh_cli_watch_launched(struct fh_cli_watch *watch, fhec_status status);
/* Says what was found, and frees the machine. `memory` has the shapes of buffers. The status as of
 * fh_cli_check_close. */
fhec_status fh_cli_watch_end(struct fh_cli_watch *watch, const struct fh_cli_memory *memory,
                             fhec_status status);

#endif

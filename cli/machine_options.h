/*
 * machine_options.h - the options that every command has which runs kernels.
 */
#ifndef FH_CLI_MACHINE_OPTIONS_H
#define FH_CLI_MACHINE_OPTIONS_H

#include <argp.h>

#include "cli.h"

enum fh_cli_stats { FH_CLI_STATS_NONE, FH_CLI_STATS_TEXT, FH_CLI_STATS_JSON };

struct fh_cli_machine {
    fhec_machine_options options;
    enum fh_cli_stats stats;
    uint64_t max_steps; /* 0: no limit */
};
extern const struct argp fh_cli_machine_argp; /* its input is a struct fh_cli_machine */

/* Makes the machine and switches counting on if statistics were asked for. */
fhec_status fh_cli_machine_new(const struct fh_cli *cli, const struct fh_cli_machine *settings,
                               fhec_machine **machine);

#endif

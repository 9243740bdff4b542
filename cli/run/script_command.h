/*
 * script_command.h - fhec run --script.
 */
#ifndef FH_CLI_SCRIPT_COMMAND_H
#define FH_CLI_SCRIPT_COMMAND_H

#include "run_options.h"

/* Runs the script of the options, watched as they ask. */
fhec_status fh_cli_script_command_run(struct fh_cli *cli, struct fh_cli_run_options *given);

#endif

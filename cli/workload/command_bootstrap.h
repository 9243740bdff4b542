/*
 * command_bootstrap.h - fhec ckks bootstrap.
 */
#ifndef FH_CLI_COMMAND_BOOTSTRAP_H
#define FH_CLI_COMMAND_BOOTSTRAP_H

#include "cli.h"

/* argv[0] is "bootstrap". */
fh_cli_command fh_cli_ckks_bootstrap;

#endif

/*
 * command_circuits.h - commands under fhec ckks that execute a circuit (circuit_run.h).
 */
#ifndef FH_CLI_COMMAND_CIRCUITS_H
#define FH_CLI_COMMAND_CIRCUITS_H

#include "cli.h"

/* argv[0] is the command's name: "bootstrap", ... */
fh_cli_command fh_cli_ckks_bootstrap, fh_cli_ckks_lr, fh_cli_ckks_resnet;

#endif

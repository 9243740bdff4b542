/*
 * experiment.h - files of experiments: each line is the arguments of one `fhec time`, with what it
 * expects. Files in it are named from where it lies.
 */
#ifndef FH_CLI_EXPERIMENT_H
#define FH_CLI_EXPERIMENT_H

#include "cli.h"

/* Runs all lines of the files, and prints a table of them. */
fhec_status fh_cli_experiments(struct fh_cli *cli, int count, char **files);

#endif

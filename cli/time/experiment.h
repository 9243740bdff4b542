/*
 * experiment.h - files of experiments: each line is the arguments of one `fhec time`, with what it
 * expects. Files in it are named from where it lies.
 */
#ifndef FH_CLI_EXPERIMENT_H
#define FH_CLI_EXPERIMENT_H

#include "cli.h"

/* Runs `fhec time` with these arguments, the first of which is its name. Without `quiet` the result
 * is printed. *expected is negative if nothing is. FHEC_DIFFERS, said, if it is not what it got. */
fhec_status fh_cli_time_measure(struct fh_cli *cli, int argc, char **argv, bool quiet,
                                double *cycles, double *expected);

/* Runs all lines of the files, and prints a table of them. */
fhec_status fh_cli_experiments(struct fh_cli *cli, int count, char **files);

#endif

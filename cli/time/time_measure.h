/*
 * time_measure.h - one `fhec time`: its options, the run or the two of --steps, the result.
 */
#ifndef FH_CLI_TIME_MEASURE_H
#define FH_CLI_TIME_MEASURE_H

#include "cli.h"

/* Runs `fhec time` with these arguments, the first of which is its name. Without `quiet` the result
 * is printed. *expected is negative if nothing is. FHEC_DIFFERS, said, if it is not what it got. */
fhec_status fh_cli_time_measure(struct fh_cli *cli, int argc, char **argv, bool quiet,
                                double *cycles, double *expected);

#endif

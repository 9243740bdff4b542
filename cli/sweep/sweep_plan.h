/*
 * sweep_plan.h - which runs a sweep consists of: a file in JSON, checked and multiplied out.
 *
 *     {"command": ["ntt"], "options": {"limbs": 2}, "grid": {"n": [256, 512], "map": ["fhec16"]}}
 *
 * The format is described in fhec-sweep(1). What is wrong is said with the line and column of the
 * value in the file, before anything runs.
 */
#ifndef FH_CLI_SWEEP_PLAN_H
#define FH_CLI_SWEEP_PLAN_H

#include "sweep_point.h"

/* Reads the plan. FHEC_BAD_INPUT: it is wrong; FHEC_HOST_ERROR: it cannot be read. Both have been
 * said. The plan is to be freed in any case. */
fhec_status fh_cli_sweep_plan_read(const struct fh_cli *cli, const char *path,
                                   struct fh_cli_sweep_plan *plan);
void fh_cli_sweep_plan_free(struct fh_cli_sweep_plan *plan);

#endif

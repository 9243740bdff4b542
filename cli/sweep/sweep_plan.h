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

#include <jansson.h>

#include "sweep_build.h"

/* What identifies the result of a run, beside the build: texts in JSON without spaces, so that the
 * same run has the same texts. */
struct fh_cli_sweep_key {
    char *command; /* an array of words: ["ckks","hemult"] */
    char *options; /* an object sorted by name: {"limbs":27,"no-verify":true}; false ones are out */
    char *files;   /* hashes of files that the run reads, by name, sorted: {} */
};

struct fh_cli_sweep_point {
    struct fh_cli_sweep_key key;
    size_t build;      /* index of plan->builds */
    unsigned standard; /* options that every run gets beside its own: FH_CLI_SWEEP_... */
};
/* --stats=json, --format=json, --threads=1: where the command takes them and the plan does not say
 * something else. They are no part of the key: none of them changes a result. */
enum { FH_CLI_SWEEP_STATS = 1, FH_CLI_SWEEP_FORMAT = 2, FH_CLI_SWEEP_THREADS = 4 };

struct fh_cli_sweep_plan {
    char *title; /* NULL: none */
    struct fh_cli_sweep_build *builds;
    size_t build_count;
    struct fh_cli_sweep_point *points; /* in the order of the file, the last axis fastest */
    size_t count;
};

/* Reads the plan. FHEC_BAD_INPUT: it is wrong; FHEC_HOST_ERROR: it cannot be read. Both have been
 * said. The plan is to be freed in any case. */
fhec_status fh_cli_sweep_plan_read(const struct fh_cli *cli, const char *path,
                                   struct fh_cli_sweep_plan *plan);
void fh_cli_sweep_plan_free(struct fh_cli_sweep_plan *plan);

/* The arguments of the run, "fhec" first, as an array in JSON without spaces; malloc'd. NULL: no
 * memory. */
char *fh_cli_sweep_arguments(const struct fh_cli_sweep_point *point);
/* The same as a line for a shell. */
char *fh_cli_sweep_point_text(const struct fh_cli_sweep_point *point);

#endif

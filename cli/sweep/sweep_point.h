/*
 * sweep_point.h - a run of a sweep: what it is, how it is started, and all of them together.
 */
#ifndef FH_CLI_SWEEP_POINT_H
#define FH_CLI_SWEEP_POINT_H

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

/* The arguments of the run, "fhec" first, as an array in JSON without spaces; malloc'd. NULL: no
 * memory. */
char *fh_cli_sweep_arguments(const struct fh_cli_sweep_point *point);
/* The same as a line for a shell. */
char *fh_cli_sweep_point_text(const struct fh_cli_sweep_point *point);

#endif

/*
 * run_options.h - what the command line of `fhec run` asks for.
 */
#ifndef FH_CLI_RUN_OPTIONS_H
#define FH_CLI_RUN_OPTIONS_H

#include "check_options.h"
#include "job.h"
#include "machine_options.h"
#include "profile_run.h"
#include "program_file.h"
#include "time_run.h"
#include "trace_options.h"

enum fh_cli_direction { FH_CLI_IN, FH_CLI_OUT, FH_CLI_INOUT, FH_CLI_POINTERS };

/* A buffer as the command line gives it. */
struct fh_cli_binding {
    enum fh_cli_direction direction;
    char *name;
    char *path;              /* NULL: no file; of POINTERS the list */
    char *from;              /* of INOUT: the file that is read, if that is another one than path */
    uint64_t bytes;          /* of OUT; 0: as many as an IN of the same name has */
    struct fh_cli_data type; /* of OUT: kind and width of the elements */
};

struct fh_cli_expectation {
    char *name;
    const char *hash;        /* 32 digits; NULL: a file */
    const char *path;        /* of the file */
    struct fh_cli_data want; /* its contents, read before the run, whose outputs may replace it */
};

/* One launch, and what of its shape has been given. */
struct fh_cli_step {
    uint64_t warp_insts, thread_insts; /* that it has issued */
    struct fh_cli_job job;
    bool has_grid, has_block;
};

struct fh_cli_run_options {
    struct fh_cli *cli;
    struct fh_cli_machine machine;
    struct fh_cli_trace_options trace;
    struct fh_cli_check_options check;
    struct fh_cli_profile_options profile;
    struct fh_cli_time_run time;
    struct fh_cli_source source;
    struct fh_cli_step *steps;
    size_t step_count;
    struct fh_cli_binding *bindings;
    size_t binding_count;
    struct fh_cli_expectation *expectations;
    size_t expectation_count;
    const char **hash_names;
    size_t hash_count;
    struct fh_cli_scalar *settings; /* of variables */
    size_t setting_count;
    const char **shown; /* variables: NAME or NAME=FILE */
    size_t shown_count;
    bool trap_unsupported;
    bool debug_on_fault;
    bool all_faults;    /* go on without the warps that are at fault */
    const char *script; /* in the place of all that says what is launched; NULL: none */
    bool all;           /* in lists: what the compiler has added, too */
    bool list;          /* only say what is in FILE */
};

/* The same options for other commands; its input is a struct fh_cli_run_options whose cli is set.
 */
extern const struct argp fh_cli_run_argp;
/* The children of commands that have options of their own beside these. */
extern const struct argp_child fh_cli_run_children[];
/* Parses with exit status 2 for usage errors; fh_cli_run_options_free in any case. */
void fh_cli_run_options_parse(struct fh_cli *cli, int argc, char **argv,
                              struct fh_cli_run_options *run);
void fh_cli_run_options_free(struct fh_cli_run_options *run);

#endif

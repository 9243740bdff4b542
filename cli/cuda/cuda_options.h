/*
 * cuda_options.h - the options of `fhec cuda`, which the tool reads, and then the library in the
 * program's own process, which gets them in the environment.
 */
#ifndef FH_CLI_CUDA_OPTIONS_H
#define FH_CLI_CUDA_OPTIONS_H

#include <argp.h>

#include "check_options.h"
#include "machine_options.h"
#include "profile_run.h"
#include "time_run.h"
#include "trace_options.h"

/* Another kernel in the place of one of the program's. */
struct fh_cli_cuda_replacement {
    const char *kernel; /* its name in the program's code, or a part that is demangled */
    char *path;         /* the file's, without the name behind it */
    const char *name;   /* of the kernel in it; NULL: the only one */
};

struct fh_cli_cuda_options {
    struct fh_cli_machine machine;
    struct fh_cli_check_options check;
    struct fh_cli_profile_options profile;
    struct fh_cli_trace_options trace;
    struct fh_cli_time_run time;
    bool plain;             /* calls of fhec.cuh stay calls */
    bool kernels;           /* what is launched, how often, how long it takes */
    bool each;              /* of each launch */
    bool ranges;            /* of each range that the program names */
    const char *report;     /* file for what is told at the end; NULL: stderr */
    const char *record;     /* folder; NULL: nothing is recorded */
    char *record_kernel;    /* launches of it only; NULL: of all */
    uint64_t record_number; /* only its n-th, from 1; 0: all */
    bool debug;             /* a launch of this kernel, or of any, goes to the debugger */
    char *debug_kernel;     /* NULL: of any */
    uint64_t debug_number;  /* its n-th, from 1 */
    struct fh_cli_cuda_replacement *replacements;
    size_t replacement_count;
};

/* The environment variable with the options, words as a shell has them, and the one with the number
 * of a pipe to whose other end a byte goes for each launch that faulted, and each finding. */
#define FH_CLI_CUDA_OPTIONS "FHEC_CUDA_OPTIONS"
#define FH_CLI_CUDA_FAULTS  "FHEC_CUDA_FAULTS"

/* Its input is a struct fh_cli_cuda_options. */
extern const struct argp fh_cli_cuda_argp;
void fh_cli_cuda_options_free(struct fh_cli_cuda_options *options);

#endif

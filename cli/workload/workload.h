/*
 * workload.h - what `fhec ntt`, `bconv`, `eltwise`, `ckks` and `bigint` share: residues in limbs
 * from a file or a seed, the reference beside the emulator, and what comes out at the end.
 *
 *     parse -> map -> prepare -> check -> operands -> emulate -> reference -> compare -> result
 *
 * A command has a struct that begins with a struct fh_cli_workload, and tells what is its own in a
 * struct fh_cli_workload_kind, whose functions are given that struct.
 */
#ifndef FH_CLI_WORKLOAD_H
#define FH_CLI_WORKLOAD_H

#include <argp.h>
#include <stdio.h>

#include "check_options.h"
#include "elements.h"
#include "golden.h"
#include "machine_options.h"
#include "output.h"
#include "profile_run.h"
#include "programs.h"
#include "time_run.h"

struct fh_cli_workload {
    enum fh_workload workload; /* known when the options have been read */
    struct fh_cli *cli;
    struct fh_cli_machine machine; /* input of fh_cli_machine_argp */
    struct fh_cli_profile_options profile;
    struct fh_cli_time_run time;
    struct fh_cli_check_options check;
    const char *map;      /* a name of programs.h, or "golden" */
    const char *in, *out; /* NULL: none */
    uint64_t bits;        /* of primes that are chosen; 0: what the map takes well */
    uint64_t seed;
    fh_golden_pattern pattern;
    bool hash, no_verify, debug;
    const char *graph; /* the file of a block graph, which is written instead of anything else */
    /* Set by prepare: options of the planner's parameters, and how messages speak of it all. */
    struct fh_run_options *options;
    struct fh_kernel_cache *kernels; /* of the options */
    char doing[96];                  /* "9 to 27 limbs" */
    char what[160];                  /* "base conversion of 64 coefficients" */
    /* Set by fh_cli_workload_operands: */
    struct fh_cli_outputs outputs; /* `out`, if there is one */
    unsigned width;                /* bytes of an element in files and memory: 4 or 8 */
    size_t n;
    size_t in_limbs, out_limbs;
    struct fh_cli_data file;           /* the input file's form, without its data */
    uint64_t *input, *golden, *result; /* limbs x n; golden NULL without verification */
    uint8_t *packed;                   /* the same as the guest has it; room for both */
};

/* What differs from command to command. */
struct fh_cli_workload_kind {
    const struct argp *argp; /* its input is the command's struct */
    /* The planner's parameters, moduli among them, once the map is known; work->options, doing and
     * what. */
    fhec_status (*prepare)(void *command);
    /* Asks the planner whether the parameters are good. */
    fhec_status (*check)(void *command, struct fh_error *error);
    /* Without a planner, for --map golden: the reference asks less. Sets the width. */
    fhec_status (*check_golden)(void *command);
    /* NULL; or writes the block graph to work->graph. */
    fhec_status (*graph)(void *command);
    /* Calls fh_cli_workload_operands, and makes what else is needed. */
    fhec_status (*operands)(void *command);
    /* Computes out_limbs x n elements from the workload's input in plain C. */
    fh_golden_status (*reference)(const void *command, uint64_t *out);
    /* Runs the kernels from `bytes` of input in work->packed to the result there. */
    fhec_status (*run)(void *command, fhec_machine *machine, size_t bytes, struct fh_error *error);
    /* NULL; or, instead of run, leaves work->result itself, and the time of the emulation alone. */
    fhec_status (*emulate)(void *command, fhec_machine *machine, double *seconds,
                           struct fh_error *error);
};

/* The whole of a command. What `command` owns besides the workload is the caller's to free. */
fhec_status fh_cli_workload_main(struct fh_cli *cli, int argc, char **argv,
                                 struct fh_cli_workload *command,
                                 const struct fh_cli_workload_kind *kind);

/* --map, --in, --out, --seed, --pattern, --hash, --no-verify, and what fh_cli_machine_argp and
 * fh_cli_common_argp have; its input is a workload, whose cli must be set. */
extern const struct argp fh_cli_workload_argp;

/* Whether the C reference is what runs. */
bool fh_cli_workload_is_golden(const struct fh_cli_workload *work);
/* The largest `count` primes = 1 mod 2n below 2^bits; malloc'd. */
fhec_status fh_cli_workload_primes(const struct fh_cli_workload *work, size_t n, size_t count,
                                   uint64_t **primes);
/* Reads or generates the input, in_limbs x n below q (a file's values may be any), makes room for
 * out_limbs x n results. q NULL: what is not read is zeros, and the caller's to generate. */
fhec_status fh_cli_workload_operands(struct fh_cli_workload *work, const uint64_t *q, size_t n,
                                     size_t in_limbs, size_t out_limbs);

/* What --map=help prints. */
void fh_cli_list_maps(FILE *to);

/* Says what a call of programs.h answered. */
fhec_status fh_cli_program_error(const struct fh_cli *cli, const fhec_machine *machine,
                                 fhec_status status, const struct fh_error *error);
/* Says what golden answered, after `what`; FHEC_BAD_INPUT or FHEC_HOST_ERROR, OK for OK. */
fhec_status fh_cli_golden_error(const struct fh_cli *cli, fh_golden_status status,
                                const char *what);

#endif

/*
 * workload.h - what `fhec ntt`, `bconv`, `eltwise`, `ckks` and `bigint` share: residues in limbs
 * from a file or a seed, the reference beside the emulator, and what comes out at the end.
 */
#ifndef FH_CLI_WORKLOAD_H
#define FH_CLI_WORKLOAD_H

#include "cli.h"
#include "golden.h"
#include "output.h"
#include "programs.h"

struct fh_cli_workload {
    struct fh_cli *cli;
    struct fh_cli_machine machine; /* input of fh_cli_machine_argp */
    const char *map;               /* a name of programs.h, or "golden" */
    const char *in, *out;          /* NULL: none */
    uint64_t seed;
    fh_golden_pattern pattern;
    bool hash, no_verify;
    /* Set by begin: */
    struct fh_cli_outputs outputs; /* `out`, if there is one */
    unsigned width;                /* bytes of an element in files and memory: 4 or 8 */
    size_t n;
    size_t in_limbs, out_limbs;
    struct fh_cli_data file;           /* the input file's form, without its data */
    uint64_t *input, *golden, *result; /* limbs x n; golden NULL without verification */
    uint8_t *packed;                   /* the same as the guest has it; room for both */
};

/* --map, --in, --out, --seed, --pattern, --hash, --no-verify, and what fh_cli_machine_argp and
 * fh_cli_common_argp have; its input is a workload, whose cli and map (the default) must be set. */
extern const struct argp fh_cli_workload_argp;
/* --logn, --limbs, --alpha, --dnum (chain.c); its input is a fh_golden_ckks_params. */
extern const struct argp fh_cli_chain_argp;

/* Whether the map's name is known and can do the workload; says so if not. */
fhec_status fh_cli_workload_map(struct fh_cli_workload *work, enum fh_workload workload);
bool fh_cli_workload_is_golden(const struct fh_cli_workload *work);
/* The size of primes where the user names none, once the map is known: 30 or 60 bits. */
unsigned fh_cli_workload_bits(const struct fh_cli_workload *work);

/* Reads or generates the input, in_limbs x n below q (a file's values may be any), makes room for
 * out_limbs x n results. */
fhec_status fh_cli_workload_begin(struct fh_cli_workload *work, const uint64_t *q, size_t n,
                                  size_t in_limbs, size_t out_limbs);
/* The input as bytes of `width`, its size, and the place for the result as bytes. */
size_t fh_cli_workload_pack(const struct fh_cli_workload *work);
void fh_cli_workload_unpack(const struct fh_cli_workload *work);

/* A command's two ways to its result, and how it speaks of them. `command` is the command's own
 * data, `params` what its planner takes. */
struct fh_cli_ways {
    /* Computes out_limbs x n elements from the workload's input in plain C. */
    fh_golden_status (*reference)(const void *command, uint64_t *out);
    /* Leaves the workload's result, and the time of the emulation alone. */
    fhec_status (*emulate)(void *command, const void *params, fhec_machine *machine,
                           double *seconds, struct fh_error *error);
    void *command;
    const void *params;
    const char *doing; /* "9 to 27 limbs" */
    const char *what;  /* "base conversion of 64 coefficients" */
};

/* After begin: computes the result by the reference or by the emulator, compares the second with
 * the first unless told not to, writes the file, prints hash and statistics. */
fhec_status fh_cli_workload_run(struct fh_cli_workload *work, const struct fh_cli_ways *ways);
void fh_cli_workload_free(struct fh_cli_workload *work);

/* Says what a call of programs.h answered. */
fhec_status fh_cli_program_error(const struct fh_cli *cli, const fhec_machine *machine,
                                 fhec_status status, const struct fh_error *error);
/* Says what golden answered, after `what`; FHEC_BAD_INPUT or FHEC_HOST_ERROR, OK for OK. */
fhec_status fh_cli_golden_error(const struct fh_cli *cli, fh_golden_status status,
                                const char *what);

#endif

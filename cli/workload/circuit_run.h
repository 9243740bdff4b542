/*
 * circuit_run.h - what commands share that execute one of golden's circuits on the emulator: each
 * primitive is compared with the reference, what comes out is decrypted, and the counts are
 * composed from those of the primitives.
 *
 *     parse -> plan -> circuit -> keys -> inputs -> steps -> outputs -> compose -> result
 *
 * A command has a struct that begins with a struct fh_cli_circuit_run, and tells what is its own in
 * a struct fh_cli_circuit_kind, whose functions are given that struct.
 */
#ifndef FH_CLI_CIRCUIT_RUN_H
#define FH_CLI_CIRCUIT_RUN_H

#include <argp.h>
#include <jansson.h>

#include "checkpoint.h"
#include "circuit_client.h"
#include "ckks_steps.h"
#include "machine_options.h"
#include "reference.h"

struct fh_cli_circuit_run {
    struct fh_cli *cli;
    struct fh_cli_machine machine;
    const char *map;
    uint64_t logn; /* 0: not given */
    uint64_t seed;
    bool no_verify;
    const char *folder; /* with checkpoints; NULL: none */
    const char *graph;  /* the file of a block graph, which is written instead; NULL: none */
    uint64_t every;     /* seconds between two of them */
    /* Set by the command's plan: */
    char what[96]; /* "bootstrap, preset small": how messages speak of it */
    bool secure;   /* from N = 2^15 on only with a modulus that the tables allow */
    struct fh_cli_client client;
    /* The rest is circuit_run.c's: */
    struct fh_ckks_steps_params steps_params;
    struct fh_ckks_steps *steps;
    struct fh_cli_reference *reference; /* NULL: not verified */
    uint64_t *result;                   /* room for the largest value */
    struct fh_cli_run_state state;      /* counts: of earlier processes, and of the machine */
    struct fh_cli_counts before;        /* counts of earlier processes alone */
    struct fh_cli_checkpoint *checkpoint;
    char title[160], fingerprint[FH_CLI_FINGERPRINT_CHARS]; /* of the checkpoint */
    double due;                                             /* when the next one is */
    uint64_t composed; /* warp instructions, by the counts of the primitives */
    uint64_t unfused;  /* and by those of single steps, without hoisting */
};

struct fh_cli_circuit_kind {
    const struct argp *argp; /* its input is the command's struct; fh_cli_circuit_argp a child */
    /* Says what is wrong with the options; `what` and the parameters of the client. */
    fhec_status (*plan)(void *command);
    /* With these parameters, which are the client's but for `hoist`. */
    fh_golden_status (*circuit)(void *command, const fh_golden_ckks_boot_params *params,
                                const uint64_t *moduli, fh_golden_ckks_circuit **circuit);
    /* slots: n / 2 for each input, zeros before. */
    fhec_status (*inputs)(void *command, fh_golden_complex *slots);
    /* slots: n / 2 of the circuit's output, then of each value that it keeps. */
    fhec_status (*outputs)(void *command, const fh_golden_complex *slots);
    /* What the outputs say, for readers. */
    void (*print)(const void *command);
    /* The same as members of a JSON object, which the caller frees; NULL without memory. */
    json_t *(*members)(const void *command);
};

/* The whole of a command. What `command` owns besides the run is the caller's to free. */
fhec_status fh_cli_circuit_main(struct fh_cli *cli, int argc, char **argv,
                                struct fh_cli_circuit_run *command,
                                const struct fh_cli_circuit_kind *kind);

/* --logn, --map, --seed, --no-verify, and what fh_cli_machine_argp and fh_cli_common_argp have; its
 * input is a run. */
extern const struct argp fh_cli_circuit_argp;

#endif

/*
 * primitive_circuit.h - primitives of `fhec ckks` that golden has as circuits (ckks_circuit.h):
 * hoisted rotations, linear maps, EvalMod, and single steps of other kinds; with their options.
 *
 *     parse -> chain -> build -> reference and emulate, in any order -> free
 */
#ifndef FH_CLI_PRIMITIVE_CIRCUIT_H
#define FH_CLI_PRIMITIVE_CIRCUIT_H

#include <argp.h>

#include "ckks_bootstrap.h"
#include "ckks_steps.h"
#include "cli.h"

enum fh_cli_primitive_kind {
    FH_CLI_SIMPLE = 0,
    FH_CLI_CONJUGATE,
    FH_CLI_SCALAR_MULT,
    FH_CLI_SCALAR_ADD,
    FH_CLI_MONOMIAL,
    FH_CLI_HESUB,
    FH_CLI_MOD_RAISE,
    FH_CLI_HOIST,
    FH_CLI_LINEAR,
    FH_CLI_EVAL_MOD,
};

/* Which options have been given, and which ones a primitive takes. */
enum {
    FH_CLI_STEPS = 1 << 0,
    FH_CLI_SCALAR = 1 << 1,
    FH_CLI_EXPONENT = 1 << 2,
    FH_CLI_PER_LEVEL = 1 << 3,
    FH_CLI_SCALE = 1 << 4,
    FH_CLI_TRANSFORM = 1 << 5,
    FH_CLI_INDEX = 1 << 6,
    FH_CLI_LEVELS_CTS = 1 << 7,
    FH_CLI_LEVELS_STC = 1 << 8,
    FH_CLI_RANGE = 1 << 9,
    FH_CLI_DEGREE = 1 << 10,
    FH_CLI_DOUBLE_ANGLES = 1 << 11,
    FH_CLI_CORRECTION = 1 << 12,
    FH_CLI_HOISTED = 1 << 13,
    FH_CLI_DIAGONALS = 1 << 14,
    FH_CLI_FIRST = 1 << 15,
    FH_CLI_MATRIX = 1 << 16,
    FH_CLI_RESCALE = 1 << 17, /* this and the next one: of command_ckks.c */
    FH_CLI_DROP = 1 << 18,
    FH_CLI_TAKES = 19,
    FH_CLI_TAKEN_BY_LINEAR = FH_CLI_PER_LEVEL | FH_CLI_SCALE | FH_CLI_TRANSFORM | FH_CLI_INDEX |
                             FH_CLI_LEVELS_CTS | FH_CLI_LEVELS_STC | FH_CLI_RANGE |
                             FH_CLI_CORRECTION | FH_CLI_HOISTED | FH_CLI_DIAGONALS | FH_CLI_FIRST |
                             FH_CLI_MATRIX,
    FH_CLI_TAKEN_BY_EVAL_MOD =
        FH_CLI_PER_LEVEL | FH_CLI_SCALE | FH_CLI_RANGE | FH_CLI_DEGREE | FH_CLI_DOUBLE_ANGLES,
};

enum { FH_CLI_MOST_STEPS = 1 + FH_GOLDEN_CKKS_MAX_KEPT };

struct fh_cli_primitive {
    enum fh_cli_primitive_kind kind; /* set by the command */
    unsigned given;
    uint64_t *steps; /* slots of rotations */
    size_t step_count;
    int64_t scalar;
    uint64_t exponent;
    uint64_t scale;                    /* bits; 0: as large as the primes of a level */
    fh_golden_ckks_boot_params params; /* per_level, maps, series; the rest is filled in by chain */
    bool cts;
    uint64_t index;             /* of a linear map */
    uint64_t diagonals;         /* of a matrix from the seed */
    int64_t first;              /* the lowest one */
    const char *matrix;         /* file with diagonals */
    fh_golden_complex *entries; /* diagonals x slots, of the matrix */
    /* Made by build: */
    fh_golden_ckks *golden;
    fh_golden_ckks_circuit *circuit;
    size_t output_count;
    size_t outputs[FH_CLI_MOST_STEPS]; /* values, in the order of the result */
    /* The keys: random ones that follow from a seed, the latest kept. */
    fh_golden_ckks_environment environment;
    uint64_t key_seed;
    uint64_t *key;
    bool holds;
    fh_golden_ckks_key_kind key_kind;
    uint64_t key_element;
};

extern const struct argp fh_cli_primitive_argp;    /* its input is a struct fh_cli_primitive */
const char *fh_cli_primitive_option(unsigned bit); /* "--steps" of its bit's number */
void fh_cli_primitive_defaults(struct fh_cli_primitive *circuit);

/* Other primes for the chain's shape, which has been checked, where the primitive needs such whose
 * scales stay: moduli[limbs + alpha], left as it is otherwise. most_bits: of a prime that the map
 * takes. */
fhec_status fh_cli_primitive_chain(const struct fh_cli *cli, struct fh_cli_primitive *circuit,
                                   const fh_golden_ckks_params *chain, unsigned most_bits,
                                   uint64_t *moduli);

/* The circuit on operands of this level (0: of the full one, or where ModRaise begins), and the
 * level that it is. chain has its moduli. */
fhec_status fh_cli_primitive_build(const struct fh_cli *cli, struct fh_cli_primitive *circuit,
                                   const fh_golden_ckks_params *chain, uint64_t seed,
                                   uint64_t *level);
/* Limbs of all results together, one after another. */
size_t fh_cli_primitive_limbs(const struct fh_cli_primitive *circuit);

/* Whether the map can do all of it. */
fhec_status fh_cli_primitive_check(const struct fh_cli_primitive *circuit,
                                   const struct fh_ckks_params *params, struct fh_error *error);
fh_golden_status fh_cli_primitive_reference(const struct fh_cli_primitive *circuit,
                                            const uint64_t *input, uint64_t *out);
fhec_status fh_cli_primitive_emulate(const struct fh_cli_primitive *circuit, fhec_machine *machine,
                                     const struct fh_ckks_params *params, const uint64_t *input,
                                     uint64_t *out, double *seconds, struct fh_error *error);
void fh_cli_primitive_free(struct fh_cli_primitive *circuit);

#endif

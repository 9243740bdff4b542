/*
 * primitive_options.c - the options of single primitives of `fhec ckks`.
 */
#include <stdlib.h>

#include "options.h"
#include "primitive_circuit.h"

enum {
    OPTION_STEPS = 0x1400,
    OPTION_SCALAR,
    OPTION_EXPONENT,
    OPTION_PER_LEVEL,
    OPTION_SCALE,
    OPTION_TRANSFORM,
    OPTION_INDEX,
    OPTION_LEVELS_CTS,
    OPTION_LEVELS_STC,
    OPTION_RANGE,
    OPTION_DEGREE,
    OPTION_DOUBLE_ANGLES,
    OPTION_CORRECTION,
    OPTION_HOIST,
    OPTION_DIAGONALS,
    OPTION_FIRST,
    OPTION_MATRIX,
};

static const struct argp_option options[] = {
    {"steps", OPTION_STEPS, "R[,R...]", 0,
     "rotate, hoist: by how many slots (default 1; hoist 1 to 7)", 1},
    {"scalar", OPTION_SCALAR, "S", 0, "scalarmult, scalaradd: the integer (default 3)", 1},
    {"exponent", OPTION_EXPONENT, "E", 0, "monomial: of X (default N/2, which is i)", 1},
    {"per-level", OPTION_PER_LEVEL, "P", 0,
     "modraise, linear, evalmod: limbs that a level has, 1 or 2 (default 1)", 1},
    {"scale", OPTION_SCALE, "BITS", 0,
     "linear, evalmod: scales are 2^BITS (default: as large as the primes of a level)", 1},
    {"transform", OPTION_TRANSFORM, "cts|stc", 0, "linear: a map of which one (default cts)", 1},
    {"index", OPTION_INDEX, "I", 0, "linear: which of its maps, from 0 (default 0)", 1},
    {"levels-cts", OPTION_LEVELS_CTS, "M", 0, "linear: maps that CtS has (default 3)", 1},
    {"levels-stc", OPTION_LEVELS_STC, "M", 0, "linear: maps that StC has (default 3)", 1},
    {"matrix", OPTION_MATRIX, "FILE", 0,
     "linear: diagonals of a matrix of one's own instead, N/2 complex numbers each", 1},
    {"diagonals", OPTION_DIAGONALS, "D", 0, "linear: D diagonals that follow from the seed instead",
     1},
    {"first", OPTION_FIRST, "K", 0, "linear: with these two, the lowest diagonal (default 0)", 1},
    {"hoist", OPTION_HOIST, NULL, 0, "linear: inner rotations by hoisted ones", 1},
    {"range", OPTION_RANGE, "K", 0, "evalmod: sin(2 pi t) for |t| <= K (default 16)", 1},
    {"degree", OPTION_DEGREE, "D", 0, "evalmod: of the Chebyshev series (default 63)", 1},
    {"double-angles", OPTION_DOUBLE_ANGLES, "R", 0, "evalmod: after it (default 2)", 1},
    {"correction", OPTION_CORRECTION, "BITS", 0, "linear: of StC (default 12)", 1},
    {0},
};

/* Bits of `given` and the options' names. */
static const char *const names[FH_CLI_TAKES] = {
    "--steps",     "--scalar",        "--exponent",   "--per-level",  "--scale",
    "--transform", "--index",         "--levels-cts", "--levels-stc", "--range",
    "--degree",    "--double-angles", "--correction", "--hoist",      "--diagonals",
    "--first",     "--matrix",        "--rescale",    "--drop",
};

const char *fh_cli_primitive_option(unsigned bit) {
    return names[bit];
}

/* A number that may be negative. */
static int64_t signed_option(const struct argp_state *state, const char *option, const char *text) {
    const bool negative = text[0] == '-';
    uint64_t size;
    if (!fh_cli_number(text + negative, &size) || size > INT64_MAX)
        argp_error(state, "%s %s: expected a number from -%lld to %lld", option, text,
                   (long long)INT64_MAX, (long long)INT64_MAX);
    return negative ? -(int64_t)size : (int64_t)size;
}

static void parse_steps(struct fh_cli_primitive *circuit, const struct argp_state *state,
                        const char *arg) {
    free(circuit->steps);
    circuit->steps = fh_cli_list_option(state, "--steps", arg, 0, UINT64_MAX, &circuit->step_count);
    if (circuit->step_count > FH_CLI_MOST_STEPS)
        argp_error(state, "--steps has %zu rotations; there may be %d", circuit->step_count,
                   FH_CLI_MOST_STEPS);
}

/* Options of linear maps; false: it is none. */
static bool parse_map(int key, char *arg, struct argp_state *state) {
    static const char *const transforms[] = {"cts", "stc", NULL};
    struct fh_cli_primitive *c = state->input;
    switch (key) {
    case OPTION_TRANSFORM:
        c->cts = fh_cli_choice_option(state, "--transform", arg, transforms) == 0;
        c->given |= FH_CLI_TRANSFORM;
        return true;
    case OPTION_INDEX:
        c->index = fh_cli_number_option(state, "--index", arg, 0, 22);
        c->given |= FH_CLI_INDEX;
        return true;
    case OPTION_LEVELS_CTS:
        c->params.maps_cts = fh_cli_number_option(state, "--levels-cts", arg, 1, 23);
        c->given |= FH_CLI_LEVELS_CTS;
        return true;
    case OPTION_LEVELS_STC:
        c->params.maps_stc = fh_cli_number_option(state, "--levels-stc", arg, 1, 23);
        c->given |= FH_CLI_LEVELS_STC;
        return true;
    case OPTION_CORRECTION:
        c->params.correction = (unsigned)fh_cli_number_option(state, "--correction", arg, 1, 60);
        c->given |= FH_CLI_CORRECTION;
        return true;
    case OPTION_HOIST:
        c->params.hoist = true;
        c->given |= FH_CLI_HOISTED;
        return true;
    case OPTION_DIAGONALS:
        c->diagonals = fh_cli_number_option(state, "--diagonals", arg, 1, 1 << 10);
        c->given |= FH_CLI_DIAGONALS;
        return true;
    case OPTION_FIRST:
        c->first = signed_option(state, "--first", arg);
        c->given |= FH_CLI_FIRST;
        return true;
    case OPTION_MATRIX:
        c->matrix = arg;
        c->given |= FH_CLI_MATRIX;
        return true;
    default: return false;
    }
}

/* Options of EvalMod; false: it is none. */
static bool parse_series(int key, char *arg, struct argp_state *state) {
    struct fh_cli_primitive *c = state->input;
    switch (key) {
    case OPTION_RANGE:
        c->params.range = (unsigned)fh_cli_number_option(state, "--range", arg, 1, 1 << 20);
        c->given |= FH_CLI_RANGE;
        return true;
    case OPTION_DEGREE:
        c->params.degree = fh_cli_number_option(state, "--degree", arg, 1, 127);
        c->given |= FH_CLI_DEGREE;
        return true;
    case OPTION_DOUBLE_ANGLES:
        c->params.double_angles =
            (unsigned)fh_cli_number_option(state, "--double-angles", arg, 0, 16);
        c->given |= FH_CLI_DOUBLE_ANGLES;
        return true;
    default: return false;
    }
}

static error_t parse_option(int key, char *arg, struct argp_state *state) {
    struct fh_cli_primitive *c = state->input;
    switch (key) {
    case OPTION_STEPS:
        parse_steps(c, state, arg);
        c->given |= FH_CLI_STEPS;
        return 0;
    case OPTION_SCALAR:
        c->scalar = signed_option(state, "--scalar", arg);
        c->given |= FH_CLI_SCALAR;
        return 0;
    case OPTION_EXPONENT:
        c->exponent = fh_cli_number_option(state, "--exponent", arg, 0, UINT64_MAX);
        c->given |= FH_CLI_EXPONENT;
        return 0;
    case OPTION_PER_LEVEL:
        c->params.per_level = fh_cli_number_option(state, "--per-level", arg, 1, 2);
        c->given |= FH_CLI_PER_LEVEL;
        return 0;
    case OPTION_SCALE:
        c->scale = fh_cli_number_option(state, "--scale", arg, 1, 120);
        c->given |= FH_CLI_SCALE;
        return 0;
    default:
        return parse_map(key, arg, state) || parse_series(key, arg, state) ? 0 : ARGP_ERR_UNKNOWN;
    }
}

const struct argp fh_cli_primitive_argp = {options, parse_option, NULL, NULL, NULL, NULL, NULL};

void fh_cli_primitive_defaults(struct fh_cli_primitive *circuit) {
    *circuit = (struct fh_cli_primitive){
        .scalar = 3,
        .cts = true,
        .params = {.per_level = 1,
                   .maps_cts = 3,
                   .maps_stc = 3,
                   .degree = 63,
                   .double_angles = 2,
                   .range = 16,
                   .correction = 12},
    };
}

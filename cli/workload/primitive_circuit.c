/*
 * primitive_circuit.c - see primitive_circuit.h.
 */
#include "primitive_circuit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "circuit_client.h"
#include "input.h"
#include "message.h"
#include "seconds.h"
#include "workload.h"

typedef unsigned long long ull;

enum { MATRIX_STREAM = 78, KEY_STREAM = 79 };

/* ---------------------------------------------------------------- the chain */

/* Bits of a level's primes together. */
static uint64_t scale_bits(const struct fh_cli_primitive *c, unsigned bits, unsigned most_bits) {
    /* Primes nearest to a power of two lie on both sides of it. */
    return c->scale ? c->scale : c->params.per_level * (bits < most_bits ? bits : bits - 1);
}

fhec_status fh_cli_primitive_chain(const struct fh_cli *cli, struct fh_cli_primitive *circuit,
                                   const fh_golden_ckks_params *chain, unsigned most_bits,
                                   uint64_t *moduli) {
    enum { ENDS = 4 }; /* levels of the least circuit of a bootstrap: base, series, two maps */
    fh_golden_ckks_boot_params *params = &circuit->params;
    const size_t levels = chain->limbs / params->per_level;
    circuit->scale = scale_bits(circuit, chain->bits, most_bits);
    params->log2_n = chain->log2_n;
    params->scale_bits = (unsigned)circuit->scale;
    if (circuit->kind != FH_CLI_EVAL_MOD || levels < ENDS)
        return FHEC_OK;
    if (chain->limbs % params->per_level || circuit->scale % params->per_level)
        return fh_cli_error(cli, FHEC_BAD_INPUT,
                            "%zu limbs and a scale of %llu bits: a level has %zu primes",
                            chain->limbs, (ull)circuit->scale, params->per_level);
    fh_golden_ckks_boot_params of = {
        .log2_n = chain->log2_n,
        .per_level = params->per_level,
        .scale_bits = (unsigned)circuit->scale,
        .base_bits = chain->bits,
        .extension_bits = chain->bits,
        .alpha = chain->alpha,
        .dnum = chain->dnum,
        .levels_left = levels - ENDS,
        .maps_cts = 1,
        .maps_stc = 1,
        .degree = 1,
        .range = 1,
        .correction = 1,
    };
    return fh_cli_golden_error(cli, fh_golden_ckks_boot_moduli(&of, moduli), "the chain of primes");
}

/* ---------------------------------------------------------------- the circuit */

/* The diagonals of --matrix, malloc'd; real and imaginary parts are doubles. */
static fhec_status read_matrix(const struct fh_cli *cli, struct fh_cli_primitive *c, size_t slots) {
    char *bytes;
    size_t length;
    const size_t diagonal = slots * sizeof *c->entries;
    fhec_status status = fh_cli_read_data(cli, c->matrix, &bytes, &length);
    if (status != FHEC_OK)
        return status;
    if (!length || length % diagonal) {
        free(bytes);
        return fh_cli_error(cli, FHEC_BAD_INPUT,
                            "%s has %zu bytes; a diagonal has %zu: %zu complex numbers of two "
                            "64-bit floats",
                            c->matrix, length, diagonal, slots);
    }
    c->diagonals = length / diagonal;
    c->entries = malloc(length);
    if (c->entries)
        memcpy(c->entries, bytes, length);
    free(bytes);
    for (size_t i = 0; c->entries && i < c->diagonals * slots; i++)
        if (!isfinite(c->entries[i].re) || !isfinite(c->entries[i].im))
            return fh_cli_error(cli, FHEC_BAD_INPUT, "%s: entry %zu of diagonal %zu is no number",
                                c->matrix, i % slots, i / slots);
    return c->entries ? FHEC_OK : fh_cli_no_memory(cli);
}

static fhec_status make_map(const struct fh_cli *cli, struct fh_cli_primitive *c, uint64_t seed,
                            fh_golden_ckks_map *map) {
    const unsigned log2_slots = c->params.log2_n - 1;
    const size_t slots = (size_t)1 << log2_slots,
                 maps = c->cts ? c->params.maps_cts : c->params.maps_stc;
    if (!c->diagonals && !c->matrix) {
        if (maps > log2_slots || c->index >= maps)
            return fh_cli_error(cli, FHEC_BAD_INPUT,
                                "map %llu of %zu: N = 2^%u has %u stages, in maps from 0 on",
                                (ull)c->index, maps, c->params.log2_n, log2_slots);
        return fh_cli_golden_error(cli, fh_golden_ckks_boot_map(&c->params, c->cts, c->index, map),
                                   "the linear map");
    }
    fhec_status status = FHEC_OK;
    if (c->matrix)
        status = read_matrix(cli, c, slots);
    if (status == FHEC_OK && c->diagonals > slots)
        status = fh_cli_error(cli, FHEC_BAD_INPUT, "%llu diagonals; a matrix of %zu slots has %zu",
                              (ull)c->diagonals, slots, slots);
    if (status == FHEC_OK && !c->entries) {
        c->entries = calloc(c->diagonals * slots, sizeof *c->entries);
        for (size_t i = 0; c->entries && i < c->diagonals * slots; i++)
            c->entries[i] = (fh_golden_complex){fh_cli_client_unit(seed, MATRIX_STREAM, 2 * i),
                                                fh_cli_client_unit(seed, MATRIX_STREAM, 2 * i + 1)};
        status = c->entries ? FHEC_OK : fh_cli_no_memory(cli);
    }
    return status == FHEC_OK
               ? fh_cli_golden_error(cli,
                                     fh_golden_ckks_map_given(log2_slots, 1, (ptrdiff_t)c->first,
                                                              c->diagonals, c->entries, map),
                                     "the matrix")
               : status;
}

static size_t eval_mod(const struct fh_cli_primitive *c) {
    long double coefficients[128];
    fh_golden_ckks_boot_coefficients(&c->params, coefficients);
    size_t value = fh_golden_ckks_circuit_chebyshev(c->circuit, 0, c->params.degree, coefficients);
    for (unsigned r = 0; r < c->params.double_angles; r++)
        value = fh_golden_ckks_circuit_double_angle(c->circuit, value);
    return value;
}

/* All rotations by the steps; none is by 0. */
static size_t hoisted(struct fh_cli_primitive *c) {
    ptrdiff_t slots[FH_CLI_MOST_STEPS];
    const size_t all = (size_t)1 << (c->params.log2_n - 1);
    c->output_count = c->step_count;
    for (size_t i = 0; i < c->step_count; i++)
        slots[i] = (ptrdiff_t)(c->steps[i] % all);
    fh_golden_ckks_circuit_rotations(c->circuit, 0, c->step_count, slots, c->outputs);
    for (size_t i = 0; i + 1 < c->step_count; i++)
        fh_golden_ckks_circuit_keep(c->circuit, c->outputs[i]);
    return c->outputs[c->step_count - 1];
}

/* Adds the primitive's steps; the last value. */
static size_t add_steps(struct fh_cli_primitive *c, size_t level, const fh_golden_ckks_map *map) {
    fh_golden_ckks_circuit *circuit = c->circuit;
    const size_t n = (size_t)1 << c->params.log2_n;
    switch (c->kind) {
    case FH_CLI_CONJUGATE: return fh_golden_ckks_circuit_conjugate(circuit, 0);
    case FH_CLI_SCALAR_MULT:
        return fh_golden_ckks_circuit_to_scale(circuit, level, 0, 1, (long double)c->scalar);
    case FH_CLI_SCALAR_ADD:
        return fh_golden_ckks_circuit_add_constant(circuit, 0, (long double)c->scalar);
    case FH_CLI_MONOMIAL:
        return fh_golden_ckks_circuit_monomial(circuit, 0,
                                               c->given & FH_CLI_EXPONENT ? c->exponent : n / 2);
    case FH_CLI_HESUB:
        return fh_golden_ckks_circuit_sub(circuit, level, 0,
                                          fh_golden_ckks_circuit_input(circuit, level, 1));
    case FH_CLI_MOD_RAISE: return fh_golden_ckks_circuit_raise(circuit, false, 0);
    case FH_CLI_HOIST: return hoisted(c);
    case FH_CLI_LINEAR: return fh_golden_ckks_circuit_linear(circuit, 0, map);
    default: return eval_mod(c);
    }
}

/* Whether there are levels enough; *level as it will be. */
static fhec_status check_level(const struct fh_cli *cli, const struct fh_cli_primitive *c,
                               size_t limbs, uint64_t *level) {
    const size_t per = c->params.per_level;
    const size_t takes = c->kind == FH_CLI_LINEAR ? 1
                         : c->kind == FH_CLI_EVAL_MOD
                             ? fh_golden_chebyshev_depth(c->params.degree) + c->params.double_angles
                             : 0;
    if (!*level)
        *level = c->kind == FH_CLI_MOD_RAISE ? per : limbs;
    if (c->kind == FH_CLI_MOD_RAISE && (*level != per || per > limbs))
        return fh_cli_error(cli, FHEC_BAD_INPUT,
                            "ModRaise is from %zu of %zu limbs (--per-level), not from %llu", per,
                            limbs, (ull)*level);
    if (takes && (*level % per || *level / per <= takes))
        return fh_cli_error(cli, FHEC_BAD_INPUT,
                            "%llu limbs: it takes %zu level%s of %zu, and at least one stays",
                            (ull)*level, takes, takes == 1 ? "" : "s", per);
    return FHEC_OK;
}

static fhec_status make_circuit(const struct fh_cli *cli, struct fh_cli_primitive *c,
                                const fh_golden_ckks_params *chain, uint64_t seed, size_t level) {
    const bool scaled = c->kind == FH_CLI_LINEAR || c->kind == FH_CLI_EVAL_MOD;
    const fh_golden_ckks_circuit_params params = {
        .log2_n = chain->log2_n,
        .limbs = chain->limbs,
        .moduli = chain->moduli,
        .per_level = c->params.per_level,
        .delta = ldexpl(1, (int)c->scale),
        .hoist = c->kind == FH_CLI_HOIST || c->params.hoist,
        .input_level = level,
        .input_scale = scaled ? ldexpl(1, (int)c->scale) : 1,
    };
    fh_golden_ckks_map map = {0};
    fhec_status status =
        fh_cli_golden_error(cli, fh_golden_ckks_circuit_create(&c->circuit, &params), "the plan");
    if (status == FHEC_OK && c->kind == FH_CLI_LINEAR)
        status = make_map(cli, c, seed, &map);
    if (status != FHEC_OK)
        return status;
    c->output_count = 1;
    size_t last = add_steps(c, level, &map);
    c->outputs[c->output_count - 1] = last;
    return fh_cli_golden_error(cli, fh_golden_ckks_circuit_finish(c->circuit, last), "the plan");
}

/* ---------------------------------------------------------------- keys */

/* The `key` of the environment: random words of the chain, which switch nothing. */
static fh_golden_status make_key(void *context, fh_golden_ckks_key_kind kind, uint64_t element,
                                 const uint64_t **key) {
    struct fh_cli_primitive *c = context;
    const fh_golden_ckks *golden = c->golden;
    *key = c->key;
    if (c->holds && c->key_kind == kind && c->key_element == element)
        return FH_GOLDEN_OK;
    if (!c->key)
        c->key = calloc(fh_golden_ckks_key_elements(golden), sizeof *c->key);
    *key = c->key;
    if (!c->key)
        return FH_GOLDEN_ERR_NO_MEMORY;
    c->holds = true;
    c->key_kind = kind;
    c->key_element = element;
    return fh_golden_ckks_generate(golden, FH_GOLDEN_RANDOM,
                                   fh_golden_random_word(c->key_seed, KEY_STREAM, element),
                                   golden->limbs, true, 2 * golden->dnum, c->key);
}

fhec_status fh_cli_primitive_build(const struct fh_cli *cli, struct fh_cli_primitive *circuit,
                                   const fh_golden_ckks_params *chain, uint64_t seed,
                                   uint64_t *level) {
    enum { BABY_STEPS = 7 };
    if (circuit->kind == FH_CLI_HOIST && !circuit->steps) {
        circuit->steps = calloc(BABY_STEPS, sizeof *circuit->steps);
        if (!circuit->steps)
            return fh_cli_no_memory(cli);
        for (circuit->step_count = 0; circuit->step_count < BABY_STEPS; circuit->step_count++)
            circuit->steps[circuit->step_count] = circuit->step_count + 1;
    }
    for (size_t i = 0; i < circuit->step_count && circuit->kind == FH_CLI_HOIST; i++)
        if (circuit->steps[i] % ((uint64_t)1 << (chain->log2_n - 1)) == 0)
            return fh_cli_error(cli, FHEC_BAD_INPUT,
                                "--steps %llu: that is no rotation, there are %llu slots",
                                (ull)circuit->steps[i], (ull)1 << (chain->log2_n - 1));
    fhec_status status = check_level(cli, circuit, chain->limbs, level);
    if (status == FHEC_OK)
        status = make_circuit(cli, circuit, chain, seed, *level);
    if (status != FHEC_OK)
        return status;
    circuit->key_seed = seed + 2;
    status = fh_cli_golden_error(cli, fh_golden_ckks_create(&circuit->golden, chain), "the chain");
    circuit->environment =
        (fh_golden_ckks_environment){circuit->golden, NULL, circuit, make_key, NULL};
    return status;
}

size_t fh_cli_primitive_limbs(const struct fh_cli_primitive *circuit) {
    size_t limbs = 0;
    for (size_t i = 0; i < circuit->output_count; i++)
        limbs += 2 * fh_golden_ckks_circuit_level(circuit->circuit, circuit->outputs[i]);
    return limbs;
}

/* ---------------------------------------------------------------- both executions */

struct results {
    const struct fh_cli_primitive *circuit;
    uint64_t *out;
};

/* Where output `index` is among the results. */
static uint64_t *result_at(const struct fh_cli_primitive *c, uint64_t *out, size_t index) {
    for (size_t i = 0; i < index; i++)
        out += fh_golden_ckks_value_elements(c->circuit, c->golden, c->outputs[i]);
    return out;
}

static fh_golden_status take(void *context, const fh_golden_ckks_circuit *circuit, size_t step,
                             const uint64_t *value) {
    const struct results *r = context;
    for (size_t i = 0; i < r->circuit->output_count; i++)
        if (r->circuit->outputs[i] == step + 1)
            memcpy(result_at(r->circuit, r->out, i), value,
                   sizeof *value *
                       fh_golden_ckks_value_elements(circuit, r->circuit->golden, step + 1));
    return FH_GOLDEN_OK;
}

fh_golden_status fh_cli_primitive_reference(const struct fh_cli_primitive *circuit,
                                            const uint64_t *input, uint64_t *out) {
    struct results results = {circuit, out};
    return fh_golden_ckks_execute(circuit->circuit, &circuit->environment, input, take, &results,
                                  result_at(circuit, out, circuit->output_count - 1));
}

static struct fh_ckks_steps_params steps_params(const struct fh_cli_primitive *circuit,
                                                const struct fh_ckks_params *params) {
    return (struct fh_ckks_steps_params){.map = params->map,
                                         .circuit = circuit->circuit,
                                         .chain = &params->chain,
                                         .environment = &circuit->environment,
                                         .key_places = 1,
                                         .options = params->options};
}

fhec_status fh_cli_primitive_check(const struct fh_cli_primitive *circuit,
                                   const struct fh_ckks_params *params, struct fh_error *error) {
    const struct fh_ckks_steps_params steps = steps_params(circuit, params);
    return fh_ckks_steps_check(&steps, error);
}

fhec_status fh_cli_primitive_emulate(const struct fh_cli_primitive *circuit, fhec_machine *machine,
                                     const struct fh_ckks_params *params, const uint64_t *input,
                                     uint64_t *out, double *seconds, struct fh_error *error) {
    const struct fh_ckks_steps_params of = steps_params(circuit, params);
    struct fh_ckks_steps *steps = NULL;
    fhec_status status = fh_ckks_steps_begin(machine, &of, input, &steps, error);
    if (status != FHEC_OK)
        return status;
    const double started = fh_cli_now();
    while (status == FHEC_OK && fh_ckks_steps_done(steps) < circuit->circuit->step_count)
        status = fh_ckks_steps_next(steps);
    *seconds = fh_cli_now() - started;
    for (size_t i = 0; i < circuit->output_count && status == FHEC_OK; i++)
        status = fh_ckks_steps_read(steps, circuit->outputs[i], result_at(circuit, out, i));
    if (status != FHEC_OK)
        *error = *fh_ckks_steps_error(steps);
    fh_ckks_steps_end(steps);
    return status;
}

void fh_cli_primitive_free(struct fh_cli_primitive *circuit) {
    free(circuit->steps);
    free(circuit->entries);
    free(circuit->key);
    fh_golden_ckks_circuit_free(circuit->circuit);
    fh_golden_ckks_free(circuit->golden);
}

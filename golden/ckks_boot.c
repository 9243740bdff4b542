/*
 * ckks_boot.c - the circuit of a bootstrap.
 */
#include <math.h>
#include <stdlib.h>

#include "ckks_bootstrap.h"

/* ------------------------------------------------------------------------------ maps and series */

static long double pi(void) {
    return 4 * atanl(1.0L);
}

fh_golden_status fh_golden_ckks_boot_map(const fh_golden_ckks_boot_params *params, bool cts,
                                         size_t index, fh_golden_ckks_map *map) {
    size_t maps = cts ? params->maps_cts : params->maps_stc;
    unsigned stages = params->log2_n - 1;
    if (index >= maps || maps > stages) {
        return FH_GOLDEN_ERR_ARGUMENT;
    }
    /* Groups from the outermost stage down: the order of CtS, and StC's from its end. */
    size_t group = cts ? index : maps - 1 - index;
    unsigned high = stages;
    unsigned size = 0;
    for (size_t g = 0; g <= group; g++) {
        high -= size;
        unsigned left = (unsigned)(maps - g);
        size = (high + left - 1) / left;
    }
    long double all = cts ? 0.5L / params->range : ldexpl(1, (int)params->correction) / (2 * pi());
    return fh_golden_ckks_map_shape(stages, cts, high - size + 1, high,
                                    powl(all, 1 / (long double)maps), map);
}

/* cos(2 pi (K x - 1/4) / 2^r). */
static long double shifted_cosine(const void *context, long double x) {
    const fh_golden_ckks_boot_params *params = context;
    long double turns = (long double)params->range * x - 0.25L;
    return cosl(ldexpl(2 * pi() * turns, -(int)params->double_angles));
}

void fh_golden_ckks_boot_coefficients(const fh_golden_ckks_boot_params *params,
                                      long double *coefficients) {
    fh_golden_chebyshev_coefficients(shifted_cosine, params, params->degree, coefficients);
}

/* -------------------------------------------------------------------------------------- parts */

long double fh_golden_ckks_boot_scale(const fh_golden_ckks_boot_params *params,
                                      const uint64_t *moduli) {
    long double scale = ldexpl(1, -(int)params->correction);
    for (size_t j = 0; j < params->per_level; j++) {
        scale *= (long double)moduli[j];
    }
    return scale;
}

/* From a higher level to the base and to the scale that ModRaise needs. */
static size_t adjust(const fh_golden_ckks_boot_params *params, fh_golden_ckks_circuit *circuit,
                     size_t a) {
    if (fh_golden_ckks_circuit_level(circuit, a) == params->per_level) {
        return a;
    }
    fh_golden_ckks_circuit_name(circuit, "adjust", 0);
    size_t level = 2 * params->per_level;
    long double target = fh_golden_ckks_circuit_before_rescale(
        circuit, level, fh_golden_ckks_boot_scale(params, circuit->moduli));
    size_t value = fh_golden_ckks_circuit_to_scale(circuit, level, a, target, 1);
    return fh_golden_ckks_circuit_rescale(circuit, value);
}

static size_t linear_maps(const fh_golden_ckks_boot_params *params, bool cts,
                          fh_golden_ckks_circuit *circuit, size_t value) {
    size_t maps = cts ? params->maps_cts : params->maps_stc;
    for (size_t index = 0; index < maps; index++) {
        fh_golden_ckks_map map;
        (void)fh_golden_ckks_boot_map(params, cts, index, &map); /* the parameters were checked */
        fh_golden_ckks_circuit_name(circuit, cts ? "CtS" : "StC", (unsigned)index + 1);
        value = fh_golden_ckks_circuit_linear(circuit, value, &map);
    }
    return value;
}

static size_t eval_mod(const fh_golden_ckks_boot_params *params, fh_golden_ckks_circuit *circuit,
                       const long double *coefficients, const char *name, size_t value) {
    fh_golden_ckks_circuit_name(circuit, name, 0);
    value = fh_golden_ckks_circuit_chebyshev(circuit, value, params->degree, coefficients);
    for (unsigned r = 0; r < params->double_angles; r++) {
        value = fh_golden_ckks_circuit_double_angle(circuit, value);
    }
    return value;
}

/* Everything after ModRaise. */
static size_t remove_multiples(const fh_golden_ckks_boot_params *params,
                               fh_golden_ckks_circuit *circuit, size_t value) {
    uint64_t n = (uint64_t)1 << params->log2_n;
    long double coefficients[128];
    fh_golden_ckks_boot_coefficients(params, coefficients);
    value = linear_maps(params, true, circuit, value);
    fh_golden_ckks_circuit_name(circuit, "split", 0);
    size_t level = fh_golden_ckks_circuit_level(circuit, value);
    size_t conjugate = fh_golden_ckks_circuit_conjugate(circuit, value);
    size_t re = fh_golden_ckks_circuit_add(circuit, level, value, conjugate);
    size_t im = fh_golden_ckks_circuit_sub(circuit, level, value, conjugate);
    im = fh_golden_ckks_circuit_monomial(circuit, im, 3 * n / 2); /* times -i */
    re = eval_mod(params, circuit, coefficients, "EvalMod re", re);
    im = eval_mod(params, circuit, coefficients, "EvalMod im", im);
    fh_golden_ckks_circuit_name(circuit, "join", 0);
    im = fh_golden_ckks_circuit_monomial(circuit, im, n / 2); /* times i */
    level = fh_golden_ckks_circuit_level(circuit, im);
    value = fh_golden_ckks_circuit_add(circuit, level, re, im);
    return linear_maps(params, false, circuit, value);
}

static size_t bootstrap(const fh_golden_ckks_boot_params *params, fh_golden_ckks_circuit *circuit,
                        size_t value) {
    value = adjust(params, circuit, value);
    fh_golden_ckks_circuit_name(circuit, "raise", 0);
    value = fh_golden_ckks_circuit_raise(circuit, params->weight != 0, value);
    return remove_multiples(params, circuit, value);
}

/* What a circuit must have for a bootstrap on this value. */
static fh_golden_status check_place(const fh_golden_ckks_boot_params *params,
                                    const fh_golden_ckks_circuit *circuit, size_t a) {
    fh_golden_status status = fh_golden_ckks_boot_check(params);
    if (status != FH_GOLDEN_OK) {
        return status;
    }
    if (circuit->log2_n != params->log2_n || circuit->per_level != params->per_level ||
        circuit->limbs != fh_golden_ckks_boot_limbs(params) || a > circuit->step_count) {
        return FH_GOLDEN_ERR_ARGUMENT;
    }
    size_t level = fh_golden_ckks_circuit_level(circuit, a);
    if (level >= 2 * params->per_level) {
        return FH_GOLDEN_OK;
    }
    long double needed = fh_golden_ckks_boot_scale(params, circuit->moduli);
    long double off = fabsl(fh_golden_ckks_circuit_scale(circuit, a) - needed);
    if (level != params->per_level) {
        return FH_GOLDEN_ERR_LEVEL;
    }
    return off <= 0x1p-50L * needed ? FH_GOLDEN_OK : FH_GOLDEN_ERR_SCALE;
}

size_t fh_golden_ckks_circuit_bootstrap(fh_golden_ckks_circuit *circuit,
                                        const fh_golden_ckks_boot_params *params, size_t a) {
    if (circuit->status == FH_GOLDEN_OK) {
        circuit->status = check_place(params, circuit, a);
    }
    return circuit->status == FH_GOLDEN_OK ? bootstrap(params, circuit, a) : 0;
}

/* Everything but the input. */
static fh_golden_ckks_circuit_params shape_of(const fh_golden_ckks_boot_params *params,
                                              const uint64_t *moduli) {
    return (fh_golden_ckks_circuit_params){
        .log2_n = params->log2_n,
        .limbs = fh_golden_ckks_boot_limbs(params),
        .moduli = moduli,
        .per_level = params->per_level,
        .delta = ldexpl(1, (int)params->scale_bits),
        .hoist = params->hoist,
    };
}

fh_golden_status fh_golden_ckks_boot_host(const fh_golden_ckks_boot_params *params,
                                          const uint64_t *moduli,
                                          fh_golden_ckks_circuit **circuit) {
    *circuit = NULL;
    fh_golden_status status = fh_golden_ckks_boot_check(params);
    if (status != FH_GOLDEN_OK) {
        return status;
    }
    fh_golden_ckks_circuit_params shape = shape_of(params, moduli);
    shape.input_level = params->per_level * (1 + params->levels_left);
    shape.input_scale = shape.delta;
    return fh_golden_ckks_circuit_create(circuit, &shape);
}

/* Level and scale of the input. */
static fh_golden_status check_input(const fh_golden_ckks_boot_params *params, size_t limbs,
                                    const uint64_t *moduli, size_t *level, long double *scale) {
    *level = params->per_level;
    *scale = fh_golden_ckks_boot_scale(params, moduli);
    if (params->input_level == 0) {
        return FH_GOLDEN_OK;
    }
    *level = params->input_level;
    *scale = params->input_scale;
    bool enough = params->input_level >= 2 * params->per_level && params->input_level <= limbs;
    return enough ? FH_GOLDEN_OK : FH_GOLDEN_ERR_LEVEL;
}

fh_golden_status fh_golden_ckks_boot_begin(const fh_golden_ckks_boot_params *params,
                                           const uint64_t *moduli,
                                           fh_golden_ckks_circuit **circuit) {
    *circuit = NULL;
    fh_golden_status status = fh_golden_ckks_boot_check(params);
    if (status != FH_GOLDEN_OK) {
        return status;
    }
    fh_golden_ckks_circuit_params shape = shape_of(params, moduli);
    status = check_input(params, shape.limbs, moduli, &shape.input_level, &shape.input_scale);
    return status == FH_GOLDEN_OK ? fh_golden_ckks_circuit_create(circuit, &shape) : status;
}

fh_golden_status fh_golden_ckks_boot_circuit(const fh_golden_ckks_boot_params *params,
                                             const uint64_t *moduli,
                                             fh_golden_ckks_circuit **circuit) {
    fh_golden_status status = fh_golden_ckks_boot_begin(params, moduli, circuit);
    if (status != FH_GOLDEN_OK) {
        return status;
    }
    size_t value = bootstrap(params, *circuit, 0);
    status = fh_golden_ckks_circuit_finish(*circuit, value);
    if (status != FH_GOLDEN_OK) {
        fh_golden_ckks_circuit_free(*circuit);
        *circuit = NULL;
    }
    return status;
}

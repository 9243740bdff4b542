/*
 * ckks_circuit.c - building circuits: one step for each primitive, with its level and its scale.
 */
#include "ckks_circuit.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ckks_circuit_internal.h"

const char *fh_golden_ckks_kind_name(fh_golden_ckks_kind kind) {
    switch (kind) {
    case FH_GOLDEN_CKKS_INPUT: return "input";
    case FH_GOLDEN_CKKS_ADD: return "add";
    case FH_GOLDEN_CKKS_SUB: return "sub";
    case FH_GOLDEN_CKKS_HEMULT: return "hemult";
    case FH_GOLDEN_CKKS_SCALAR_MULT: return "scalarmult";
    case FH_GOLDEN_CKKS_SCALAR_ADD: return "scalaradd";
    case FH_GOLDEN_CKKS_PTMULT: return "ptmult";
    case FH_GOLDEN_CKKS_PTADD: return "ptadd";
    case FH_GOLDEN_CKKS_MONOMIAL: return "monomial";
    case FH_GOLDEN_CKKS_ROTATE: return "rotate";
    case FH_GOLDEN_CKKS_RAISE_DIGITS: return "raise-digits";
    case FH_GOLDEN_CKKS_ROTATE_RAISED: return "rotate-raised";
    case FH_GOLDEN_CKKS_CONJUGATE: return "conjugate";
    case FH_GOLDEN_CKKS_RESCALE: return "rescale";
    case FH_GOLDEN_CKKS_ENCAPSULATE: return "encapsulate";
    case FH_GOLDEN_CKKS_MOD_RAISE: return "modraise";
    case FH_GOLDEN_CKKS_RELEASE: return "release";
    case FH_GOLDEN_CKKS_KIND_COUNT: break;
    }
    return "unknown";
}

/* ---------------------------------------------------------------------------- the whole circuit */

static fh_golden_status check_params(const fh_golden_ckks_circuit_params *params) {
    if (params->log2_n < 1 || params->log2_n > 24) {
        return FH_GOLDEN_ERR_SIZE;
    }
    if (params->limbs == 0 || params->limbs > FH_GOLDEN_MAX_LIMBS) {
        return FH_GOLDEN_ERR_LIMBS;
    }
    if (params->per_level < 1 || params->per_level > 2) {
        return FH_GOLDEN_ERR_ARGUMENT;
    }
    if (params->input_level < 1 || params->input_level > params->limbs) {
        return FH_GOLDEN_ERR_LEVEL;
    }
    bool usable = isfinite(params->delta) && params->delta > 0 && isfinite(params->input_scale) &&
                  params->input_scale > 0;
    return usable ? FH_GOLDEN_OK : FH_GOLDEN_ERR_SCALE;
}

fh_golden_status fh_golden_ckks_circuit_create(fh_golden_ckks_circuit **circuit,
                                               const fh_golden_ckks_circuit_params *params) {
    *circuit = NULL;
    fh_golden_status status = check_params(params);
    if (status != FH_GOLDEN_OK) {
        return status;
    }
    fh_golden_ckks_circuit *made = calloc(1, sizeof *made);
    if (made == NULL) {
        return FH_GOLDEN_ERR_NO_MEMORY;
    }
    made->log2_n = params->log2_n;
    made->limbs = params->limbs;
    memcpy(made->moduli, params->moduli, params->limbs * sizeof made->moduli[0]);
    made->per_level = params->per_level;
    made->delta = params->delta;
    made->hoist = params->hoist;
    made->input_level = params->input_level;
    made->input_scale = params->input_scale;
    made->input_count = 1;
    *circuit = made;
    return FH_GOLDEN_OK;
}

void fh_golden_ckks_circuit_free(fh_golden_ckks_circuit *circuit) {
    if (circuit == NULL) {
        return;
    }
    free(circuit->steps);
    free(circuit->maps);
    for (size_t i = 0; i < circuit->vector_count; i++) {
        free(circuit->vectors[i]);
    }
    free(circuit->vectors);
    free(circuit->last_use);
    free(circuit);
}

size_t fh_golden_ckks_circuit_level(const fh_golden_ckks_circuit *circuit, size_t value) {
    return value == 0 ? circuit->input_level : circuit->steps[value - 1].result_level;
}

long double fh_golden_ckks_circuit_scale(const fh_golden_ckks_circuit *circuit, size_t value) {
    return value == 0 ? circuit->input_scale : circuit->steps[value - 1].scale;
}

void fh_golden_ckks_circuit_name(fh_golden_ckks_circuit *circuit, const char *name,
                                 unsigned number) {
    const char *between = circuit->part[0] == 0 ? "" : " ";
    if (number == 0) {
        (void)snprintf(circuit->name, sizeof circuit->name, "%s%s%s", circuit->part, between, name);
    } else {
        (void)snprintf(circuit->name, sizeof circuit->name, "%s%s%s %u", circuit->part, between,
                       name, number);
    }
}

void fh_golden_ckks_circuit_part(fh_golden_ckks_circuit *circuit, const char *part) {
    (void)snprintf(circuit->part, sizeof circuit->part, "%s", part);
}

fh_golden_status fh_golden_ckks_circuit_finish(fh_golden_ckks_circuit *circuit, size_t output) {
    if (circuit->status == FH_GOLDEN_OK && output > circuit->step_count) {
        circuit->status = FH_GOLDEN_ERR_ARGUMENT;
    }
    if (circuit->status != FH_GOLDEN_OK) {
        return circuit->status;
    }
    free(circuit->last_use);
    circuit->last_use = calloc(circuit->step_count + 1, sizeof *circuit->last_use);
    if (circuit->last_use == NULL) {
        return circuit->status = FH_GOLDEN_ERR_NO_MEMORY;
    }
    for (size_t i = 0; i < circuit->step_count; i++) {
        const fh_golden_ckks_step *step = &circuit->steps[i];
        circuit->last_use[i + 1] = i; /* a value that nobody reads ends with its step */
        if (step->a != FH_GOLDEN_CKKS_NONE) {
            circuit->last_use[step->a] = i;
        }
        if (step->b != FH_GOLDEN_CKKS_NONE) {
            circuit->last_use[step->b] = i;
        }
    }
    circuit->output = output;
    circuit->last_use[output] = circuit->step_count;
    for (size_t i = 0; i < circuit->kept_count; i++) {
        circuit->last_use[circuit->kept[i]] = circuit->step_count;
    }
    return FH_GOLDEN_OK;
}

size_t fh_golden_ckks_circuit_count(const fh_golden_ckks_circuit *circuit, fh_golden_ckks_kind kind,
                                    size_t level) {
    size_t count = 0;
    for (size_t i = 0; i < circuit->step_count; i++) {
        const fh_golden_ckks_step *step = &circuit->steps[i];
        if (step->kind != kind) {
            continue;
        }
        size_t times = kind == FH_GOLDEN_CKKS_RESCALE ? step->drop : 1;
        for (size_t t = 0; t < times; t++) {
            count += level == 0 || step->level - t == level ? 1 : 0;
        }
    }
    return count;
}

bool fh_golden_ckks_step_key(const fh_golden_ckks_step *step, fh_golden_ckks_key_kind *kind,
                             uint64_t *element) {
    *element = 0;
    switch (step->kind) {
    case FH_GOLDEN_CKKS_HEMULT: *kind = FH_GOLDEN_CKKS_RELIN_KEY; return true;
    case FH_GOLDEN_CKKS_ENCAPSULATE: *kind = FH_GOLDEN_CKKS_ENCAPSULATE_KEY; return true;
    case FH_GOLDEN_CKKS_RELEASE: *kind = FH_GOLDEN_CKKS_RELEASE_KEY; return true;
    case FH_GOLDEN_CKKS_ROTATE:
    case FH_GOLDEN_CKKS_ROTATE_RAISED:
    case FH_GOLDEN_CKKS_CONJUGATE:
        *kind = FH_GOLDEN_CKKS_GALOIS_KEY;
        *element = step->element;
        return true;
    default: return false;
    }
}

/* ------------------------------------------------------------------------------------- one step */

/* Whether the operand may be read at this level: raised digits only as such, and nothing else as
 * them. */
static fh_golden_status check_operand(const fh_golden_ckks_circuit *circuit, size_t value,
                                      size_t level, bool as_digits) {
    bool digits = value > 0 && value <= circuit->step_count &&
                  circuit->steps[value - 1].kind == FH_GOLDEN_CKKS_RAISE_DIGITS;
    if (value > circuit->step_count || digits != as_digits) {
        return FH_GOLDEN_ERR_ARGUMENT;
    }
    bool enough = level >= 1 && level <= fh_golden_ckks_circuit_level(circuit, value);
    return enough ? FH_GOLDEN_OK : FH_GOLDEN_ERR_LEVEL;
}

/* Makes room for one more step: capacities are powers of two. */
static bool grow_steps(fh_golden_ckks_circuit *circuit) {
    size_t count = circuit->step_count;
    if ((count & (count - 1)) != 0) {
        return true;
    }
    size_t capacity = count == 0 ? 1 : 2 * count;
    fh_golden_ckks_step *steps = realloc(circuit->steps, capacity * sizeof *steps);
    circuit->steps = steps == NULL ? circuit->steps : steps;
    return steps != NULL;
}

size_t fh_golden_ckks_circuit_append(fh_golden_ckks_circuit *circuit, fh_golden_ckks_step step) {
    if (circuit->status == FH_GOLDEN_OK && step.kind != FH_GOLDEN_CKKS_INPUT) {
        circuit->status = check_operand(circuit, step.a, step.level, false);
    }
    if (circuit->status == FH_GOLDEN_OK && step.b != FH_GOLDEN_CKKS_NONE) {
        circuit->status =
            check_operand(circuit, step.b, step.level, step.kind == FH_GOLDEN_CKKS_ROTATE_RAISED);
    }
    if (circuit->status == FH_GOLDEN_OK && !(isfinite(step.scale) && step.scale > 0)) {
        circuit->status = FH_GOLDEN_ERR_SCALE;
    }
    if (circuit->status == FH_GOLDEN_OK && !grow_steps(circuit)) {
        circuit->status = FH_GOLDEN_ERR_NO_MEMORY;
    }
    if (circuit->status != FH_GOLDEN_OK) {
        return 0;
    }
    memcpy(step.name, circuit->name, sizeof step.name);
    circuit->steps[circuit->step_count++] = step;
    return circuit->step_count;
}

fh_golden_ckks_step fh_golden_ckks_unary_step(const fh_golden_ckks_circuit *circuit,
                                              fh_golden_ckks_kind kind, size_t level, size_t a) {
    fh_golden_ckks_step step = {.kind = kind,
                                .level = level,
                                .result_level = level,
                                .scale = 1,
                                .a = a,
                                .b = FH_GOLDEN_CKKS_NONE,
                                .map = FH_GOLDEN_CKKS_NONE,
                                .vector = FH_GOLDEN_CKKS_NONE};
    if (a <= circuit->step_count) { /* append refuses other values */
        step.scale = fh_golden_ckks_circuit_scale(circuit, a);
    }
    return step;
}

static size_t operand_level(const fh_golden_ckks_circuit *circuit, size_t a) {
    return a <= circuit->step_count ? fh_golden_ckks_circuit_level(circuit, a) : 0;
}

static size_t sum(fh_golden_ckks_circuit *circuit, fh_golden_ckks_kind kind, size_t limbs, size_t a,
                  size_t b) {
    fh_golden_ckks_step step = fh_golden_ckks_unary_step(circuit, kind, limbs, a);
    step.b = b;
    if (circuit->status == FH_GOLDEN_OK && b <= circuit->step_count) {
        long double other = fh_golden_ckks_circuit_scale(circuit, b);
        if (fabsl(other - step.scale) > 0x1p-50L * step.scale) {
            circuit->status = FH_GOLDEN_ERR_SCALE;
        }
    }
    return fh_golden_ckks_circuit_append(circuit, step);
}

size_t fh_golden_ckks_circuit_add(fh_golden_ckks_circuit *circuit, size_t limbs, size_t a,
                                  size_t b) {
    return sum(circuit, FH_GOLDEN_CKKS_ADD, limbs, a, b);
}

size_t fh_golden_ckks_circuit_sub(fh_golden_ckks_circuit *circuit, size_t limbs, size_t a,
                                  size_t b) {
    return sum(circuit, FH_GOLDEN_CKKS_SUB, limbs, a, b);
}

size_t fh_golden_ckks_circuit_hemult(fh_golden_ckks_circuit *circuit, size_t limbs, size_t a,
                                     size_t b) {
    fh_golden_ckks_step step = fh_golden_ckks_unary_step(circuit, FH_GOLDEN_CKKS_HEMULT, limbs, a);
    step.b = b;
    step.scale *= b <= circuit->step_count ? fh_golden_ckks_circuit_scale(circuit, b) : 1;
    return fh_golden_ckks_circuit_append(circuit, step);
}

/* round(value) as an integer; an error beyond 120 bits. */
static fh_golden_i128 rounded(fh_golden_ckks_circuit *circuit, long double value) {
    long double nearest = roundl(value);
    if (!(fabsl(nearest) < 0x1p120L)) { /* NaN included */
        if (circuit->status == FH_GOLDEN_OK) {
            circuit->status = FH_GOLDEN_ERR_SCALE;
        }
        return 0;
    }
    return (fh_golden_i128)nearest;
}

size_t fh_golden_ckks_circuit_to_scale(fh_golden_ckks_circuit *circuit, size_t limbs, size_t a,
                                       long double target, long double factor) {
    fh_golden_ckks_step step =
        fh_golden_ckks_unary_step(circuit, FH_GOLDEN_CKKS_SCALAR_MULT, limbs, a);
    step.scalar = rounded(circuit, factor * target / step.scale);
    step.scale = target;
    return fh_golden_ckks_circuit_append(circuit, step);
}

size_t fh_golden_ckks_circuit_add_constant(fh_golden_ckks_circuit *circuit, size_t a,
                                           long double constant) {
    fh_golden_ckks_step step =
        fh_golden_ckks_unary_step(circuit, FH_GOLDEN_CKKS_SCALAR_ADD, operand_level(circuit, a), a);
    step.scalar = rounded(circuit, constant * step.scale);
    return fh_golden_ckks_circuit_append(circuit, step);
}

size_t fh_golden_ckks_circuit_monomial(fh_golden_ckks_circuit *circuit, size_t a,
                                       uint64_t exponent) {
    fh_golden_ckks_step step =
        fh_golden_ckks_unary_step(circuit, FH_GOLDEN_CKKS_MONOMIAL, operand_level(circuit, a), a);
    step.element = exponent % ((uint64_t)2 << circuit->log2_n);
    return fh_golden_ckks_circuit_append(circuit, step);
}

uint64_t fh_golden_ckks_rotation_element(const fh_golden_ckks_circuit *circuit, ptrdiff_t slots) {
    ptrdiff_t all = (ptrdiff_t)1 << (circuit->log2_n - 1);
    return fh_golden_powmod(5, (uint64_t)(((slots % all) + all) % all),
                            (uint64_t)2 << circuit->log2_n);
}

size_t fh_golden_ckks_circuit_rotate(fh_golden_ckks_circuit *circuit, size_t a, ptrdiff_t slots) {
    fh_golden_ckks_step step =
        fh_golden_ckks_unary_step(circuit, FH_GOLDEN_CKKS_ROTATE, operand_level(circuit, a), a);
    step.element = fh_golden_ckks_rotation_element(circuit, slots);
    return fh_golden_ckks_circuit_append(circuit, step);
}

size_t fh_golden_ckks_circuit_conjugate(fh_golden_ckks_circuit *circuit, size_t a) {
    fh_golden_ckks_step step =
        fh_golden_ckks_unary_step(circuit, FH_GOLDEN_CKKS_CONJUGATE, operand_level(circuit, a), a);
    step.element = ((uint64_t)2 << circuit->log2_n) - 1;
    return fh_golden_ckks_circuit_append(circuit, step);
}

size_t fh_golden_ckks_circuit_rescale(fh_golden_ckks_circuit *circuit, size_t a) {
    size_t level = operand_level(circuit, a);
    fh_golden_ckks_step step = fh_golden_ckks_unary_step(circuit, FH_GOLDEN_CKKS_RESCALE, level, a);
    step.drop = circuit->per_level;
    if (level <= step.drop) {
        circuit->status = circuit->status == FH_GOLDEN_OK ? FH_GOLDEN_ERR_LEVEL : circuit->status;
        return 0;
    }
    step.result_level = level - step.drop;
    step.scale /= fh_golden_ckks_dropped(circuit, step.result_level);
    return fh_golden_ckks_circuit_append(circuit, step);
}

long double fh_golden_ckks_dropped(const fh_golden_ckks_circuit *circuit, size_t level) {
    long double product = 1;
    for (size_t j = 0; j < circuit->per_level && level + j < circuit->limbs; j++) {
        product *= (long double)circuit->moduli[level + j];
    }
    return product;
}

long double fh_golden_ckks_circuit_before_rescale(const fh_golden_ckks_circuit *circuit,
                                                  size_t level, long double scale) {
    return level <= circuit->per_level
               ? 0 /* no scale: whoever multiplies to it is refused */
               : scale * fh_golden_ckks_dropped(circuit, level - circuit->per_level);
}

size_t fh_golden_ckks_circuit_raise(fh_golden_ckks_circuit *circuit, bool encapsulate, size_t a) {
    size_t base = circuit->per_level;
    if (encapsulate) {
        a = fh_golden_ckks_circuit_append(
            circuit, fh_golden_ckks_unary_step(circuit, FH_GOLDEN_CKKS_ENCAPSULATE, base, a));
    }
    fh_golden_ckks_step step =
        fh_golden_ckks_unary_step(circuit, FH_GOLDEN_CKKS_MOD_RAISE, base, a);
    step.result_level = circuit->limbs;
    step.scale = fh_golden_ckks_dropped(circuit, 0);
    size_t raised = fh_golden_ckks_circuit_append(circuit, step);
    if (!encapsulate) {
        return raised;
    }
    return fh_golden_ckks_circuit_append(
        circuit,
        fh_golden_ckks_unary_step(circuit, FH_GOLDEN_CKKS_RELEASE, circuit->limbs, raised));
}

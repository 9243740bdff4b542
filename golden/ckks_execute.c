/*
 * ckks_execute.c - circuits step by step with the primitives of golden/ckks*.c.
 */
#include <stdlib.h>
#include <string.h>

#include "ckks_circuit.h"
#include "ckks_internal.h"
#include "room.h"

size_t fh_golden_ckks_value_elements(const fh_golden_ckks_circuit *circuit,
                                     const fh_golden_ckks *ckks, size_t value) {
    size_t level = fh_golden_ckks_circuit_level(circuit, value);
    if (value > 0 && circuit->steps[value - 1].kind == FH_GOLDEN_CKKS_RAISE_DIGITS) {
        return fh_golden_ckks_digits(ckks, level) * (level + ckks->alpha) * ckks->n;
    }
    return 2 * level * ckks->n;
}

size_t fh_golden_ckks_input_elements(const fh_golden_ckks_circuit *circuit,
                                     const fh_golden_ckks *ckks) {
    size_t elements = 0;
    for (size_t v = 0; v < circuit->input_count; v++) {
        elements += fh_golden_ckks_value_elements(circuit, ckks, v);
    }
    return elements;
}

static bool fits(const fh_golden_ckks_circuit *circuit,
                 const fh_golden_ckks_environment *environment) {
    const fh_golden_ckks *ckks = environment->ckks;
    return circuit->last_use != NULL && ckks->n == (size_t)1 << circuit->log2_n &&
           ckks->limbs == circuit->limbs &&
           memcmp(ckks->moduli, circuit->moduli, ckks->limbs * sizeof ckks->moduli[0]) == 0;
}

/* values[v] for each input. */
static fh_golden_status copy_inputs(fh_golden_ckks_execution *execution, const uint64_t *input) {
    for (size_t v = 0; v < execution->circuit->input_count; v++) {
        size_t elements =
            fh_golden_ckks_value_elements(execution->circuit, execution->environment->ckks, v);
        execution->values[v] = fh_golden_room(elements, sizeof *input);
        if (execution->values[v] == NULL) {
            return FH_GOLDEN_ERR_NO_MEMORY;
        }
        memcpy(execution->values[v], input, elements * sizeof *input);
        input += elements;
    }
    return FH_GOLDEN_OK;
}

fh_golden_status fh_golden_ckks_execution_begin(fh_golden_ckks_execution *execution,
                                                const fh_golden_ckks_circuit *circuit,
                                                const fh_golden_ckks_environment *environment,
                                                const uint64_t *input) {
    *execution = (fh_golden_ckks_execution){.circuit = circuit, .environment = environment};
    if (!fits(circuit, environment)) {
        return FH_GOLDEN_ERR_ARGUMENT;
    }
    execution->next = circuit->input_count - 1;
    execution->values = calloc(circuit->step_count + 1, sizeof *execution->values);
    if (execution->values == NULL) {
        return FH_GOLDEN_ERR_NO_MEMORY;
    }
    fh_golden_status status = input == NULL ? FH_GOLDEN_OK : copy_inputs(execution, input);
    bool plains = circuit->map_count > 0 || circuit->vector_count > 0;
    return status == FH_GOLDEN_OK && plains && environment->plains == NULL
               ? fh_golden_ckks_plains_create(&execution->plains, circuit, environment->ckks, 1)
               : status;
}

void fh_golden_ckks_execution_end(fh_golden_ckks_execution *execution) {
    for (size_t v = 0; execution->values != NULL && v <= execution->circuit->step_count; v++) {
        free(execution->values[v]);
    }
    free(execution->values);
    fh_golden_ckks_plains_free(execution->plains);
    execution->values = NULL;
    execution->plains = NULL;
}

/* *array = the operand at the step's level: its own array, or a copy in *owned of its lower limbs,
 * which the caller frees. */
static fh_golden_status operand(const fh_golden_ckks_execution *execution, size_t value,
                                size_t level, const uint64_t **array, uint64_t **owned) {
    const fh_golden_ckks *ckks = execution->environment->ckks;
    size_t has = fh_golden_ckks_circuit_level(execution->circuit, value);
    *array = execution->values[value];
    if (has == level) {
        return FH_GOLDEN_OK;
    }
    *owned = fh_golden_room(2 * level * ckks->n, sizeof **owned);
    if (*owned == NULL) {
        return FH_GOLDEN_ERR_NO_MEMORY;
    }
    *array = *owned;
    return fh_golden_ckks_drop(ckks, has, level, execution->values[value], *owned);
}

/* out = (c0, 0) + KeySwitch of c1. */
static fh_golden_status switch_secret(const fh_golden_ckks *ckks, size_t level, const uint64_t *in,
                                      const uint64_t *key, uint64_t *out) {
    fh_golden_status status =
        fh_golden_ckks_key_switch(ckks, level, in + level * ckks->n, key, out);
    return status == FH_GOLDEN_OK ? fh_golden_ckks_ptadd(ckks, level, out, in, out) : status;
}

/* The product with or the sum with the step's plaintext. */
static fh_golden_status apply_plain(fh_golden_ckks_execution *execution,
                                    const fh_golden_ckks_step *step, const uint64_t *a,
                                    uint64_t *out) {
    const fh_golden_ckks_environment *environment = execution->environment;
    const fh_golden_ckks *ckks = environment->ckks;
    fh_golden_ckks_plains *plains =
        environment->plains != NULL ? environment->plains : execution->plains;
    const uint64_t *plain;
    fh_golden_status status = fh_golden_ckks_plains_take(plains, execution->next, &plain);
    if (status == FH_GOLDEN_OK) {
        status = step->kind == FH_GOLDEN_CKKS_PTMULT
                     ? fh_golden_ckks_ptmult(ckks, step->level, a, plain, out)
                     : fh_golden_ckks_ptadd(ckks, step->level, a, plain, out);
        fh_golden_ckks_plains_give(plains, execution->next);
    }
    return status;
}

/* The step's primitive; a and b at its level, b NULL where it has none. */
static fh_golden_status compute(fh_golden_ckks_execution *execution,
                                const fh_golden_ckks_step *step, const uint64_t *a,
                                const uint64_t *b, const uint64_t *key, uint64_t *out) {
    const fh_golden_ckks *ckks = execution->environment->ckks;
    const fh_golden_ckks *base = execution->environment->base;
    size_t level = step->level;
    switch (step->kind) {
    case FH_GOLDEN_CKKS_ADD: return fh_golden_ckks_headd(ckks, level, a, b, out);
    case FH_GOLDEN_CKKS_SUB: return fh_golden_ckks_hesub(ckks, level, a, b, out);
    case FH_GOLDEN_CKKS_HEMULT: return fh_golden_ckks_hemult(ckks, level, a, b, key, out);
    case FH_GOLDEN_CKKS_SCALAR_MULT:
        return fh_golden_ckks_scalar_mult(ckks, level, step->scalar, a, out);
    case FH_GOLDEN_CKKS_SCALAR_ADD:
        return fh_golden_ckks_scalar_add(ckks, level, step->scalar, a, out);
    case FH_GOLDEN_CKKS_PTMULT:
    case FH_GOLDEN_CKKS_PTADD: return apply_plain(execution, step, a, out);
    case FH_GOLDEN_CKKS_MONOMIAL:
        return fh_golden_ckks_monomial(ckks, level, step->element, a, out);
    case FH_GOLDEN_CKKS_ROTATE:
    case FH_GOLDEN_CKKS_CONJUGATE:
        return fh_golden_ckks_galois(ckks, level, step->element, a, key, out);
    case FH_GOLDEN_CKKS_RAISE_DIGITS:
        return fh_golden_ckks_raise_digits(ckks, level, a + level * ckks->n, out);
    case FH_GOLDEN_CKKS_ROTATE_RAISED:
        return fh_golden_ckks_galois_hoisted(ckks, level, step->element, a, b, key, out);
    case FH_GOLDEN_CKKS_RESCALE:
        return fh_golden_ckks_rescale_limbs(ckks, level, step->drop, a, out);
    case FH_GOLDEN_CKKS_ENCAPSULATE:
        return base == NULL ? FH_GOLDEN_ERR_ARGUMENT : switch_secret(base, level, a, key, out);
    case FH_GOLDEN_CKKS_MOD_RAISE:
        return fh_golden_ckks_mod_raise(ckks, level, step->result_level, a, out);
    case FH_GOLDEN_CKKS_RELEASE: return switch_secret(ckks, level, a, key, out);
    case FH_GOLDEN_CKKS_INPUT:
    case FH_GOLDEN_CKKS_KIND_COUNT: break;
    }
    return FH_GOLDEN_ERR_ARGUMENT;
}

static void release_value(fh_golden_ckks_execution *execution, size_t value, size_t step) {
    if (value != FH_GOLDEN_CKKS_NONE && !execution->keep &&
        execution->circuit->last_use[value] == step) {
        free(execution->values[value]);
        execution->values[value] = NULL;
    }
}

fh_golden_status fh_golden_ckks_execution_step(fh_golden_ckks_execution *execution) {
    const fh_golden_ckks_circuit *circuit = execution->circuit;
    const fh_golden_ckks_environment *environment = execution->environment;
    if (execution->next >= circuit->step_count) {
        return FH_GOLDEN_ERR_ARGUMENT;
    }
    size_t index = execution->next;
    const fh_golden_ckks_step *step = &circuit->steps[index];
    if (index > 0) {
        release_value(execution, index, index - 1); /* what the last step made for nobody */
    }
    const uint64_t *operands[2] = {NULL, NULL};
    uint64_t *owned[2] = {NULL, NULL};
    fh_golden_status status = operand(execution, step->a, step->level, &operands[0], &owned[0]);
    if (status == FH_GOLDEN_OK && step->b != FH_GOLDEN_CKKS_NONE) {
        status = operand(execution, step->b, step->level, &operands[1], &owned[1]);
    }
    fh_golden_ckks_key_kind kind;
    uint64_t element;
    const uint64_t *key = NULL;
    if (status == FH_GOLDEN_OK && fh_golden_ckks_step_key(step, &kind, &element)) {
        status = environment->key(environment->context, kind, element, &key);
    }
    if (status == FH_GOLDEN_OK) {
        size_t elements = fh_golden_ckks_value_elements(circuit, environment->ckks, index + 1);
        uint64_t *made = fh_golden_room(elements, sizeof *made);
        execution->values[index + 1] = made;
        status = made == NULL ? FH_GOLDEN_ERR_NO_MEMORY
                              : compute(execution, step, operands[0], operands[1], key, made);
    }
    free(owned[0]);
    free(owned[1]);
    if (status == FH_GOLDEN_OK) {
        release_value(execution, step->a, index);
        release_value(execution, step->b, index);
        execution->next++;
    } else {
        free(execution->values[index + 1]);
        execution->values[index + 1] = NULL;
    }
    return status;
}

fh_golden_status fh_golden_ckks_execute(const fh_golden_ckks_circuit *circuit,
                                        const fh_golden_ckks_environment *environment,
                                        const uint64_t *input, fh_golden_ckks_after_step after,
                                        void *context, uint64_t *output) {
    fh_golden_ckks_execution execution;
    fh_golden_status status =
        fh_golden_ckks_execution_begin(&execution, circuit, environment, input);
    while (status == FH_GOLDEN_OK && execution.next < circuit->step_count) {
        status = fh_golden_ckks_execution_step(&execution);
        size_t done = execution.next;
        if (status == FH_GOLDEN_OK && after != NULL) {
            status = after(context, circuit, done - 1, execution.values[done]);
        }
    }
    if (status == FH_GOLDEN_OK) {
        memcpy(output, execution.values[circuit->output],
               fh_golden_ckks_value_elements(circuit, environment->ckks, circuit->output) *
                   sizeof *output);
    }
    fh_golden_ckks_execution_end(&execution);
    return status;
}

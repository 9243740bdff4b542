/*
 * ckks_operands.c - what goes into a circuit and out of it beside the values of its steps: further
 * inputs, plaintext vectors, further outputs.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "ckks_circuit.h"
#include "ckks_circuit_internal.h"

/* The first error stays. */
static void refuse(fh_golden_ckks_circuit *circuit, fh_golden_status status) {
    if (circuit->status == FH_GOLDEN_OK) {
        circuit->status = status;
    }
}

size_t fh_golden_ckks_circuit_input(fh_golden_ckks_circuit *circuit, size_t level,
                                    long double scale) {
    if (circuit->step_count + 1 != circuit->input_count) {
        refuse(circuit, FH_GOLDEN_ERR_ARGUMENT);
    } else if (level < 1 || level > circuit->limbs) {
        refuse(circuit, FH_GOLDEN_ERR_LEVEL);
    }
    fh_golden_ckks_step step = {.kind = FH_GOLDEN_CKKS_INPUT,
                                .level = level,
                                .result_level = level,
                                .scale = scale,
                                .a = FH_GOLDEN_CKKS_NONE,
                                .b = FH_GOLDEN_CKKS_NONE,
                                .map = FH_GOLDEN_CKKS_NONE,
                                .vector = FH_GOLDEN_CKKS_NONE};
    size_t value = fh_golden_ckks_circuit_append(circuit, step);
    circuit->input_count += circuit->status == FH_GOLDEN_OK ? 1 : 0;
    return value;
}

void fh_golden_ckks_circuit_keep(fh_golden_ckks_circuit *circuit, size_t value) {
    if (value > circuit->step_count || circuit->kept_count == FH_GOLDEN_CKKS_MAX_KEPT) {
        refuse(circuit, FH_GOLDEN_ERR_ARGUMENT);
        return;
    }
    circuit->kept[circuit->kept_count++] = value;
}

size_t fh_golden_ckks_circuit_vector(fh_golden_ckks_circuit *circuit,
                                     const fh_golden_complex *slots) {
    size_t bytes = sizeof *slots << (circuit->log2_n - 1);
    fh_golden_complex **vectors =
        realloc(circuit->vectors, (circuit->vector_count + 1) * sizeof *vectors);
    circuit->vectors = vectors == NULL ? circuit->vectors : vectors;
    fh_golden_complex *copy = vectors == NULL ? NULL : malloc(bytes);
    if (copy == NULL) {
        refuse(circuit, FH_GOLDEN_ERR_NO_MEMORY);
        return 0;
    }
    memcpy(copy, slots, bytes);
    vectors[circuit->vector_count] = copy;
    return circuit->vector_count++;
}

/* A step of a and the vector at a's level. */
static size_t with_vector(fh_golden_ckks_circuit *circuit, fh_golden_ckks_kind kind, size_t a,
                          size_t vector, long double plain_scale, long double scale) {
    if (vector >= circuit->vector_count) {
        refuse(circuit, FH_GOLDEN_ERR_ARGUMENT);
    }
    if (!(isfinite(plain_scale) && plain_scale > 0)) {
        refuse(circuit, FH_GOLDEN_ERR_SCALE);
    }
    size_t level = a <= circuit->step_count ? fh_golden_ckks_circuit_level(circuit, a) : 0;
    fh_golden_ckks_step step = fh_golden_ckks_unary_step(circuit, kind, level, a);
    step.vector = vector;
    step.plain_scale = plain_scale;
    step.scale = scale;
    return fh_golden_ckks_circuit_append(circuit, step);
}

size_t fh_golden_ckks_circuit_ptmult(fh_golden_ckks_circuit *circuit, size_t a, size_t vector,
                                     long double target) {
    long double scale = a <= circuit->step_count ? fh_golden_ckks_circuit_scale(circuit, a) : 1;
    return with_vector(circuit, FH_GOLDEN_CKKS_PTMULT, a, vector, target / scale, target);
}

size_t fh_golden_ckks_circuit_ptadd(fh_golden_ckks_circuit *circuit, size_t a, size_t vector) {
    long double scale = a <= circuit->step_count ? fh_golden_ckks_circuit_scale(circuit, a) : 1;
    return with_vector(circuit, FH_GOLDEN_CKKS_PTADD, a, vector, scale, scale);
}

size_t fh_golden_ckks_rotation(fh_golden_ckks_circuit *circuit, size_t a, ptrdiff_t slots,
                               size_t *raised) {
    if (slots == 0) {
        return a;
    }
    if (!circuit->hoist) {
        return fh_golden_ckks_circuit_rotate(circuit, a, slots);
    }
    size_t level = a <= circuit->step_count ? fh_golden_ckks_circuit_level(circuit, a) : 0;
    if (*raised == FH_GOLDEN_CKKS_NONE) {
        *raised = fh_golden_ckks_circuit_append(
            circuit, fh_golden_ckks_unary_step(circuit, FH_GOLDEN_CKKS_RAISE_DIGITS, level, a));
    }
    fh_golden_ckks_step step =
        fh_golden_ckks_unary_step(circuit, FH_GOLDEN_CKKS_ROTATE_RAISED, level, a);
    step.b = *raised;
    step.element = fh_golden_ckks_rotation_element(circuit, slots);
    return fh_golden_ckks_circuit_append(circuit, step);
}

void fh_golden_ckks_circuit_rotations(fh_golden_ckks_circuit *circuit, size_t a, size_t count,
                                      const ptrdiff_t *slots, size_t *turned) {
    size_t raised = FH_GOLDEN_CKKS_NONE;
    for (size_t i = 0; i < count; i++) {
        turned[i] = fh_golden_ckks_rotation(circuit, a, slots[i], &raised);
    }
}

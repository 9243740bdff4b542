/*
 * ckks_lr.c - Nesterov iterations of a logistic regression on encrypted samples.
 */
#include "ckks_apps.h"

#include <math.h>
#include <stdlib.h>

enum { LEVELS = 6 };

/* s(t) = 0.5 + LINEAR t - CUBIC t^3. */
static const long double LINEAR = 0.15L;
static const long double CUBIC = 0.0015L;

/* What an iteration reads and makes. */
typedef struct state {
    fh_golden_ckks_circuit *circuit;
    const fh_golden_ckks_boot_params *boot;
    const fh_golden_lr *lr;
    size_t first_column; /* vector */
    size_t x;            /* values */
    size_t y;
    size_t w;
    size_t v;
} state;

/* The limbs of this many levels above the base. */
static size_t limbs(const state *s, size_t level) {
    return (1 + level) * s->circuit->per_level;
}

/* a + a rotated by `step`, 2 step, ..., each time the sum so far, `count` times. */
static size_t rotate_sums(fh_golden_ckks_circuit *circuit, size_t a, ptrdiff_t step, size_t count) {
    size_t level = fh_golden_ckks_circuit_level(circuit, a);
    for (size_t i = 0; i < count; i++) {
        size_t turned = fh_golden_ckks_circuit_rotate(circuit, a, step * ((ptrdiff_t)1 << i));
        a = fh_golden_ckks_circuit_add(circuit, level, a, turned);
    }
    return a;
}

static size_t log2_of(size_t power) {
    size_t log2 = 0;
    while ((size_t)1 << log2 < power) {
        log2++;
    }
    return log2;
}

/* <x_r, v> in all columns of row r: from level 6 to level 4. The sum of a row is right in its first
 * column; the others hold parts of two rows, which the mask takes away. */
static size_t row_products(const state *s) {
    fh_golden_ckks_circuit *circuit = s->circuit;
    size_t log2_columns = log2_of(s->lr->columns);
    fh_golden_ckks_circuit_name(circuit, "row sums", 0);
    size_t sum = fh_golden_ckks_circuit_hemult(circuit, limbs(s, LEVELS), s->x, s->v);
    sum = rotate_sums(circuit, fh_golden_ckks_circuit_rescale(circuit, sum), 1, log2_columns);
    fh_golden_ckks_circuit_name(circuit, "row copies", 0);
    sum = fh_golden_ckks_circuit_ptmult(
        circuit, sum, s->first_column,
        fh_golden_ckks_circuit_before_rescale(circuit, limbs(s, LEVELS - 1), circuit->delta));
    return rotate_sums(circuit, fh_golden_ckks_circuit_rescale(circuit, sum), -1, log2_columns);
}

/* rate (y - s(t)): from level 4 to level 2. */
static size_t errors(const state *s, size_t t) {
    fh_golden_ckks_circuit *circuit = s->circuit;
    long double rate = (long double)s->lr->rate;
    size_t level = limbs(s, 4);
    long double scale = fh_golden_ckks_circuit_before_rescale(circuit, level, circuit->delta);
    fh_golden_ckks_circuit_name(circuit, "error", 0);
    size_t square = fh_golden_ckks_circuit_hemult(circuit, level, t, t);
    square = fh_golden_ckks_circuit_rescale(circuit, square);
    size_t part = fh_golden_ckks_circuit_to_scale(circuit, level, t, scale, CUBIC * rate);
    part = fh_golden_ckks_circuit_rescale(circuit, part);
    level = limbs(s, 3);
    size_t sum = fh_golden_ckks_circuit_hemult(circuit, level, square, part);
    scale = fh_golden_ckks_circuit_scale(circuit, sum);
    size_t linear = fh_golden_ckks_circuit_to_scale(circuit, level, t, scale, LINEAR * rate);
    size_t label = fh_golden_ckks_circuit_to_scale(circuit, level, s->y, scale, rate);
    sum = fh_golden_ckks_circuit_sub(circuit, level, sum, linear);
    sum = fh_golden_ckks_circuit_add(circuit, level, sum, label);
    sum = fh_golden_ckks_circuit_rescale(circuit, sum);
    return fh_golden_ckks_circuit_add_constant(circuit, sum, -rate / 2);
}

/* v + sum_r e_r x_r: from level 2 to level 1. The sum over all rows is the same in each. */
static size_t new_weights(const state *s, size_t error) {
    fh_golden_ckks_circuit *circuit = s->circuit;
    size_t rows = ((size_t)1 << (circuit->log2_n - 1)) / s->lr->columns;
    size_t level = limbs(s, 2);
    fh_golden_ckks_circuit_name(circuit, "column sums", 0);
    size_t sum = fh_golden_ckks_circuit_hemult(circuit, level, error, s->x);
    long double scale = fh_golden_ckks_circuit_scale(circuit, sum);
    sum = fh_golden_ckks_circuit_rescale(circuit, sum);
    sum = rotate_sums(circuit, sum, (ptrdiff_t)s->lr->columns, log2_of(rows));
    fh_golden_ckks_circuit_name(circuit, "update", 0);
    size_t before = fh_golden_ckks_circuit_to_scale(circuit, level, s->v, scale, 1);
    before = fh_golden_ckks_circuit_rescale(circuit, before);
    return fh_golden_ckks_circuit_add(circuit, limbs(s, 1), sum, before);
}

/* w' and v' at the base, at the scale of a bootstrap's input, and bootstrapped. */
static void renew(state *s, size_t weights) {
    fh_golden_ckks_circuit *circuit = s->circuit;
    long double momentum = (long double)s->lr->momentum;
    size_t level = limbs(s, 1);
    long double scale = fh_golden_ckks_circuit_before_rescale(
        circuit, level, fh_golden_ckks_boot_scale(s->boot, circuit->moduli));
    size_t moved = fh_golden_ckks_circuit_to_scale(circuit, level, weights, scale, 1 + momentum);
    size_t old = fh_golden_ckks_circuit_to_scale(circuit, level, s->w, scale, -momentum);
    moved = fh_golden_ckks_circuit_add(circuit, level, moved, old);
    moved = fh_golden_ckks_circuit_rescale(circuit, moved);
    weights = fh_golden_ckks_circuit_to_scale(circuit, level, weights, scale, 1);
    weights = fh_golden_ckks_circuit_rescale(circuit, weights);
    fh_golden_ckks_circuit_part(circuit, "weights");
    s->w = fh_golden_ckks_circuit_bootstrap(circuit, s->boot, weights);
    fh_golden_ckks_circuit_part(circuit, "momentum");
    s->v = fh_golden_ckks_circuit_bootstrap(circuit, s->boot, moved);
    fh_golden_ckks_circuit_part(circuit, "");
}

static void make_inputs(state *s) {
    fh_golden_ckks_circuit *circuit = s->circuit;
    size_t level = circuit->input_level;
    fh_golden_ckks_circuit_name(circuit, "input", 0);
    s->x = 0;
    s->y = fh_golden_ckks_circuit_input(circuit, level, circuit->delta);
    s->w = fh_golden_ckks_circuit_input(circuit, level, circuit->delta);
    s->v = fh_golden_ckks_circuit_input(circuit, level, circuit->delta);
}

static void make_mask(state *s) {
    size_t slots = (size_t)1 << (s->circuit->log2_n - 1);
    fh_golden_complex *mask = calloc(slots, sizeof *mask);
    if (mask == NULL) {
        s->circuit->status = FH_GOLDEN_ERR_NO_MEMORY;
        return;
    }
    for (size_t p = 0; p < slots; p += s->lr->columns) {
        mask[p].re = 1;
    }
    s->first_column = fh_golden_ckks_circuit_vector(s->circuit, mask);
    free(mask);
}

static fh_golden_status check(const fh_golden_ckks_boot_params *boot, const fh_golden_lr *lr) {
    fh_golden_status status = fh_golden_ckks_boot_check(boot);
    if (status != FH_GOLDEN_OK) {
        return status;
    }
    size_t slots = (size_t)1 << (boot->log2_n - 1);
    bool shape = lr->columns >= 2 && lr->columns <= slots / 2 &&
                 (lr->columns & (lr->columns - 1)) == 0 && lr->iterations >= 1;
    bool numbers = isfinite(lr->rate) && lr->rate > 0 && isfinite(lr->momentum);
    if (!shape || !numbers) {
        return FH_GOLDEN_ERR_ARGUMENT;
    }
    return boot->levels_left >= LEVELS ? FH_GOLDEN_OK : FH_GOLDEN_ERR_LEVEL;
}

fh_golden_status fh_golden_lr_circuit(const fh_golden_ckks_boot_params *boot,
                                      const uint64_t *moduli, const fh_golden_lr *lr,
                                      fh_golden_ckks_circuit **circuit) {
    state s = {.boot = boot, .lr = lr};
    *circuit = NULL;
    fh_golden_status status = check(boot, lr);
    if (status == FH_GOLDEN_OK) {
        status = fh_golden_ckks_boot_host(boot, moduli, &s.circuit);
    }
    if (status != FH_GOLDEN_OK) {
        return status;
    }
    make_inputs(&s);
    make_mask(&s);
    for (unsigned i = 0; i < lr->iterations && s.circuit->status == FH_GOLDEN_OK; i++) {
        renew(&s, new_weights(&s, errors(&s, row_products(&s))));
    }
    fh_golden_ckks_circuit_keep(s.circuit, s.w);
    status = fh_golden_ckks_circuit_finish(s.circuit, s.v);
    if (status != FH_GOLDEN_OK) {
        fh_golden_ckks_circuit_free(s.circuit);
        return status;
    }
    *circuit = s.circuit;
    return FH_GOLDEN_OK;
}

/* ---------------------------------------------------------------------------- in floating point */

/* work: 2 columns. */
static void iterate(const fh_golden_lr *lr, size_t rows, const double *x, const double *y,
                    double *w, double *v, double *work) {
    size_t columns = lr->columns;
    double *old = work;
    double *gradient = work + columns;
    for (size_t c = 0; c < columns; c++) {
        old[c] = w[c];
        gradient[c] = 0;
    }
    for (size_t r = 0; r < rows; r++) {
        const double *sample = x + r * columns;
        double t = 0;
        for (size_t c = 0; c < columns; c++) {
            t += sample[c] * v[c];
        }
        double error = y[r] - (0.5 + 0.15 * t - 0.0015 * t * t * t);
        for (size_t c = 0; c < columns; c++) {
            gradient[c] += error * sample[c];
        }
    }
    for (size_t c = 0; c < columns; c++) {
        w[c] = v[c] + lr->rate * gradient[c];
        v[c] = w[c] + lr->momentum * (w[c] - old[c]);
    }
}

fh_golden_status fh_golden_lr_plain(const fh_golden_lr *lr, size_t rows, const double *x,
                                    const double *y, double *w, double *v) {
    double *work = calloc(2 * lr->columns, sizeof *work);
    if (work == NULL) {
        return FH_GOLDEN_ERR_NO_MEMORY;
    }
    for (unsigned i = 0; i < lr->iterations; i++) {
        iterate(lr, rows, x, y, w, v, work);
    }
    free(work);
    return FH_GOLDEN_OK;
}

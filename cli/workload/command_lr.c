/*
 * command_lr.c - fhec ckks lr: training a logistic regression on encrypted samples with
 * bootstrapping, on the emulator.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "circuit_run.h"
#include "ckks_apps.h"
#include "command_circuits.h"
#include "message.h"
#include "options.h"
#include "workload.h"

static const char doc[] =
    "Nesterov iterations of a logistic regression on encrypted samples, with a bootstrap of "
    "weights "
    "and momentum after each, on the emulator. All limbs are compared with the C reference after "
    "each primitive; at the end weights and momentum are decrypted and compared with the same "
    "iterations in floating point."
    "\vThe data set follows from the seed: C columns, the last one 1, features in [-1, 1), labels "
    "by "
    "a random hyperplane with one in sixteen wrong; as many samples as fit into N / 2 slots. The "
    "chain is that of `fhec ckks bootstrap --preset fhec32`. The sigmoid is 0.5 + 0.15 t - 0.0015 "
    "t^3. Statistics count all steps. Security is not checked: a small N with these primes has "
    "none.";

enum { OPTION_COLUMNS = 1, OPTION_ITERATIONS };
static const struct argp_option options[] = {
    {"columns", OPTION_COLUMNS, "C", 0,
     "Features and the constant: a power of two, 2 to N / 4 (default 16)", 0},
    {"iterations", OPTION_ITERATIONS, "I", 0, "1 to 8 iterations (default 1)", 0},
    {0},
};

enum { DEFAULT_LOGN = 12, DEFAULT_COLUMNS = 16, MOST_ITERATIONS = 8 };
enum { FEATURES = 101, PLANE, NOISE, WEIGHTS, MOMENTUM }; /* streams of the seed */
static const double rate_of_all = 4, momentum = 0.25;

struct data_set {
    size_t rows;
    double *x, *y; /* rows x columns; rows */
    double *w, *v; /* columns: before the iterations */
};

struct lr {
    struct fh_cli_circuit_run run;
    uint64_t columns, iterations;
    fh_golden_lr of;
    struct data_set data;
    struct fh_cli_precision precision;
    double before, after, plain; /* share of samples that the weights class right */
};

static error_t parse_option(int key, char *arg, struct argp_state *state) {
    struct lr *lr = state->input;
    switch (key) {
    case ARGP_KEY_INIT: state->child_inputs[0] = &lr->run; return 0;
    case OPTION_COLUMNS:
        lr->columns = fh_cli_number_option(state, "--columns", arg, 2, UINT32_MAX);
        return 0;
    case OPTION_ITERATIONS:
        lr->iterations = fh_cli_number_option(state, "--iterations", arg, 1, MOST_ITERATIONS);
        return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp_child children[] = {{&fh_cli_circuit_argp, 0, NULL, 0}, {0}};
static const struct argp argp = {options, parse_option, NULL, doc, children, NULL, NULL};

static size_t slot_count(const struct lr *lr) {
    return (size_t)1 << (lr->run.logn - 1);
}

static fhec_status plan(void *command) {
    struct lr *lr = command;
    struct fh_cli_circuit_run *run = &lr->run;
    if (!run->logn)
        run->logn = DEFAULT_LOGN;
    if ((lr->columns & (lr->columns - 1)) != 0 || lr->columns > slot_count(lr) / 2)
        return fh_cli_error(run->cli, FHEC_BAD_INPUT,
                            "--columns %llu: expected a power of two from 2 to N / 4 = %zu",
                            (unsigned long long)lr->columns, slot_count(lr) / 2);
    lr->data.rows = slot_count(lr) / lr->columns;
    lr->of = (fh_golden_lr){lr->columns, rate_of_all / (double)lr->data.rows, momentum,
                            (unsigned)lr->iterations};
    snprintf(run->what, sizeof run->what,
             "logistic regression, %llu iteration%s, %zu samples of %zu",
             (unsigned long long)lr->iterations, lr->iterations == 1 ? "" : "s", lr->data.rows,
             (size_t)lr->columns);
    run->client.params = fh_golden_ckks_boot_pairs((unsigned)run->logn);
    return FHEC_OK;
}

static fh_golden_status make_circuit(void *command, const fh_golden_ckks_boot_params *params,
                                     const uint64_t *moduli, fh_golden_ckks_circuit **circuit) {
    const struct lr *lr = command;
    return fh_golden_lr_circuit(params, moduli, &lr->of, circuit);
}

/* ---------------------------------------------------------------- the data set */

static double product(const double *a, const double *b, size_t count) {
    double sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += a[i] * b[i];
    return sum;
}

static void fill(struct lr *lr) {
    struct data_set *d = &lr->data;
    const uint64_t seed = lr->run.seed;
    const size_t columns = lr->columns;
    double *plane = d->w; /* until the labels are made */
    for (size_t c = 0; c < columns; c++)
        plane[c] = fh_cli_client_unit(seed, PLANE, c) / (c + 1 == columns ? 4 : 1);
    for (size_t r = 0; r < d->rows; r++) {
        double *sample = d->x + r * columns;
        for (size_t c = 0; c < columns; c++)
            sample[c] = c + 1 == columns ? 1 : fh_cli_client_unit(seed, FEATURES, r * columns + c);
        bool wrong = fh_cli_client_unit(seed, NOISE, r) < -0.875;
        d->y[r] = (product(sample, plane, columns) > 0) != wrong;
    }
    for (size_t c = 0; c < columns; c++) {
        d->w[c] = fh_cli_client_unit(seed, WEIGHTS, c) / 8;
        d->v[c] = fh_cli_client_unit(seed, MOMENTUM, c) / 8;
    }
}

static fhec_status make_inputs(void *command, fh_golden_complex *slots) {
    struct lr *lr = command;
    struct data_set *d = &lr->data;
    size_t count = slot_count(lr), columns = lr->columns;
    d->x = calloc(count, sizeof *d->x);
    d->y = calloc(d->rows, sizeof *d->y);
    d->w = calloc(columns, sizeof *d->w);
    d->v = calloc(columns, sizeof *d->v);
    if (!d->x || !d->y || !d->w || !d->v)
        return fh_cli_no_memory(lr->run.cli);
    fill(lr);
    for (size_t p = 0; p < count; p++) {
        slots[p].re = d->x[p];
        slots[count + p].re = d->y[p / columns];
        slots[2 * count + p].re = d->w[p % columns];
        slots[3 * count + p].re = d->v[p % columns];
    }
    return FHEC_OK;
}

/* ---------------------------------------------------------------- the result */

/* The share of samples whose label is what these weights say. */
static double accuracy(const struct lr *lr, const double *w) {
    size_t right = 0;
    for (size_t r = 0; r < lr->data.rows; r++)
        right +=
            (product(lr->data.x + r * lr->columns, w, lr->columns) > 0) == (lr->data.y[r] > 0.5);
    return (double)right / (double)lr->data.rows;
}

/* slots: v, w, as the machine has them; want: room for as many. */
static fhec_status compare(struct lr *lr, const fh_golden_complex *slots, fh_golden_complex *want,
                           double *w, double *v) {
    size_t count = slot_count(lr), columns = lr->columns;
    memcpy(w, lr->data.w, columns * sizeof *w);
    memcpy(v, lr->data.v, columns * sizeof *v);
    lr->before = accuracy(lr, w);
    fhec_status status = fh_cli_golden_error(
        lr->run.cli, fh_golden_lr_plain(&lr->of, lr->data.rows, lr->data.x, lr->data.y, w, v),
        "floating point");
    if (status != FHEC_OK)
        return status;
    for (size_t p = 0; p < count; p++) {
        want[p].re = v[p % columns];
        want[count + p].re = w[p % columns];
    }
    lr->precision = fh_cli_precision(2 * count, slots, want);
    lr->plain = accuracy(lr, w);
    for (size_t c = 0; c < columns; c++)
        w[c] = slots[count + c].re;
    lr->after = accuracy(lr, w);
    return FHEC_OK;
}

static fhec_status compare_outputs(void *command, const fh_golden_complex *slots) {
    struct lr *lr = command;
    fh_golden_complex *want = calloc(2 * slot_count(lr), sizeof *want);
    double *w = calloc(lr->columns, sizeof *w), *v = calloc(lr->columns, sizeof *v);
    fhec_status status =
        want && w && v ? compare(lr, slots, want, w, v) : fh_cli_no_memory(lr->run.cli);
    free(want);
    free(w);
    free(v);
    return status;
}

static void print_outputs(const void *command) {
    const struct lr *lr = command;
    printf("weights and momentum: precision %.2f bits (largest error), %.2f bits (root of the mean "
           "square)\n",
           lr->precision.max, lr->precision.rms);
    printf("accuracy on the data set: %.2f %% before, %.2f %% after, %.2f %% in floating point\n",
           100 * lr->before, 100 * lr->after, 100 * lr->plain);
}

static json_t *members(const void *command) {
    const struct lr *lr = command;
    return json_pack("{s:{s:f, s:f}, s:{s:f, s:f, s:f}, s:I, s:I, s:I}", "precision_bits", "max",
                     lr->precision.max, "rms", lr->precision.rms, "accuracy", "before", lr->before,
                     "after", lr->after, "floating_point", lr->plain, "samples",
                     (json_int_t)lr->data.rows, "columns", (json_int_t)lr->columns, "iterations",
                     (json_int_t)lr->iterations);
}

fhec_status fh_cli_ckks_lr(struct fh_cli *cli, int argc, char **argv) {
    static const struct fh_cli_circuit_kind kind = {
        .argp = &argp,
        .plan = plan,
        .circuit = make_circuit,
        .inputs = make_inputs,
        .outputs = compare_outputs,
        .print = print_outputs,
        .members = members,
    };
    struct lr lr = {.columns = DEFAULT_COLUMNS, .iterations = 1};
    cli->command = "fhec ckks lr";
    fhec_status status = fh_cli_circuit_main(cli, argc, argv, &lr.run, &kind);
    free(lr.data.x);
    free(lr.data.y);
    free(lr.data.w);
    free(lr.data.v);
    return status;
}

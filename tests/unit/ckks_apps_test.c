/*
 * Applications that bootstrap, executed by the reference alone: a Nesterov iteration and a
 * convolution block decrypt to what plain floating point computes, and a plan that is wrong in one
 * place does not.
 */
#include <math.h>

#include "ckks_apps.h"

#include "ckks_boot_client.h"
#include "golden_util.h"

enum { LOG2_N = 10, SLOTS = 1 << (LOG2_N - 1), COLUMNS = 16, ROWS = SLOTS / COLUMNS };
enum { CHANNELS = 8, WIDTH = 8, HEIGHT = SLOTS / CHANNELS / WIDTH, DEGREE = 27 };

/* In [-1, 1). */
static double unit(uint64_t stream, uint64_t index) {
    return (double)(fh_golden_random_word(5, stream, index) >> 11) * 0x1p-52 - 1;
}

/* A client whose circuit is another one than a bootstrap. */
static fh_boot_client make_client(const fh_golden_ckks_boot_params *params) {
    fh_boot_client client = fh_boot_client_make(params, 3);
    fh_golden_ckks_circuit_free(client.circuit);
    client.circuit = NULL;
    return client;
}

/* The value that the circuit keeps beside its output. */
typedef struct kept {
    size_t value;
    uint64_t *limbs;
} kept;

static fh_golden_status take(void *context, const fh_golden_ckks_circuit *circuit, size_t step,
                             const uint64_t *value) {
    kept *k = context;
    if (step + 1 == k->value) {
        size_t elements = 2 * circuit->steps[step].result_level << LOG2_N;
        memcpy(k->limbs, value, elements * sizeof *value);
    }
    return FH_GOLDEN_OK;
}

static fh_golden_complex *decrypt(const fh_boot_client *client, size_t value,
                                  const uint64_t *limbs) {
    return fh_boot_decrypt(client, client->keys->secret,
                           fh_golden_ckks_circuit_level(client->circuit, value),
                           fh_golden_ckks_circuit_scale(client->circuit, value), limbs);
}

/* ---------------------------------------------------------------- logistic regression */

typedef struct samples {
    double x[SLOTS];
    double y[ROWS];
    double w[COLUMNS];
    double v[COLUMNS];
} samples;

static samples make_samples(void) {
    samples s;
    for (size_t p = 0; p < SLOTS; p++) {
        s.x[p] = p % COLUMNS == COLUMNS - 1 ? 1 : unit(1, p);
    }
    for (size_t r = 0; r < ROWS; r++) {
        s.y[r] = unit(2, r) > 0 ? 1 : 0;
    }
    for (size_t c = 0; c < COLUMNS; c++) {
        s.w[c] = unit(3, c) / 2;
        s.v[c] = unit(4, c) / 2;
    }
    return s;
}

/* The four ciphertexts, one after another. */
static uint64_t *encrypt_samples(const fh_boot_client *client, const samples *s) {
    const fh_golden_ckks_circuit *circuit = client->circuit;
    size_t each = 2 * circuit->input_level << LOG2_N;
    assert_int_equal(fh_golden_ckks_input_elements(circuit, client->ckks), 4 * each);
    uint64_t *all = make_array(4 * each);
    fh_golden_complex slots[SLOTS] = {{0}};
    for (size_t which = 0; which < 4; which++) {
        for (size_t p = 0; p < SLOTS; p++) {
            const double value[] = {s->x[p], s->y[p / COLUMNS], s->w[p % COLUMNS],
                                    s->v[p % COLUMNS]};
            slots[p].re = value[which];
        }
        uint64_t *one =
            fh_boot_encrypt(client, circuit->input_level, circuit->input_scale, slots, which);
        memcpy(all + which * each, one, each * sizeof *one);
        free(one);
    }
    return all;
}

static double farthest(const fh_golden_complex *slots, const double *want, size_t period) {
    double most = 0;
    for (size_t p = 0; p < SLOTS; p++) {
        double off = hypot(slots[p].re - want[p % period], slots[p].im);
        most = off > most || isnan(off) ? off : most;
    }
    return most;
}

/* How far weights and momentum are off. */
typedef struct off {
    double w;
    double v;
} off;

static off train(fh_boot_client *client, const fh_golden_lr *lr) {
    samples s = make_samples();
    const fh_golden_ckks_circuit *circuit = client->circuit;
    uint64_t *input = encrypt_samples(client, &s);
    size_t elements = 2 * circuit->limbs << LOG2_N;
    kept weights = {circuit->kept[0], make_array(elements)};
    uint64_t *output = make_array(elements);
    assert_int_equal(circuit->kept_count, 1);
    require_ok("execute", fh_golden_ckks_execute(circuit, &client->environment, input, take,
                                                 &weights, output));
    fh_golden_complex *w = decrypt(client, weights.value, weights.limbs);
    fh_golden_complex *v = decrypt(client, circuit->output, output);
    require_ok("plain", fh_golden_lr_plain(lr, ROWS, s.x, s.y, s.w, s.v));
    off result = {farthest(w, s.w, COLUMNS), farthest(v, s.v, COLUMNS)};
    free(input);
    free(weights.limbs);
    free(output);
    free(w);
    free(v);
    return result;
}

/* The first step of this kind under this name. */
static fh_golden_ckks_step *find(fh_golden_ckks_circuit *circuit, fh_golden_ckks_kind kind,
                                 const char *name) {
    for (size_t i = 0; i < circuit->step_count; i++) {
        if (circuit->steps[i].kind == kind && strcmp(circuit->steps[i].name, name) == 0) {
            return &circuit->steps[i];
        }
    }
    fail_msg("no %s in %s", fh_golden_ckks_kind_name(kind), name);
    return NULL;
}

static void logistic_regression(void **state) {
    (void)state;
    const fh_golden_ckks_boot_params params = fh_golden_ckks_boot_pairs(LOG2_N);
    const fh_golden_lr lr = {COLUMNS, 1.0 / ROWS, 0.25, 1};
    fh_boot_client client = make_client(&params);
    require_ok("circuit", fh_golden_lr_circuit(&params, client.moduli, &lr, &client.circuit));
    off good = train(&client, &lr);
    print_message("weights 2^%.1f, momentum 2^%.1f\n", log2(good.w), log2(good.v));
    assert_true(good.w < 0x1p-20 && good.v < 0x1p-20);

    /* The sign of the momentum: the weights are right, what moved on is not. */
    fh_golden_ckks_circuit *right = client.circuit;
    fh_golden_lr wrong = lr;
    wrong.momentum = -lr.momentum;
    require_ok("circuit", fh_golden_lr_circuit(&params, client.moduli, &wrong, &client.circuit));
    off momentum = train(&client, &lr);
    assert_true(momentum.w < 0x1p-20 && momentum.v > 0x1p-6);
    fh_golden_ckks_circuit_free(client.circuit);

    /* One of the sums over the rows without its rotation. */
    client.circuit = right;
    find(right, FH_GOLDEN_CKKS_ROTATE, "column sums")->element = 1;
    off rotation = train(&client, &lr);
    assert_true(rotation.w > 0x1p-6 && rotation.v > 0x1p-6);
    fh_boot_client_free(&client);
}

/* ---------------------------------------------------------------- a convolution block */

typedef struct block {
    double weights[CHANNELS * CHANNELS * 9];
    double bias[CHANNELS];
    double image[SLOTS];
    fh_golden_resnet of;
} block;

static void make_block(block *b) {
    for (size_t i = 0; i < COUNT_OF(b->weights); i++) {
        b->weights[i] = 0.07 * unit(6, i);
    }
    for (size_t c = 0; c < CHANNELS; c++) {
        b->bias[c] = 0.1 * unit(7, c);
    }
    for (size_t p = 0; p < SLOTS; p++) {
        b->image[p] = unit(8, p);
    }
    b->of = (fh_golden_resnet){CHANNELS, WIDTH, b->weights, b->bias, DEGREE};
}

/* How far the block is off the same polynomial, and the polynomial off ReLU. */
static double evaluate(fh_boot_client *client, const block *b, double *relu) {
    const fh_golden_ckks_circuit *circuit = client->circuit;
    fh_golden_complex slots[SLOTS] = {{0}};
    double convolved[SLOTS];
    long double coefficients[DEGREE + 1];
    for (size_t p = 0; p < SLOTS; p++) {
        slots[p].re = b->image[p];
    }
    uint64_t *input = fh_boot_encrypt(client, circuit->input_level, circuit->input_scale, slots, 2);
    uint64_t *output = make_array(2 * circuit->limbs << LOG2_N);
    require_ok("execute",
               fh_golden_ckks_execute(circuit, &client->environment, input, NULL, NULL, output));
    fh_golden_complex *got = decrypt(client, circuit->output, output);
    fh_golden_resnet_plain(&b->of, HEIGHT, b->image, convolved);
    fh_golden_resnet_relu(DEGREE, coefficients);
    *relu = 0;
    for (size_t p = 0; p < SLOTS; p++) {
        double x = convolved[p];
        assert_true(fabs(x) < 1);
        convolved[p] = fh_golden_chebyshev_plain(DEGREE, coefficients, x);
        *relu = fmax(*relu, fabs(convolved[p] - fmax(x, 0)));
    }
    double most = farthest(got, convolved, SLOTS);
    free(input);
    free(output);
    free(got);
    return most;
}

static void convolution_block(void **state) {
    (void)state;
    fh_golden_ckks_boot_params params = fh_golden_ckks_boot_pairs(LOG2_N);
    params.levels_left = 8;
    fh_boot_client client = make_client(&params);
    block b;
    double relu;
    make_block(&b);
    require_ok("circuit", fh_golden_resnet_circuit(&params, client.moduli, &b.of, &client.circuit));
    assert_int_equal(client.circuit->limbs, 48);
    double good = evaluate(&client, &b, &relu);
    print_message("block 2^%.1f, ReLU 2^%.1f\n", log2(good), log2(relu));
    assert_true(good < 0x1p-20);
    assert_true(relu > 0x1p-9 && relu < 0x1p-5);

    /* A wrong weight of a pixel; a rotation that is missing. */
    client.circuit->vectors[4][SLOTS / 2 + 3].re += 0x1p-10;
    assert_true(evaluate(&client, &b, &relu) > 0x1p-14);
    client.circuit->vectors[4][SLOTS / 2 + 3].re -= 0x1p-10;
    find(client.circuit, FH_GOLDEN_CKKS_ROTATE, "convolution")->element = 1;
    assert_true(evaluate(&client, &b, &relu) > 0x1p-10);
    fh_boot_client_free(&client);
}

static void refused(void **state) {
    (void)state;
    const fh_golden_ckks_boot_params params = fh_golden_ckks_boot_pairs(LOG2_N);
    fh_golden_ckks_boot_params few = params;
    few.levels_left = 5;
    uint64_t moduli[2 * FH_GOLDEN_MAX_LIMBS];
    require_ok("moduli", fh_golden_ckks_boot_moduli(&params, moduli));
    fh_golden_ckks_circuit *circuit = NULL;
    const struct {
        const char *name;
        fh_golden_lr lr;
    } cases[] = {
        {"columns", {12, 1, 0, 1}},         {"one column", {1, 1, 0, 1}},
        {"one row", {SLOTS, 1, 0, 1}},      {"rate", {COLUMNS, 0, 0, 1}},
        {"momentum", {COLUMNS, 1, NAN, 1}}, {"iterations", {COLUMNS, 1, 0, 0}},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        require_status(cases[i].name, fh_golden_lr_circuit(&params, moduli, &cases[i].lr, &circuit),
                       FH_GOLDEN_ERR_ARGUMENT);
    }
    const fh_golden_lr lr = {COLUMNS, 1, 0, 1};
    require_status("levels", fh_golden_lr_circuit(&few, moduli, &lr, &circuit),
                   FH_GOLDEN_ERR_LEVEL);
    block b;
    make_block(&b);
    require_status("levels", fh_golden_resnet_circuit(&params, moduli, &b.of, &circuit),
                   FH_GOLDEN_ERR_LEVEL);
    fh_golden_resnet wrong = b.of;
    wrong.channels = 6;
    require_status("channels", fh_golden_resnet_circuit(&params, moduli, &wrong, &circuit),
                   FH_GOLDEN_ERR_ARGUMENT);
    wrong = b.of;
    wrong.width = SLOTS / CHANNELS;
    require_status("one row", fh_golden_resnet_circuit(&params, moduli, &wrong, &circuit),
                   FH_GOLDEN_ERR_ARGUMENT);
    wrong = b.of;
    wrong.degree = 128;
    require_status("degree", fh_golden_resnet_circuit(&params, moduli, &wrong, &circuit),
                   FH_GOLDEN_ERR_ARGUMENT);
    assert_null(circuit);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(logistic_regression),
        cmocka_unit_test(convolution_block),
        cmocka_unit_test(refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

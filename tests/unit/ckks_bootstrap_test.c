/*
 * Whole bootstraps: messages come back within the bounds measured for these parameters, every stage
 * holds what plain arithmetic says of it, and broken circuits and keys are noticed by the same
 * bounds. With FHEC_TEST_LONG in the environment up to 2^12 coefficients and five seeds.
 */
#include <math.h>

#include "ckks_boot_client.h"

#include "golden_util.h"
#include "slow_build.h"

/* log2 of the largest error for pairs of 31-bit primes, correction 12, up to 2^12 coefficients: ten
 * times what rounding makes of messages near zero; the others err by the sine, (2 pi)^2 / 6 times
 * 2^-24 in each coordinate, which is 2^-21.3. */
static const double bounds[FH_BOOT_MESSAGES] = {-22, -22, -22, -21, -21, -20.5};

static void require_error(const char *what, unsigned log2_n, uint64_t seed, double got,
                          double bound) {
    if (!(got < bound)) {
        fail_msg("%s, log N %u, seed %llu: error 2^%.2f, at most 2^%.2f is right", what, log2_n,
                 (unsigned long long)seed, got, bound);
    }
}

static void every_message(unsigned log2_n, uint64_t seed, const char *what,
                          const fh_golden_ckks_boot_params *params) {
    fh_boot_client client = fh_boot_client_make(params, seed);
    for (fh_boot_message m = 0; m < FH_BOOT_MESSAGES; m++) {
        fh_boot_error error = fh_boot_run(&client, m, seed + 10 * m, NULL, NULL, NULL);
        require_error(what, log2_n, seed, error.max, bounds[m]);
    }
    fh_boot_client_free(&client);
}

static void messages(void **state) {
    (void)state;
    unsigned last = getenv("FHEC_TEST_LONG") ? 12 : 7;
    uint64_t seeds = getenv("FHEC_TEST_LONG") ? 5 : 1;
    for (unsigned log2_n = 7; log2_n <= last; log2_n++) {
        for (uint64_t seed = 1; seed <= seeds; seed++) {
            fh_golden_ckks_boot_params params = fh_golden_ckks_boot_pairs(log2_n);
            params.hoist = seed % 2 == 0;
            every_message(log2_n, seed, "a message", &params);
        }
    }
}

/* One random message, which must come back within 2^bound. */
static void one_message(const char *what, const fh_golden_ckks_boot_params *params, uint64_t seed,
                        double bound) {
    fh_boot_client client = fh_boot_client_make(params, seed);
    fh_boot_error error = fh_boot_run(&client, FH_BOOT_RANDOM, seed, NULL, NULL, NULL);
    require_error(what, params->log2_n, seed, error.max, bound);
    fh_boot_client_free(&client);
}

/* Other shapes of the same computation. */
static void variants(void **state) {
    (void)state;
    fh_golden_ckks_boot_params params = fh_golden_ckks_boot_pairs(7);
    params.hoist = true;
    one_message("hoisted", &params, 3, -22);

    params = fh_golden_ckks_boot_pairs(7); /* from six levels above the base */
    params.input_level = 14;
    params.input_scale = 0x1.8p60L;
    one_message("from above", &params, 4, -22);

    params = fh_golden_ckks_boot_pairs(7); /* pairs of 29 bits */
    params.scale_bits = 58;
    params.base_bits = 29;
    params.extension_bits = 30;
    one_message("29 bits", &params, 4, -20);

    params = fh_golden_ckks_boot_pairs(7); /* one 60-bit prime a level, delta 2^59 */
    params.per_level = 1;
    params.scale_bits = 59;
    params.base_bits = params.extension_bits = 60;
    params.alpha = 6;
    params.dnum = 11;
    params.correction = 11;
    one_message("60 bits", &params, 5, -20);

    params = fh_golden_ckks_boot_pairs(8); /* no encapsulation: the secret itself is sparse */
    params.weight = 0;
    params.secret_weight = 64;
    params.range = 28;
    params.degree = 59;
    params.double_angles = 3;
    one_message("without encapsulation", &params, 6, -22);

    params = fh_golden_ckks_boot_pairs(6); /* one map and two */
    params.maps_cts = 1;
    params.maps_stc = 2;
    params.levels_left = 9;
    one_message("other maps", &params, 7, -22);

    params = fh_golden_ckks_boot_published(8);
    one_message("published", &params, 7, -10);
}

/* ------------------------------------------------------------------------------ stage by stage */

/* What the steps are compared with. */
typedef struct stages {
    const fh_boot_client *client;
    long double q0;           /* Q0 */
    long double *raised;      /* coefficients after ModRaise */
    const long double *input; /* coefficients before */
    double most_i;            /* largest |I| */
    double most_imaginary;    /* of both halves after CtS: they are real */
    double cts;               /* largest errors */
    double sine;
    size_t seen;
} stages;

static size_t reversed(const stages *s, size_t j) {
    return (size_t)fh_golden_bitrev(j, s->client->params.log2_n - 1);
}

/* t = m + Q0 I, for the input's m. */
static void look_at_raised(stages *s, const uint64_t *value, size_t level) {
    const fh_golden_ckks *ckks = s->client->ckks;
    uint64_t *plain = make_array(level * ckks->n);
    require_ok("decrypt",
               fh_golden_ckks_decrypt(ckks, level, s->client->keys->sparse, value, plain));
    require_ok("lift", fh_golden_ckks_lift(ckks, level, plain, s->raised));
    for (size_t k = 0; k < ckks->n; k++) {
        long double integer = roundl(s->raised[k] / s->q0);
        s->most_i = fmax(s->most_i, (double)fabsl(integer));
        long double off = (s->raised[k] - integer * s->q0 - s->input[k]) / s->q0;
        require_error("m modulo Q0", s->client->params.log2_n, k, log2((double)fabsl(off)), -40);
    }
    free(plain);
}

/* Slots of the two halves after CtS and after EvalMod: t_k / (K Q0) and sin(2 pi t_k / Q0) for
 * k = 0 .. n-1, respectively n .. 2n-1, in bit-reversed order. */
static void look_at_half(stages *s, const uint64_t *value, size_t level, long double scale,
                         bool imaginary, bool after_sine) {
    size_t n = s->client->ckks->n;
    fh_golden_complex *got =
        fh_boot_decrypt(s->client, s->client->keys->secret, level, scale, value);
    for (size_t j = 0; j < n / 2; j++) {
        long double t = s->raised[reversed(s, j) + (imaginary ? n / 2 : 0)] / s->q0;
        long double turns = t - roundl(t);
        long double want = after_sine ? sinl(8 * atanl(1.0L) * turns) : t / s->client->params.range;
        double off = (double)fabsl(got[j].re - want);
        if (after_sine) {
            s->sine = fmax(s->sine, off);
        } else {
            s->cts = fmax(s->cts, off);
            s->most_imaginary = fmax(s->most_imaginary, fabs(got[j].im));
        }
    }
    free(got);
    s->seen++;
}

static fh_golden_status look(void *context, const fh_golden_ckks_circuit *circuit, size_t index,
                             const uint64_t *value) {
    stages *s = context;
    const fh_golden_ckks_step *step = &circuit->steps[index];
    const char *next = index + 1 < circuit->step_count ? circuit->steps[index + 1].name : "";
    bool last = strcmp(step->name, next) != 0;
    bool split = strcmp(step->name, "split") == 0;
    if (step->kind == FH_GOLDEN_CKKS_MOD_RAISE) {
        look_at_raised(s, value, step->result_level);
    } else if (split && (step->kind == FH_GOLDEN_CKKS_ADD || last)) {
        look_at_half(s, value, step->result_level, step->scale, last, false);
    } else if (last && strncmp(step->name, "EvalMod", 7) == 0) {
        look_at_half(s, value, step->result_level, step->scale, strstr(step->name, "im") != NULL,
                     true);
    }
    return FH_GOLDEN_OK;
}

/* One more squaring and a rotation by three slots. */
static void go_on(const fh_boot_client *client, const uint64_t *fresh, uint64_t seed) {
    const fh_golden_ckks *ckks = client->ckks;
    size_t n = ckks->n;
    size_t level = fh_golden_ckks_circuit_level(client->circuit, client->circuit->output);
    long double scale = fh_golden_ckks_circuit_scale(client->circuit, client->circuit->output);
    uint64_t *square = make_array(2 * level * n);
    uint64_t *lower = make_array(2 * level * n);
    uint64_t *turned = make_array(2 * level * n);
    const uint64_t *key = NULL;
    require_ok("key", fh_golden_ckks_boot_key(client->keys, FH_GOLDEN_CKKS_RELIN_KEY, 0, &key));
    require_ok("square", fh_golden_ckks_hemult(ckks, level, fresh, fresh, key, square));
    require_ok("rescale", fh_golden_ckks_rescale_limbs(ckks, level, 2, square, lower));
    require_ok("key", fh_golden_ckks_boot_key(client->keys, FH_GOLDEN_CKKS_GALOIS_KEY, 125, &key));
    require_ok("rotate", fh_golden_ckks_rotate(ckks, level - 2, 3, lower, key, turned));
    scale *= scale / ((long double)ckks->moduli[level - 1] * (long double)ckks->moduli[level - 2]);
    fh_golden_complex *got =
        fh_boot_decrypt(client, client->keys->secret, level - 2, scale, turned);
    fh_golden_complex *message = fh_boot_message_make(n, FH_BOOT_RANDOM, seed);
    fh_golden_complex *want = calloc(n / 2, sizeof *want);
    assert_non_null(want);
    for (size_t j = 0; j < n / 2; j++) {
        fh_golden_complex m = message[(j + 3) % (n / 2)];
        want[j] = (fh_golden_complex){m.re * m.re - m.im * m.im, 2 * m.re * m.im};
    }
    require_error("squared and rotated", client->params.log2_n, seed,
                  fh_boot_difference(n, got, want).max, -20.5);
    free(square);
    free(lower);
    free(turned);
    free(got);
    free(message);
    free(want);
}

static void stage_by_stage(void **state) {
    (void)state;
    const fh_golden_ckks_boot_params params = fh_golden_ckks_boot_pairs(SLOW_BUILD ? 7 : 10);
    const uint64_t seed = 8;
    fh_boot_client client = fh_boot_client_make(&params, seed);
    size_t n = client.ckks->n;
    stages s = {.client = &client,
                .q0 = (long double)client.moduli[0] * (long double)client.moduli[1]};
    s.raised = calloc(2 * n, sizeof *s.raised);
    assert_non_null(s.raised);
    fh_golden_complex *message = fh_boot_message_make(n, FH_BOOT_RANDOM, seed);
    uint64_t *plain = make_array(2 * n);
    require_ok("encode", fh_golden_ckks_encode(client.ckks, 2, (double)client.circuit->input_scale,
                                               message, plain));
    require_ok("lift", fh_golden_ckks_lift(client.ckks, 2, plain, s.raised + n));
    s.input = s.raised + n;
    uint64_t *fresh = NULL;
    fh_boot_error error = fh_boot_run(&client, FH_BOOT_RANDOM, seed, look, &s, &fresh);
    assert_int_equal(s.seen, 4);
    assert_true(s.most_i >= 2 && s.most_i <= 16);
    require_error("CtS", params.log2_n, seed, log2(s.cts), -36);
    require_error("imaginary parts", params.log2_n, seed, log2(s.most_imaginary), -36);
    require_error("EvalMod", params.log2_n, seed, log2(s.sine), -30);
    require_error("random", params.log2_n, seed, error.max, -22);
    go_on(&client, fresh, seed);
    free(fresh);
    free(plain);
    free(message);
    free(s.raised);
    fh_boot_client_free(&client);
}

/* ------------------------------------------------------------------------------- what is noticed
 */

/* The error of a bootstrap whose circuit was changed in place. */
static double broken(fh_boot_client *client) {
    return fh_boot_run(client, FH_BOOT_RANDOM, 9, NULL, NULL, NULL).max;
}

static void wrong_circuits(void **state) {
    (void)state;
    const fh_golden_ckks_boot_params params = fh_golden_ckks_boot_pairs(6);
    fh_boot_client client = fh_boot_client_make(&params, 9);
    fh_golden_ckks_circuit *c = client.circuit;
    assert_true(broken(&client) < bounds[FH_BOOT_RANDOM]);
    for (size_t m = 0; m < c->map_count; m++) { /* a scale off by 2^-20, in each map */
        long double right = c->maps[m].plain_scale;
        c->maps[m].plain_scale = right * (1 + 0x1p-20L);
        assert_true(broken(&client) > bounds[FH_BOOT_RANDOM]);
        c->maps[m].plain_scale = right;
    }
    size_t seen = 0;
    for (size_t i = 0; i < c->step_count; i++) { /* the diagonal beside the right one, once a map */
        fh_golden_ckks_step *step = &c->steps[i];
        if (step->kind == FH_GOLDEN_CKKS_PTMULT && step->map == seen && step->diagonal == 0) {
            step->diagonal = 1;
            assert_true(broken(&client) > bounds[FH_BOOT_RANDOM]);
            step->diagonal = 0;
            seen++;
        }
    }
    assert_int_equal(seen, c->map_count);
    for (size_t i = 0, k = 0; i < c->step_count; i++) { /* a coefficient off by 2^-20 */
        fh_golden_ckks_step *step = &c->steps[i];
        if (step->kind == FH_GOLDEN_CKKS_SCALAR_MULT && step->scalar > (fh_golden_i128)1 << 58 &&
            ++k % 9 == 0) {
            fh_golden_i128 right = step->scalar;
            step->scalar += right / (1 << 20);
            assert_true(broken(&client) > bounds[FH_BOOT_RANDOM]);
            step->scalar = right;
        }
    }
    assert_true(broken(&client) < bounds[FH_BOOT_RANDOM]);
    fh_boot_client_free(&client);
}

/* A circuit for other parameters than its series was made for: double angles left out. */
static size_t one_half(fh_golden_ckks_circuit *c, const fh_golden_ckks_boot_params *params,
                       unsigned angles, size_t value) {
    long double coefficients[128];
    fh_golden_ckks_boot_coefficients(params, coefficients);
    value = fh_golden_ckks_circuit_chebyshev(c, value, params->degree, coefficients);
    for (unsigned r = 0; r < angles; r++) {
        value = fh_golden_ckks_circuit_double_angle(c, value);
    }
    return value;
}

static fh_golden_ckks_circuit *by_hand(const fh_golden_ckks_boot_params *params,
                                       const fh_golden_ckks_circuit *like, unsigned angles) {
    const fh_golden_ckks_circuit_params shape = {
        like->log2_n, like->limbs, like->moduli, 2, like->delta, false, 2, like->input_scale};
    fh_golden_ckks_circuit *c = NULL;
    require_ok("create", fh_golden_ckks_circuit_create(&c, &shape));
    size_t n = (size_t)1 << like->log2_n;
    size_t value = fh_golden_ckks_circuit_raise(c, true, 0);
    fh_golden_ckks_map map;
    for (size_t i = 0; i < params->maps_cts; i++) {
        require_ok("map", fh_golden_ckks_boot_map(params, true, i, &map));
        value = fh_golden_ckks_circuit_linear(c, value, &map);
    }
    size_t level = fh_golden_ckks_circuit_level(c, value);
    size_t conjugate = fh_golden_ckks_circuit_conjugate(c, value);
    size_t re = fh_golden_ckks_circuit_add(c, level, value, conjugate);
    size_t im = fh_golden_ckks_circuit_sub(c, level, value, conjugate);
    im = fh_golden_ckks_circuit_monomial(c, im, 3 * n / 2);
    re = one_half(c, params, angles, re);
    im = fh_golden_ckks_circuit_monomial(c, one_half(c, params, angles, im), n / 2);
    value = fh_golden_ckks_circuit_add(c, fh_golden_ckks_circuit_level(c, re), re, im);
    for (size_t i = 0; i < params->maps_stc; i++) {
        require_ok("map", fh_golden_ckks_boot_map(params, false, i, &map));
        value = fh_golden_ckks_circuit_linear(c, value, &map);
    }
    require_ok("finish", fh_golden_ckks_circuit_finish(c, value));
    return c;
}

static void missing_double_angle(void **state) {
    (void)state;
    const fh_golden_ckks_boot_params params = fh_golden_ckks_boot_pairs(6);
    fh_boot_client client = fh_boot_client_make(&params, 10);
    fh_golden_ckks_circuit *whole = client.circuit;
    client.circuit = by_hand(&params, whole, 2);
    assert_int_equal(client.circuit->step_count, whole->step_count);
    assert_true(broken(&client) < bounds[FH_BOOT_RANDOM]);
    fh_golden_ckks_circuit_free(client.circuit);
    client.circuit = by_hand(&params, whole, 1);
    assert_true(broken(&client) > bounds[FH_BOOT_RANDOM]);
    fh_golden_ckks_circuit_free(client.circuit);
    client.circuit = whole;
    fh_boot_client_free(&client);
}

/* I grows with the secret's weight: with every coefficient of 2^9 nonzero it leaves the range. */
static void denser_secret(void **state) {
    (void)state;
    fh_golden_ckks_boot_params params = fh_golden_ckks_boot_pairs(9);
    params.weight = 512;
    fh_boot_client client = fh_boot_client_make(&params, 11);
    assert_true(broken(&client) > bounds[FH_BOOT_RANDOM]);
    fh_boot_client_free(&client);
}

/* ------------------------------------------------------------------------------------ execution */

/* Stopped at any step, the values that are left are enough to go on elsewhere. */
static void checkpoints(void **state) {
    (void)state;
    fh_golden_ckks_boot_params params = fh_golden_ckks_boot_pairs(5);
    params.hoist = true;
    fh_boot_client client = fh_boot_client_make(&params, 12);
    const fh_golden_ckks_circuit *c = client.circuit;
    uint64_t *input = make_array(2 * 2 * client.ckks->n);
    require_ok("input",
               fh_golden_ckks_generate(client.ckks, FH_GOLDEN_RANDOM, 1, 2, false, 2, input));
    size_t elements = fh_golden_ckks_value_elements(c, client.ckks, c->output);
    uint64_t *want = make_array(elements);
    require_ok("execute", fh_golden_ckks_execute(c, &client.environment, input, NULL, NULL, want));
    fh_golden_ckks_execution now;
    require_ok("begin", fh_golden_ckks_execution_begin(&now, c, &client.environment, input));
    for (size_t step = 0; step < c->step_count; step++) {
        require_ok("step", fh_golden_ckks_execution_step(&now));
        if (step % 97 == 5) {
            fh_golden_ckks_execution later;
            require_ok("begin",
                       fh_golden_ckks_execution_begin(&later, c, &client.environment, input));
            free(later.values[0]);
            for (size_t v = 0; v <= c->step_count; v++) {
                later.values[v] = now.values[v];
                now.values[v] = NULL;
            }
            later.next = now.next;
            fh_golden_ckks_execution_end(&now);
            now = later;
        }
    }
    require_array("after checkpoints", 0, 12, elements, now.values[c->output], want);
    require_status("after the end", fh_golden_ckks_execution_step(&now), FH_GOLDEN_ERR_ARGUMENT);
    for (size_t v = 0; v < c->step_count; v++) {
        assert_true((now.values[v] != NULL) == (v == c->output));
    }
    fh_golden_ckks_execution_end(&now);
    free(input);
    free(want);
    fh_boot_client_free(&client);
}

/* A value that no step reads is there after its step and gone after the next one. */
static void unread_values(void **state) {
    (void)state;
    const fh_golden_ckks_boot_params params = fh_golden_ckks_boot_pairs(5);
    fh_boot_client client = fh_boot_client_make(&params, 14);
    const fh_golden_ckks_circuit_params shape = {
        5, client.ckks->limbs, client.moduli, 2, 0x1p62L, false, 2, 0x1p50L};
    fh_golden_ckks_circuit *c = NULL;
    require_ok("create", fh_golden_ckks_circuit_create(&c, &shape));
    (void)fh_golden_ckks_circuit_add(c, 2, 0, 0);
    require_ok("finish", fh_golden_ckks_circuit_finish(c, fh_golden_ckks_circuit_sub(c, 2, 0, 0)));
    uint64_t *input = make_array(2 * 2 * client.ckks->n);
    fh_golden_ckks_execution now;
    require_ok("begin", fh_golden_ckks_execution_begin(&now, c, &client.environment, input));
    require_ok("first", fh_golden_ckks_execution_step(&now));
    assert_non_null(now.values[1]);
    require_ok("second", fh_golden_ckks_execution_step(&now));
    assert_true(now.values[0] == NULL && now.values[1] == NULL && now.values[2] != NULL);
    fh_golden_ckks_execution_end(&now);
    free(input);
    fh_golden_ckks_circuit_free(c);
    fh_boot_client_free(&client);
}

/* With one place every other key is made again, and the results are the same. */
static void few_places(void **state) {
    (void)state;
    const fh_golden_ckks_boot_params params = fh_golden_ckks_boot_pairs(5);
    fh_boot_client client = fh_boot_client_make(&params, 13);
    uint64_t *input = make_array(2 * 2 * client.ckks->n);
    require_ok("input",
               fh_golden_ckks_generate(client.ckks, FH_GOLDEN_RANDOM, 1, 2, false, 2, input));
    size_t elements =
        fh_golden_ckks_value_elements(client.circuit, client.ckks, client.circuit->output);
    uint64_t *want = make_array(elements);
    uint64_t *got = make_array(elements);
    require_ok("all keys", fh_golden_ckks_execute(client.circuit, &client.environment, input, NULL,
                                                  NULL, want));
    uint64_t made = client.keys->made;
    fh_golden_ckks_boot_keys_free(client.keys);
    require_ok("keys", fh_golden_ckks_boot_keys_create(&client.keys, &params, client.ckks,
                                                       client.base, 13, 1));
    client.environment.context = client.keys;
    require_ok("one place",
               fh_golden_ckks_execute(client.circuit, &client.environment, input, NULL, NULL, got));
    require_array("one place", 0, 13, elements, got, want);
    assert_true(client.keys->made > made);
    free(input);
    free(want);
    free(got);
    fh_boot_client_free(&client);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(messages),
        cmocka_unit_test(variants),
        cmocka_unit_test(stage_by_stage),
        cmocka_unit_test(wrong_circuits),
        cmocka_unit_test(missing_double_angle),
        cmocka_unit_test(denser_secret),
        cmocka_unit_test(checkpoints),
        cmocka_unit_test(few_places),
        cmocka_unit_test(unread_values),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

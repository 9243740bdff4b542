/*
 * Chebyshev series: coefficients against Bessel functions, depths, and series executed on
 * ciphertexts against Clenshaw's sum in long double.
 */
#include <math.h>

#include "ckks_boot_client.h"

#include "golden_util.h"

/* cos(z x - phi) = cos(phi) (J_0 + 2 sum (-1)^k J_2k T_2k) + sin(phi) (2 sum (-1)^k J_2k+1 T_2k+1)
 * with z = 2 pi K / 2^r, phi = pi / 2 / 2^r (Jacobi and Anger). */
static void bessel_coefficients(void **state) {
    (void)state;
    static const struct {
        unsigned range;
        unsigned angles;
        size_t degree;
    } cases[] = {{16, 2, 63}, {12, 3, 31}, {28, 3, 59}, {512, 6, 95}};
    const double pi = 3.14159265358979323846;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        fh_golden_ckks_boot_params params = fh_golden_ckks_boot_pairs(10);
        params.range = cases[i].range;
        params.double_angles = cases[i].angles;
        params.degree = cases[i].degree;
        long double c[128];
        fh_golden_ckks_boot_coefficients(&params, c);
        double z = ldexp(2 * pi * cases[i].range, -(int)cases[i].angles);
        double phi = ldexp(pi / 2, -(int)cases[i].angles);
        /* Of the neglected terms only those near the degree alias; these are below 2^-40. */
        for (size_t j = 0; j + 20 <= cases[i].degree; j++) {
            double want = (j == 0 ? 1 : 2) * (j % 2 == 0 ? cos(phi) : sin(phi)) *
                          (j / 2 % 2 == 0 ? 1 : -1) * jn((int)j, z);
            if (!(fabs((double)c[j] - want) < 0x1p-28)) {
                fail_msg("K %u, r %u: c_%zu is %Lg, should be %g", cases[i].range, cases[i].angles,
                         j, c[j], want);
            }
        }
    }
}

/* Values computed elsewhere, and the series itself: doubled twice it is the sine. */
static void recommended_coefficients(void **state) {
    (void)state;
    static const long double want[] = {0.103444790625468661L, -0.0848653509635284858L,
                                       0.223193658821082356L, -0.0701515018568140394L};
    const fh_golden_ckks_boot_params params = fh_golden_ckks_boot_pairs(10);
    long double c[64];
    fh_golden_ckks_boot_coefficients(&params, c);
    for (size_t j = 0; j < COUNT_OF(want); j++) {
        assert_true(fabsl(c[j] - want[j]) < 1e-17L);
    }
    assert_true(fabsl(c[63]) < 1e-18L);
    for (int k = -160; k <= 160; k++) {
        long double x = (long double)k / 160.5L;
        long double next = 0;
        long double last = 0;
        for (size_t j = 63; j >= 1; j--) {
            long double now = 2 * x * next - last + c[j];
            last = next;
            next = now;
        }
        long double y = x * next - last + c[0];
        y = 2 * y * y - 1;
        y = 2 * y * y - 1;
        assert_true(fabsl(y - sinl(2 * 3.14159265358979323846264L * 16 * x)) < 0x1p-52L);
    }
}

static long double fifth(const void *context, long double x) {
    (void)context;
    return 16 * x * x * x * x * x - 20 * x * x * x + 5 * x + 0.5L; /* T_5 + 1/2 */
}

static void interpolated_polynomial(void **state) {
    (void)state;
    for (size_t degree = 5; degree < 20; degree++) {
        long double c[20];
        fh_golden_chebyshev_coefficients(fifth, NULL, degree, c);
        for (size_t j = 0; j <= degree; j++) {
            long double want = j == 5 ? 1 : j == 0 ? 0.5L : 0;
            assert_true(fabsl(c[j] - want) < 1e-17L);
        }
    }
}

/* By hand: the products on the longest path from T_1. */
static void depths(void **state) {
    (void)state;
    static const size_t want[][2] = {{0, 0},  {1, 1},  {2, 2},  {3, 3},  {4, 3},  {5, 4},
                                     {7, 4},  {8, 4},  {11, 4}, {12, 4}, {15, 5}, {16, 5},
                                     {31, 6}, {39, 6}, {44, 6}, {55, 6}, {59, 6}, {63, 7},
                                     {88, 7}, {95, 7}, {127, 8}};
    for (size_t i = 0; i < COUNT_OF(want); i++) {
        if (fh_golden_chebyshev_depth(want[i][0]) != want[i][1]) {
            fail_msg("degree %zu: depth %zu, should be %zu", want[i][0],
                     fh_golden_chebyshev_depth(want[i][0]), want[i][1]);
        }
    }
}

static long double clenshaw(size_t degree, const long double *c, long double x) {
    long double next = 0;
    long double last = 0;
    for (size_t j = degree; j >= 1; j--) {
        long double now = 2 * x * next - last + c[j];
        last = next;
        next = now;
    }
    return x * next - last + c[0];
}

/* Real slots in [-1, 1], the ends among them. */
static fh_golden_complex *arguments(size_t n) {
    fh_golden_complex *message = fh_boot_message_make(n, FH_BOOT_RANDOM, 4);
    for (size_t j = 0; j < n / 2; j++) {
        message[j].im = 0;
    }
    message[0].re = 1;
    message[1].re = -1;
    message[2].re = 0;
    return message;
}

static void execute_series(const fh_boot_client *client, size_t degree, bool doubled) {
    const fh_golden_ckks *ckks = client->ckks;
    size_t n = ckks->n;
    long double c[128];
    for (size_t j = 0; j <= degree; j++) { /* asymmetric, sum of sizes about 1 */
        c[j] = ((long double)fh_golden_random_word(degree, 5, j) * 0x1p-63L - 1) /
               ((long double)degree + 1);
    }
    fh_golden_ckks_circuit_params shape = {
        client->params.log2_n, ckks->limbs, ckks->moduli, 2, 0x1p62L, false,
        ckks->limbs,           0x1.ffp61L};
    fh_golden_ckks_circuit *circuit = NULL;
    require_ok("create", fh_golden_ckks_circuit_create(&circuit, &shape));
    size_t value = fh_golden_ckks_circuit_chebyshev(circuit, 0, degree, c);
    assert_true(fh_golden_ckks_circuit_scale(circuit, value) == 0x1p62L ||
                fabsl(fh_golden_ckks_circuit_scale(circuit, value) / 0x1p62L - 1) < 0x1p-58L);
    value = doubled ? fh_golden_ckks_circuit_double_angle(circuit, value) : value;
    require_ok("finish", fh_golden_ckks_circuit_finish(circuit, value));
    size_t level = fh_golden_ckks_circuit_level(circuit, value);
    assert_int_equal(level,
                     ckks->limbs - 2 * (fh_golden_chebyshev_depth(degree) + (doubled ? 1 : 0)));
    fh_golden_complex *message = arguments(n);
    uint64_t *in = fh_boot_encrypt(client, ckks->limbs, shape.input_scale, message, 5);
    uint64_t *out = make_array(2 * level * n);
    require_ok("execute",
               fh_golden_ckks_execute(circuit, &client->environment, in, NULL, NULL, out));
    fh_golden_complex *got = fh_boot_decrypt(client, client->keys->secret, level,
                                             fh_golden_ckks_circuit_scale(circuit, value), out);
    for (size_t j = 0; j < n / 2; j++) {
        long double y = clenshaw(degree, c, message[j].re);
        message[j].re = (double)(doubled ? 2 * y * y - 1 : y);
    }
    double error = fh_boot_difference(n, got, message).max;
    if (!(error < -36)) {
        fail_msg("degree %zu: error 2^%.2f", degree, error);
    }
    free(got);
    free(in);
    free(out);
    free(message);
    fh_golden_ckks_circuit_free(circuit);
}

static void executed_series(void **state) {
    (void)state;
    fh_golden_ckks_boot_params params = fh_golden_ckks_boot_pairs(5);
    params.levels_left = 0; /* 2 (1 + 3 + 2 + 8 + 1) limbs */
    params.degree = 127;
    params.maps_cts = 1;
    params.alpha = 10;
    params.dnum = 3;
    fh_boot_client client = fh_boot_client_make(&params, 15);
    assert_int_equal(client.ckks->limbs, 30);
    for (size_t degree = 1; degree <= 18; degree++) {
        execute_series(&client, degree, degree % 3 == 0);
    }
    static const size_t more[] = {24, 31, 32, 44, 55, 63, 64, 88, 127};
    for (size_t i = 0; i < COUNT_OF(more); i++) {
        execute_series(&client, more[i], i % 3 == 0);
    }
    fh_boot_client_free(&client);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bessel_coefficients),     cmocka_unit_test(recommended_coefficients),
        cmocka_unit_test(interpolated_polynomial), cmocka_unit_test(depths),
        cmocka_unit_test(executed_series),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/*
 * Values of FHEC and FHEC.MIX of every engine and SIMD level against golden: hostile operands and
 * moduli, wrong mu.
 */
#include "fhec_tile.h"

#include <fenv.h>

static void random_operands(uint64_t seed, bool mixed, uint32_t wrong_in, uint64_t iterations) {
    struct random r = {seed, 0};
    struct bench *bench = bench_new();
    struct tile t;
    scramble(bench, &r);
    for (uint64_t i = 0; i < iterations; i++) {
        random_tile(&r, &t, mixed, wrong_in);
        compute_want(&t, mixed);
        compare_all(bench, &t, mixed, &r, i, 10);
    }
    free(bench);
}

static void uniform_exact(void **state) {
    (void)state;
    random_operands(1, false, 0, 12000);
}

static void mix_exact(void **state) {
    (void)state;
    random_operands(2, true, 0, 12000);
}

/* The application may have changed how its floating point rounds. */
static void host_rounding(void **state) {
    (void)state;
    static const int modes[] = {FE_DOWNWARD, FE_UPWARD, FE_TOWARDZERO};
    for (size_t i = 0; i < 2 * COUNT_OF(modes); i++) {
        assert_int_equal(fesetround(modes[i / 2]), 0);
        random_operands(40 + i, i % 2, 0, 1000);
    }
}

static int round_to_nearest(void **state) {
    (void)state;
    return fesetround(FE_TONEAREST);
}

static void uniform_wrong_mu(void **state) {
    (void)state;
    random_operands(3, false, 1, 6000);
}

static void mix_wrong_mu(void **state) {
    (void)state;
    random_operands(4, true, 1, 3000);
}

/* About one column of eight is wrong, the others must not suffer. */
static void mix_one_wrong_column(void **state) {
    (void)state;
    random_operands(5, true, 8, 6000);
}

/* With the right mu the steps are the plain residue. */
static void steps_are_the_residue(void **state) {
    (void)state;
    struct random r = {6, 0};
    struct tile t;
    for (uint64_t i = 0; i < 3000; i++) {
        uint32_t plain[ROWS][COLUMNS];
        random_tile(&r, &t, true, 0);
        compute_want(&t, true);
        assert_int_equal(fh_golden_fhec_plain((fh_golden_shape){ROWS, COLUMNS, DEPTH}, true,
                                              t.modulus, t.a[0], t.b[0], t.c[0], plain[0]),
                         FH_GOLDEN_OK);
        assert_memory_equal(plain, t.want, sizeof plain);
    }
}

/* Cases on which a quotient with fewer bits is wrong by a multiple of q, and the 33 bits of r with
 * a wrong mu: each as the only nonzero term of its element, at every k. */
static void known_values(void **state) {
    (void)state;
    static const struct {
        uint32_t q, r, a, b, want;
        bool mu_is_zero;
    } cases[] = {
        {268042241, 244016481, 1736807810, 263579949, 251501210, false},
        {1071513601, 708410215, 2115111059, 955060853, 13648835, false},
        {537133057, 3004967156U, 4294967279U, 4294967143U, 173283499, false},
        {1073479681, 1073479680, 1073479680, 1073479680, 1073479680, true},
    };
    struct bench *bench = bench_new();
    struct random r = {0, 0};
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        for (uint32_t k = 0; k < DEPTH; k++) {
            if (cases[i].mu_is_zero && k != DEPTH - 1)
                continue; /* further steps would subtract again */
            struct tile t = {0};
            for (uint32_t m = 0; m < ROWS; m++) {
                t.a[m][k] = cases[i].a;
                for (uint32_t n = 0; n < COLUMNS; n++) {
                    t.b[k][n] = cases[i].b;
                    t.c[m][n] = cases[i].r;
                    t.want[m][n] = cases[i].want;
                }
            }
            for (uint32_t n = 0; n < COLUMNS; n++) {
                uint64_t mu = cases[i].mu_is_zero ? 0 : fh_golden_barrett_mu(cases[i].q);
                t.modulus[n] = (fh_golden_modulus){cases[i].q, mu};
            }
            if (cases[i].mu_is_zero) /* the steps before it: C alone, which is below q */
                compute_want(&t, false);
            assert_int_equal(t.want[3][5], cases[i].want);
            compare_all(bench, &t, false, &r, k, 1);
            compare_all(bench, &t, true, &r, k, 1);
        }
    }
    free(bench);
}

/* The moduli around the limits of the methods, eight in a tile, with the largest operands of each
 * method: where quotients are estimated worst. */
static void moduli_at_the_limits(void **state) {
    (void)state;
    static const uint64_t limits[] = {1 << 18, 1 << 20, UINT64_C(1) << 31, UINT64_C(1) << 32};
    static const uint32_t largest[] = {0x3fffffff, 0x7fffffff, UINT32_MAX};
    struct random r = {13, 0};
    struct bench *bench = bench_new();
    struct tile t;
    for (uint64_t i = 0; i < COUNT_OF(limits) * COUNT_OF(largest) * 200; i++) {
        uint64_t limit = limits[i % COUNT_OF(limits)], step = i / COUNT_OF(limits);
        uint32_t top = largest[step % COUNT_OF(largest)];
        uint64_t lowest = limit - 800 + 8 * (step / COUNT_OF(largest));
        for (uint32_t n = 0; n < COLUMNS; n++) {
            uint32_t q = (uint32_t)(lowest + n <= UINT32_MAX ? lowest + n : limit - 1 - n);
            t.modulus[n] = (fh_golden_modulus){q, fh_golden_barrett_mu(q)};
            for (uint32_t k = 0; k < DEPTH; k++)
                t.b[k][n] = top - (below(&r, 8) == 0);
        }
        for (uint32_t m = 0; m < ROWS; m++) {
            for (uint32_t k = 0; k < DEPTH; k++)
                t.a[m][k] = top - (below(&r, 8) == 0);
            for (uint32_t n = 0; n < COLUMNS; n++)
                t.c[m][n] = below(&r, 4) ? random32(&r) : UINT32_MAX;
        }
        compute_want(&t, true);
        compare_all(bench, &t, true, &r, i, 50);
        compute_want(&t, false);
        compare_all(bench, &t, false, &r, i, 50);
    }
    free(bench);
}

static void exact_moduli(void **state) {
    (void)state;
    struct random r = {12, 0};
    for (size_t i = 0; i < 20000; i++) {
        uint32_t q = i < COUNT_OF(special_q) ? special_q[i] : random_q(&r);
        uint64_t mu = fh_golden_barrett_mu(q);
        assert_true(fh_modulus_exact((struct fh_modulus){q, mu}));
        assert_false(fh_modulus_exact((struct fh_modulus){q, mu + 1}));
        assert_false(fh_modulus_exact((struct fh_modulus){q, mu - 1}));
        assert_false(fh_modulus_exact((struct fh_modulus){q, mu + (UINT64_C(1) << 32)}));
        assert_false(fh_modulus_exact((struct fh_modulus){q, 0}));
        uint64_t low = right_in_the_low_half(&r, q);
        assert_true(fh_modulus_exact((struct fh_modulus){q, low}) == (low == mu));
        assert_false(fh_modulus_exact((struct fh_modulus){q, q == 2 ? 0 : UINT64_C(1) << 63}));
    }
    assert_false(fh_modulus_exact((struct fh_modulus){0, 0}));
    assert_false(fh_modulus_exact((struct fh_modulus){0, UINT64_MAX}));
    assert_false(fh_modulus_exact((struct fh_modulus){1, 0}));
    assert_false(fh_modulus_exact((struct fh_modulus){1, UINT64_MAX}));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(exact_moduli),
        cmocka_unit_test(steps_are_the_residue),
        cmocka_unit_test(known_values),
        cmocka_unit_test(uniform_exact),
        cmocka_unit_test(mix_exact),
        cmocka_unit_test_teardown(host_rounding, round_to_nearest),
        cmocka_unit_test(uniform_wrong_mu),
        cmocka_unit_test(mix_wrong_mu),
        cmocka_unit_test(mix_one_wrong_column),
        cmocka_unit_test(moduli_at_the_limits),
    };
    return cmocka_run_group_tests_name("FHEC", tests, NULL, NULL);
}

/*
 * Element-wise operations and automorphisms: evaluations are checked against coefficients.
 */
#include "golden_util.h"

static void small_moduli_exhaustively(void **state) {
    (void)state;
    for (uint64_t q = 2; q < 14; q++) {
        for (uint64_t a = 0; a < 2 * q; a++) {
            for (uint64_t b = 0; b < 2 * q; b++) {
                uint64_t c = (a * 5 + b * 3) % (2 * q);
                uint64_t out = 0;
                require_ok("add", fh_golden_add(1, q, &a, &b, &out));
                require_u64("add", q, a * 100 + b, out, (a + b) % q);
                require_ok("sub", fh_golden_sub(1, q, &a, &b, &out));
                require_u64("sub", q, a * 100 + b, out, (a + 2 * q - b) % q);
                require_ok("mul", fh_golden_mul(1, q, &a, &b, &out));
                require_u64("mul", q, a * 100 + b, out, a * b % q);
                require_ok("mac", fh_golden_mac(1, q, &a, &b, &c, &out));
                require_u64("mac", q, a * 100 + b, out, (a * b + c) % q);
                require_ok("add scalar", fh_golden_add_scalar(1, q, &a, b, &out));
                require_u64("add scalar", q, a * 100 + b, out, (a + b) % q);
                require_ok("mul scalar", fh_golden_mul_scalar(1, q, &a, b, &out));
                require_u64("mul scalar", q, a * 100 + b, out, a * b % q);
            }
        }
    }
}

/* 2^64 - 1 = 7 mod 2^61 - 1 (8 * (2^61 - 1) = 2^64 - 8), by hand. */
static void widest_operands(void **state) {
    (void)state;
    const uint64_t q = (1ULL << 61) - 1;
    const uint64_t max = UINT64_MAX;
    uint64_t out = 0;
    require_ok("add", fh_golden_add(1, q, &max, &max, &out));
    assert_int_equal(out, 14);
    require_ok("sub", fh_golden_sub(1, q, &max, &max, &out));
    assert_int_equal(out, 0);
    require_ok("mul", fh_golden_mul(1, q, &max, &max, &out));
    assert_int_equal(out, 49);
    require_ok("mac", fh_golden_mac(1, q, &max, &max, &max, &out));
    assert_int_equal(out, 56);
    require_ok("add scalar", fh_golden_add_scalar(1, q, &max, max, &out));
    assert_int_equal(out, 14);
    require_ok("mul scalar", fh_golden_mul_scalar(1, q, &max, max, &out));
    assert_int_equal(out, 49);
}

static void in_place(void **state) {
    (void)state;
    uint64_t a[] = {1, 2, 3};
    static const uint64_t b[] = {10, 20, 30};
    static const uint64_t want[] = {11, 42, 93};
    require_ok("mac", fh_golden_mac(3, 101, a, b, a, a));
    require_array("mac in place", 101, 0, 3, a, want);
    require_ok("empty", fh_golden_add(0, 101, NULL, NULL, NULL));
}

static void moduli(void **state) {
    (void)state;
    static const uint64_t bad[] = {0, 1, 1ULL << 61, UINT64_MAX};
    const uint64_t a = 1;
    uint64_t out = 0;
    for (size_t i = 0; i < COUNT_OF(bad); i++) {
        uint64_t q = bad[i];
        require_status("add", fh_golden_add(1, q, &a, &a, &out), FH_GOLDEN_ERR_MODULUS);
        require_status("sub", fh_golden_sub(1, q, &a, &a, &out), FH_GOLDEN_ERR_MODULUS);
        require_status("mul", fh_golden_mul(1, q, &a, &a, &out), FH_GOLDEN_ERR_MODULUS);
        require_status("mac", fh_golden_mac(1, q, &a, &a, &a, &out), FH_GOLDEN_ERR_MODULUS);
        require_status("adds", fh_golden_add_scalar(1, q, &a, 1, &out), FH_GOLDEN_ERR_MODULUS);
        require_status("muls", fh_golden_mul_scalar(1, q, &a, 1, &out), FH_GOLDEN_ERR_MODULUS);
    }
}

/* N = 4: X -> X^3 sends 1 + 2X + 3X^2 + 4X^3 to 1 + 2X^3 + 3X^6 + 4X^9 = 1 + 4X - 3X^2 + 2X^3, and
 * evaluation x moves to pi(x) = ((3 (2x + 1) mod 8) - 1) / 2 = 1, 0, 3, 2. */
static void automorphism_by_hand(void **state) {
    (void)state;
    static const uint64_t a[] = {1, 2, 3, 4};
    static const uint64_t want[] = {1, 4, 14, 2};
    static const uint64_t natural[] = {20, 10, 40, 30};
    static const uint64_t in[] = {10, 20, 30, 40};
    uint64_t out[4];
    require_ok("coefficients", fh_golden_automorphism_coeff(4, 17, 3, a, out));
    require_array("coefficients", 17, 0, 4, out, want);
    static const uint64_t zero[] = {0, 0, 0, 17}; /* -0 is 0, not q */
    static const uint64_t none[4] = {0};
    require_ok("zero", fh_golden_automorphism_coeff(4, 17, 7, zero, out));
    require_array("zero", 17, 0, 4, out, none);
    require_ok("evaluations", fh_golden_automorphism_eval(4, 3, FH_GOLDEN_NATURAL, in, out));
    require_array("evaluations", 17, 0, 4, out, natural);
    require_ok("identity", fh_golden_automorphism_eval(4, 9, FH_GOLDEN_BITREV, in, out));
    require_array("identity", 17, 0, 4, out, in);
    uint64_t g = 0;
    require_ok("5^3 mod 16", fh_golden_galois_element(8, 3, &g));
    assert_int_equal(g, 13);
    require_ok("5^0", fh_golden_galois_element(8, 0, &g));
    assert_int_equal(g, 1);
}

/* NTT(a(X^g)) = permuted NTT(a), for rotations, conjugation and others, in both orders. */
static void evaluations_against_coefficients(void **state) {
    (void)state;
    enum { N = 64 };
    uint64_t q = chain_prime(N, 30, 0);
    fh_golden_ntt_params params = make_params(FH_GOLDEN_NEGACYCLIC, N, q);
    fh_golden_ntt_plan *plan = NULL;
    require_ok("plan", fh_golden_ntt_plan_create(&plan, &params));
    uint64_t a[N];
    uint64_t image[N];
    uint64_t want[N];
    uint64_t got[N];
    for (uint64_t g = 1; g < (uint64_t)4 * N; g += 2) { /* unreduced elements too */
        fh_golden_order order = g % 4 == 1 ? FH_GOLDEN_BITREV : FH_GOLDEN_NATURAL;
        order = g > (uint64_t)2 * N ? (fh_golden_order)(1 - (unsigned)order) : order;
        require_ok("a", fh_golden_generate(FH_GOLDEN_RANDOM, g, 0, q, N, a));
        require_ok("image", fh_golden_automorphism_coeff(N, q, g, a, image));
        fh_golden_ntt_forward(plan, order, image, want);
        fh_golden_ntt_forward(plan, order, a, a);
        require_ok("evaluations", fh_golden_automorphism_eval(N, g, order, a, got));
        require_array("automorphism", q, g, N, got, want);
    }
    fh_golden_ntt_plan_free(plan);
}

static void automorphism_errors(void **state) {
    (void)state;
    uint64_t in[4] = {0};
    uint64_t out[4];
    uint64_t g = 0;
    require_status("n", fh_golden_galois_element(3, 1, &g), FH_GOLDEN_ERR_SIZE);
    require_status("n", fh_golden_automorphism_eval(3, 5, FH_GOLDEN_BITREV, in, out),
                   FH_GOLDEN_ERR_SIZE);
    require_status("even", fh_golden_automorphism_eval(4, 2, FH_GOLDEN_BITREV, in, out),
                   FH_GOLDEN_ERR_ARGUMENT);
    require_status("n", fh_golden_automorphism_coeff(3, 17, 5, in, out), FH_GOLDEN_ERR_SIZE);
    require_status("even", fh_golden_automorphism_coeff(4, 17, 4, in, out), FH_GOLDEN_ERR_ARGUMENT);
    require_status("q", fh_golden_automorphism_coeff(4, 1, 3, in, out), FH_GOLDEN_ERR_MODULUS);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(small_moduli_exhaustively),
        cmocka_unit_test(widest_operands),
        cmocka_unit_test(in_place),
        cmocka_unit_test(moduli),
        cmocka_unit_test(automorphism_by_hand),
        cmocka_unit_test(evaluations_against_coefficients),
        cmocka_unit_test(automorphism_errors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/*
 * Transforms: the definition against values worked out by hand and against the convolution theorem,
 * the fast one against the definition.
 */
#include "golden_util.h"

static const fh_golden_ring rings[] = {FH_GOLDEN_NEGACYCLIC, FH_GOLDEN_CYCLIC};
static const fh_golden_order orders[] = {FH_GOLDEN_BITREV, FH_GOLDEN_NATURAL};

/* N = 4, q = 17, psi = 2 (2^4 = -1), a = 1 + 2X + 3X^2 + 4X^3, evaluated by hand at the odd powers
 * 2, 8, 15, 9 and at the powers 1, 4, 16, 13 of omega = 4. */
static void by_hand(void **state) {
    (void)state;
    static const uint64_t a[] = {1, 2, 3, 4};
    static const uint64_t want[2][2][4] = {
        {{15, 11, 13, 16}, {15, 13, 11, 16}},
        {{10, 15, 7, 6}, {10, 7, 15, 6}},
    };
    for (size_t r = 0; r < 2; r++) {
        for (size_t o = 0; o < 2; o++) {
            fh_golden_ntt_params params = {rings[r], 4, 17, 2};
            uint64_t out[4];
            uint64_t back[4];
            require_ok("schoolbook", fh_golden_ntt_schoolbook(&params, orders[o], a, out));
            require_array("schoolbook by hand", 17, 0, 4, out, want[r][o]);
            require_ok("inverse", fh_golden_intt_schoolbook(&params, orders[o], out, back));
            require_array("schoolbook inverse by hand", 17, 0, 4, back, a);
            fh_golden_ntt_plan *plan = NULL;
            require_ok("plan", fh_golden_ntt_plan_create(&plan, &params));
            fh_golden_ntt_forward(plan, orders[o], a, out);
            require_array("fast by hand", 17, 0, 4, out, want[r][o]);
            fh_golden_ntt_inverse(plan, orders[o], out, back);
            require_array("fast inverse by hand", 17, 0, 4, back, a);
            fh_golden_ntt_plan_free(plan);
        }
    }
    /* N = 2, q = 5, psi = 2: 3 + 4X at 2 and 8. */
    fh_golden_ntt_params params = {FH_GOLDEN_NEGACYCLIC, 2, 5, 2};
    static const uint64_t b[] = {3, 4};
    static const uint64_t want_b[] = {1, 0};
    uint64_t out[2];
    require_ok("N = 2", fh_golden_ntt_schoolbook(&params, FH_GOLDEN_BITREV, b, out));
    require_array("N = 2", 5, 0, 2, out, want_b);
}

/* One modulus and size: all rings, orders and input patterns, forward and inverse. */
static void fast_is_schoolbook(size_t n, uint64_t q, uint64_t seed) {
    uint64_t *in = make_array(n);
    uint64_t *slow = make_array(n);
    uint64_t *fast = make_array(n);
    for (size_t r = 0; r < 2; r++) {
        fh_golden_ntt_params params = make_params(rings[r], n, q);
        fh_golden_ntt_plan *plan = NULL;
        require_ok("plan", fh_golden_ntt_plan_create(&plan, &params));
        for (unsigned pattern = 0; pattern < FH_GOLDEN_PATTERN_COUNT; pattern++) {
            fh_golden_order order = orders[(pattern + r) % 2];
            require_ok("generate",
                       fh_golden_generate((fh_golden_pattern)pattern, seed + pattern, 0, q, n, in));
            require_ok("slow", fh_golden_ntt_schoolbook(&params, order, in, slow));
            fh_golden_ntt_forward(plan, order, in, fast);
            require_array("forward", q, seed + pattern, n, fast, slow);
            fh_golden_ntt_inverse(plan, order, fast, fast);
            require_array("round trip in place", q, seed + pattern, n, fast, in);
            require_ok("slow inverse", fh_golden_intt_schoolbook(&params, order, in, slow));
            fh_golden_ntt_inverse(plan, order, in, fast);
            require_array("inverse", q, seed + pattern, n, fast, slow);
        }
        fh_golden_ntt_plan_free(plan);
    }
    free(in);
    free(slow);
    free(fast);
}

static void fast_against_schoolbook(void **state) {
    (void)state;
    static const unsigned bits[] = {13, 28, 30, 31, 32, 45, 60, 61};
    for (size_t n = 2; n <= 256; n *= 2) {
        for (size_t i = 0; i < COUNT_OF(bits); i++) {
            fast_is_schoolbook(n, chain_prime(n, bits[i], i % 2), 100 * n + i);
        }
    }
    fast_is_schoolbook(1024, chain_prime(1024, 30, 0), 5);
}

/* The smallest possible modulus, q = 2N + 1, and a root that is not the smallest. */
static void unusual_moduli_and_roots(void **state) {
    (void)state;
    fast_is_schoolbook(2, 5, 1);
    fast_is_schoolbook(8, 17, 1);
    fast_is_schoolbook(128, 257, 1);
    enum { N = 64 };
    uint64_t q = chain_prime(N, 30, 0);
    fh_golden_ntt_params params = make_params(FH_GOLDEN_NEGACYCLIC, N, q);
    params.psi = fh_golden_powmod(params.psi, 77, q);
    uint64_t in[N];
    uint64_t slow[N];
    uint64_t fast[N];
    require_ok("generate", fh_golden_generate(FH_GOLDEN_RANDOM, 9, 0, q, N, in));
    require_ok("slow", fh_golden_ntt_schoolbook(&params, FH_GOLDEN_BITREV, in, slow));
    fh_golden_ntt_plan *plan = NULL;
    require_ok("plan", fh_golden_ntt_plan_create(&plan, &params));
    fh_golden_ntt_forward(plan, FH_GOLDEN_BITREV, in, fast);
    require_array("other root", q, 9, N, fast, slow);
    fh_golden_ntt_plan_free(plan);
}

/* Unreduced inputs count as their residues. */
static void unreduced_inputs(void **state) {
    (void)state;
    enum { N = 32 };
    static const unsigned bits[] = {30, 61};
    for (size_t b = 0; b < COUNT_OF(bits); b++) {
        uint64_t q = chain_prime(N, bits[b], 0);
        fh_golden_ntt_params params = make_params(FH_GOLDEN_NEGACYCLIC, N, q);
        uint64_t in[N];
        uint64_t slow[N];
        uint64_t fast[N];
        for (size_t i = 0; i < N; i++) {
            in[i] = i % 3 == 0 ? UINT64_MAX - i : fh_golden_random_word(4, 0, i);
        }
        fh_golden_ntt_plan *plan = NULL;
        require_ok("plan", fh_golden_ntt_plan_create(&plan, &params));
        require_ok("slow", fh_golden_ntt_schoolbook(&params, FH_GOLDEN_BITREV, in, slow));
        fh_golden_ntt_forward(plan, FH_GOLDEN_BITREV, in, fast);
        require_array("unreduced forward", q, 4, N, fast, slow);
        require_ok("slow", fh_golden_intt_schoolbook(&params, FH_GOLDEN_BITREV, in, slow));
        fh_golden_ntt_inverse(plan, FH_GOLDEN_BITREV, in, fast);
        require_array("unreduced inverse", q, 4, N, fast, slow);
        fh_golden_ntt_plan_free(plan);
    }
}

/* (1 + X) (2 + 3X) modulo X^2 + 1 and X^2 - 1. */
static void products_by_hand(void **state) {
    (void)state;
    static const uint64_t a[] = {1, 1};
    static const uint64_t b[] = {2, 3};
    static const uint64_t negacyclic[] = {16, 5};
    static const uint64_t cyclic[] = {5, 5};
    uint64_t out[2];
    require_ok("product", fh_golden_poly_mul(FH_GOLDEN_NEGACYCLIC, 2, 17, a, b, out));
    require_array("negacyclic", 17, 0, 2, out, negacyclic);
    require_ok("product", fh_golden_poly_mul(FH_GOLDEN_CYCLIC, 2, 17, a, b, out));
    require_array("cyclic", 17, 0, 2, out, cyclic);
    require_status("n 0", fh_golden_poly_mul(FH_GOLDEN_CYCLIC, 0, 17, a, b, out),
                   FH_GOLDEN_ERR_SIZE);
    require_status("q 1", fh_golden_poly_mul(FH_GOLDEN_CYCLIC, 2, 1, a, b, out),
                   FH_GOLDEN_ERR_MODULUS);
}

/* The product of two transforms is the transform of the product, in both rings. */
static void convolution_theorem(void **state) {
    (void)state;
    static const unsigned bits[] = {28, 32, 61};
    static const size_t sizes[] = {4, 64, 1024};
    for (size_t i = 0; i < 9; i++) {
        size_t n = sizes[i / 3];
        uint64_t q = chain_prime(n, bits[i % 3], 1);
        uint64_t *a = make_array(4 * n);
        uint64_t *b = a + n;
        uint64_t *product = b + n;
        uint64_t *want = product + n;
        for (size_t r = 0; r < 2; r++) {
            require_ok("a", fh_golden_generate(FH_GOLDEN_RANDOM, 20 + i, 0, q, n, a));
            require_ok("b", fh_golden_generate(FH_GOLDEN_RANDOM, 20 + i, 1, q, n, b));
            require_ok("want", fh_golden_poly_mul(rings[r], n, q, a, b, want));
            fh_golden_ntt_params params = make_params(rings[r], n, q);
            fh_golden_ntt_plan *plan = NULL;
            require_ok("plan", fh_golden_ntt_plan_create(&plan, &params));
            fh_golden_ntt_forward(plan, orders[i % 2], a, a);
            fh_golden_ntt_forward(plan, orders[i % 2], b, b);
            require_ok("mul", fh_golden_mul(n, q, a, b, product));
            fh_golden_ntt_inverse(plan, orders[i % 2], product, product);
            require_array("convolution", q, 20 + i, n, product, want);
            fh_golden_ntt_plan_free(plan);
        }
        free(a);
    }
}

/* Large sizes, where the definition is too slow: X^i alone has psi^((2k+1) i) as its transform, and
 * a random input must survive the round trip. */
static void large_sizes(void **state) {
    (void)state;
    for (unsigned log2_n = 14; log2_n <= 17; log2_n++) {
        size_t n = (size_t)1 << log2_n;
        uint64_t q = chain_prime(n, log2_n % 2 == 0 ? 30 : 60, 0);
        fh_golden_ntt_params params = make_params(FH_GOLDEN_NEGACYCLIC, n, q);
        fh_golden_ntt_plan *plan = NULL;
        require_ok("plan", fh_golden_ntt_plan_create(&plan, &params));
        uint64_t *in = make_array(n);
        uint64_t *out = make_array(n);
        uint64_t hot = n / 3;
        require_ok("one-hot", fh_golden_generate(FH_GOLDEN_ONE_HOT, hot, 0, q, n, in));
        fh_golden_ntt_forward(plan, FH_GOLDEN_BITREV, in, out);
        for (size_t i = 0; i < n; i++) {
            uint64_t exponent = (2 * fh_golden_bitrev(i, log2_n) + 1) * hot;
            require_u64("monomial", q, i, out[i], fh_golden_powmod(params.psi, exponent, q));
        }
        require_ok("random", fh_golden_generate(FH_GOLDEN_RANDOM, 3, 0, q, n, in));
        fh_golden_ntt_forward(plan, FH_GOLDEN_NATURAL, in, out);
        fh_golden_ntt_inverse(plan, FH_GOLDEN_NATURAL, out, out);
        require_array("large round trip", q, 3, n, out, in);
        fh_golden_ntt_plan_free(plan);
        free(in);
        free(out);
    }
}

static void scalar_baseline(void **state) {
    (void)state;
    static const unsigned bits[] = {13, 28, 29, 30, 31, 32};
    for (size_t n = 2; n <= 4096; n *= n <= 128 ? 2 : 4) {
        uint64_t *in = make_array(2 * n);
        uint64_t *want = in + n;
        uint32_t *data = calloc(n, sizeof *data);
        assert_non_null(data);
        for (size_t i = n > 128 ? 1 : 0; i < COUNT_OF(bits); i++) {
            uint64_t q = chain_prime(n, bits[i], 0);
            fh_golden_ntt_params params = make_params(FH_GOLDEN_NEGACYCLIC, n, q);
            fh_golden_ntt_plan *plan = NULL;
            fh_golden_ntt32_plan *plan32 = NULL;
            require_ok("plan", fh_golden_ntt_plan_create(&plan, &params));
            require_ok("plan32", fh_golden_ntt32_plan_create(&plan32, n, q, params.psi));
            for (unsigned pattern = 0; pattern < FH_GOLDEN_PATTERN_COUNT; pattern++) {
                require_ok("in", fh_golden_generate((fh_golden_pattern)pattern, i, 0, q, n, in));
                fh_golden_ntt_forward(plan, FH_GOLDEN_BITREV, in, want);
                for (size_t j = 0; j < n; j++) {
                    data[j] = (uint32_t)in[j];
                }
                fh_golden_ntt32_forward(plan32, data);
                for (size_t j = 0; j < n; j++) {
                    require_u64("scalar baseline", q, j, data[j], want[j]);
                }
            }
            fh_golden_ntt_plan_free(plan);
            fh_golden_ntt32_plan_free(plan32);
        }
        free(in);
        free(data);
    }
}

static void several_limbs(void **state) {
    (void)state;
    enum { N = 16, LIMBS = 3 };
    uint64_t q[LIMBS];
    uint64_t psi[LIMBS];
    uint64_t in[LIMBS * N];
    uint64_t out[LIMBS * N];
    uint64_t want[LIMBS * N];
    require_ok("chain", fh_golden_prime_chain(N, 30, LIMBS, q));
    require_ok("in", fh_golden_generate_limbs(FH_GOLDEN_RANDOM, 6, LIMBS, q, N, in));
    for (size_t j = 0; j < LIMBS; j++) {
        fh_golden_ntt_params params = make_params(FH_GOLDEN_NEGACYCLIC, N, q[j]);
        psi[j] = params.psi;
        require_ok("want",
                   fh_golden_ntt_schoolbook(&params, FH_GOLDEN_NATURAL, in + j * N, want + j * N));
    }
    require_ok("limbs", fh_golden_ntt_limbs(false, FH_GOLDEN_NATURAL, N, LIMBS, q, NULL, in, out));
    require_array("limbs, default roots", q[0], 6, (size_t)LIMBS * N, out, want);
    require_ok("limbs", fh_golden_ntt_limbs(false, FH_GOLDEN_NATURAL, N, LIMBS, q, psi, in, out));
    require_array("limbs, given roots", q[0], 6, (size_t)LIMBS * N, out, want);
    require_ok("inv", fh_golden_ntt_limbs(true, FH_GOLDEN_NATURAL, N, LIMBS, q, psi, out, out));
    require_array("limbs, inverse", q[0], 6, (size_t)LIMBS * N, out, in);
    psi[1] = psi[0];
    require_status("foreign root",
                   fh_golden_ntt_limbs(false, FH_GOLDEN_NATURAL, N, LIMBS, q, psi, in, out),
                   FH_GOLDEN_ERR_ROOT);
    require_status("no limbs", fh_golden_ntt_limbs(false, FH_GOLDEN_NATURAL, N, 0, q, psi, in, out),
                   FH_GOLDEN_ERR_LIMBS);
}

static void errors(void **state) {
    (void)state;
    static const struct {
        fh_golden_ntt_params params;
        fh_golden_status status;
    } cases[] = {
        {{FH_GOLDEN_NEGACYCLIC, 3, 17, 2}, FH_GOLDEN_ERR_SIZE},
        {{FH_GOLDEN_NEGACYCLIC, 0, 17, 2}, FH_GOLDEN_ERR_SIZE},
        {{FH_GOLDEN_CYCLIC, 4, 0, 2}, FH_GOLDEN_ERR_MODULUS},
        {{FH_GOLDEN_NEGACYCLIC, 4, 9, 2}, FH_GOLDEN_ERR_NOT_PRIME},
        {{FH_GOLDEN_CYCLIC, 8, 41, 2}, FH_GOLDEN_ERR_CONGRUENCE},
        {{FH_GOLDEN_NEGACYCLIC, 4, 17, 4}, FH_GOLDEN_ERR_ROOT},
        {{FH_GOLDEN_CYCLIC, 4, 17, 16}, FH_GOLDEN_ERR_ROOT},
    };
    uint64_t in[8] = {0};
    uint64_t out[8];
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        const fh_golden_ntt_params *params = &cases[i].params;
        fh_golden_ntt_plan *plan = NULL;
        require_status("plan", fh_golden_ntt_plan_create(&plan, params), cases[i].status);
        assert_null(plan);
        require_status("schoolbook", fh_golden_ntt_schoolbook(params, FH_GOLDEN_BITREV, in, out),
                       cases[i].status);
        require_status("inverse", fh_golden_intt_schoolbook(params, FH_GOLDEN_BITREV, in, out),
                       cases[i].status);
        fh_golden_ntt32_plan *plan32 = NULL;
        require_status("plan32",
                       fh_golden_ntt32_plan_create(&plan32, params->n, params->q, params->psi),
                       cases[i].status);
        assert_null(plan32);
    }
    uint64_t q = chain_prime(4, 33, 0);
    fh_golden_ntt_params wide = make_params(FH_GOLDEN_NEGACYCLIC, 4, q);
    fh_golden_ntt32_plan *plan32 = NULL;
    require_status("33 bits", fh_golden_ntt32_plan_create(&plan32, 4, q, wide.psi),
                   FH_GOLDEN_ERR_MODULUS);
    fh_golden_ntt_plan_free(NULL);
    fh_golden_ntt32_plan_free(NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(by_hand),
        cmocka_unit_test(fast_against_schoolbook),
        cmocka_unit_test(unusual_moduli_and_roots),
        cmocka_unit_test(unreduced_inputs),
        cmocka_unit_test(products_by_hand),
        cmocka_unit_test(convolution_theorem),
        cmocka_unit_test(large_sizes),
        cmocka_unit_test(scalar_baseline),
        cmocka_unit_test(several_limbs),
        cmocka_unit_test(errors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/*
 * Base conversion: a case by hand, the exact conversion against integers known beforehand, the fast
 * one against the exact one, and the checker against conversions that are wrong on purpose.
 */
#include "golden_util.h"

/* p = {3, 5}, P = 15, x = 7: y = {[1 * 2]_3, [2 * 2]_5} = {2, 4}, 2 * 5 + 4 * 3 = 22 = 7 + 15. */
static void by_hand(void **state) {
    (void)state;
    static const uint64_t from[] = {3, 5};
    static const uint64_t to[] = {11, 100};
    static const uint64_t in[] = {1, 2};
    const fh_golden_bases bases = {2, from, 2, to};
    uint64_t inverse[2];
    uint64_t phat[4];
    require_ok("constants", fh_golden_bconv_constants(&bases, inverse, phat));
    static const uint64_t want_inverse[] = {2, 2};
    static const uint64_t want_phat[] = {5, 5, 3, 3};
    require_array("inverses", 0, 0, 2, inverse, want_inverse);
    require_array("phat", 0, 0, 4, phat, want_phat);
    require_ok("neither", fh_golden_bconv_constants(&bases, NULL, NULL));
    static const uint64_t want_fast[] = {0, 22};
    static const uint64_t want_exact[] = {7, 7};
    uint64_t out[2];
    require_ok("fast", fh_golden_bconv_fast(&bases, 1, in, out));
    require_array("fast", 0, 0, 2, out, want_fast);
    require_ok("check", fh_golden_bconv_check(&bases, 1, in, out, NULL));
    require_ok("exact", fh_golden_bconv_exact(&bases, 1, in, out));
    require_array("exact", 0, 0, 2, out, want_exact);
    require_ok("check of exact", fh_golden_bconv_check(&bases, 1, in, out, NULL));
}

/* Every integer of a small range, and integers of 64 bits, survive residues and back. */
static void exact_of_known_integers(void **state) {
    (void)state;
    static const uint64_t small[] = {9, 5, 7, 4097}; /* 9 and 4097 = 17 * 241 are composite */
    static const uint64_t to[] = {2, 1000003, 3, 1ULL << 60};
    enum { P = 9 * 5 * 7 * 4097 };
    const fh_golden_bases bases = {4, small, 4, to};
    for (uint64_t x = 0; x < P; x += x < 10000 ? 1 : 97) {
        uint64_t in[4];
        uint64_t out[4];
        for (size_t j = 0; j < 4; j++) {
            in[j] = x % small[j];
        }
        require_ok("exact", fh_golden_bconv_exact(&bases, 1, in, out));
        for (size_t i = 0; i < 4; i++) {
            require_u64("small integer", i, x, out[i], x % to[i]);
        }
    }
    uint64_t from[9];
    uint64_t q[12];
    require_ok("from", fh_golden_prime_chain(64, 61, 9, from));
    require_ok("to", fh_golden_prime_chain(64, 30, 12, q));
    const fh_golden_bases wide = {9, from, 12, q};
    for (uint64_t s = 0; s < 200; s++) {
        uint64_t x = fh_golden_random_word(8, 0, s);
        uint64_t in[9];
        uint64_t out[12];
        for (size_t j = 0; j < 9; j++) {
            in[j] = x % from[j];
        }
        require_ok("exact", fh_golden_bconv_exact(&wide, 1, in, out));
        for (size_t i = 0; i < 12; i++) {
            require_u64("64-bit integer", i, x, out[i], x % q[i]);
        }
    }
}

/* source and target: primes of `bits` bits, `target` of them after the source's alpha. */
static fh_golden_bases chain_bases(uint64_t *moduli, unsigned bits, size_t alpha, size_t target) {
    require_ok("chain", fh_golden_prime_chain(256, bits, alpha + target, moduli));
    return (fh_golden_bases){alpha, moduli, target, moduli + alpha};
}

static uint64_t product_modulo(const fh_golden_bases *bases, uint64_t q) {
    uint64_t product = 1;
    for (size_t j = 0; j < bases->alpha; j++) {
        product = fh_golden_mulmod(product, bases->from[j], q);
    }
    return product;
}

/* x = P - 1 has the residues p_j - 1, and all y_j = p_j - 1 gives the largest u, alpha - 1. */
static void extremes(void **state) {
    (void)state;
    static const size_t alphas[] = {1, 2, 3, 9, 17, 64};
    uint64_t moduli[128];
    for (size_t a = 0; a < COUNT_OF(alphas); a++) {
        fh_golden_bases bases = chain_bases(moduli, a % 2 == 0 ? 61 : 30, alphas[a], 64);
        uint64_t in[64];
        uint64_t exact[64];
        uint64_t fast[64];
        for (size_t j = 0; j < bases.alpha; j++) {
            in[j] = bases.from[j] - 1;
        }
        require_ok("exact", fh_golden_bconv_exact(&bases, 1, in, exact));
        for (size_t i = 0; i < bases.target; i++) {
            uint64_t q = bases.to[i];
            require_u64("P - 1", alphas[a], i, exact[i], (product_modulo(&bases, q) + q - 1) % q);
        }
        for (size_t j = 0; j < bases.alpha; j++) {
            uint64_t p = bases.from[j];
            in[j] = p - 1;
            for (size_t i = 0; i < bases.alpha; i++) {
                in[j] = i == j ? in[j] : fh_golden_mulmod(in[j], bases.from[i], p);
            }
        }
        require_ok("exact", fh_golden_bconv_exact(&bases, 1, in, exact));
        require_ok("fast", fh_golden_bconv_fast(&bases, 1, in, fast));
        for (size_t i = 0; i < bases.target; i++) {
            uint64_t q = bases.to[i];
            uint64_t excess = fh_golden_mulmod(bases.alpha - 1, product_modulo(&bases, q), q);
            require_u64("largest u", alphas[a], i, fast[i], (exact[i] + excess) % q);
        }
        require_ok("check", fh_golden_bconv_check(&bases, 1, in, fast, NULL));
    }
}

static void fast_is_exact_plus_multiple(void **state) {
    (void)state;
    enum { N = 24 };
    static const unsigned bits[] = {28, 32, 61};
    uint64_t moduli[128];
    uint64_t *in = make_array((size_t)N * 64);
    uint64_t *out = make_array((size_t)N * 64);
    for (size_t alpha = 1; alpha <= 64; alpha += alpha < 18 ? 1 : 23) {
        for (size_t b = 0; b < COUNT_OF(bits); b++) {
            fh_golden_bases bases = chain_bases(moduli, bits[b], alpha, 1 + alpha * 7 % 64);
            for (unsigned pattern = 0; pattern < FH_GOLDEN_PATTERN_COUNT; pattern++) {
                require_ok("in", fh_golden_generate_limbs((fh_golden_pattern)pattern, alpha, alpha,
                                                          bases.from, N, in));
                require_ok("fast", fh_golden_bconv_fast(&bases, N, in, out));
                size_t bad = 0;
                if (fh_golden_bconv_check(&bases, N, in, out, &bad) != FH_GOLDEN_OK) {
                    fail_msg("alpha %zu, %u bits, pattern %u, coefficient %zu", alpha, bits[b],
                             pattern, bad);
                }
            }
        }
    }
    free(in);
    free(out);
}

/* A target that is also a source modulus divides P: conversion to it must return the residue. */
static void shared_modulus(void **state) {
    (void)state;
    enum { N = 50 };
    uint64_t from[5];
    uint64_t in[5 * N];
    uint64_t out[5 * N];
    require_ok("chain", fh_golden_prime_chain(64, 45, 5, from));
    const fh_golden_bases bases = {5, from, 5, from};
    require_ok("in", fh_golden_generate_limbs(FH_GOLDEN_RANDOM, 11, 5, from, N, in));
    require_ok("fast", fh_golden_bconv_fast(&bases, N, in, out));
    require_array("fast to itself", from[0], 11, (size_t)5 * N, out, in);
    require_ok("exact", fh_golden_bconv_exact(&bases, N, in, out));
    require_array("exact to itself", from[0], 11, (size_t)5 * N, out, in);
}

static void unreduced_inputs(void **state) {
    (void)state;
    uint64_t moduli[8];
    fh_golden_bases bases = chain_bases(moduli, 30, 4, 4);
    uint64_t raw[4];
    uint64_t reduced[4];
    uint64_t out[4];
    uint64_t want[4];
    for (size_t j = 0; j < 4; j++) {
        raw[j] = UINT64_MAX - j * j;
        reduced[j] = raw[j] % bases.from[j];
    }
    require_ok("fast", fh_golden_bconv_fast(&bases, 1, raw, out));
    require_ok("fast", fh_golden_bconv_fast(&bases, 1, reduced, want));
    require_array("fast", 0, 0, 4, out, want);
    require_ok("exact", fh_golden_bconv_exact(&bases, 1, raw, out));
    require_ok("exact", fh_golden_bconv_exact(&bases, 1, reduced, want));
    require_array("exact", 0, 0, 4, out, want);
}

static void checker_rejects(void **state) {
    (void)state;
    enum { N = 8, ALPHA = 3, L = 4 };
    uint64_t moduli[ALPHA + L];
    fh_golden_bases bases = chain_bases(moduli, 30, ALPHA, L);
    uint64_t in[ALPHA * N];
    uint64_t exact[L * N];
    uint64_t wrong[L * N];
    require_ok("in", fh_golden_generate_limbs(FH_GOLDEN_RANDOM, 2, ALPHA, bases.from, N, in));
    require_ok("exact", fh_golden_bconv_exact(&bases, N, in, exact));
    for (uint64_t u = 0; u <= ALPHA; u++) { /* u = alpha is one too many */
        for (size_t i = 0; i < (size_t)L * N; i++) {
            uint64_t q = bases.to[i / N];
            wrong[i] = (exact[i] + fh_golden_mulmod(u, product_modulo(&bases, q), q)) % q;
        }
        require_status("u", fh_golden_bconv_check(&bases, N, in, wrong, NULL),
                       u < ALPHA ? FH_GOLDEN_OK : FH_GOLDEN_ERR_MISMATCH);
    }
    size_t bad = 99;
    memcpy(wrong, exact, sizeof wrong);
    wrong[3 * N + 5] = (wrong[3 * N + 5] + 1) % bases.to[3];
    require_status("one element", fh_golden_bconv_check(&bases, N, in, wrong, &bad),
                   FH_GOLDEN_ERR_MISMATCH);
    assert_int_equal(bad, 5);
    /* u must be common to all limbs of a coefficient */
    memcpy(wrong, exact, sizeof wrong);
    wrong[2] = (wrong[2] + product_modulo(&bases, bases.to[0])) % bases.to[0];
    require_status("mixed u", fh_golden_bconv_check(&bases, N, in, wrong, &bad),
                   FH_GOLDEN_ERR_MISMATCH);
    assert_int_equal(bad, 2);
    /* residues must be reduced */
    memcpy(wrong, exact, sizeof wrong);
    wrong[0] += bases.to[0];
    require_status("unreduced", fh_golden_bconv_check(&bases, N, in, wrong, &bad),
                   FH_GOLDEN_ERR_MISMATCH);
}

static void errors(void **state) {
    (void)state;
    static const uint64_t good[] = {3, 5};
    static const uint64_t zero[] = {3, 0};
    static const uint64_t one[] = {1, 3};
    static const uint64_t wide[] = {3, 1ULL << 61};
    static const uint64_t even[] = {3, 4};
    static const uint64_t twice[] = {7, 7};
    static const uint64_t shared[] = {15, 21};
    static const struct {
        fh_golden_bases bases;
        fh_golden_status status;
    } cases[] = {
        {{2, good, 2, good}, FH_GOLDEN_OK},
        {{0, good, 2, good}, FH_GOLDEN_ERR_LIMBS},
        {{2, good, 0, good}, FH_GOLDEN_ERR_LIMBS},
        {{65, good, 2, good}, FH_GOLDEN_ERR_LIMBS},
        {{2, good, 65, good}, FH_GOLDEN_ERR_LIMBS},
        {{2, zero, 2, good}, FH_GOLDEN_ERR_MODULUS},
        {{2, good, 2, zero}, FH_GOLDEN_ERR_MODULUS},
        {{2, one, 2, good}, FH_GOLDEN_ERR_MODULUS},
        {{2, good, 2, one}, FH_GOLDEN_ERR_MODULUS},
        {{2, wide, 2, good}, FH_GOLDEN_ERR_MODULUS},
        {{2, good, 2, wide}, FH_GOLDEN_ERR_MODULUS},
        {{2, even, 2, good}, FH_GOLDEN_ERR_EVEN_MODULUS},
        {{2, good, 2, even}, FH_GOLDEN_OK},
        {{2, twice, 2, good}, FH_GOLDEN_ERR_REPEATED},
        {{2, good, 2, twice}, FH_GOLDEN_ERR_REPEATED},
        {{2, shared, 2, good}, FH_GOLDEN_ERR_NOT_COPRIME},
        {{2, good, 2, shared}, FH_GOLDEN_OK},
    };
    uint64_t in[2] = {1, 1};
    uint64_t out[2];
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        const fh_golden_bases *bases = &cases[i].bases;
        fh_golden_status want = cases[i].status;
        require_status("bases", fh_golden_bconv_check_bases(bases), want);
        require_status("fast", fh_golden_bconv_fast(bases, 1, in, out), want);
        require_status("exact", fh_golden_bconv_exact(bases, 1, in, out), want);
        require_status("check", fh_golden_bconv_check(bases, 1, in, out, NULL), want);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(by_hand),         cmocka_unit_test(exact_of_known_integers),
        cmocka_unit_test(extremes),        cmocka_unit_test(fast_is_exact_plus_multiple),
        cmocka_unit_test(shared_modulus),  cmocka_unit_test(unreduced_inputs),
        cmocka_unit_test(checker_rejects), cmocka_unit_test(errors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

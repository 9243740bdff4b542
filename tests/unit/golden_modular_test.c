/*
 * Number theory of the golden references: known values, and properties checked by brute force.
 */
#include "golden_util.h"
#include "wide_rest.h"

static void products_and_powers(void **state) {
    (void)state;
    assert_int_equal(fh_golden_mulmod(7, 8, 10), 6);
    /* 2^64 - 1 = -1 mod 2^64 - 59 + 58: (2^64-1)^2 mod (2^64-59) = 58^2 */
    assert_int_equal(fh_golden_mulmod(UINT64_MAX, UINT64_MAX, UINT64_MAX - 58), 58 * 58);
    assert_int_equal(fh_golden_powmod(3, 0, 7), 1);
    assert_int_equal(fh_golden_powmod(3, 0, 1), 0);
    assert_int_equal(fh_golden_powmod(0, 0, 7), 1);
    assert_int_equal(fh_golden_powmod(2, 10, 1000), 24);
    /* Fermat, with the largest 64-bit prime */
    assert_true(fh_golden_powmod(3, UINT64_MAX - 59, UINT64_MAX - 58) == 1);
    assert_int_equal(fh_golden_gcd(84, 36), 12);
    assert_int_equal(fh_golden_gcd(0, 5), 5);
}

static void inverses(void **state) {
    (void)state;
    uint64_t inverse = 0;
    for (uint64_t q = 2; q < 200; q++) {
        for (uint64_t a = 0; a < 2 * q; a++) {
            fh_golden_status status = fh_golden_invmod(a, q, &inverse);
            if (fh_golden_gcd(a, q) == 1) {
                require_ok("small inverse", status);
                require_u64("a * a^-1", q, a, a * inverse % q, 1);
                assert_true(inverse < q);
            } else {
                require_status("no inverse", status, FH_GOLDEN_ERR_NOT_INVERTIBLE);
            }
        }
    }
    for (uint64_t i = 0; i < 2000; i++) {
        uint64_t q = fh_golden_random_word(1, 0, i) | 1; /* odd, mostly composite, all sizes */
        q = (q >> i % 60) | 3;
        uint64_t a = fh_golden_random_word(1, 1, i);
        fh_golden_status status = fh_golden_invmod(a, q, &inverse);
        if (status == FH_GOLDEN_OK) {
            require_u64("a * a^-1, wide", 1, i, fh_golden_mulmod(a, inverse, q), 1);
        } else {
            assert_true(fh_golden_gcd(a, q) != 1);
        }
    }
    require_status("q 0", fh_golden_invmod(1, 0, &inverse), FH_GOLDEN_ERR_MODULUS);
    require_status("q 1", fh_golden_invmod(1, 1, &inverse), FH_GOLDEN_ERR_MODULUS);
}

/* Reduction without a division is `%`, for all sizes of moduli and numbers, and near multiples. */
static void rests(void **state) {
    static const uint64_t moduli[] = {1,          2,
                                      3,          7,
                                      1ull << 31, 0x3fff0001,
                                      1ull << 32, (1ull << 32) + 1,
                                      1ull << 61, (1ull << 62) - 1};
    (void)state;
    for (uint64_t i = 0; i < 4000; i++) {
        uint64_t q = i < 10 ? moduli[i] : fh_golden_random_word(2, 0, i) >> (2 + i % 61) | 1;
        const fh_golden_divisor divisor = fh_golden_divisor_of(q);
        for (uint64_t k = 0; k < 64; k++) {
            const uint64_t upper = fh_golden_random_word(3, i, 2 * k) >> k;
            const uint64_t lower = fh_golden_random_word(3, i, 2 * k + 1) >> (k * 7 % 64);
            fh_golden_u128 x = (fh_golden_u128)upper << 64 | lower;
            if (k % 4 == 1)
                x -= x % q; /* a multiple, or one below or above it */
            else if (k % 4 == 2)
                x = x - x % q - 1;
            if (k >= 62)
                x = ~(fh_golden_u128)0 - (k - 62);
            require_u64("rest", q, k, fh_golden_rest_by(x, &divisor), (uint64_t)(x % q));
        }
    }
}

static bool prime_by_trial(uint64_t n) {
    for (uint64_t d = 2; d * d <= n; d++) {
        if (n % d == 0) {
            return false;
        }
    }
    return n >= 2;
}

static void primality(void **state) {
    (void)state;
    for (uint64_t n = 0; n < 20000; n++) {
        require_u64("is_prime", 0, n, fh_golden_is_prime(n), prime_by_trial(n));
    }
    /* Carmichael numbers, and strong pseudoprimes to the bases 2, 2..7, 2..37 without 37. */
    static const uint64_t composites[] = {561,
                                          1729,
                                          2047,
                                          3215031751ULL,
                                          3825123056546413051ULL,
                                          341550071728321ULL,
                                          18446744073709551615ULL,
                                          4294967297ULL};
    for (size_t i = 0; i < COUNT_OF(composites); i++) {
        assert_false(fh_golden_is_prime(composites[i]));
    }
    static const uint64_t primes[] = {
        2147483647ULL, 4294967291ULL,           998244353ULL,          2305843009213693951ULL,
        65537,         18446744073709551557ULL, 1152921504606584833ULL};
    for (size_t i = 0; i < COUNT_OF(primes); i++) {
        assert_true(fh_golden_is_prime(primes[i]));
    }
}

/* The chain against a search that walks every number. */
static void chain_is_complete(void **state) {
    (void)state;
    uint64_t chain[64];
    for (size_t n = 2; n <= 64; n *= 2) {
        size_t found = 0;
        uint64_t expected[64];
        for (uint64_t q = (1U << 13) - 1; q >= 2 && found < 16; q--) {
            if (q % (2 * n) == 1 && prime_by_trial(q)) {
                expected[found++] = q;
            }
        }
        require_ok("chain", fh_golden_prime_chain(n, 13, found, chain));
        require_array("chain", 0, n, found, chain, expected);
    }
    /* Below 2^5 the primes 1 mod 4 are 29, 17, 13, 5. */
    static const uint64_t small[] = {29, 17, 13, 5};
    require_ok("chain of 4", fh_golden_prime_chain(2, 5, 4, chain));
    require_array("chain of 4", 0, 0, 4, chain, small);
    require_status("one too many", fh_golden_prime_chain(2, 5, 5, chain),
                   FH_GOLDEN_ERR_TOO_FEW_PRIMES);
    require_status("no room", fh_golden_prime_chain(1024, 10, 1, chain),
                   FH_GOLDEN_ERR_TOO_FEW_PRIMES);
    require_status("bits 1", fh_golden_prime_chain(2, 1, 1, chain), FH_GOLDEN_ERR_ARGUMENT);
    require_status("bits 62", fh_golden_prime_chain(2, 62, 1, chain), FH_GOLDEN_ERR_ARGUMENT);
    require_status("n 12", fh_golden_prime_chain(12, 30, 1, chain), FH_GOLDEN_ERR_SIZE);
    require_ok("empty chain", fh_golden_prime_chain(2, 2, 0, chain));
    /* Widely used: the largest below 2^30 and 2^60 for N = 65536. */
    assert_true(chain_prime(65536, 60, 0) == 1152921504606584833ULL);
    assert_true(chain_prime(65536, 30, 0) == 1073479681ULL);
}

/* The smallest root against trying 1, 2, 3, ... with the order counted out. */
static void smallest_roots(void **state) {
    (void)state;
    for (size_t n = 2; n <= 128; n *= 2) {
        for (size_t index = 0; index < 2; index++) {
            uint64_t q = chain_prime(n, 14, index);
            uint64_t expected = 0;
            for (uint64_t x = 1; expected == 0; x++) {
                uint64_t power = x;
                uint64_t order = 1;
                while (power != 1 && order <= 2 * n) {
                    power = power * x % q;
                    order++;
                }
                expected = order == 2 * n ? x : 0;
            }
            uint64_t psi = 0;
            require_ok("root", fh_golden_smallest_root(n, q, &psi));
            require_u64("smallest root", q, n, psi, expected);
            require_ok("check root", fh_golden_check_root(n, q, psi));
        }
    }
}

static void root_errors(void **state) {
    (void)state;
    uint64_t psi = 0;
    require_status("n 0", fh_golden_smallest_root(0, 17, &psi), FH_GOLDEN_ERR_SIZE);
    require_status("n 1", fh_golden_smallest_root(1, 17, &psi), FH_GOLDEN_ERR_SIZE);
    require_status("n 6", fh_golden_smallest_root(6, 13, &psi), FH_GOLDEN_ERR_SIZE);
    require_status("n 2^25", fh_golden_check_modulus((size_t)1 << 25, 17), FH_GOLDEN_ERR_SIZE);
    require_status("q 0", fh_golden_smallest_root(4, 0, &psi), FH_GOLDEN_ERR_MODULUS);
    require_status("q 1", fh_golden_smallest_root(4, 1, &psi), FH_GOLDEN_ERR_MODULUS);
    require_status("q 2^61", fh_golden_smallest_root(4, (uint64_t)1 << 61, &psi),
                   FH_GOLDEN_ERR_MODULUS);
    require_status("q 33", fh_golden_smallest_root(4, 33, &psi), FH_GOLDEN_ERR_NOT_PRIME);
    require_status("q 13", fh_golden_smallest_root(4, 13, &psi), FH_GOLDEN_ERR_CONGRUENCE);
    require_status("q 2", fh_golden_smallest_root(4, 2, &psi), FH_GOLDEN_ERR_CONGRUENCE);
    /* Modulo 17, 2 has order 8, 4 order 4, 3 order 16. */
    require_ok("order 8", fh_golden_check_root(4, 17, 2));
    require_status("order 4", fh_golden_check_root(4, 17, 4), FH_GOLDEN_ERR_ROOT);
    require_status("order 16", fh_golden_check_root(4, 17, 3), FH_GOLDEN_ERR_ROOT);
    require_status("0", fh_golden_check_root(4, 17, 0), FH_GOLDEN_ERR_ROOT);
    require_status("1", fh_golden_check_root(4, 17, 1), FH_GOLDEN_ERR_ROOT);
    require_status("unreduced", fh_golden_check_root(4, 17, 19), FH_GOLDEN_ERR_ROOT);
}

static void bit_reversal(void **state) {
    (void)state;
    assert_int_equal(fh_golden_bitrev(1, 4), 8);
    assert_int_equal(fh_golden_bitrev(6, 3), 3);
    assert_int_equal(fh_golden_bitrev(5, 0), 0);
    assert_int_equal(fh_golden_bitrev(0xff, 4), 15);
    assert_true(fh_golden_bitrev(1, 64) == (uint64_t)1 << 63);
    for (uint64_t i = 0; i < 1024; i++) {
        require_u64("involution", 0, i, fh_golden_bitrev(fh_golden_bitrev(i, 10), 10), i);
    }
    unsigned bits = 0;
    require_ok("log2", fh_golden_log2(65536, &bits));
    assert_int_equal(bits, 16);
    require_status("log2 of 1", fh_golden_log2(1, &bits), FH_GOLDEN_ERR_SIZE);
}

static void status_texts(void **state) {
    (void)state;
    const char *unknown = fh_golden_status_text(FH_GOLDEN_STATUS_COUNT);
    for (unsigned i = 0; i < FH_GOLDEN_STATUS_COUNT; i++) {
        const char *text = fh_golden_status_text((fh_golden_status)i);
        assert_non_null(text);
        assert_string_not_equal(text, unknown);
        for (unsigned j = 0; j < i; j++) {
            assert_string_not_equal(text, fh_golden_status_text((fh_golden_status)j));
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(products_and_powers),
        cmocka_unit_test(inverses),
        cmocka_unit_test(rests),
        cmocka_unit_test(primality),
        cmocka_unit_test(chain_is_complete),
        cmocka_unit_test(smallest_roots),
        cmocka_unit_test(root_errors),
        cmocka_unit_test(bit_reversal),
        cmocka_unit_test(status_texts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

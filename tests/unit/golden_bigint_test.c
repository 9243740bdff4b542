/*
 * Multi-word integers: identities that hold exactly, and 1- and 2-word cases against 128-bit
 * arithmetic.
 */
#include "golden_util.h"

static void fill(uint32_t *a, size_t words, uint64_t seed) {
    for (size_t i = 0; i < words; i++) {
        a[i] = (uint32_t)(fh_golden_random_word(seed, 0, i) >> 32);
    }
}

static void require_words(const char *what, uint64_t seed, size_t words, const uint32_t *got,
                          const uint32_t *want) {
    for (size_t i = 0; i < words; i++) {
        if (got[i] != want[i]) {
            fail_msg("%s: seed %llu, %zu words, word %zu: got %08x, want %08x", what,
                     (unsigned long long)seed, words, i, got[i], want[i]);
        }
    }
}

static void two_word_products(void **state) {
    (void)state;
    for (uint64_t s = 0; s < 1000; s++) {
        uint32_t a[2];
        uint32_t b[2];
        uint32_t out[4];
        fill(a, 2, 2 * s);
        fill(b, 2, 2 * s + 1);
        fh_golden_u128 product =
            (fh_golden_u128)((uint64_t)a[1] << 32 | a[0]) * ((uint64_t)b[1] << 32 | b[0]);
        require_ok("mul", fh_golden_big_mul(2, a, 2, b, out));
        for (size_t i = 0; i < 4; i++) {
            require_u64("two words", s, i, out[i], (uint32_t)(product >> 32 * i));
        }
    }
}

/* (2^(32m) - 1) (2^(32n) - 1) = 2^(32(m+n)) - 2^(32m) - 2^(32n) + 1: carries all the way. */
static void all_ones(void **state) {
    (void)state;
    uint32_t ones[FH_GOLDEN_MAX_WORDS];
    uint32_t out[2 * FH_GOLDEN_MAX_WORDS];
    memset(ones, 0xff, sizeof ones);
    for (size_t m = 1; m <= FH_GOLDEN_MAX_WORDS; m += 9) {
        for (size_t n = 1; n <= m; n += 5) {
            require_ok("mul", fh_golden_big_mul(m, ones, n, ones, out));
            for (size_t i = 0; i < m + n; i++) {
                uint32_t want = i == 0 ? 1 : i < n ? 0 : i == m ? UINT32_MAX - 1 : UINT32_MAX;
                require_u64("all ones", m * 1000 + n, i, out[i], want);
            }
        }
    }
}

/* (d m + r) mod m = r, for a random d and an r below m. */
static void division(void **state) {
    (void)state;
    for (uint64_t s = 0; s < 300; s++) {
        size_t nm = 1 + s % 40;
        size_t nd = 1 + s * 7 % 30;
        uint32_t m[40] = {0};
        uint32_t d[30] = {0};
        uint32_t r[40] = {0};
        uint32_t product[70];
        uint32_t got[40];
        fill(m, nm, 3 * s);
        fill(d, nd, 3 * s + 1);
        fill(r, nm, 3 * s + 2);
        /* An r below m: the same words with a smaller top. The top bit of m is set in every second
         * case, which makes the remainder overflow its words on the way. */
        m[nm - 1] |= s % 2 == 0 ? 0x80000000U : 1;
        r[nm - 1] = m[nm - 1] - 1;
        require_ok("mul", fh_golden_big_mul(nd, d, nm, m, product));
        uint64_t carry = 0;
        for (size_t i = 0; i < nd + nm; i++) {
            carry += (uint64_t)product[i] + (i < nm ? r[i] : 0);
            product[i] = (uint32_t)carry;
            carry >>= 32;
        }
        require_ok("mod", fh_golden_big_mod(nd + nm, product, nm, m, got));
        require_words("division", s, nm, got, r);
    }
    static const uint32_t a[] = {7};
    static const uint32_t m[] = {3, 0}; /* a modulus with leading zeros, wider than a */
    static const uint32_t want[] = {1, 0};
    uint32_t got[2];
    require_ok("mod", fh_golden_big_mod(1, a, 2, m, got));
    require_words("7 mod 3", 0, 2, got, want);
}

/* The product times 2^(32 W) is a b modulo m, and it is below m. */
static void montgomery_identity(void **state) {
    (void)state;
    static const size_t sizes[] = {1, 2, 3, 4, 8, 12, 32, 128};
    for (size_t i = 0; i < COUNT_OF(sizes); i++) {
        size_t words = sizes[i];
        for (uint64_t s = 0; s < (words > 32 ? 1 : 5); s++) {
            uint32_t a[128] = {0};
            uint32_t b[128] = {0};
            uint32_t m[128] = {0};
            uint32_t out[128];
            uint32_t product[256];
            uint32_t want[128];
            uint32_t got[128];
            fill(a, words, 10 * s + 1);
            fill(b, words, 10 * s + 2);
            fill(m, words, 10 * s + 3);
            m[0] |= s == 0 ? 3 : 1;
            m[words - 1] |= s % 2 == 0 ? 0x80000000U : 2;
            require_ok("montgomery", fh_golden_big_montgomery(words, a, b, m, out));
            require_ok("mul", fh_golden_big_mul(words, a, words, b, product));
            require_ok("mod", fh_golden_big_mod(2 * words, product, words, m, want));
            memset(product, 0, sizeof product);
            memcpy(product + words, out, words * sizeof out[0]);
            require_ok("mod", fh_golden_big_mod(2 * words, product, words, m, got));
            require_words("montgomery", s, words, got, want);
            require_ok("mod", fh_golden_big_mod(words, out, words, m, got));
            require_words("below m", s, words, got, out);
        }
    }
}

/* 2^32 = 4 mod 7 and its inverse is 2; one and two words against the lane instruction's value. */
static void montgomery_small(void **state) {
    (void)state;
    uint32_t one[] = {1};
    uint32_t seven[] = {7};
    uint32_t out[2];
    require_ok("2^-32 mod 7", fh_golden_big_montgomery(1, one, one, seven, out));
    assert_int_equal(out[0], 2);
    for (uint64_t s = 0; s < 300; s++) {
        unsigned bits = s % 2 == 0 ? 32 : 64;
        uint64_t mask = bits == 32 ? UINT32_MAX : UINT64_MAX;
        uint64_t m = (fh_golden_random_word(s, 0, 0) & mask) | 3;
        uint64_t a = fh_golden_random_word(s, 0, 1) % m;
        uint64_t b = fh_golden_random_word(s, 0, 2) % m;
        uint32_t wide_a[] = {(uint32_t)a, (uint32_t)(a >> 32)};
        uint32_t wide_b[] = {(uint32_t)b, (uint32_t)(b >> 32)};
        uint32_t wide_m[] = {(uint32_t)m, (uint32_t)(m >> 32)};
        out[1] = 0;
        require_ok("montgomery", fh_golden_big_montgomery(bits / 32, wide_a, wide_b, wide_m, out));
        require_u64("montgomery", s, bits, (uint64_t)out[1] << 32 | out[0],
                    fh_golden_montmul(bits, a, b, m));
    }
}

static void errors(void **state) {
    (void)state;
    const uint32_t one[] = {1, 0};
    const uint32_t zero[] = {0, 0};
    const uint32_t even[] = {4, 1};
    uint32_t out[4];
    require_status("0 words", fh_golden_big_mul(0, one, 1, one, out), FH_GOLDEN_ERR_ARGUMENT);
    require_status("0 words", fh_golden_big_mul(1, one, 0, one, out), FH_GOLDEN_ERR_ARGUMENT);
    require_status("129 words", fh_golden_big_mul(129, one, 1, one, out), FH_GOLDEN_ERR_ARGUMENT);
    require_status("0 words", fh_golden_big_mod(0, one, 1, one, out), FH_GOLDEN_ERR_ARGUMENT);
    require_status("257 words", fh_golden_big_mod(257, one, 1, one, out), FH_GOLDEN_ERR_ARGUMENT);
    require_status("129 words", fh_golden_big_mod(1, one, 129, one, out), FH_GOLDEN_ERR_ARGUMENT);
    require_status("m = 0", fh_golden_big_mod(1, one, 2, zero, out), FH_GOLDEN_ERR_MODULUS);
    require_status("0 words", fh_golden_big_montgomery(0, one, one, one, out),
                   FH_GOLDEN_ERR_ARGUMENT);
    require_status("even", fh_golden_big_montgomery(2, one, one, even, out),
                   FH_GOLDEN_ERR_EVEN_MODULUS);
    require_status("m = 0", fh_golden_big_montgomery(2, one, one, zero, out),
                   FH_GOLDEN_ERR_EVEN_MODULUS);
    require_status("m = 1", fh_golden_big_montgomery(2, one, one, one, out), FH_GOLDEN_ERR_MODULUS);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_word_products), cmocka_unit_test(all_ones),
        cmocka_unit_test(division),          cmocka_unit_test(montgomery_identity),
        cmocka_unit_test(montgomery_small),  cmocka_unit_test(errors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

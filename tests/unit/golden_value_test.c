/*
 * The values of the modular matrix multiply, the int8 matrix multiply, and the modular and
 * Montgomery lane instructions.
 */
#include "golden_util.h"

/* Operands on which a Barrett reduction with a narrower quotient is wrong by a multiple of q. */
static void narrow_barrett_counterexamples(void **state) {
    (void)state;
    static const struct {
        uint32_t q, r, a, b, want;
    } cases[] = {
        {268042241, 244016481, 1736807810, 263579949, 251501210},
        {1071513601, 708410215, 2115111059, 955060853, 13648835},
        {537133057, 3004967156U, 4294967279U, 4294967143U, 173283499},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        fh_golden_modulus modulus = {cases[i].q, fh_golden_barrett_mu(cases[i].q)};
        uint32_t plain = 0;
        require_u64("step", 0, i,
                    fh_golden_barrett_step(modulus, cases[i].r, cases[i].a, cases[i].b),
                    cases[i].want);
        require_ok("plain", fh_golden_fhec_plain((fh_golden_shape){1, 1, 1}, false, &modulus,
                                                 &cases[i].a, &cases[i].b, &cases[i].r, &plain));
        require_u64("plain", 0, i, plain, cases[i].want);
    }
}

/* mu = 0 leaves z itself, of which 33 bits survive. */
static void wrong_mu(void **state) {
    (void)state;
    const uint32_t q = 1073479681;
    assert_int_equal(fh_golden_barrett_step((fh_golden_modulus){q, 0}, q - 1, q - 1, q - 1),
                     1073479680);
    /* mu = 0 and q = 7: the comparison with q sees exactly 33 bits of z = 2^16 a + r. */
    const fh_golden_modulus seven = {7, 0};
    assert_true(fh_golden_barrett_step(seven, 3, 1U << 17, 1U << 16) == 3); /* z = 2^33 + 3 */
    assert_true(fh_golden_barrett_step(seven, 3, 1U << 16, 1U << 16) == UINT32_MAX - 3);
    assert_true(fh_golden_barrett_step(seven, UINT32_MAX, 1U << 16, 1U << 16) == UINT32_MAX - 7);
    /* mu far too small: t = 0, so that z = 10 and z = 35 lose 10 once. */
    assert_int_equal(fh_golden_barrett_step((fh_golden_modulus){10, 1}, 0, 10, 1), 0);
    assert_int_equal(fh_golden_barrett_step((fh_golden_modulus){10, 1}, 5, 10, 3), 25);
}

/* Moduli at the edges of every power of two, with mu right. */
static uint32_t edge_modulus(uint64_t pick) {
    uint64_t power = (uint64_t)1 << (1 + pick % 32);
    uint64_t q = power + pick / 32 % 7 - 3;
    return (uint32_t)(q < 2 ? 2 : q > UINT32_MAX ? UINT32_MAX - pick % 5 : q);
}

static uint32_t edge_operand(uint64_t pick, uint32_t q) {
    switch (pick % 8) {
    case 0: return 0;
    case 1: return q - 1;
    case 2: return q;
    case 3: return UINT32_MAX;
    case 4: return UINT32_MAX - (uint32_t)(pick >> 8 & 255);
    case 5: return (uint32_t)(pick >> 8) % q;
    default: return (uint32_t)(pick >> 8);
    }
}

static void right_mu_is_exact(void **state) {
    (void)state;
    for (uint64_t i = 0; i < 400000; i++) {
        uint32_t q = i % 2 == 0 ? edge_modulus(i / 2)
                                : (uint32_t)(fh_golden_random_word(1, 0, i) >> (32 + i % 30));
        q = q < 2 ? 2 : q;
        uint32_t r = edge_operand(fh_golden_random_word(1, 1, i), q);
        uint32_t a = edge_operand(fh_golden_random_word(1, 2, i), q);
        uint32_t b = edge_operand(fh_golden_random_word(1, 3, i), q);
        fh_golden_modulus modulus = {q, fh_golden_barrett_mu(q)};
        uint32_t got = fh_golden_barrett_step(modulus, r, a, b);
        uint32_t want = (uint32_t)(((uint64_t)a * b + r) % q);
        if (got != want) {
            fail_msg("iteration %llu: q %u, r %u, a %u, b %u: got %u, want %u",
                     (unsigned long long)i, q, r, a, b, got, want);
        }
    }
}

enum { M = 16, N = 8, K = 16 };
static const fh_golden_shape tile = {M, N, K};

static void random_tile(uint64_t seed, uint32_t *a, uint32_t *b, uint32_t *c, uint32_t q) {
    for (size_t i = 0; i < (size_t)M * K; i++) {
        a[i] = edge_operand(fh_golden_random_word(seed, 1, i), q);
    }
    for (size_t i = 0; i < (size_t)K * N; i++) {
        b[i] = edge_operand(fh_golden_random_word(seed, 2, i), q);
    }
    for (size_t i = 0; i < (size_t)M * N; i++) {
        c[i] = edge_operand(fh_golden_random_word(seed, 3, i), q);
    }
}

static void tiles(void **state) {
    (void)state;
    uint32_t a[M * K];
    uint32_t b[K * N];
    uint32_t c[M * N];
    uint32_t steps[M * N];
    uint32_t plain[M * N];
    for (uint64_t s = 0; s < 200; s++) {
        fh_golden_modulus moduli[N];
        for (size_t n = 0; n < N; n++) {
            moduli[n].q = edge_modulus(s * N + n);
            moduli[n].mu = fh_golden_barrett_mu(moduli[n].q);
        }
        bool mixed = s % 2 == 0;
        random_tile(s, a, b, c, moduli[0].q);
        require_ok("steps", fh_golden_fhec_steps(tile, mixed, moduli, a, b, c, steps));
        require_ok("plain", fh_golden_fhec_plain(tile, mixed, moduli, a, b, c, plain));
        for (size_t i = 0; i < (size_t)M * N; i++) {
            require_u64("tile", s, i, steps[i], plain[i]);
        }
        /* one element, written out */
        size_t row = s % M;
        size_t column = s % N;
        fh_golden_modulus modulus = moduli[mixed ? column : 0];
        uint64_t sum = c[row * N + column] % modulus.q;
        for (size_t k = 0; k < K; k++) {
            sum = (sum + (uint64_t)a[row * K + k] * b[k * N + column] % modulus.q) % modulus.q;
        }
        require_u64("element", s, row * N + column, plain[row * N + column], sum);
        require_ok("d = c", fh_golden_fhec_steps(tile, mixed, moduli, a, b, c, c));
        assert_memory_equal(c, steps, sizeof c);
    }
}

/* With a wrong mu the result depends on the order of the products: k ascends. */
static void wrong_mu_in_order(void **state) {
    (void)state;
    const fh_golden_modulus modulus = {1073479681, 12345};
    const uint32_t a[] = {4000000000U, 3};
    const uint32_t b[] = {4100000000U, 5};
    const uint32_t c[] = {77};
    uint32_t forward = fh_golden_barrett_step(modulus, 77, a[0], b[0]);
    forward = fh_golden_barrett_step(modulus, forward, a[1], b[1]);
    uint32_t backward = fh_golden_barrett_step(modulus, 77, a[1], b[1]);
    backward = fh_golden_barrett_step(modulus, backward, a[0], b[0]);
    assert_int_not_equal(forward, backward);
    uint32_t d = 0;
    require_ok("steps",
               fh_golden_fhec_steps((fh_golden_shape){1, 1, 2}, false, &modulus, a, b, c, &d));
    assert_int_equal(d, forward);
}

/* 0 is no modulus, of whichever column that is used, and whatever mu is. */
static void zero_moduli(void **state) {
    (void)state;
    const fh_golden_shape shape = {1, 3, 1};
    const uint32_t a[] = {3}, b[] = {4, 5, 6}, c[] = {1, 2, 3};
    for (unsigned column = 0; column < 3; column++) {
        fh_golden_modulus moduli[] = {{7, 0}, {7, 0}, {7, 0}};
        uint32_t d[] = {90, 91, 92};
        moduli[column] = (fh_golden_modulus){0, column ? UINT64_MAX : 0};
        require_status("steps", fh_golden_fhec_steps(shape, true, moduli, a, b, c, d),
                       FH_GOLDEN_ERR_MODULUS);
        require_status("plain", fh_golden_fhec_plain(shape, true, moduli, a, b, c, d),
                       FH_GOLDEN_ERR_MODULUS);
        assert_true(d[0] == 90 && d[1] == 91 && d[2] == 92);
        require_status("the first alone", fh_golden_fhec_steps(shape, false, moduli, a, b, c, d),
                       column ? FH_GOLDEN_OK : FH_GOLDEN_ERR_MODULUS);
    }
}

/* 2 x 3 by 3 x 2, all four mixtures of signs, worked out by hand. */
static void imma_by_hand(void **state) {
    (void)state;
    static const uint8_t a[] = {255, 1, 2, 128, 0, 127};
    static const uint8_t b[] = {255, 3, 4, 200, 5, 128};
    static const int32_t c[] = {10, -20, 30, -40};
    static const int32_t want[2][2][4] = {
        /* [a signed][b signed] */
        {{65025 + 4 + 10 + 10, 765 + 200 + 256 - 20, 32640 + 635 + 30, 384 + 16256 - 40},
         {-255 + 4 + 10 + 10, 765 - 56 - 256 - 20, -128 + 635 + 30, 384 - 16256 - 40}},
        {{-255 + 4 + 10 + 10, -3 + 200 + 256 - 20, -32640 + 635 + 30, -384 + 16256 - 40},
         {1 + 4 + 10 + 10, -3 - 56 - 256 - 20, 128 + 635 + 30, -384 - 16256 - 40}},
    };
    for (unsigned i = 0; i < 8; i++) {
        fh_golden_imma imma = {{2, 2, 3}, (i & 1) != 0, (i & 2) != 0, (i & 4) != 0};
        int32_t d[4];
        fh_golden_imma_value(&imma, a, b, c, d);
        for (size_t j = 0; j < 4; j++) {
            assert_int_equal(d[j], want[i & 1][i >> 1 & 1][j]);
        }
    }
}

static void imma_overflow(void **state) {
    (void)state;
    static const uint8_t high[] = {255, 255};
    static const uint8_t low[] = {128, 128}; /* -128 */
    static const uint8_t top[] = {127, 127};
    const int32_t largest = INT32_MAX;
    const int32_t smallest = INT32_MIN;
    int32_t d = 0;
    fh_golden_imma imma = {{1, 1, 2}, false, false, false};
    fh_golden_imma_value(&imma, high, high, &largest, &d);
    assert_int_equal(d, INT32_MIN + 130049); /* 2 * 65025 - 1 past the end */
    imma.saturate = true;
    fh_golden_imma_value(&imma, high, high, &largest, &d);
    assert_int_equal(d, INT32_MAX);
    imma = (fh_golden_imma){{1, 1, 2}, true, true, false};
    fh_golden_imma_value(&imma, low, top, &smallest, &d);
    assert_int_equal(d, INT32_MAX - 32511); /* 2 * 16256 - 1 past the end */
    imma.saturate = true;
    fh_golden_imma_value(&imma, low, top, &smallest, &d);
    assert_int_equal(d, INT32_MIN);
    /* The exact sum is clamped, not each step: up past the end and back again. */
    static const uint8_t up_down[] = {100, 156}; /* 100, -100 */
    static const uint8_t hundred[] = {100, 100};
    fh_golden_imma_value(&imma, up_down, hundred, &largest, &d);
    assert_int_equal(d, INT32_MAX);
}

static void modular_lanes(void **state) {
    (void)state;
    const uint64_t max = UINT64_MAX;
    const uint64_t q = UINT64_MAX - 58; /* 2^64 - 59, so that 2^64 - 1 = 58 */
    uint64_t d = 0;
    require_ok("red", fh_golden_modred(max, q, &d));
    assert_int_equal(d, 58);
    require_ok("add", fh_golden_modadd(max, max, q, &d));
    assert_int_equal(d, 116);
    require_ok("sub", fh_golden_modsub(0, max, q, &d));
    assert_true(d == q - 58);
    require_ok("sub", fh_golden_modsub(0, 1, max, &d));
    assert_true(d == max - 1);
    require_ok("mul", fh_golden_modmul(max, max, q, &d));
    assert_int_equal(d, 58 * 58);
    require_ok("mad", fh_golden_modmad(max, max, max, q, &d));
    assert_int_equal(d, 58 * 58 + 58);
    require_ok("q = 1", fh_golden_modmad(max, max, max, 1, &d));
    assert_int_equal(d, 0);
    for (uint64_t a = 0; a < 12; a++) {
        for (uint64_t b = 0; b < 12; b++) {
            for (uint64_t m = 1; m < 8; m++) {
                require_ok("sub", fh_golden_modsub(a, b, m, &d));
                require_u64("sub", m, a * 100 + b, d, (a + 14 * m - b) % m);
            }
        }
    }
    require_status("red", fh_golden_modred(1, 0, &d), FH_GOLDEN_ERR_MODULUS);
    require_status("add", fh_golden_modadd(1, 1, 0, &d), FH_GOLDEN_ERR_MODULUS);
    require_status("sub", fh_golden_modsub(1, 1, 0, &d), FH_GOLDEN_ERR_MODULUS);
    require_status("mul", fh_golden_modmul(1, 1, 0, &d), FH_GOLDEN_ERR_MODULUS);
    require_status("mad", fh_golden_modmad(1, 1, 1, 0, &d), FH_GOLDEN_ERR_MODULUS);
    /* (2^64 - 1)^2 + 2^64 - 1 = (2^64 - 1) 2^64 */
    assert_true(fh_golden_wmac_lo(max, max, max) == 0);
    assert_true(fh_golden_wmac_hi(max, max, max) == max);
    assert_true(fh_golden_wmac_lo(3, 4, 5) == 17);
    assert_true(fh_golden_wmac_hi(3, 4, 5) == 0);
}

static void montgomery_by_hand(void **state) {
    (void)state;
    /* 2^32 = 4 mod 7: 3 * 5 / 4 = 15 * 2 = 30 = 2. 2^64 = 2 mod 7: 3 * 5 / 2 = 15 * 4 = 60 = 4. */
    assert_int_equal(fh_golden_montmul(32, 3, 5, 7), 2);
    assert_int_equal(fh_golden_montmul(64, 3, 5, 7), 4);
    /* M = 0: S is the running floor of x y / 2^n. */
    assert_true(fh_golden_montmul(32, UINT32_MAX, UINT32_MAX, 0) == UINT32_MAX - 1);
    assert_true(fh_golden_montmul(64, UINT64_MAX, UINT64_MAX, 0) == UINT64_MAX - 1);
    /* Even M: S = 1, (1 + 2) >> 1 = 1, and so on. */
    assert_int_equal(fh_golden_montmul(32, 1, 1, 2), 1);
    /* Upper halves do not count for 32 bits. */
    assert_true(fh_golden_montmul(32, 3 | 1ULL << 40, 5 | 1ULL << 50, 7 | 1ULL << 60) == 2);
    uint64_t d = 0;
    require_status("even", fh_golden_montmul_closed(32, 1, 1, 2, &d), FH_GOLDEN_ERR_EVEN_MODULUS);
    require_status("bits", fh_golden_montmul_closed(16, 1, 1, 3, &d), FH_GOLDEN_ERR_ARGUMENT);
}

/* For odd M and any operands the two forms agree; for operands below M both are x y 2^-n. */
static void montgomery_forms_agree(void **state) {
    (void)state;
    for (uint64_t i = 0; i < 20000; i++) {
        unsigned bits = i % 2 == 0 ? 32 : 64;
        uint64_t mask = bits == 32 ? UINT32_MAX : UINT64_MAX;
        uint64_t m = (fh_golden_random_word(2, 0, i) & mask) | 1;
        uint64_t x = fh_golden_random_word(2, 1, i) & mask;
        uint64_t y = fh_golden_random_word(2, 2, i) & mask;
        switch (i / 2 % 5) {
        case 0:
            m = mask; /* the largest sums */
            break;
        case 1: m = m >> (i / 10 % (bits - 1)) | 1; break;
        case 2:
            x = mask;
            y = mask;
            break;
        default: break;
        }
        uint64_t closed = 0;
        require_ok("closed", fh_golden_montmul_closed(bits, x, y, m, &closed));
        uint64_t serial = fh_golden_montmul(bits, x, y, m);
        if (serial != closed) {
            fail_msg("iteration %llu: %u bits, x %llu, y %llu, m %llu: serial %llu, closed %llu",
                     (unsigned long long)i, bits, (unsigned long long)x, (unsigned long long)y,
                     (unsigned long long)m, (unsigned long long)serial, (unsigned long long)closed);
        }
        /* value * 2^n = x y mod m */
        uint64_t reduced = fh_golden_montmul(bits, x % m, y % m, m);
        uint64_t shifted = fh_golden_mulmod(reduced, fh_golden_powmod(2, bits, m), m);
        require_u64("montgomery", 2, i, shifted, fh_golden_mulmod(x, y, m));
        assert_true(reduced < m);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(narrow_barrett_counterexamples),
        cmocka_unit_test(wrong_mu),
        cmocka_unit_test(right_mu_is_exact),
        cmocka_unit_test(tiles),
        cmocka_unit_test(wrong_mu_in_order),
        cmocka_unit_test(zero_moduli),
        cmocka_unit_test(imma_by_hand),
        cmocka_unit_test(imma_overflow),
        cmocka_unit_test(modular_lanes),
        cmocka_unit_test(montgomery_by_hand),
        cmocka_unit_test(montgomery_forms_agree),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

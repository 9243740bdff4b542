/*
 * The client's numbers: the embedding against its definition, which is a sum of cosines and sines,
 * integers through residues and back, and every refusal.
 */
#include "ckks.h"

#include <math.h>

#include "golden_util.h"

static const double pi = 3.14159265358979323846;

static fh_golden_ckks *make(unsigned log2_n, unsigned bits, size_t limbs) {
    const fh_golden_ckks_params params = {log2_n, bits, limbs, 1, limbs, NULL};
    fh_golden_ckks *ckks = NULL;
    require_ok("create", fh_golden_ckks_create(&ckks, &params));
    return ckks;
}

static double unit(uint64_t seed, uint64_t index) {
    return (double)(fh_golden_random_word(seed, 0, index) >> 11) * 0x1p-52 - 1;
}

static void require_near(const char *what, size_t n, size_t index, double got, double want,
                         double within) {
    if (!(fabs(got - want) <= within)) {
        fail_msg("%s: n %zu, index %zu: got %.17g, want %.17g within %g", what, n, index, got, want,
                 within);
    }
}

/* Position j of a polynomial's slots is its value at exp(i pi 5^j / N), term by term. */
static fh_golden_complex value_at_slot(size_t n, const int *coefficients, size_t slot) {
    uint64_t power = fh_golden_powmod(5, slot, 2 * n);
    fh_golden_complex sum = {0, 0};
    for (size_t k = 0; k < n; k++) {
        double angle = pi * (double)(power * k % (2 * n)) / (double)n;
        sum.re += coefficients[k] * cos(angle);
        sum.im += coefficients[k] * sin(angle);
    }
    return sum;
}

/* Integer coefficients -> slots by the definition; decoding gives these slots, and encoding them
 * gives the very same coefficients back. */
static void by_definition(void **state) {
    (void)state;
    for (unsigned log2_n = 1; log2_n <= 8; log2_n++) {
        fh_golden_ckks *ckks = make(log2_n, 40, 2);
        size_t n = ckks->n;
        int *coefficients = calloc(n, sizeof *coefficients);
        fh_golden_complex *slots = calloc(n / 2, sizeof *slots);
        fh_golden_complex *want = calloc(n / 2, sizeof *want);
        uint64_t *plain = make_array(2 * n);
        uint64_t *again = make_array(2 * n);
        assert_non_null(coefficients);
        assert_non_null(slots);
        assert_non_null(want);
        for (size_t k = 0; k < n; k++) {
            coefficients[k] = (int)(fh_golden_random_word(log2_n, 1, k) % 2000001) - 1000000;
            for (size_t j = 0; j < 2; j++) {
                int64_t q = (int64_t)ckks->moduli[j];
                plain[j * n + k] = (uint64_t)((coefficients[k] + q) % q);
            }
        }
        for (size_t j = 0; j < 2; j++) {
            fh_golden_ntt_forward(ckks->plans[j], FH_GOLDEN_BITREV, plain + j * n, plain + j * n);
        }
        require_ok("decode", fh_golden_ckks_decode(ckks, 2, 1024, plain, slots));
        for (size_t j = 0; j < n / 2; j++) {
            want[j] = value_at_slot(n, coefficients, j);
            double within = 1e-12 * 1e6 * (double)n;
            require_near("re", n, j, slots[j].re * 1024, want[j].re, within);
            require_near("im", n, j, slots[j].im * 1024, want[j].im, within);
        }
        require_ok("encode", fh_golden_ckks_encode(ckks, 2, 1, want, again));
        require_array("coefficients", 1, log2_n, 2 * n, again, plain);
        free(coefficients);
        free(slots);
        free(want);
        free(plain);
        free(again);
        fh_golden_ckks_free(ckks);
    }
}

/* Coefficients are off by half at most, slots by the sum of N of them, at any scale and level. */
static void round_trip(void **state) {
    (void)state;
    static const struct {
        unsigned log2_n;
        unsigned bits;
        size_t limbs;
        double scale;
    } cases[] = {{12, 32, 3, 0x1p30}, {12, 60, 3, 0x1p100}, {10, 25, 6, 0x1.8p45}, {5, 60, 1, 1e9}};
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        fh_golden_ckks *ckks = make(cases[i].log2_n, cases[i].bits, cases[i].limbs);
        size_t n = ckks->n;
        fh_golden_complex *slots = calloc(n / 2, sizeof *slots);
        fh_golden_complex *got = calloc(n / 2, sizeof *got);
        uint64_t *plain = make_array(cases[i].limbs * n);
        assert_non_null(slots);
        assert_non_null(got);
        for (size_t j = 0; j < n / 2; j++) {
            slots[j] = (fh_golden_complex){unit(i, 2 * j), unit(i, 2 * j + 1)};
        }
        require_ok("encode",
                   fh_golden_ckks_encode(ckks, cases[i].limbs, cases[i].scale, slots, plain));
        require_ok("decode",
                   fh_golden_ckks_decode(ckks, cases[i].limbs, cases[i].scale, plain, got));
        double within = (double)n / cases[i].scale + 0x1p-50;
        for (size_t j = 0; j < n / 2; j++) {
            require_near("re", n, j, got[j].re, slots[j].re, within);
            require_near("im", n, j, got[j].im, slots[j].im, within);
        }
        free(slots);
        free(got);
        free(plain);
        fh_golden_ckks_free(ckks);
    }
}

/* N = 2: one slot, X = i, so (3 - 2i) is 3 - 2 X, here times 2^100: exact in every limb. */
static void large_by_hand(void **state) {
    (void)state;
    fh_golden_ckks *ckks = make(1, 60, 3);
    const fh_golden_complex slot = {3, -2};
    uint64_t plain[6];
    require_ok("encode", fh_golden_ckks_encode(ckks, 3, 0x1p100, &slot, plain));
    for (size_t j = 0; j < 3; j++) {
        uint64_t q = ckks->moduli[j];
        uint64_t limb[2];
        uint64_t power = fh_golden_powmod(2, 100, q);
        fh_golden_ntt_inverse(ckks->plans[j], FH_GOLDEN_BITREV, plain + 2 * j, limb);
        require_u64("3", 2, j, limb[0], fh_golden_mulmod(3, power, q));
        require_u64("-2", 2, j, limb[1], fh_golden_mulmod(q - 2, power, q));
    }
    long double coefficients[2];
    require_ok("lift", fh_golden_ckks_lift(ckks, 3, plain, coefficients));
    assert_true(coefficients[0] == 0x3p100L && coefficients[1] == -0x2p100L);
    fh_golden_ckks_free(ckks);
}

/* Rotating the slots is the automorphism, multiplying them is multiplying polynomials. */
static void meaning_of_operations(void **state) {
    (void)state;
    enum { R = 5 };
    fh_golden_ckks *ckks = make(8, 50, 3);
    size_t n = ckks->n;
    fh_golden_complex slots[2][128];
    fh_golden_complex got[128];
    uint64_t *plain = make_array(6 * n);
    uint64_t *out = make_array(3 * n);
    for (size_t k = 0; k < 2; k++) {
        for (size_t j = 0; j < 128; j++) {
            slots[k][j] = (fh_golden_complex){unit(k, 2 * j), unit(k, 2 * j + 1)};
        }
        require_ok("encode", fh_golden_ckks_encode(ckks, 3, 0x1p45, slots[k], plain + k * 3 * n));
    }
    uint64_t g = 0;
    require_ok("g", fh_golden_galois_element(n, R, &g));
    for (size_t j = 0; j < 3; j++) {
        require_ok("automorphism",
                   fh_golden_automorphism_eval(n, g, FH_GOLDEN_BITREV, plain + j * n, out + j * n));
    }
    require_ok("decode", fh_golden_ckks_decode(ckks, 3, 0x1p45, out, got));
    for (size_t j = 0; j < 128; j++) {
        require_near("rotated", n, j, got[j].re, slots[0][(j + R) % 128].re, 1e-10);
        require_near("rotated", n, j, got[j].im, slots[0][(j + R) % 128].im, 1e-10);
    }
    for (size_t j = 0; j < 3; j++) {
        require_ok("product", fh_golden_mul(n, ckks->moduli[j], plain + j * n, plain + (3 + j) * n,
                                            out + j * n));
    }
    require_ok("decode", fh_golden_ckks_decode(ckks, 3, 0x1p90, out, got));
    for (size_t j = 0; j < 128; j++) {
        fh_golden_complex a = slots[0][j];
        fh_golden_complex b = slots[1][j];
        require_near("product", n, j, got[j].re, a.re * b.re - a.im * b.im, 1e-10);
        require_near("product", n, j, got[j].im, a.re * b.im + a.im * b.re, 1e-10);
    }
    free(plain);
    free(out);
    fh_golden_ckks_free(ckks);
}

/* Integers near zero and at both ends of (-Q/2, Q/2), Q = 449 * 353, all of it exhaustively. */
static void lift_is_centred(void **state) {
    (void)state;
    fh_golden_ckks *ckks = make(4, 9, 2);
    long product = (long)(ckks->moduli[0] * ckks->moduli[1]);
    require_u64("449 * 353", 0, 0, (uint64_t)product, 158497);
    uint64_t limbs[2 * 16];
    long double got[16];
    for (long first = -(product - 1) / 2; first <= (product - 1) / 2; first += 16) {
        for (size_t j = 0; j < 2; j++) {
            long q = (long)ckks->moduli[j];
            for (size_t k = 0; k < 16; k++) {
                limbs[j * 16 + k] = (uint64_t)(((first + (long)k) % q + q) % q);
            }
            fh_golden_ntt_forward(ckks->plans[j], FH_GOLDEN_BITREV, limbs + j * 16, limbs + j * 16);
        }
        require_ok("lift", fh_golden_ckks_lift(ckks, 2, limbs, got));
        for (size_t k = 0; k < 16 && first + (long)k <= (product - 1) / 2; k++) {
            if (got[k] != (long double)(first + (long)k)) {
                fail_msg("integer %ld came back as %Lg", first + (long)k, got[k]);
            }
        }
    }
    fh_golden_ckks_free(ckks);
}

static void refusals(void **state) {
    (void)state;
    fh_golden_ckks *ckks = make(4, 9, 2); /* Q = 158497, and 449 at level 1 */
    fh_golden_complex slots[8] = {{0, 0}};
    uint64_t plain[2 * 16];
    long double lifted[16];
    for (size_t j = 0; j < 8; j++) {
        slots[j].re = 1; /* the constant polynomial 1 */
    }
    const fh_golden_status level = FH_GOLDEN_ERR_LEVEL;
    const fh_golden_status scale = FH_GOLDEN_ERR_SCALE;
    const size_t levels[] = {0, 3};
    for (size_t i = 0; i < COUNT_OF(levels); i++) {
        size_t l = levels[i];
        require_status("encode", fh_golden_ckks_encode(ckks, l, 8, slots, plain), level);
        require_status("decode", fh_golden_ckks_decode(ckks, l, 8, plain, slots), level);
        require_status("lift", fh_golden_ckks_lift(ckks, l, plain, lifted), level);
    }
    const double scales[] = {0, -1, NAN, INFINITY, -INFINITY};
    for (size_t i = 0; i < COUNT_OF(scales); i++) {
        require_status("encode", fh_golden_ckks_encode(ckks, 2, scales[i], slots, plain), scale);
        require_status("decode", fh_golden_ckks_decode(ckks, 2, scales[i], plain, slots), scale);
    }
    require_ok("224", fh_golden_ckks_encode(ckks, 1, 224, slots, plain));
    require_status("225", fh_golden_ckks_encode(ckks, 1, 225, slots, plain), scale);
    require_ok("225 at level 2", fh_golden_ckks_encode(ckks, 2, 225, slots, plain));
    require_ok("79248", fh_golden_ckks_encode(ckks, 2, 79248, slots, plain));
    require_status("79249", fh_golden_ckks_encode(ckks, 2, 79249, slots, plain), scale);
    slots[3].im = NAN;
    require_status("NaN", fh_golden_ckks_encode(ckks, 2, 8, slots, plain), scale);
    slots[3].im = INFINITY;
    require_status("infinity", fh_golden_ckks_encode(ckks, 2, 8, slots, plain), scale);
    fh_golden_ckks_free(ckks);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(by_definition),   cmocka_unit_test(round_trip),
        cmocka_unit_test(large_by_hand),   cmocka_unit_test(meaning_of_operations),
        cmocka_unit_test(lift_is_centred), cmocka_unit_test(refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

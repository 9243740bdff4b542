/*
 * Keys: small polynomials have the stated distribution and are the same integers in every limb,
 * public and switching keys satisfy their equations, and seeds do what they should.
 */
#include "ckks.h"

#include "golden_util.h"

typedef struct setup {
    fh_golden_ckks *ckks;
    uint64_t *secret;
} setup;

static setup make(fh_golden_ckks_params params, uint64_t seed) {
    setup made = {NULL, NULL};
    require_ok("create", fh_golden_ckks_create(&made.ckks, &params));
    made.secret = make_array((made.ckks->limbs + made.ckks->alpha) * made.ckks->n);
    require_ok("secret", fh_golden_ckks_make_secret(made.ckks, seed, made.secret));
    return made;
}

static void drop(setup *made) {
    fh_golden_ckks_free(made->ckks);
    free(made->secret);
}

/* The small integers whose evaluations are the limbs `first` to `end` of the chain; the same ones
 * in every limb, none larger than `most`. */
static int *small_integers(const char *what, const fh_golden_ckks *ckks, size_t first, size_t end,
                           const uint64_t *evaluations, int most) {
    size_t n = ckks->n;
    int *integers = calloc(n, sizeof *integers);
    uint64_t *limb = make_array(n);
    assert_non_null(integers);
    for (size_t place = first; place < end; place++) {
        uint64_t q = ckks->moduli[place];
        fh_golden_ntt_inverse(ckks->plans[place], FH_GOLDEN_BITREV,
                              evaluations + (place - first) * n, limb);
        for (size_t i = 0; i < n; i++) {
            uint64_t size = limb[i] > q / 2 ? q - limb[i] : limb[i];
            if (size > (uint64_t)most) {
                fail_msg("%s: limb %zu, coefficient %zu has size %llu", what, place, i,
                         (unsigned long long)size);
            }
            int value = limb[i] > q / 2 ? -(int)size : (int)size;
            if (place == first) {
                integers[i] = value;
            } else if (integers[i] != value) {
                fail_msg("%s: limb %zu, coefficient %zu is %d, in the first limb %d", what, place,
                         i, value, integers[i]);
            }
        }
    }
    free(limb);
    return integers;
}

/* Mean and variance of n integers within six standard deviations of these estimates: the variance
 * of a mean is v / n, that of a mean square about 2 v^2 / n at most for these distributions. */
static void require_distribution(const char *what, size_t n, const int *integers, double variance) {
    double sum = 0;
    double squares = 0;
    for (size_t i = 0; i < n; i++) {
        sum += integers[i];
        squares += (double)integers[i] * integers[i];
    }
    double mean = sum / (double)n;
    double off = squares / (double)n - variance;
    if (mean * mean > 36 * variance / (double)n ||
        off * off > 36 * 2 * variance * variance / (double)n) {
        fail_msg("%s: mean %g, mean square %g, variance should be %g", what, mean,
                 squares / (double)n, variance);
    }
}

/* out = b + a s of limb `place`. */
static void open_limb(const setup *s, size_t place, const uint64_t *b, const uint64_t *a,
                      uint64_t *out) {
    size_t n = s->ckks->n;
    require_ok("open", fh_golden_mac(n, s->ckks->moduli[place], a, s->secret + place * n, b, out));
}

static void secret_is_ternary(void **state) {
    (void)state;
    setup s = make((fh_golden_ckks_params){12, 60, 2, 1, 2, NULL}, 1);
    size_t n = s.ckks->n;
    int *integers = small_integers("secret", s.ckks, 0, 3, s.secret, 1);
    require_distribution("secret", n, integers, 2.0 / 3);
    size_t zeros = 0;
    for (size_t i = 0; i < n; i++) {
        zeros += integers[i] == 0 ? 1 : 0;
    }
    assert_true(zeros > n * 30 / 100 && zeros < n * 37 / 100);
    free(integers);
    drop(&s);
}

static void public_key_hides_zero(void **state) {
    (void)state;
    setup s = make((fh_golden_ckks_params){12, 32, 3, 1, 3, NULL}, 2);
    size_t n = s.ckks->n;
    uint64_t *key = make_array(6 * n);
    uint64_t *opened = make_array(3 * n);
    require_ok("public key", fh_golden_ckks_make_public_key(s.ckks, 2, s.secret, key));
    for (size_t j = 0; j < 3; j++) {
        open_limb(&s, j, key + j * n, key + (3 + j) * n, opened + j * n);
    }
    int *error = small_integers("public key", s.ckks, 0, 3, opened, FH_GOLDEN_CKKS_ERROR_BOUND);
    require_distribution("public key", n, error, 10.5);
    free(error);
    free(key);
    free(opened);
    drop(&s);
}

/* Checks b + a s - P g_d s' = small for every digit, over the whole chain. */
static void check_switch_key(const char *what, const setup *s, const uint64_t *source,
                             const uint64_t *key) {
    const fh_golden_ckks *ckks = s->ckks;
    size_t n = ckks->n;
    size_t chain = ckks->limbs + ckks->alpha;
    uint64_t *opened = make_array(chain * n);
    int *first = NULL;
    for (size_t d = 0; d < ckks->dnum; d++) {
        for (size_t place = 0; place < chain; place++) {
            uint64_t q = ckks->moduli[place];
            uint64_t factor = 0; /* P g_d modulo q: P for the primes of digit d */
            if (place / ckks->digit == d && place < ckks->limbs) {
                factor = 1;
                for (size_t k = 0; k < ckks->alpha; k++) {
                    factor = fh_golden_mulmod(factor, ckks->moduli[ckks->limbs + k], q);
                }
            }
            uint64_t *limb = opened + place * n;
            open_limb(s, place, key + fh_golden_ckks_key_offset(ckks, d, 0, place),
                      key + fh_golden_ckks_key_offset(ckks, d, 1, place), limb);
            for (size_t i = 0; i < n && factor != 0; i++) {
                uint64_t message = fh_golden_mulmod(factor, source[place * n + i], q);
                limb[i] = (limb[i] + (q - message)) % q;
            }
        }
        int *error = small_integers(what, ckks, 0, chain, opened, FH_GOLDEN_CKKS_ERROR_BOUND);
        require_distribution(what, n, error, 10.5);
        if (first == NULL) {
            first = error;
        } else {
            assert_memory_not_equal(first, error, n * sizeof *error);
            free(error);
        }
    }
    free(first);
    free(opened);
}

static void switching_keys(void **state) {
    (void)state;
    static const fh_golden_ckks_params shapes[] = {
        {10, 32, 6, 2, 3, NULL},
        {9, 60, 4, 3, 2, NULL},
        {10, 31, 3, 3, 1, NULL},
        {10, 31, 5, 3, 2, NULL}}; /* the extension begins where the last digit would end */
    for (size_t p = 0; p < COUNT_OF(shapes); p++) {
        setup s = make(shapes[p], 10 + p);
        const fh_golden_ckks *ckks = s.ckks;
        size_t n = ckks->n;
        uint64_t *source = make_array(ckks->limbs * n);
        uint64_t *key = make_array(fh_golden_ckks_key_elements(ckks));
        require_ok("source", fh_golden_ckks_generate(ckks, FH_GOLDEN_RANDOM, 20 + p, ckks->limbs,
                                                     false, 1, source));
        require_ok("any", fh_golden_ckks_make_switch_key(ckks, p, s.secret, source, key));
        check_switch_key("any", &s, source, key);
        for (size_t j = 0; j < ckks->limbs; j++) {
            for (size_t e = j * n; e < (j + 1) * n; e++) {
                source[e] = fh_golden_mulmod(s.secret[e], s.secret[e], ckks->moduli[j]);
            }
        }
        require_ok("relin", fh_golden_ckks_make_relin_key(ckks, p, s.secret, key));
        check_switch_key("relin", &s, source, key);
        for (size_t j = 0; j < ckks->limbs; j++) { /* by coefficients: X -> X^25 */
            uint64_t *limb = make_array(2 * n);
            fh_golden_ntt_inverse(ckks->plans[j], FH_GOLDEN_BITREV, s.secret + j * n, limb);
            require_ok("25", fh_golden_automorphism_coeff(n, ckks->moduli[j], 25, limb, limb + n));
            fh_golden_ntt_forward(ckks->plans[j], FH_GOLDEN_BITREV, limb + n, source + j * n);
            free(limb);
        }
        require_ok("galois", fh_golden_ckks_make_galois_key(ckks, p, s.secret, 25, key));
        check_switch_key("galois", &s, source, key);
        require_status("even g", fh_golden_ckks_make_galois_key(ckks, p, s.secret, 26, key),
                       FH_GOLDEN_ERR_ARGUMENT);
        free(source);
        free(key);
        drop(&s);
    }
}

/* Equal seeds, equal keys; different seeds, digits and purposes share no uniform limb. */
static void seeds(void **state) {
    (void)state;
    setup s = make((fh_golden_ckks_params){6, 40, 2, 1, 2, NULL}, 5);
    const fh_golden_ckks *ckks = s.ckks;
    size_t n = ckks->n;
    size_t elements = fh_golden_ckks_key_elements(ckks);
    uint64_t *keys[5];
    for (size_t i = 0; i < 5; i++) {
        keys[i] = make_array(elements);
    }
    require_ok("relin", fh_golden_ckks_make_relin_key(ckks, 5, s.secret, keys[0]));
    require_ok("again", fh_golden_ckks_make_relin_key(ckks, 5, s.secret, keys[1]));
    require_array("again", 0, 5, elements, keys[1], keys[0]);
    require_ok("other", fh_golden_ckks_make_relin_key(ckks, 6, s.secret, keys[1]));
    require_ok("galois 3", fh_golden_ckks_make_galois_key(ckks, 5, s.secret, 3, keys[2]));
    require_ok("galois 5", fh_golden_ckks_make_galois_key(ckks, 5, s.secret, 5, keys[3]));
    require_ok("public", fh_golden_ckks_make_public_key(ckks, 5, s.secret, keys[4]));
    const uint64_t *uniform[9];
    for (size_t i = 0; i < 8; i++) {
        uniform[i] = keys[i / 2] + fh_golden_ckks_key_offset(ckks, i % 2, 1, 1);
    }
    uniform[8] = keys[4] + 3 * n;
    for (size_t i = 0; i < 9; i++) {
        for (size_t j = 0; j < i; j++) {
            assert_memory_not_equal(uniform[i], uniform[j], n * sizeof uniform[i][0]);
        }
    }
    require_ok("galois 3 + 2N",
               fh_golden_ckks_make_galois_key(ckks, 5, s.secret, 3 + 2 * n, keys[3]));
    require_array("g modulo 2N", 0, 5, elements, keys[3], keys[2]);
    for (size_t i = 0; i < 5; i++) {
        free(keys[i]);
    }
    drop(&s);
}

static void encryption(void **state) {
    (void)state;
    setup s = make((fh_golden_ckks_params){6, 40, 3, 1, 3, NULL}, 7);
    const fh_golden_ckks *ckks = s.ckks;
    size_t n = ckks->n;
    uint64_t *key = make_array(6 * n);
    uint64_t *plain = make_array(3 * n);
    uint64_t *full = make_array(6 * n);
    uint64_t *low = make_array(6 * n);
    uint64_t *opened = make_array(3 * n);
    require_ok("public", fh_golden_ckks_make_public_key(ckks, 7, s.secret, key));
    require_ok("plain", fh_golden_ckks_generate(ckks, FH_GOLDEN_RANDOM, 8, 3, false, 1, plain));
    require_ok("encrypt", fh_golden_ckks_encrypt(ckks, 3, 9, key, plain, full));
    require_ok("encrypt", fh_golden_ckks_encrypt(ckks, 2, 9, key, plain, low));
    require_array("c0 of level 2", 2, 9, 2 * n, low, full);
    require_array("c1 of level 2", 2, 9, 2 * n, low + 2 * n, full + 3 * n);
    require_ok("decrypt", fh_golden_ckks_decrypt(ckks, 3, s.secret, full, opened));
    for (size_t e = 0; e < 3 * n; e++) {
        uint64_t q = ckks->moduli[e / n];
        opened[e] = (opened[e] + (q - plain[e])) % q;
    }
    /* v e + e0 + e1 s: at most 21 (2 N + 1), and the same integers in each limb. */
    int *error = small_integers("noise", ckks, 0, 3, opened, 21 * (2 * (int)n + 1));
    free(error);
    require_ok("encrypt", fh_golden_ckks_encrypt(ckks, 3, 10, key, plain, low));
    assert_memory_not_equal(low, full, 6 * n * sizeof low[0]);
    require_status("level 0", fh_golden_ckks_encrypt(ckks, 0, 9, key, plain, low),
                   FH_GOLDEN_ERR_LEVEL);
    require_status("level 4", fh_golden_ckks_encrypt(ckks, 4, 9, key, plain, low),
                   FH_GOLDEN_ERR_LEVEL);
    require_status("level 0", fh_golden_ckks_decrypt(ckks, 0, s.secret, full, opened),
                   FH_GOLDEN_ERR_LEVEL);
    require_status("level 4", fh_golden_ckks_decrypt(ckks, 4, s.secret, full, opened),
                   FH_GOLDEN_ERR_LEVEL);
    free(key);
    free(plain);
    free(full);
    free(low);
    free(opened);
    drop(&s);
}

/* With a public key of (1, 0) a ciphertext of zero is (v + e0, e1), and with (0, 0) it is (e0, e1):
 * so the parts of an encryption can be looked at one by one. */
static void parts_of_an_encryption(void **state) {
    (void)state;
    setup s = make((fh_golden_ckks_params){12, 40, 1, 1, 1, NULL}, 8);
    size_t n = s.ckks->n;
    uint64_t *key = make_array(2 * n);
    uint64_t *zero = make_array(n);
    uint64_t *errors = make_array(2 * n);
    uint64_t *masked = make_array(2 * n);
    require_ok("errors", fh_golden_ckks_encrypt(s.ckks, 1, 4, key, zero, errors));
    for (size_t i = 0; i < n; i++) {
        key[i] = 1;
    }
    require_ok("masked", fh_golden_ckks_encrypt(s.ckks, 1, 4, key, zero, masked));
    require_array("e1", 0, 4, n, masked + n, errors + n);
    require_ok("mask", fh_golden_sub(n, s.ckks->moduli[0], masked, errors, masked));
    int *mask = small_integers("v", s.ckks, 0, 1, masked, 1);
    int *first = small_integers("e0", s.ckks, 0, 1, errors, FH_GOLDEN_CKKS_ERROR_BOUND);
    int *second = small_integers("e1", s.ckks, 0, 1, errors + n, FH_GOLDEN_CKKS_ERROR_BOUND);
    require_distribution("v", n, mask, 2.0 / 3);
    require_distribution("e0", n, first, 10.5);
    require_distribution("e1", n, second, 10.5);
    assert_memory_not_equal(first, second, n * sizeof first[0]);
    for (size_t i = 0; i < n; i++) {
        key[i] = 0;
    }
    require_ok("another seed", fh_golden_ckks_encrypt(s.ckks, 1, 5, key, zero, masked));
    assert_memory_not_equal(masked, errors, n * sizeof masked[0]);
    assert_memory_not_equal(masked + n, errors + n, n * sizeof masked[0]);
    free(key);
    free(zero);
    free(errors);
    free(masked);
    free(mask);
    free(first);
    free(second);
    drop(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(secret_is_ternary), cmocka_unit_test(public_key_hides_zero),
        cmocka_unit_test(switching_keys),    cmocka_unit_test(seeds),
        cmocka_unit_test(encryption),        cmocka_unit_test(parts_of_an_encryption),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

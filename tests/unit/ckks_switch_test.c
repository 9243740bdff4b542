/*
 * Key switching and Rescale against integers: what ModUp, ModDown and Rescale make of known
 * coefficients, the inner product by its definition, and what a switched polynomial decrypts to.
 * Transforms here are the schoolbook ones.
 */
#include "ckks.h"

#include <math.h>

#include "golden_util.h"

typedef fh_golden_u128 u128;

static fh_golden_ckks *make(fh_golden_ckks_params params) {
    fh_golden_ckks *ckks = NULL;
    require_ok("create", fh_golden_ckks_create(&ckks, &params));
    return ckks;
}

/* Of limb `place` of the chain. */
static void schoolbook(const fh_golden_ckks *ckks, bool inverse, size_t place, const uint64_t *in,
                       uint64_t *out) {
    const fh_golden_ntt_params ntt = {FH_GOLDEN_NEGACYCLIC, ckks->n, ckks->moduli[place],
                                      ckks->psi[place]};
    require_ok("schoolbook", inverse ? fh_golden_intt_schoolbook(&ntt, FH_GOLDEN_BITREV, in, out)
                                     : fh_golden_ntt_schoolbook(&ntt, FH_GOLDEN_BITREV, in, out));
}

static size_t place_of(const fh_golden_ckks *ckks, size_t level, size_t limb) {
    return limb < level ? limb : ckks->limbs + (limb - level);
}

static const fh_golden_ckks_params shapes[] = {
    {4, 32, 6, 2, 3, NULL}, {4, 32, 7, 4, 3, NULL}, /* digits of 3, 3 and 1 */
    {5, 60, 4, 4, 2, NULL}, {3, 20, 9, 3, 3, NULL}, {4, 30, 3, 1, 3, NULL},
};
static const fh_golden_pattern patterns[] = {FH_GOLDEN_RANDOM, FH_GOLDEN_ALL_MAX,
                                             FH_GOLDEN_ALTERNATING, FH_GOLDEN_ONE_HOT};

/* The raised digit keeps its own limbs, and is the digit's value plus a multiple below its number
 * of limbs of its modulus everywhere else. */
static void check_mod_up(const fh_golden_ckks *ckks, size_t level, size_t digit, uint64_t seed,
                         const uint64_t *in) {
    size_t n = ckks->n;
    size_t extended = level + ckks->alpha;
    uint64_t *out = make_array(extended * n);
    uint64_t *from = make_array(extended * n);
    uint64_t *to = make_array(extended * n);
    require_ok("ModUp", fh_golden_ckks_mod_up(ckks, level, digit, in, out));
    fh_golden_ckks_conversion c;
    require_ok("bases", fh_golden_ckks_mod_up_bases(ckks, level, digit, &c));
    for (size_t j = 0; j < c.from_count; j++) {
        size_t at = c.from_limb[j] * n;
        require_array("own limb", c.from[j], seed, n, out + at, in + at);
        schoolbook(ckks, true, c.from_limb[j], in + at, from + j * n);
    }
    for (size_t i = 0; i < c.to_count; i++) {
        schoolbook(ckks, true, place_of(ckks, level, c.to_limb[i]), out + c.to_limb[i] * n,
                   to + i * n);
    }
    const fh_golden_bases bases = {c.from_count, c.from, c.to_count, c.to};
    require_ok("raised", fh_golden_bconv_check(&bases, n, from, to, NULL));
    /* And of the allowed multiples it is the one that the fast conversion takes. */
    require_ok("fast", fh_golden_bconv_fast(&bases, n, from, from + c.from_count * n));
    require_array("fast", level, seed, c.to_count * n, to, from + c.from_count * n);
    free(out);
    free(from);
    free(to);
}

/* in - P out has coefficients [in]_P + u P with one u in [0, alpha) for all q. */
static void check_mod_down(const fh_golden_ckks *ckks, size_t level, const uint64_t *in) {
    size_t n = ckks->n;
    uint64_t *out = make_array(level * n);
    uint64_t *low = make_array(ckks->alpha * n);
    uint64_t *rest = make_array(level * n);
    uint64_t *whole = make_array(n);
    require_ok("ModDown", fh_golden_ckks_mod_down(ckks, level, in, out));
    for (size_t k = 0; k < ckks->alpha; k++) {
        schoolbook(ckks, true, ckks->limbs + k, in + (level + k) * n, low + k * n);
    }
    for (size_t i = 0; i < level; i++) {
        uint64_t q = ckks->moduli[i];
        uint64_t p = ckks->p_residue[i];
        schoolbook(ckks, true, i, in + i * n, whole);
        schoolbook(ckks, true, i, out + i * n, rest + i * n);
        for (size_t c = 0; c < n; c++) {
            uint64_t product = fh_golden_mulmod(p, rest[i * n + c], q);
            rest[i * n + c] = (whole[c] + (q - product)) % q;
        }
    }
    const fh_golden_bases bases = {ckks->alpha, ckks->moduli + ckks->limbs, level, ckks->moduli};
    require_ok("divided", fh_golden_bconv_check(&bases, n, low, rest, NULL));
    free(out);
    free(low);
    free(rest);
    free(whole);
}

static void mod_up_and_down(void **state) {
    (void)state;
    for (size_t s = 0; s < COUNT_OF(shapes); s++) {
        fh_golden_ckks *ckks = make(shapes[s]);
        uint64_t *in = make_array((ckks->limbs + ckks->alpha) * ckks->n);
        for (size_t level = 1; level <= ckks->limbs; level++) {
            for (size_t p = 0; p < COUNT_OF(patterns); p++) {
                uint64_t seed = 10 * s + p;
                require_ok("in",
                           fh_golden_ckks_generate(ckks, patterns[p], seed, level, true, 1, in));
                for (size_t digit = 0; digit < fh_golden_ckks_digits(ckks, level); digit++) {
                    check_mod_up(ckks, level, digit, seed, in);
                }
                check_mod_down(ckks, level, in);
            }
        }
        free(in);
        fh_golden_ckks_free(ckks);
    }
}

/* The inner product by its sum, and KeySwitch as the composition of its parts. */
static void composition(void **state) {
    (void)state;
    for (size_t s = 0; s < COUNT_OF(shapes); s++) {
        fh_golden_ckks *ckks = make(shapes[s]);
        size_t n = ckks->n;
        uint64_t *key = make_array(fh_golden_ckks_key_elements(ckks));
        require_ok("key", fh_golden_ckks_generate(ckks, FH_GOLDEN_RANDOM, 5, ckks->limbs, true,
                                                  2 * ckks->dnum, key));
        for (size_t level = 1; level <= ckks->limbs; level++) {
            size_t size = (level + ckks->alpha) * n;
            size_t digits = fh_golden_ckks_digits(ckks, level);
            uint64_t *in = make_array(level * n);
            uint64_t *raised = make_array(digits * size);
            uint64_t *sum = make_array(2 * size);
            uint64_t *parts = make_array(2 * level * n);
            uint64_t *out = make_array(2 * level * n);
            require_ok("in",
                       fh_golden_ckks_generate(ckks, FH_GOLDEN_RANDOM, s, level, false, 1, in));
            for (size_t d = 0; d < digits; d++) {
                require_ok("up", fh_golden_ckks_mod_up(ckks, level, d, in, raised + d * size));
            }
            require_ok("inner product",
                       fh_golden_ckks_inner_product(ckks, level, raised, key, sum));
            for (size_t e = 0; e < 2 * size; e++) {
                size_t place = place_of(ckks, level, e % size / n);
                uint64_t q = ckks->moduli[place];
                uint64_t want = 0;
                for (size_t d = 0; d < digits; d++) {
                    uint64_t factor =
                        key[fh_golden_ckks_key_offset(ckks, d, e / size, place) + e % n];
                    want = (want + fh_golden_mulmod(raised[d * size + e % size], factor, q)) % q;
                }
                require_u64("sum", level, e, sum[e], want);
            }
            for (size_t k = 0; k < 2; k++) {
                require_ok("down", fh_golden_ckks_mod_down(ckks, level, sum + k * size,
                                                           parts + k * level * n));
            }
            require_ok("switch", fh_golden_ckks_key_switch(ckks, level, in, key, out));
            require_array("switch", level, s, 2 * level * n, out, parts);
            free(in);
            free(raised);
            free(sum);
            free(parts);
            free(out);
        }
        free(key);
        fh_golden_ckks_free(ckks);
    }
}

/* A uniform polynomial c times any s', switched, decrypts to c s' up to what must be: in the worst
 * case, coefficient by coefficient, sum_d N k_d Q_d 21 / P + alpha (1 + N); and rarely exactly. */
static void switched_decrypts(void **state) {
    (void)state;
    static const fh_golden_ckks_params wide[] = {
        {8, 32, 6, 2, 3, NULL}, {8, 32, 4, 4, 2, NULL}, {7, 60, 4, 1, 4, NULL}};
    for (size_t s = 0; s < COUNT_OF(wide); s++) {
        fh_golden_ckks *ckks = make(wide[s]);
        size_t n = ckks->n;
        uint64_t *secret = make_array((ckks->limbs + ckks->alpha) * n);
        uint64_t *source = make_array(ckks->limbs * n);
        uint64_t *key = make_array(fh_golden_ckks_key_elements(ckks));
        long double *error = calloc(n, sizeof *error);
        assert_non_null(error);
        require_ok("secret", fh_golden_ckks_make_secret(ckks, s, secret));
        require_ok("source", fh_golden_ckks_generate(ckks, FH_GOLDEN_RANDOM, s + 1, ckks->limbs,
                                                     false, 1, source));
        require_ok("key", fh_golden_ckks_make_switch_key(ckks, s + 2, secret, source, key));
        for (size_t level = 2; level <= ckks->limbs; level++) {
            uint64_t *in = make_array(level * n);
            uint64_t *out = make_array(2 * level * n);
            require_ok("in",
                       fh_golden_ckks_generate(ckks, FH_GOLDEN_RANDOM, s + 3, level, false, 1, in));
            require_ok("switch", fh_golden_ckks_key_switch(ckks, level, in, key, out));
            for (size_t j = 0; j < level; j++) {
                uint64_t q = ckks->moduli[j];
                for (size_t e = j * n; e < (j + 1) * n; e++) {
                    uint64_t got = fh_golden_mulmod(out[level * n + e], secret[e], q) + out[e];
                    out[e] = (got + q - fh_golden_mulmod(in[e], source[e], q)) % q;
                }
            }
            require_ok("lift", fh_golden_ckks_lift(ckks, level, out, error));
            /* Q_d / P <= q_0^digit / p_last^alpha, and no digit has more than alpha limbs. */
            double ratio =
                pow((double)ckks->moduli[0], (double)ckks->digit) /
                pow((double)ckks->moduli[ckks->limbs + ckks->alpha - 1], (double)ckks->alpha);
            double width = (double)ckks->digit * (double)ckks->dnum * ratio;
            double bound = (double)n * width * FH_GOLDEN_CKKS_ERROR_BOUND +
                           (double)ckks->alpha * (1 + (double)n);
            size_t exact = 0;
            for (size_t c = 0; c < n; c++) {
                exact += error[c] == 0 ? 1 : 0;
                if (!(fabsl(error[c]) <= bound)) {
                    fail_msg("shape %zu, level %zu, coefficient %zu: error %Lg above %g", s, level,
                             c, error[c], bound);
                }
            }
            assert_true(exact < n / 10);
            free(in);
            free(out);
        }
        free(secret);
        free(source);
        free(key);
        free(error);
        fh_golden_ckks_free(ckks);
    }
}

/* ------------------------------------------------------------------------------------ Rescale */

/* Any integer below Q, and those next to a rounding boundary and to both ends. */
static u128 hostile_integer(uint64_t seed, size_t c, u128 product, uint64_t last) {
    uint64_t random = fh_golden_random_word(seed, 1, c);
    u128 wide = ((u128)random << 64 | fh_golden_random_word(seed, 2, c)) % product;
    switch (c % 6) {
    case 0: return wide;
    case 1: return wide / last * last + last / 2; /* the last that rounds down */
    case 2: return (wide / last * last + last / 2 + 1) % product;
    case 3: return product - 1 - random % 3; /* rounds to Q / q_last, which is 0 */
    case 4: return random % last;
    default: return wide / last * last;
    }
}

/* Every coefficient is the integer quotient, rounded to nearest, of an integer known beforehand;
 * with the dropped prime the smallest and the largest of its chain. */
static void rescale_is_rounded_division(void **state) {
    (void)state;
    uint64_t up[4];
    uint64_t small[4];
    require_ok("40", fh_golden_prime_chain(16, 40, 4, up));
    require_ok("20", fh_golden_prime_chain(16, 20, 4, small));
    const uint64_t growing[] = {small[1], small[0], up[0], up[1]};
    const uint64_t shrinking[] = {up[0], up[1], small[0], up[2]};
    const fh_golden_ckks_params cases[] = {
        {4, 42, 3, 1, 3, NULL}, {4, 0, 3, 1, 3, growing}, {4, 0, 3, 1, 3, shrinking}};
    for (size_t s = 0; s < COUNT_OF(cases); s++) {
        fh_golden_ckks *ckks = make(cases[s]);
        for (size_t level = 2; level <= 3; level++) {
            uint64_t last = ckks->moduli[level - 1];
            u128 product = 1;
            for (size_t j = 0; j < level; j++) {
                product *= ckks->moduli[j];
            }
            u128 integers[2][16];
            uint64_t limb[16];
            uint64_t in[2 * 3 * 16];
            uint64_t out[2 * 2 * 16];
            uint64_t want[2 * 2 * 16];
            for (size_t k = 0; k < 2; k++) {
                for (size_t c = 0; c < 16; c++) {
                    integers[k][c] = hostile_integer(7 * s + k, c, product, last);
                }
                for (size_t j = 0; j < level; j++) {
                    for (size_t c = 0; c < 16; c++) {
                        limb[c] = (uint64_t)(integers[k][c] % ckks->moduli[j]);
                    }
                    schoolbook(ckks, false, j, limb, in + (k * level + j) * 16);
                }
                for (size_t j = 0; j + 1 < level; j++) {
                    for (size_t c = 0; c < 16; c++) {
                        u128 quotient = (integers[k][c] + last / 2) / last;
                        limb[c] = (uint64_t)(quotient % ckks->moduli[j]);
                    }
                    schoolbook(ckks, false, j, limb, want + (k * (level - 1) + j) * 16);
                }
            }
            require_ok("rescale", fh_golden_ckks_rescale(ckks, level, in, out));
            require_array("quotient", last, s, 2 * (level - 1) * 16, out, want);
        }
        fh_golden_ckks_free(ckks);
    }
}

/* ------------------------------------------------------------------------------------ refusals */

static void wrong_levels(void **state) {
    (void)state;
    fh_golden_ckks *ckks = make(shapes[0]);
    uint64_t *a = make_array(1024);
    uint64_t *key = make_array(fh_golden_ckks_key_elements(ckks));
    uint64_t *out = make_array(1024);
    const size_t levels[] = {0, 7, SIZE_MAX};
    const fh_golden_status bad = FH_GOLDEN_ERR_LEVEL;
    for (size_t i = 0; i < COUNT_OF(levels); i++) {
        size_t level = levels[i];
        require_status("up", fh_golden_ckks_mod_up(ckks, level, 0, a, out), bad);
        require_status("inner", fh_golden_ckks_inner_product(ckks, level, a, key, out), bad);
        require_status("down", fh_golden_ckks_mod_down(ckks, level, a, out), bad);
        require_status("switch", fh_golden_ckks_key_switch(ckks, level, a, key, out), bad);
        require_status("rescale", fh_golden_ckks_rescale(ckks, level, a, out), bad);
        require_status("rotate", fh_golden_ckks_rotate(ckks, level, 1, a, key, out), bad);
        require_status("galois", fh_golden_ckks_galois(ckks, level, 3, a, key, out), bad);
        require_status("hemult", fh_golden_ckks_hemult(ckks, level, a, a, key, out), bad);
        require_status("both", fh_golden_ckks_hemult_rescale(ckks, level, a, a, key, out), bad);
        require_status("ptmult", fh_golden_ckks_ptmult(ckks, level, a, a, out), bad);
        require_status("ptadd", fh_golden_ckks_ptadd(ckks, level, a, a, out), bad);
        require_status("headd", fh_golden_ckks_headd(ckks, level, a, a, out), bad);
    }
    require_status("nothing to drop", fh_golden_ckks_rescale(ckks, 1, a, out), bad);
    require_status("nor after", fh_golden_ckks_hemult_rescale(ckks, 1, a, a, key, out), bad);
    require_status("digit", fh_golden_ckks_mod_up(ckks, 6, 3, a, out), FH_GOLDEN_ERR_DIGITS);
    require_status("digit", fh_golden_ckks_mod_up(ckks, 4, 2, a, out), FH_GOLDEN_ERR_DIGITS);
    require_status("even g", fh_golden_ckks_galois(ckks, 6, 4, a, key, out),
                   FH_GOLDEN_ERR_ARGUMENT);
    free(a);
    free(key);
    free(out);
    fh_golden_ckks_free(ckks);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mod_up_and_down),   cmocka_unit_test(composition),
        cmocka_unit_test(switched_decrypts), cmocka_unit_test(rescale_is_rounded_division),
        cmocka_unit_test(wrong_levels),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

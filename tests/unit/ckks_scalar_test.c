/*
 * Integers, monomials, levels, ModRaise, sparse secrets and hoisted rotations, each against plain
 * arithmetic on coefficients or the schoolbook product, with operands beyond the moduli.
 */
#include "ckks.h"

#include "ckks_track.h"
#include "golden_util.h"

enum { LIMBS = 4, LEVEL = 3 };

typedef struct setup {
    fh_golden_ckks *ckks;
    uint64_t *in;  /* 2 x LEVEL x n, not reduced */
    uint64_t *out; /* 2 x LEVEL x n */
} setup;

static setup make(unsigned log2_n, unsigned bits) {
    setup s = {NULL, NULL, NULL};
    const fh_golden_ckks_params params = {log2_n, bits, LIMBS, 2, 2, NULL};
    require_ok("create", fh_golden_ckks_create(&s.ckks, &params));
    size_t elements = 2 * LEVEL * s.ckks->n;
    s.in = make_array(elements);
    s.out = make_array(elements);
    for (size_t i = 0; i < elements; i++) {
        s.in[i] = fh_golden_random_word(bits, 1, i);
    }
    return s;
}

static void drop(setup *s) {
    fh_golden_ckks_free(s->ckks);
    free(s->in);
    free(s->out);
}

static const struct {
    unsigned log2_n;
    unsigned bits;
} shapes[] = {{4, 31}, {6, 32}, {5, 60}};

/* Integers at the edges of 128 bits, and what they are modulo q by repeated addition of halves. */
static void residues(void **state) {
    (void)state;
    const fh_golden_i128 one = 1;
    const fh_golden_i128 largest = ((one << 126) - 1) * 2 + 1;
    const fh_golden_i128 numbers[] = {
        0, 1, -1, 1234567, -1234567, one << 64, -(one << 64), largest, -largest, -largest - 1};
    const uint64_t moduli[] = {1, 2, 97, 4294967291U, ((uint64_t)1 << 61) - 1};
    for (size_t i = 0; i < COUNT_OF(numbers); i++) {
        for (size_t j = 0; j < COUNT_OF(moduli); j++) {
            fh_golden_i128 q = (fh_golden_i128)moduli[j];
            fh_golden_i128 want = numbers[i] % q;
            want = want < 0 ? want + q : want;
            require_u64("residue", i, j, fh_golden_ckks_residue(numbers[i], moduli[j]),
                        (uint64_t)want);
        }
    }
}

static void with_integers(void **state) {
    (void)state;
    const fh_golden_i128 scalars[] = {0, 1, -1, (fh_golden_i128)0x123456789abcdef << 63,
                                      -((fh_golden_i128)0xfedcba987654321 << 65) - 17};
    for (size_t p = 0; p < COUNT_OF(shapes); p++) {
        setup s = make(shapes[p].log2_n, shapes[p].bits);
        size_t n = s.ckks->n;
        for (size_t k = 0; k < COUNT_OF(scalars); k++) {
            uint64_t *sum = make_array(2 * LEVEL * n);
            require_ok("product",
                       fh_golden_ckks_scalar_mult(s.ckks, LEVEL, scalars[k], s.in, s.out));
            require_ok("sum", fh_golden_ckks_scalar_add(s.ckks, LEVEL, scalars[k], s.in, sum));
            for (size_t i = 0; i < 2 * LEVEL * n; i++) {
                fh_golden_i128 q = (fh_golden_i128)s.ckks->moduli[i / n % LEVEL];
                fh_golden_i128 scalar = (scalars[k] % q + q) % q;
                fh_golden_i128 x = (fh_golden_i128)s.in[i] % q;
                require_u64("product", p, i, s.out[i], (uint64_t)(scalar * x % q));
                fh_golden_i128 term = i < LEVEL * n ? scalar : 0;
                require_u64("sum", p, i, sum[i], (uint64_t)((term + x) % q));
            }
            memcpy(sum, s.in, 2 * LEVEL * n * sizeof sum[0]);
            require_ok("in place", fh_golden_ckks_scalar_mult(s.ckks, LEVEL, scalars[k], sum, sum));
            require_array("in place", p, k, 2 * LEVEL * n, sum, s.out);
            free(sum);
        }
        drop(&s);
    }
}

static void differences(void **state) {
    (void)state;
    setup s = make(5, 32);
    size_t elements = 2 * LEVEL * s.ckks->n;
    uint64_t *other = make_array(elements);
    for (size_t i = 0; i < elements; i++) {
        other[i] = fh_golden_random_word(9, 2, i);
    }
    require_ok("sub", fh_golden_ckks_hesub(s.ckks, LEVEL, s.in, other, s.out));
    for (size_t i = 0; i < elements; i++) {
        uint64_t q = s.ckks->moduli[i / s.ckks->n % LEVEL];
        require_u64("sub", 9, i, (s.out[i] + other[i] % q) % q, s.in[i] % q);
        assert_true(s.out[i] < q);
    }
    free(other);
    drop(&s);
}

/* The product with X^k by coefficients: shifted by k, with X^N = -1. */
static void monomials(void **state) {
    (void)state;
    for (size_t p = 0; p < COUNT_OF(shapes); p++) {
        setup s = make(shapes[p].log2_n, shapes[p].bits);
        size_t n = s.ckks->n;
        uint64_t *got = make_array(n);
        uint64_t *from = make_array(n);
        const size_t exponents[] = {0, 1, n / 2, n - 1, n, n + 3, 3 * n / 2, 2 * n - 1, 2 * n + 5};
        for (size_t k = 0; k < COUNT_OF(exponents); k++) {
            require_ok("monomial",
                       fh_golden_ckks_monomial(s.ckks, LEVEL, exponents[k], s.in, s.out));
            for (size_t j = 0; j < 2 * LEVEL; j++) {
                const fh_golden_ntt_plan *plan = s.ckks->plans[j % LEVEL];
                uint64_t q = s.ckks->moduli[j % LEVEL];
                fh_golden_ntt_inverse(plan, FH_GOLDEN_BITREV, s.in + j * n, from);
                fh_golden_ntt_inverse(plan, FH_GOLDEN_BITREV, s.out + j * n, got);
                for (size_t i = 0; i < n; i++) {
                    size_t to = (i + exponents[k]) % (2 * n);
                    uint64_t want = to >= n ? (q - from[i]) % q : from[i];
                    require_u64("monomial", exponents[k], i, got[to % n], want);
                }
            }
        }
        free(got);
        free(from);
        drop(&s);
    }
}

static void levels(void **state) {
    (void)state;
    setup s = make(5, 31);
    size_t n = s.ckks->n;
    uint64_t *twice = make_array(2 * LEVEL * n);
    require_ok("one", fh_golden_ckks_rescale(s.ckks, LEVEL, s.in, twice));
    require_ok("by one", fh_golden_ckks_rescale_limbs(s.ckks, LEVEL, 1, s.in, s.out));
    require_array("by one", 0, 31, 2 * (LEVEL - 1) * n, s.out, twice);
    uint64_t *last = make_array(2 * n);
    require_ok("two", fh_golden_ckks_rescale(s.ckks, LEVEL - 1, twice, last));
    require_ok("by two", fh_golden_ckks_rescale_limbs(s.ckks, LEVEL, 2, s.in, s.out));
    require_array("by two", 0, 31, 2 * n, s.out, last);
    require_status("by all", fh_golden_ckks_rescale_limbs(s.ckks, LEVEL, 3, s.in, s.out),
                   FH_GOLDEN_ERR_LEVEL);
    for (size_t lower = 1; lower <= LEVEL; lower++) {
        require_ok("drop", fh_golden_ckks_drop(s.ckks, LEVEL, lower, s.in, s.out));
        for (size_t i = 0; i < 2 * lower * n; i++) {
            size_t limb = i / n % lower;
            size_t component = i / n / lower;
            require_u64("drop", lower, i, s.out[i],
                        s.in[(component * LEVEL + limb) * n + i % n] % s.ckks->moduli[limb]);
        }
    }
    require_ok("by none", fh_golden_ckks_rescale_limbs(s.ckks, LEVEL, 0, s.in, twice));
    require_array("by none", 0, 31, 2 * LEVEL * n, twice, s.out);
    require_status("up", fh_golden_ckks_drop(s.ckks, LEVEL, LEVEL + 1, s.in, s.out),
                   FH_GOLDEN_ERR_LEVEL);
    require_status("to 0", fh_golden_ckks_drop(s.ckks, LEVEL, 0, s.in, s.out), FH_GOLDEN_ERR_LEVEL);
    free(twice);
    free(last);
    drop(&s);
}

/* Three Rescales at once by the definition: three times one. */
static void three_limbs(void **state) {
    (void)state;
    const fh_golden_ckks_params params = {5, 32, LIMBS, 2, 2, NULL};
    fh_golden_ckks *ckks = NULL;
    require_ok("create", fh_golden_ckks_create(&ckks, &params));
    size_t n = ckks->n;
    uint64_t *a = make_array(2 * LIMBS * n);
    uint64_t *b = make_array(2 * LIMBS * n);
    uint64_t *at_once = make_array(2 * n);
    require_ok("a", fh_golden_ckks_generate(ckks, FH_GOLDEN_RANDOM, 1, LIMBS, false, 2, a));
    require_ok("by three", fh_golden_ckks_rescale_limbs(ckks, LIMBS, 3, a, at_once));
    require_ok("first", fh_golden_ckks_rescale(ckks, 4, a, b));
    require_ok("second", fh_golden_ckks_rescale(ckks, 3, b, a));
    require_ok("third", fh_golden_ckks_rescale(ckks, 2, a, b));
    require_array("by three", 0, 1, 2 * n, at_once, b);
    free(a);
    free(b);
    free(at_once);
    fh_golden_ckks_free(ckks);
}

/* Integers of both signs, the largest and smallest of (-Q0/2, Q0/2) among them, come back in every
 * limb. */
static void raised_integers(void **state) {
    (void)state;
    for (size_t p = 0; p < COUNT_OF(shapes); p++) {
        for (size_t base = 1; base <= 2; base++) {
            setup s = make(shapes[p].log2_n, shapes[p].bits);
            const fh_golden_ckks *ckks = s.ckks;
            size_t n = ckks->n;
            fh_golden_i128 q0 = (fh_golden_i128)ckks->moduli[0];
            q0 *= base == 2 ? (fh_golden_i128)ckks->moduli[1] : 1;
            fh_golden_i128 *integers = calloc(2 * n, sizeof *integers);
            assert_non_null(integers);
            for (size_t k = 0; k < 2 * n; k++) {
                fh_golden_i128 word = (fh_golden_i128)fh_golden_random_word(p, 3, k) << 60;
                integers[k] = (word | (fh_golden_i128)fh_golden_random_word(p, 4, k) >> 4) % q0;
                integers[k] -= integers[k] > q0 / 2 ? q0 : 0;
            }
            integers[1] = q0 / 2;
            integers[2] = -(q0 / 2);
            integers[n + 3] = -1;
            integers[n + 4] = 0;
            uint64_t *low = make_array(2 * base * n);
            for (size_t i = 0; i < 2 * base * n; i++) {
                low[i] = fh_golden_ckks_residue(integers[i / (base * n) * n + i % n],
                                                ckks->moduli[i / n % base]);
            }
            for (size_t j = 0; j < 2 * base; j++) {
                fh_golden_ntt_forward(ckks->plans[j % base], FH_GOLDEN_BITREV, low + j * n,
                                      low + j * n);
                low[j * n] += ckks->moduli[j % base]; /* an operand need not be reduced */
            }
            require_ok("raise", fh_golden_ckks_mod_raise(ckks, base, LEVEL, low, s.out));
            for (size_t j = 0; j < 2 * LEVEL; j++) {
                uint64_t q = ckks->moduli[j % LEVEL];
                fh_golden_ntt_inverse(ckks->plans[j % LEVEL], FH_GOLDEN_BITREV, s.out + j * n,
                                      s.in);
                for (size_t k = 0; k < n; k++) {
                    fh_golden_i128 want = integers[j / LEVEL * n + k] % (fh_golden_i128)q;
                    want += want < 0 ? (fh_golden_i128)q : 0;
                    require_u64("raised", base, j * n + k, s.in[k], (uint64_t)want);
                }
            }
            require_status("base", fh_golden_ckks_mod_raise(ckks, 3, LEVEL, low, s.out),
                           FH_GOLDEN_ERR_LEVEL);
            require_status("level", fh_golden_ckks_mod_raise(ckks, 2, 1, low, s.out),
                           FH_GOLDEN_ERR_LEVEL);
            free(low);
            free(integers);
            drop(&s);
        }
    }
}

/* Exactly so many coefficients, 1 or -1, in places that follow from the seed, in each chain the
 * same. */
static void sparse_secrets(void **state) {
    (void)state;
    setup wide = make(6, 32);
    setup other = make(6, 60);
    size_t n = 64;
    uint64_t *secrets[2] = {make_array((LIMBS + 2) * n), make_array((LIMBS + 2) * n)};
    for (uint64_t seed = 0; seed < 20; seed++) {
        size_t weight = seed < 2 ? (seed == 0 ? 1 : n) : seed;
        require_ok("secret",
                   fh_golden_ckks_make_sparse_secret(wide.ckks, seed, weight, secrets[0]));
        require_ok("secret",
                   fh_golden_ckks_make_sparse_secret(other.ckks, seed, weight, secrets[1]));
        size_t signs[2] = {0, 0};
        for (size_t j = 0; j < LIMBS + 2; j++) {
            uint64_t limbs[2][64];
            fh_golden_ntt_inverse(wide.ckks->plans[j], FH_GOLDEN_BITREV, secrets[0] + j * n,
                                  limbs[0]);
            fh_golden_ntt_inverse(other.ckks->plans[j], FH_GOLDEN_BITREV, secrets[1] + j * n,
                                  limbs[1]);
            for (size_t i = 0; i < n; i++) {
                bool minus = limbs[0][i] == wide.ckks->moduli[j] - 1;
                assert_true(minus || limbs[0][i] <= 1);
                require_u64("other chain", seed, i, limbs[1][i],
                            minus ? other.ckks->moduli[j] - 1 : limbs[0][i]);
                signs[minus] += j == 0 && limbs[0][i] != 0;
            }
        }
        require_u64("weight", seed, weight, signs[0] + signs[1], weight);
        assert_true(weight < 15 || (signs[0] != 0 && signs[1] != 0));
    }
    require_ok("again", fh_golden_ckks_make_sparse_secret(wide.ckks, 18, 19, secrets[0]));
    require_ok("again", fh_golden_ckks_make_sparse_secret(wide.ckks, 19, 19, secrets[1]));
    assert_memory_not_equal(secrets[0], secrets[1], n * sizeof secrets[0][0]);
    require_status("none", fh_golden_ckks_make_sparse_secret(wide.ckks, 1, 0, secrets[0]),
                   FH_GOLDEN_ERR_ARGUMENT);
    require_status("more", fh_golden_ckks_make_sparse_secret(wide.ckks, 1, n + 1, secrets[0]),
                   FH_GOLDEN_ERR_ARGUMENT);
    free(secrets[0]);
    free(secrets[1]);
    drop(&wide);
    drop(&other);
}

/* Both keys switch: a message under s is one under s' after the first, in a short chain, and back
 * after the second. */
static void encapsulation_keys(void **state) {
    (void)state;
    const fh_golden_ckks_params params = {8, 40, 2, 2, 1, NULL};
    fh_golden_ckks *ckks = NULL;
    require_ok("create", fh_golden_ckks_create(&ckks, &params));
    size_t n = ckks->n;
    uint64_t *secret = make_array(4 * n);
    uint64_t *sparse = make_array(4 * n);
    uint64_t *key = make_array(fh_golden_ckks_key_elements(ckks));
    uint64_t *switched = make_array(4 * n);
    uint64_t *plain = make_array(4 * n);
    long double *coefficients = calloc(n, sizeof *coefficients);
    assert_non_null(coefficients);
    require_ok("secret", fh_golden_ckks_make_secret(ckks, 1, secret));
    require_ok("sparse", fh_golden_ckks_make_sparse_secret(ckks, 2, 16, sparse));
    for (int back = 0; back < 2; back++) {
        const uint64_t *from = back != 0 ? sparse : secret;
        const uint64_t *to = back != 0 ? secret : sparse;
        require_ok("key", back != 0
                              ? fh_golden_ckks_make_release_key(ckks, 3, secret, sparse, key)
                              : fh_golden_ckks_make_encapsulate_key(ckks, 3, secret, sparse, key));
        require_ok("in", fh_golden_ckks_generate(ckks, FH_GOLDEN_RANDOM, 4, 2, false, 1, plain));
        require_ok("switch", fh_golden_ckks_key_switch(ckks, 2, plain, key, switched));
        for (size_t j = 0; j < 2; j++) { /* in s - (b + a s'), small */
            uint64_t q = ckks->moduli[j];
            for (size_t i = j * n; i < (j + 1) * n; i++) {
                uint64_t was = fh_golden_mulmod(plain[i], from[i], q);
                uint64_t is = switched[i] + fh_golden_mulmod(switched[2 * n + i], to[i], q);
                plain[i] = (was + q - is % q) % q;
            }
        }
        require_ok("lift", fh_golden_ckks_lift(ckks, 2, plain, coefficients));
        for (size_t k = 0; k < n; k++) { /* k_d e / P and ModDown's rounding: a few hundred */
            assert_true(coefficients[k] < 0x1p14L && coefficients[k] > -0x1p14L);
        }
    }
    free(coefficients);
    free(secret);
    free(sparse);
    free(key);
    free(switched);
    free(plain);
    fh_golden_ckks_free(ckks);
}

/* Hoisted rotations decrypt to the rotated message within the bounds of rotations that are not. */
static void hoisted_rotations(void **state) {
    (void)state;
    const fh_golden_ckks_params params = {8, 50, 6, 2, 3, NULL};
    fh_client client = fh_client_make(&params, 21);
    const fh_golden_ckks *ckks = client.ckks;
    size_t n = ckks->n;
    for (size_t level = 6; level >= 3; level -= 3) { /* 3: the last digit is shorter */
        fh_tracked x = fh_client_encrypt(&client, level, 0x1p45, 1);
        size_t digits = fh_golden_ckks_digits(ckks, level);
        uint64_t *raised = make_array(digits * (level + ckks->alpha) * n);
        require_ok("raise",
                   fh_golden_ckks_raise_digits(ckks, level, x.residues + level * n, raised));
        const uint64_t steps[] = {1, 5, n / 2 - 1};
        for (size_t i = 0; i < COUNT_OF(steps); i++) {
            uint64_t g = fh_golden_powmod(5, steps[i], 2 * n);
            uint64_t *key = fh_client_galois_key(&client, g);
            fh_tracked out = fh_tracked_make(&client, level);
            fh_track_rotate(&client, &x, steps[i], &out);
            require_ok("hoisted", fh_golden_ckks_galois_hoisted(ckks, level, g, x.residues, raised,
                                                                key, out.residues));
            fh_tracked_check("hoisted", &client, &out);
            uint64_t *plain = make_array(2 * level * n);
            require_ok("rotate",
                       fh_golden_ckks_rotate(ckks, level, steps[i], x.residues, key, plain));
            assert_memory_not_equal(plain, out.residues, 2 * level * n * sizeof plain[0]);
            free(plain);
            free(key);
            fh_tracked_free(&out);
        }
        require_status(
            "even",
            fh_golden_ckks_galois_hoisted(ckks, level, 4, x.residues, raised, raised, raised),
            FH_GOLDEN_ERR_ARGUMENT);
        free(raised);
        fh_tracked_free(&x);
    }
    fh_client_free(&client);
}

/* With an identity for the automorphism a hoisted rotation is a key switch, bit by bit. */
static void hoisted_identity(void **state) {
    (void)state;
    const fh_golden_ckks_params params = {5, 32, 4, 2, 2, NULL};
    fh_golden_ckks *ckks = NULL;
    require_ok("create", fh_golden_ckks_create(&ckks, &params));
    size_t n = ckks->n;
    uint64_t *in = make_array(8 * n);
    uint64_t *raised = make_array(2 * 6 * n);
    uint64_t *key = make_array(fh_golden_ckks_key_elements(ckks));
    uint64_t *want = make_array(8 * n);
    uint64_t *got = make_array(8 * n);
    require_ok("in", fh_golden_ckks_generate(ckks, FH_GOLDEN_RANDOM, 1, 4, false, 2, in));
    require_ok("key", fh_golden_ckks_generate(ckks, FH_GOLDEN_RANDOM, 2, 4, true, 4, key));
    require_ok("raise", fh_golden_ckks_raise_digits(ckks, 4, in + 4 * n, raised));
    require_ok("hoisted", fh_golden_ckks_galois_hoisted(ckks, 4, 1, in, raised, key, got));
    require_ok("galois", fh_golden_ckks_galois(ckks, 4, 1, in, key, want));
    require_array("identity", 0, 1, 8 * n, got, want);
    free(in);
    free(raised);
    free(key);
    free(want);
    free(got);
    fh_golden_ckks_free(ckks);
}

/* The permutation of raised digits is the automorphism of the integers that they are. */
static void hoisted_digits(void **state) {
    (void)state;
    const fh_golden_ckks_params params = {5, 32, 4, 2, 2, NULL};
    fh_golden_ckks *ckks = NULL;
    require_ok("create", fh_golden_ckks_create(&ckks, &params));
    size_t n = ckks->n;
    const uint64_t g = 23;
    uint64_t *in = make_array(8 * n);
    uint64_t *raised = make_array(2 * 6 * n);
    uint64_t *turned = make_array(2 * 6 * n);
    uint64_t *key = make_array(fh_golden_ckks_key_elements(ckks));
    uint64_t *sum = make_array(2 * 6 * n);
    uint64_t *want = make_array(8 * n);
    uint64_t *got = make_array(8 * n);
    uint64_t limb[2][32];
    require_ok("in", fh_golden_ckks_generate(ckks, FH_GOLDEN_RANDOM, 3, 4, false, 2, in));
    require_ok("key", fh_golden_ckks_generate(ckks, FH_GOLDEN_RANDOM, 4, 4, true, 4, key));
    require_ok("raise", fh_golden_ckks_raise_digits(ckks, 4, in + 4 * n, raised));
    for (size_t j = 0; j < 12; j++) {
        const fh_golden_ntt_plan *plan = ckks->plans[j % 6];
        fh_golden_ntt_inverse(plan, FH_GOLDEN_BITREV, raised + j * n, limb[0]);
        require_ok("automorphism",
                   fh_golden_automorphism_coeff(n, ckks->moduli[j % 6], g, limb[0], limb[1]));
        fh_golden_ntt_forward(plan, FH_GOLDEN_BITREV, limb[1], turned + j * n);
    }
    require_ok("product", fh_golden_ckks_inner_product(ckks, 4, turned, key, sum));
    require_ok("b", fh_golden_ckks_mod_down(ckks, 4, sum, want));
    require_ok("a", fh_golden_ckks_mod_down(ckks, 4, sum + 6 * n, want + 4 * n));
    for (size_t j = 0; j < 4; j++) {
        const fh_golden_ntt_plan *plan = ckks->plans[j];
        fh_golden_ntt_inverse(plan, FH_GOLDEN_BITREV, in + j * n, limb[0]);
        require_ok("automorphism",
                   fh_golden_automorphism_coeff(n, ckks->moduli[j], g, limb[0], limb[1]));
        fh_golden_ntt_forward(plan, FH_GOLDEN_BITREV, limb[1], limb[0]);
        for (size_t i = 0; i < n; i++) {
            want[j * n + i] = (want[j * n + i] + limb[0][i]) % ckks->moduli[j];
        }
    }
    require_ok("hoisted", fh_golden_ckks_galois_hoisted(ckks, 4, g, in, raised, key, got));
    require_array("by coefficients", 0, 3, 8 * n, got, want);
    free(in);
    free(raised);
    free(turned);
    free(key);
    free(sum);
    free(want);
    free(got);
    fh_golden_ckks_free(ckks);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(residues),
        cmocka_unit_test(with_integers),
        cmocka_unit_test(differences),
        cmocka_unit_test(monomials),
        cmocka_unit_test(levels),
        cmocka_unit_test(three_limbs),
        cmocka_unit_test(raised_integers),
        cmocka_unit_test(sparse_secrets),
        cmocka_unit_test(encapsulation_keys),
        cmocka_unit_test(hoisted_rotations),
        cmocka_unit_test(hoisted_identity),
        cmocka_unit_test(hoisted_digits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

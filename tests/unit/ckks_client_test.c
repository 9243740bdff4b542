/*
 * The CKKS primitives mean what they should: messages are encrypted, worked on and decrypted, and
 * lie within the scheme's error of the same computation on complex numbers (ckks_track.h has the
 * bounds). A definition that is wrong in both a kernel and its reference would fail here.
 */
#include "ckks_track.h"

#include <math.h>

#include "golden_util.h"

typedef struct shape {
    fh_golden_ckks_params params;
    double scale; /* about the primes' size, or that of the primes that get dropped */
} shape;

/* Given chains: a large first prime, small ones to drop, a large extension (N = 2^10 divides them
 * all, found in main); and primes in ascending order, so that the dropped one is the largest. */
static uint64_t mixed[8];
static uint64_t ascending[8];

static const shape shapes[] = {
    {{12, 32, 6, 2, 3, NULL}, 0x1p32},     /* digits as long as the extension, 32-bit elements */
    {{12, 32, 4, 3, 2, NULL}, 0x1p32},     /* an extension with a limb to spare */
    {{11, 31, 4, 1, 4, NULL}, 0x1p31},     /* a digit a limb */
    {{10, 30, 5, 5, 1, NULL}, 0x1p30},     /* one digit */
    {{12, 60, 4, 2, 2, NULL}, 0x1p59},     /* 64-bit elements */
    {{10, 0, 6, 2, 3, mixed}, 0x1p40},     /* a chain as other libraries make it */
    {{10, 0, 6, 2, 3, ascending}, 0x1p33}, /* unusual, and legal */
    {{9, 32, 27, 9, 3, NULL}, 0x1p32},     /* three long digits */
    {{10, 60, 11, 4, 3, NULL}, 0x1p59},    /* the shape of the published counts, small N: 4, 4, 3 */
    {{10, 32, 5, 4, 2, NULL}, 0x1p32},     /* digits of 3 and 2 */
};

static void find_chains(void) {
    uint64_t primes[8];
    require_ok("60 bits", fh_golden_prime_chain(1024, 60, 3, primes));
    mixed[0] = primes[0];
    mixed[6] = primes[1];
    mixed[7] = primes[2];
    require_ok("40 bits", fh_golden_prime_chain(1024, 40, 5, mixed + 1));
    require_ok("33 bits", fh_golden_prime_chain(1024, 33, 8, primes));
    for (size_t j = 0; j < 8; j++) {
        ascending[j] = primes[7 - j];
    }
}

/* What encryption alone leaves is known to a few percent: v e_pk + e0 + e1 s + rounding. */
static void fresh_error(void **state) {
    (void)state;
    for (size_t i = 0; i < COUNT_OF(shapes); i++) {
        fh_client client = fh_client_make(&shapes[i].params, 100 + i);
        size_t n = client.ckks->n;
        fh_tracked x = fh_client_encrypt(&client, client.ckks->limbs, shapes[i].scale, 1);
        fh_tracked_check("fresh", &client, &x);
        double coefficient = 2 * (2.0 / 3 * 10.5 * (double)n) + 10.5 + 1.0 / 12;
        double expected = sqrt((double)n * coefficient);
        double rms = fh_tracked_error(&client, &x).rms;
        if (!(rms > 0.75 * expected && rms < 1.33 * expected)) {
            fail_msg("shape %zu, seed %llu: rms %g, expected %g", i,
                     (unsigned long long)client.seed, rms, expected);
        }
        fh_tracked_free(&x);
        fh_client_free(&client);
    }
}

static void rotate_to(const fh_client *client, const fh_tracked *x, uint64_t r, fh_tracked *out) {
    uint64_t g = 0;
    require_ok("galois", fh_golden_galois_element(client->ckks->n, r, &g));
    uint64_t *key = fh_client_galois_key(client, g);
    require_ok("rotate",
               fh_golden_ckks_rotate(client->ckks, x->level, r, x->residues, key, out->residues));
    free(key);
    fh_track_rotate(client, x, r, out);
}

static void rotations(const fh_client *client, const fh_tracked *x) {
    size_t n = client->ckks->n;
    const uint64_t amounts[] = {0, 1, 5, n / 2 - 1};
    fh_tracked out = fh_tracked_make(client, x->level);
    for (size_t i = 0; i < COUNT_OF(amounts); i++) {
        rotate_to(client, x, amounts[i], &out);
        fh_tracked_check("rotate", client, &out);
    }
    uint64_t *key = fh_client_galois_key(client, 2 * n - 1);
    require_ok("conjugate", fh_golden_ckks_galois(client->ckks, x->level, 2 * n - 1, x->residues,
                                                  key, out.residues));
    fh_track_conjugate(client, x, &out);
    fh_tracked_check("conjugate", client, &out);
    free(key);
    fh_tracked_free(&out);
}

static void with_plaintext(const fh_client *client, const fh_tracked *x) {
    const fh_golden_ckks *ckks = client->ckks;
    fh_golden_complex *message = fh_client_message(client, 77);
    uint64_t *plain = make_array(x->level * ckks->n);
    fh_tracked out = fh_tracked_make(client, x->level);
    double scale = x->scale / 3;
    require_ok("encode", fh_golden_ckks_encode(ckks, x->level, scale, message, plain));
    require_ok("ptmult", fh_golden_ckks_ptmult(ckks, x->level, x->residues, plain, out.residues));
    fh_track_ptmult(client, x, message, scale, &out);
    fh_tracked_check("ptmult", client, &out);
    require_ok("encode", fh_golden_ckks_encode(ckks, x->level, x->scale, message, plain));
    require_ok("ptadd", fh_golden_ckks_ptadd(ckks, x->level, x->residues, plain, out.residues));
    fh_track_ptadd(client, x, message, &out);
    fh_tracked_check("ptadd", client, &out);
    free(message);
    free(plain);
    fh_tracked_free(&out);
}

static void products(const fh_client *client, const fh_tracked *x, const fh_tracked *y) {
    const fh_golden_ckks *ckks = client->ckks;
    size_t n = ckks->n;
    size_t level = x->level;
    fh_tracked sum = fh_tracked_make(client, level);
    fh_tracked product = fh_tracked_make(client, level);
    fh_tracked rescaled = fh_tracked_make(client, level - 1);
    require_ok("headd", fh_golden_ckks_headd(ckks, level, x->residues, y->residues, sum.residues));
    fh_track_headd(client, x, y, &sum);
    fh_tracked_check("headd", client, &sum);
    require_ok("hemult", fh_golden_ckks_hemult(ckks, level, x->residues, y->residues,
                                               client->relin_key, product.residues));
    fh_track_hemult(client, x, y, &product);
    fh_tracked_check("hemult", client, &product);
    require_ok("rescale", fh_golden_ckks_rescale(ckks, level, product.residues, rescaled.residues));
    fh_track_rescale(client, &product, &rescaled);
    fh_tracked_check("hemult, rescale", client, &rescaled);
    uint64_t *at_once = make_array(2 * (level - 1) * n);
    require_ok("both at once", fh_golden_ckks_hemult_rescale(ckks, level, x->residues, y->residues,
                                                             client->relin_key, at_once));
    require_array("both at once", level, client->seed, 2 * (level - 1) * n, at_once,
                  rescaled.residues);
    free(at_once);
    fh_tracked_free(&sum);
    fh_tracked_free(&product);
    fh_tracked_free(&rescaled);
}

/* Every operation, at the full level and one below it, where the last digit may be shorter. */
static void each_operation(void **state) {
    (void)state;
    for (size_t i = 0; i < COUNT_OF(shapes); i++) {
        fh_client client = fh_client_make(&shapes[i].params, 200 + i);
        for (size_t level = client.ckks->limbs; level + 2 > client.ckks->limbs; level--) {
            fh_tracked x = fh_client_encrypt(&client, level, shapes[i].scale, 1);
            fh_tracked y = fh_client_encrypt(&client, level, shapes[i].scale * 0.75, 2);
            rotations(&client, &x);
            with_plaintext(&client, &x);
            y.scale = x.scale; /* y now reads 3/4 of its message, and may be added to x */
            for (size_t j = 0; j < client.ckks->n / 2; j++) {
                y.slots[j].re *= 0.75;
                y.slots[j].im *= 0.75;
            }
            products(&client, &x, &y);
            fh_tracked_free(&x);
            fh_tracked_free(&y);
        }
        fh_client_free(&client);
    }
}

/* A computation that goes down the chain: x <- rot(x y) + (dropped) x, y <- y, level by level. */
static void down_the_chain(void **state) {
    (void)state;
    for (size_t i = 0; i < COUNT_OF(shapes); i++) {
        fh_client client = fh_client_make(&shapes[i].params, 300 + i);
        const fh_golden_ckks *ckks = client.ckks;
        fh_tracked x = fh_client_encrypt(&client, ckks->limbs, shapes[i].scale, 1);
        fh_tracked y = fh_client_encrypt(&client, ckks->limbs, shapes[i].scale, 2);
        size_t steps = 0;
        for (size_t level = ckks->limbs; level > 2 && steps < 4; level--, steps++) {
            fh_tracked y_now = fh_tracked_make(&client, level);
            fh_tracked product = fh_tracked_make(&client, level);
            fh_tracked turned = fh_tracked_make(&client, level);
            fh_tracked rescaled = fh_tracked_make(&client, level - 1);
            fh_track_drop(&client, &y, &y_now);
            require_ok("hemult", fh_golden_ckks_hemult(ckks, level, x.residues, y_now.residues,
                                                       client.relin_key, product.residues));
            fh_track_hemult(&client, &x, &y_now, &product);
            rotate_to(&client, &product, 3 + steps, &turned);
            require_ok("rescale",
                       fh_golden_ckks_rescale(ckks, level, turned.residues, rescaled.residues));
            fh_track_rescale(&client, &turned, &rescaled);
            fh_tracked_check("down the chain", &client, &rescaled);
            fh_tracked_free(&x);
            x = rescaled;
            fh_tracked_free(&y_now);
            fh_tracked_free(&product);
            fh_tracked_free(&turned);
        }
        assert_true(steps >= 2);
        fh_tracked_free(&x);
        fh_tracked_free(&y);
        fh_client_free(&client);
    }
}

/* The check itself: a wrong key, a wrong rotation, one wrong residue and an encryption without
 * noise do not pass for right. */
static void wrong_is_noticed(void **state) {
    (void)state;
    fh_client client = fh_client_make(&shapes[0].params, 400);
    const fh_golden_ckks *ckks = client.ckks;
    size_t level = ckks->limbs;
    fh_tracked x = fh_client_encrypt(&client, level, shapes[0].scale, 1);
    fh_tracked out = fh_tracked_make(&client, level);
    rotate_to(&client, &x, 2, &out);
    assert_true(fh_tracked_error(&client, &out).worst_ratio <= 1);
    fh_track_rotate(&client, &x, ckks->n / 2 - 2, &out); /* the other direction */
    assert_true(fh_tracked_error(&client, &out).worst_ratio > 1);
    require_ok("rotate",
               fh_golden_ckks_rotate(ckks, level, 2, x.residues, client.relin_key, out.residues));
    fh_track_rotate(&client, &x, 2, &out);
    assert_true(fh_tracked_error(&client, &out).worst_ratio > 1);
    require_ok("hemult", fh_golden_ckks_hemult(ckks, level, x.residues, x.residues,
                                               client.relin_key, out.residues));
    fh_track_hemult(&client, &x, &x, &out);
    assert_true(fh_tracked_error(&client, &out).worst_ratio <= 1);
    out.residues[3 * ckks->n + 17] ^= 1;
    assert_true(fh_tracked_error(&client, &out).worst_ratio > 1);
    /* The bare message is a valid ciphertext with c1 = 0, but nothing that encryption gives. */
    memset(x.residues, 0, 2 * level * ckks->n * sizeof x.residues[0]);
    require_ok("encode", fh_golden_ckks_encode(ckks, level, x.scale, x.slots, x.residues));
    assert_true(fh_tracked_error(&client, &x).worst_ratio < 0.01);
    fh_tracked_free(&x);
    fh_tracked_free(&out);
    fh_client_free(&client);
}

int main(void) {
    find_chains();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fresh_error),
        cmocka_unit_test(each_operation),
        cmocka_unit_test(down_the_chain),
        cmocka_unit_test(wrong_is_noticed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

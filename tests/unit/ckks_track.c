/*
 * ckks_track.c - messages and error bounds beside ciphertexts; see ckks_track.h for the bounds.
 */
#include "ckks_track.h"

#include <math.h>

#include "golden_util.h"

static const double pi = 3.14159265358979323846;

/* ------------------------------------------------------------------------------------ client */

fh_client fh_client_make(const fh_golden_ckks_params *params, uint64_t seed) {
    fh_client client = {.seed = seed};
    require_ok("create", fh_golden_ckks_create(&client.ckks, params));
    const fh_golden_ckks *ckks = client.ckks;
    client.secret = make_array((ckks->limbs + ckks->alpha) * ckks->n);
    client.public_key = make_array(2 * ckks->limbs * ckks->n);
    client.relin_key = make_array(fh_golden_ckks_key_elements(ckks));
    require_ok("secret", fh_golden_ckks_make_secret(ckks, seed, client.secret));
    require_ok("public key",
               fh_golden_ckks_make_public_key(ckks, seed, client.secret, client.public_key));
    require_ok("relinearisation key",
               fh_golden_ckks_make_relin_key(ckks, seed, client.secret, client.relin_key));
    return client;
}

void fh_client_free(fh_client *client) {
    fh_golden_ckks_free(client->ckks);
    free(client->secret);
    free(client->public_key);
    free(client->relin_key);
}

uint64_t *fh_client_galois_key(const fh_client *client, uint64_t g) {
    uint64_t *key = make_array(fh_golden_ckks_key_elements(client->ckks));
    require_ok("Galois key",
               fh_golden_ckks_make_galois_key(client->ckks, client->seed, client->secret, g, key));
    return key;
}

/* In [-1, 1). */
static double unit(uint64_t seed, uint64_t stream, uint64_t index) {
    return (double)(fh_golden_random_word(seed, stream, index) >> 11) * 0x1p-52 - 1;
}

fh_golden_complex *fh_client_message(const fh_client *client, uint64_t stream) {
    size_t slots = client->ckks->n / 2;
    fh_golden_complex *message = calloc(slots, sizeof *message);
    assert_non_null(message);
    for (size_t j = 0; j < slots; j++) {
        message[j].re = unit(client->seed, stream, 2 * j);
        message[j].im = unit(client->seed, stream, 2 * j + 1);
    }
    return message;
}

/* ------------------------------------------------------------------------------------ bounds */

static double ternary_bound(size_t n) {
    return 6 * sqrt(2.0 / 3 * (double)n);
}

static double error_bound(size_t n) {
    return 6 * sqrt(FH_GOLDEN_CKKS_ERROR_BOUND / 2.0 * (double)n);
}

static double rounding_bound(size_t n) {
    return 6 * sqrt((double)n / 12);
}

/* B_j(most). */
static double coefficient_bound(size_t n, size_t slot, double most) {
    uint64_t exponent = fh_golden_powmod(5, slot, 2 * n);
    double bias = most / 2 / fabs(sin(pi * (double)exponent / (double)(2 * n)));
    return bias + 6 * (most / 2) * sqrt((double)n);
}

static double key_switch_bound(const fh_golden_ckks *ckks, size_t level, size_t slot) {
    double digits = 0; /* sum of k_d Q_d / P */
    for (size_t first = 0; first < level; first += ckks->digit) {
        double part = 1;
        size_t k = 0;
        for (; k < ckks->digit && first + k < level; k++) {
            part *= (double)ckks->moduli[first + k];
        }
        part *= (double)k;
        for (size_t i = 0; i < ckks->alpha; i++) {
            part /= (double)ckks->moduli[ckks->limbs + i];
        }
        digits += part;
    }
    size_t n = ckks->n;
    return coefficient_bound(n, slot, digits) * error_bound(n) +
           coefficient_bound(n, slot, (double)ckks->alpha) * (1 + ternary_bound(n));
}

/* ----------------------------------------------------------------------------------- tracking */

fh_tracked fh_tracked_make(const fh_client *client, size_t level) {
    const fh_golden_ckks *ckks = client->ckks;
    fh_tracked made = {.level = level, .scale = 1};
    made.slots = calloc(ckks->n / 2, sizeof *made.slots);
    made.bound = calloc(ckks->n / 2, sizeof *made.bound);
    made.residues = make_array(2 * ckks->limbs * ckks->n);
    assert_non_null(made.slots);
    assert_non_null(made.bound);
    return made;
}

void fh_tracked_free(fh_tracked *tracked) {
    free(tracked->slots);
    free(tracked->bound);
    free(tracked->residues);
}

fh_tracked fh_client_encrypt(const fh_client *client, size_t level, double scale, uint64_t stream) {
    const fh_golden_ckks *ckks = client->ckks;
    size_t n = ckks->n;
    fh_tracked made = fh_tracked_make(client, level);
    made.scale = scale;
    free(made.slots);
    made.slots = fh_client_message(client, stream);
    uint64_t *plain = make_array(level * n);
    require_ok("encode", fh_golden_ckks_encode(ckks, level, scale, made.slots, plain));
    require_ok("encrypt",
               fh_golden_ckks_encrypt(ckks, level, fh_golden_random_word(client->seed, stream, 0),
                                      client->public_key, plain, made.residues));
    free(plain);
    double noise = error_bound(n) * (1 + 2 * ternary_bound(n)) + rounding_bound(n);
    for (size_t j = 0; j < n / 2; j++) {
        made.bound[j] = noise;
    }
    return made;
}

static double magnitude(fh_golden_complex a) {
    return hypot(a.re, a.im);
}

static fh_golden_complex multiply(fh_golden_complex a, fh_golden_complex b) {
    return (fh_golden_complex){a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}

static fh_golden_complex add(fh_golden_complex a, fh_golden_complex b) {
    return (fh_golden_complex){a.re + b.re, a.im + b.im};
}

void fh_track_hemult(const fh_client *client, const fh_tracked *a, const fh_tracked *b,
                     fh_tracked *out) {
    out->level = a->level;
    out->scale = a->scale * b->scale;
    for (size_t j = 0; j < client->ckks->n / 2; j++) {
        out->slots[j] = multiply(a->slots[j], b->slots[j]);
        out->bound[j] = magnitude(a->slots[j]) * a->scale * b->bound[j] +
                        magnitude(b->slots[j]) * b->scale * a->bound[j] +
                        a->bound[j] * b->bound[j] + key_switch_bound(client->ckks, a->level, j);
    }
}

void fh_track_headd(const fh_client *client, const fh_tracked *a, const fh_tracked *b,
                    fh_tracked *out) {
    out->level = a->level;
    out->scale = a->scale;
    for (size_t j = 0; j < client->ckks->n / 2; j++) {
        out->slots[j] = add(a->slots[j], b->slots[j]);
        out->bound[j] = a->bound[j] + b->bound[j];
    }
}

void fh_track_rescale(const fh_client *client, const fh_tracked *a, fh_tracked *out) {
    size_t n = client->ckks->n;
    double last = (double)client->ckks->moduli[a->level - 1];
    out->level = a->level - 1;
    out->scale = a->scale / last;
    for (size_t j = 0; j < n / 2; j++) {
        out->slots[j] = a->slots[j];
        out->bound[j] = a->bound[j] / last + rounding_bound(n) * (1 + ternary_bound(n));
    }
}

void fh_track_rotate(const fh_client *client, const fh_tracked *a, uint64_t r, fh_tracked *out) {
    size_t slots = client->ckks->n / 2;
    out->level = a->level;
    out->scale = a->scale;
    for (size_t j = 0; j < slots; j++) {
        size_t source = (size_t)((j + r) % slots);
        out->slots[j] = a->slots[source];
        out->bound[j] = a->bound[source] + key_switch_bound(client->ckks, a->level, j);
    }
}

void fh_track_conjugate(const fh_client *client, const fh_tracked *a, fh_tracked *out) {
    out->level = a->level;
    out->scale = a->scale;
    for (size_t j = 0; j < client->ckks->n / 2; j++) {
        out->slots[j] = (fh_golden_complex){a->slots[j].re, -a->slots[j].im};
        out->bound[j] = a->bound[j] + key_switch_bound(client->ckks, a->level, j);
    }
}

void fh_track_ptmult(const fh_client *client, const fh_tracked *a, const fh_golden_complex *plain,
                     double scale, fh_tracked *out) {
    double rounding = rounding_bound(client->ckks->n);
    out->level = a->level;
    out->scale = a->scale * scale;
    for (size_t j = 0; j < client->ckks->n / 2; j++) {
        out->slots[j] = multiply(a->slots[j], plain[j]);
        out->bound[j] = a->bound[j] * (magnitude(plain[j]) * scale + rounding) +
                        magnitude(a->slots[j]) * a->scale * rounding;
    }
}

void fh_track_ptadd(const fh_client *client, const fh_tracked *a, const fh_golden_complex *plain,
                    fh_tracked *out) {
    out->level = a->level;
    out->scale = a->scale;
    for (size_t j = 0; j < client->ckks->n / 2; j++) {
        out->slots[j] = add(a->slots[j], plain[j]);
        out->bound[j] = a->bound[j] + rounding_bound(client->ckks->n);
    }
}

void fh_track_drop(const fh_client *client, const fh_tracked *a, fh_tracked *out) {
    size_t n = client->ckks->n;
    out->scale = a->scale;
    memcpy(out->slots, a->slots, n / 2 * sizeof out->slots[0]);
    memcpy(out->bound, a->bound, n / 2 * sizeof out->bound[0]);
    for (size_t component = 0; component < 2; component++) {
        memcpy(out->residues + component * out->level * n, a->residues + component * a->level * n,
               out->level * n * sizeof out->residues[0]);
    }
}

fh_track_error fh_tracked_error(const fh_client *client, const fh_tracked *tracked) {
    size_t n = client->ckks->n;
    uint64_t *plain = make_array(tracked->level * n);
    fh_golden_complex *got = calloc(n / 2, sizeof *got);
    assert_non_null(got);
    require_ok("decrypt", fh_golden_ckks_decrypt(client->ckks, tracked->level, client->secret,
                                                 tracked->residues, plain));
    require_ok("decode",
               fh_golden_ckks_decode(client->ckks, tracked->level, tracked->scale, plain, got));
    fh_track_error error = {0, 0, 0};
    for (size_t j = 0; j < n / 2; j++) {
        fh_golden_complex off = {got[j].re - tracked->slots[j].re,
                                 got[j].im - tracked->slots[j].im};
        double size = magnitude(off) * tracked->scale;
        /* The messages themselves are doubles: a few of their last bits are no error. */
        double bound = tracked->bound[j] + 0x1p-50 * tracked->scale;
        error.rms += size * size;
        if (size / bound > error.worst_ratio) {
            error.worst_ratio = size / bound;
            error.worst_slot = j;
        }
    }
    error.rms = sqrt(2 * error.rms / (double)n);
    free(plain);
    free(got);
    return error;
}

void fh_tracked_check(const char *what, const fh_client *client, const fh_tracked *tracked) {
    fh_track_error error = fh_tracked_error(client, tracked);
    if (!(error.worst_ratio <= 1 && error.worst_ratio >= 0.01)) {
        fail_msg("%s: n %zu, level %zu, scale 2^%.2f, seed %llu: error %g of its bound 2^%.2f in "
                 "slot %zu, rms 2^%.2f",
                 what, client->ckks->n, tracked->level, log2(tracked->scale),
                 (unsigned long long)client->seed, error.worst_ratio,
                 log2(tracked->bound[error.worst_slot]), error.worst_slot, log2(error.rms));
    }
}

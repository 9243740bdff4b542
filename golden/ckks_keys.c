/*
 * ckks_keys.c - secret, public and switching keys, encryption and decryption.
 *
 * Randomness: each use has a seed of its own, word `use` of stream `index` of the caller's seed, so
 * that no two small or uniform polynomials of one call share anything.
 */
#include "ckks_internal.h"
#include "room.h"

#include <stdlib.h>

typedef enum use {
    USE_SECRET,
    USE_PUBLIC_UNIFORM,
    USE_PUBLIC_ERROR,
    USE_KEY_UNIFORM, /* index: digit, as for the next */
    USE_KEY_ERROR,
    USE_RELIN_KEY,
    USE_GALOIS_KEY, /* index: g */
    USE_ENCRYPT_TERNARY,
    USE_ENCRYPT_ERROR, /* index: component */
    USE_SPARSE_SECRET,
    USE_ENCAPSULATE_KEY,
    USE_RELEASE_KEY,
} use;

typedef enum distribution { TERNARY, ERROR } distribution;

static uint64_t seed_for(uint64_t seed, use what, uint64_t index) {
    return fh_golden_random_word(seed, index, (uint64_t)what);
}

/* coefficients[n] of the small polynomial of this seed. */
static void draw_small(distribution shape, uint64_t seed, size_t n, signed char *coefficients) {
    const uint64_t mask = ((uint64_t)1 << FH_GOLDEN_CKKS_ERROR_BOUND) - 1;
    for (size_t i = 0; i < n; i++) {
        if (shape == TERNARY) {
            coefficients[i] = (signed char)((int)fh_golden_random_residue(seed, 0, i, 3) - 1);
        } else {
            uint64_t word = fh_golden_random_word(seed, 0, i);
            coefficients[i] =
                (signed char)(__builtin_popcountll(word & mask) -
                              __builtin_popcountll(word >> FH_GOLDEN_CKKS_ERROR_BOUND & mask));
        }
    }
}

/* One limb of the polynomial with these coefficients as evaluations; `limb` is its place in the
 * chain. */
static void small_limb(const fh_golden_ckks *ckks, const signed char *coefficients, size_t limb,
                       uint64_t *out) {
    enum { BOUND = FH_GOLDEN_CKKS_ERROR_BOUND };
    uint64_t residues[2 * BOUND + 1];
    for (int c = -BOUND; c <= BOUND; c++) {
        residues[c + BOUND] = fh_golden_ckks_residue(c, ckks->moduli[limb]);
    }
    for (size_t i = 0; i < ckks->n; i++) {
        out[i] = residues[coefficients[i] + BOUND];
    }
    to_evaluations(ckks, limb, out, out);
}

/* b -= a s and b += factor a in pieces, whose products need little room. */
enum { PIECE = 512 };

static void subtract_product(size_t n, uint64_t q, const uint64_t *a, const uint64_t *s,
                             uint64_t *b) {
    uint64_t product[PIECE];
    for (size_t i = 0; i < n; i += PIECE) {
        size_t count = n - i < PIECE ? n - i : PIECE;
        (void)fh_golden_mul(count, q, a + i, s + i, product);
        (void)fh_golden_sub(count, q, b + i, product, b + i);
    }
}

static void add_scaled(size_t n, uint64_t q, const uint64_t *a, uint64_t factor, uint64_t *b) {
    uint64_t product[PIECE];
    for (size_t i = 0; i < n; i += PIECE) {
        size_t count = n - i < PIECE ? n - i : PIECE;
        (void)fh_golden_mul_scalar(count, q, a + i, factor, product);
        (void)fh_golden_add(count, q, b + i, product, b + i);
    }
}

/* Encryptions of zero under the secret in all limbs, one after another. */
typedef struct zero_job {
    const fh_golden_ckks *ckks;
    uint64_t uniform_seed;
    const signed char *error; /* coefficients */
    const uint64_t *secret;
    uint64_t *a, *b;        /* limb by limb */
    const uint64_t *source; /* P times it is added to b in the limbs of the digit; NULL: to none */
    size_t digit;
} zero_job;

/* a uniform (stream `limb` of uniform_seed), b = e - a s. The moduli were checked on creation,
 * which leaves the calls no error. */
static void zero_limb(void *context, size_t limb) {
    const zero_job *job = context;
    const fh_golden_ckks *ckks = job->ckks;
    size_t n = ckks->n;
    uint64_t q = ckks->moduli[limb];
    uint64_t *a = job->a + limb * n;
    uint64_t *b = job->b + limb * n;
    (void)fh_golden_generate(FH_GOLDEN_RANDOM, job->uniform_seed, limb, q, n, a);
    small_limb(ckks, job->error, limb, b);
    subtract_product(n, q, a, job->secret + limb * n, b);
    /* P g_d is P modulo the digit's primes and 0 modulo all others, the p_k included. */
    if (job->source != NULL && limb < ckks->limbs && limb / ckks->digit == job->digit) {
        add_scaled(n, q, job->source + limb * n, ckks->p_residue[limb], b);
    }
}

fh_golden_status fh_golden_ckks_make_secret(const fh_golden_ckks *ckks, uint64_t seed,
                                            uint64_t *secret) {
    signed char *coefficients = malloc(ckks->n);
    if (coefficients == NULL) {
        return FH_GOLDEN_ERR_NO_MEMORY;
    }
    draw_small(TERNARY, seed_for(seed, USE_SECRET, 0), ckks->n, coefficients);
    for (size_t limb = 0; limb < ckks->limbs + ckks->alpha; limb++) {
        small_limb(ckks, coefficients, limb, secret + limb * ckks->n);
    }
    free(coefficients);
    return FH_GOLDEN_OK;
}

/* signs[n] = `weight` nonzero coefficients, 1 or -1: places drawn until there are enough. */
static void draw_sparse(uint64_t seed, size_t n, size_t weight, signed char *signs) {
    size_t placed = 0;
    for (uint64_t draw = 0; placed < weight; draw++) {
        size_t place = (size_t)fh_golden_random_residue(seed, 0, draw, n);
        if (signs[place] == 0) {
            signs[place] = (fh_golden_random_word(seed, 1, draw) & 1) != 0 ? 1 : -1;
            placed++;
        }
    }
}

fh_golden_status fh_golden_ckks_make_sparse_secret(const fh_golden_ckks *ckks, uint64_t seed,
                                                   size_t weight, uint64_t *secret) {
    size_t n = ckks->n;
    if (weight == 0 || weight > n) {
        return FH_GOLDEN_ERR_ARGUMENT;
    }
    signed char *signs = calloc(n, sizeof *signs);
    if (signs == NULL) {
        return FH_GOLDEN_ERR_NO_MEMORY;
    }
    draw_sparse(seed_for(seed, USE_SPARSE_SECRET, 0), n, weight, signs);
    for (size_t limb = 0; limb < ckks->limbs + ckks->alpha; limb++) {
        uint64_t *out = secret + limb * n;
        for (size_t i = 0; i < n; i++) {
            out[i] = signs[i] < 0 ? ckks->moduli[limb] - 1 : (uint64_t)signs[i];
        }
        to_evaluations(ckks, limb, out, out);
    }
    free(signs);
    return FH_GOLDEN_OK;
}

fh_golden_status fh_golden_ckks_make_public_key(const fh_golden_ckks *ckks, uint64_t seed,
                                                const uint64_t *secret, uint64_t *public_key) {
    signed char *error = malloc(ckks->n);
    if (error == NULL) {
        return FH_GOLDEN_ERR_NO_MEMORY;
    }
    draw_small(ERROR, seed_for(seed, USE_PUBLIC_ERROR, 0), ckks->n, error);
    zero_job job = {.ckks = ckks,
                    .uniform_seed = seed_for(seed, USE_PUBLIC_UNIFORM, 0),
                    .error = error,
                    .secret = secret,
                    .a = public_key + ckks->limbs * ckks->n,
                    .b = public_key};
    for_each_limb(ckks, ckks->limbs, zero_limb, &job);
    free(error);
    return FH_GOLDEN_OK;
}

fh_golden_status fh_golden_ckks_make_switch_key(const fh_golden_ckks *ckks, uint64_t seed,
                                                const uint64_t *secret, const uint64_t *source,
                                                uint64_t *key) {
    signed char *error = malloc(ckks->n);
    if (error == NULL) {
        return FH_GOLDEN_ERR_NO_MEMORY;
    }
    for (size_t digit = 0; digit < ckks->dnum; digit++) {
        draw_small(ERROR, seed_for(seed, USE_KEY_ERROR, digit), ckks->n, error);
        zero_job job = {.ckks = ckks,
                        .uniform_seed = seed_for(seed, USE_KEY_UNIFORM, digit),
                        .error = error,
                        .secret = secret,
                        .a = key + fh_golden_ckks_key_offset(ckks, digit, 1, 0),
                        .b = key + fh_golden_ckks_key_offset(ckks, digit, 0, 0),
                        .source = source,
                        .digit = digit};
        for_each_limb(ckks, ckks->limbs + ckks->alpha, zero_limb, &job);
    }
    free(error);
    return FH_GOLDEN_OK;
}

fh_golden_status fh_golden_ckks_make_relin_key(const fh_golden_ckks *ckks, uint64_t seed,
                                               const uint64_t *secret, uint64_t *key) {
    size_t n = ckks->n;
    uint64_t *source = fh_golden_room(ckks->limbs * n, sizeof *source);
    if (source == NULL) {
        return FH_GOLDEN_ERR_NO_MEMORY;
    }
    for (size_t j = 0; j < ckks->limbs; j++) {
        (void)fh_golden_mul(n, ckks->moduli[j], secret + j * n, secret + j * n, source + j * n);
    }
    fh_golden_status status =
        fh_golden_ckks_make_switch_key(ckks, seed_for(seed, USE_RELIN_KEY, 0), secret, source, key);
    free(source);
    return status;
}

fh_golden_status fh_golden_ckks_make_galois_key(const fh_golden_ckks *ckks, uint64_t seed,
                                                const uint64_t *secret, uint64_t g, uint64_t *key) {
    size_t n = ckks->n;
    uint64_t *source = fh_golden_room(ckks->limbs * n, sizeof *source);
    if (source == NULL) {
        return FH_GOLDEN_ERR_NO_MEMORY;
    }
    fh_golden_status status = fh_golden_ckks_permute(ckks, ckks->limbs, g, secret, source);
    if (status == FH_GOLDEN_OK) {
        uint64_t own_seed = seed_for(seed, USE_GALOIS_KEY, g % (2 * n));
        status = fh_golden_ckks_make_switch_key(ckks, own_seed, secret, source, key);
    }
    free(source);
    return status;
}

fh_golden_status fh_golden_ckks_make_encapsulate_key(const fh_golden_ckks *ckks, uint64_t seed,
                                                     const uint64_t *secret, const uint64_t *sparse,
                                                     uint64_t *key) {
    return fh_golden_ckks_make_switch_key(ckks, seed_for(seed, USE_ENCAPSULATE_KEY, 0), sparse,
                                          secret, key);
}

fh_golden_status fh_golden_ckks_make_release_key(const fh_golden_ckks *ckks, uint64_t seed,
                                                 const uint64_t *secret, const uint64_t *sparse,
                                                 uint64_t *key) {
    return fh_golden_ckks_make_switch_key(ckks, seed_for(seed, USE_RELEASE_KEY, 0), secret, sparse,
                                          key);
}

fh_golden_status fh_golden_ckks_encrypt(const fh_golden_ckks *ckks, size_t level, uint64_t seed,
                                        const uint64_t *public_key, const uint64_t *plain,
                                        uint64_t *out) {
    fh_golden_status status = check_level(ckks, level);
    if (status != FH_GOLDEN_OK) {
        return status;
    }
    size_t n = ckks->n;
    uint64_t *mask = malloc(n * sizeof *mask);
    signed char *small = malloc(3 * n); /* v, e0, e1 */
    if (mask == NULL || small == NULL) {
        free(mask);
        free(small);
        return FH_GOLDEN_ERR_NO_MEMORY;
    }
    draw_small(TERNARY, seed_for(seed, USE_ENCRYPT_TERNARY, 0), n, small);
    for (size_t component = 0; component < 2; component++) {
        draw_small(ERROR, seed_for(seed, USE_ENCRYPT_ERROR, component), n,
                   small + (component + 1) * n);
    }
    for (size_t j = 0; j < level; j++) {
        uint64_t q = ckks->moduli[j];
        small_limb(ckks, small, j, mask);
        for (size_t component = 0; component < 2; component++) {
            const uint64_t *half = public_key + (component * ckks->limbs + j) * n;
            uint64_t *to = out + (component * level + j) * n;
            small_limb(ckks, small + (component + 1) * n, j, to);
            (void)fh_golden_mac(n, q, mask, half, to, to);
        }
        (void)fh_golden_add(n, q, out + j * n, plain + j * n, out + j * n);
    }
    free(mask);
    free(small);
    return FH_GOLDEN_OK;
}

fh_golden_status fh_golden_ckks_decrypt(const fh_golden_ckks *ckks, size_t level,
                                        const uint64_t *secret, const uint64_t *in,
                                        uint64_t *plain) {
    fh_golden_status status = check_level(ckks, level);
    for (size_t j = 0; j < level && status == FH_GOLDEN_OK; j++) {
        status = fh_golden_mac(ckks->n, ckks->moduli[j], in + (level + j) * ckks->n,
                               secret + j * ckks->n, in + j * ckks->n, plain + j * ckks->n);
    }
    return status;
}

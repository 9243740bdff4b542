/*
 * rns_twin.c - inner products with a key and base conversions of rns.cu. The size of a run is the
 * number of coefficients.
 */
#include "compiled.h"
#include "golden.h"

enum { LIMBS = 4, DIGITS = 6, SOURCES = 9, TARGETS = 12, BITS = 60, THREADS = 256 };

struct modulus {
    uint64_t q, ratio[2];
};

static struct modulus modulus_of(uint64_t q) { /* floor((2^128 - 1) / q): q is odd */
    const compiled_u128 ratio = ~(compiled_u128)0 / q;
    return (struct modulus){q, {(uint64_t)ratio, (uint64_t)(ratio >> 64)}};
}

static void primes(const struct compiled_run *r, size_t count, uint64_t *q) {
    if (fh_golden_prime_chain(1 << 15, BITS, count, q) != FH_GOLDEN_OK)
        compiled_fail(r->kernel->name, "there are no such primes");
}

/* x mod q, by the high words of the products with the ratio. */
static inline uint64_t reduce(compiled_u128 x, const struct modulus *m) {
    const uint64_t lo = (uint64_t)x, hi = (uint64_t)(x >> 64);
    const compiled_u128 middle =
        (compiled_u128)lo * m->ratio[1] + ((compiled_u128)lo * m->ratio[0] >> 64);
    const compiled_u128 other = (compiled_u128)hi * m->ratio[0] + (uint64_t)middle;
    const uint64_t estimate = hi * m->ratio[1] + (uint64_t)(middle >> 64) + (uint64_t)(other >> 64);
    const uint64_t rest = lo - estimate * m->q;
    return rest >= m->q ? rest - m->q : rest;
}

/* ---------------------------------------------------------------- inner products */

enum { KEY_OUT, KEY_DIGITS, KEY_KEY, KEY_MODULI };

static void fill_keyswitch(struct compiled_run *r) {
    const size_t n = r->size;
    (void)compiled_buffer(r, "out", 2 * LIMBS * n * sizeof(uint64_t));
    uint64_t *digits = compiled_buffer(r, "digits", DIGITS * LIMBS * n * sizeof *digits);
    uint64_t *key = compiled_buffer(r, "key", 2 * DIGITS * LIMBS * n * sizeof *key);
    struct modulus *moduli = compiled_buffer(r, "moduli", LIMBS * sizeof *moduli);
    uint64_t q[LIMBS], seed = n;
    primes(r, LIMBS, q);
    for (size_t k = 0; k < LIMBS; k++)
        moduli[k] = modulus_of(q[k]);
    for (size_t i = 0; i < DIGITS * LIMBS * n; i++)
        digits[i] = compiled_residue(&seed, q[i / n % LIMBS]);
    for (size_t i = 0; i < 2 * DIGITS * LIMBS * n; i++)
        key[i] = compiled_residue(&seed, q[i / n % LIMBS]);
}

static void launch_keyswitch(struct compiled_run *r) {
    const struct {
        uint64_t out, digits, key, moduli;
        uint32_t n, limbs, digit_count;
    } params = {r->buffers[KEY_OUT].guest,
                r->buffers[KEY_DIGITS].guest,
                r->buffers[KEY_KEY].guest,
                r->buffers[KEY_MODULI].guest,
                (uint32_t)r->size,
                LIMBS,
                DIGITS};
    COMPILED_LAUNCH(r, "keyswitch", (uint32_t)(r->size / THREADS / 2 + 1), LIMBS, THREADS, params);
}

static void twin_keyswitch(struct compiled_run *r) {
    const size_t n = r->size;
    uint64_t *out = r->buffers[KEY_OUT].twin;
    const uint64_t *digits = r->buffers[KEY_DIGITS].twin, *key = r->buffers[KEY_KEY].twin;
    const struct modulus *moduli = r->buffers[KEY_MODULI].twin;
    for (size_t at = 0; at < LIMBS * n; at++) {
        compiled_u128 sum0 = 0, sum1 = 0;
        for (size_t d = 0; d < DIGITS; d++) {
            const uint64_t x = digits[d * LIMBS * n + at];
            sum0 += (compiled_u128)x * key[2 * d * LIMBS * n + at];
            sum1 += (compiled_u128)x * key[(2 * d + 1) * LIMBS * n + at];
        }
        out[at] = reduce(sum0, &moduli[at / n]);
        out[LIMBS * n + at] = reduce(sum1, &moduli[at / n]);
    }
}

const struct compiled_kernel compiled_keyswitch = {.name = "keyswitch",
                                                   .cubin = "rns",
                                                   .target = 25e6,
                                                   .small = 500,
                                                   .large = 16384,
                                                   .fill = fill_keyswitch,
                                                   .launch = launch_keyswitch,
                                                   .twin = twin_keyswitch};

/* ---------------------------------------------------------------- base conversion */

enum { CONV_OUT, CONV_SCALED, CONV_IN, CONV_FACTORS, CONV_WEIGHTS, CONV_MODULI };

/* Factors and weights are residues like any others: which ones convert is not what is measured. */
static void fill_bconv(struct compiled_run *r) {
    const size_t n = r->size;
    (void)compiled_buffer(r, "out", TARGETS * n * sizeof(uint64_t));
    (void)compiled_buffer(r, "scaled", SOURCES * n * sizeof(uint64_t));
    uint64_t *in = compiled_buffer(r, "in", SOURCES * n * sizeof *in);
    uint64_t *factors = compiled_buffer(r, "factors", 2 * SOURCES * sizeof *factors);
    uint64_t *weights = compiled_buffer(r, "weights", TARGETS * SOURCES * sizeof *weights);
    struct modulus *moduli = compiled_buffer(r, "moduli", (SOURCES + TARGETS) * sizeof *moduli);
    uint64_t q[SOURCES + TARGETS], seed = n;
    primes(r, SOURCES + TARGETS, q);
    for (size_t k = 0; k < SOURCES + TARGETS; k++)
        moduli[k] = modulus_of(q[k]);
    for (size_t i = 0; i < SOURCES * n; i++)
        in[i] = compiled_residue(&seed, q[i / n]);
    for (size_t s = 0; s < SOURCES; s++) {
        factors[2 * s] = compiled_residue(&seed, q[s]);
        factors[2 * s + 1] = (uint64_t)(((compiled_u128)factors[2 * s] << 64) / q[s]);
    }
    for (size_t i = 0; i < TARGETS * SOURCES; i++)
        weights[i] = compiled_residue(&seed, q[SOURCES + i / SOURCES]);
}

static void launch_bconv(struct compiled_run *r) {
    const uint32_t n = (uint32_t)r->size, blocks = (n + THREADS - 1) / THREADS;
    const struct {
        uint64_t out, in, factors, moduli;
        uint32_t n;
    } scale = {r->buffers[CONV_SCALED].guest, r->buffers[CONV_IN].guest,
               r->buffers[CONV_FACTORS].guest, r->buffers[CONV_MODULI].guest, n};
    const struct {
        uint64_t out, in, weights, moduli;
        uint32_t n, sources;
    } sum = {r->buffers[CONV_OUT].guest,
             r->buffers[CONV_SCALED].guest,
             r->buffers[CONV_WEIGHTS].guest,
             r->buffers[CONV_MODULI].guest + SOURCES * sizeof(struct modulus),
             n,
             SOURCES};
    COMPILED_LAUNCH(r, "bconv_scale", blocks, SOURCES, THREADS, scale);
    COMPILED_LAUNCH(r, "bconv_sum", blocks, TARGETS, THREADS, sum);
}

static void twin_bconv(struct compiled_run *r) {
    const size_t n = r->size;
    uint64_t *out = r->buffers[CONV_OUT].twin, *scaled = r->buffers[CONV_SCALED].twin;
    const uint64_t *in = r->buffers[CONV_IN].twin, *factors = r->buffers[CONV_FACTORS].twin;
    const uint64_t *weights = r->buffers[CONV_WEIGHTS].twin;
    const struct modulus *moduli = r->buffers[CONV_MODULI].twin;
    for (size_t s = 0; s < SOURCES; s++) {
        const uint64_t w = factors[2 * s], quotient = factors[2 * s + 1], q = moduli[s].q;
        for (size_t i = s * n; i < (s + 1) * n; i++) {
            const uint64_t estimate = (uint64_t)((compiled_u128)in[i] * quotient >> 64);
            const uint64_t rest = in[i] * w - estimate * q;
            scaled[i] = rest >= q ? rest - q : rest;
        }
    }
    for (size_t t = 0; t < TARGETS; t++) {
        for (size_t i = 0; i < n; i++) {
            compiled_u128 sum = 0;
            for (size_t s = 0; s < SOURCES; s++)
                sum += (compiled_u128)scaled[s * n + i] * weights[t * SOURCES + s];
            out[t * n + i] = reduce(sum, &moduli[SOURCES + t]);
        }
    }
}

const struct compiled_kernel compiled_bconv = {.name = "bconv",
                                               .cubin = "rns",
                                               .target = 25e6,
                                               .small = 500,
                                               .large = 16384,
                                               .fill = fill_bconv,
                                               .launch = launch_bconv,
                                               .twin = twin_bconv};

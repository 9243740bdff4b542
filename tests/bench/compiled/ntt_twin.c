/*
 * ntt_twin.c - the transforms of ntt.cu: their data, their launches, and the same in plain C.
 *
 * The size of a run is log2 of the elements of a limb. Residues are of primes below 2^60 and, in
 * floating point, 2^50; the limbs have different primes.
 */
#include <math.h>
#include <string.h>

#include "compiled.h"
#include "golden.h"
#include "ntt_twin.h"

enum { LIMBS = 2, DATA = 0, ROOTS = 1, LIMB = 2, LAST_STAGES = 8 };

struct limb {
    uint64_t q, constant[3];
};

static uint64_t product(uint64_t a, uint64_t b, uint64_t q) {
    return (uint64_t)((compiled_u128)a * b % q);
}

void ntt_primes(struct compiled_run *r, unsigned bits, uint64_t *q, uint64_t *psi) {
    if (fh_golden_prime_chain((size_t)1 << r->size, bits, LIMBS, q) != FH_GOLDEN_OK)
        compiled_fail(r->kernel->name, "there are no such primes");
    for (unsigned i = 0; i < LIMBS; i++)
        if (fh_golden_smallest_root((size_t)1 << r->size, q[i], &psi[i]) != FH_GOLDEN_OK)
            compiled_fail(r->kernel->name, "there is no root");
}

/* roots[i] = psi^bitrev(i), as the kernel's `roots` has them but for their form. */
static void powers(uint64_t q, uint64_t psi, size_t log_n, uint64_t *roots) {
    const size_t n = (size_t)1 << log_n;
    uint64_t power = 1;
    for (size_t i = 0; i < n; i++, power = product(power, psi, q))
        roots[fh_golden_bitrev(i, (unsigned)log_n)] = power;
}

/* A bit pattern. */
static uint64_t real(double x) {
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static uint64_t quotient_2_64(uint64_t a, uint64_t q) { /* floor(2^64 a / q), a < q */
    return (uint64_t)(((compiled_u128)a << 64) / q);
}

/* q^-1 modulo 2^64, by Newton's iteration: five correct bits, then twice as many each time. */
static uint64_t inverse_2_64(uint64_t q) {
    uint64_t x = 3 * q ^ 2;
    for (int i = 0; i < 4; i++)
        x *= 2 - q * x;
    return x;
}

/* Adds the buffers. `words`: 64-bit words of a root. `form` makes a limb's constants, and its roots
 * what the kernel wants of them. */
static void fill(struct compiled_run *r, unsigned bits, size_t words,
                 void (*form)(struct limb *limb, uint64_t *roots, size_t n)) {
    const size_t n = (size_t)1 << r->size;
    uint64_t *data = compiled_buffer(r, "data", LIMBS * n * sizeof *data);
    uint64_t *roots = compiled_buffer(r, "roots", LIMBS * n * words * sizeof *roots);
    struct limb *limbs = compiled_buffer(r, "limbs", LIMBS * sizeof *limbs);
    uint64_t q[LIMBS], psi[LIMBS], seed = r->size;
    ntt_primes(r, bits, q, psi);
    for (size_t k = 0; k < LIMBS; k++) {
        limbs[k].q = q[k];
        powers(q[k], psi[k], r->size, roots + k * n * words);
        form(&limbs[k], roots + k * n * words, n);
        for (size_t i = 0; i < n; i++) {
            const uint64_t x = compiled_residue(&seed, q[k]);
            data[k * n + i] = bits > 50 ? x : real((double)x);
        }
    }
}

static void launch(struct compiled_run *r, const char *kernel) {
    const uint32_t log_n = (uint32_t)r->size, blocks = 1u << (log_n - 11);
    struct {
        uint64_t data, roots, limbs;
        uint32_t log_n, first, count;
    } params = {r->buffers[DATA].guest, r->buffers[ROOTS].guest, r->buffers[LIMB].guest, log_n, 0,
                log_n - LAST_STAGES};
    COMPILED_LAUNCH(r, kernel, blocks, LIMBS, 256, params);
    params.first = params.count;
    params.count = LAST_STAGES;
    COMPILED_LAUNCH(r, kernel, blocks, LIMBS, 256, params);
}

/* The loops of all transforms, over limbs, stages, groups of butterflies with one root, and
 * butterflies: BUTTERFLY replaces `*low` and `*high`, given the `root` and the limb's `f`. */
#define TRANSFORM(r, words, T, BUTTERFLY)                                                          \
    const size_t n = (size_t)1 << (r)->size;                                                       \
    const struct limb *limbs = (r)->buffers[LIMB].twin;                                            \
    for (size_t k = 0; k < LIMBS; k++) {                                                           \
        const struct limb f = limbs[k];                                                            \
        T *data = (T *)(r)->buffers[DATA].twin + k * n;                                            \
        const T *roots = (const T *)(r)->buffers[ROOTS].twin + k * n * (words);                    \
        for (size_t groups = 1, step = n / 2; step; groups *= 2, step /= 2)                        \
            for (size_t g = 0; g < groups; g++) {                                                  \
                const T *root = roots + (groups + g) * (words);                                    \
                T *low = data + 2 * g * step, *high = low + step;                                  \
                for (size_t j = 0; j < step; j++)                                                  \
                    BUTTERFLY(low + j, high + j, root, f);                                         \
            }                                                                                      \
    }

/* low + v and low - v, of residues. */
static inline void add_subtract(uint64_t *low, uint64_t *high, uint64_t v, uint64_t q) {
    const uint64_t u = *low, sum = u + v;
    *low = sum >= q ? sum - q : sum;
    *high = u >= v ? u - v : u + q - v;
}

/* ---------------------------------------------------------------- Barrett */

static void barrett_form(struct limb *limb, uint64_t *roots, size_t n) {
    const unsigned bits = 64u - (unsigned)__builtin_clzll(limb->q);
    (void)roots;
    (void)n;
    limb->constant[0] = (uint64_t)(((compiled_u128)1 << (2 * bits + 1)) / limb->q);
    limb->constant[1] = bits;
}

static void fill_barrett(struct compiled_run *r) {
    fill(r, 60, 1, barrett_form);
}

static void launch_barrett(struct compiled_run *r) {
    launch(r, "ntt_barrett");
}

static inline void barrett_butterfly(uint64_t *low, uint64_t *high, const uint64_t *root,
                                     struct limb f) {
    const compiled_u128 x = (compiled_u128)*high * *root;
    const uint64_t estimate =
        (uint64_t)((compiled_u128)(uint64_t)(x >> (f.constant[1] - 2)) * f.constant[0] >>
                   (f.constant[1] + 3));
    const uint64_t rest = (uint64_t)x - estimate * f.q;
    add_subtract(low, high, rest >= f.q ? rest - f.q : rest, f.q);
}

static void twin_barrett(struct compiled_run *r) {
    TRANSFORM(r, 1, uint64_t, barrett_butterfly)
}

/* ---------------------------------------------------------------- Shoup */

static void shoup_form(struct limb *limb, uint64_t *roots, size_t n) {
    for (size_t i = n; i-- > 0;) { /* from the end: each becomes two */
        const uint64_t w = roots[i];
        roots[2 * i] = w;
        roots[2 * i + 1] = quotient_2_64(w, limb->q);
    }
}

static void fill_shoup(struct compiled_run *r) {
    fill(r, 60, 2, shoup_form);
}

static void launch_shoup(struct compiled_run *r) {
    launch(r, "ntt_shoup");
}

static inline void shoup_butterfly(uint64_t *low, uint64_t *high, const uint64_t *root,
                                   struct limb f) {
    const uint64_t a = *high, estimate = (uint64_t)((compiled_u128)a * root[1] >> 64);
    const uint64_t rest = a * root[0] - estimate * f.q;
    add_subtract(low, high, rest >= f.q ? rest - f.q : rest, f.q);
}

static void twin_shoup(struct compiled_run *r) {
    TRANSFORM(r, 2, uint64_t, shoup_butterfly)
}

/* ---------------------------------------------------------------- Montgomery */

static void montgomery_form(struct limb *limb, uint64_t *roots, size_t n) {
    limb->constant[0] = inverse_2_64(limb->q);
    for (size_t i = 0; i < n; i++)
        roots[i] = (uint64_t)(((compiled_u128)roots[i] << 64) % limb->q);
}

static void fill_montgomery(struct compiled_run *r) {
    fill(r, 60, 1, montgomery_form);
}

static void launch_montgomery(struct compiled_run *r) {
    launch(r, "ntt_montgomery");
}

static inline void montgomery_butterfly(uint64_t *low, uint64_t *high, const uint64_t *root,
                                        struct limb f) {
    const compiled_u128 x = (compiled_u128)*high * *root;
    const uint64_t m = (uint64_t)x * f.constant[0], top = (uint64_t)(x >> 64);
    const uint64_t back = (uint64_t)((compiled_u128)m * f.q >> 64);
    add_subtract(low, high, top >= back ? top - back : top - back + f.q, f.q);
}

static void twin_montgomery(struct compiled_run *r) {
    TRANSFORM(r, 1, uint64_t, montgomery_butterfly)
}

/* ---------------------------------------------------------------- floating point */

static void fp64_form(struct limb *limb, uint64_t *roots, size_t n) {
    limb->constant[0] = real((double)limb->q);
    limb->constant[1] = real(1 / (double)limb->q);
    for (size_t i = 0; i < n; i++)
        roots[i] = real((double)roots[i]);
}

static void fill_fp64(struct compiled_run *r) {
    fill(r, 50, 1, fp64_form);
}

static void launch_fp64(struct compiled_run *r) {
    launch(r, "ntt_fp64");
}

static inline void fp64_butterfly(double *low, double *high, const double *root, struct limb f) {
    double q, inverse;
    memcpy(&q, &f.constant[0], sizeof q);
    memcpy(&inverse, &f.constant[1], sizeof inverse);
    const double u = *low, top = *high * *root, error = fma(*high, *root, -top);
    double v = fma(-floor(top * inverse), q, top) + error;
    v = v < 0 ? v + q : v >= q ? v - q : v;
    const double sum = u + v, difference = u - v;
    *low = sum >= q ? sum - q : sum;
    *high = difference < 0 ? difference + q : difference;
}

#ifdef __x86_64__
/* The same, where the host rounds a product and a sum together and rounds to integers by itself. */
__attribute__((target("fma,sse4.1"))) static void twin_fp64_fused(struct compiled_run *r) {
    TRANSFORM(r, 1, double, fp64_butterfly)
}
#endif

static void twin_fp64(struct compiled_run *r) {
#ifdef __x86_64__
    if (__builtin_cpu_supports("fma")) {
        twin_fp64_fused(r);
        return;
    }
#endif
    TRANSFORM(r, 1, double, fp64_butterfly)
}

/* ---------------------------------------------------------------- modulo 2^64 - 2^32 + 1 */

#define GOLDILOCKS UINT64_C(0xffffffff00000001)

/* Both limbs have the same modulus, and 7 generates its group. */
static void fill_goldilocks(struct compiled_run *r) {
    const size_t n = (size_t)1 << r->size;
    uint64_t *data = compiled_buffer(r, "data", LIMBS * n * sizeof *data);
    uint64_t *roots = compiled_buffer(r, "roots", LIMBS * n * sizeof *roots);
    struct limb *limbs = compiled_buffer(r, "limbs", LIMBS * sizeof *limbs);
    const uint64_t psi = fh_golden_powmod(7, (GOLDILOCKS - 1) / (2 * n), GOLDILOCKS);
    uint64_t seed = r->size;
    for (size_t k = 0; k < LIMBS; k++) {
        limbs[k].q = GOLDILOCKS;
        powers(GOLDILOCKS, psi, r->size, roots + k * n);
    }
    for (size_t i = 0; i < LIMBS * n; i++)
        data[i] = compiled_residue(&seed, GOLDILOCKS);
}

static void launch_goldilocks(struct compiled_run *r) {
    launch(r, "ntt_goldilocks");
}

static inline void goldilocks_butterfly(uint64_t *low, uint64_t *high, const uint64_t *root,
                                        struct limb f) {
    const uint64_t u = *low, v = product(*high, *root, f.q);
    *low = (uint64_t)(((compiled_u128)u + v) % f.q);
    *high = (uint64_t)(((compiled_u128)u + f.q - v) % f.q);
}

static void twin_goldilocks(struct compiled_run *r) {
    TRANSFORM(r, 1, uint64_t, goldilocks_butterfly)
}

const struct compiled_kernel program_goldilocks = {.name = "goldilocks",
                                                   .cubin = "ntt",
                                                   .program = true,
                                                   .target = 60e6,
                                                   .small = 11,
                                                   .large = 16,
                                                   .fill = fill_goldilocks,
                                                   .launch = launch_goldilocks,
                                                   .twin = twin_goldilocks};

/* ---------------------------------------------------------------- a launch a stage */

static void launch_stages(struct compiled_run *r) {
    struct {
        uint64_t data, roots, limbs;
        uint32_t n, groups, limb_count;
    } params = {r->buffers[DATA].guest,
                r->buffers[ROOTS].guest,
                r->buffers[LIMB].guest,
                1u << r->size,
                1,
                LIMBS};
    for (; params.groups < params.n; params.groups *= 2)
        COMPILED_LAUNCH(r, "ntt_stage", params.n * LIMBS / 2 / 256, 1, 256, params);
}

const struct compiled_kernel program_ckks = {.name = "ckks",
                                             .cubin = "ntt",
                                             .program = true,
                                             .target = 60e6,
                                             .small = 11,
                                             .large = 15,
                                             .fill = fill_shoup,
                                             .launch = launch_stages,
                                             .twin = twin_shoup};

#define NTT(name_)                                                                                 \
    const struct compiled_kernel compiled_ntt_##name_ = {.name = "ntt_" #name_,                    \
                                                         .cubin = "ntt",                           \
                                                         .target = 25e6,                           \
                                                         .small = 11,                              \
                                                         .large = 16,                              \
                                                         .fill = fill_##name_,                     \
                                                         .launch = launch_##name_,                 \
                                                         .twin = twin_##name_};
NTT(barrett)
NTT(shoup)
NTT(montgomery)
NTT(fp64)

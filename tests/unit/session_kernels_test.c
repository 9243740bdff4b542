/*
 * session_kernels_test.c - the kernels of programs/ cut into pieces at random places: what they
 * compute and count is what they do in one go, on both engines and at every SIMD level of this
 * host. fhec_run is wrapped for that: each launch becomes a session.
 *
 * The environment can choose: FHEC_TEST_SEED; FHEC_TEST_LONG, for larger transforms and shorter
 * pieces.
 */
#include <inttypes.h>

#include "bigint.h"
#include "cut.h"
#include "host_simd.h"
#include "programs_util.h"

enum { LIMBS = 3, BYTES = 1 << 16 }; /* of an operand and of a result, at most */

static struct cutter *cutter; /* NULL: launches run in one go */

fhec_status __real_fhec_run(fhec_machine *machine, const fhec_launch *launch);
fhec_status __wrap_fhec_run(fhec_machine *machine, const fhec_launch *launch);
fhec_status __wrap_fhec_run(fhec_machine *machine, const fhec_launch *launch) {
    return cutter ? cut_run(cutter, machine, launch) : __real_fhec_run(machine, launch);
}

/* ---------------------------------------------------------------- workloads */

struct work {
    const struct fh_map *map;
    size_t n; /* elements of a polynomial, or pairs of integers */
    int variant;
};

typedef fhec_status workload_fn(fhec_machine *m, const struct work *w, const void *a, const void *b,
                                void *out, struct fh_error *error);

/* Primes = 1 mod 2N for the map's words. */
static void primes(const struct work *w, uint64_t q[LIMBS]) {
    for (size_t i = 0; i < LIMBS; i++)
        q[i] = programs_prime(w->n, w->map->word_bits == 64 ? 50 : 30, i);
}

static fhec_status transform(fhec_machine *m, const struct work *w, const void *a, const void *b,
                             void *out, struct fh_error *error) {
    uint64_t q[LIMBS];
    (void)b;
    primes(w, q);
    const struct fh_ntt_params params = {
        .map = w->map->name, .n = w->n, .limbs = LIMBS, .q = q, .inverse = w->variant};
    return fh_ntt_run(m, &params, a, LIMBS * w->n * w->map->word_bits / 8, out, error);
}

static fhec_status conversion(fhec_machine *m, const struct work *w, const void *a, const void *b,
                              void *out, struct fh_error *error) {
    uint64_t q[LIMBS];
    (void)b;
    primes(w, q);
    const struct fh_bconv_params params = {
        .map = w->map->name, .n = w->n, .alpha = 2, .target = 1, .from = q, .to = q + 2};
    return fh_bconv_run(m, &params, a, 2 * w->n * w->map->word_bits / 8, out, error);
}

/* Operands are small enough for every modulus. */
static fhec_status element_wise(fhec_machine *m, const struct work *w, const void *a, const void *b,
                                void *out, struct fh_error *error) {
    const uint64_t scalars[LIMBS] = {5, 6, 7};
    const size_t bytes = LIMBS * w->n * w->map->word_bits / 8;
    uint64_t q[LIMBS];
    static uint32_t small[2][BYTES / 4];
    primes(w, q);
    for (size_t i = 0; i < BYTES / 4; i++) {
        small[0][i] = ((const uint32_t *)a)[i] & 0xffff;
        small[1][i] = ((const uint32_t *)b)[i] & 0xffff;
    }
    const struct fh_eltwise_params params = {.map = w->map->name,
                                             .op = (enum fh_eltwise_op)w->variant,
                                             .n = w->n,
                                             .limbs = LIMBS,
                                             .q = q,
                                             .scalars = scalars,
                                             .addend = small[0],
                                             .galois = 5};
    return fh_eltwise_run(m, &params, small[0],
                          w->variant < FH_ELTWISE_ADD_SCALAR ? small[1] : NULL, bytes, out, error);
}

static fhec_status integers(fhec_machine *m, const struct work *w, const void *a, const void *b,
                            void *out, struct fh_error *error) {
    enum { WORDS = 8 };
    uint32_t modulus[WORDS], x[BYTES / 4], y[BYTES / 4];
    memset(modulus, 0xff, sizeof modulus);
    memcpy(x, a, sizeof x);
    memcpy(y, b, sizeof y);
    for (size_t i = WORDS - 1; i < BYTES / 4; i += WORDS) { /* below the modulus */
        x[i] &= 0x7fffffff;
        y[i] &= 0x7fffffff;
    }
    const struct fh_bigint_params params = {.map = w->map->name,
                                            .op = (enum fh_bigint_op)w->variant,
                                            .words = WORDS,
                                            .count = w->n,
                                            .modulus = modulus};
    return fh_bigint_run(m, &params, x, y, out, error);
}

static const struct {
    const char *name;
    workload_fn *run;
    unsigned needs; /* enum fh_workload */
    size_t n, long_n;
    int first, variants;
} workloads[] = {
    {"transform", transform, FH_WORKLOAD_NTT, 256, 4096, 0, 2},
    {"base conversion", conversion, FH_WORKLOAD_BCONV, 64, 1024, 0, 1},
    {"element-wise operation", element_wise, FH_WORKLOAD_ELTWISE, 256, 1024, 0, 8},
    {"product of integers", integers, FH_WORKLOAD_BIGMUL, 40, 500, FH_BIGINT_MUL, 1},
    {"Montgomery product", integers, FH_WORKLOAD_MONTMUL, 40, 500, FH_BIGINT_MONTMUL, 1},
};

/* ---------------------------------------------------------------- comparing */

static const struct {
    const char *name;
    fhec_engine engine;
    fhec_simd simd;
} engines[] = {
    {"ref", FHEC_ENGINE_REF, FHEC_SIMD_BEST},
    {"portable", FHEC_ENGINE_FAST, FHEC_SIMD_PORTABLE},
    {"avx2", FHEC_ENGINE_FAST, FHEC_SIMD_AVX2},
    {"avx512", FHEC_ENGINE_FAST, FHEC_SIMD_AVX512},
};

struct result {
    fhec_machine *machine;
    fhec_stats stats;
    uint8_t out[BYTES];
};

/* The workload on a machine of its own: with a cutter in pieces. */
static void run(size_t workload, const struct work *w, size_t engine, struct cutter *by,
                struct result *r) {
    const fhec_machine_options options = {
        .engine = engines[engine].engine, .simd = engines[engine].simd, .threads = 1};
    static uint32_t a[BYTES / 4], b[BYTES / 4];
    struct emu_rng rng = {.state = 99};
    struct fh_error error;
    for (size_t i = 0; i < BYTES / 4; i++) {
        a[i] = (uint32_t)emu_next(&rng);
        b[i] = (uint32_t)emu_next(&rng);
    }
    memset(r->out, 0xa5, sizeof r->out);
    assert_int_equal(fhec_machine_new(&options, &r->machine), FHEC_OK);
    fhec_machine_count(r->machine, true);
    cutter = by;
    if (workloads[workload].run(r->machine, w, a, b, r->out, &error) != FHEC_OK)
        fail_msg("%s, %s: %s", workloads[workload].name, w->map->name, error.text);
    cutter = NULL;
    assert_int_equal(fhec_machine_stats(r->machine, &r->stats), FHEC_OK);
}

static bool same(const struct result *x, const struct result *y) {
    const fhec_stats *a = &x->stats, *b = &y->stats;
    bool counts = a->launches == b->launches && a->warp_insts == b->warp_insts &&
                  a->thread_insts == b->thread_insts && a->count_count == b->count_count;
    for (size_t i = 0; counts && i < a->count_count; i++)
        counts =
            a->counts[i].warp == b->counts[i].warp && a->counts[i].thread == b->counts[i].thread;
    return counts && memcmp(x->out, y->out, sizeof x->out) == 0;
}

struct totals {
    uint64_t seed, stops, instructions;
    struct emu_rng rng;
};

static void compare(size_t workload, const struct work *w, struct totals *t) {
    static struct result whole, pieces;
    run(workload, w, COUNT_OF(engines) - 1, NULL, &whole);
    for (size_t e = 0; e < COUNT_OF(engines); e++) {
        fhec_simd simd;
        if (!fh_host_simd(engines[e].simd, &simd))
            continue;
        struct cutter by = {.rng = {.state = emu_next(&t->rng) | 1}, .longest = 256};
        run(workload, w, e, &by, &pieces);
        if (by.wrong || !same(&whole, &pieces))
            fail_msg("seed %" PRIu64 ", %s %d, N %zu, map %s, engine %s: %s", t->seed,
                     workloads[workload].name, w->variant, w->n, w->map->name, engines[e].name,
                     by.wrong ? by.wrong : "results or counts differ");
        t->stops += by.stops;
        fhec_machine_free(pieces.machine);
    }
    t->instructions += whole.stats.warp_insts;
    fhec_machine_free(whole.machine);
}

static void kernels(void **unused) {
    (void)unused;
    const char *seed = getenv("FHEC_TEST_SEED");
    struct totals t = {.seed = seed ? strtoull(seed, NULL, 0) : 20240608};
    const bool thorough = getenv("FHEC_TEST_LONG") != NULL;
    t.rng.state = t.seed | UINT64_C(1) << 63;
    for (size_t k = 0; k < COUNT_OF(workloads); k++) {
        const struct fh_map *map;
        for (size_t i = 0; (map = programs_map((enum fh_workload)workloads[k].needs, i)); i++)
            for (int v = 0; v < workloads[k].variants; v++)
                compare(k,
                        &(struct work){.map = map,
                                       .n = thorough ? workloads[k].long_n : workloads[k].n,
                                       .variant = workloads[k].first + v},
                        &t);
    }
    print_message("# seed %" PRIu64 ": %" PRIu64 " warp instructions, %" PRIu64 " stops\n", t.seed,
                  t.instructions, t.stops);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kernels),
    };
    return cmocka_run_group_tests_name("session_kernels", tests, NULL, NULL);
}

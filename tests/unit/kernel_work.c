/*
 * kernel_work.c - see kernel_work.h.
 */
#include "kernel_work.h"

#include "bigint.h"
#include "emu_random.h"
#include "programs_util.h"

enum { LIMBS = 3 };

typedef fhec_status workload_fn(fhec_machine *m, const struct kernel_work *w, const void *a,
                                const void *b, void *out, struct fh_error *error);

/* Primes = 1 mod 2N for the map's words. */
static void primes(const struct kernel_work *w, uint64_t q[LIMBS]) {
    for (size_t i = 0; i < LIMBS; i++)
        q[i] = programs_prime(w->n, w->map->word_bits == 64 ? 50 : 30, i);
}

static fhec_status transform(fhec_machine *m, const struct kernel_work *w, const void *a,
                             const void *b, void *out, struct fh_error *error) {
    uint64_t q[LIMBS];
    (void)b;
    primes(w, q);
    const struct fh_ntt_params params = {.map = w->map->name,
                                         .n = w->n,
                                         .limbs = LIMBS,
                                         .q = q,
                                         .inverse = w->variant,
                                         .options = programs_options()};
    return fh_ntt_run(m, &params, a, LIMBS * w->n * w->map->word_bits / 8, out, error);
}

static fhec_status conversion(fhec_machine *m, const struct kernel_work *w, const void *a,
                              const void *b, void *out, struct fh_error *error) {
    uint64_t q[LIMBS];
    (void)b;
    primes(w, q);
    const struct fh_bconv_params params = {.map = w->map->name,
                                           .n = w->n,
                                           .alpha = 2,
                                           .target = 1,
                                           .from = q,
                                           .to = q + 2,
                                           .options = programs_options()};
    return fh_bconv_run(m, &params, a, 2 * w->n * w->map->word_bits / 8, out, error);
}

/* Operands are small enough for every modulus. */
static fhec_status element_wise(fhec_machine *m, const struct kernel_work *w, const void *a,
                                const void *b, void *out, struct fh_error *error) {
    const uint64_t scalars[LIMBS] = {5, 6, 7};
    const size_t bytes = LIMBS * w->n * w->map->word_bits / 8;
    uint64_t q[LIMBS];
    static uint32_t small[2][KERNEL_WORK_BYTES / 4];
    primes(w, q);
    for (size_t i = 0; i < KERNEL_WORK_BYTES / 4; i++) {
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
                                             .galois = 5,
                                             .options = programs_options()};
    return fh_eltwise_run(m, &params, small[0],
                          w->variant < FH_ELTWISE_ADD_SCALAR ? small[1] : NULL, bytes, out, error);
}

static fhec_status integers(fhec_machine *m, const struct kernel_work *w, const void *a,
                            const void *b, void *out, struct fh_error *error) {
    enum { WORDS = 8 };
    uint32_t modulus[WORDS], x[KERNEL_WORK_BYTES / 4], y[KERNEL_WORK_BYTES / 4];
    memset(modulus, 0xff, sizeof modulus);
    memcpy(x, a, sizeof x);
    memcpy(y, b, sizeof y);
    for (size_t i = WORDS - 1; i < KERNEL_WORK_BYTES / 4; i += WORDS) { /* below the modulus */
        x[i] &= 0x7fffffff;
        y[i] &= 0x7fffffff;
    }
    const struct fh_bigint_params params = {.map = w->map->name,
                                            .op = (enum fh_bigint_op)w->variant,
                                            .words = WORDS,
                                            .count = w->n,
                                            .modulus = modulus,
                                            .options = programs_options()};
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

void kernel_work_each(bool thorough, kernel_work_fn *each, void *user) {
    for (size_t k = 0; k < COUNT_OF(workloads); k++) {
        const struct fh_map *map;
        for (size_t i = 0; (map = programs_map((enum fh_workload)workloads[k].needs, i)); i++)
            for (int v = 0; v < workloads[k].variants; v++)
                each(user, &(struct kernel_work){
                               .kind = k,
                               .name = workloads[k].name,
                               .map = map,
                               .n = thorough ? workloads[k].long_n : workloads[k].n,
                               .variant = workloads[k].first + v,
                           });
    }
}

void kernel_work_run(const struct kernel_work *w, fhec_machine *m, uint8_t out[KERNEL_WORK_BYTES]) {
    static uint32_t a[KERNEL_WORK_BYTES / 4], b[KERNEL_WORK_BYTES / 4];
    struct emu_rng rng = {.state = 99};
    struct fh_error error;
    for (size_t i = 0; i < KERNEL_WORK_BYTES / 4; i++) {
        a[i] = (uint32_t)emu_next(&rng);
        b[i] = (uint32_t)emu_next(&rng);
    }
    assert_true(LIMBS * w->n * sizeof(uint64_t) <= KERNEL_WORK_BYTES);
    memset(out, 0xa5, KERNEL_WORK_BYTES);
    if (workloads[w->kind].run(m, w, a, b, out, &error) != FHEC_OK)
        fail_msg("%s, %s: %s", w->name, w->map->name, error.text);
}

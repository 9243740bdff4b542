/*
 * ntt_run.c - transforms: checks, and the choice of the method.
 */
#include "ntt_methods.h"
#include "parameters.h"

#include <stdlib.h>
#include <string.h>

static const struct {
    const char *map;
    fh_ntt_method *plan;
} methods[] = {
    {"fhec16", fh_ntt_fhec16}, {"fhec256", fh_ntt_fhec256}, {"fhec16+gme", fh_ntt_fhec16},
    {"cuda32", fh_ntt_cuda32}, {"cuda64", fh_ntt_cuda64},   {"gme32", fh_ntt_gme32},
    {"gme64", fh_ntt_gme64},   {"imma16", fh_ntt_imma16},   {"imma256", fh_ntt_imma256},
};

/* ---------------------------------------------------------------- checks */

static fhec_status check_limb(const struct fh_ntt_params *params, const struct fh_map *map,
                              size_t limb, struct fh_error *error) {
    unsigned long long q = params->q[limb], two_n = 2 * params->n;
    unsigned bits = map->word_bits == 64 ? FH_MAX_MODULUS_BITS_64 : 32;
    if (q >> bits)
        return fh_fail(error, FHEC_BAD_INPUT, "q of limb %zu is %llu; it must be below 2^%u", limb,
                       q, bits);
    switch (fh_golden_check_modulus(params->n, q)) {
    case FH_GOLDEN_OK: break;
    case FH_GOLDEN_ERR_CONGRUENCE:
        return fh_fail(error, FHEC_BAD_INPUT,
                       "q of limb %zu is %llu, which is %llu modulo 2N = %llu; it must be 1", limb,
                       q, q % two_n, two_n);
    default:
        return fh_fail(error, FHEC_BAD_INPUT, "q of limb %zu is %llu, which is not prime", limb, q);
    }
    if (params->psi && fh_golden_check_root(params->n, q, params->psi[limb]) != FH_GOLDEN_OK)
        return fh_fail(error, FHEC_BAD_INPUT,
                       "psi of limb %zu is %llu, which does not have order 2N = %llu modulo %llu",
                       limb, (unsigned long long)params->psi[limb], two_n, q);
    return FHEC_OK;
}

/* Finds the map, too. */
static fhec_status check(const struct fh_ntt_params *params, const struct fh_map **map,
                         struct fh_error *error) {
    size_t n = params->n;
    error->text[0] = 0;
    fhec_status status = fh_check_map(params->map, FH_WORKLOAD_NTT, map, error);
    if (status != FHEC_OK || params->options.checked)
        return status;
    if (n >> FH_NTT_MAX_LOG2 > 1 || n < (size_t)1 << FH_NTT_MIN_LOG2 || n & (n - 1) ||
        n > (size_t)1 << FH_NTT_MAX_LOG2)
        return fh_fail(error, FHEC_BAD_INPUT, "N must be a power of two from %u to %u, not %zu",
                       1u << FH_NTT_MIN_LOG2, 1u << FH_NTT_MAX_LOG2, n);
    if (params->order != FH_GOLDEN_BITREV && params->order != FH_GOLDEN_NATURAL)
        return fh_fail(error, FHEC_BAD_INPUT, "the order must be bit-reversed or natural");
    status = fh_check_limbs(params->limbs, n, error);
    for (size_t i = 0; i < params->limbs && status == FHEC_OK; i++)
        status = check_limb(params, *map, i, error);
    return status;
}

fhec_status fh_ntt_check(const struct fh_ntt_params *params, struct fh_error *error) {
    const struct fh_map *map;
    return check(params, &map, error);
}

/* ---------------------------------------------------------------- running */

/* The default roots, the smallest ones; the caller frees them. */
static fhec_status smallest_roots(const struct fh_ntt_params *params, uint64_t **psi,
                                  struct fh_error *error) {
    *psi = fh_table(params->limbs, sizeof **psi);
    if (!*psi)
        return fh_fail_memory(error);
    for (size_t i = 0; i < params->limbs; i++) {
        fh_golden_status status = fh_golden_smallest_root(params->n, params->q[i], *psi + i);
        if (status != FH_GOLDEN_OK)
            return fh_fail(error, FHEC_BAD_INPUT, "q of limb %zu: %s", i,
                           fh_golden_status_text(status));
    }
    return FHEC_OK;
}

/* The method of the map fills the plan. */
static fhec_status call_method(struct fh_plan *plan, struct fh_ntt_job *job,
                               const struct fh_map *map) {
    plan->limbs = job->limbs;
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++)
        if (strcmp(methods[i].map, map->name) == 0)
            return methods[i].plan(plan, job);
    return fh_fail(plan->guest.error, FHEC_BAD_INPUT, "the map \"%s\" has no method", map->name);
}

/* What ntt_job.h calls loose. */
static bool all_loose(const struct fh_ntt_params *params) {
    for (size_t i = 0; i < params->limbs; i++)
        if ((fh_u128)params->q[i] * (params->q[i] + ((uint64_t)1 << 32)) >> 64)
            return false;
    return true;
}

/* From parameters that have been checked. */
static fhec_status make_plan(struct fh_plan *plan, const struct fh_ntt_params *params,
                             const struct fh_map *map) {
    uint64_t *psi = NULL;
    fhec_status status = FHEC_OK;
    if (!params->psi)
        status = smallest_roots(params, &psi, plan->guest.error);
    if (status == FHEC_OK) {
        struct fh_ntt_job job = {
            .params = params,
            .n = params->n,
            .limbs = params->limbs,
            .psi = params->psi ? params->psi : psi,
            .gme = map->gme,
        };
        (void)fh_golden_log2(params->n, &job.log2_n);
        for (size_t i = 0; i < params->limbs; i++)
            job.wide = job.wide || params->q[i] >> 31;
        job.loose = job.wide && !job.gme && all_loose(params);
        status = call_method(plan, &job, map);
    }
    free(psi);
    return status;
}

fhec_status fh_ntt_plan(struct fh_plan *plan, const struct fh_ntt_params *params) {
    const struct fh_map *map;
    fhec_status status = check(params, &map, plan->guest.error);
    return status == FHEC_OK ? make_plan(plan, params, map) : status;
}

/* Puts the data into the guest, transforms them there, and takes them back. */
static fhec_status run_plan(struct fh_plan *plan, const void *in, size_t bytes, void *out) {
    uint64_t data;
    fhec_status status = fh_guest_alloc(&plan->guest, "data", bytes, &data);
    if (status == FHEC_OK)
        status = fh_guest_write(&plan->guest, data, in, bytes);
    if (status == FHEC_OK)
        status = fh_plan_run(plan, 0, plan->limbs, data, data);
    return status == FHEC_OK ? fh_guest_read(&plan->guest, data, out, bytes) : status;
}

fhec_status fh_ntt_run(fhec_machine *machine, const struct fh_ntt_params *params, const void *in,
                       size_t in_bytes, void *out, struct fh_error *error) {
    const struct fh_map *map;
    fhec_status status = check(params, &map, error);
    if (status == FHEC_OK)
        status = fh_check_bytes(map, params->limbs, params->n, in_bytes, "the input", error);
    if (status != FHEC_OK)
        return status;
    struct fh_plan plan;
    struct fh_ntt_params seen = *params;
    size_t all = params->limbs * params->n;
    seen.reduced = fh_first_unreduced(map, params->q, params->limbs, params->n, in) == all;
    fh_plan_begin(&plan, machine, &params->options, error);
    status = make_plan(&plan, &seen, map);
    if (status == FHEC_OK)
        status = run_plan(&plan, in, in_bytes, out);
    fh_plan_free(&plan);
    return status;
}

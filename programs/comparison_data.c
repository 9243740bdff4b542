/*
 * comparison_data.c - seeded operands of a comparison, and golden's results.
 */
#include "comparison_data.h"

#include "guest.h"

#include <stdlib.h>
#include <string.h>

const char *fh_comparison_kernel_name(enum fh_comparison_kernel kernel) {
    static const char *const names[FH_COMPARISON_KERNELS] = {"ntt",     "intt",   "bconv",
                                                             "rescale", "rotate", "hemult"};
    return names[kernel];
}

fhec_status fh_comparison_primes(const struct fh_comparison_params *params, size_t word,
                                 struct fh_comparison_data *data, struct fh_error *error) {
    *data = (struct fh_comparison_data){.word = word, .chain = params->chain};
    data->chain.bits = word == 8 ? params->bits_64 : params->bits_32;
    data->chain.moduli = NULL;
    fh_golden_status status = fh_golden_ckks_chain(&data->chain, data->moduli);
    if (status != FH_GOLDEN_OK)
        return fh_fail(error, status == FH_GOLDEN_ERR_NO_MEMORY ? FHEC_HOST_ERROR : FHEC_BAD_INPUT,
                       "the chain of primes of %u bits: %s", data->chain.bits,
                       fh_golden_status_text(status));
    data->n = (size_t)1 << data->chain.log2_n;
    return FHEC_OK;
}

size_t fh_comparison_elements(const struct fh_comparison_data *data,
                              enum fh_comparison_kernel kernel) {
    switch (kernel) {
    case FH_COMPARISON_NTT:
    case FH_COMPARISON_INTT: return data->n;
    case FH_COMPARISON_BCONV: return data->chain.limbs * data->n;
    case FH_COMPARISON_RESCALE: return 2 * (data->chain.limbs - 1) * data->n;
    default: return 2 * data->chain.limbs * data->n;
    }
}

void fh_comparison_data_free(struct fh_comparison_data *data) {
    free(data->limb);
    free(data->sources);
    free(data->a);
    free(data->b);
    free(data->key);
    for (size_t i = 0; i < FH_COMPARISON_KERNELS; i++)
        free(data->expected[i]);
    memset(data, 0, sizeof *data);
}

/* ---------------------------------------------------------------- operands */

static fhec_status golden_failed(fh_golden_status status, struct fh_error *error) {
    if (status == FH_GOLDEN_OK)
        return FHEC_OK;
    return fh_fail(error, status == FH_GOLDEN_ERR_NO_MEMORY ? FHEC_HOST_ERROR : FHEC_BAD_INPUT,
                   "the reference: %s", fh_golden_status_text(status));
}

/* Ciphertexts, and a key that switches nothing: its counts and its reference are those of any. */
static fhec_status generate_primitives(const struct fh_comparison_params *params,
                                       struct fh_comparison_data *data, struct fh_error *error) {
    size_t limbs = data->chain.limbs, extended = limbs + data->chain.alpha;
    size_t dnum = data->chain.dnum, n = data->n;
    /* Generating takes the shape and the moduli only. */
    fh_golden_ckks *shape = calloc(1, sizeof *shape);
    data->a = fh_table(2 * limbs * n, sizeof *data->a);
    data->b = fh_table(2 * limbs * n, sizeof *data->b);
    data->key = fh_table(2 * dnum * extended * n, sizeof *data->key);
    if (!shape || !data->a || !data->b || !data->key) {
        free(shape);
        return fh_fail_memory(error);
    }
    shape->n = n;
    shape->limbs = limbs;
    shape->alpha = data->chain.alpha;
    shape->dnum = dnum;
    shape->digit = fh_golden_ckks_digit(limbs, dnum);
    memcpy(shape->moduli, data->moduli, sizeof shape->moduli);
    fh_golden_status status =
        fh_golden_ckks_generate(shape, FH_GOLDEN_RANDOM, params->seed, limbs, false, 2, data->a);
    if (status == FH_GOLDEN_OK)
        status = fh_golden_ckks_generate(shape, FH_GOLDEN_RANDOM, params->seed + 1, limbs, false, 2,
                                         data->b);
    if (status == FH_GOLDEN_OK)
        status = fh_golden_ckks_generate(shape, FH_GOLDEN_RANDOM, params->seed + 2, limbs, true,
                                         2 * dnum, data->key);
    free(shape);
    return golden_failed(status, error);
}

/* ---------------------------------------------------------------- the references */

static fh_golden_status expect_limbs(struct fh_comparison_data *data) {
    size_t limbs = data->chain.limbs;
    const fh_golden_bases bases = {data->chain.alpha, data->moduli + limbs, limbs, data->moduli};
    fh_golden_status status = FH_GOLDEN_OK;
    if (data->expected[FH_COMPARISON_NTT])
        status = fh_golden_ntt_limbs(false, FH_GOLDEN_BITREV, data->n, 1, data->moduli, NULL,
                                     data->limb, data->expected[FH_COMPARISON_NTT]);
    if (status == FH_GOLDEN_OK && data->expected[FH_COMPARISON_INTT])
        status = fh_golden_ntt_limbs(true, FH_GOLDEN_BITREV, data->n, 1, data->moduli, NULL,
                                     data->limb, data->expected[FH_COMPARISON_INTT]);
    if (status == FH_GOLDEN_OK && data->expected[FH_COMPARISON_BCONV])
        status = fh_golden_bconv_fast(&bases, data->n, data->sources,
                                      data->expected[FH_COMPARISON_BCONV]);
    return status;
}

static fh_golden_status expect_primitives(struct fh_comparison_data *data) {
    size_t limbs = data->chain.limbs;
    fh_golden_ckks *golden = NULL;
    fh_golden_status status = fh_golden_ckks_create(&golden, &data->chain);
    if (status == FH_GOLDEN_OK && data->expected[FH_COMPARISON_RESCALE])
        status =
            fh_golden_ckks_rescale(golden, limbs, data->a, data->expected[FH_COMPARISON_RESCALE]);
    if (status == FH_GOLDEN_OK && data->expected[FH_COMPARISON_ROTATE])
        status = fh_golden_ckks_rotate(golden, limbs, FH_COMPARISON_ROTATION, data->a, data->key,
                                       data->expected[FH_COMPARISON_ROTATE]);
    if (status == FH_GOLDEN_OK && data->expected[FH_COMPARISON_HEMULT])
        status = fh_golden_ckks_hemult(golden, limbs, data->a, data->b, data->key,
                                       data->expected[FH_COMPARISON_HEMULT]);
    fh_golden_ckks_free(golden);
    return status;
}

fhec_status fh_comparison_operands(const struct fh_comparison_params *params, bool primitives,
                                   struct fh_comparison_data *data, struct fh_error *error) {
    size_t n = data->n, alpha = data->chain.alpha;
    unsigned kernels = primitives ? FH_COMPARISON_KERNELS : FH_COMPARISON_RESCALE;
    data->limb = fh_table(n, sizeof *data->limb);
    data->sources = fh_table(alpha * n, sizeof *data->sources);
    bool complete = data->limb && data->sources;
    for (unsigned k = 0; k < kernels && params->verify; k++) {
        if (params->kernels && !(params->kernels & 1u << k))
            continue;
        data->expected[k] = fh_table(fh_comparison_elements(data, k), sizeof **data->expected);
        complete = complete && data->expected[k];
    }
    if (!complete)
        return fh_fail_memory(error);
    fh_golden_status made =
        fh_golden_generate_limbs(FH_GOLDEN_RANDOM, params->seed, 1, data->moduli, n, data->limb);
    if (made == FH_GOLDEN_OK)
        made = fh_golden_generate_limbs(FH_GOLDEN_RANDOM, params->seed, alpha,
                                        data->moduli + data->chain.limbs, n, data->sources);
    if (made == FH_GOLDEN_OK && params->verify)
        made = expect_limbs(data);
    fhec_status status = golden_failed(made, error);
    if (status == FHEC_OK && primitives)
        status = generate_primitives(params, data, error);
    if (status == FHEC_OK && primitives && params->verify)
        status = golden_failed(expect_primitives(data), error);
    return status;
}

fhec_status fh_comparison_compare(const struct fh_comparison_data *data,
                                  enum fh_comparison_kernel kernel, const char *map,
                                  const uint64_t *got, struct fh_error *error) {
    const uint64_t *expected = data->expected[kernel];
    size_t count = expected ? fh_comparison_elements(data, kernel) : 0;
    for (size_t i = 0; i < count; i++)
        if (got[i] != expected[i])
            return fh_fail(error, FHEC_DIFFERS,
                           "map %s, %s: element %zu of limb %zu is %llu; the reference has %llu",
                           map, fh_comparison_kernel_name(kernel), i % data->n, i / data->n,
                           (unsigned long long)got[i], (unsigned long long)expected[i]);
    return FHEC_OK;
}

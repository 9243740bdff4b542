/*
 * ckks_sums.c - sums of products of ciphertexts on a machine, each in one kernel.
 */
#include "ckks_device.h"
#include "ckks_plan.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static_assert((int)FH_CKKS_MOST_TERMS == (int)FH_POLY_MOST_TERMS, "terms");
static_assert((int)FH_CKKS_MOST_MULTIPLES == (int)FH_POLY_MOST_MULTIPLES, "terms");
static_assert((int)FH_POLY_MAX_ENTRY <= FH_POLY_MOST_MULTIPLES * 8, "room for scalars");

/* *poly = the kernels for sums of `count` terms, made if this is their first use. */
static fhec_status sums_get(struct fh_ckks *ckks, size_t count, struct fh_poly **poly) {
    *poly = ckks->sum_kernels[count];
    if (*poly)
        return FHEC_OK;
    struct fh_poly_params params = fh_ckks_poly_params(ckks, 0);
    params.rotated = 0;
    params.terms = count;
    struct fh_poly *made = calloc(1, sizeof *made);
    if (!made)
        return fh_fail_memory(&ckks->error);
    fhec_status status =
        fh_poly_make(made, &params, ckks->guest.machine, &ckks->options, &ckks->error);
    if (status != FHEC_OK) {
        fh_poly_free(made);
        free(made);
        return status;
    }
    *poly = ckks->sum_kernels[count] = made;
    return FHEC_OK;
}

void fh_ckks_sums_free(struct fh_ckks *ckks) {
    for (size_t k = 0; k <= FH_POLY_MOST_TERMS; k++) {
        if (ckks->sum_kernels[k])
            fh_poly_free(ckks->sum_kernels[k]);
        free(ckks->sum_kernels[k]);
        ckks->sum_kernels[k] = NULL;
    }
}

static fhec_status check(struct fh_ckks *ckks, size_t level, size_t count, size_t most) {
    if (level < 1 || level > ckks->chain.limbs)
        return fh_fail(&ckks->error, FHEC_BAD_INPUT, "the level is %zu; it must be 1 to %zu", level,
                       ckks->chain.limbs);
    if (count < 1 || count > most)
        return fh_fail(&ckks->error, FHEC_BAD_INPUT,
                       "a sum of %zu terms; one kernel takes 1 to %zu", count, most);
    return FHEC_OK;
}

fhec_status fh_ckks_write_plain(struct fh_ckks *ckks, size_t level, const uint64_t *plain,
                                uint64_t address) {
    const struct fh_poly_params params = fh_ckks_poly_params(ckks, 0);
    size_t n = ckks->chain.n;
    fhec_status status = check(ckks, level, 1, 1);
    uint64_t *prepared = fh_table(n, sizeof *prepared);
    void *words = fh_table(n, ckks->word);
    if (status == FHEC_OK && (!prepared || !words))
        status = fh_fail_memory(&ckks->error);
    for (size_t i = 0; i < level && status == FHEC_OK; i++) {
        fh_poly_sum_elements(&params, ckks->chain.moduli[i], n, plain + i * n, prepared);
        fh_pack(prepared, n, ckks->word, words);
        status = fh_guest_write(&ckks->guest, address + fh_ckks_bytes(ckks, i), words,
                                fh_ckks_bytes(ckks, 1));
    }
    free(prepared);
    free(words);
    return status;
}

/* Golden's work of the products and of the sums. */
static void tally(struct fh_ckks *ckks, size_t level, size_t count) {
    ckks->work[FH_GOLDEN_CKKS_PRODUCT] += 2 * level * count;
    ckks->work[FH_GOLDEN_CKKS_ADDITION] += 2 * level * (count - 1);
}

fhec_status fh_ckks_sum_products(struct fh_ckks *ckks, size_t level,
                                 const struct fh_ckks_term *terms, size_t count, uint64_t out) {
    struct fh_poly *poly;
    uint64_t params[3 * FH_CKKS_MOST_TERMS + 3];
    fhec_status status = check(ckks, level, count, FH_CKKS_MOST_TERMS);
    if (status == FHEC_OK)
        status = sums_get(ckks, count, &poly);
    if (status != FHEC_OK)
        return status;
    size_t at = 0;
    for (size_t j = 0; j < count; j++) {
        params[at++] = terms[j].c.c[0];
        params[at++] = terms[j].c.c[1];
        params[at++] = terms[j].plain;
    }
    params[at++] = out;
    params[at++] = out + fh_ckks_bytes(ckks, level);
    params[at++] = ckks->inner_moduli;
    tally(ckks, level, count);
    return fh_poly_run(poly, FH_POLY_SUM_PRODUCTS, level, params, at);
}

/* The terms' integers modulo each q, a row for each limb. */
static fhec_status write_scalars(struct fh_ckks *ckks, const struct fh_poly *poly, size_t level,
                                 const struct fh_ckks_term *terms) {
    size_t count = poly->params.terms, row = fh_poly_scalar_row(&poly->params);
    unsigned char *rows = fh_table(level, row);
    uint64_t rest[FH_CKKS_MOST_MULTIPLES];
    if (!rows)
        return fh_fail_memory(&ckks->error);
    for (size_t i = 0; i < level; i++) {
        uint64_t q = ckks->chain.moduli[i];
        for (size_t j = 0; j < count; j++)
            rest[j] = fh_golden_ckks_residue(terms[j].scalar, q);
        fh_poly_sum_elements(&poly->params, q, count, rest, rest);
        fh_pack(rest, count, ckks->word, rows + i * row);
    }
    fhec_status status = fh_guest_write(&ckks->guest, ckks->scalars, rows, level * row);
    free(rows);
    return status;
}

fhec_status fh_ckks_sum_multiples(struct fh_ckks *ckks, size_t level,
                                  const struct fh_ckks_term *terms, size_t count, uint64_t out) {
    struct fh_poly *poly;
    uint64_t params[2 * FH_CKKS_MOST_MULTIPLES + 4];
    fhec_status status = check(ckks, level, count, FH_CKKS_MOST_MULTIPLES);
    if (status == FHEC_OK)
        status = sums_get(ckks, count, &poly);
    if (status == FHEC_OK)
        status = write_scalars(ckks, poly, level, terms);
    if (status != FHEC_OK)
        return status;
    size_t at = 0;
    for (size_t j = 0; j < count; j++) {
        params[at++] = terms[j].c.c[0];
        params[at++] = terms[j].c.c[1];
    }
    params[at++] = ckks->scalars;
    params[at++] = out;
    params[at++] = out + fh_ckks_bytes(ckks, level);
    params[at++] = ckks->inner_moduli;
    tally(ckks, level, count);
    return fh_poly_run(poly, FH_POLY_SUM_MULTIPLES, level, params, at);
}

/*
 * ckks_switch.c - hybrid key switching: ModUp, inner product, ModDown.
 *
 *   in = sum_d x_d g_d mod Q             x_d = in mod Q_d, the value of digit d
 *   sum_d (x_d + u Q_d) (b_d + a_d s)  = P in s' + small      (g_d kills the u Q_d modulo Q)
 *   dividing by P leaves in s' + (small / P) + rounding.
 */
#include "bconv_fast.h"
#include "ckks_internal.h"
#include "room.h"

#include <stdlib.h>

/* INTT of source limbs, fast base conversion, NTT. */
typedef struct conversion_job {
    const fh_golden_ckks *ckks;
    size_t level;
    const fh_golden_ckks_conversion *limbs;
    fh_golden_fast_conversion fast;
    const uint64_t *in;                    /* extended polynomial */
    uint64_t *scratch;                     /* room for the source limbs: their coefficients */
    uint64_t *target[FH_GOLDEN_MAX_LIMBS]; /* where target limbs go */
} conversion_job;

enum { PART = 1 << 12 }; /* elements of the limbs that a thread converts at a time */

static void invert_source(void *context, size_t j) {
    const conversion_job *job = context;
    size_t n = job->ckks->n;
    size_t position = job->limbs->from_limb[j];
    to_coefficients(job->ckks, chain_limb(job->ckks, job->level, position), job->in + position * n,
                    job->scratch + j * n);
}

static void convert_part(void *context, size_t part) {
    const conversion_job *job = context;
    size_t n = job->ckks->n;
    size_t first = part * PART;
    fh_golden_bconv_fast_part(&job->fast, n, first, n - first < PART ? n : first + PART,
                              job->scratch, job->target);
}

static void transform_target(void *context, size_t i) {
    const conversion_job *job = context;
    to_evaluations(job->ckks, chain_limb(job->ckks, job->level, job->limbs->to_limb[i]),
                   job->target[i], job->target[i]);
}

/* out: target limb i goes to to_limb[i] of it. ERR_NO_MEMORY. */
static fh_golden_status convert_limbs(const fh_golden_ckks *ckks, size_t level,
                                      const fh_golden_ckks_conversion *conversion,
                                      const uint64_t *in, uint64_t *out) {
    size_t n = ckks->n;
    conversion_job job = {.ckks = ckks, .level = level, .limbs = conversion, .in = in};
    const fh_golden_bases bases = {conversion->from_count, conversion->from, conversion->to_count,
                                   conversion->to};
    fh_golden_status status = fh_golden_bconv_fast_begin(&bases, &job.fast);
    if (status != FH_GOLDEN_OK) {
        return status;
    }
    job.scratch = fh_golden_room(conversion->from_count * n, sizeof *job.scratch);
    if (job.scratch == NULL) {
        return FH_GOLDEN_ERR_NO_MEMORY;
    }
    for (size_t i = 0; i < conversion->to_count; i++) {
        job.target[i] = out + conversion->to_limb[i] * n;
    }
    size_t parts = (n + PART - 1) / PART;
    for_each_limb(ckks, conversion->from_count, invert_source, &job);
    fh_golden_for_each(n * conversion->to_count >= FH_GOLDEN_CKKS_ALONE ? ckks->threads : 1, parts,
                       convert_part, &job);
    for_each_limb(ckks, conversion->to_count, transform_target, &job);
    tally(ckks, FH_GOLDEN_CKKS_CONVERSION, 1);
    tally(ckks, FH_GOLDEN_CKKS_PREMULTIPLY, conversion->from_count);
    free(job.scratch);
    return FH_GOLDEN_OK;
}

fh_golden_status fh_golden_ckks_mod_up(const fh_golden_ckks *ckks, size_t level, size_t digit,
                                       const uint64_t *in, uint64_t *out) {
    size_t n = ckks->n;
    fh_golden_ckks_conversion conversion;
    fh_golden_status status = fh_golden_ckks_mod_up_bases(ckks, level, digit, &conversion);
    if (status == FH_GOLDEN_OK) {
        /* The digit's positions lie below the level, so `in` need not be extended. */
        status = convert_limbs(ckks, level, &conversion, in, out);
    }
    for (size_t j = 0; status == FH_GOLDEN_OK && j < conversion.from_count; j++) {
        size_t at = conversion.from_limb[j] * n;
        (void)fh_golden_add_scalar(n, conversion.from[j], in + at, 0, out + at);
    }
    return status;
}

typedef struct product_job {
    const fh_golden_ckks *ckks;
    size_t extended, level, digit;
    const uint64_t *raised, *key;
    uint64_t *sum;
} product_job;

static void accumulate_limb(void *context, size_t i) {
    const product_job *job = context;
    const fh_golden_ckks *ckks = job->ckks;
    size_t n = ckks->n;
    size_t position = i % job->extended;
    size_t limb = chain_limb(ckks, job->level, position);
    uint64_t q = ckks->moduli[limb];
    const uint64_t *a = job->raised + position * n;
    const uint64_t *b =
        job->key + fh_golden_ckks_key_offset(ckks, job->digit, i / job->extended, limb);
    uint64_t *to = job->sum + i * n;
    if (job->digit == 0) {
        (void)fh_golden_mul(n, q, a, b, to);
    } else {
        (void)fh_golden_mac(n, q, a, b, to, to);
    }
    tally(ckks, FH_GOLDEN_CKKS_KEY_PRODUCT, 1);
}

/* sum (two extended polynomials) += raised (extended) * key of this digit; digit 0 starts the sum.
 */
static void accumulate(const fh_golden_ckks *ckks, size_t level, size_t digit,
                       const uint64_t *raised, const uint64_t *key, uint64_t *sum) {
    product_job job = {ckks, level + ckks->alpha, level, digit, raised, key, sum};
    for_each_limb(ckks, 2 * job.extended, accumulate_limb, &job);
}

fh_golden_status fh_golden_ckks_inner_product(const fh_golden_ckks *ckks, size_t level,
                                              const uint64_t *raised, const uint64_t *key,
                                              uint64_t *out) {
    fh_golden_status status = check_level(ckks, level);
    if (status != FH_GOLDEN_OK) {
        return status;
    }
    size_t elements = (level + ckks->alpha) * ckks->n;
    for (size_t digit = 0; digit < fh_golden_ckks_digits(ckks, level); digit++) {
        accumulate(ckks, level, digit, raised + digit * elements, key, out);
    }
    return FH_GOLDEN_OK;
}

fh_golden_status fh_golden_ckks_mod_down(const fh_golden_ckks *ckks, size_t level,
                                         const uint64_t *in, uint64_t *out) {
    size_t n = ckks->n;
    fh_golden_ckks_conversion conversion;
    fh_golden_status status = fh_golden_ckks_mod_down_bases(ckks, level, &conversion);
    if (status == FH_GOLDEN_OK) { /* target limb i is limb i */
        status = convert_limbs(ckks, level, &conversion, in, out);
    }
    for (size_t i = 0; status == FH_GOLDEN_OK && i < level; i++) {
        correct(ckks, ckks->moduli[i], ckks->p_inverse[i], in + i * n, out + i * n, out + i * n);
    }
    return status;
}

fh_golden_status fh_golden_ckks_key_switch(const fh_golden_ckks *ckks, size_t level,
                                           const uint64_t *in, const uint64_t *key, uint64_t *out) {
    fh_golden_status status = check_level(ckks, level);
    if (status != FH_GOLDEN_OK) {
        return status;
    }
    size_t elements = (level + ckks->alpha) * ckks->n;
    uint64_t *raised = fh_golden_room(3 * elements, sizeof *raised);
    if (raised == NULL) {
        return FH_GOLDEN_ERR_NO_MEMORY;
    }
    uint64_t *sum = raised + elements; /* two extended polynomials */
    size_t digits = fh_golden_ckks_digits(ckks, level);
    for (size_t digit = 0; digit < digits && status == FH_GOLDEN_OK; digit++) {
        status = fh_golden_ckks_mod_up(ckks, level, digit, in, raised);
        if (status == FH_GOLDEN_OK) {
            accumulate(ckks, level, digit, raised, key, sum);
        }
    }
    for (size_t component = 0; component < 2 && status == FH_GOLDEN_OK; component++) {
        status = fh_golden_ckks_mod_down(ckks, level, sum + component * elements,
                                         out + component * level * ckks->n);
    }
    free(raised);
    return status;
}

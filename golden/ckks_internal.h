/*
 * ckks_internal.h - what the files of golden/ckks*.c share and nobody else sees.
 */
#ifndef FH_GOLDEN_CKKS_INTERNAL_H
#define FH_GOLDEN_CKKS_INTERNAL_H

#include "ckks.h"

/* Adds to the caller's counts, where there are any. */
static inline void tally(const fh_golden_ckks *ckks, fh_golden_ckks_work work, size_t amount) {
    if (ckks->counts != NULL) {
        ckks->counts[work] += amount;
    }
}

static inline fh_golden_status check_level(const fh_golden_ckks *ckks, size_t level) {
    return level >= 1 && level <= ckks->limbs ? FH_GOLDEN_OK : FH_GOLDEN_ERR_LEVEL;
}

/* Place in the chain of limb `position` of an extended polynomial. */
static inline size_t chain_limb(const fh_golden_ckks *ckks, size_t level, size_t position) {
    return position < level ? position : ckks->limbs + (position - level);
}

/* One limb, counted; `limb` is its place in the chain. In place allowed. */
static inline void to_evaluations(const fh_golden_ckks *ckks, size_t limb, const uint64_t *in,
                                  uint64_t *out) {
    fh_golden_ntt_forward(ckks->plans[limb], FH_GOLDEN_BITREV, in, out);
    tally(ckks, FH_GOLDEN_CKKS_NTT, 1);
}

static inline void to_coefficients(const fh_golden_ckks *ckks, size_t limb, const uint64_t *in,
                                   uint64_t *out) {
    fh_golden_ntt_inverse(ckks->plans[limb], FH_GOLDEN_BITREV, in, out);
    tally(ckks, FH_GOLDEN_CKKS_INTT, 1);
}

/* out[i] = (a[i] - b[i]) * factor mod q; the last step of ModDown and Rescale. In place allowed. */
static inline void correct(const fh_golden_ckks *ckks, uint64_t q, uint64_t factor,
                           const uint64_t *a, const uint64_t *b, uint64_t *out) {
    /* The moduli were checked on creation, which leaves these calls no error. */
    (void)fh_golden_sub(ckks->n, q, a, b, out);
    (void)fh_golden_mul_scalar(ckks->n, q, out, factor, out);
    tally(ckks, FH_GOLDEN_CKKS_CORRECTION, 1);
}

#endif

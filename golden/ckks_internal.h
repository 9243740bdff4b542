/*
 * ckks_internal.h - what the files of golden/ckks*.c share and nobody else sees.
 */
#ifndef FH_GOLDEN_CKKS_INTERNAL_H
#define FH_GOLDEN_CKKS_INTERNAL_H

#include "ckks.h"
#include "limbs.h"

/* Below so many elements threads are not worth their start. */
#define FH_GOLDEN_CKKS_ALONE ((size_t)1 << 18)

/* work(context, i) for each of `count` limbs, by the threads that the chain is for. Callers'
 * counts are no business of threads. */
static inline void for_each_limb(const fh_golden_ckks *ckks, size_t count,
                                 void (*work)(void *context, size_t i), void *context) {
    bool many = ckks->counts == NULL && count * ckks->n >= FH_GOLDEN_CKKS_ALONE;
    fh_golden_for_each(many ? ckks->threads : 1, count, work, context);
}

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

/* out (limbs x n) = every limb of in permuted by X -> X^g, g odd (ckks_raise.c). ERR_ARGUMENT,
 * ERR_NO_MEMORY. */
fh_golden_status fh_golden_ckks_permute(const fh_golden_ckks *ckks, size_t limbs, uint64_t g,
                                        const uint64_t *in, uint64_t *out);

/* The canonical embedding in long double (ckks_embedding.c): room for one transform. */
typedef struct fh_golden_embedding {
    size_t n;
    unsigned log2_n;
    fh_golden_wide_complex *values; /* n */
    fh_golden_wide_complex *powers; /* n: zeta^k = exp(i pi k / N) */
    fh_golden_wide_complex *slots;  /* n / 2 */
} fh_golden_embedding;

static inline fh_golden_wide_complex wide_multiply(fh_golden_wide_complex a,
                                                   fh_golden_wide_complex b) {
    return (fh_golden_wide_complex){a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}

static inline fh_golden_wide_complex wide_conjugate(fh_golden_wide_complex a) {
    return (fh_golden_wide_complex){a.re, -a.im};
}

/* n: a power of two. ERR_NO_MEMORY; freed by fh_golden_embedding_free, also after an error. */
fh_golden_status fh_golden_embedding_make(size_t n, fh_golden_embedding *made);
void fh_golden_embedding_free(fh_golden_embedding *e);

/* values = in .re the real coefficients of the polynomial with these slots. */
void fh_golden_embedding_to_coefficients(fh_golden_embedding *e);

/* slots = the values of the polynomial with these n coefficients; values is overwritten. */
void fh_golden_embedding_to_slots(fh_golden_embedding *e, const long double *coefficients);

#endif

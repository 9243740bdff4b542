/*
 * ntt_radix16.h - what the transforms in stages of radix 16 share (fhec16, imma16): how N is cut,
 * and the entries of the stages' matrices.
 */
#ifndef FH_NTT_RADIX16_H
#define FH_NTT_RADIX16_H

#include "ntt.h"

/* N = 2 (split) * 2^cols * 256. */
struct fh_radix16 {
    unsigned log2_n, split, cols;
    bool inverse, natural;
    size_t n, blocks; /* blocks of 256 in a limb */
    size_t prefixes;  /* of the kernel that works on columns: 2^split */
};

static inline struct fh_radix16 fh_radix16_of(const struct fh_ntt_job *job) {
    struct fh_radix16 s = {
        .log2_n = job->log2_n,
        .inverse = job->params->inverse,
        .natural = job->params->order == FH_GOLDEN_NATURAL,
        .n = job->n,
    };
    s.split = s.log2_n == 17;
    s.cols = s.log2_n - 8 - s.split;
    s.blocks = job->n / 256;
    s.prefixes = (size_t)1 << s.split;
    return s;
}

/* Equation (1) of the kernels: entry [k][d] of stage s for prefix K, P = P_s, S = S_s. */
static inline uint32_t fh_radix16_entry(const struct fh_roots *roots, uint64_t K, uint64_t P,
                                        uint64_t k, uint64_t d, uint64_t S) {
    return fh_root(roots, (2 * (K + P * k) + 1) * d * S);
}

#endif

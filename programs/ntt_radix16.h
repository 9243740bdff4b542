/*
 * ntt_radix16.h - what the transforms in stages of radix 16 share (fhec16, imma16): how N is cut,
 * the entries of the stages' matrices, their tables and the launches. How the matrices lie in
 * fragments is each map's own.
 */
#ifndef FH_NTT_RADIX16_H
#define FH_NTT_RADIX16_H

#include "ntt_job.h"

/* N = 2 (split) * 2^cols * 256. */
struct fh_radix16 {
    const struct fh_ntt_job *job;
    unsigned log2_n, split, cols;
    bool inverse, natural;
    size_t n, blocks; /* blocks of 256 in a limb */
    size_t prefixes;  /* of the kernel that works on columns: 2^split */
};

static inline struct fh_radix16 fh_radix16_of(const struct fh_ntt_job *job) {
    struct fh_radix16 s = {
        .job = job,
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

/* The kernels, in the order of a forward transform; inverse ones run them backwards. Some N need
 * only the last one, or only two. */
enum fh_radix16_kernel {
    FH_RADIX16_SPLIT, /* ntt_split: two halves */
    FH_RADIX16_COLS,  /* ntt_cols: 2^cols */
    FH_RADIX16_ROWS,  /* ntt_rows: blocks of 256 */
    FH_RADIX16_KERNELS
};

/* The tables, in the order of the kernels' parameters. */
enum fh_radix16_table {
    FH_RADIX16_SPLIT_CONSTANT,
    FH_RADIX16_COLS_MATRICES,
    FH_RADIX16_COLS_CONSTANT,
    FH_RADIX16_ROWS_TABLES, /* three, which differ from map to map */
    FH_RADIX16_TABLES = FH_RADIX16_ROWS_TABLES + 3
};

/* What a map adds. */
struct fh_radix16_map {
    const char *source;          /* with the three kernels */
    struct fh_define defines[2]; /* besides LOGN, INVERSE, NATURAL and WIDE_MODULI */
    struct fh_ntt_table tables[FH_RADIX16_TABLES];
    fh_ntt_fill *fill; /* is given the struct fh_radix16 */
    struct {
        size_t blocks, warps; /* blocks of a limb, warps of a block */
    } launches[FH_RADIX16_KERNELS];
};

/* Assembles, makes the tables, lists the steps. */
fhec_status fh_radix16_plan(struct fh_plan *plan, const struct fh_radix16 *s,
                            const struct fh_radix16_map *map);

#endif

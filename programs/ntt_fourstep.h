/*
 * ntt_fourstep.h - what the 4-step transforms share (fhec256, imma256): a limb as a matrix of n2
 * rows and n1 columns, the constants of its two products, their tables and the two launches.
 * How a product's constants lie in fragments is each map's own.
 */
#ifndef FH_NTT_FOURSTEP_H
#define FH_NTT_FOURSTEP_H

#include "ntt_job.h"

struct fh_fourstep {
    const struct fh_ntt_job *job;
    unsigned log2_n2, log2_n1;
    size_t n2, n1;
    bool inverse, natural;
};

struct fh_fourstep fh_fourstep_of(const struct fh_ntt_job *job);

/* W1[k2][j], W2[k2][i] and W3[i][k1], divided by N if inverse; k2 and k1 by position: the order of
 * the evaluations decides which they are. */
uint32_t fh_fourstep_w1(const struct fh_fourstep *f, const struct fh_roots *roots, size_t k2,
                        size_t j);
uint32_t fh_fourstep_w2(const struct fh_fourstep *f, const struct fh_roots *roots, size_t k2,
                        size_t i);
uint32_t fh_fourstep_w3(const struct fh_fourstep *f, const struct fh_roots *roots, size_t i,
                        size_t k1);

/* Constants of the first product, Hadamard factors after it, constants of the second. */
enum fh_fourstep_table {
    FH_FOURSTEP_FIRST,
    FH_FOURSTEP_TWIDDLES,
    FH_FOURSTEP_SECOND,
    FH_FOURSTEP_TABLES
};

struct fh_fourstep_launch {
    size_t columns, rows, warps; /* blocks of a limb, and warps of a block */
};

/* What a map adds. */
struct fh_fourstep_map {
    const char *source;               /* with kernels ntt_first and ntt_second */
    size_t words[FH_FOURSTEP_TABLES]; /* of one limb */
    struct fh_fourstep_launch first, second;
    fh_ntt_fill *fill; /* is given this structure, the first member of the map's own */
};

/* Assembles, makes the tables, lists the two steps. */
fhec_status fh_fourstep_plan(struct fh_plan *plan, const struct fh_fourstep *f,
                             const struct fh_fourstep_map *map);

#endif

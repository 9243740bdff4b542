/*
 * ntt_levels.h - the levels of a fast transform (ntt.c), four values at a time.
 *
 * For q < 2^32, where a product of two residues is one vpmuludq. With w' = floor(w 2^32 / q), the
 * upper half of w's quotient, floor(x w' / 2^32) is floor(x w / q) or one less for every x < 2^32,
 * as w 2^32 / q - w' < 1: x w minus q times it is in [0, 2q), as in 64 bits. All values are kept
 * below q, sums and products being reduced once.
 */
#ifndef FH_GOLDEN_NTT_LEVELS_H
#define FH_GOLDEN_NTT_LEVELS_H

#include "golden.h"

/* A constant below q with its Shoup quotient floor(value * 2^64 / q). */
typedef struct fh_golden_factor {
    uint64_t value;
    uint64_t quotient;
} fh_golden_factor;

/* Whether the functions below may be called: on this host, for such a transform. */
bool fh_golden_levels_usable(size_t n, uint64_t q);
/* All levels of a transform, or of the inverse without its factor 1/n. table[m + i]: the constant
 * of group i of m. data: below q, before and after. */
void fh_golden_levels_forward(size_t n, uint64_t q, const fh_golden_factor *table, uint64_t *data);
void fh_golden_levels_inverse(size_t n, uint64_t q, const fh_golden_factor *table, uint64_t *data);

#endif

/*
 * residues.h - arrays of residues modulo odd q, 2^16 < q < 2^32, four at a time without a division.
 *
 * Products are reduced by Montgomery's method: for t < 2^32 q and m = t q^-1 mod 2^32 the number
 * t - m q is a multiple of 2^32, and the quotient lies in (-q, q). With one factor multiplied by
 * 2^32 modulo q beforehand it is the product modulo q. Single residues c < 2^32 are reduced by
 * Barrett's: with f = floor(2^32 / q) the estimate floor(c f / 2^32) is floor(c / q) or one less.
 *
 * The functions work on leading elements in pieces of 16 as long as all operands are below q, and
 * return how many they have done; the definition's loop does the others. Everything in place is
 * allowed. Where there is no AVX2, none are done.
 */
#ifndef FH_GOLDEN_RESIDUES_H
#define FH_GOLDEN_RESIDUES_H

#include "golden.h"

size_t fh_golden_residues_add(size_t n, uint64_t q, const uint64_t *a, const uint64_t *b,
                              uint64_t *out);
size_t fh_golden_residues_sub(size_t n, uint64_t q, const uint64_t *a, const uint64_t *b,
                              uint64_t *out);
size_t fh_golden_residues_mul(size_t n, uint64_t q, const uint64_t *a, const uint64_t *b,
                              uint64_t *out);
/* a b + c */
size_t fh_golden_residues_mac(size_t n, uint64_t q, const uint64_t *a, const uint64_t *b,
                              const uint64_t *c, uint64_t *out);
/* scalar: any */
size_t fh_golden_residues_add_scalar(size_t n, uint64_t q, const uint64_t *a, uint64_t scalar,
                                     uint64_t *out);
size_t fh_golden_residues_mul_scalar(size_t n, uint64_t q, const uint64_t *a, uint64_t scalar,
                                     uint64_t *out);

/* x modulo `last`, taken in [-(last - 1) / 2, (last - 1) / 2], modulo q. Both in the range above.
 */
size_t fh_golden_residues_switch(size_t n, uint64_t last, uint64_t q, const uint64_t *in,
                                 uint64_t *out);

/* One target limb of the fast base conversion: out[x] = sum_j y[j * stride + x] factor[j] mod q for
 * `terms` <= 64 limbs y below 2^32, which need not be below q; factor[j] < q. */
size_t fh_golden_residues_combine(size_t n, uint64_t q, size_t terms, const uint64_t *y,
                                  size_t stride, const uint64_t *factor, uint64_t *out);

#endif

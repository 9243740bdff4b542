/*
 * matrix_fhec.h - what the FHEC functions of all SIMD levels share: the plan of the computation and
 * the last reduction, both with their proofs.
 *
 * With mu right (fh_modulus_exact) a result is S mod q, S = C + A[0] B[0] + ... + A[15] B[15]. All
 * operands are any 32-bit numbers, so S is at most 16 (2^32-1)^2 + 2^32-1 < 2^68.
 *
 *   narrow   all A and B below 2^30: S <= 16 (2^30-1)^2 + 2^32-1 < 2^64. One 64-bit sum is S.
 *   medium   all below 2^31: four products and C are at most 4 (2^31-1)^2 + 2^32-1 < 2^64, S is
 *            below 2^66. Four 64-bit sums, of k = 4j..4j+3 each, are S together.
 *   wide     else. The sum wraps; the level also keeps what it needs to know the bits above 64.
 *
 * With mu wrong, or q outside of what a level's last reduction can take, the steps as written.
 */
#ifndef FH_MATRIX_FHEC_H
#define FH_MATRIX_FHEC_H

#include "matrix.h"

#define FH_NARROW_LIMIT (UINT32_C(1) << 30)
#define FH_MEDIUM_LIMIT (UINT32_C(1) << 31)

/* z mod q for any z, given an exact mu. With z mu = 2^64 z / q - z e, 0 <= e < 1, the quotient
 * t = floor(z mu / 2^64) is above z / q - z e / 2^64 - 1 > z / q - 2, and not above z / q: so
 * 0 <= z - t q < 2 q. */
static inline uint32_t fh_barrett(uint64_t z, struct fh_modulus modulus) {
    uint64_t t = (uint64_t)((fh_u128)z * modulus.mu >> 64);
    uint64_t r = z - t * modulus.q;
    return (uint32_t)(r >= modulus.q ? r - modulus.q : r);
}

/* (2^32 high + low) mod q for high < 2^63: the part from 2^32 on is reduced first, which leaves a
 * number below 2^64. */
static inline uint32_t fh_barrett_halves(uint64_t high, uint64_t low, struct fh_modulus modulus) {
    uint64_t rest = fh_barrett(high + (low >> 32), modulus);
    return fh_barrett(rest << 32 | (low & UINT32_MAX), modulus);
}

#endif

/*
 * matrix_fhec.h - FHEC as functions from fragments to fragments, one for each SIMD level, and what
 * they share: the plan of the computation and the last reduction, both with their proofs. They know
 * no warp, check nothing, and read all sources before they write, so that D may be any of them.
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

#include "matrix_fragment.h"

/* D, C 16x8, A 16x16, B 16x8. */
enum { FH_TILE_ROWS = 16, FH_TILE_COLUMNS = 8, FH_TILE_DEPTH = 16 };

struct fh_modulus {
    uint32_t q;  /* not 0, in an instruction: that faults */
    uint64_t mu; /* floor(2^64 / q), or anything: the value is defined by the steps */
};

__extension__ typedef unsigned __int128 fh_u128;

/* Whether mu = floor(2^64 / q) and q >= 2, which is 2^64 - mu q in 0..q-1. Then all steps together
 * give (C + sum A B) mod q for all operands, and a value function may compute that instead. */
static inline bool fh_modulus_exact(struct fh_modulus modulus) {
    fh_u128 product = (fh_u128)modulus.mu * modulus.q;
    uint64_t rest = 0 - (uint64_t)product;
    /* The product is 2^64 - rest: below 2^64, or 2^64 itself when q is a power of two. */
    return modulus.q >= 2 && rest < modulus.q && (uint64_t)(product >> 64) == (rest == 0);
}

/* One product step: z = r + a b; t = (z mu) >> 64; v = (z - t q) mod 2^33; the low 32 bits of
 * (v >= q ? v - q : v). */
static inline uint32_t fh_fhec_step(struct fh_modulus modulus, uint32_t r, uint32_t a, uint32_t b) {
    uint64_t z = (uint64_t)a * b + r; /* at most (2^32-1)^2 + 2^32-1 < 2^64 */
    uint64_t t = (uint64_t)((fh_u128)z * modulus.mu >> 64);
    uint64_t v = (z - t * modulus.q) & UINT64_C(0x1ffffffff);
    return (uint32_t)(v >= modulus.q ? v - modulus.q : v);
}

/* d = the steps for k = 0..15 from c. a: 8 rows, b, c, d: 4 rows. */
typedef void fh_fhec_fn(const fh_row *a, const fh_row *b, const fh_row *c, fh_row *d,
                        struct fh_modulus modulus);
/* The same with the modulus of column n from lane 4n of the descriptor's four rows m:
 * q, ignored, low and high half of mu. */
typedef void fh_fhec_mix_fn(const fh_row *a, const fh_row *b, const fh_row *c, fh_row *d,
                            const fh_row *m);

fh_fhec_fn fh_fhec_portable, fh_fhec_avx2, fh_fhec_avx512;
fh_fhec_mix_fn fh_fhec_mix_portable, fh_fhec_mix_avx2, fh_fhec_mix_avx512;

/* The eight columns' descriptors out of the rows m. */
void fh_fhec_descriptors(const fh_row *m, struct fh_modulus modulus[FH_TILE_COLUMNS]);
/* The steps as written, column n by modulus[n]: what every level falls back to. */
void fh_fhec_steps(const fh_row *a, const fh_row *b, const fh_row *c, fh_row *d,
                   const struct fh_modulus modulus[FH_TILE_COLUMNS]);

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

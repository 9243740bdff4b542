/* wide_rest.h - 128 bits modulo 64. */
#ifndef FH_GOLDEN_WIDE_REST_H
#define FH_GOLDEN_WIDE_REST_H

#include "golden.h"

/* x mod q, q not 0. Most numbers have an upper half of zero, residues of moduli below 2^32 and
 * their products among them: the host's own division does then, and no call. */
static inline uint64_t fh_golden_rest(fh_golden_u128 x, uint64_t q) {
    return x >> 64 == 0 ? (uint64_t)x % q : (uint64_t)(x % q);
}

/* A modulus below 2^62 with what reduces numbers of 128 bits by it without a division. */
typedef struct fh_golden_divisor {
    uint64_t q;
    uint64_t inverse;       /* floor((2^64 - 1) / q) */
    uint64_t high;          /* h = 2^64 mod q, */
    uint64_t high_quotient; /* and floor(h 2^64 / q) */
} fh_golden_divisor;

static inline fh_golden_divisor fh_golden_divisor_of(uint64_t q) {
    const uint64_t high = (UINT64_MAX % q + 1) % q;
    return (fh_golden_divisor){q, UINT64_MAX / q, high,
                               (uint64_t)(((fh_golden_u128)high << 64) / q)};
}

/* x mod q. For 64-bit numbers v and constants w < q with w' = floor(w 2^64 / q), the quotient
 * floor(v w' / 2^64) is floor(v w / q) or one less, as w 2^64 / q - w' < 1 and v < 2^64 (Shoup). So
 * v w minus q times it is in [0, 2q). The same holds for w = 1 with `inverse`, which is at least
 * 2^64 / q - 1. With x = u 2^64 + l the two parts u h and l so reduced are below 4q < 2^64
 * together. Arithmetic modulo 2^64. */
static inline uint64_t fh_golden_rest_by(fh_golden_u128 x, const fh_golden_divisor *d) {
    const uint64_t upper = (uint64_t)(x >> 64), lower = (uint64_t)x;
    const uint64_t upper_times = (uint64_t)((fh_golden_u128)upper * d->high_quotient >> 64);
    const uint64_t lower_times = (uint64_t)((fh_golden_u128)lower * d->inverse >> 64);
    uint64_t rest = upper * d->high + lower - (upper_times + lower_times) * d->q;
    rest = rest >= 2 * d->q ? rest - 2 * d->q : rest;
    return rest >= d->q ? rest - d->q : rest;
}

#endif

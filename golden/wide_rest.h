/* wide_rest.h - 128 bits modulo 64. */
#ifndef FH_GOLDEN_WIDE_REST_H
#define FH_GOLDEN_WIDE_REST_H

#include "golden.h"

/* x mod q, q not 0. Most numbers have an upper half of zero, residues of moduli below 2^32 and
 * their products among them: the host's own division does then, and no call. */
static inline uint64_t fh_golden_rest(fh_golden_u128 x, uint64_t q) {
    return x >> 64 == 0 ? (uint64_t)x % q : (uint64_t)(x % q);
}

#endif

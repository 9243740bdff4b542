/*
 * residue.h - 32-bit modular arithmetic for the planners' tables: products with a constant, powers
 * of a root, Montgomery form. Moduli are 2 <= q < 2^32.
 */
#ifndef FH_RESIDUE_H
#define FH_RESIDUE_H

#include <stddef.h>
#include <stdint.h>

__extension__ typedef unsigned __int128 fh_u128;

/* A factor with its quotient floor(value * 2^64 / q), value < q. */
struct fh_factor {
    uint32_t value, q;
    uint64_t quotient;
};

static inline struct fh_factor fh_factor(uint64_t value, uint32_t q) {
    uint32_t reduced = (uint32_t)(value % q);
    return (struct fh_factor){reduced, q, (uint64_t)(((fh_u128)reduced << 64) / q)};
}

/* x * factor mod q, any x: the quotient is at most one too small. */
static inline uint32_t fh_times(uint32_t x, const struct fh_factor *factor) {
    uint64_t estimate = (uint64_t)((fh_u128)factor->quotient * x >> 64);
    uint64_t rest = (uint64_t)x * factor->value - estimate * factor->q;
    return (uint32_t)(rest >= factor->q ? rest - factor->q : rest);
}

/* -1/q mod 2^32, q odd: Newton's iteration doubles the good bits, and q is right in three. */
static inline uint32_t fh_negative_inverse(uint32_t q) {
    uint32_t inverse = q;
    for (int i = 0; i < 4; i++)
        inverse *= 2 - q * inverse;
    return 0 - inverse;
}

/* floor(2^64 / q) */
static inline uint64_t fh_barrett(uint32_t q) {
    return (uint64_t)(((fh_u128)1 << 64) / q);
}

/* A modulus as the kernels load it: 16 bytes. FHEC ignores the second word. */
struct fh_modulus_entry {
    uint32_t q, negative_inverse; /* the second is 0 for an even q */
    uint64_t mu;
};

static inline struct fh_modulus_entry fh_modulus_entry(uint32_t q) {
    return (struct fh_modulus_entry){q, q & 1 ? fh_negative_inverse(q) : 0, fh_barrett(q)};
}

#endif

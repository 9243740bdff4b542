/*
 * cuda_factor.h - what products with constants take on CUDA cores and modular lane units: the
 * constants of a limb, twiddles and scaling factors of lib/butterfly_*.sass, in their words. The
 * formulas and names are explained there.
 */
#ifndef FH_CUDA_FACTOR_H
#define FH_CUDA_FACTOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum fh_butterfly { FH_NARROW_32, FH_WIDE_32, FH_LAZY_64, FH_GME_32, FH_GME_64 };

enum { FH_FACTOR_WORDS = 6, FH_LIMB_WORDS = 24 }; /* at most */

/* What a butterfly and all primes of a chain have in common. */
struct fh_factors {
    enum fh_butterfly kind;
    unsigned words;                       /* of an element */
    unsigned twiddle_words, scale_words;  /* of a factor */
    unsigned limb_words;                  /* of a limb's constants */
    unsigned modulus_bits;                /* of the largest prime */
    unsigned capacity, corrected, center; /* the parameters of that name, if lazy */
    unsigned shifted;                     /* FH_LAZY_64: Q has so many bits; 0: Q = q */
    bool enter_first; /* inputs of any value can be corrected in the first stage, forward */
};

/* One prime. */
struct fh_factor_limb {
    const struct fh_factors *factors;
    uint64_t q;       /* Q if shifted */
    unsigned shift;   /* s */
    uint64_t inverse; /* q^-1 mod 2^64 */
};

enum fh_factor_use {
    FH_USE_TWIDDLE,
    FH_USE_ENTERING, /* of the first stage, which takes inputs of any value */
    FH_USE_LAST,     /* of the last stage, forward */
    FH_USE_SCALE,
};

/* Primes below 2^32 or 2^60, as the kind has it. */
void fh_factors_init(struct fh_factors *factors, enum fh_butterfly kind, size_t limbs,
                     const uint64_t *q);
void fh_factor_limb_init(struct fh_factor_limb *limb, const struct fh_factors *factors, uint64_t q);

/* factors->limb_words words. */
void fh_factor_limb_fill(const struct fh_factor_limb *limb, uint32_t *words);
/* w below the prime; factors->twiddle_words or scale_words words. */
void fh_factor_fill(const struct fh_factor_limb *limb, enum fh_factor_use use, uint64_t w,
                    uint32_t *words);

/* For products of any 32-bit words with s, below p < 2^32: four words. narrow: p is below 2^31, and
 * they are W low, W high, p, 0; else s, W low, W high, -p. See lib/product.sass. */
void fh_factor_times_32(uint64_t p, uint64_t s, bool narrow, uint32_t *words);

/* For products by two signed words, x s mod q: r0, r1, s, 2^32 s mod q; six words. s below q. */
void fh_factor_signed_64(uint64_t q, uint64_t s, uint32_t *words);
/* {low, high} with value = high 2^32 + (signed) low modulo 2^64 */
void fh_put_signed_64(uint32_t *words, uint64_t value);

/* 1 / q mod 2^64 for an odd q, which is right in three bits itself: each step doubles that. */
static inline uint64_t fh_inverse_64(uint64_t q) {
    uint64_t inverse = q;
    for (int i = 0; i < 5; i++)
        inverse *= 2 - q * inverse;
    return inverse;
}

#endif

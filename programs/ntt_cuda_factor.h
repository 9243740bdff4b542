/*
 * ntt_cuda_factor.h - what the butterflies of lib/butterfly_*.sass take: the constants of a limb,
 * twiddles and scaling factors, in their words. The formulas and names are explained there.
 */
#ifndef FH_NTT_CUDA_FACTOR_H
#define FH_NTT_CUDA_FACTOR_H

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

#endif

/*
 * ckks_bootstrap.h - bootstrapping of CKKS: a ciphertext of the base level becomes one of the same
 * message with levels left.
 *
 * The sequence is that of Cheon, Han, Kim, Kim and Song (Eurocrypt 2018): ModRaise, after which the
 * polynomial is m + Q0 I; CoeffsToSlots; EvalMod, a sine that removes Q0 I; SlotsToCoeffs. The sine
 * is a cosine's Chebyshev series of a quarter period more, and double angles (Han and Ki, CT-RSA
 * 2020; Bossuat et al., Eurocrypt 2021). I is small because the secret at ModRaise is sparse: one
 * of its own for that moment (Bossuat, Troncoso-Pastoriza and Hubaux, ACNS 2022), or the only one.
 * With 32-bit primes a level has two of them (composite scaling: Kim et al., WAHC 2023). All slots
 * are used: N / 2 of them.
 *
 * params -> moduli -> fh_golden_ckks_create and the circuit -> execution with keys.
 */
#ifndef FH_GOLDEN_CKKS_BOOTSTRAP_H
#define FH_GOLDEN_CKKS_BOOTSTRAP_H

#include "ckks_circuit.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct fh_golden_ckks_boot_params {
    unsigned log2_n;
    size_t per_level;        /* primes a level, also of the base: 1 or 2 */
    unsigned scale_bits;     /* delta = 2^scale_bits; a multiple of per_level */
    unsigned base_bits;      /* base primes are the largest below 2^base_bits */
    unsigned extension_bits; /* P's primes the next largest below 2^extension_bits */
    size_t alpha;
    size_t dnum;
    size_t levels_left; /* of the result, above the base */
    size_t maps_cts;    /* linear maps, each a level */
    size_t maps_stc;
    size_t degree;           /* of the Chebyshev series, 1 .. 127 */
    unsigned double_angles;  /* r */
    unsigned range;          /* K: coefficients after ModRaise lie in (-K Q0, K Q0) */
    unsigned correction;     /* the input has scale Q0 / 2^correction before ModRaise */
    size_t weight;           /* nonzero coefficients of the encapsulated secret; 0: none is used */
    size_t secret_weight;    /* of the secret; 0: ternary */
    bool hoist;              /* baby steps of the linear maps by hoisted rotations */
    size_t input_level;      /* 0: the base, at the scale above; else at least two levels' limbs */
    long double input_scale; /* for an input_level */
} fh_golden_ckks_boot_params;

/* What 32-bit words should take: pairs of primes near 2^31, delta 2^62, 44 + 12 limbs in 4 digits,
 * 6 levels left, 3 maps each way, K 16, degree 63, 2 double angles, an encapsulated secret of
 * weight 32, correction 12, nothing hoisted. log QP is 1736. */
fh_golden_ckks_boot_params fh_golden_ckks_boot_pairs(unsigned log2_n);

/* The parameters of published 64-bit measurements, read as OpenFHE has them: 27 limbs, delta 2^46,
 * a base prime and 9 of P that make log QP 1742 at N = 2^16, 3 digits, 5 maps each way, the sparse
 * secret of weight 192 (N >= 256), K 28, degree 44, 3 double angles. Few bits are right at this
 * delta; correction 6 balances rounding and the sine. */
fh_golden_ckks_boot_params fh_golden_ckks_boot_published(unsigned log2_n);

/* ckks_boot_chain.c */

/* Limbs of the chain: per_level (1 + levels_left + maps_stc + double_angles + depth of the series +
 * maps_cts). */
size_t fh_golden_ckks_boot_limbs(const fh_golden_ckks_boot_params *params);

/* ERR_SIZE; ERR_ARGUMENT for parameters outside their ranges, more maps than stages included;
 * ERR_LIMBS for more than 64 limbs. Whether alpha and dnum fit is fh_golden_ckks_create's matter.
 */
fh_golden_status fh_golden_ckks_boot_check(const fh_golden_ckks_boot_params *params);

/* moduli[limbs + alpha], primes = 1 mod 2N. Base and extension as above; the others from the
 * (6 levels + 40) unused primes nearest to c = 2^(scale_bits / per_level), taken alternately from
 * c + 1 - 2N i and c + 1 + 2N (i + 1): from the top level down, s the scale of a ciphertext of that
 * level (delta at the top), those whose product is nearest to s^2 / delta, the larger one first, so
 * that the scale stays near delta. Errors of fh_golden_ckks_boot_check and fh_golden_prime_chain,
 * ERR_TOO_FEW_PRIMES when fewer lie within c / 2 of c, ERR_NO_MEMORY. */
fh_golden_status fh_golden_ckks_boot_moduli(const fh_golden_ckks_boot_params *params,
                                            uint64_t *moduli);

/* The chains of a bootstrap from these moduli: the long one, and {base | as many of P's primes},
 * dnum 1, for the key to the sparse secret. Both are the caller's (fh_golden_ckks_free) and NULL
 * after an error. Errors of fh_golden_ckks_create. */
fh_golden_status fh_golden_ckks_boot_chains(const fh_golden_ckks_boot_params *params,
                                            const uint64_t *moduli, fh_golden_ckks **ckks,
                                            fh_golden_ckks **base);

/* ckks_boot.c */

/* The circuit of a bootstrap; *circuit is the caller's and NULL after an error. Steps are named
 * "adjust" (of an input above the base), "raise", "CtS i", "split", "EvalMod re", "EvalMod im",
 * "join", "StC i". Input: of input_level and input_scale; output: levels_left levels above the base
 * at the scale delta. Errors of fh_golden_ckks_boot_check, ERR_LEVEL and ERR_SCALE of the input. */
fh_golden_status fh_golden_ckks_boot_circuit(const fh_golden_ckks_boot_params *params,
                                             const uint64_t *moduli,
                                             fh_golden_ckks_circuit **circuit);

/* The same without steps, for a program that begins with a bootstrap: its input alone. *circuit is
 * the caller's and NULL after an error. Errors as above. */
fh_golden_status fh_golden_ckks_boot_begin(const fh_golden_ckks_boot_params *params,
                                           const uint64_t *moduli,
                                           fh_golden_ckks_circuit **circuit);

/* The scale that an input of the base level must have: Q0 / 2^correction. */
long double fh_golden_ckks_boot_scale(const fh_golden_ckks_boot_params *params,
                                      const uint64_t *moduli);

/* A circuit without steps for a program that bootstraps: of the parameters' chain, its input of 1 +
 * levels_left levels at the scale delta. *circuit is the caller's and NULL after an error. Errors
 * as above. */
fh_golden_status fh_golden_ckks_boot_host(const fh_golden_ckks_boot_params *params,
                                          const uint64_t *moduli, fh_golden_ckks_circuit **circuit);

/* The same steps at the end of another circuit of the same chain, on value `a`: one of the base
 * level at the scale above, or one with at least two levels' limbs at any scale (input_level and
 * input_scale of the parameters are not read). Returns the value of levels_left levels above the
 * base at the scale delta. Errors in circuit->status: those of fh_golden_ckks_boot_check,
 * ERR_ARGUMENT for a circuit of another chain, ERR_LEVEL, ERR_SCALE. */
size_t fh_golden_ckks_circuit_bootstrap(fh_golden_ckks_circuit *circuit,
                                        const fh_golden_ckks_boot_params *params, size_t a);

/* The linear map `index` of CtS or StC: index 0 is applied first. Stages are merged in groups of
 * ceil(stages left / maps left), counted from the outermost stage in both; the last groups of CtS
 * are the first of StC. CtS has the factor 1 / (2 range) in all, StC 2^correction / (2 pi), each
 * map an equal part. ERR_ARGUMENT. */
fh_golden_status fh_golden_ckks_boot_map(const fh_golden_ckks_boot_params *params, bool cts,
                                         size_t index, fh_golden_ckks_map *map);

/* coefficients[degree + 1] of cos(2 pi (K x - 1/4) / 2^r): after r double angles sin(2 pi K x).
 * The last ones are below long double's noise: golden and whoever is compared with it must take
 * them from here. */
void fh_golden_ckks_boot_coefficients(const fh_golden_ckks_boot_params *params,
                                      long double *coefficients);

/* --------------------------------------------------------------------- ckks_boot_keys.c: keys
 *
 * Everything follows from the seed. A key is made when it is asked for; as many as there are places
 * are kept, the one asked for longest ago goes first. Where all primes are below 2^32 they are kept
 * in words of 32 bits: at N = 2^16, 44 + 12 limbs and 4 digits a key takes 112 MiB.
 */
typedef struct fh_golden_ckks_boot_store fh_golden_ckks_boot_store;

/* Who reads keys: each has room for one, which it has until it asks for another. Zero but for keys
 * at first. */
typedef struct fh_golden_ckks_boot_reader {
    struct fh_golden_ckks_boot_keys *keys;
    fh_golden_ckks_key_kind kind;
    uint64_t element;
    bool holds; /* `key` is that of kind and element */
    uint64_t *key;
} fh_golden_ckks_boot_reader;

typedef struct fh_golden_ckks_boot_keys {
    const fh_golden_ckks *ckks;
    const fh_golden_ckks *base;
    uint64_t seed;
    uint64_t *secret;      /* (limbs + alpha) x n, of the long chain */
    uint64_t *sparse;      /* NULL without encapsulation */
    uint64_t *base_secret; /* the same two in the base chain */
    uint64_t *base_sparse;
    fh_golden_ckks_boot_store *store;
    fh_golden_ckks_boot_reader reader; /* of fh_golden_ckks_boot_key */
    uint64_t made;                     /* keys made so far */
} fh_golden_ckks_boot_keys;

/* *keys is the caller's and NULL after an error; the chains must outlive it. places >= 1.
 * ERR_ARGUMENT, ERR_NO_MEMORY. */
fh_golden_status fh_golden_ckks_boot_keys_create(fh_golden_ckks_boot_keys **keys,
                                                 const fh_golden_ckks_boot_params *params,
                                                 const fh_golden_ckks *ckks,
                                                 const fh_golden_ckks *base, uint64_t seed,
                                                 size_t places);
void fh_golden_ckks_boot_keys_free(fh_golden_ckks_boot_keys *keys); /* NULL is fine */

/* The `key` of an environment whose context is a fh_golden_ckks_boot_keys. The key stays valid
 * until the next call. ERR_ARGUMENT for a key that there is none of, ERR_NO_MEMORY. */
fh_golden_status fh_golden_ckks_boot_key(void *keys, fh_golden_ckks_key_kind kind, uint64_t element,
                                         const uint64_t **key);

/* The same for a reader as the context. Readers of the same keys may be in different threads. Its
 * key is freed by the other function. */
fh_golden_status fh_golden_ckks_boot_read(void *reader, fh_golden_ckks_key_kind kind,
                                          uint64_t element, const uint64_t **key);
void fh_golden_ckks_boot_reader_end(fh_golden_ckks_boot_reader *reader);

/* Bytes of a kept key of this chain. */
size_t fh_golden_ckks_boot_key_bytes(const fh_golden_ckks_params *chain);

#ifdef __cplusplus
}
#endif

#endif

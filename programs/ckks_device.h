/*
 * ckks_device.h - the CKKS primitives on a machine, built from transforms, base conversions and the
 * element-wise kernels of poly.sass. Chain, levels, digits, keys, rounding and the order of every
 * operation are those of golden/ckks.h, so that results agree with it limb by limb.
 *
 *     make (chain: tables, programs) -> write operands -> primitives on addresses -> read results
 *
 * All data stay in the guest between primitives. A polynomial there lies as golden has it,
 * limb-major evaluations in bit-reversed order, in words of the map's width; a ciphertext is two of
 * them, one after the other. Only a switching key is stored differently (fh_ckks_write_key).
 *
 * What depends on the level (the shapes of the base conversions, programs) is made when that level
 * is first used, and kept.
 */
#ifndef FH_CKKS_DEVICE_H
#define FH_CKKS_DEVICE_H

#include "ckks.h"
#include "programs.h"

struct fh_ckks_params {
    const char *map;             /* NULL: the default */
    fh_golden_ckks_params chain; /* N = 2^8 .. 2^17; primes that fit the map's words */
    struct fh_run_options options;
};

/* All that can be wrong with the parameters, in one sentence and before any long work; fills
 * moduli[limbs + alpha] (may be NULL). With options.checked the chain should have these moduli, or
 * they are looked for once more. */
fhec_status fh_ckks_check(const struct fh_ckks_params *params, uint64_t *moduli,
                          struct fh_error *error);

/* Says why so many limbs do not make `dnum` digits (fh_golden_ckks_digit). FHEC_BAD_INPUT. */
fhec_status fh_no_digits(struct fh_error *error, size_t limbs, size_t dnum);

struct fh_ckks;

/* *ckks is the caller's (fh_ckks_free, before the machine), NULL after an error. */
fhec_status fh_ckks_make(fhec_machine *machine, const struct fh_ckks_params *params,
                         struct fh_ckks **ckks, struct fh_error *error);
void fh_ckks_free(struct fh_ckks *ckks); /* NULL is fine */

/* What went wrong in the last call that failed. */
const struct fh_error *fh_ckks_error(const struct fh_ckks *ckks);

/* ---------------------------------------------------------------- memory
 *
 * `count` polynomials of `level` limbs. Host arrays have an element in a uint64_t.
 */
size_t fh_ckks_word(const struct fh_ckks *ckks); /* bytes of an element in the guest */
fhec_status fh_ckks_alloc(struct fh_ckks *ckks, size_t level, size_t count, uint64_t *address);
fhec_status fh_ckks_release(struct fh_ckks *ckks, uint64_t address);
/* FHEC_BAD_INPUT names the first element that is not below its modulus. */
fhec_status fh_ckks_write(struct fh_ckks *ckks, size_t level, size_t count, const uint64_t *in,
                          uint64_t address);
fhec_status fh_ckks_read(struct fh_ckks *ckks, size_t level, size_t count, uint64_t address,
                         uint64_t *out);
/* Raised digits as golden has them, with limbs of a digit's own that nobody will read. */
fhec_status fh_ckks_write_raised(struct fh_ckks *ckks, size_t level, const uint64_t *raised,
                                 uint64_t address);
/* Puts a switching key of golden's layout into new memory, in the layout and form that the inner
 * product's kernel reads: a constant of the computation is prepared once. */
fhec_status fh_ckks_write_key(struct fh_ckks *ckks, const uint64_t *key, uint64_t *address);

/* The same of the key of a Galois element, permuted the other way round, as hoisted rotations by
 * this element read it. FHEC_BAD_INPUT for an even g. */
fhec_status fh_ckks_write_turned_key(struct fh_ckks *ckks, const uint64_t *key, uint64_t g,
                                     uint64_t *address);

/* ---------------------------------------------------------------- primitives
 *
 * Operands and results are addresses, key that of a prepared key. Every one: FHEC_BAD_INPUT for a
 * level outside 1 .. limbs. Outputs are distinct from inputs where nothing else is said.
 */
/* out: level - 1. FHEC_BAD_INPUT for level 1. */
fhec_status fh_ckks_rescale(struct fh_ckks *ckks, size_t level, uint64_t in, uint64_t out);
/* in: one polynomial. */
fhec_status fh_ckks_key_switch(struct fh_ckks *ckks, size_t level, uint64_t in, uint64_t key,
                               uint64_t out);
/* FHEC_BAD_INPUT for an even g. */
fhec_status fh_ckks_galois(struct fh_ckks *ckks, size_t level, uint64_t g, uint64_t in,
                           uint64_t key, uint64_t out);
fhec_status fh_ckks_rotate(struct fh_ckks *ckks, size_t level, uint64_t r, uint64_t in,
                           uint64_t key, uint64_t out);
fhec_status fh_ckks_hemult(struct fh_ckks *ckks, size_t level, uint64_t a, uint64_t b, uint64_t key,
                           uint64_t out);
/* hemult, then rescale. */
fhec_status fh_ckks_hemult_rescale(struct fh_ckks *ckks, size_t level, uint64_t a, uint64_t b,
                                   uint64_t key, uint64_t out);
/* In place allowed. */
fhec_status fh_ckks_ptmult(struct fh_ckks *ckks, size_t level, uint64_t in, uint64_t plain,
                           uint64_t out);
/* In place: adds the plaintext to c0; c1 stays as it is. */
fhec_status fh_ckks_ptadd(struct fh_ckks *ckks, size_t level, uint64_t in, uint64_t plain);
/* In place allowed. */
fhec_status fh_ckks_headd(struct fh_ckks *ckks, size_t level, uint64_t a, uint64_t b, uint64_t out);

/* The automorphism alone, on both polynomials; with g^-1 mod 2N it is the inverse map. */
fhec_status fh_ckks_automorphism(struct fh_ckks *ckks, size_t level, uint64_t g, uint64_t in,
                                 uint64_t out);

/* ---------------------------------------------------------------- on the two halves
 *
 * Where the two polynomials of a ciphertext are. Each may have more limbs than the primitive's
 * level, of which the first ones are read: going to a lower level takes no kernel. Each function
 * computes what golden's function of that name does.
 */
struct fh_ckks_pair {
    uint64_t c[2];
};
/* Of a ciphertext of this level. */
struct fh_ckks_pair fh_ckks_pair_at(const struct fh_ckks *ckks, size_t level, uint64_t address);

fhec_status fh_ckks_hemult_pair(struct fh_ckks *ckks, size_t level, struct fh_ckks_pair a,
                                struct fh_ckks_pair b, uint64_t key, uint64_t out);
fhec_status fh_ckks_headd_pair(struct fh_ckks *ckks, size_t level, struct fh_ckks_pair a,
                               struct fh_ckks_pair b, uint64_t out);
fhec_status fh_ckks_hesub(struct fh_ckks *ckks, size_t level, struct fh_ckks_pair a,
                          struct fh_ckks_pair b, uint64_t out);
fhec_status fh_ckks_scalar_mult(struct fh_ckks *ckks, size_t level, fh_golden_i128 scalar,
                                struct fh_ckks_pair in, uint64_t out);
fhec_status fh_ckks_scalar_add(struct fh_ckks *ckks, size_t level, fh_golden_i128 scalar,
                               struct fh_ckks_pair in, uint64_t out);
/* (c0 + plain, c1). */
fhec_status fh_ckks_ptadd_pair(struct fh_ckks *ckks, size_t level, struct fh_ckks_pair in,
                               uint64_t plain, uint64_t out);
/* (c0, 0) + KeySwitch of c1: the same message under the secret that the key is to. */
fhec_status fh_ckks_switch_secret(struct fh_ckks *ckks, size_t level, struct fh_ckks_pair in,
                                  uint64_t key, uint64_t out);
/* Rotations of one ciphertext share the digits of its c1, raised once: golden's raise_digits and
 * galois_hoisted. raised: fh_ckks_raised_limbs limbs, of which those of a digit itself are not
 * written: they are read in c1. key: of fh_ckks_write_turned_key, for the same g. */
size_t fh_ckks_raised_limbs(const struct fh_ckks *ckks, size_t level);
fhec_status fh_ckks_raise_digits(struct fh_ckks *ckks, size_t level, uint64_t in, uint64_t raised);
fhec_status fh_ckks_rotate_raised(struct fh_ckks *ckks, size_t level, uint64_t g,
                                  struct fh_ckks_pair in, uint64_t raised, uint64_t key,
                                  uint64_t out);
/* in: a ciphertext of this level. FHEC_BAD_INPUT unless 1 <= limbs < level. */
fhec_status fh_ckks_rescale_limbs(struct fh_ckks *ckks, size_t level, size_t limbs, uint64_t in,
                                  uint64_t out);
/* ModRaise from `base` limbs, 1 or 2, to `level`. FHEC_BAD_INPUT unless base <= level, and with two
 * limbs unless every q of the chain is more than half of every other. */
fhec_status fh_ckks_mod_raise(struct fh_ckks *ckks, size_t base, size_t level,
                              struct fh_ckks_pair in, uint64_t out);

/* ---------------------------------------------------------------- several in one kernel
 *
 * sum_j c_j f_j over 1 .. FH_CKKS_MOST_TERMS ciphertexts of this level or a higher one, each times
 * a factor of its own: golden's products and headd's one after another, whose residues these are.
 */
enum { FH_CKKS_MOST_TERMS = 32, FH_CKKS_MOST_MULTIPLES = 8 };
struct fh_ckks_term {
    struct fh_ckks_pair c;
    uint64_t plain;        /* of sum_products: where the prepared plaintext is */
    fh_golden_i128 scalar; /* of sum_multiples */
};
/* Puts a plaintext (level x n) into the form that sum_products reads. */
fhec_status fh_ckks_write_plain(struct fh_ckks *ckks, size_t level, const uint64_t *plain,
                                uint64_t address);
fhec_status fh_ckks_sum_products(struct fh_ckks *ckks, size_t level,
                                 const struct fh_ckks_term *terms, size_t count, uint64_t out);
/* At most FH_CKKS_MOST_MULTIPLES. */
fhec_status fh_ckks_sum_multiples(struct fh_ckks *ckks, size_t level,
                                  const struct fh_ckks_term *terms, size_t count, uint64_t out);

/* Work done since ckks was made, in golden's units: fh_golden_ckks_work. */
const uint64_t *fh_ckks_work(const struct fh_ckks *ckks);

#endif

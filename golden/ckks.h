/*
 * ckks.h - the CKKS scheme in residues: the primitives that kernels are compared with limb by limb,
 * and a small client that gives them a meaning.
 *
 * What it does: parameters and their chain of primes; Rescale, KeySwitch, Rotate, HEMult, PtMult,
 * PtAdd and HEAdd as pure functions from arrays to arrays; encoding, keys, encryption, decryption.
 *
 * What it does not do: it is no secure implementation. Every random choice follows from a seed, no
 * security level is checked and nothing runs in constant time. Bootstrapping is a sequence of
 * these primitives: ckks_circuit.h, ckks_bootstrap.h.
 *
 * Ring        R = Z[X]/(X^N + 1), one residue in a uint64_t, primes = 1 mod 2N below 2^61
 * Chain       q_0 .. q_{limbs-1}, then the extension p_0 .. p_{alpha-1}; P = p_0 ... p_{alpha-1}.
 *             Limb j of the chain is q_j for j < limbs and p_{j-limbs} after it.
 * Level       the number of q limbs that a ciphertext still has, 1 .. limbs: q_0 .. q_{level-1};
 *             Q = their product. Rescale drops the last one.
 * Polynomial  level x n, limb-major. "Extended": (level + alpha) x n, the p limbs after the q ones.
 *             Always evaluations in bit-reversed order (what fh_golden_ntt_forward makes with the
 *             smallest root of each prime) unless a function says coefficients.
 * Ciphertext  two polynomials one after the other, 2 x level x n: c0, then c1. It holds the message
 *             c0 + c1 s, s the secret.
 * Digits      the q limbs in dnum groups of `digit` = ceil(limbs / dnum) neighbours: digit d has
 * the limbs d * digit and up, and the last one what is left, at least one limb. digit <= alpha, so
 * that P is about as large as the product of a digit. Below the full level there are ceil(level /
 * digit) digits and the last one may be shorter; keys stay as they are. Key         a switching
 * key: dnum x 2 x (limbs + alpha) x n, each pair an encryption under s of P g_d s', where g_d is 1
 * modulo the primes of digit d and 0 modulo all other q.
 *
 * Conventions of golden.h hold: operands need not be reduced, results are, outputs are distinct
 * from inputs where nothing else is said, scratch memory is allocated and freed inside
 * (ERR_NO_MEMORY), outputs hold unspecified values after an error.
 */
#ifndef FH_GOLDEN_CKKS_H
#define FH_GOLDEN_CKKS_H

#include "golden.h"

#ifdef __cplusplus
extern "C" {
#endif

#define FH_GOLDEN_CKKS_MAX_CHAIN ((size_t)2 * FH_GOLDEN_MAX_LIMBS)

/* Integers that ciphertexts and coefficients are multiplied by. */
__extension__ typedef __int128 fh_golden_i128;

/* -------------------------------------------------------- ckks.c: parameters and constants */

typedef struct fh_golden_ckks_params {
    unsigned log2_n; /* N = 2^log2_n */
    unsigned bits;   /* primes lie below 2^bits; not looked at when moduli are given */
    size_t limbs;
    size_t alpha;
    size_t dnum;
    const uint64_t *moduli; /* NULL, or limbs + alpha primes of one's own choice, any order */
} fh_golden_ckks_params;

/* Fills chain[limbs + alpha]: moduli, or the limbs + alpha largest primes = 1 mod 2N below 2^bits
 * in descending order. Checks every parameter before any long work, in this order: ERR_SIZE for N;
 * ERR_LIMBS for limbs outside 1..64; ERR_DIGITS when dnum is 0 or does not divide limbs;
 * ERR_EXTENSION unless digit <= alpha <= 64 and limbs + alpha - digit <= 64 (one side of a base
 * conversion); then the errors of fh_golden_prime_chain, or of fh_golden_check_modulus and
 * ERR_REPEATED for given moduli. */
fh_golden_status fh_golden_ckks_chain(const fh_golden_ckks_params *params, uint64_t *chain);

/* Work of the primitives, counted in limbs (n elements) except for CONVERSION. */
typedef enum fh_golden_ckks_work {
    FH_GOLDEN_CKKS_INTT = 0,
    FH_GOLDEN_CKKS_NTT,
    FH_GOLDEN_CKKS_CONVERSION,  /* base conversions, whatever their shape */
    FH_GOLDEN_CKKS_PREMULTIPLY, /* source limbs of the base conversions */
    FH_GOLDEN_CKKS_KEY_PRODUCT, /* limb of a digit times limb of a key, accumulated */
    FH_GOLDEN_CKKS_CORRECTION,  /* subtract, multiply by a constant: ModDown and Rescale */
    FH_GOLDEN_CKKS_PRODUCT,
    FH_GOLDEN_CKKS_ADDITION,
    FH_GOLDEN_CKKS_PERMUTATION, /* automorphism */
    FH_GOLDEN_CKKS_WORK_COUNT
} fh_golden_ckks_work;

/* Limbs of all digits but the last, which has the rest: ceil(limbs / dnum). 0: dnum is 0, or so
 * many digits would leave the last one without a limb. */
size_t fh_golden_ckks_digit(size_t limbs, size_t dnum);

/* Read only after creation, except for `counts` and `threads`; threads may share one while counts
 * is NULL. */
typedef struct fh_golden_ckks {
    size_t n;
    size_t limbs;
    size_t alpha;
    size_t dnum;
    size_t digit; /* fh_golden_ckks_digit */
    uint64_t moduli[FH_GOLDEN_CKKS_MAX_CHAIN];
    uint64_t psi[FH_GOLDEN_CKKS_MAX_CHAIN]; /* the smallest primitive 2N-th roots */
    fh_golden_ntt_plan *plans[FH_GOLDEN_CKKS_MAX_CHAIN];
    uint64_t p_residue[FH_GOLDEN_MAX_LIMBS]; /* P mod q_i */
    uint64_t p_inverse[FH_GOLDEN_MAX_LIMBS]; /* P^-1 mod q_i */
    /* [l][i] = q_l^-1 mod q_i; 0 for l = i. */
    uint64_t q_inverse[FH_GOLDEN_MAX_LIMBS][FH_GOLDEN_MAX_LIMBS];
    /* The caller's array of FH_GOLDEN_CKKS_WORK_COUNT, to which the primitives add; NULL at first.
     */
    uint64_t *counts;
    /* Threads that a primitive may use where there is enough to do, 1 at first; results do not
     * depend on it. The caller's to set; one while there are counts. */
    size_t threads;
} fh_golden_ckks;

/* *ckks is owned by the caller (fh_golden_ckks_free) and NULL after an error. Errors of
 * fh_golden_ckks_chain, ERR_NO_MEMORY. Memory: 32 N bytes for each prime. */
fh_golden_status fh_golden_ckks_create(fh_golden_ckks **ckks, const fh_golden_ckks_params *params);
void fh_golden_ckks_free(fh_golden_ckks *ckks); /* NULL is fine */

/* Elements of a switching key. */
size_t fh_golden_ckks_key_elements(const fh_golden_ckks *ckks);

/* Offset of limb `chain_limb`, component 0 (b) or 1 (a), digit d in a switching key. */
size_t fh_golden_ckks_key_offset(const fh_golden_ckks *ckks, size_t digit, size_t component,
                                 size_t chain_limb);

/* Digits of a polynomial of this level: ceil(level / digit). */
size_t fh_golden_ckks_digits(const fh_golden_ckks *ckks, size_t level);

/* A base conversion between limbs of an extended polynomial. *_limb are positions among its
 * level + alpha limbs, ascending; from and to are their moduli (see fh_golden_bases, whose
 * constants fh_golden_bconv_constants gives). */
typedef struct fh_golden_ckks_conversion {
    size_t from_count;
    size_t to_count;
    size_t from_limb[FH_GOLDEN_MAX_LIMBS];
    size_t to_limb[FH_GOLDEN_MAX_LIMBS];
    uint64_t from[FH_GOLDEN_MAX_LIMBS];
    uint64_t to[FH_GOLDEN_MAX_LIMBS];
} fh_golden_ckks_conversion;

/* ModUp of digit d: from its limbs to all others. ERR_LEVEL for a level outside 1..limbs,
 * ERR_DIGITS for a digit that this level does not have. */
fh_golden_status fh_golden_ckks_mod_up_bases(const fh_golden_ckks *ckks, size_t level, size_t digit,
                                             fh_golden_ckks_conversion *conversion);

/* ModDown: from the p limbs to the q limbs. ERR_LEVEL. */
fh_golden_status fh_golden_ckks_mod_down_bases(const fh_golden_ckks *ckks, size_t level,
                                               fh_golden_ckks_conversion *conversion);

/* Seeded polynomials for kernels, `count` of them one after another, each level x n or, with
 * `extended`, (level + alpha) x n. Limb j of the chain in polynomial k is stream
 * k * (limbs + alpha) + j of the seed, so that a lower level is a prefix of each polynomial.
 * A ciphertext has count 2, a plaintext 1, a switching key 2 * dnum at level limbs, extended.
 * Such keys switch nothing: results can only be compared. ERR_LEVEL, ERR_ARGUMENT (pattern). */
fh_golden_status fh_golden_ckks_generate(const fh_golden_ckks *ckks, fh_golden_pattern pattern,
                                         uint64_t seed, size_t level, bool extended, size_t count,
                                         uint64_t *out);

/* ------------------------------------------------------- ckks_switch.c: hybrid key switching
 *
 * Every function: ERR_LEVEL, ERR_NO_MEMORY.
 */

/* out (extended) = digit d of in (level x n, of which only the limbs of the digit are read),
 * raised: the digit's own limbs as they are; for the others INTT of the digit's limbs, fast base
 * conversion, NTT. The result is x + u Q_d, x in [0, Q_d) the digit's value, 0 <= u < its limbs.
 * ERR_DIGITS for a digit that this level does not have. */
fh_golden_status fh_golden_ckks_mod_up(const fh_golden_ckks *ckks, size_t level, size_t digit,
                                       const uint64_t *in, uint64_t *out);

/* out (two extended polynomials) = sum over the digits d of raised_d * key_d. raised: as many
 * extended polynomials as the level has digits, one after another. */
fh_golden_status fh_golden_ckks_inner_product(const fh_golden_ckks *ckks, size_t level,
                                              const uint64_t *raised, const uint64_t *key,
                                              uint64_t *out);

/* out (level x n) = (in - [in]_P - u P) / P for the extended polynomial in: INTT of the p limbs,
 * fast base conversion to the q limbs, NTT, subtract, multiply by P^-1. Exactly floor(in / P) - u
 * in each coefficient, 0 <= u < alpha. */
fh_golden_status fh_golden_ckks_mod_down(const fh_golden_ckks *ckks, size_t level,
                                         const uint64_t *in, uint64_t *out);

/* out (ciphertext) with out0 + out1 s = in s' + noise for a key from s' to s: ModUp of every digit,
 * inner product with the key, ModDown of both sums. in: one polynomial, level x n.
 * Limb transforms at the full level with digit = alpha: limbs + 2 alpha INTT and
 * dnum limbs + 2 limbs NTT. */
fh_golden_status fh_golden_ckks_key_switch(const fh_golden_ckks *ckks, size_t level,
                                           const uint64_t *in, const uint64_t *key, uint64_t *out);

/* ------------------------------------------------------ ckks_ops.c: the homomorphic operations
 *
 * a, b, in: ciphertexts of this level. plain: one polynomial of this level. Every function:
 * ERR_LEVEL; those that allocate: ERR_NO_MEMORY.
 */

/* out (2 x (level - 1) x n) = in / q_last, rounded to the nearest integer in each coefficient
 * (q_last = q_{level-1} is odd, so there is no tie): INTT of the last limb; its value, taken in
 * [-(q_last - 1) / 2, (q_last - 1) / 2], modulo every other q (the switch of modulus); NTT;
 * subtract; multiply by q_last^-1. ERR_LEVEL for level 1, which has nothing to drop. */
fh_golden_status fh_golden_ckks_rescale(const fh_golden_ckks *ckks, size_t level,
                                        const uint64_t *in, uint64_t *out);

/* X -> X^g on the message, g odd: both components permuted first, then the second one switched with
 * a key from s(X^g) to s, and its first half added to the permuted c0. ERR_ARGUMENT for an even g.
 */
fh_golden_status fh_golden_ckks_galois(const fh_golden_ckks *ckks, size_t level, uint64_t g,
                                       const uint64_t *in, const uint64_t *key, uint64_t *out);

/* Rotation by r slots to the left, slot j of the result = slot j + r: g = 5^r mod 2N. */
fh_golden_status fh_golden_ckks_rotate(const fh_golden_ckks *ckks, size_t level, uint64_t r,
                                       const uint64_t *in, const uint64_t *key, uint64_t *out);

/* a * b: d0 = a0 b0, d1 = a0 b1 + a1 b0, d2 = a1 b1, then d2 switched with a key from s^2 to s and
 * added. Without Rescale. */
fh_golden_status fh_golden_ckks_hemult(const fh_golden_ckks *ckks, size_t level, const uint64_t *a,
                                       const uint64_t *b, const uint64_t *key, uint64_t *out);

/* hemult, then rescale: out is 2 x (level - 1) x n. */
fh_golden_status fh_golden_ckks_hemult_rescale(const fh_golden_ckks *ckks, size_t level,
                                               const uint64_t *a, const uint64_t *b,
                                               const uint64_t *key, uint64_t *out);

/* Both components times the plaintext, without Rescale. In place allowed. */
fh_golden_status fh_golden_ckks_ptmult(const fh_golden_ckks *ckks, size_t level, const uint64_t *in,
                                       const uint64_t *plain, uint64_t *out);

/* c0 plus the plaintext; c1 is copied (and reduced). In place allowed. */
fh_golden_status fh_golden_ckks_ptadd(const fh_golden_ckks *ckks, size_t level, const uint64_t *in,
                                      const uint64_t *plain, uint64_t *out);

/* In place allowed. */
fh_golden_status fh_golden_ckks_headd(const fh_golden_ckks *ckks, size_t level, const uint64_t *a,
                                      const uint64_t *b, uint64_t *out);

/* ------------------------------------------------ ckks_scalar.c: integers, monomials and levels
 *
 * in, a, b: ciphertexts of this level; scalars may have either sign. Every function: ERR_LEVEL.
 */

/* scalar modulo q, in [0, q). Requires q >= 1. */
uint64_t fh_golden_ckks_residue(fh_golden_i128 scalar, uint64_t q);

/* In place allowed. */
fh_golden_status fh_golden_ckks_hesub(const fh_golden_ckks *ckks, size_t level, const uint64_t *a,
                                      const uint64_t *b, uint64_t *out);

/* Both components times the integer. In place allowed. */
fh_golden_status fh_golden_ckks_scalar_mult(const fh_golden_ckks *ckks, size_t level,
                                            fh_golden_i128 scalar, const uint64_t *in,
                                            uint64_t *out);

/* c0 plus the constant polynomial, which is the integer in every evaluation; c1 is copied (and
 * reduced). In place allowed. */
fh_golden_status fh_golden_ckks_scalar_add(const fh_golden_ckks *ckks, size_t level,
                                           fh_golden_i128 scalar, const uint64_t *in,
                                           uint64_t *out);

/* Both components times X^exponent (exponent modulo 2N): evaluations times those of the monomial.
 * X^(N/2) multiplies every slot by i, since 5^j = 1 mod 4. In place allowed. ERR_NO_MEMORY. */
fh_golden_status fh_golden_ckks_monomial(const fh_golden_ckks *ckks, size_t level,
                                         uint64_t exponent, const uint64_t *in, uint64_t *out);

/* out (2 x (level - limbs) x n) = `limbs` times fh_golden_ckks_rescale, one limb after the other:
 * with two primes a level (composite scaling, Kim et al., WAHC 2023) that is the Rescale of a
 * level. limbs 0 copies (and reduces). ERR_LEVEL unless limbs < level; ERR_NO_MEMORY. */
fh_golden_status fh_golden_ckks_rescale_limbs(const fh_golden_ckks *ckks, size_t level,
                                              size_t limbs, const uint64_t *in, uint64_t *out);

/* out (2 x lower x n): the same message modulo the first `lower` primes, the first limbs of both
 * components, reduced. ERR_LEVEL unless 1 <= lower <= level. */
fh_golden_status fh_golden_ckks_drop(const fh_golden_ckks *ckks, size_t level, size_t lower,
                                     const uint64_t *in, uint64_t *out);

/* --------------------------------------------------- ckks_raise.c: ModRaise and hoisted rotations
 */

/* ModRaise (Cheon et al., Eurocrypt 2018): out (2 x level x n) = both components of in (2 x base x
 * n), each coefficient taken as the integer in (-Q0/2, Q0/2) that it is modulo Q0, exactly; Q0 =
 * q_0 for base 1, q_0 q_1 for base 2. The message becomes m + Q0 I with small integers I. ERR_LEVEL
 * unless 1 <= base <= 2, base <= level <= limbs; ERR_NO_MEMORY. */
fh_golden_status fh_golden_ckks_mod_raise(const fh_golden_ckks *ckks, size_t base, size_t level,
                                          const uint64_t *in, uint64_t *out);

/* raised = ModUp of every digit of the polynomial in (level x n), ceil(level / digit) extended
 * polynomials one after another: what all hoisted rotations of one ciphertext share. ERR_LEVEL,
 * ERR_NO_MEMORY. */
fh_golden_status fh_golden_ckks_raise_digits(const fh_golden_ckks *ckks, size_t level,
                                             const uint64_t *in, uint64_t *raised);

/* X -> X^g on the message of in, whose c1 has the digits `raised` (Halevi and Shoup, Crypto 2018):
 * every limb of the raised digits permuted, inner product with the key, ModDown, permuted c0 added.
 * Not fh_golden_ckks_galois bit by bit: that raises permuted digits, in which residues of the other
 * sign give another multiple u of the digit's product; the error has the same bound. ERR_LEVEL,
 * ERR_ARGUMENT for an even g, ERR_NO_MEMORY. */
fh_golden_status fh_golden_ckks_galois_hoisted(const fh_golden_ckks *ckks, size_t level, uint64_t g,
                                               const uint64_t *in, const uint64_t *raised,
                                               const uint64_t *key, uint64_t *out);

/* -------------------------------------------------------- ckks_encode.c: the client's numbers
 *
 * Canonical embedding: slot j < N/2 is the value at zeta^(5^j), zeta = exp(i pi / N); a polynomial
 * with real coefficients has the conjugates at the other odd powers.
 */
typedef struct fh_golden_complex {
    double re;
    double im;
} fh_golden_complex;

typedef struct fh_golden_wide_complex {
    long double re;
    long double im;
} fh_golden_wide_complex;

/* The polynomial whose slots are scale * slots[n/2], coefficients rounded to the nearest integer,
 * which must lie in (-Q/2, Q/2). Computed in long double: coefficients are exact to 64 bits where
 * long double has them. ERR_LEVEL; ERR_SCALE when the scale is not a positive finite number or a
 * coefficient does not fit; ERR_NO_MEMORY. */
fh_golden_status fh_golden_ckks_encode(const fh_golden_ckks *ckks, size_t level, double scale,
                                       const fh_golden_complex *slots, uint64_t *plain);

/* slots[n/2] = the values of the polynomial divided by scale. ERR_LEVEL, ERR_SCALE (of the scale),
 * ERR_NO_MEMORY. */
fh_golden_status fh_golden_ckks_decode(const fh_golden_ckks *ckks, size_t level, double scale,
                                       const uint64_t *plain, fh_golden_complex *slots);

/* coefficients[n]: of the polynomial, as integers in (-Q/2, Q/2), rounded to a long double.
 * ERR_LEVEL, ERR_NO_MEMORY. */
fh_golden_status fh_golden_ckks_lift(const fh_golden_ckks *ckks, size_t level,
                                     const uint64_t *plain, long double *coefficients);

/* --------------------------------------------------------------- ckks_keys.c: keys and messages
 *
 * Small polynomials: ternary ones have independent coefficients, -1, 0 and 1 alike; errors have the
 * centred binomial distribution of 2 x 21 bits, |e| <= 21, variance 10.5. Everything is a function
 * of its seed; different keys and ciphertexts need different seeds.
 * secret: all limbs + alpha limbs of the chain. ERR_LEVEL, ERR_NO_MEMORY throughout.
 */
#define FH_GOLDEN_CKKS_ERROR_BOUND 21

/* A ternary secret as evaluations, (limbs + alpha) x n. */
fh_golden_status fh_golden_ckks_make_secret(const fh_golden_ckks *ckks, uint64_t seed,
                                            uint64_t *secret);

/* A secret of exactly `weight` coefficients 1 or -1, all others 0, (limbs + alpha) x n. Equal seeds
 * give equal polynomials whatever the chain, as for make_secret. ERR_ARGUMENT unless
 * 1 <= weight <= N; ERR_NO_MEMORY. */
fh_golden_status fh_golden_ckks_make_sparse_secret(const fh_golden_ckks *ckks, uint64_t seed,
                                                   size_t weight, uint64_t *secret);

/* public_key: (e - a s, a), a ciphertext of zero of the full level, 2 x limbs x n. */
fh_golden_status fh_golden_ckks_make_public_key(const fh_golden_ckks *ckks, uint64_t seed,
                                                const uint64_t *secret, uint64_t *public_key);

/* A switching key from s' = source (limbs x n) to the secret. */
fh_golden_status fh_golden_ckks_make_switch_key(const fh_golden_ckks *ckks, uint64_t seed,
                                                const uint64_t *secret, const uint64_t *source,
                                                uint64_t *key);

/* source = s^2: for hemult. */
fh_golden_status fh_golden_ckks_make_relin_key(const fh_golden_ckks *ckks, uint64_t seed,
                                               const uint64_t *secret, uint64_t *key);

/* source = s(X^g): for galois, and with g = 5^r mod 2N for rotate. ERR_ARGUMENT for an even g. */
fh_golden_status fh_golden_ckks_make_galois_key(const fh_golden_ckks *ckks, uint64_t seed,
                                                const uint64_t *secret, uint64_t g, uint64_t *key);

/* Sparse secret encapsulation (Bossuat, Troncoso-Pastoriza and Hubaux, ACNS 2022). Into: from the
 * secret to the sparse one, so encrypted under the sparse one; ckks must be the short chain of the
 * bottom of a bootstrap, since a sparse secret is safe only under a small modulus. Out of: back, in
 * the long chain, encrypted under the secret. Both secrets are those of the chain given. */
fh_golden_status fh_golden_ckks_make_encapsulate_key(const fh_golden_ckks *ckks, uint64_t seed,
                                                     const uint64_t *secret, const uint64_t *sparse,
                                                     uint64_t *key);
fh_golden_status fh_golden_ckks_make_release_key(const fh_golden_ckks *ckks, uint64_t seed,
                                                 const uint64_t *secret, const uint64_t *sparse,
                                                 uint64_t *key);

/* out = (v pk0 + e0 + plain, v pk1 + e1), v ternary, e0 and e1 errors; the public key's first
 * `level` limbs are used. */
fh_golden_status fh_golden_ckks_encrypt(const fh_golden_ckks *ckks, size_t level, uint64_t seed,
                                        const uint64_t *public_key, const uint64_t *plain,
                                        uint64_t *out);

/* plain = c0 + c1 s. */
fh_golden_status fh_golden_ckks_decrypt(const fh_golden_ckks *ckks, size_t level,
                                        const uint64_t *secret, const uint64_t *in,
                                        uint64_t *plain);

#ifdef __cplusplus
}
#endif

#endif

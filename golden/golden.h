/*
 * golden.h - plain references for everything that fhec computes modulo something.
 *
 * What it does: number theory for NTT moduli, negacyclic and cyclic NTTs, RNS base conversion,
 * element-wise operations, automorphisms, multi-word products, the values of the modular matrix and
 * lane instructions, seeded inputs, hashes, and a table of pinned hashes.
 *
 * What it does not do: it shares no helper with the emulator, prints nothing, opens no file and
 * keeps no state. Clarity comes first: the definitions are `%` on unsigned __int128. The one fast
 * routine, the table-driven NTT, is itself checked against the definition.
 *
 * Conventions
 *   element   one residue in a uint64_t, whatever the width of its modulus
 *   limb      n elements that share one modulus; several limbs lie one after another (limb-major):
 *             element i of limb j is at [j * n + i]
 *   moduli    2 <= q < 2^61 (FH_GOLDEN_MAX_MODULUS_BITS) wherever nothing else is said
 *   operands  need not be reduced: every function takes any uint64_t and gives the exact residue
 *   arrays    belong to the caller; an output may be the same array as an input only where the
 *             function says "in place"; partial overlap is never allowed
 *   errors    a fh_golden_status; on any error the outputs hold unspecified values
 */
#ifndef FH_GOLDEN_H
#define FH_GOLDEN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A 128-bit product is the only extension beyond C17 that the references need. */
__extension__ typedef unsigned __int128 fh_golden_u128;

#define FH_GOLDEN_MAX_MODULUS_BITS 61U
#define FH_GOLDEN_MAX_LIMBS        64U               /* on either side of a base conversion */
#define FH_GOLDEN_MAX_SIZE         ((size_t)1 << 24) /* largest N of a transform */
#define FH_GOLDEN_MAX_WORDS        128U              /* 32-bit words of a multi-word operand */
#define FH_GOLDEN_HASH_CHARS       33U               /* 32 hex digits and the terminating zero */

typedef enum fh_golden_status {
    FH_GOLDEN_OK = 0,
    FH_GOLDEN_ERR_SIZE,       /* N not a power of two in [2, 2^24], or N1*N2 out of that range */
    FH_GOLDEN_ERR_MODULUS,    /* modulus below 2, or of more than 61 bits (or the stated limit) */
    FH_GOLDEN_ERR_NOT_PRIME,  /* the transform needs a prime modulus */
    FH_GOLDEN_ERR_CONGRUENCE, /* q is prime but q mod 2N != 1, so no primitive 2N-th root exists */
    FH_GOLDEN_ERR_ROOT,       /* psi does not have order exactly 2N modulo q */
    FH_GOLDEN_ERR_NOT_INVERTIBLE, /* gcd(a, q) != 1 */
    FH_GOLDEN_ERR_TOO_FEW_PRIMES, /* the range holds fewer primes than asked for */
    FH_GOLDEN_ERR_LIMBS,          /* no limb, or more than FH_GOLDEN_MAX_LIMBS */
    FH_GOLDEN_ERR_EVEN_MODULUS,   /* an even source modulus of a base conversion */
    FH_GOLDEN_ERR_REPEATED,       /* the same modulus twice on one side of a base conversion */
    FH_GOLDEN_ERR_NOT_COPRIME,    /* two source moduli of a base conversion share a factor */
    FH_GOLDEN_ERR_MISMATCH,       /* a check found a wrong value */
    FH_GOLDEN_ERR_ARGUMENT,       /* any other argument outside its documented range */
    FH_GOLDEN_ERR_NO_MEMORY,
    FH_GOLDEN_ERR_DIGITS,    /* CKKS: dnum is 0, or a digit has no limb; no such digit */
    FH_GOLDEN_ERR_EXTENSION, /* CKKS: extension limbs 0, fewer than a digit's, or too many */
    FH_GOLDEN_ERR_LEVEL,     /* CKKS: a level of 0 or above the chain, or nothing to rescale */
    FH_GOLDEN_ERR_SCALE,     /* CKKS: unusable scale, or a message that does not fit the modulus */
    FH_GOLDEN_STATUS_COUNT
} fh_golden_status;

/* One English sentence without a final full stop; never NULL, for any value. */
const char *fh_golden_status_text(fh_golden_status status);

/* ------------------------------------------------------------------ modular.c: number theory */

/* (a * b) mod q. Requires q >= 1; any operands, any 64-bit q. */
uint64_t fh_golden_mulmod(uint64_t a, uint64_t b, uint64_t q);

/* base^exponent mod q. Requires q >= 1; 0^0 is 1 mod q. */
uint64_t fh_golden_powmod(uint64_t base, uint64_t exponent, uint64_t q);

/* *inverse = a^-1 mod q by the extended Euclidean algorithm, so q may be composite (any q >= 2).
 * ERR_MODULUS for q < 2, ERR_NOT_INVERTIBLE when gcd(a, q) != 1. */
fh_golden_status fh_golden_invmod(uint64_t a, uint64_t q, uint64_t *inverse);

uint64_t fh_golden_gcd(uint64_t a, uint64_t b);

/* Miller-Rabin with the first twelve primes as bases, which is a proof for every 64-bit number. */
bool fh_golden_is_prime(uint64_t n);

/* The `count` largest primes q = 1 mod 2N below 2^bits, in descending order, into primes[count].
 * n: the N of 2N. ERR_ARGUMENT for bits outside 2..61, ERR_TOO_FEW_PRIMES when they run out. */
fh_golden_status fh_golden_prime_chain(size_t n, unsigned bits, size_t count, uint64_t *primes);

/* The smallest psi with psi^N = -1 mod q: the default root of every transform here.
 * Errors as fh_golden_check_modulus. Takes N multiplications. */
fh_golden_status fh_golden_smallest_root(size_t n, uint64_t q, uint64_t *psi);

/* N, then q: ERR_SIZE, ERR_MODULUS, ERR_NOT_PRIME, ERR_CONGRUENCE, in this order. */
fh_golden_status fh_golden_check_modulus(size_t n, uint64_t q);

/* fh_golden_check_modulus, then ERR_ROOT unless psi < q has order exactly 2N (psi^N = -1). */
fh_golden_status fh_golden_check_root(size_t n, uint64_t q, uint64_t psi);

/* The lowest `bits` bits of `value` in reverse order; bits <= 64, higher bits are ignored. */
uint64_t fh_golden_bitrev(uint64_t value, unsigned bits);

/* log2 of a power of two; ERR_SIZE unless 2 <= n <= FH_GOLDEN_MAX_SIZE is one. */
fh_golden_status fh_golden_log2(size_t n, unsigned *log2_n);

/* -------------------------------------------------------------------- ntt.c: the transform
 *
 * Negacyclic:  A(k) = sum_n a_n psi^((2k+1) n) mod q, psi a primitive 2N-th root (psi^N = -1):
 *              the evaluations of a in Z_q[X]/(X^N + 1) at the odd powers of psi.
 * Cyclic:      A(k) = sum_n a_n omega^(k n) mod q, omega = psi^2: Z_q[X]/(X^N - 1).
 * Both rings take psi, so that one set of checks serves both.
 *
 * Coefficients are always in natural order. The order argument is that of the EVALUATIONS, which
 * are the output of a forward and the input of an inverse transform:
 *   BITREV    position i holds A(bitrev(i)), what SEAL, HEXL and OpenFHE compute
 *   NATURAL   position i holds A(i)
 */
typedef enum fh_golden_ring { FH_GOLDEN_NEGACYCLIC = 0, FH_GOLDEN_CYCLIC } fh_golden_ring;
typedef enum fh_golden_order { FH_GOLDEN_BITREV = 0, FH_GOLDEN_NATURAL } fh_golden_order;

/* What a transform is over. psi has order 2N for either ring. */
typedef struct fh_golden_ntt_params {
    fh_golden_ring ring;
    size_t n;
    uint64_t q;
    uint64_t psi;
} fh_golden_ntt_params;

/* The definition, O(N^2). in and out: n elements, distinct. Errors of fh_golden_check_root. */
fh_golden_status fh_golden_ntt_schoolbook(const fh_golden_ntt_params *params, fh_golden_order order,
                                          const uint64_t *in, uint64_t *out);

/* The inverse by its definition, a_n = N^-1 sum_k A(k) psi^(-(2k+1) n), O(N^2). */
fh_golden_status fh_golden_intt_schoolbook(const fh_golden_ntt_params *params,
                                           fh_golden_order order, const uint64_t *in,
                                           uint64_t *out);

/* out = a * b in Z_q[X]/(X^N + 1) or (X^N - 1), O(N^2), by the definition. a, b, out: n elements in
 * natural order, out distinct from both. Any n >= 1 and any q >= 2 (no root is needed). */
fh_golden_status fh_golden_poly_mul(fh_golden_ring ring, size_t n, uint64_t q, const uint64_t *a,
                                    const uint64_t *b, uint64_t *out);

/* Tables of the fast transform: powers of the root and their Shoup quotients. Immutable after
 * creation, so that threads may share one. */
typedef struct fh_golden_ntt_plan fh_golden_ntt_plan;

/* *plan is owned by the caller (fh_golden_ntt_plan_free) and NULL after an error.
 * Errors of fh_golden_check_root, ERR_NO_MEMORY. Memory: 32 N bytes. */
fh_golden_status fh_golden_ntt_plan_create(fh_golden_ntt_plan **plan,
                                           const fh_golden_ntt_params *params);
void fh_golden_ntt_plan_free(fh_golden_ntt_plan *plan); /* NULL is fine */

/* The fast transforms, O(N log N): radix 2, Shoup multiplication. In place when in == out. */
void fh_golden_ntt_forward(const fh_golden_ntt_plan *plan, fh_golden_order order,
                           const uint64_t *in, uint64_t *out);
void fh_golden_ntt_inverse(const fh_golden_ntt_plan *plan, fh_golden_order order,
                           const uint64_t *in, uint64_t *out);

/* Negacyclic transform of several limbs, each with its modulus and root: makes a plan per limb.
 * in, out: limbs x n, limb-major, in place allowed. psi NULL: the smallest root of each modulus. */
fh_golden_status fh_golden_ntt_limbs(bool inverse, fh_golden_order order, size_t n, size_t limbs,
                                     const uint64_t *q, const uint64_t *psi, const uint64_t *in,
                                     uint64_t *out);

/* ------------------------------------------------- ntt_scalar.c: the benchmark's native baseline
 *
 * Negacyclic forward NTT on 32-bit elements, natural in, bit-reversed out, one scalar butterfly
 * after another. q < 2^30 uses lazy reduction (values below 4q), larger q < 2^32 reduces fully.
 */
typedef struct fh_golden_ntt32_plan fh_golden_ntt32_plan;

/* Errors of fh_golden_check_root, ERR_MODULUS for q >= 2^32, ERR_NO_MEMORY. Memory: 8 N bytes. */
fh_golden_status fh_golden_ntt32_plan_create(fh_golden_ntt32_plan **plan, size_t n, uint64_t q,
                                             uint64_t psi);
void fh_golden_ntt32_plan_free(fh_golden_ntt32_plan *plan); /* NULL is fine */

/* data: n elements, transformed in place. Elements must be below q; results are below q. */
void fh_golden_ntt32_forward(const fh_golden_ntt32_plan *plan, uint32_t *data);

/* ------------------------------------------------------ fourstep.c: the transform as two GEMMs
 *
 * N = N1 * N2, M = the input as N2 x N1, row-major. A = ((W1 . M) o W2) . W3 holds at [k2][k1]
 * (address k2 * N1 + k1) the evaluation A(k2 + N2 * k1), where "o" is element by element and
 *   W1[k2][j] = psi_{2 N2}^((2 k2 + 1) j)   N2 x N2, negacyclic
 *   W2[k2][j] = psi_{2N}^((2 k2 + 1) j)     N2 x N1, the twiddles
 *   W3[j][k1] = psi_{2 N1}^(2 j k1)         N1 x N1, cyclic;     psi_{2M} = psi^(N / M)
 * BITREV: rows of W1 and W2 stand for k2 = bitrev(row), columns of W3 for k1 = bitrev(column); then
 * memory holds the bit-reversed order without moving data.
 * NATURAL: the order of the matrices is natural, and the result is then moved from [k2][k1] to
 * position k2 + N2 * k1.
 */

/* The constant matrices, row-major, w1[n2*n2], w2[n2*n1], w3[n1*n1]; any pointer may be NULL.
 * order NATURAL: row = k2, column = k1. n1, n2: powers of two >= 1 with n1 * n2 in range. */
fh_golden_status fh_golden_fourstep_matrices(fh_golden_order order, size_t n1, size_t n2,
                                             uint64_t q, uint64_t psi, uint64_t *w1, uint64_t *w2,
                                             uint64_t *w3);

/* Forward negacyclic transform of n1 * n2 elements by these matrices; in and out distinct.
 * Takes O(N (N1 + N2)). Errors of fh_golden_check_root for N = n1 * n2, ERR_NO_MEMORY. */
fh_golden_status fh_golden_fourstep(fh_golden_order order, size_t n1, size_t n2, uint64_t q,
                                    uint64_t psi, const uint64_t *in, uint64_t *out);

/* ---------------------------------------------------------------- bconv.c: RNS base conversion
 *
 * From moduli p_0..p_{alpha-1} (product P, Phat_j = P / p_j) to moduli q_0..q_{L-1}.
 * Exact:  x in [0, P) with x = a_j mod p_j for every j;  out_i = x mod q_i.
 * Fast (Halevi-Polyakov-Shoup, Bajard-Eynard-Hasan-Zucca):  y_j = [a_j * Phat_j^-1]_{p_j},
 *         out_i = sum_j y_j [Phat_j]_{q_i} mod q_i = x + u P mod q_i, 0 <= u < alpha.
 * Source moduli: odd, pairwise coprime, 3 <= p < 2^61. Targets: distinct, 2 <= q < 2^61; they may
 * share factors with the source.
 */
typedef struct fh_golden_bases {
    size_t alpha;         /* source limbs, 1..64 */
    const uint64_t *from; /* p[alpha] */
    size_t target;        /* target limbs (L), 1..64 */
    const uint64_t *to;   /* q[target] */
} fh_golden_bases;

/* For each side ERR_LIMBS, ERR_MODULUS and ERR_REPEATED, then for the source ERR_EVEN_MODULUS and
 * ERR_NOT_COPRIME. Every function below makes these checks first. */
fh_golden_status fh_golden_bconv_check_bases(const fh_golden_bases *bases);

/* phat_inverse[alpha]: [Phat_j^-1]_{p_j}. phat[alpha * target]: [Phat_j]_{q_i} at
 * [j * target + i]. Either may be NULL. */
fh_golden_status fh_golden_bconv_constants(const fh_golden_bases *bases, uint64_t *phat_inverse,
                                           uint64_t *phat);

/* in: alpha x n, out: target x n, limb-major, distinct. Any n. */
fh_golden_status fh_golden_bconv_fast(const fh_golden_bases *bases, size_t n, const uint64_t *in,
                                      uint64_t *out);

/* The same shapes; mixed-radix reconstruction over plain multi-word integers. */
fh_golden_status fh_golden_bconv_exact(const fh_golden_bases *bases, size_t n, const uint64_t *in,
                                       uint64_t *out);

/* Whether `converted` (target x n) is the exact value plus u * P modulo every q_i, with one u in
 * [0, alpha) per coefficient. ERR_MISMATCH otherwise; then *bad (may be NULL) is the first wrong
 * coefficient. ERR_NO_MEMORY. */
fh_golden_status fh_golden_bconv_check(const fh_golden_bases *bases, size_t n, const uint64_t *in,
                                       const uint64_t *converted, size_t *bad);

/* ---------------------------------------------------------- eltwise.c: element by element
 *
 * n elements of one limb, any n, in place allowed with any operand. ERR_MODULUS unless
 * 2 <= q < 2^61.
 */
fh_golden_status fh_golden_add(size_t n, uint64_t q, const uint64_t *a, const uint64_t *b,
                               uint64_t *out); /* a + b */
fh_golden_status fh_golden_sub(size_t n, uint64_t q, const uint64_t *a, const uint64_t *b,
                               uint64_t *out); /* a - b, non-negative */
fh_golden_status fh_golden_mul(size_t n, uint64_t q, const uint64_t *a, const uint64_t *b,
                               uint64_t *out); /* a * b */
fh_golden_status fh_golden_mac(size_t n, uint64_t q, const uint64_t *a, const uint64_t *b,
                               const uint64_t *c, uint64_t *out); /* a * b + c */
fh_golden_status fh_golden_add_scalar(size_t n, uint64_t q, const uint64_t *a, uint64_t scalar,
                                      uint64_t *out);
fh_golden_status fh_golden_mul_scalar(size_t n, uint64_t q, const uint64_t *a, uint64_t scalar,
                                      uint64_t *out);

/* 5^r mod 2N: the Galois element of a CKKS rotation by r slots. ERR_SIZE. */
fh_golden_status fh_golden_galois_element(size_t n, uint64_t r, uint64_t *g);

/* X -> X^g on the negacyclic ring, g odd (ERR_ARGUMENT otherwise; reduced mod 2N).
 * On evaluations it is a permutation: out(x) = in(pi(x)), pi(x) = ([g (2x + 1)]_{2N} - 1) / 2;
 * with g = 5^r that is the rotation by r. in and out distinct, both in the given order. */
fh_golden_status fh_golden_automorphism_eval(size_t n, uint64_t g, fh_golden_order order,
                                             const uint64_t *in, uint64_t *out);

/* On coefficients: a_i X^i goes to a_i X^(g i), with X^N = -1. in and out distinct. */
fh_golden_status fh_golden_automorphism_coeff(size_t n, uint64_t q, uint64_t g, const uint64_t *in,
                                              uint64_t *out);

/* ----------------------------------------------------------- bigint.c: multi-word integers
 *
 * Little-endian arrays of 32-bit words. Sizes are 1..FH_GOLDEN_MAX_WORDS, ERR_ARGUMENT otherwise.
 */

/* out[na + nb] = a[na] * b[nb], schoolbook; out distinct from both. */
fh_golden_status fh_golden_big_mul(size_t na, const uint32_t *a, size_t nb, const uint32_t *b,
                                   uint32_t *out);

/* out[nm] = a[na] mod m[nm] by binary long division; na <= 2 * FH_GOLDEN_MAX_WORDS.
 * ERR_MODULUS for m = 0. out distinct from both. */
fh_golden_status fh_golden_big_mod(size_t na, const uint32_t *a, size_t nm, const uint32_t *m,
                                   uint32_t *out);

/* out[words] = a * b * 2^(-32 words) mod m, the value that a Montgomery product has, computed with
 * long division only. a, b, m: `words` words, operands need not be below m.
 * ERR_EVEN_MODULUS for an even m, ERR_MODULUS for m = 1. */
fh_golden_status fh_golden_big_montgomery(size_t words, const uint32_t *a, const uint32_t *b,
                                          const uint32_t *m, uint32_t *out);

/* ------------------------------------------- matrix.c, lane.c: the value of each instruction */

/* The modulus descriptor of the modular matrix multiply. mu should be floor(2^64 / q), and the
 * literal steps are defined for any mu. q = 0 is no modulus: the instruction faults. */
typedef struct fh_golden_modulus {
    uint32_t q;
    uint64_t mu;
} fh_golden_modulus;

/* floor(2^64 / q); requires q >= 2. */
uint64_t fh_golden_barrett_mu(uint32_t q);

/* One product step: z = r + a b; t = (z mu) >> 64; v = (z - t q) mod 2^33; the low 32 bits of
 * (v >= q ? v - q : v). For any mu; requires q >= 1. */
uint32_t fh_golden_barrett_step(fh_golden_modulus modulus, uint32_t r, uint32_t a, uint32_t b);

/* Shape of a row-major product: A is m x k, B is k x n, C and D are m x n. */
typedef struct fh_golden_shape {
    size_t m;
    size_t n;
    size_t k;
} fh_golden_shape;

/* D = A B + C with the literal step for each product, k ascending (FHEC.16816 is {16, 8, 16}).
 * moduli: one descriptor, or with `mixed` one for each of the n columns. ERR_MODULUS, and nothing
 * is written, when a used q is 0. d may be c. */
fh_golden_status fh_golden_fhec_steps(fh_golden_shape shape, bool mixed,
                                      const fh_golden_modulus *moduli, const uint32_t *a,
                                      const uint32_t *b, const uint32_t *c, uint32_t *d);

/* (C + sum A B) mod q as the definition has it; mu is not looked at.
 * ERR_MODULUS when a used q is 0. d may be c. */
fh_golden_status fh_golden_fhec_plain(fh_golden_shape shape, bool mixed,
                                      const fh_golden_modulus *moduli, const uint32_t *a,
                                      const uint32_t *b, const uint32_t *c, uint32_t *d);

/* The int8 matrix multiply-accumulate: a and b are bytes, each operand signed or not; c and d are
 * 32-bit. Wraps modulo 2^32, or with `saturate` clamps the exact sum to int32. d may be c.
 * Requires k <= 2^32. */
typedef struct fh_golden_imma {
    fh_golden_shape shape;
    bool a_signed;
    bool b_signed;
    bool saturate;
} fh_golden_imma;
void fh_golden_imma_value(const fh_golden_imma *imma, const uint8_t *a, const uint8_t *b,
                          const int32_t *c, int32_t *d);

/* Modular lane instructions. For the .U32 forms pass zero-extended operands; the value is the same.
 * Exact residues of exact integers; *d is below q. ERR_MODULUS for q = 0 (a guest fault). */
fh_golden_status fh_golden_modred(uint64_t a, uint64_t q, uint64_t *d);
fh_golden_status fh_golden_modadd(uint64_t a, uint64_t b, uint64_t q, uint64_t *d);
fh_golden_status fh_golden_modsub(uint64_t a, uint64_t b, uint64_t q, uint64_t *d);
fh_golden_status fh_golden_modmul(uint64_t a, uint64_t b, uint64_t q, uint64_t *d);
fh_golden_status fh_golden_modmad(uint64_t a, uint64_t b, uint64_t c, uint64_t q, uint64_t *d);

/* Low and high 64 bits of a * b + c, c zero-extended. */
uint64_t fh_golden_wmac_lo(uint64_t a, uint64_t b, uint64_t c);
uint64_t fh_golden_wmac_hi(uint64_t a, uint64_t b, uint64_t c);

/* Montgomery multiply, bit-serial; bits = 32 or 64 (operands are truncated to it; any other value
 * is taken as 64). S = 0; for i = 0..bits-1 { S += x_i Y; S += (S & 1) M; S >>= 1 } with S
 * unbounded; P = S; if P >= M then P -= M; the low `bits` bits. Total: even M and M = 0 included.
 */
uint64_t fh_golden_montmul(unsigned bits, uint64_t x, uint64_t y, uint64_t m);

/* The closed form t = x y, u = t (-M^-1) mod 2^bits, P = (t + u M) >> bits, then the same final
 * subtraction; equal to the bit-serial value for odd M. ERR_EVEN_MODULUS, ERR_ARGUMENT (bits). */
fh_golden_status fh_golden_montmul_closed(unsigned bits, uint64_t x, uint64_t y, uint64_t m,
                                          uint64_t *d);

/* -------------------------------------------------------------------- gen.c: inputs
 *
 * Counter-based, so that element (seed, stream, index) does not depend on how much is generated.
 * With G = 0x9e3779b97f4a7c15 and the finaliser of splitmix64
 *   f(x): x ^= x >> 30; x *= 0xbf58476d1ce4e5b9; x ^= x >> 27; x *= 0x94d049bb133111eb;
 *         x ^= x >> 31
 * all modulo 2^64,
 *   key(seed, stream)      = f(f(seed + G) + (stream + 1) G)
 *   word(seed, stream, w)  = f(key + (w + 1) G)          output w of splitmix64 started at key
 *   residue below q, element i = (word(2i) * 2^64 + word(2i + 1)) mod q     bias below q / 2^128
 * Limb j of an input uses stream j.
 */
uint64_t fh_golden_random_word(uint64_t seed, uint64_t stream, uint64_t w);
uint64_t fh_golden_random_residue(uint64_t seed, uint64_t stream, uint64_t index, uint64_t q);

typedef enum fh_golden_pattern {
    FH_GOLDEN_RANDOM = 0,  /* uniform residues */
    FH_GOLDEN_ALL_MAX,     /* q - 1 everywhere */
    FH_GOLDEN_ONE_HOT,     /* 1 at index seed mod n, 0 elsewhere */
    FH_GOLDEN_ALTERNATING, /* 0, q - 1, 0, q - 1, ... */
    FH_GOLDEN_RAMP,        /* index mod q */
    FH_GOLDEN_PATTERN_COUNT
} fh_golden_pattern;

/* n elements below q of one limb. ERR_MODULUS for q = 0, ERR_ARGUMENT for an unknown pattern. */
fh_golden_status fh_golden_generate(fh_golden_pattern pattern, uint64_t seed, uint64_t stream,
                                    uint64_t q, size_t n, uint64_t *out);

/* limbs x n, limb-major; limb j has modulus q[j] and stream j. */
fh_golden_status fh_golden_generate_limbs(fh_golden_pattern pattern, uint64_t seed, size_t limbs,
                                          const uint64_t *q, size_t n, uint64_t *out);

/* ----------------------------------------------------------------------- hash.c: XXH3-128 */

/* Hash of `length` bytes, seed 0, as 32 lower-case hex digits, high 64 bits first: what
 * `xxhsum -H2` prints for a file of these bytes. */
void fh_golden_hash_bytes(const void *bytes, size_t length, char hex[FH_GOLDEN_HASH_CHARS]);

/* Hash of the elements as little-endian integers of element_bytes = 4 or 8 on any host.
 * ERR_ARGUMENT for another width or an element that does not fit, ERR_NO_MEMORY. */
fh_golden_status fh_golden_hash_elements(size_t element_bytes, size_t count, const uint64_t *a,
                                         char hex[FH_GOLDEN_HASH_CHARS]);

/* -------------------------------------------------------------- pinned.c: pinned hashes
 *
 * What a row means: moduli are the largest primes = 1 mod 2N below 2^bits, roots the smallest,
 * input the generator's RANDOM pattern with stream = limb index. Elements are hashed as u32 up to
 * 32 bits and as u64 above.
 */
typedef enum fh_golden_workload {
    FH_GOLDEN_NTT = 0, /* `limbs` limbs forward, negacyclic, given order */
    FH_GOLDEN_INTT,    /* the inverse; the input is taken as evaluations in the given order */
    FH_GOLDEN_BCONV,   /* fast conversion: the chain's first `limbs` primes to the next `target` */
    FH_GOLDEN_ELT_ADD, /* a from seed, b from seed + 1, c from seed + 2; all `limbs` limbs */
    FH_GOLDEN_ELT_SUB, /* a - b */
    FH_GOLDEN_ELT_MUL, /* a * b */
    FH_GOLDEN_ELT_MAC, /* a * b + c */
    FH_GOLDEN_ROTATE,  /* automorphism g = 5^target on evaluations in the given order */
    FH_GOLDEN_WORKLOAD_COUNT
} fh_golden_workload;

typedef struct fh_golden_pinned {
    fh_golden_workload workload;
    unsigned log2_n;
    unsigned bits;         /* moduli lie below 2^bits */
    unsigned limbs;        /* source limbs */
    unsigned target;       /* BCONV: target limbs; ROTATE: r; otherwise 0 */
    fh_golden_order order; /* BITREV where the workload has no order */
    uint64_t seed;
    const char *hash;
} fh_golden_pinned;

size_t fh_golden_pinned_count(void);
const fh_golden_pinned *fh_golden_pinned_row(size_t index); /* NULL beyond the last */

/* The hash of the row whose other fields equal those of `wanted` (its hash is not looked at), or
 * NULL when nothing is pinned. */
const char *fh_golden_pinned_find(const fh_golden_pinned *wanted);

const char *fh_golden_workload_name(fh_golden_workload workload); /* "ntt", ...; never NULL */

/* Limbs of a row's result, and its bytes per hashed element (4 or 8). */
size_t fh_golden_pinned_result_limbs(const fh_golden_pinned *row);
size_t fh_golden_pinned_element_bytes(const fh_golden_pinned *row);

/* Computes the row's result again (result_limbs x N elements, limb-major) with the references of
 * this library, from the parameters alone. Any parameters in range will do, pinned or not. */
fh_golden_status fh_golden_pinned_compute(const fh_golden_pinned *row, uint64_t *out);

#ifdef __cplusplus
}
#endif

#endif

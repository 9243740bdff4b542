/*
 * ckks_track.h - ciphertexts that know what they hold: the message as complex numbers and, slot by
 * slot, how far decryption may lie from it.
 *
 * A test makes a tracked ciphertext by encryption, runs an operation on its residues (with golden
 * or with anything that should agree with it), tells the tracker which operation it was, and
 * checks.
 *
 * Where the bounds come from. An error polynomial acts on slot j by its value there. Polynomials
 * with independent coefficients of mean 0 and variance v have values of variance N v; six standard
 * deviations are exceeded by a slot with probability e^-36. Coefficients with mean m add
 * m (1 + X + ... + X^(N-1)), whose value at zeta_j = exp(i pi e_j / N), e_j = 5^j mod 2N, is of
 * size m / |sin(pi e_j / 2N)|. Values of a product of polynomials are products of values. So with
 *   S = 6 sqrt(2N/3)            a ternary polynomial
 *   E = 6 sqrt(10.5 N)          an error polynomial
 *   H = 6 sqrt(N/12)            rounding to the nearest integer
 *   B_j(M) = M/2 / |sin(pi e_j / 2N)| + 6 M/2 sqrt(N)    any coefficients in [0, M)
 * the errors, in units of the residues, are
 *   encoding                    H
 *   encryption                  S E + E + E S            (v e_pk + e0 + e1 s)
 *   Rescale                     before / q_last + H (1 + S)
 *   key switching               sum_d B_j(k_d Q_d) E / P + B_j(alpha) (1 + S)
 * where digit d has k_d limbs of product Q_d: fast conversion raises a digit to an integer below
 * k_d Q_d, and ModDown is off by at most alpha.
 */
#ifndef FH_TESTS_CKKS_TRACK_H
#define FH_TESTS_CKKS_TRACK_H

#include "ckks.h"

typedef struct fh_tracked {
    size_t level;
    double scale;
    fh_golden_complex *slots; /* n / 2 messages */
    double *bound;            /* n / 2 largest errors, before division by the scale */
    uint64_t *residues;       /* 2 x level x n; room for the full level */
} fh_tracked;

/* Everything that a client has, made from one seed. */
typedef struct fh_client {
    fh_golden_ckks *ckks;
    uint64_t seed;
    uint64_t *secret;
    uint64_t *public_key;
    uint64_t *relin_key;
} fh_client;

/* These end the test when an allocation or a call of golden/ fails. */
fh_client fh_client_make(const fh_golden_ckks_params *params, uint64_t seed);
void fh_client_free(fh_client *client);
uint64_t *fh_client_galois_key(const fh_client *client, uint64_t g); /* the caller frees */

/* n / 2 complex numbers with |re|, |im| <= 1 that depend on seed and stream; the caller frees. */
fh_golden_complex *fh_client_message(const fh_client *client, uint64_t stream);

fh_tracked fh_tracked_make(const fh_client *client, size_t level);
void fh_tracked_free(fh_tracked *tracked);

/* Encrypts the message of this stream. */
fh_tracked fh_client_encrypt(const fh_client *client, size_t level, double scale, uint64_t stream);

/* What an operation makes of messages and bounds; *out was made with fh_tracked_make at the
 * operation's level and may not be an operand. Its residues are not touched. */
void fh_track_hemult(const fh_client *client, const fh_tracked *a, const fh_tracked *b,
                     fh_tracked *out);
void fh_track_headd(const fh_client *client, const fh_tracked *a, const fh_tracked *b,
                    fh_tracked *out);
void fh_track_rescale(const fh_client *client, const fh_tracked *a, fh_tracked *out);
void fh_track_rotate(const fh_client *client, const fh_tracked *a, uint64_t r, fh_tracked *out);
void fh_track_conjugate(const fh_client *client, const fh_tracked *a, fh_tracked *out);
/* plain: encoded with this scale, ptadd with that of the ciphertext. */
void fh_track_ptmult(const fh_client *client, const fh_tracked *a, const fh_golden_complex *plain,
                     double scale, fh_tracked *out);
void fh_track_ptadd(const fh_client *client, const fh_tracked *a, const fh_golden_complex *plain,
                    fh_tracked *out);

/* The first `level` limbs of a, which hold the same message. Copies residues too. */
void fh_track_drop(const fh_client *client, const fh_tracked *a, fh_tracked *out);

/* Decrypts, decodes, and compares. The result describes the slots' errors. */
typedef struct fh_track_error {
    double rms;         /* root of the mean square, before division by the scale */
    double worst_ratio; /* the largest error / bound */
    size_t worst_slot;
} fh_track_error;
fh_track_error fh_tracked_error(const fh_client *client, const fh_tracked *tracked);

/* Fails the test unless every error is within its bound, and unless some error reaches 1 % of it:
 * otherwise nothing was encrypted or the bound is worthless. */
void fh_tracked_check(const char *what, const fh_client *client, const fh_tracked *tracked);

#endif

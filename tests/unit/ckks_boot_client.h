/*
 * ckks_boot_client.h - a client that bootstraps: chains, circuit, keys, messages and their errors.
 */
#ifndef FH_TESTS_CKKS_BOOT_CLIENT_H
#define FH_TESTS_CKKS_BOOT_CLIENT_H

#include "ckks_bootstrap.h"

typedef struct fh_boot_client {
    fh_golden_ckks_boot_params params;
    uint64_t moduli[2 * FH_GOLDEN_MAX_LIMBS];
    fh_golden_ckks *ckks;
    fh_golden_ckks *base;
    fh_golden_ckks_circuit *circuit;
    fh_golden_ckks_boot_keys *keys;
    fh_golden_ckks_environment environment;
} fh_boot_client;

/* These end the test when an allocation or a call of golden/ fails. */
fh_boot_client fh_boot_client_make(const fh_golden_ckks_boot_params *params, uint64_t seed);
void fh_boot_client_free(fh_boot_client *client);

typedef enum fh_boot_message {
    FH_BOOT_RANDOM, /* in [-1, 1)^2 */
    FH_BOOT_ZERO,
    FH_BOOT_ONE_HOT, /* 1 in one slot */
    FH_BOOT_ONES,
    FH_BOOT_IS,   /* i */
    FH_BOOT_BOTH, /* 1 + i */
    FH_BOOT_MESSAGES
} fh_boot_message;

/* n / 2 slots; the caller frees. */
fh_golden_complex *fh_boot_message_make(size_t n, fh_boot_message which, uint64_t seed);

/* A fresh encryption under the client's secret at this level and scale, 2 x level x n; the caller
 * frees. */
uint64_t *fh_boot_encrypt(const fh_boot_client *client, size_t level, long double scale,
                          const fh_golden_complex *message, uint64_t seed);

/* The slots that a ciphertext holds under a secret of the long chain; the caller frees. */
fh_golden_complex *fh_boot_decrypt(const fh_boot_client *client, const uint64_t *secret,
                                   size_t level, long double scale, const uint64_t *ciphertext);

/* log2 of the largest distance of two of the n / 2 slots, and of the root of the mean square. */
typedef struct fh_boot_error {
    double max;
    double rms;
} fh_boot_error;
fh_boot_error fh_boot_difference(size_t n, const fh_golden_complex *a, const fh_golden_complex *b);

/* The error of a bootstrap of this message: encryption at the circuit's input, execution, after
 * each step `after`, decryption. *output (may be NULL): the ciphertext, which the caller frees. */
fh_boot_error fh_boot_run(const fh_boot_client *client, fh_boot_message which, uint64_t seed,
                          fh_golden_ckks_after_step after, void *context, uint64_t **output);

#endif

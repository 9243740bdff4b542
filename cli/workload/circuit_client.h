/*
 * circuit_client.h - who computes on ciphertexts by circuits that may bootstrap: chains, keys, the
 * slots that go in, their encryption, and what is decrypted at the end.
 *
 *     params -> chain -> the circuit, the caller's -> make -> slots -> encrypt -> ... -> decrypt
 */
#ifndef FH_CLI_CIRCUIT_CLIENT_H
#define FH_CLI_CIRCUIT_CLIENT_H

#include "ckks_bootstrap.h"

struct fh_cli_client {
    fh_golden_ckks_boot_params params;        /* of a bootstrap in this chain */
    uint64_t moduli[2 * FH_GOLDEN_MAX_LIMBS]; /* of the long chain */
    uint64_t base_moduli[4];                  /* of {base | as many of P's primes} */
    fh_golden_ckks_params chain, base_chain;  /* with these moduli */
    fh_golden_ckks_circuit *circuit;          /* freed with the client */
    fh_golden_ckks *ckks, *base;
    fh_golden_ckks_boot_keys *keys;
    fh_golden_ckks_plains *plains;
    fh_golden_ckks_boot_reader reader;      /* of the reference */
    fh_golden_ckks_environment environment; /* for the machine */
    fh_golden_ckks_environment reference;   /* for the reference, which may be in another thread */
    fh_golden_complex *slots;               /* of the inputs, n / 2 of each */
    uint64_t *input;                        /* their encryptions, as circuits read them */
};

/* Moduli and chains' shapes. `params` has been filled in. The client is freed by the function
 * below in any case, as after all that follows. */
fh_golden_status fh_cli_client_chain(struct fh_cli_client *client);

/* Secrets, keys, of which `places` are kept, and zeros as slots. The circuit is there. */
fh_golden_status fh_cli_client_make(struct fh_cli_client *client, uint64_t seed, size_t places);

/* `input` from `slots`: input i with seed + i. */
fh_golden_status fh_cli_client_encrypt(struct fh_cli_client *client, uint64_t seed);
void fh_cli_client_free(struct fh_cli_client *client);

/* slots: n / 2 of the circuit's value, limbs: 2 x its level x n. */
fh_golden_status fh_cli_client_decrypt(const struct fh_cli_client *client, size_t value,
                                       const uint64_t *limbs, fh_golden_complex *slots);

/* -log2 of the largest distance of a slot from what it should be, and of the root of the mean
 * square. */
struct fh_cli_precision {
    double max, rms;
};
struct fh_cli_precision fh_cli_precision(size_t count, const fh_golden_complex *got,
                                         const fh_golden_complex *want);

/* A number in [-1, 1) of this stream and index; all of a message follows from the seed. */
double fh_cli_client_unit(uint64_t seed, uint64_t stream, uint64_t index);

#endif

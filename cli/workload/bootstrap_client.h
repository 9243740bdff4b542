/*
 * bootstrap_client.h - who bootstraps: parameters of a preset, chains, the circuit, keys, a
 * message, its encryption, and how far the result is off.
 */
#ifndef FH_CLI_BOOTSTRAP_CLIENT_H
#define FH_CLI_BOOTSTRAP_CLIENT_H

#include "ckks_bootstrap.h"

struct fh_cli_boot {
    fh_golden_ckks_boot_params params;
    uint64_t moduli[2 * FH_GOLDEN_MAX_LIMBS]; /* of the long chain */
    uint64_t base_moduli[4];                  /* of {base | as many of P's primes} */
    fh_golden_ckks_params chain, base_chain;  /* with these moduli */
    fh_golden_ckks_circuit *circuit;
    fh_golden_ckks *ckks, *base;
    fh_golden_ckks_boot_keys *keys;
    fh_golden_ckks_plains *plains;
    fh_golden_ckks_boot_reader reader;      /* of the reference */
    fh_golden_ckks_environment environment; /* for the machine */
    fh_golden_ckks_environment reference;   /* for the reference, which may be in another thread */
    fh_golden_complex *message;             /* n / 2 slots in [-1, 1)^2 */
    uint64_t *input;                        /* 2 x input_level x n: their encryption */
};

/* The plan: moduli, chains' shapes, circuit. `params` has been filled in. Freed by the function
 * below in any case, as all that follows. */
fh_golden_status fh_cli_boot_plan(struct fh_cli_boot *client);

/* Everything else from the seed; `places` keys are kept. */
fh_golden_status fh_cli_boot_make(struct fh_cli_boot *client, uint64_t seed, size_t places);
void fh_cli_boot_free(struct fh_cli_boot *client);

/* -log2 of the largest distance of a slot from the message, and of the root of the mean square. */
struct fh_cli_precision {
    double max, rms;
};

/* output: 2 x (level of the circuit's output) x n. */
fh_golden_status fh_cli_boot_precision(const struct fh_cli_boot *client, const uint64_t *output,
                                       struct fh_cli_precision *precision);

#endif

/*
 * circuit_client.c - see circuit_client.h.
 */
#include "circuit_client.h"

#include <math.h>
#include <stdlib.h>
#include <unistd.h>

fh_golden_status fh_cli_client_chain(struct fh_cli_client *client) {
    const fh_golden_ckks_boot_params *params = &client->params;
    fh_golden_status status = fh_golden_ckks_boot_moduli(params, client->moduli);
    if (status != FH_GOLDEN_OK)
        return status;
    size_t limbs = fh_golden_ckks_boot_limbs(params), low = params->per_level;
    for (size_t j = 0; j < low; j++) {
        client->base_moduli[j] = client->moduli[j];
        client->base_moduli[low + j] = client->moduli[limbs + j];
    }
    client->chain = (fh_golden_ckks_params){params->log2_n, 0, limbs, params->alpha, params->dnum,
                                            client->moduli};
    client->base_chain =
        (fh_golden_ckks_params){params->log2_n, 0, low, low, 1, client->base_moduli};
    return FH_GOLDEN_OK;
}

double fh_cli_client_unit(uint64_t seed, uint64_t stream, uint64_t index) {
    return (double)(fh_golden_random_word(seed, stream, index) >> 11) * 0x1p-52 - 1;
}

/* ---------------------------------------------------------------- inputs and outputs */

fh_golden_status fh_cli_client_encrypt(struct fh_cli_client *client, uint64_t seed) {
    const fh_golden_ckks *ckks = client->ckks;
    const fh_golden_ckks_circuit *circuit = client->circuit;
    size_t n = ckks->n;
    uint64_t *public_key = calloc(2 * ckks->limbs * n, sizeof *public_key);
    uint64_t *plain = calloc(ckks->limbs * n, sizeof *plain);
    client->input = calloc(fh_golden_ckks_input_elements(circuit, ckks), sizeof *client->input);
    fh_golden_status status =
        public_key && plain && client->input ? FH_GOLDEN_OK : FH_GOLDEN_ERR_NO_MEMORY;
    if (status == FH_GOLDEN_OK)
        status = fh_golden_ckks_make_public_key(ckks, seed, client->keys->secret, public_key);
    uint64_t *to = client->input;
    for (size_t i = 0; i < circuit->input_count && status == FH_GOLDEN_OK; i++) {
        size_t level = fh_golden_ckks_circuit_level(circuit, i);
        status =
            fh_golden_ckks_encode(ckks, level, (double)fh_golden_ckks_circuit_scale(circuit, i),
                                  client->slots + i * n / 2, plain);
        if (status == FH_GOLDEN_OK)
            status = fh_golden_ckks_encrypt(ckks, level, seed + i, public_key, plain, to);
        to += 2 * level * n;
    }
    free(public_key);
    free(plain);
    return status;
}

fh_golden_status fh_cli_client_decrypt(const struct fh_cli_client *client, size_t value,
                                       const uint64_t *limbs, fh_golden_complex *slots) {
    const fh_golden_ckks *ckks = client->ckks;
    size_t level = fh_golden_ckks_circuit_level(client->circuit, value);
    double scale = (double)fh_golden_ckks_circuit_scale(client->circuit, value);
    uint64_t *plain = calloc(level * ckks->n, sizeof *plain);
    fh_golden_status status = plain ? FH_GOLDEN_OK : FH_GOLDEN_ERR_NO_MEMORY;
    if (status == FH_GOLDEN_OK)
        status = fh_golden_ckks_decrypt(ckks, level, client->keys->secret, limbs, plain);
    if (status == FH_GOLDEN_OK)
        status = fh_golden_ckks_decode(ckks, level, scale, plain, slots);
    free(plain);
    return status;
}

struct fh_cli_precision fh_cli_precision(size_t count, const fh_golden_complex *got,
                                         const fh_golden_complex *want) {
    double most = 0, squares = 0;
    for (size_t j = 0; j < count; j++) {
        double off = hypot(got[j].re - want[j].re, got[j].im - want[j].im);
        most = off > most || isnan(off) ? off : most;
        squares += off * off;
    }
    return (struct fh_cli_precision){-log2(most), -log2(squares / (double)count) / 2};
}

/* ---------------------------------------------------------------- keys */

/* Threads of the reference, and plaintexts that it and the machine can be apart. */
enum { MOST_THREADS = 2, PLAINS = 24 };

static size_t threads(void) {
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    return processors < 2 ? 1 : MOST_THREADS;
}

fh_golden_status fh_cli_client_make(struct fh_cli_client *client, uint64_t seed, size_t places) {
    fh_golden_status status =
        fh_golden_ckks_boot_chains(&client->params, client->moduli, &client->ckks, &client->base);
    if (status == FH_GOLDEN_OK)
        client->ckks->threads = threads();
    if (status == FH_GOLDEN_OK)
        status = fh_golden_ckks_boot_keys_create(&client->keys, &client->params, client->ckks,
                                                 client->base, seed, places);
    if (status == FH_GOLDEN_OK)
        status =
            fh_golden_ckks_plains_create(&client->plains, client->circuit, client->ckks, PLAINS);
    if (status != FH_GOLDEN_OK)
        return status;
    client->reader.keys = client->keys;
    client->environment = (fh_golden_ckks_environment){client->ckks, client->base, client->keys,
                                                       fh_golden_ckks_boot_key, client->plains};
    client->reference = client->environment;
    client->reference.context = &client->reader;
    client->reference.key = fh_golden_ckks_boot_read;
    client->slots =
        calloc(client->circuit->input_count * client->ckks->n / 2, sizeof *client->slots);
    return client->slots ? FH_GOLDEN_OK : FH_GOLDEN_ERR_NO_MEMORY;
}

void fh_cli_client_free(struct fh_cli_client *client) {
    fh_golden_ckks_boot_reader_end(&client->reader);
    fh_golden_ckks_plains_free(client->plains);
    fh_golden_ckks_boot_keys_free(client->keys);
    fh_golden_ckks_circuit_free(client->circuit);
    fh_golden_ckks_free(client->ckks);
    fh_golden_ckks_free(client->base);
    free(client->slots);
    free(client->input);
}

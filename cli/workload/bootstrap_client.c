/*
 * bootstrap_client.c - see bootstrap_client.h.
 */
#include "bootstrap_client.h"

#include <math.h>
#include <stdlib.h>
#include <unistd.h>

enum { MESSAGE_STREAM = 77 };

fh_golden_status fh_cli_boot_plan(struct fh_cli_boot *client) {
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
    return fh_golden_ckks_boot_circuit(params, client->moduli, &client->circuit);
}

/* In [-1, 1). */
static double unit(uint64_t seed, uint64_t index) {
    return (double)(fh_golden_random_word(seed, MESSAGE_STREAM, index) >> 11) * 0x1p-52 - 1;
}

static fh_golden_status encrypt(struct fh_cli_boot *client, uint64_t seed) {
    const fh_golden_ckks *ckks = client->ckks;
    const fh_golden_ckks_circuit *circuit = client->circuit;
    size_t n = ckks->n, level = circuit->input_level;
    uint64_t *public_key = calloc(2 * ckks->limbs * n, sizeof *public_key);
    uint64_t *plain = calloc(level * n, sizeof *plain);
    client->message = calloc(n / 2, sizeof *client->message);
    client->input = calloc(2 * level * n, sizeof *client->input);
    fh_golden_status status = public_key && plain && client->message && client->input
                                  ? FH_GOLDEN_OK
                                  : FH_GOLDEN_ERR_NO_MEMORY;
    for (size_t j = 0; j < n / 2 && status == FH_GOLDEN_OK; j++)
        client->message[j] = (fh_golden_complex){unit(seed, 2 * j), unit(seed, 2 * j + 1)};
    if (status == FH_GOLDEN_OK)
        status = fh_golden_ckks_make_public_key(ckks, seed, client->keys->secret, public_key);
    if (status == FH_GOLDEN_OK)
        status = fh_golden_ckks_encode(ckks, level, (double)circuit->input_scale, client->message,
                                       plain);
    if (status == FH_GOLDEN_OK)
        status = fh_golden_ckks_encrypt(ckks, level, seed, public_key, plain, client->input);
    free(public_key);
    free(plain);
    return status;
}

/* Threads of the reference, and plaintexts that it and the machine can be apart. */
enum { MOST_THREADS = 2, PLAINS = 24 };

static size_t threads(void) {
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    return processors < 2 ? 1 : MOST_THREADS;
}

fh_golden_status fh_cli_boot_make(struct fh_cli_boot *client, uint64_t seed, size_t places) {
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
    return encrypt(client, seed);
}

void fh_cli_boot_free(struct fh_cli_boot *client) {
    fh_golden_ckks_boot_reader_end(&client->reader);
    fh_golden_ckks_plains_free(client->plains);
    fh_golden_ckks_boot_keys_free(client->keys);
    fh_golden_ckks_circuit_free(client->circuit);
    fh_golden_ckks_free(client->ckks);
    fh_golden_ckks_free(client->base);
    free(client->message);
    free(client->input);
}

static struct fh_cli_precision compare(size_t slots, const fh_golden_complex *got,
                                       const fh_golden_complex *want) {
    double most = 0, squares = 0;
    for (size_t j = 0; j < slots; j++) {
        double off = hypot(got[j].re - want[j].re, got[j].im - want[j].im);
        most = off > most || isnan(off) ? off : most;
        squares += off * off;
    }
    return (struct fh_cli_precision){-log2(most), -log2(squares / (double)slots) / 2};
}

fh_golden_status fh_cli_boot_precision(const struct fh_cli_boot *client, const uint64_t *output,
                                       struct fh_cli_precision *precision) {
    const fh_golden_ckks *ckks = client->ckks;
    const fh_golden_ckks_circuit *circuit = client->circuit;
    size_t level = fh_golden_ckks_circuit_level(circuit, circuit->output);
    double scale = (double)fh_golden_ckks_circuit_scale(circuit, circuit->output);
    uint64_t *plain = calloc(level * ckks->n, sizeof *plain);
    fh_golden_complex *slots = calloc(ckks->n / 2, sizeof *slots);
    fh_golden_status status = plain && slots ? FH_GOLDEN_OK : FH_GOLDEN_ERR_NO_MEMORY;
    if (status == FH_GOLDEN_OK)
        status = fh_golden_ckks_decrypt(ckks, level, client->keys->secret, output, plain);
    if (status == FH_GOLDEN_OK)
        status = fh_golden_ckks_decode(ckks, level, scale, plain, slots);
    if (status == FH_GOLDEN_OK)
        *precision = compare(ckks->n / 2, slots, client->message);
    free(plain);
    free(slots);
    return status;
}

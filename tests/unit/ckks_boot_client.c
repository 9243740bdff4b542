/*
 * ckks_boot_client.c - see ckks_boot_client.h.
 */
#include "ckks_boot_client.h"

#include <math.h>

#include "golden_util.h"

fh_boot_client fh_boot_client_make(const fh_golden_ckks_boot_params *params, uint64_t seed) {
    fh_boot_client client = {.params = *params};
    require_ok("moduli", fh_golden_ckks_boot_moduli(params, client.moduli));
    require_ok("chains",
               fh_golden_ckks_boot_chains(params, client.moduli, &client.ckks, &client.base));
    require_ok("circuit", fh_golden_ckks_boot_circuit(params, client.moduli, &client.circuit));
    require_ok("keys", fh_golden_ckks_boot_keys_create(&client.keys, params, client.ckks,
                                                       client.base, seed, 64));
    client.environment = (fh_golden_ckks_environment){client.ckks, client.base, client.keys,
                                                      fh_golden_ckks_boot_key, NULL};
    return client;
}

void fh_boot_client_free(fh_boot_client *client) {
    fh_golden_ckks_boot_keys_free(client->keys);
    fh_golden_ckks_circuit_free(client->circuit);
    fh_golden_ckks_free(client->ckks);
    fh_golden_ckks_free(client->base);
}

/* In [-1, 1). */
static double unit(uint64_t seed, uint64_t index) {
    return (double)(fh_golden_random_word(seed, 77, index) >> 11) * 0x1p-52 - 1;
}

fh_golden_complex *fh_boot_message_make(size_t n, fh_boot_message which, uint64_t seed) {
    fh_golden_complex *message = calloc(n / 2, sizeof *message);
    assert_non_null(message);
    for (size_t j = 0; j < n / 2; j++) {
        switch (which) {
        case FH_BOOT_RANDOM:
            message[j] = (fh_golden_complex){unit(seed, 2 * j), unit(seed, 2 * j + 1)};
            break;
        case FH_BOOT_ONE_HOT: message[j].re = j == (seed * 37 + 5) % (n / 2); break;
        case FH_BOOT_ONES: message[j].re = 1; break;
        case FH_BOOT_IS: message[j].im = 1; break;
        case FH_BOOT_BOTH: message[j] = (fh_golden_complex){1, 1}; break;
        case FH_BOOT_ZERO:
        case FH_BOOT_MESSAGES: break;
        }
    }
    return message;
}

uint64_t *fh_boot_encrypt(const fh_boot_client *client, size_t level, long double scale,
                          const fh_golden_complex *message, uint64_t seed) {
    const fh_golden_ckks *ckks = client->ckks;
    uint64_t *public_key = make_array(2 * ckks->limbs * ckks->n);
    uint64_t *plain = make_array(level * ckks->n);
    uint64_t *out = make_array(2 * level * ckks->n);
    require_ok("public key", fh_golden_ckks_make_public_key(ckks, client->keys->seed,
                                                            client->keys->secret, public_key));
    require_ok("encode", fh_golden_ckks_encode(ckks, level, (double)scale, message, plain));
    require_ok("encrypt", fh_golden_ckks_encrypt(ckks, level, seed, public_key, plain, out));
    free(public_key);
    free(plain);
    return out;
}

fh_golden_complex *fh_boot_decrypt(const fh_boot_client *client, const uint64_t *secret,
                                   size_t level, long double scale, const uint64_t *ciphertext) {
    const fh_golden_ckks *ckks = client->ckks;
    uint64_t *plain = make_array(level * ckks->n);
    fh_golden_complex *slots = calloc(ckks->n / 2, sizeof *slots);
    assert_non_null(slots);
    require_ok("decrypt", fh_golden_ckks_decrypt(ckks, level, secret, ciphertext, plain));
    require_ok("decode", fh_golden_ckks_decode(ckks, level, (double)scale, plain, slots));
    free(plain);
    return slots;
}

fh_boot_error fh_boot_difference(size_t n, const fh_golden_complex *a, const fh_golden_complex *b) {
    double most = 0;
    double squares = 0;
    for (size_t j = 0; j < n / 2; j++) {
        double off = hypot(a[j].re - b[j].re, a[j].im - b[j].im);
        most = off > most || isnan(off) ? off : most;
        squares += off * off;
    }
    return (fh_boot_error){log2(most), log2(2 * squares / (double)n) / 2};
}

fh_boot_error fh_boot_run(const fh_boot_client *client, fh_boot_message which, uint64_t seed,
                          fh_golden_ckks_after_step after, void *context, uint64_t **output) {
    const fh_golden_ckks_circuit *circuit = client->circuit;
    size_t n = client->ckks->n;
    size_t level = fh_golden_ckks_circuit_level(circuit, circuit->output);
    fh_golden_complex *message = fh_boot_message_make(n, which, seed);
    uint64_t *input =
        fh_boot_encrypt(client, circuit->input_level, circuit->input_scale, message, seed);
    uint64_t *fresh = make_array(2 * level * n);
    require_ok("execute",
               fh_golden_ckks_execute(circuit, &client->environment, input, after, context, fresh));
    fh_golden_complex *got =
        fh_boot_decrypt(client, client->keys->secret, level,
                        fh_golden_ckks_circuit_scale(circuit, circuit->output), fresh);
    fh_boot_error error = fh_boot_difference(n, got, message);
    free(message);
    free(input);
    free(got);
    if (output != NULL) {
        *output = fresh;
    } else {
        free(fresh);
    }
    return error;
}

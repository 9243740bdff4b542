/*
 * fingerprint.c - a hash of what an execution follows from (checkpoint.h).
 */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <xxhash.h>

#include "checkpoint.h"
#include "sass_files.h"

/* Text, so that neither padding nor the size of a type has a part in it. */
static void add(XXH3_state_t *state, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void add(XXH3_state_t *state, const char *format, ...) {
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    const int length = vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (length > 0)
        XXH3_128bits_update(state, text,
                            (size_t)length < sizeof text ? (size_t)length : sizeof text - 1);
}

static void add_chain(XXH3_state_t *state, const fh_golden_ckks_params *chain) {
    add(state, "chain %u %zu %zu %zu\n", chain->log2_n, chain->limbs, chain->alpha, chain->dnum);
    for (size_t j = 0; j < chain->limbs + chain->alpha; j++)
        add(state, "%llu ", (unsigned long long)chain->moduli[j]);
}

static void add_step(XXH3_state_t *state, const fh_golden_ckks_step *step) {
    add(state, "%d %s %zu %zu %La %zu %zu %llx %llx %llu %zu %zu %zu %zu %La\n", (int)step->kind,
        step->name, step->level, step->result_level, step->scale, step->a, step->b,
        (unsigned long long)(uint64_t)(step->scalar >> 64),
        (unsigned long long)(uint64_t)step->scalar, (unsigned long long)step->element, step->drop,
        step->map, step->diagonal, step->vector, step->plain_scale);
}

static void add_circuit(XXH3_state_t *state, const fh_golden_ckks_circuit *circuit) {
    const size_t slots = (size_t)1 << (circuit->log2_n - 1);
    add(state, "circuit %zu %La %zu %zu %La %zu\n", circuit->per_level, circuit->delta,
        circuit->input_count, circuit->input_level, circuit->input_scale, circuit->output);
    for (size_t i = 0; i < circuit->step_count; i++)
        add_step(state, &circuit->steps[i]);
    for (size_t m = 0; m < circuit->map_count; m++) {
        const fh_golden_ckks_map *map = &circuit->maps[m];
        add(state, "map %d %u %u %La %zu %td %zu %zu %La\n", map->inverse, map->low, map->high,
            map->factor, map->stride, map->first, map->count, map->baby, map->plain_scale);
        if (map->given)
            XXH3_128bits_update(state, map->given, map->count * slots * sizeof *map->given);
    }
    for (size_t v = 0; v < circuit->vector_count; v++)
        XXH3_128bits_update(state, circuit->vectors[v], slots * sizeof *circuit->vectors[v]);
    for (size_t k = 0; k < circuit->kept_count; k++)
        add(state, "kept %zu\n", circuit->kept[k]);
}

bool fh_cli_fingerprint(const struct fh_cli_client *client,
                        const struct fh_ckks_steps_params *params, uint64_t seed, bool verified,
                        char hex[FH_CLI_FINGERPRINT_CHARS]) {
    const size_t elements = fh_golden_ckks_input_elements(client->circuit, client->ckks);
    XXH3_state_t *state = XXH3_createState();
    if (!state)
        return false;
    XXH3_128bits_reset(state);
    add(state, "fhec %s map %s seed %llu verified %d unfused %d secrets %zu %zu\n", FHEC_VERSION,
        params->map, (unsigned long long)seed, verified, params->unfused, client->params.weight,
        client->params.secret_weight);
    for (size_t i = 0; i < fh_sass_file_count; i++)
        XXH3_128bits_update(state, fh_sass_files[i].text, fh_sass_files[i].length);
    add_chain(state, &client->chain);
    add_circuit(state, client->circuit);
    XXH3_128bits_update(state, client->input, elements * sizeof *client->input);
    const XXH128_hash_t hash = XXH3_128bits_digest(state);
    XXH3_freeState(state);
    (void)snprintf(hex, FH_CLI_FINGERPRINT_CHARS, "%016llx%016llx", (unsigned long long)hash.high64,
                   (unsigned long long)hash.low64);
    return true;
}

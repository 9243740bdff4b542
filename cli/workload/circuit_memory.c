/*
 * circuit_memory.c - see circuit_memory.h.
 */
#include "circuit_memory.h"

#include <stdio.h>
#include <sys/resource.h>

#include "ckks_groups.h"
#include "message.h"

/* Keys that the circuit needs, each once. */
static size_t distinct_keys(const fh_golden_ckks_circuit *circuit) {
    size_t count = 0;
    for (size_t i = 0; i < circuit->step_count; i++) {
        fh_golden_ckks_key_kind kind, other;
        uint64_t element, of;
        if (!fh_golden_ckks_step_key(&circuit->steps[i], &kind, &element))
            continue;
        size_t j = 0;
        while (j < i && !(fh_golden_ckks_step_key(&circuit->steps[j], &other, &of) &&
                          other == kind && of == element))
            j++;
        count += j == i;
    }
    return count;
}

/* The most limbs of values that are there at the same time; raised digits count as their
 * extended polynomials. */
static size_t most_limbs(const fh_golden_ckks_circuit *circuit,
                         const fh_golden_ckks_params *chain) {
    size_t most = 0;
    for (size_t step = 0; step < circuit->step_count; step++) {
        size_t limbs = 0;
        for (size_t v = 0; v <= step + 1; v++) {
            const bool digits = v && circuit->steps[v - 1].kind == FH_GOLDEN_CKKS_RAISE_DIGITS;
            const size_t level = fh_golden_ckks_circuit_level(circuit, v);
            if (circuit->last_use[v] >= step)
                limbs += digits ? chain->dnum * (level + chain->alpha) : 2 * level;
        }
        most = limbs > most ? limbs : most;
    }
    return most;
}

static size_t most_diagonals(const fh_golden_ckks_circuit *circuit) {
    size_t most = 0;
    for (size_t m = 0; m < circuit->map_count; m++)
        most = circuit->maps[m].count > most ? circuit->maps[m].count : most;
    return most;
}

double fh_cli_memory_estimate(const struct fh_ckks_steps_params *params,
                              const struct fh_cli_memory_use *use) {
    enum { TABLES = 32, PLAINS = 24, COMPLEX = 32, HOST = 8, BASE = 48 << 20 };
    const fh_golden_ckks_circuit *circuit = params->circuit;
    const fh_golden_ckks_params *chain = params->chain;
    const double n = (double)((size_t)1 << circuit->log2_n), limbs = (double)chain->limbs;
    const double all = limbs + (double)chain->alpha, key = 2 * (double)chain->dnum * all * n;
    const struct fh_map *map = fh_map_find(params->map);
    const double word = map && map->word_bits == 64 ? 8 : 4;
    const size_t keys = distinct_keys(circuit);
    const double host_keys = (double)(keys < use->host_keys ? keys : use->host_keys);
    const double guest_keys = (double)(keys < params->key_places ? keys : params->key_places);
    const double live = (double)most_limbs(circuit, chain) * n;
    double bytes = BASE + TABLES * n * all + 2 * HOST * all * n; /* chain and secrets */
    bytes += word * key * host_keys + word * key * guest_keys;
    bytes += HOST * key * (use->ahead ? 2 : 1); /* whoever reads them has one */
    bytes += word * live + word * n * all * (2 + (double)chain->dnum);
    bytes += HOST * n * limbs * PLAINS / 2 + word * n * limbs * FH_CKKS_MOST_TERMS;
    bytes += COMPLEX * n * (double)most_diagonals(circuit); /* two copies of n / 2 each */
    bytes += 2 * HOST * n * limbs;
    if (use->ahead)
        bytes += HOST * live + HOST * 2 * limbs * n * (double)use->ahead;
    return bytes;
}

/* What the machine has left; a great number where that is not known. */
static double available(void) {
    double bytes = 0x1p62;
    char line[128];
    unsigned long long kibibytes;
    FILE *file = fopen("/proc/meminfo", "r");
    while (file && fgets(line, sizeof line, file))
        if (sscanf(line, "MemAvailable: %llu", &kibibytes) == 1)
            bytes = (double)kibibytes * 1024;
    if (file)
        (void)fclose(file);
    struct rlimit limit;
    if (getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY &&
        (double)limit.rlim_cur < bytes)
        bytes = (double)limit.rlim_cur;
    return bytes;
}

fhec_status fh_cli_memory_check(const struct fh_cli *cli, const struct fh_ckks_steps_params *params,
                                const struct fh_cli_memory_use *use) {
    const double takes = fh_cli_memory_estimate(params, use), there = available();
    if (takes <= there)
        return FHEC_OK;
    return fh_cli_error(cli, FHEC_HOST_ERROR,
                        "not enough memory: this takes about %.1f GB, and %.1f GB are available",
                        takes / 1e9, there / 1e9);
}

/*
 * programs_util.c - what the tests of programs/ share.
 */
#include "programs_util.h"

fhec_machine *programs_machine(fhec_engine engine, unsigned threads) {
    fhec_machine *machine = NULL;
    const fhec_machine_options options = {.engine = engine, .threads = threads};
    assert_int_equal(fhec_machine_new(&options, &machine), FHEC_OK);
    fhec_machine_count(machine, true);
    return machine;
}

static struct fh_kernel_cache *kernels;

static void free_kernels(void) {
    fh_kernel_cache_free(kernels);
}

struct fh_run_options programs_options(void) {
    if (!kernels) {
        kernels = fh_kernel_cache_new();
        assert_non_null(kernels);
        atexit(free_kernels);
    }
    return (struct fh_run_options){.kernels = kernels};
}

static fhec_stats stats_of(fhec_machine *machine) {
    fhec_stats stats;
    assert_int_equal(fhec_machine_stats(machine, &stats), FHEC_OK);
    return stats;
}

uint64_t programs_warp_insts(fhec_machine *machine) {
    return stats_of(machine).warp_insts;
}

uint64_t programs_count(fhec_machine *machine, const char *prefix) {
    fhec_stats stats = stats_of(machine);
    uint64_t sum = 0;
    for (size_t i = 0; i < stats.count_count; i++)
        if (!strncmp(stats.counts[i].mnemonic, prefix, strlen(prefix)))
            sum += stats.counts[i].warp;
    return sum;
}

uint64_t programs_prime(size_t n, unsigned bits, size_t index) {
    uint64_t primes[16];
    assert_true(index < COUNT_OF(primes));
    assert_int_equal(fh_golden_prime_chain(n, bits, index + 1, primes), FH_GOLDEN_OK);
    return primes[index];
}

void programs_fill(fh_golden_pattern pattern, uint64_t seed, uint64_t stream, uint64_t q, size_t n,
                   uint64_t *out) {
    assert_int_equal(fh_golden_generate(pattern, seed, stream, q, n, out), FH_GOLDEN_OK);
}

uint32_t *programs_narrow(const uint64_t *from, size_t count) {
    uint32_t *to = malloc(count * sizeof *to + 1);
    assert_non_null(to);
    for (size_t i = 0; i < count; i++) {
        assert_true(from[i] >> 32 == 0);
        to[i] = (uint32_t)from[i];
    }
    return to;
}

uint64_t *programs_widen(const uint32_t *from, size_t count) {
    uint64_t *to = malloc(count * sizeof *to + 1);
    assert_non_null(to);
    for (size_t i = 0; i < count; i++)
        to[i] = from[i];
    return to;
}

const struct fh_map *programs_map(enum fh_workload workload, size_t index) {
    const struct fh_map *map;
    for (size_t i = 0; (map = fh_map_get(i)) != NULL; i++)
        if (map->workloads & (unsigned)workload && index-- == 0)
            return map;
    return NULL;
}

void *programs_pack(const struct fh_map *map, const uint64_t *from, size_t count) {
    if (map->word_bits == 32)
        return programs_narrow(from, count);
    uint64_t *to = malloc(count * sizeof *to + 1);
    assert_non_null(to);
    memcpy(to, from, count * sizeof *to);
    return to;
}

uint64_t programs_element(const struct fh_map *map, const void *data, size_t at) {
    return map->word_bits == 32 ? ((const uint32_t *)data)[at] : ((const uint64_t *)data)[at];
}

static void fail_ntt(const struct fh_ntt_params *params, const char *label, size_t at, uint64_t got,
                     uint64_t want) {
    size_t limb = at / params->n;
    fail_msg("%s: map %s, N %zu, limb %zu of %zu, q %llu, %s, %s order: element %zu is %llu, not "
             "%llu",
             label, params->map, params->n, limb, params->limbs,
             (unsigned long long)params->q[limb], params->inverse ? "inverse" : "forward",
             params->order == FH_GOLDEN_NATURAL ? "natural" : "bit-reversed", at % params->n,
             (unsigned long long)got, (unsigned long long)want);
}

void programs_expect_ntt(fhec_machine *machine, const struct fh_ntt_params *params,
                         const uint64_t *in, const uint64_t *want, const char *label) {
    const struct fh_map *map = fh_map_find(params->map);
    assert_non_null(map);
    size_t count = params->limbs * params->n, bytes = count * map->word_bits / 8;
    void *data = programs_pack(map, in, count), *out = malloc(bytes);
    struct fh_ntt_params shared = *params;
    struct fh_error error;
    assert_non_null(out);
    memset(out, 0xa5, bytes);
    shared.options = programs_options();
    fhec_status status = fh_ntt_run(machine, &shared, data, bytes, out, &error);
    if (status != FHEC_OK)
        fail_msg("%s: map %s, N %zu: status %d: %s", label, params->map, params->n, (int)status,
                 error.text);
    assert_string_equal(error.text, "");
    for (size_t i = 0; i < count; i++)
        if (programs_element(map, out, i) != want[i])
            fail_ntt(params, label, i, programs_element(map, out, i), want[i]);
    free(data);
    free(out);
}

void programs_check_ntt(fhec_machine *machine, const struct fh_ntt_params *params,
                        const uint64_t *in, const char *label) {
    uint64_t *want = malloc(params->limbs * params->n * sizeof *want);
    assert_non_null(want);
    assert_int_equal(fh_golden_ntt_limbs(params->inverse, params->order, params->n, params->limbs,
                                         params->q, params->psi, in, want),
                     FH_GOLDEN_OK);
    programs_expect_ntt(machine, params, in, want, label);
    free(want);
}

/*
 * comparison_run.c - runs every kernel on every map and keeps the counts.
 */
#include "comparison.h"

#include "ckks_device.h"
#include "comparison_data.h"
#include "guest.h"

#include <stdlib.h>
#include <string.h>

struct run {
    fhec_machine *machine;
    const struct fh_comparison_params *params;
    struct fh_comparison *comparison;
    struct fh_error *error;
    size_t step, steps;
};

enum fh_workload fh_comparison_kernel_workload(enum fh_comparison_kernel kernel) {
    if (kernel == FH_COMPARISON_BCONV)
        return FH_WORKLOAD_BCONV;
    return kernel < FH_COMPARISON_BCONV ? FH_WORKLOAD_NTT : FH_WORKLOAD_CKKS;
}

static bool can(const struct fh_comparison_params *params, const struct fh_map *map,
                enum fh_comparison_kernel kernel) {
    const bool wanted = !params->kernels || params->kernels & 1u << kernel;
    return wanted && map->workloads & (unsigned)fh_comparison_kernel_workload(kernel);
}

static bool has_primitives(const struct fh_comparison_params *params, const struct fh_map *map) {
    return can(params, map, FH_COMPARISON_RESCALE) || can(params, map, FH_COMPARISON_ROTATE) ||
           can(params, map, FH_COMPARISON_HEMULT);
}

static void progress(struct run *run, const char *map, const char *what) {
    run->step++;
    if (run->params->progress)
        run->params->progress(run->params->progress_user, map, what, run->step, run->steps);
}

/* ---------------------------------------------------------------- parameters of the kernels */

static struct fh_ntt_params ntt_params(const struct fh_comparison_data *data,
                                       const struct fh_map *map, bool inverse,
                                       struct fh_run_options options) {
    return (struct fh_ntt_params){
        .map = map->name,
        .n = data->n,
        .limbs = 1,
        .q = data->moduli,
        .inverse = inverse,
        .order = FH_GOLDEN_BITREV,
        .options = options,
    };
}

static struct fh_bconv_params bconv_params(const struct fh_comparison_data *data,
                                           const struct fh_map *map,
                                           struct fh_run_options options) {
    return (struct fh_bconv_params){
        .map = map->name,
        .n = data->n,
        .alpha = data->chain.alpha,
        .target = data->chain.limbs,
        .from = data->moduli + data->chain.limbs,
        .to = data->moduli,
        .options = options,
    };
}

static struct fh_ckks_params ckks_params(const struct fh_comparison_data *data,
                                         const struct fh_map *map, struct fh_run_options options) {
    return (struct fh_ckks_params){.map = map->name, .chain = data->chain, .options = options};
}

/* ---------------------------------------------------------------- checks */

/* The scheme's own check comes first: it says best what is wrong with a chain. */
static fhec_status check_map(const struct fh_comparison_params *params, const struct fh_map *map,
                             struct fh_error *error) {
    struct fh_comparison_data data;
    struct fh_error no_primes;
    fhec_status found = fh_comparison_primes(params, map->word_bits / 8, &data, &no_primes);
    struct fh_ckks_params ckks = ckks_params(&data, map, params->options);
    struct fh_ntt_params ntt = ntt_params(&data, map, false, params->options);
    struct fh_bconv_params bconv = bconv_params(&data, map, params->options);
    fhec_status status = FHEC_OK;
    if (has_primitives(params, map))
        status = fh_ckks_check(&ckks, NULL, error);
    if (status == FHEC_OK && found != FHEC_OK) {
        *error = no_primes;
        return found;
    }
    if (status == FHEC_OK &&
        (can(params, map, FH_COMPARISON_NTT) || can(params, map, FH_COMPARISON_INTT)))
        status = fh_ntt_check(&ntt, error);
    if (status == FHEC_OK && can(params, map, FH_COMPARISON_BCONV))
        status = fh_bconv_check(&bconv, error);
    return status;
}

fhec_status fh_comparison_check(const struct fh_comparison_params *params, struct fh_error *error) {
    error->text[0] = 0;
    if (params->chain.log2_n < FH_NTT_MIN_LOG2 || params->chain.log2_n > FH_NTT_MAX_LOG2)
        return fh_fail(error, FHEC_BAD_INPUT, "log2 of N must be %d to %d, not %u", FH_NTT_MIN_LOG2,
                       FH_NTT_MAX_LOG2, params->chain.log2_n);
    if (params->chain.limbs < 2)
        return fh_fail(error, FHEC_BAD_INPUT,
                       "limbs: %zu; Rescale drops one and leaves at least one",
                       params->chain.limbs);
    for (size_t i = 0; i < params->map_count; i++) {
        fhec_status status = check_map(params, params->maps[i], error);
        if (status != FHEC_OK)
            return status;
    }
    for (size_t i = 0; i < params->word_count; i++)
        if (params->words[i] < FH_BIGINT_MIN_WORDS || params->words[i] > FH_BIGINT_MAX_WORDS)
            return fh_fail(error, FHEC_BAD_INPUT,
                           "multi-word integers have %d to %d words, not %llu", FH_BIGINT_MIN_WORDS,
                           FH_BIGINT_MAX_WORDS, (unsigned long long)params->words[i]);
    return FHEC_OK;
}

/* ---------------------------------------------------------------- transforms, base conversion */

/* A kernel from host memory to host memory. */
static fhec_status run_limbs(struct run *run, const struct fh_comparison_data *data,
                             const struct fh_map *map, enum fh_comparison_kernel kernel,
                             struct fh_comparison_cell *cell) {
    struct fh_collector collector;
    struct fh_run_options options =
        fh_profile_begin(&collector, run->machine, &run->params->options);
    bool bconv = kernel == FH_COMPARISON_BCONV;
    size_t in_count = bconv ? data->chain.alpha * data->n : data->n;
    size_t out_count = fh_comparison_elements(data, kernel);
    void *in = fh_table(in_count, data->word), *out = fh_table(out_count, data->word);
    uint64_t *result = fh_table(out_count, sizeof *result);
    fhec_status status = in && out && result ? FHEC_OK : fh_fail_memory(run->error);
    if (status == FHEC_OK)
        fh_pack(bconv ? data->sources : data->limb, in_count, data->word, in);
    if (status == FHEC_OK && bconv) {
        const struct fh_bconv_params params = bconv_params(data, map, options);
        status = fh_bconv_run(run->machine, &params, in, in_count * data->word, out, run->error);
    } else if (status == FHEC_OK) {
        const struct fh_ntt_params params =
            ntt_params(data, map, kernel == FH_COMPARISON_INTT, options);
        status = fh_ntt_run(run->machine, &params, in, in_count * data->word, out, run->error);
    }
    if (status == FHEC_OK)
        status = fh_profile_end(&collector, &cell->profile, run->error);
    if (status == FHEC_OK) {
        cell->counted = true;
        fh_unpack(out, out_count, data->word, result);
        status = fh_comparison_compare(data, kernel, map->name, result, run->error);
    }
    free(in);
    free(out);
    free(result);
    return status;
}

/* ---------------------------------------------------------------- primitives */

struct operand_addresses {
    uint64_t a, b, key, out;
};

static fhec_status write_operands(struct fh_ckks *ckks, const struct fh_comparison_data *data,
                                  struct operand_addresses *at) {
    size_t limbs = data->chain.limbs;
    fhec_status status = fh_ckks_alloc(ckks, limbs, 2, &at->a);
    if (status == FHEC_OK)
        status = fh_ckks_alloc(ckks, limbs, 2, &at->b);
    if (status == FHEC_OK)
        status = fh_ckks_alloc(ckks, limbs, 2, &at->out);
    if (status == FHEC_OK)
        status = fh_ckks_write(ckks, limbs, 2, data->a, at->a);
    if (status == FHEC_OK)
        status = fh_ckks_write(ckks, limbs, 2, data->b, at->b);
    return status == FHEC_OK ? fh_ckks_write_key(ckks, data->key, &at->key) : status;
}

static fhec_status call_primitive(struct fh_ckks *ckks, enum fh_comparison_kernel kernel,
                                  size_t limbs, const struct operand_addresses *at) {
    switch (kernel) {
    case FH_COMPARISON_RESCALE: return fh_ckks_rescale(ckks, limbs, at->a, at->out);
    case FH_COMPARISON_ROTATE:
        return fh_ckks_rotate(ckks, limbs, FH_COMPARISON_ROTATION, at->a, at->key, at->out);
    default: return fh_ckks_hemult(ckks, limbs, at->a, at->b, at->key, at->out);
    }
}

/* One primitive on operands that are in the guest already. */
static fhec_status run_primitive(struct run *run, struct fh_ckks *ckks,
                                 const struct fh_comparison_data *data,
                                 const struct operand_addresses *at, const struct fh_map *map,
                                 struct fh_collector *collector, enum fh_comparison_kernel kernel,
                                 struct fh_comparison_cell *cell) {
    size_t limbs = data->chain.limbs;
    const uint64_t *work = fh_ckks_work(ckks);
    uint64_t before[FH_GOLDEN_CKKS_WORK_COUNT];
    uint64_t *result = fh_table(fh_comparison_elements(data, kernel), sizeof *result);
    if (!result)
        return fh_fail_memory(run->error);
    memcpy(before, work, sizeof before);
    fh_profile_restart(collector);
    fhec_status status = call_primitive(ckks, kernel, limbs, at);
    if (status == FHEC_OK)
        status = fh_ckks_read(ckks, kernel == FH_COMPARISON_RESCALE ? limbs - 1 : limbs, 2, at->out,
                              result);
    if (status != FHEC_OK)
        *run->error = *fh_ckks_error(ckks);
    else
        status = fh_profile_end(collector, &cell->profile, run->error);
    if (status == FHEC_OK) {
        cell->counted = true;
        for (size_t i = 0; i < FH_GOLDEN_CKKS_WORK_COUNT; i++)
            cell->work[i] = work[i] - before[i];
        status = fh_comparison_compare(data, kernel, map->name, result, run->error);
    }
    free(result);
    return status;
}

static fhec_status run_primitives(struct run *run, const struct fh_comparison_data *data,
                                  struct fh_comparison_row *row) {
    struct fh_collector collector;
    struct fh_ckks_params params = ckks_params(
        data, row->map, fh_profile_begin(&collector, run->machine, &run->params->options));
    params.chain.moduli = data->moduli;
    struct operand_addresses at = {0};
    struct fh_ckks *ckks = NULL;
    progress(run, row->map->name, "tables and keys");
    fhec_status status = fh_ckks_make(run->machine, &params, &ckks, run->error);
    if (status != FHEC_OK)
        return status;
    status = write_operands(ckks, data, &at);
    if (status != FHEC_OK)
        *run->error = *fh_ckks_error(ckks);
    for (unsigned k = FH_COMPARISON_RESCALE; k < FH_COMPARISON_KERNELS && status == FHEC_OK; k++) {
        if (!can(run->params, row->map, k))
            continue;
        progress(run, row->map->name, fh_comparison_kernel_name(k));
        status = run_primitive(run, ckks, data, &at, row->map, &collector, k, &row->cells[k]);
    }
    const uint64_t addresses[] = {at.a, at.b, at.out, at.key};
    for (size_t i = 0; i < sizeof addresses / sizeof *addresses; i++)
        if (addresses[i])
            (void)fhec_release(run->machine, addresses[i]);
    fh_ckks_free(ckks);
    return status;
}

/* ---------------------------------------------------------------- all of it */

static fhec_status run_map(struct run *run, const struct fh_comparison_data *data,
                           struct fh_comparison_row *row) {
    fhec_status status = FHEC_OK;
    row->bits = data->chain.bits;
    for (unsigned k = 0; k <= FH_COMPARISON_BCONV && status == FHEC_OK; k++)
        if (can(run->params, row->map, k)) {
            progress(run, row->map->name, fh_comparison_kernel_name(k));
            status = run_limbs(run, data, row->map, k, &row->cells[k]);
        }
    if (status == FHEC_OK && has_primitives(run->params, row->map))
        status = run_primitives(run, data, row);
    return status;
}

/* The maps of one word size, one after another, on the same data. */
static fhec_status run_word(struct run *run, size_t word) {
    struct fh_comparison *comparison = run->comparison;
    struct fh_comparison_data data = {0};
    bool any = false, primitives = false;
    for (size_t i = 0; i < comparison->row_count; i++) {
        const struct fh_map *map = comparison->rows[i].map;
        if (map->word_bits / 8 != word)
            continue;
        any = true;
        primitives = primitives || has_primitives(run->params, map);
    }
    if (!any)
        return FHEC_OK;
    progress(run, NULL, run->params->verify ? "operands and references" : "operands");
    fhec_status status = fh_comparison_primes(run->params, word, &data, run->error);
    if (status == FHEC_OK)
        status = fh_comparison_operands(run->params, primitives, &data, run->error);
    for (size_t i = 0; i < comparison->row_count && status == FHEC_OK; i++)
        if (comparison->rows[i].map->word_bits / 8 == word)
            status = run_map(run, &data, &comparison->rows[i]);
    fh_comparison_data_free(&data);
    return status;
}

static fhec_status run_products(struct run *run) {
    static const struct {
        enum fh_bigint_op op;
        enum fh_workload workload;
    } kinds[] = {{FH_BIGINT_MUL, FH_WORKLOAD_BIGMUL}, {FH_BIGINT_MONTMUL, FH_WORKLOAD_MONTMUL}};
    const struct fh_comparison_params *params = run->params;
    fhec_status status = FHEC_OK;
    progress(run, NULL, "multi-word products");
    run->comparison->products =
        fh_table(2 * params->map_count * params->word_count, sizeof *run->comparison->products);
    if (!run->comparison->products)
        return fh_fail_memory(run->error);
    for (size_t k = 0; k < 2; k++)
        for (size_t i = 0; i < params->map_count; i++)
            for (size_t w = 0; w < params->word_count && status == FHEC_OK; w++) {
                struct fh_comparison_product *product =
                    &run->comparison->products[run->comparison->product_count];
                if (!(params->maps[i]->workloads & (unsigned)kinds[k].workload))
                    continue;
                product->map = params->maps[i];
                product->op = kinds[k].op;
                product->words = params->words[w];
                run->comparison->product_count++;
                status = fh_comparison_multiply(run->machine, params, product, run->error);
            }
    return status;
}

/* Calls of `progress`: those of run_map and run_primitives, one for each word size, one for the
 * products. */
static size_t count_steps(const struct fh_comparison_params *params) {
    size_t steps = 1;
    bool words[2] = {false, false};
    for (size_t i = 0; i < params->map_count; i++) {
        words[params->maps[i]->word_bits == 64] = true;
        for (unsigned k = 0; k < FH_COMPARISON_KERNELS; k++)
            steps += can(params, params->maps[i], k);
        steps += has_primitives(params, params->maps[i]);
    }
    return steps + words[0] + words[1] - (params->kernels != 0);
}

fhec_status fh_comparison_run(fhec_machine *machine, const struct fh_comparison_params *params,
                              struct fh_comparison *comparison, struct fh_error *error) {
    struct fh_comparison_params checked = *params;
    struct run run = {machine, &checked, comparison, error, 0, 0};
    memset(comparison, 0, sizeof *comparison);
    fhec_status status = fh_comparison_check(params, error);
    if (status != FHEC_OK)
        return status;
    checked.options.checked = true;
    comparison->rows = fh_table(params->map_count, sizeof *comparison->rows);
    if (!comparison->rows)
        return fh_fail_memory(error);
    comparison->row_count = params->map_count;
    run.steps = count_steps(params);
    for (size_t i = 0; i < params->map_count; i++)
        comparison->rows[i].map = params->maps[i];
    status = run_word(&run, 4);
    if (status == FHEC_OK)
        status = run_word(&run, 8);
    return status == FHEC_OK && !params->kernels ? run_products(&run) : status;
}

void fh_comparison_free(struct fh_comparison *comparison) {
    free(comparison->rows);
    free(comparison->products);
    memset(comparison, 0, sizeof *comparison);
}

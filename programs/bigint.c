/*
 * bigint.c - products of multi-word integers: checks, the arrangement of words in the guest's
 * memory, and the launch of bigint.sass, where the algorithms are explained.
 */
#include "bigint_kernel.h"
#include "parameters.h"

#include <stdlib.h>
#include <string.h>

enum { QUAD = 4, MAX_WARPS = 4 };

/* ---------------------------------------------------------------- checks */

static enum fh_workload workload_of(enum fh_bigint_op op) {
    return op == FH_BIGINT_MUL ? FH_WORKLOAD_BIGMUL : FH_WORKLOAD_MONTMUL;
}

static bool is_one(size_t words, const uint32_t *value) {
    uint32_t rest = value[0] ^ 1;
    for (size_t i = 1; i < words; i++)
        rest |= value[i];
    return rest == 0;
}

static fhec_status check_modulus(const struct fh_bigint_params *params, struct fh_error *error) {
    if (!params->modulus)
        return fh_fail(error, FHEC_BAD_INPUT, "a Montgomery product needs a modulus");
    if ((params->modulus[0] & 1) == 0)
        return fh_fail(error, FHEC_BAD_INPUT,
                       "the modulus is even; a Montgomery product needs an odd one");
    if (is_one(params->words, params->modulus))
        return fh_fail(error, FHEC_BAD_INPUT, "the modulus is 1; it must be at least 3");
    return FHEC_OK;
}

/* Finds the map, too. */
static fhec_status check(const struct fh_bigint_params *params, const struct fh_map **map,
                         struct fh_error *error) {
    error->text[0] = 0;
    if (params->op != FH_BIGINT_MUL && params->op != FH_BIGINT_MONTMUL)
        return fh_fail(error, FHEC_BAD_INPUT, "the operation must be mul or montmul");
    fhec_status status = fh_check_map(params->map, workload_of(params->op), map, error);
    if (status != FHEC_OK || params->options.checked)
        return status;
    if (params->words < FH_BIGINT_MIN_WORDS || params->words > FH_BIGINT_MAX_WORDS)
        return fh_fail(error, FHEC_BAD_INPUT, "an operand must have %d to %d words, not %zu",
                       FH_BIGINT_MIN_WORDS, FH_BIGINT_MAX_WORDS, params->words);
    if (params->count < 1 || params->count > FH_BIGINT_MAX_COUNT)
        return fh_fail(error, FHEC_BAD_INPUT, "there must be 1 to %d pairs of operands, not %zu",
                       FH_BIGINT_MAX_COUNT, params->count);
    return params->op == FH_BIGINT_MONTMUL ? check_modulus(params, error) : FHEC_OK;
}

fhec_status fh_bigint_check(const struct fh_bigint_params *params, struct fh_error *error) {
    const struct fh_map *map;
    return check(params, &map, error);
}

static bool below(size_t words, const uint32_t *value, const uint32_t *limit) {
    for (size_t i = words; i-- > 0;)
        if (value[i] != limit[i])
            return value[i] < limit[i];
    return false;
}

static fhec_status check_operand(const struct fh_bigint_params *params, const char *name,
                                 const uint32_t *operand, struct fh_error *error) {
    if (params->op == FH_BIGINT_MONTMUL)
        for (size_t i = 0; i < params->count; i++)
            if (!below(params->words, operand + i * params->words, params->modulus))
                return fh_fail(error, FHEC_BAD_INPUT,
                               "%s of pair %zu is not below the modulus; its highest word is 0x%x",
                               name, i, operand[(i + 1) * params->words - 1]);
    return FHEC_OK;
}

/* ---------------------------------------------------------------- memory */

size_t fh_bigint_out_words(const struct fh_bigint_params *params) {
    return params->op == FH_BIGINT_MUL ? 2 * params->words : params->words;
}

/* Integers of `words` words in the guest: blocks of `threads` of them, in a block quads of words,
 * `threads` of each. */
struct arrangement {
    size_t words, quads, threads, blocks;
};

static struct arrangement arrange(size_t words, size_t count, size_t threads) {
    return (struct arrangement){.words = words,
                                .quads = (words + QUAD - 1) / QUAD,
                                .threads = threads,
                                .blocks = (count + threads - 1) / threads};
}

static size_t arranged_words(const struct arrangement *to) {
    return to->blocks * to->threads * to->quads * QUAD;
}

static size_t word_index(const struct arrangement *to, size_t integer, size_t word) {
    size_t block = integer / to->threads, thread = integer % to->threads;
    return ((block * to->quads + word / QUAD) * to->threads + thread) * QUAD + word % QUAD;
}

static fhec_status upload(struct fh_guest *guest, const char *name, const struct arrangement *to,
                          const uint32_t *integers, size_t count, uint64_t *address) {
    uint32_t *words = fh_table(arranged_words(to), sizeof *words);
    if (!words)
        return fh_fail_memory(guest->error);
    for (size_t i = 0; i < count; i++)
        for (size_t w = 0; w < to->words; w++)
            words[word_index(to, i, w)] = integers[i * to->words + w];
    fhec_status status =
        fh_guest_table(guest, name, words, arranged_words(to) * sizeof *words, address);
    free(words);
    return status;
}

static fhec_status download(struct fh_guest *guest, uint64_t address,
                            const struct arrangement *from, uint32_t *integers, size_t count) {
    uint32_t *words = fh_table(arranged_words(from), sizeof *words);
    if (!words)
        return fh_fail_memory(guest->error);
    fhec_status status = fh_guest_read(guest, address, words, arranged_words(from) * sizeof *words);
    for (size_t i = 0; i < count && status == FHEC_OK; i++)
        for (size_t w = 0; w < from->words; w++)
            integers[i * from->words + w] = words[word_index(from, i, w)];
    free(words);
    return status;
}

/* ---------------------------------------------------------------- running */

size_t fh_bigint_modulus_params(const struct fh_bigint_params *params, uint64_t *values) {
    if (params->op == FH_BIGINT_MUL)
        return 0;
    values[0] = fh_negative_inverse(params->modulus[0]);
    for (size_t w = 0; w < params->words; w++)
        values[1 + w / 2] |= (uint64_t)params->modulus[w] << 32 * (w % 2);
    return 1 + (params->words + 1) / 2;
}

fhec_status fh_bigint_launch(struct fh_guest *guest, const struct fh_bigint_job *job,
                             const char *kernel, uint64_t *values, size_t count) {
    const struct fh_bigint_params *params = job->params;
    size_t threads = job->warps * FHEC_WARP_LANES;
    struct arrangement in_words = arrange(params->words, params->count, threads);
    struct arrangement out_words = arrange(fh_bigint_out_words(params), params->count, threads);
    const struct fh_guest_launch launch = {
        .kernel = kernel,
        .grid_x = (uint32_t)in_words.blocks,
        .grid_y = 1,
        .warps = (uint32_t)job->warps,
        .params = values,
        .param_count = count,
    };
    fhec_status status = upload(guest, "a", &in_words, job->a, params->count, &values[0]);
    if (status == FHEC_OK)
        status = upload(guest, "b", &in_words, job->b, params->count, &values[1]);
    if (status == FHEC_OK)
        status =
            fh_guest_alloc(guest, "out", arranged_words(&out_words) * sizeof *job->out, &values[2]);
    if (status == FHEC_OK)
        status = fh_guest_run(guest, &launch);
    if (status == FHEC_OK)
        status = download(guest, values[2], &out_words, job->out, params->count);
    return status;
}

/* On map cuda32. */
static fhec_status run_cuda(struct fh_guest *guest, const struct fh_bigint_job *job) {
    const struct fh_bigint_params *params = job->params;
    bool montgomery = params->op == FH_BIGINT_MONTMUL;
    const struct fh_define defines[] = {
        {"OP", montgomery},
        {"WORDS", (unsigned)params->words},
        {"COUNT", (unsigned)params->count},
        {"WARPS", (unsigned)job->warps},
        {"FULL_MODULUS", montgomery && params->modulus[params->words - 1] >> 31},
    };
    uint64_t values[3 + FH_BIGINT_MODULUS_PARAMS] = {0};
    size_t count = 3 + fh_bigint_modulus_params(params, values + 3);
    fhec_status status =
        fh_guest_assemble(guest, "bigint.sass", defines, sizeof defines / sizeof *defines);
    return status == FHEC_OK ? fh_bigint_launch(guest, job, "bigint", values, count) : status;
}

fhec_status fh_bigint_run(fhec_machine *machine, const struct fh_bigint_params *params,
                          const uint32_t *a, const uint32_t *b, uint32_t *out,
                          struct fh_error *error) {
    const struct fh_map *map;
    fhec_status status = check(params, &map, error);
    if (status == FHEC_OK)
        status = check_operand(params, "a", a, error);
    if (status == FHEC_OK)
        status = check_operand(params, "b", b, error);
    if (status != FHEC_OK)
        return status;
    size_t warps = (params->count + FHEC_WARP_LANES - 1) / FHEC_WARP_LANES;
    const struct fh_bigint_job job = {params, a, b, out, warps < MAX_WARPS ? warps : MAX_WARPS};
    struct fh_guest guest = {.machine = machine, .options = &params->options, .error = error};
    status = strcmp(map->name, "mont") == 0 ? fh_bigint_mont(&guest, &job) : run_cuda(&guest, &job);
    fh_guest_end(&guest);
    return status;
}

/*
 * bigint_run.c - products of multi-word integers: checks, and the choice of the kernel.
 */
#include "bigint_kernel.h"
#include "parameters.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_WARPS = 4 };

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

/* ---------------------------------------------------------------- running */

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

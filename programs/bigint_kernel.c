/*
 * bigint_kernel.c - products of multi-word integers: the arrangement of words in the guest's
 * memory, and the launch of a kernel of bigint.sass or bigint_mont.sass, where the algorithms are
 * explained.
 */
#include "bigint_kernel.h"

#include <stdlib.h>
#include <string.h>

enum { QUAD = 4 };

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

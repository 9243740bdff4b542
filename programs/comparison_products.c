/*
 * comparison_products.c - products of multi-word integers for the comparison: seeded operands, one
 * product a thread, compared with golden.
 */
#include "comparison_data.h"
#include "guest.h"

#include <stdlib.h>
#include <string.h>

enum { MODULUS_STREAM = 0x6d, A_STREAM = 0x61, B_STREAM = 0x62 };
enum { MAX_WORDS = FH_BIGINT_MAX_WORDS, ALL_WORDS = FH_COMPARISON_PRODUCTS * MAX_WORDS };

struct operands {
    size_t words;
    uint32_t modulus[MAX_WORDS];
    uint32_t a[ALL_WORDS], b[ALL_WORDS], out[2 * ALL_WORDS];
};

static void random_words(uint64_t seed, uint64_t stream, size_t count, uint32_t *to) {
    for (size_t i = 0; i < count; i++)
        to[i] = (uint32_t)fh_golden_random_word(seed, stream, i);
}

/* A random odd modulus of full length; Montgomery products want operands below it. */
static fh_golden_status make(const struct fh_comparison_params *params,
                             const struct fh_comparison_product *product, struct operands *of) {
    fh_golden_status status = FH_GOLDEN_OK;
    size_t words = product->words;
    of->words = words;
    random_words(params->seed, MODULUS_STREAM, words, of->modulus);
    of->modulus[0] |= 1;
    of->modulus[words - 1] |= 0x80000000;
    random_words(params->seed, A_STREAM, FH_COMPARISON_PRODUCTS * words, of->a);
    random_words(params->seed, B_STREAM, FH_COMPARISON_PRODUCTS * words, of->b);
    for (size_t i = 0; i < FH_COMPARISON_PRODUCTS && product->op == FH_BIGINT_MONTMUL; i++) {
        uint32_t *const both[] = {of->a + i * words, of->b + i * words};
        for (size_t k = 0; k < 2 && status == FH_GOLDEN_OK; k++) {
            uint32_t whole[MAX_WORDS];
            memcpy(whole, both[k], words * sizeof *whole);
            status = fh_golden_big_mod(words, whole, words, of->modulus, both[k]);
        }
    }
    return status;
}

static fhec_status verify(const struct fh_comparison_product *product, const struct operands *of,
                          size_t out_words, struct fh_error *error) {
    for (size_t i = 0; i < FH_COMPARISON_PRODUCTS; i++) {
        const uint32_t *a = of->a + i * of->words, *b = of->b + i * of->words;
        uint32_t expected[2 * MAX_WORDS];
        fh_golden_status status =
            product->op == FH_BIGINT_MUL
                ? fh_golden_big_mul(of->words, a, of->words, b, expected)
                : fh_golden_big_montgomery(of->words, a, b, of->modulus, expected);
        if (status != FH_GOLDEN_OK)
            return fh_fail(error, FHEC_BAD_INPUT, "the reference: %s",
                           fh_golden_status_text(status));
        if (memcmp(expected, of->out + i * out_words, out_words * sizeof *expected) != 0)
            return fh_fail(error, FHEC_DIFFERS,
                           "map %s, products of %zu words: product %zu is not the reference's",
                           product->map->name, of->words, i);
    }
    return FHEC_OK;
}

fhec_status fh_comparison_multiply(fhec_machine *machine, const struct fh_comparison_params *params,
                                   struct fh_comparison_product *product, struct fh_error *error) {
    struct fh_collector collector;
    struct fh_profile profile;
    struct operands *of = fh_table(1, sizeof *of);
    if (!of)
        return fh_fail_memory(error);
    const struct fh_bigint_params bigint = {
        .map = product->map->name,
        .op = product->op,
        .words = product->words,
        .count = FH_COMPARISON_PRODUCTS,
        .modulus = of->modulus,
        .options = fh_profile_begin(&collector, machine, &params->options),
    };
    fh_golden_status made = make(params, product, of);
    fhec_status status =
        made == FH_GOLDEN_OK
            ? fh_bigint_run(machine, &bigint, of->a, of->b, of->out, error)
            : fh_fail(error, FHEC_BAD_INPUT, "the operands: %s", fh_golden_status_text(made));
    if (status == FHEC_OK)
        status = fh_profile_end(&collector, &profile, error);
    if (status == FHEC_OK)
        product->counts = fh_profile_sum(&profile);
    if (status == FHEC_OK && params->verify)
        status = verify(product, of, fh_bigint_out_words(&bigint), error);
    free(of);
    return status;
}

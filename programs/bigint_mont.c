/*
 * bigint_mont.c - the constants of bigint_mont.sass, where the algorithm is explained: moduli of
 * the channels, and the rows D_c and E modulo M.
 */
#include "bigint_kernel.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_CHANNELS = 192 };

/* Everything that does not depend on the operands. */
struct plan {
    size_t words, row_words; /* of an integer; with the padding of a row of constants */
    unsigned bits;           /* p < 2^bits */
    size_t channels;
    uint32_t p[MAX_CHANNELS];
    const uint32_t *modulus;
    uint32_t minus_inverse;
};

/* ---------------------------------------------------------------- channels */

static uint32_t common_factor(uint32_t a, uint32_t b) {
    while (b) {
        uint32_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

static bool coprime_to_all(const struct plan *plan, uint32_t candidate) {
    for (size_t c = 0; c < plan->channels; c++)
        if (common_factor(plan->p[c], candidate) != 1)
            return false;
    return true;
}

/* The largest odd numbers below 2^bits without common factors, until their product is above
 * 2^(64 words + 1). They are so near to 2^bits (less than a thousandth below it for every number of
 * words) that all of them together lack less than one bit. */
static void choose_channels(struct plan *plan) {
    unsigned log2_words = 0;
    while ((size_t)1 << log2_words < plan->words)
        log2_words++;
    plan->bits = 30 - log2_words;
    for (uint32_t p = ((uint32_t)1 << plan->bits) - 1;
         plan->bits * plan->channels < 64 * plan->words + 2; p -= 2)
        if (coprime_to_all(plan, p))
            plan->p[plan->channels++] = p;
}

/* What the kernel loads for channel c: {p, k, quotient, 0, 2^(32 j) mod p for each word j}. */
static void fill_channel(const struct plan *plan, size_t c, uint32_t *row) {
    uint64_t p = plan->p[c], others = 1, inverse = 0, power = 1;
    for (size_t i = 0; i < plan->channels; i++)
        if (i != c)
            others = others * plan->p[i] % p;
    (void)fh_golden_invmod(others, p, &inverse); /* there are no common factors */
    uint64_t two_32 = ((uint64_t)1 << 32) % p, two_64 = two_32 * two_32 % p;
    row[0] = (uint32_t)p;
    row[1] = (uint32_t)(inverse * two_64 % p * two_64 % p);
    row[2] = (uint32_t)(((uint64_t)1 << (31 + plan->bits)) / p);
    for (size_t j = 0; j < plan->words; j++) {
        row[4 + j] = (uint32_t)power;
        power = power * two_32 % p;
    }
}

/* ---------------------------------------------------------------- rows modulo M */

/* value -= M if value + carry 2^(32 words) is not below M. */
static void correct(const struct plan *plan, uint32_t *value, uint64_t carry) {
    uint32_t less[FH_BIGINT_MAX_WORDS];
    uint64_t borrow = 0;
    for (size_t i = 0; i < plan->words; i++) {
        uint64_t difference = (uint64_t)value[i] - plan->modulus[i] - borrow;
        less[i] = (uint32_t)difference;
        borrow = difference >> 63;
    }
    if (carry || !borrow)
        memcpy(value, less, plan->words * sizeof *value);
}

/* value = 2 value mod M */
static void twice(const struct plan *plan, uint32_t *value) {
    uint32_t bit = 0;
    for (size_t i = 0; i < plan->words; i++) {
        uint32_t top = value[i] >> 31;
        value[i] = value[i] << 1 | bit;
        bit = top;
    }
    correct(plan, value, bit);
}

/* value = value factor / 2^32 mod M: one row of a Montgomery product. */
static void times(const struct plan *plan, uint32_t *value, uint32_t factor) {
    uint32_t q = value[0] * factor * plan->minus_inverse;
    uint64_t product = 0, multiple = 0; /* carries of value factor and q M, and their sum's */
    uint64_t carry = 0;
    for (size_t i = 0; i < plan->words; i++) {
        product = (uint64_t)value[i] * factor + (product >> 32);
        multiple = (uint64_t)q * plan->modulus[i] + (multiple >> 32);
        uint64_t sum = (uint64_t)(uint32_t)product + (uint32_t)multiple + carry;
        carry = sum >> 32;
        if (i)
            value[i - 1] = (uint32_t)sum;
    }
    uint64_t sum = (product >> 32) + (multiple >> 32) + carry;
    value[plan->words - 1] = (uint32_t)sum;
    correct(plan, value, sum >> 32);
}

/* rows[0] = E = -T 2^(32 - 32 words) mod M, rows[1 + c] = D_c. Each factor p_i comes with 2^-32, so
 * D_c starts from 2^(32 (channels - words)), and E, which has one factor more, from 2^32 times
 * that. There are more channels than words. */
static void fill_rows(const struct plan *plan, uint32_t *rows) {
    uint32_t start[FH_BIGINT_MAX_WORDS] = {1};
    size_t bytes = plan->words * sizeof *rows;
    for (size_t i = 0; i < 32 * (plan->channels - plan->words); i++)
        twice(plan, start);
    for (size_t c = 0; c < plan->channels; c++) {
        uint32_t *row = rows + (1 + c) * plan->row_words;
        memcpy(row, start, bytes);
        for (size_t i = 0; i < plan->channels; i++)
            if (i != c)
                times(plan, row, plan->p[i]);
    }
    memcpy(rows, start, bytes);
    for (unsigned i = 0; i < 32; i++)
        twice(plan, rows);
    for (size_t i = 0; i < plan->channels; i++)
        times(plan, rows, plan->p[i]);
    uint64_t borrow = 0; /* M instead of 0 does no harm */
    for (size_t i = 0; i < plan->words; i++) {
        uint64_t difference = (uint64_t)plan->modulus[i] - rows[i] - borrow;
        rows[i] = (uint32_t)difference;
        borrow = difference >> 63;
    }
}

/* ---------------------------------------------------------------- running */

static fhec_status upload_constants(struct fh_guest *guest, const struct plan *plan,
                                    uint64_t *channels, uint64_t *rows) {
    size_t width = 4 + plan->row_words;
    uint32_t *channel_table = fh_table(plan->channels * width, sizeof *channel_table);
    uint32_t *row_table = fh_table((plan->channels + 1) * plan->row_words, sizeof *row_table);
    fhec_status status = FHEC_OK;
    if (!channel_table || !row_table)
        status = fh_fail_memory(guest->error);
    if (status == FHEC_OK) {
        for (size_t c = 0; c < plan->channels; c++)
            fill_channel(plan, c, channel_table + c * width);
        fill_rows(plan, row_table);
        status = fh_guest_table(guest, "channels", channel_table,
                                plan->channels * width * sizeof *channel_table, channels);
    }
    if (status == FHEC_OK)
        status = fh_guest_table(guest, "rows", row_table,
                                (plan->channels + 1) * plan->row_words * sizeof *row_table, rows);
    free(channel_table);
    free(row_table);
    return status;
}

fhec_status fh_bigint_mont(struct fh_guest *guest, const struct fh_bigint_job *job) {
    const struct fh_bigint_params *params = job->params;
    struct plan plan = {.words = params->words,
                        .row_words = (params->words + 3) / 4 * 4,
                        .modulus = params->modulus,
                        .minus_inverse = fh_negative_inverse(params->modulus[0])};
    choose_channels(&plan);
    const struct fh_define defines[] = {
        {"WORDS", (unsigned)params->words},
        {"COUNT", (unsigned)params->count},
        {"WARPS", (unsigned)job->warps},
        {"CHANNELS", (unsigned)plan.channels},
        {"BITS", plan.bits},
    };
    uint64_t values[5 + FH_BIGINT_MODULUS_PARAMS] = {0};
    size_t count = 5 + fh_bigint_modulus_params(params, values + 5);
    fhec_status status =
        fh_guest_assemble(guest, "bigint_mont.sass", defines, sizeof defines / sizeof *defines);
    if (status == FHEC_OK)
        status = upload_constants(guest, &plan, &values[3], &values[4]);
    return status == FHEC_OK ? fh_bigint_launch(guest, job, "bigint_mont", values, count) : status;
}

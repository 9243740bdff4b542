/*
 * command_bigint.c - fhec bigint: plain and Montgomery products of multi-word integers, verified.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bigint.h"
#include "message.h"
#include "options.h"
#include "workload.h"

static const char doc[] =
    "Products of integers of W 32-bit words on the emulator, one pair of operands per thread, "
    "verified against the C reference."
    "\vmul: out = a b, 2 W words. montmul: out = a b 2^(-32 W) mod M, a and b below the odd "
    "modulus M. Without --modulus, M is random, W words long with its highest bit set. The input "
    "is all a, then all b; words of an integer lie in little-endian order. The result goes to "
    "--out only if it is equal to the reference.";

enum { OPTION_WORDS = 1, OPTION_COUNT, OPTION_MODULUS };
static const struct argp_option options[] = {
    {"words", OPTION_WORDS, "W", 0, "32-bit words of an operand, 3 to 64", 0},
    {"count", OPTION_COUNT, "C", 0, "Pairs of operands (default 128)", 0},
    {"modulus", OPTION_MODULUS, "HEX", 0, "montmul: the modulus, hexadecimal", 0},
    {0},
};

enum { NO_OPERATION = 2, MODULUS_STREAM = 0x4d };

struct bigint_options {
    struct fh_cli_workload work;
    struct fh_bigint_params params;
    unsigned op; /* enum fh_bigint_op, or NO_OPERATION */
    uint64_t words, count;
    const char *modulus_text; /* NULL: random */
    uint32_t modulus[FH_BIGINT_MAX_WORDS];
};

static void check_complete(struct bigint_options *big, const struct argp_state *state) {
    if (big->op == NO_OPERATION)
        argp_error(state, "an operation is needed: mul or montmul");
    if (!big->words)
        argp_error(state, "--words is needed: the 32-bit words of an operand");
    if (big->modulus_text && big->op != FH_BIGINT_MONTMUL)
        argp_error(state, "--modulus is for montmul");
    big->work.workload = big->op == FH_BIGINT_MUL ? FH_WORKLOAD_BIGMUL : FH_WORKLOAD_MONTMUL;
}

static error_t parse_option(int key, char *arg, struct argp_state *state) {
    struct bigint_options *big = state->input;
    static const char *const operations[] = {"mul", "montmul", NULL};
    switch (key) {
    case ARGP_KEY_INIT: state->child_inputs[0] = &big->work; return 0;
    case OPTION_WORDS:
        big->words =
            fh_cli_number_option(state, "--words", arg, FH_BIGINT_MIN_WORDS, FH_BIGINT_MAX_WORDS);
        return 0;
    case OPTION_COUNT:
        big->count = fh_cli_number_option(state, "--count", arg, 1, FH_BIGINT_MAX_COUNT);
        return 0;
    case OPTION_MODULUS: big->modulus_text = arg; return 0;
    case ARGP_KEY_ARG:
        if (big->op != NO_OPERATION)
            argp_error(state, "unexpected argument: %s", arg);
        big->op = (unsigned)fh_cli_choice_option(state, "operation", arg, operations);
        return 0;
    case ARGP_KEY_END: check_complete(big, state); return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp_child children[] = {{&fh_cli_workload_argp, 0, NULL, 0}, {0}};
static const struct argp argp = {options, parse_option, "mul|montmul", doc, children, NULL, NULL};

/* ---------------------------------------------------------------- operands */

/* Hexadecimal digits, with or without 0x, of a number that fits into the words. */
static fhec_status read_modulus(struct bigint_options *big) {
    const char *digits = big->modulus_text;
    if (digits[0] == '0' && (digits[1] == 'x' || digits[1] == 'X'))
        digits += 2;
    size_t length = strlen(digits);
    if (!length || strspn(digits, "0123456789abcdefABCDEF") != length)
        return fh_cli_error(big->work.cli, FHEC_BAD_INPUT, "--modulus %s: expected hex digits",
                            big->modulus_text);
    for (size_t i = 0; i < length; i++) {
        int digit = tolower((unsigned char)digits[length - 1 - i]);
        uint32_t value = (uint32_t)(digit <= '9' ? digit - '0' : digit - 'a' + 10);
        if (value && i / 8 >= big->words)
            return fh_cli_error(big->work.cli, FHEC_BAD_INPUT,
                                "--modulus has more than the %llu words of --words",
                                (unsigned long long)big->words);
        if (value)
            big->modulus[i / 8] |= value << 4 * (i % 8);
    }
    return FHEC_OK;
}

static fhec_status find_modulus(struct bigint_options *big) {
    if (big->op != FH_BIGINT_MONTMUL)
        return FHEC_OK;
    if (big->modulus_text)
        return read_modulus(big);
    for (size_t i = 0; i < big->words; i++)
        big->modulus[i] = (uint32_t)fh_golden_random_word(big->work.seed, MODULUS_STREAM, i);
    big->modulus[0] |= 1;
    big->modulus[big->words - 1] |= 0x80000000;
    return FHEC_OK;
}

/* Words of an integer between the workload's elements and what golden takes. */
static void get_words(const uint64_t *from, size_t words, uint32_t *to) {
    for (size_t i = 0; i < words; i++)
        to[i] = (uint32_t)from[i];
}

static void put_words(const uint32_t *from, size_t words, uint64_t *to) {
    for (size_t i = 0; i < words; i++)
        to[i] = from[i];
}

/* Generated operands of a Montgomery product are reduced; the largest pattern is M - 1. */
static fhec_status reduce_operands(struct bigint_options *big) {
    struct fh_cli_workload *work = &big->work;
    if (big->op != FH_BIGINT_MONTMUL || work->in)
        return FHEC_OK;
    for (size_t i = 0; i < work->in_limbs; i++) {
        uint32_t value[FH_BIGINT_MAX_WORDS], reduced[FH_BIGINT_MAX_WORDS];
        get_words(work->input + i * work->n, work->n, value);
        fh_golden_status status = fh_golden_big_mod(work->n, value, work->n, big->modulus, reduced);
        if (status != FH_GOLDEN_OK)
            return fh_cli_golden_error(work->cli, status, "operands");
        if (work->pattern == FH_GOLDEN_ALL_MAX) {
            memcpy(reduced, big->modulus, sizeof reduced);
            reduced[0]--; /* M is odd */
        }
        put_words(reduced, work->n, work->input + i * work->n);
    }
    return FHEC_OK;
}

static fh_golden_status reference(const void *command, uint64_t *out) {
    const struct bigint_options *big = command;
    const struct fh_cli_workload *work = &big->work;
    size_t words = work->n, out_words = big->op == FH_BIGINT_MUL ? 2 * words : words;
    fh_golden_status status = FH_GOLDEN_OK;
    for (size_t i = 0; i < big->count && status == FH_GOLDEN_OK; i++) {
        uint32_t a[FH_BIGINT_MAX_WORDS], b[FH_BIGINT_MAX_WORDS], value[2 * FH_BIGINT_MAX_WORDS];
        get_words(work->input + i * words, words, a);
        get_words(work->input + (big->count + i) * words, words, b);
        status = big->op == FH_BIGINT_MUL
                     ? fh_golden_big_mul(words, a, words, b, value)
                     : fh_golden_big_montgomery(words, a, b, big->modulus, value);
        put_words(value, out_words, out + i * out_words);
    }
    return status;
}

/* ---------------------------------------------------------------- running */

static fhec_status prepare(void *command) {
    struct bigint_options *big = command;
    struct fh_cli_workload *work = &big->work;
    fhec_status status = find_modulus(big);
    work->options = &big->params.options;
    snprintf(work->what, sizeof work->what, "%llu %sproduct%s of %llu words",
             (unsigned long long)big->count, big->op == FH_BIGINT_MONTMUL ? "Montgomery " : "",
             big->count == 1 ? "" : "s", (unsigned long long)big->words);
    snprintf(work->doing, sizeof work->doing, "%.*s", (int)sizeof work->doing - 1, work->what);
    big->params = (struct fh_bigint_params){
        .map = work->map,
        .op = (enum fh_bigint_op)big->op,
        .words = (size_t)big->words,
        .count = (size_t)big->count,
        .modulus = big->modulus,
    };
    return status;
}

static fhec_status check(void *command, struct fh_error *error) {
    return fh_bigint_check(&((struct bigint_options *)command)->params, error);
}

/* The reference takes what the default map takes. */
static fhec_status check_golden(void *command) {
    struct bigint_options *big = command;
    struct fh_error error = {""};
    big->params.map = NULL;
    return fh_cli_program_error(big->work.cli, NULL, check(big, &error), &error);
}

/* An integer is a limb of `words` elements; a plain product is two, the low half first. */
static fhec_status operands(void *command) {
    struct bigint_options *big = command;
    size_t in_limbs = 2 * big->count, out_limbs = big->op == FH_BIGINT_MUL ? in_limbs : big->count;
    uint64_t *q = calloc(in_limbs, sizeof *q);
    if (!q)
        return fh_cli_no_memory(big->work.cli);
    for (size_t i = 0; i < in_limbs; i++)
        q[i] = (uint64_t)1 << 32;
    fhec_status status =
        fh_cli_workload_operands(&big->work, q, (size_t)big->words, in_limbs, out_limbs);
    free(q);
    return status == FHEC_OK ? reduce_operands(big) : status;
}

static fhec_status run(void *command, fhec_machine *machine, size_t bytes, struct fh_error *error) {
    const struct bigint_options *big = command;
    uint32_t *data = (uint32_t *)(void *)big->work.packed;
    (void)bytes;
    return fh_bigint_run(machine, &big->params, data, data + big->count * big->words, data, error);
}

fhec_status fh_cli_bigint(struct fh_cli *cli, int argc, char **argv) {
    static const struct fh_cli_workload_kind kind = {
        .argp = &argp,
        .prepare = prepare,
        .check = check,
        .check_golden = check_golden,
        .operands = operands,
        .reference = reference,
        .run = run,
    };
    struct bigint_options big = {.op = NO_OPERATION, .count = 128};
    return fh_cli_workload_main(cli, argc, argv, &big.work, &kind);
}

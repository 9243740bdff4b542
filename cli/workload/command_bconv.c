/*
 * command_bconv.c - fhec bconv: conversion of residues from one base of moduli to another,
 * verified.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "message.h"
#include "options.h"
#include "workload.h"

static const char doc[] =
    "Fast base conversion of N coefficients from the moduli P to the moduli Q on the emulator, "
    "verified against the C reference."
    "\vWith Phat_j = P / p_j, the result is out_i = sum over j of [a_j Phat_j^-1]_{p_j} "
    "[Phat_j]_{q_i} mod q_i: the value plus u P with 0 <= u < ALPHA. With --limbs ALPHA,L the "
    "moduli are primes = 1 mod 2N (1 mod 2^17 if N is no power of two) below 2^BITS in descending "
    "order: the first ALPHA are the source, the next L the target. Limbs lie one after another. "
    "The result goes to --out only if it is equal to the reference.";

enum { OPTION_N = 1, OPTION_FROM, OPTION_TO, OPTION_LIMBS, OPTION_BITS };
static const struct argp_option options[] = {
    {"n", OPTION_N, "N", 0, "Coefficients of a limb, a multiple of 16", 0},
    {"from", OPTION_FROM, "P[,P...]", 0, "Source moduli: odd, pairwise coprime", 0},
    {"to", OPTION_TO, "Q[,Q...]", 0, "Target moduli: distinct", 0},
    {"limbs", OPTION_LIMBS, "ALPHA,L", 0, "Instead of --from and --to: how many of each", 0},
    {"bits", OPTION_BITS, "BITS", 0,
     "With --limbs: size of the moduli (default 30, or 60 in 64-bit maps)", 0},
    {0},
};

struct bconv_options {
    struct fh_cli_workload work;
    struct fh_bconv_params params;
    uint64_t n;
    uint64_t *from, *to, *limbs;
    size_t from_count, to_count, limbs_count;
};

static void check_complete(const struct bconv_options *bconv, const struct argp_state *state) {
    if (!bconv->n)
        argp_error(state, "--n is needed: the number of coefficients");
    if (bconv->limbs && (bconv->from || bconv->to))
        argp_error(state,
                   "--from and --to name the moduli; --limbs chooses them: give one of both");
    if (!bconv->limbs && (!bconv->from || !bconv->to))
        argp_error(state, "--from and --to are needed, or --limbs");
    if (bconv->limbs && bconv->limbs_count != 2)
        argp_error(state, "--limbs: expected ALPHA,L");
}

static error_t parse_option(int key, char *arg, struct argp_state *state) {
    struct bconv_options *bconv = state->input;
    switch (key) {
    case ARGP_KEY_INIT: state->child_inputs[0] = &bconv->work; return 0;
    case OPTION_N: bconv->n = fh_cli_number_option(state, "--n", arg, 1, 1U << 24); return 0;
    case OPTION_FROM:
        free(bconv->from);
        bconv->from = fh_cli_list_option(state, "--from", arg, 0, UINT64_MAX, &bconv->from_count);
        return 0;
    case OPTION_TO:
        free(bconv->to);
        bconv->to = fh_cli_list_option(state, "--to", arg, 0, UINT64_MAX, &bconv->to_count);
        return 0;
    case OPTION_LIMBS:
        free(bconv->limbs);
        bconv->limbs =
            fh_cli_list_option(state, "--limbs", arg, 1, FH_GOLDEN_MAX_LIMBS, &bconv->limbs_count);
        return 0;
    case OPTION_BITS:
        bconv->work.bits =
            fh_cli_number_option(state, "--bits", arg, 2, FH_GOLDEN_MAX_MODULUS_BITS);
        return 0;
    case ARGP_KEY_ARG: argp_error(state, "unexpected argument: %s", arg); return 0;
    case ARGP_KEY_END: check_complete(bconv, state); return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp_child children[] = {{&fh_cli_workload_argp, 0, NULL, 0}, {0}};
static const struct argp argp = {options, parse_option, NULL, doc, children, NULL, NULL};

/* --limbs ALPHA,L: one chain of primes, cut in two. */
static fhec_status find_moduli(struct bconv_options *bconv) {
    if (!bconv->limbs)
        return FHEC_OK;
    size_t alpha = bconv->limbs[0], target = bconv->limbs[1];
    size_t ring = bconv->n & (bconv->n - 1) ? 1U << 16 : bconv->n;
    fhec_status status = fh_cli_workload_primes(&bconv->work, ring, alpha + target, &bconv->from);
    bconv->from_count = alpha;
    bconv->to_count = target;
    bconv->to = calloc(target, sizeof *bconv->to);
    if (status == FHEC_OK && !bconv->to)
        status = fh_cli_no_memory(bconv->work.cli);
    if (status == FHEC_OK)
        memcpy(bconv->to, bconv->from + alpha, target * sizeof *bconv->to);
    return status;
}

static fhec_status prepare(void *command) {
    struct bconv_options *bconv = command;
    struct fh_cli_workload *work = &bconv->work;
    fhec_status status = find_moduli(bconv);
    work->options = &bconv->params.options;
    snprintf(work->doing, sizeof work->doing, "%zu to %zu limbs", bconv->from_count,
             bconv->to_count);
    snprintf(work->what, sizeof work->what, "base conversion of %llu coefficients, %s",
             (unsigned long long)bconv->n, work->doing);
    bconv->params = (struct fh_bconv_params){
        .map = work->map,
        .n = bconv->n,
        .alpha = bconv->from_count,
        .target = bconv->to_count,
        .from = bconv->from,
        .to = bconv->to,
    };
    return status;
}

static fhec_status check(void *command, struct fh_error *error) {
    return fh_bconv_check(&((struct bconv_options *)command)->params, error);
}

static fh_golden_bases bases(const struct bconv_options *bconv) {
    return (fh_golden_bases){bconv->from_count, bconv->from, bconv->to_count, bconv->to};
}

/* Golden takes moduli of up to 61 bits; then elements have 64. */
static fhec_status check_golden(void *command) {
    struct bconv_options *bconv = command;
    fh_golden_bases all = bases(bconv);
    for (size_t i = 0; i < bconv->from_count; i++)
        if (bconv->from[i] > UINT32_MAX)
            bconv->work.width = 8;
    for (size_t i = 0; i < bconv->to_count; i++)
        if (bconv->to[i] > UINT32_MAX)
            bconv->work.width = 8;
    return fh_cli_golden_error(bconv->work.cli, fh_golden_bconv_check_bases(&all), "moduli");
}

static fh_golden_status reference(const void *command, uint64_t *out) {
    const struct bconv_options *bconv = command;
    fh_golden_bases all = bases(bconv);
    return fh_golden_bconv_fast(&all, bconv->n, bconv->work.input, out);
}

static fhec_status operands(void *command) {
    struct bconv_options *bconv = command;
    return fh_cli_workload_operands(&bconv->work, bconv->from, bconv->n, bconv->from_count,
                                    bconv->to_count);
}

static fhec_status run(void *command, fhec_machine *machine, size_t bytes, struct fh_error *error) {
    const struct bconv_options *bconv = command;
    const struct fh_cli_workload *work = &bconv->work;
    size_t out_bytes = work->out_limbs * work->n * work->width;
    uint8_t *out = malloc(out_bytes);
    if (!out)
        return FHEC_HOST_ERROR;
    fhec_status status = fh_bconv_run(machine, &bconv->params, work->packed, bytes, out, error);
    if (status == FHEC_OK)
        memcpy(work->packed, out, out_bytes);
    free(out);
    return status;
}

fhec_status fh_cli_bconv(struct fh_cli *cli, int argc, char **argv) {
    static const struct fh_cli_workload_kind kind = {
        .argp = &argp,
        .prepare = prepare,
        .check = check,
        .check_golden = check_golden,
        .operands = operands,
        .reference = reference,
        .run = run,
    };
    struct bconv_options bconv = {.work.workload = FH_WORKLOAD_BCONV};
    fhec_status status = fh_cli_workload_main(cli, argc, argv, &bconv.work, &kind);
    free(bconv.from);
    free(bconv.to);
    free(bconv.limbs);
    return status;
}

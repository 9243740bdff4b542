/*
 * command_ntt.c - fhec ntt: negacyclic number-theoretic transforms, verified.
 */
#include <stdio.h>
#include <stdlib.h>

#include "message.h"
#include "options.h"
#include "workload.h"

static const char doc[] =
    "Negacyclic number-theoretic transform of one or more limbs on the emulator, verified against "
    "the C reference."
    "\vFor limb j, out(k) = sum over n of a_n psi^((2k+1)n) mod q_j. Coefficients are in natural "
    "order, evaluations bit-reversed unless --order=natural. Without --q, B primes are chosen: the "
    "largest = 1 mod 2N below 2^BITS; without --psi, the smallest primitive 2N-th roots. Limbs lie "
    "one after another and are independent: --q may name a prime more than once. The result goes "
    "to --out only if it is equal to the reference.";

enum {
    OPTION_N = 1,
    OPTION_Q,
    OPTION_PSI,
    OPTION_LIMBS,
    OPTION_BITS,
    OPTION_INVERSE,
    OPTION_ORDER
};
static const struct argp_option options[] = {
    {"n", OPTION_N, "N", 0, "Number of points, a power of two", 0},
    {"q", OPTION_Q, "Q[,Q...]", 0, "Prime of each limb, = 1 mod 2N", 0},
    {"psi", OPTION_PSI, "PSI[,PSI...]", 0, "Primitive 2N-th root of each limb", 0},
    {"limbs", OPTION_LIMBS, "B", 0, "Without --q: number of limbs (default 1)", 0},
    {"bits", OPTION_BITS, "BITS", 0,
     "Without --q: size of the primes (default 30, or 60 in 64-bit maps)", 0},
    {"inverse", OPTION_INVERSE, NULL, 0, "From evaluations to coefficients", 1},
    {"order", OPTION_ORDER, "bitrev|natural", 0, "Order of the evaluations (default bitrev)", 1},
    {0},
};

struct ntt_options {
    struct fh_cli_workload work;
    struct fh_ntt_params params;
    uint64_t n, limbs;
    uint64_t *q, *psi;
    size_t q_count, psi_count;
    bool has_limbs, inverse;
    fh_golden_order order;
};

static void check_complete(struct ntt_options *ntt, const struct argp_state *state) {
    if (!ntt->n)
        argp_error(state, "--n is needed: the number of points");
    if (ntt->q && (ntt->has_limbs || ntt->work.bits))
        argp_error(state, "--q names the primes; --limbs and --bits choose them: give one of both");
    if (ntt->psi && !ntt->q)
        argp_error(state, "--psi needs --q");
    if (ntt->psi && ntt->psi_count != ntt->q_count)
        argp_error(state, "%zu primes but %zu roots", ntt->q_count, ntt->psi_count);
}

static error_t parse_option(int key, char *arg, struct argp_state *state) {
    struct ntt_options *ntt = state->input;
    static const char *const orders[] = {"bitrev", "natural", NULL};
    switch (key) {
    case ARGP_KEY_INIT: state->child_inputs[0] = &ntt->work; return 0;
    case OPTION_N: ntt->n = fh_cli_number_option(state, "--n", arg, 1, 1U << 24); return 0;
    case OPTION_Q:
        free(ntt->q);
        ntt->q = fh_cli_list_option(state, "--q", arg, 0, UINT64_MAX, &ntt->q_count);
        return 0;
    case OPTION_PSI:
        free(ntt->psi);
        ntt->psi = fh_cli_list_option(state, "--psi", arg, 0, UINT64_MAX, &ntt->psi_count);
        return 0;
    case OPTION_LIMBS:
        ntt->limbs = fh_cli_number_option(state, "--limbs", arg, 1, 4096);
        ntt->has_limbs = true;
        return 0;
    case OPTION_BITS:
        ntt->work.bits = fh_cli_number_option(state, "--bits", arg, 2, FH_GOLDEN_MAX_MODULUS_BITS);
        return 0;
    case OPTION_INVERSE: ntt->inverse = true; return 0;
    case OPTION_ORDER:
        ntt->order = fh_cli_choice_option(state, "--order", arg, orders) ? FH_GOLDEN_NATURAL
                                                                         : FH_GOLDEN_BITREV;
        return 0;
    case ARGP_KEY_ARG: argp_error(state, "unexpected argument: %s", arg); return 0;
    case ARGP_KEY_END: check_complete(ntt, state); return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp_child children[] = {{&fh_cli_workload_argp, 0, NULL, 0}, {0}};
static const struct argp argp = {options, parse_option, NULL, doc, children, NULL, NULL};

/* The primes, chosen if none were given. */
static fhec_status find_moduli(struct ntt_options *ntt) {
    if (ntt->q) {
        ntt->limbs = ntt->q_count;
        return FHEC_OK;
    }
    if (ntt->n < 2 || (ntt->n & (ntt->n - 1)) != 0)
        return fh_cli_error(ntt->work.cli, FHEC_BAD_INPUT,
                            "N must be a power of two from 2 to 2^24, not %llu",
                            (unsigned long long)ntt->n);
    return fh_cli_workload_primes(&ntt->work, ntt->n, ntt->limbs, &ntt->q);
}

static fhec_status prepare(void *command) {
    struct ntt_options *ntt = command;
    struct fh_cli_workload *work = &ntt->work;
    fhec_status status = find_moduli(ntt);
    work->options = &ntt->params.options;
    snprintf(work->doing, sizeof work->doing, "%llu points, %llu limb%s",
             (unsigned long long)ntt->n, (unsigned long long)ntt->limbs,
             ntt->limbs == 1 ? "" : "s");
    snprintf(work->what, sizeof work->what, "%s of %s", ntt->inverse ? "inverse NTT" : "NTT",
             work->doing);
    ntt->params = (struct fh_ntt_params){
        .map = work->map,
        .n = ntt->n,
        .limbs = ntt->limbs,
        .q = ntt->q,
        .psi = ntt->psi,
        .inverse = ntt->inverse,
        .order = ntt->order,
    };
    return status;
}

static fhec_status check(void *command, struct fh_error *error) {
    return fh_ntt_check(&((struct ntt_options *)command)->params, error);
}

/* What golden asks of the parameters, limb by limb, so that the message names the limb. */
static fhec_status check_golden(void *command) {
    struct ntt_options *ntt = command;
    for (size_t j = 0; j < ntt->limbs; j++) {
        char what[128];
        int used = snprintf(what, sizeof what, "N = %llu, q = %llu", (unsigned long long)ntt->n,
                            (unsigned long long)ntt->q[j]);
        if (ntt->psi)
            snprintf(what + used, sizeof what - (size_t)used, ", psi = %llu",
                     (unsigned long long)ntt->psi[j]);
        fh_golden_status status = ntt->psi ? fh_golden_check_root(ntt->n, ntt->q[j], ntt->psi[j])
                                           : fh_golden_check_modulus(ntt->n, ntt->q[j]);
        if (status != FH_GOLDEN_OK)
            return fh_cli_golden_error(ntt->work.cli, status, what);
        if (ntt->q[j] > UINT32_MAX)
            ntt->work.width = 8;
    }
    return FHEC_OK;
}

static fh_golden_status reference(const void *command, uint64_t *out) {
    const struct ntt_options *ntt = command;
    return fh_golden_ntt_limbs(ntt->inverse, ntt->order, ntt->n, ntt->limbs, ntt->q, ntt->psi,
                               ntt->work.input, out);
}

static fhec_status operands(void *command) {
    struct ntt_options *ntt = command;
    return fh_cli_workload_operands(&ntt->work, ntt->q, ntt->n, ntt->limbs, ntt->limbs);
}

static fhec_status run(void *command, fhec_machine *machine, size_t bytes, struct fh_error *error) {
    const struct ntt_options *ntt = command;
    uint8_t *data = ntt->work.packed;
    return fh_ntt_run(machine, &ntt->params, data, bytes, data, error);
}

fhec_status fh_cli_ntt(struct fh_cli *cli, int argc, char **argv) {
    static const struct fh_cli_workload_kind kind = {
        .argp = &argp,
        .prepare = prepare,
        .check = check,
        .check_golden = check_golden,
        .operands = operands,
        .reference = reference,
        .run = run,
    };
    struct ntt_options ntt = {.work.workload = FH_WORKLOAD_NTT, .limbs = 1};
    fhec_status status = fh_cli_workload_main(cli, argc, argv, &ntt.work, &kind);
    free(ntt.q);
    free(ntt.psi);
    return status;
}

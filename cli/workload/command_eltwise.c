/*
 * command_eltwise.c - fhec eltwise: sums, products and automorphisms of residues, verified.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "message.h"
#include "nearest.h"
#include "options.h"
#include "workload.h"

static const char doc[] =
    "Element-wise arithmetic on one or more limbs of residues on the emulator, verified against "
    "the C reference."
    "\vOPERATION is add (a + b), sub (a - b), mul (a b), mac (a b + c), add-scalar (a + s), "
    "mul-scalar (a s), automorphism (X -> X^G on evaluations in bit-reversed order) or "
    "inverse-automorphism, which undoes it. The input is the operands one after another, each limb "
    "after limb, and every value is below its modulus, with every map. With --map golden elements "
    "have 64 bits where a modulus has more than 32, and moduli up to 61. Without --q, B primes are "
    "chosen: the largest = 1 mod 2N (mod 2^17 if N is no power of two) below 2^BITS. The result "
    "goes to --out only if it is equal to the reference.";

enum {
    OPTION_N = 1,
    OPTION_Q,
    OPTION_LIMBS,
    OPTION_BITS,
    OPTION_SCALAR,
    OPTION_GALOIS,
};
static const struct argp_option options[] = {
    {"n", OPTION_N, "N", 0, "Elements of a limb: a multiple of 4", 0},
    {"q", OPTION_Q, "Q[,Q...]", 0, "Modulus of each limb", 0},
    {"limbs", OPTION_LIMBS, "B", 0, "Without --q: number of limbs (default 1)", 0},
    {"bits", OPTION_BITS, "BITS", 0,
     "Without --q: size of the primes (default 30, or 60 in 64-bit maps)", 0},
    {"scalar", OPTION_SCALAR, "S[,S...]", 0, "The scalar of each limb, or of all of them", 1},
    {"galois", OPTION_GALOIS, "G", 0, "Automorphisms: an odd number", 1},
    {0},
};

/* What an operation takes; in the order of enum fh_eltwise_op. */
static const struct operation {
    const char *name;
    size_t operands;
    bool scalar, galois;
} operations[] = {
    [FH_ELTWISE_ADD] = {"add", 2, false, false},
    [FH_ELTWISE_SUB] = {"sub", 2, false, false},
    [FH_ELTWISE_MUL] = {"mul", 2, false, false},
    [FH_ELTWISE_MAC] = {"mac", 3, false, false},
    [FH_ELTWISE_ADD_SCALAR] = {"add-scalar", 1, true, false},
    [FH_ELTWISE_MUL_SCALAR] = {"mul-scalar", 1, true, false},
    [FH_ELTWISE_AUTOMORPHISM] = {"automorphism", 1, false, true},
    [FH_ELTWISE_INVERSE_AUTOMORPHISM] = {"inverse-automorphism", 1, false, true},
};
enum { OPERATIONS = sizeof operations / sizeof *operations };

struct eltwise_options {
    struct fh_cli_workload work;
    struct fh_eltwise_params params;
    const struct operation *operation; /* NULL: not given */
    uint64_t n, limbs, galois;
    uint64_t *q, *scalars;
    size_t q_count, scalar_count;
    bool has_limbs, has_galois;
};

static void find_operation(struct eltwise_options *eltwise, const struct argp_state *state,
                           const char *name) {
    const char *names[OPERATIONS];
    if (eltwise->operation)
        argp_error(state, "unexpected argument: %s", name);
    for (size_t i = 0; i < OPERATIONS; i++) {
        names[i] = operations[i].name;
        if (!strcmp(name, names[i])) {
            eltwise->operation = &operations[i];
            return;
        }
    }
    const char *near = fh_nearest_of(name, names, OPERATIONS);
    argp_error(state, "no operation is called \"%s\"%s", name, fh_cli_hint(near).text);
}

static void check_complete(const struct eltwise_options *eltwise, const struct argp_state *state) {
    const struct operation *operation = eltwise->operation;
    if (!operation)
        argp_error(state, "which operation? add, sub, mul, mac, add-scalar, mul-scalar, "
                          "automorphism or inverse-automorphism");
    else if (!eltwise->n)
        argp_error(state, "--n is needed: the number of elements of a limb");
    else if (eltwise->q && (eltwise->has_limbs || eltwise->work.bits))
        argp_error(state, "--q names the moduli; --limbs and --bits choose them: give one of both");
    else if (operation->scalar != (eltwise->scalars != NULL))
        argp_error(state, operation->scalar ? "%s needs --scalar" : "%s takes no --scalar",
                   operation->name);
    else if (operation->galois != eltwise->has_galois)
        argp_error(state, operation->galois ? "%s needs --galois" : "%s takes no --galois",
                   operation->name);
}

static error_t parse_option(int key, char *arg, struct argp_state *state) {
    struct eltwise_options *eltwise = state->input;
    switch (key) {
    case ARGP_KEY_INIT: state->child_inputs[0] = &eltwise->work; return 0;
    case OPTION_N: eltwise->n = fh_cli_number_option(state, "--n", arg, 1, 1U << 24); return 0;
    case OPTION_Q:
        free(eltwise->q);
        eltwise->q = fh_cli_list_option(state, "--q", arg, 0, UINT64_MAX, &eltwise->q_count);
        return 0;
    case OPTION_LIMBS:
        eltwise->limbs = fh_cli_number_option(state, "--limbs", arg, 1, 4096);
        eltwise->has_limbs = true;
        return 0;
    case OPTION_BITS:
        eltwise->work.bits =
            fh_cli_number_option(state, "--bits", arg, 2, FH_GOLDEN_MAX_MODULUS_BITS);
        return 0;
    case OPTION_SCALAR:
        free(eltwise->scalars);
        eltwise->scalars =
            fh_cli_list_option(state, "--scalar", arg, 0, UINT64_MAX, &eltwise->scalar_count);
        return 0;
    case OPTION_GALOIS:
        eltwise->galois = fh_cli_number_option(state, "--galois", arg, 0, UINT64_MAX);
        eltwise->has_galois = true;
        return 0;
    case ARGP_KEY_ARG: find_operation(eltwise, state, arg); return 0;
    case ARGP_KEY_END: check_complete(eltwise, state); return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp_child children[] = {{&fh_cli_workload_argp, 0, NULL, 0}, {0}};
static const struct argp argp = {options, parse_option, "OPERATION", doc, children, NULL, NULL};

/* The moduli, chosen if none were given. */
static fhec_status find_moduli(struct eltwise_options *eltwise) {
    enum { OTHER_N = 1 << 16 };
    if (eltwise->q) {
        eltwise->limbs = eltwise->q_count;
        return FHEC_OK;
    }
    uint64_t n = eltwise->n > 1 && !(eltwise->n & (eltwise->n - 1)) ? eltwise->n : OTHER_N;
    return fh_cli_workload_primes(&eltwise->work, n, eltwise->limbs, &eltwise->q);
}

/* One scalar for each limb. */
static fhec_status spread_scalars(struct eltwise_options *eltwise) {
    const struct fh_cli *cli = eltwise->work.cli;
    if (!eltwise->scalars || eltwise->scalar_count == eltwise->limbs)
        return FHEC_OK;
    if (eltwise->scalar_count != 1)
        return fh_cli_error(cli, FHEC_BAD_INPUT, "%llu limbs but %zu scalars",
                            (unsigned long long)eltwise->limbs, eltwise->scalar_count);
    uint64_t *all = calloc(eltwise->limbs, sizeof *all);
    if (!all)
        return fh_cli_no_memory(cli);
    for (size_t i = 0; i < eltwise->limbs; i++)
        all[i] = eltwise->scalars[0];
    free(eltwise->scalars);
    eltwise->scalars = all;
    return FHEC_OK;
}

/* The number whose automorphism undoes that of g, modulo a power of two. */
static uint64_t inverse_of(uint64_t g) {
    uint64_t inverse = 1;
    for (int bits = 1; bits < 64; bits *= 2) /* right in so many bits */
        inverse *= 2 - g * inverse;
    return inverse;
}

/* One limb; `a`, `b`, `c` are its operands, as many as there are. */
static fh_golden_status reference_limb(const struct eltwise_options *eltwise, size_t limb,
                                       const uint64_t *a, const uint64_t *b, const uint64_t *c,
                                       uint64_t *out) {
    size_t n = eltwise->n;
    uint64_t q = eltwise->q[limb], s = eltwise->scalars ? eltwise->scalars[limb] : 0;
    switch (eltwise->operation - operations) {
    case FH_ELTWISE_ADD: return fh_golden_add(n, q, a, b, out);
    case FH_ELTWISE_SUB: return fh_golden_sub(n, q, a, b, out);
    case FH_ELTWISE_MUL: return fh_golden_mul(n, q, a, b, out);
    case FH_ELTWISE_MAC: return fh_golden_mac(n, q, a, b, c, out);
    case FH_ELTWISE_ADD_SCALAR: return fh_golden_add_scalar(n, q, a, s, out);
    case FH_ELTWISE_MUL_SCALAR: return fh_golden_mul_scalar(n, q, a, s, out);
    case FH_ELTWISE_AUTOMORPHISM:
        return fh_golden_automorphism_eval(n, eltwise->galois, FH_GOLDEN_BITREV, a, out);
    default:
        return fh_golden_automorphism_eval(n, inverse_of(eltwise->galois), FH_GOLDEN_BITREV, a,
                                           out);
    }
}

static fh_golden_status reference(const void *command, uint64_t *out) {
    const struct eltwise_options *eltwise = command;
    size_t n = eltwise->n, operand = eltwise->limbs * n, last = eltwise->operation->operands - 1;
    for (size_t i = 0; i < eltwise->limbs; i++) {
        const uint64_t *a = eltwise->work.input + i * n, *b = last ? a + operand : NULL,
                       *c = last > 1 ? b + operand : NULL;
        fh_golden_status status = reference_limb(eltwise, i, a, b, c, out + i * n);
        if (status != FH_GOLDEN_OK)
            return status;
    }
    return FH_GOLDEN_OK;
}

static fhec_status prepare(void *command) {
    struct eltwise_options *eltwise = command;
    struct fh_cli_workload *work = &eltwise->work;
    fhec_status status = find_moduli(eltwise);
    if (status == FHEC_OK)
        status = spread_scalars(eltwise);
    work->options = &eltwise->params.options;
    snprintf(work->doing, sizeof work->doing, "%llu elements, %llu limb%s",
             (unsigned long long)eltwise->n, (unsigned long long)eltwise->limbs,
             eltwise->limbs == 1 ? "" : "s");
    snprintf(work->what, sizeof work->what, "%s of %s", eltwise->operation->name, work->doing);
    eltwise->params = (struct fh_eltwise_params){
        .map = work->map,
        .op = (enum fh_eltwise_op)(eltwise->operation - operations),
        .n = eltwise->n,
        .limbs = eltwise->limbs,
        .q = eltwise->q,
        .scalars = eltwise->scalars,
        .galois = eltwise->galois,
    };
    return status;
}

static fhec_status check(void *command, struct fh_error *error) {
    return fh_eltwise_check(&((struct eltwise_options *)command)->params, error);
}

/* The reference asks less of the parameters than kernels do: moduli may have up to 61 bits, of
 * which elements have 64 where one has more than 32, and an automorphism any power of two for N. */
static fhec_status check_golden(void *command) {
    struct eltwise_options *eltwise = command;
    for (size_t i = 0; i < eltwise->limbs; i++) {
        uint64_t q = eltwise->q[i], scalar = eltwise->scalars ? eltwise->scalars[i] : 0;
        if (q < 2 || q >> FH_GOLDEN_MAX_MODULUS_BITS)
            return fh_cli_error(eltwise->work.cli, FHEC_BAD_INPUT,
                                "q of limb %zu is %llu; it must be at least 2 and below 2^%u", i,
                                (unsigned long long)q, FH_GOLDEN_MAX_MODULUS_BITS);
        if (scalar && scalar >= q)
            return fh_cli_error(eltwise->work.cli, FHEC_BAD_INPUT,
                                "the scalar of limb %zu is %llu; it must be below q = %llu", i,
                                (unsigned long long)scalar, (unsigned long long)q);
        if (q > UINT32_MAX)
            eltwise->work.width = 8;
    }
    return FHEC_OK;
}

/* What kernels refuse, the reference does, too, which would reduce it or pass it through. */
static fhec_status check_elements(const struct eltwise_options *eltwise, const uint64_t *q,
                                  size_t all) {
    const struct fh_cli_workload *work = &eltwise->work;
    const size_t n = (size_t)eltwise->n, limbs = (size_t)eltwise->limbs;
    for (size_t i = 0; i < all * n && fh_cli_workload_is_golden(work); i++)
        if (work->input[i] >= q[i / n])
            return fh_cli_error(work->cli, FHEC_BAD_INPUT,
                                "element %zu of limb %zu of %c is %llu; it must be below q = %llu",
                                i % n, i / n % limbs, (char)('a' + i / n / limbs),
                                (unsigned long long)work->input[i], (unsigned long long)q[i / n]);
    return FHEC_OK;
}

/* Every operand has the moduli of the limbs. */
static fhec_status operands(void *command) {
    struct eltwise_options *eltwise = command;
    size_t limbs = eltwise->limbs, all = limbs * eltwise->operation->operands;
    uint64_t *q = calloc(all, sizeof *q);
    if (!q)
        return fh_cli_no_memory(eltwise->work.cli);
    for (size_t i = 0; i < all; i++)
        q[i] = eltwise->q[i % limbs];
    fhec_status status = fh_cli_workload_operands(&eltwise->work, q, eltwise->n, all, limbs);
    if (status == FHEC_OK)
        status = check_elements(eltwise, q, all);
    free(q);
    return status;
}

static fhec_status run(void *command, fhec_machine *machine, size_t bytes, struct fh_error *error) {
    struct eltwise_options *eltwise = command;
    size_t operands = eltwise->operation->operands, one = bytes / operands;
    uint8_t *data = eltwise->work.packed;
    eltwise->params.addend = operands > 2 ? data + 2 * one : NULL;
    return fh_eltwise_run(machine, &eltwise->params, data, operands > 1 ? data + one : NULL, one,
                          data, error);
}

fhec_status fh_cli_eltwise(struct fh_cli *cli, int argc, char **argv) {
    static const struct fh_cli_workload_kind kind = {
        .argp = &argp,
        .prepare = prepare,
        .check = check,
        .check_golden = check_golden,
        .operands = operands,
        .reference = reference,
        .run = run,
    };
    struct eltwise_options eltwise = {.work.workload = FH_WORKLOAD_ELTWISE, .limbs = 1};
    fhec_status status = fh_cli_workload_main(cli, argc, argv, &eltwise.work, &kind);
    free(eltwise.q);
    free(eltwise.scalars);
    return status;
}

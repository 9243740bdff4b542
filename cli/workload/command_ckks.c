/*
 * command_ckks.c - fhec ckks: the primitives of the CKKS scheme, verified.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ckks_device.h"
#include "ckks_options.h"
#include "command_circuits.h"
#include "message.h"
#include "nearest.h"
#include "options.h"
#include "seconds.h"
#include "workload.h"

static const char doc[] =
    "One primitive of the CKKS scheme on residues, on the emulator, verified limb by limb against "
    "the C reference. PRIMITIVE is one of:\n"
    "  rescale     (c0, c1) / q_last, rounded; one limb fewer\n"
    "  keyswitch   a polynomial to another key: hybrid, dnum digits\n"
    "  rotate      by R slots: automorphism, then keyswitch\n"
    "  hemult      ciphertext times ciphertext, with relinearisation\n"
    "  ptmult      ciphertext times plaintext\n"
    "  ptadd       ciphertext plus plaintext\n"
    "  headd       ciphertext plus ciphertext\n"
    "Whole circuits, each with a --help of its own:\n"
    "  bootstrap   a bootstrap\n"
    "  lr          training a logistic regression\n"
    "  resnet      a convolution block"
    "\vThe chain has L primes q and A extension primes p, the largest = 1 mod 2N below 2^BITS in "
    "descending order. The first operand is made from seed S, the second one from S + 1, the "
    "switching key from S + 2. Statistics count the primitive alone. The result (evaluations in "
    "bit-reversed order, polynomial after polynomial, limb after limb) goes to --out only if it is "
    "equal to the reference.";

enum {
    OPTION_BITS = 1,
    OPTION_LEVEL,
    OPTION_STEPS,
    OPTION_RESCALE,
};
static const struct argp_option options[] = {
    {"bits", OPTION_BITS, "BITS", 0, "Size of the primes (default 30, or 60 in 64-bit maps)", 0},
    {"level", OPTION_LEVEL, "LEVEL", 0, "Limbs that the operands still have (default L)", 0},
    {"steps", OPTION_STEPS, "R", 0, "rotate: by how many slots (default 1)", 1},
    {"rescale", OPTION_RESCALE, NULL, 0, "hemult: with Rescale after it", 1},
    {0},
};

enum primitive { RESCALE, KEYSWITCH, ROTATE, HEMULT, PTMULT, PTADD, HEADD };
static const struct {
    const char *name;
    unsigned polynomials; /* of the operands */
    bool key;
} primitives[] = {
    [RESCALE] = {"rescale", 2, false}, [KEYSWITCH] = {"keyswitch", 1, true},
    [ROTATE] = {"rotate", 2, true},    [HEMULT] = {"hemult", 4, true},
    [PTMULT] = {"ptmult", 3, false},   [PTADD] = {"ptadd", 3, false},
    [HEADD] = {"headd", 4, false},
};
enum { PRIMITIVES = sizeof primitives / sizeof primitives[0] };

struct ckks_options {
    struct fh_cli_workload work;
    struct fh_ckks_params params;
    fh_golden_ckks_params chain;
    uint64_t level, steps;
    bool rescale, has_primitive, has_steps;
    enum primitive primitive;
    uint64_t moduli[FH_GOLDEN_CKKS_MAX_CHAIN];
    uint64_t *key;
};

/* Commands of their own. */
static fh_cli_command *find_circuit(const char *name) {
    static const struct {
        const char *name;
        fh_cli_command *run;
    } circuits[] = {
        {"bootstrap", fh_cli_ckks_bootstrap},
        {"lr", fh_cli_ckks_lr},
        {"resnet", fh_cli_ckks_resnet},
    };
    for (size_t i = 0; i < sizeof circuits / sizeof circuits[0]; i++)
        if (!strcmp(name, circuits[i].name))
            return circuits[i].run;
    return NULL;
}

static void find_primitive(struct ckks_options *ckks, const struct argp_state *state,
                           const char *name) {
    const char *names[PRIMITIVES];
    if (ckks->has_primitive)
        argp_error(state, "unexpected argument: %s", name);
    if (find_circuit(name))
        argp_error(state, "options go after it: fhec ckks %s ...", name);
    for (size_t i = 0; i < PRIMITIVES; i++) {
        names[i] = primitives[i].name;
        if (!strcmp(name, names[i])) {
            ckks->primitive = (enum primitive)i;
            ckks->has_primitive = true;
            return;
        }
    }
    const char *near = fh_nearest_of(name, names, PRIMITIVES);
    argp_error(state, "no primitive is called \"%s\"%s", name, fh_cli_hint(near).text);
}

static void check_complete(const struct ckks_options *ckks, const struct argp_state *state) {
    if (!ckks->has_primitive)
        argp_error(state, "which primitive? rescale, keyswitch, rotate, hemult, ptmult, ptadd or "
                          "headd");
    if (ckks->rescale && ckks->primitive != HEMULT)
        argp_error(state, "--rescale goes with hemult");
    if (ckks->has_steps && ckks->primitive != ROTATE)
        argp_error(state, "--steps goes with rotate");
}

static error_t parse_option(int key, char *arg, struct argp_state *state) {
    struct ckks_options *ckks = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &ckks->chain;
        state->child_inputs[1] = &ckks->work;
        return 0;
    case OPTION_BITS:
        ckks->work.bits = fh_cli_number_option(state, "--bits", arg, 2, FH_GOLDEN_MAX_MODULUS_BITS);
        return 0;
    case OPTION_LEVEL:
        ckks->level = fh_cli_number_option(state, "--level", arg, 1, FH_GOLDEN_MAX_LIMBS);
        return 0;
    case OPTION_STEPS:
        ckks->steps = fh_cli_number_option(state, "--steps", arg, 0, UINT64_MAX);
        ckks->has_steps = true;
        return 0;
    case OPTION_RESCALE: ckks->rescale = true; return 0;
    case ARGP_KEY_ARG: find_primitive(ckks, state, arg); return 0;
    case ARGP_KEY_END: check_complete(ckks, state); return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp_child children[] = {
    {&fh_cli_chain_argp, 0, NULL, 0}, {&fh_cli_workload_argp, 0, NULL, 0}, {0}};
static const struct argp argp = {options, parse_option, "PRIMITIVE", doc, children, NULL, NULL};

/* ---------------------------------------------------------------- operands */

static bool drops_limb(const struct ckks_options *ckks) {
    return ckks->primitive == RESCALE || ckks->rescale;
}

/* Limbs and elements of the first `count` polynomials of the input. */
static uint64_t *input_at(const struct ckks_options *ckks, size_t count) {
    return ckks->work.input + count * ckks->level * ckks->work.n;
}

/* Operands from the file or from the seed, and the key. `golden` has the chain. */
static fhec_status make_operands(struct ckks_options *ckks, const fh_golden_ckks *golden) {
    struct fh_cli_workload *work = &ckks->work;
    size_t polynomials = primitives[ckks->primitive].polynomials, level = ckks->level;
    size_t first = polynomials < 2 ? 1 : 2;
    fhec_status status = fh_cli_workload_operands(work, NULL, golden->n, polynomials * level,
                                                  2 * (level - drops_limb(ckks)));
    fh_golden_status made = FH_GOLDEN_OK;
    if (status == FHEC_OK && !work->in) {
        made = fh_golden_ckks_generate(golden, work->pattern, work->seed, level, false, first,
                                       work->input);
        if (made == FH_GOLDEN_OK && polynomials > first)
            made = fh_golden_ckks_generate(golden, work->pattern, work->seed + 1, level, false,
                                           polynomials - first, input_at(ckks, first));
    }
    if (status != FHEC_OK || !primitives[ckks->primitive].key)
        return status == FHEC_OK ? fh_cli_golden_error(work->cli, made, "operands") : status;
    ckks->key = calloc(fh_golden_ckks_key_elements(golden), sizeof *ckks->key);
    if (!ckks->key)
        return fh_cli_no_memory(work->cli);
    if (made == FH_GOLDEN_OK)
        made = fh_golden_ckks_generate(golden, FH_GOLDEN_RANDOM, work->seed + 2, golden->limbs,
                                       true, 2 * golden->dnum, ckks->key);
    return fh_cli_golden_error(work->cli, made, "operands");
}

/* ---------------------------------------------------------------- the reference */

static fh_golden_status reference(const void *command, uint64_t *out) {
    const struct ckks_options *ckks = command;
    const struct fh_cli_workload *work = &ckks->work;
    const uint64_t *a = work->input, *b = input_at(ckks, 2), *key = ckks->key;
    size_t level = ckks->level;
    fh_golden_ckks *golden = NULL;
    fh_golden_status status = fh_golden_ckks_create(&golden, &ckks->chain);
    if (status == FH_GOLDEN_OK)
        switch (ckks->primitive) {
        case RESCALE: status = fh_golden_ckks_rescale(golden, level, a, out); break;
        case KEYSWITCH: status = fh_golden_ckks_key_switch(golden, level, a, key, out); break;
        case ROTATE: status = fh_golden_ckks_rotate(golden, level, ckks->steps, a, key, out); break;
        case HEMULT:
            status = (ckks->rescale ? fh_golden_ckks_hemult_rescale
                                    : fh_golden_ckks_hemult)(golden, level, a, b, key, out);
            break;
        case PTMULT: status = fh_golden_ckks_ptmult(golden, level, a, b, out); break;
        case PTADD: status = fh_golden_ckks_ptadd(golden, level, a, b, out); break;
        case HEADD: status = fh_golden_ckks_headd(golden, level, a, b, out); break;
        }
    fh_golden_ckks_free(golden);
    return status;
}

/* ---------------------------------------------------------------- the emulator */

struct operand_addresses {
    uint64_t a, b, key, out;
};

static fhec_status write_operands(const struct ckks_options *ckks, struct fh_ckks *device,
                                  struct operand_addresses *at) {
    size_t polynomials = primitives[ckks->primitive].polynomials, level = ckks->level;
    size_t first = polynomials < 2 ? 1 : 2;
    fhec_status status = fh_ckks_alloc(device, level, first, &at->a);
    if (status == FHEC_OK)
        status = fh_ckks_write(device, level, first, ckks->work.input, at->a);
    if (status == FHEC_OK && polynomials > first) {
        status = fh_ckks_alloc(device, level, polynomials - first, &at->b);
        if (status == FHEC_OK)
            status =
                fh_ckks_write(device, level, polynomials - first, input_at(ckks, first), at->b);
    }
    if (status == FHEC_OK && ckks->key)
        status = fh_ckks_write_key(device, ckks->key, &at->key);
    if (status == FHEC_OK)
        status = fh_ckks_alloc(device, level, 2, &at->out);
    return status;
}

static fhec_status run_primitive(const struct ckks_options *ckks, struct fh_ckks *device,
                                 const struct operand_addresses *at) {
    size_t level = ckks->level;
    switch (ckks->primitive) {
    case RESCALE: return fh_ckks_rescale(device, level, at->a, at->out);
    case KEYSWITCH: return fh_ckks_key_switch(device, level, at->a, at->key, at->out);
    case ROTATE: return fh_ckks_rotate(device, level, ckks->steps, at->a, at->key, at->out);
    case HEMULT:
        return (ckks->rescale ? fh_ckks_hemult_rescale : fh_ckks_hemult)(device, level, at->a,
                                                                         at->b, at->key, at->out);
    case PTMULT: return fh_ckks_ptmult(device, level, at->a, at->b, at->out);
    case PTADD: return fh_ckks_ptadd(device, level, at->a, at->b);
    default: return fh_ckks_headd(device, level, at->a, at->b, at->out);
    }
}

static fhec_status emulate(void *command, fhec_machine *machine, double *seconds,
                           struct fh_error *error) {
    const struct ckks_options *ckks = command;
    struct fh_ckks *device = NULL;
    struct operand_addresses at = {0};
    fhec_status status = fh_ckks_make(machine, &ckks->params, &device, error);
    if (status == FHEC_OK)
        status = write_operands(ckks, device, &at);
    double started = fh_cli_now();
    if (status == FHEC_OK)
        status = run_primitive(ckks, device, &at);
    *seconds = fh_cli_now() - started;
    if (status == FHEC_OK)
        status = fh_ckks_read(device, ckks->level - drops_limb(ckks), 2,
                              ckks->primitive == PTADD ? at.a : at.out, ckks->work.result);
    if (device && status != FHEC_OK)
        *error = *fh_ckks_error(device);
    fh_ckks_free(device);
    return status;
}

/* ---------------------------------------------------------------- all of it */

static fhec_status prepare(void *command) {
    struct ckks_options *ckks = command;
    ckks->chain.bits = (unsigned)ckks->work.bits;
    ckks->params = (struct fh_ckks_params){.map = ckks->work.map, .chain = ckks->chain};
    ckks->work.options = &ckks->params.options;
    return FHEC_OK;
}

static fhec_status check(void *command, struct fh_error *error) {
    struct ckks_options *ckks = command;
    fhec_status status = fh_ckks_check(&ckks->params, ckks->moduli, error);
    if (status == FHEC_OK)
        ckks->params.chain.moduli = ckks->moduli;
    return status;
}

static fhec_status check_golden(void *command) {
    struct ckks_options *ckks = command;
    fhec_status status = fh_cli_golden_error(
        ckks->work.cli, fh_golden_ckks_chain(&ckks->chain, ckks->moduli), "chain");
    if (ckks->moduli[0] > UINT32_MAX)
        ckks->work.width = 8;
    return status;
}

/* The level, once the chain is known to be good. */
static fhec_status check_level(struct ckks_options *ckks) {
    if (!ckks->level)
        ckks->level = ckks->chain.limbs;
    if (ckks->level > ckks->chain.limbs)
        return fh_cli_error(ckks->work.cli, FHEC_BAD_INPUT,
                            "the level is %llu; the chain has %zu limbs",
                            (unsigned long long)ckks->level, ckks->chain.limbs);
    if (drops_limb(ckks) && ckks->level == 1)
        return fh_cli_error(ckks->work.cli, FHEC_BAD_INPUT,
                            "the level is 1: there is no limb that Rescale could drop");
    return FHEC_OK;
}

static fhec_status operands(void *command) {
    struct ckks_options *ckks = command;
    struct fh_cli_workload *work = &ckks->work;
    const char *name = primitives[ckks->primitive].name;
    fhec_status status = check_level(ckks);
    if (status != FHEC_OK)
        return status;
    snprintf(work->doing, sizeof work->doing, "%s of %llu limbs", name,
             (unsigned long long)ckks->level);
    snprintf(work->what, sizeof work->what, "%s%s, N = 2^%u, %llu limbs, alpha %zu, dnum %zu", name,
             ckks->rescale ? " and rescale" : "", ckks->chain.log2_n,
             (unsigned long long)ckks->level, ckks->chain.alpha, ckks->chain.dnum);
    /* What generates the operands needs the shape and the moduli, no transforms. */
    fh_golden_ckks golden = {
        .n = (size_t)1 << ckks->chain.log2_n,
        .limbs = ckks->chain.limbs,
        .alpha = ckks->chain.alpha,
        .dnum = ckks->chain.dnum,
        .digit = ckks->chain.limbs / ckks->chain.dnum,
    };
    memcpy(golden.moduli, ckks->moduli, sizeof golden.moduli);
    return make_operands(ckks, &golden);
}

fhec_status fh_cli_ckks(struct fh_cli *cli, int argc, char **argv) {
    fh_cli_command *circuit = argc > 1 ? find_circuit(argv[1]) : NULL;
    if (circuit)
        return circuit(cli, argc - 1, argv + 1);
    static const struct fh_cli_workload_kind kind = {
        .argp = &argp,
        .prepare = prepare,
        .check = check,
        .check_golden = check_golden,
        .operands = operands,
        .reference = reference,
        .emulate = emulate,
    };
    struct ckks_options ckks = {
        .work.workload = FH_WORKLOAD_CKKS,
        .chain = {.log2_n = 16, .limbs = 27, .alpha = 9, .dnum = 3},
        .steps = 1,
    };
    fhec_status status = fh_cli_workload_main(cli, argc, argv, &ckks.work, &kind);
    free(ckks.key);
    return status;
}

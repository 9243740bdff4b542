/*
 * command_ckks.c - fhec ckks: the primitives of the CKKS scheme, verified.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ckks_device.h"
#include "ckks_options.h"
#include "command_circuits.h"
#include "graph_file.h"
#include "message.h"
#include "nearest.h"
#include "options.h"
#include "primitive_circuit.h"
#include "room.h"
#include "seconds.h"
#include "security.h"
#include "workload.h"

static const char doc[] =
    "One primitive of the CKKS scheme on residues, on the emulator, verified limb by limb against "
    "the C reference. PRIMITIVE is one of:\n"
    "  rescale     (c0, c1) / q_last, rounded; one limb fewer, or --drop of them\n"
    "  keyswitch   a polynomial to another key: hybrid, dnum digits\n"
    "  rotate      by R slots: automorphism, then keyswitch\n"
    "  hemult      ciphertext times ciphertext, with relinearisation\n"
    "  ptmult      ciphertext times plaintext\n"
    "  ptadd       ciphertext plus plaintext\n"
    "  headd       ciphertext plus ciphertext\n"
    "  hesub       ciphertext minus ciphertext\n"
    "  conjugate   of all slots: another automorphism, then keyswitch\n"
    "  scalarmult  ciphertext times an integer\n"
    "  scalaradd   ciphertext plus an integer in every slot\n"
    "  monomial    ciphertext times a power of X; X^(N/2) is i in every slot\n"
    "  modraise    from the lowest level to all limbs, the first step of a bootstrap\n"
    "  hoist       several rotations of one ciphertext that share the digits' ModUp\n"
    "  linear      a matrix by its diagonals: one map of CoeffsToSlots or SlotsToCoeffs, or yours\n"
    "  evalmod     a sine by a Chebyshev series and double angles\n"
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
    OPTION_RESCALE,
    OPTION_DROP,
    OPTION_GRAPH,
};
static const struct argp_option options[] = {
    {"bits", OPTION_BITS, "BITS", 0, "Size of the primes (default 30, or 60 in 64-bit maps)", 0},
    {"level", OPTION_LEVEL, "LEVEL", 0, "Limbs that the operands still have (default L)", 0},
    {"graph", OPTION_GRAPH, "FILE", 0,
     "Write the graph of blocks for `fhec blocks`, and execute nothing", 0},
    {"rescale", OPTION_RESCALE, NULL, 0, "hemult: with Rescale after it", 1},
    {"drop", OPTION_DROP, "D", 0, "rescale: by the last D primes (default 1)", 1},
    {0},
};

enum primitive { RESCALE, KEYSWITCH, ROTATE, HEMULT, PTMULT, PTADD, HEADD, CIRCUIT };
static const struct {
    const char *name;
    unsigned polynomials; /* of the operands */
    bool key;
    enum primitive kind;
    enum fh_cli_primitive_kind circuit;
    unsigned takes; /* options */
} primitives[] = {
    {"rescale", 2, false, RESCALE, FH_CLI_SIMPLE, FH_CLI_DROP},
    {"keyswitch", 1, true, KEYSWITCH, FH_CLI_SIMPLE, 0},
    {"rotate", 2, true, ROTATE, FH_CLI_SIMPLE, FH_CLI_STEPS},
    {"hemult", 4, true, HEMULT, FH_CLI_SIMPLE, FH_CLI_RESCALE},
    {"ptmult", 3, false, PTMULT, FH_CLI_SIMPLE, 0},
    {"ptadd", 3, false, PTADD, FH_CLI_SIMPLE, 0},
    {"headd", 4, false, HEADD, FH_CLI_SIMPLE, 0},
    {"hesub", 4, false, CIRCUIT, FH_CLI_HESUB, 0},
    {"conjugate", 2, false, CIRCUIT, FH_CLI_CONJUGATE, 0},
    {"scalarmult", 2, false, CIRCUIT, FH_CLI_SCALAR_MULT, FH_CLI_SCALAR},
    {"scalaradd", 2, false, CIRCUIT, FH_CLI_SCALAR_ADD, FH_CLI_SCALAR},
    {"monomial", 2, false, CIRCUIT, FH_CLI_MONOMIAL, FH_CLI_EXPONENT},
    {"modraise", 2, false, CIRCUIT, FH_CLI_MOD_RAISE, FH_CLI_PER_LEVEL},
    {"hoist", 2, false, CIRCUIT, FH_CLI_HOIST, FH_CLI_STEPS},
    {"linear", 2, false, CIRCUIT, FH_CLI_LINEAR, FH_CLI_TAKEN_BY_LINEAR},
    {"evalmod", 2, false, CIRCUIT, FH_CLI_EVAL_MOD, FH_CLI_TAKEN_BY_EVAL_MOD},
};
enum { PRIMITIVES = sizeof primitives / sizeof primitives[0] };

struct ckks_options {
    struct fh_cli_workload work;
    struct fh_ckks_params params;
    fh_golden_ckks_params chain;
    struct fh_cli_primitive circuit;
    uint64_t level, drop;
    bool rescale, has_primitive;
    size_t primitive; /* index */
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
            ckks->primitive = i;
            ckks->circuit.kind = primitives[i].circuit;
            ckks->has_primitive = true;
            return;
        }
    }
    const char *near = fh_nearest_of(name, names, PRIMITIVES);
    argp_error(state, "no primitive is called \"%s\"%s", name, fh_cli_hint(near).text);
}

static enum primitive kind_of(const struct ckks_options *ckks) {
    return primitives[ckks->primitive].kind;
}

/* "rotate, hoist": who takes the option. */
static void list_takers(unsigned bit, char *text, size_t size) {
    size_t used = 0;
    text[0] = 0;
    for (size_t i = 0; i < PRIMITIVES && used < size; i++)
        if (primitives[i].takes >> bit & 1)
            used += (size_t)snprintf(text + used, size - used, "%s%s", used ? ", " : "",
                                     primitives[i].name);
}

static void check_complete(const struct ckks_options *ckks, const struct argp_state *state) {
    char takers[128];
    if (!ckks->has_primitive)
        argp_error(state, "which primitive? rescale, keyswitch, rotate, hemult, ... (--help)");
    for (unsigned bit = 0; bit < FH_CLI_TAKES; bit++)
        if ((ckks->circuit.given & ~primitives[ckks->primitive].takes) >> bit & 1) {
            list_takers(bit, takers, sizeof takers);
            argp_error(state, "%s goes with %s", fh_cli_primitive_option(bit), takers);
        }
    if (kind_of(ckks) == ROTATE && ckks->circuit.step_count > 1)
        argp_error(state, "rotate: one rotation at a time; hoist does several");
    if (ckks->circuit.given & FH_CLI_MATRIX && ckks->circuit.given & FH_CLI_DIAGONALS)
        argp_error(state, "--matrix has diagonals of its own, --diagonals makes some");
}

static error_t parse_option(int key, char *arg, struct argp_state *state) {
    struct ckks_options *ckks = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &ckks->chain;
        state->child_inputs[1] = &ckks->circuit;
        state->child_inputs[2] = &ckks->work;
        return 0;
    case OPTION_BITS:
        ckks->work.bits = fh_cli_number_option(state, "--bits", arg, 2, FH_GOLDEN_MAX_MODULUS_BITS);
        return 0;
    case OPTION_LEVEL:
        ckks->level = fh_cli_number_option(state, "--level", arg, 1, FH_GOLDEN_MAX_LIMBS);
        return 0;
    case OPTION_GRAPH: ckks->work.graph = arg; return 0;
    case OPTION_RESCALE:
        ckks->rescale = true;
        ckks->circuit.given |= FH_CLI_RESCALE;
        return 0;
    case OPTION_DROP:
        ckks->drop = fh_cli_number_option(state, "--drop", arg, 1, FH_GOLDEN_MAX_LIMBS);
        ckks->circuit.given |= FH_CLI_DROP;
        return 0;
    case ARGP_KEY_ARG: find_primitive(ckks, state, arg); return 0;
    case ARGP_KEY_END: check_complete(ckks, state); return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp_child children[] = {{&fh_cli_chain_argp, 0, NULL, 0},
                                             {&fh_cli_primitive_argp, 0, NULL, 0},
                                             {&fh_cli_workload_argp, 0, NULL, 0},
                                             {0}};
static const struct argp argp = {options, parse_option, "PRIMITIVE", doc, children, NULL, NULL};

/* ---------------------------------------------------------------- operands */

/* Limbs that the result of a primitive by itself has fewer. */
static size_t dropped(const struct ckks_options *ckks) {
    return kind_of(ckks) == RESCALE ? ckks->drop : ckks->rescale;
}

static size_t result_limbs(const struct ckks_options *ckks) {
    return kind_of(ckks) == CIRCUIT ? fh_cli_primitive_limbs(&ckks->circuit)
                                    : 2 * (ckks->level - dropped(ckks));
}

static uint64_t rotation(const struct ckks_options *ckks) {
    return ckks->circuit.steps ? ckks->circuit.steps[0] : 1;
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
    fhec_status status =
        fh_cli_workload_operands(work, NULL, golden->n, polynomials * level, result_limbs(ckks));
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
    ckks->key = fh_golden_zeros(fh_golden_ckks_key_elements(golden), sizeof *ckks->key);
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
    if (kind_of(ckks) == CIRCUIT)
        return fh_cli_primitive_reference(&ckks->circuit, a, out);
    fh_golden_status status = fh_golden_ckks_create(&golden, &ckks->chain);
    if (status == FH_GOLDEN_OK)
        switch (kind_of(ckks)) {
        case RESCALE:
            status = fh_golden_ckks_rescale_limbs(golden, level, ckks->drop, a, out);
            break;
        case KEYSWITCH: status = fh_golden_ckks_key_switch(golden, level, a, key, out); break;
        case ROTATE:
            status = fh_golden_ckks_rotate(golden, level, rotation(ckks), a, key, out);
            break;
        case HEMULT:
            status = (ckks->rescale ? fh_golden_ckks_hemult_rescale
                                    : fh_golden_ckks_hemult)(golden, level, a, b, key, out);
            break;
        case PTMULT: status = fh_golden_ckks_ptmult(golden, level, a, b, out); break;
        case PTADD: status = fh_golden_ckks_ptadd(golden, level, a, b, out); break;
        default: status = fh_golden_ckks_headd(golden, level, a, b, out); break;
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
    switch (kind_of(ckks)) {
    case RESCALE: return fh_ckks_rescale_limbs(device, level, ckks->drop, at->a, at->out);
    case KEYSWITCH: return fh_ckks_key_switch(device, level, at->a, at->key, at->out);
    case ROTATE: return fh_ckks_rotate(device, level, rotation(ckks), at->a, at->key, at->out);
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
    if (kind_of(ckks) == CIRCUIT)
        return fh_cli_primitive_emulate(&ckks->circuit, machine, &ckks->params, ckks->work.input,
                                        ckks->work.result, seconds, error);
    fhec_status status = fh_ckks_make(machine, &ckks->params, &device, error);
    if (status == FHEC_OK)
        status = write_operands(ckks, device, &at);
    double started = fh_cli_now();
    if (status == FHEC_OK)
        status = run_primitive(ckks, device, &at);
    *seconds = fh_cli_now() - started;
    if (status == FHEC_OK)
        status = fh_ckks_read(device, ckks->level - dropped(ckks), 2,
                              kind_of(ckks) == PTADD ? at.a : at.out, ckks->work.result);
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

/* With the primes that the primitive is best shown with. */
static fhec_status check(void *command, struct fh_error *error) {
    struct ckks_options *ckks = command;
    fhec_status status = fh_ckks_check(&ckks->params, ckks->moduli, error);
    if (status == FHEC_OK)
        status = fh_cli_primitive_chain(ckks->work.cli, &ckks->circuit, &ckks->chain,
                                        ckks->work.width == 8 ? FH_MAX_MODULUS_BITS_64 : 32,
                                        ckks->moduli);
    ckks->chain.moduli = ckks->params.chain.moduli = ckks->moduli;
    return status == FHEC_OK && kind_of(ckks) == CIRCUIT ? fh_ckks_check(&ckks->params, NULL, error)
                                                         : status;
}

static fhec_status check_golden(void *command) {
    struct ckks_options *ckks = command;
    fhec_status status = fh_cli_golden_error(
        ckks->work.cli, fh_golden_ckks_chain(&ckks->chain, ckks->moduli), "chain");
    if (status == FHEC_OK)
        status = fh_cli_primitive_chain(ckks->work.cli, &ckks->circuit, &ckks->chain,
                                        ckks->chain.bits > 32 ? FH_GOLDEN_MAX_MODULUS_BITS - 1 : 32,
                                        ckks->moduli);
    ckks->chain.moduli = ckks->moduli;
    for (size_t i = 0; i < ckks->chain.limbs + ckks->chain.alpha && status == FHEC_OK; i++)
        if (ckks->moduli[i] > UINT32_MAX)
            ckks->work.width = 8;
    return status;
}

/* The level, once the chain is known to be good. */
static fhec_status check_level(struct ckks_options *ckks) {
    if (!ckks->level && kind_of(ckks) != CIRCUIT)
        ckks->level = ckks->chain.limbs;
    if (ckks->level > ckks->chain.limbs)
        return fh_cli_error(ckks->work.cli, FHEC_BAD_INPUT,
                            "the level is %llu; the chain has %zu limbs",
                            (unsigned long long)ckks->level, ckks->chain.limbs);
    if (kind_of(ckks) != CIRCUIT && dropped(ckks) >= ckks->level)
        return fh_cli_error(ckks->work.cli, FHEC_BAD_INPUT,
                            "the level is %llu: there is no limb that Rescale could drop and leave "
                            "one",
                            (unsigned long long)ckks->level);
    return FHEC_OK;
}

/* The level, and of circuits all steps. */
static fhec_status plan(struct ckks_options *ckks) {
    struct fh_cli_workload *work = &ckks->work;
    struct fh_error error = {""};
    fhec_status status = check_level(ckks);
    if (status == FHEC_OK && kind_of(ckks) == CIRCUIT)
        status = fh_cli_primitive_build(work->cli, &ckks->circuit, &ckks->chain, work->seed,
                                        &ckks->level);
    if (status == FHEC_OK && kind_of(ckks) == CIRCUIT && strcmp(work->map, "golden") != 0)
        status = fh_cli_program_error(
            work->cli, NULL, fh_cli_primitive_check(&ckks->circuit, &ckks->params, &error), &error);
    return status;
}

static fhec_status write_graph(void *command) {
    static const enum fh_block_op ops[] = {
        [RESCALE] = FH_BLOCK_RESCALE, [KEYSWITCH] = FH_BLOCK_KEYSWITCH, [ROTATE] = FH_BLOCK_ROTATE,
        [HEMULT] = FH_BLOCK_HEMULT,   [PTMULT] = FH_BLOCK_PTMULT,       [PTADD] = FH_BLOCK_PTADD,
        [HEADD] = FH_BLOCK_HEADD,
    };
    struct ckks_options *ckks = command;
    const struct fh_cli_workload *work = &ckks->work;
    struct fh_block_graph graph = {.block_count = 0};
    if (!strcmp(work->map, "golden"))
        return fh_cli_error(work->cli, FHEC_BAD_INPUT,
                            "--graph: --map golden has no kernels that blocks could be of");
    fhec_status status = plan(ckks);
    if (status != FHEC_OK)
        return status;
    if (kind_of(ckks) == CIRCUIT)
        status = fh_cli_graph_of_circuit(ckks->circuit.circuit, &ckks->chain, NULL, work->map,
                                         work->width, &graph);
    else
        status = fh_cli_graph_of_primitive(&(struct fh_cli_graph_primitive){ops[kind_of(ckks)],
                                                                            ckks->level, ckks->drop,
                                                                            ckks->rescale},
                                           &ckks->chain, work->map, work->width, &graph);
    status = status == FHEC_OK ? fh_cli_graph_write(work->cli, work->graph, &graph)
                               : fh_cli_no_memory(work->cli);
    fh_block_graph_free(&graph);
    return status;
}

static fhec_status operands(void *command) {
    struct ckks_options *ckks = command;
    struct fh_cli_workload *work = &ckks->work;
    const char *name = primitives[ckks->primitive].name;
    const fhec_status status = plan(ckks);
    if (status != FHEC_OK)
        return status;
    if (!work->cli->debug && !work->cli->question && !work->cli->mutation)
        fh_cli_security_note(work->cli, &ckks->chain);
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
        .digit = fh_golden_ckks_digit(ckks->chain.limbs, ckks->chain.dnum),
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
        .graph = write_graph,
        .operands = operands,
        .reference = reference,
        .emulate = emulate,
    };
    struct ckks_options ckks = {
        .work.workload = FH_WORKLOAD_CKKS,
        .chain = {.log2_n = 16, .limbs = 27, .alpha = 9, .dnum = 3},
        .drop = 1,
    };
    fh_cli_primitive_defaults(&ckks.circuit);
    fhec_status status = fh_cli_workload_main(cli, argc, argv, &ckks.work, &kind);
    fh_cli_primitive_free(&ckks.circuit);
    free(ckks.key);
    return status;
}

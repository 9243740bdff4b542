/*
 * command_bootstrap.c - fhec ckks bootstrap: a whole bootstrap of CKKS on the emulator, compared
 * with golden after each of its steps.
 */
#include "command_bootstrap.h"

#include <jansson.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bootstrap_client.h"
#include "ckks_steps.h"
#include "interrupt.h"
#include "machine_options.h"
#include "message.h"
#include "options.h"
#include "progress.h"
#include "reference.h"
#include "seconds.h"
#include "statistics.h"
#include "workload.h"

static const char doc[] =
    "A whole bootstrap of CKKS on the emulator: a ciphertext of the lowest level becomes one of "
    "the "
    "same message with levels left. After each primitive, a step of the plan or several that one "
    "kernel does together, all limbs are compared with the C reference; "
    "at "
    "the end the result is decrypted. Prints the precision in bits: of the slot that is farthest "
    "off, and of the root of the mean square.\n"
    "  fhec32   44 + 12 primes near 2^31, two a level, 4 digits, N = 2^16\n"
    "  small    the same chain with N = 2^10\n"
    "  paper    27 + 9 primes of 46 to 60 bits, 3 digits, N = 2^16; 64-bit maps"
    "\vSecrets, keys, the message (random slots in [-1, 1)^2) and its encryption follow from the "
    "seed. Statistics count all steps; diagonals and keys have been prepared on the host. "
    "Security is not checked: a small N with these primes has none.";

enum { OPTION_PRESET = 1, OPTION_LOGN, OPTION_MAP, OPTION_SEED, OPTION_NO_VERIFY };
static const struct argp_option options[] = {
    {"preset", OPTION_PRESET, "NAME", 0, "fhec32, small or paper (default fhec32)", 0},
    {"logn", OPTION_LOGN, "LOGN", 0, "N = 2^LOGN coefficients, 10 to 16", 0},
    {"map", OPTION_MAP, "MAP", 0,
     "What executes the modular products; --map=help lists what there is", 0},
    {"seed", OPTION_SEED, "S", 0, "Secrets, keys and message follow from it (default 1)", 0},
    {"no-verify", OPTION_NO_VERIFY, NULL, 0, "Do not compare with the C reference", 0},
    {0},
};

enum preset { FHEC32, SMALL, PAPER };
static const char *const preset_names[] = {"fhec32", "small", "paper", NULL};
enum { LEAST_LOGN = 10, MOST_LOGN = 16 };

/* At most so many bytes of keys are kept on the host and in the guest; and at least so many keys.
 */
enum { LEAST_PLACES = 2, MOST_PLACES = 128 };
static const size_t host_bytes = (size_t)5 << 30, guest_bytes = (size_t)3 << 29;

/* Steps that the reference may be ahead of the machine: with the largest parameters a step's value
 * has 46 MB. */
enum { AHEAD = 12 };

struct bootstrap {
    struct fh_cli *cli;
    struct fh_cli_machine machine;
    const char *map;
    enum preset preset;
    uint64_t logn, seed;
    bool no_verify;
    struct fh_cli_boot client;
    struct fh_ckks_steps_params steps_params;
    struct fh_ckks_steps *steps;
    struct fh_cli_reference *reference; /* NULL: not verified */
    uint64_t *result;                   /* room for the largest value */
    struct fh_cli_precision precision;
    size_t primitives; /* that have been executed */
    uint64_t composed; /* warp instructions, by the counts of the primitives */
    uint64_t unfused;  /* and by those of single steps, without hoisting */
};

static error_t parse_option(int key, char *arg, struct argp_state *state) {
    struct bootstrap *b = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &b->machine;
        state->child_inputs[1] = b->cli;
        return 0;
    case OPTION_PRESET:
        b->preset = (enum preset)fh_cli_choice_option(state, "--preset", arg, preset_names);
        return 0;
    case OPTION_LOGN:
        b->logn = fh_cli_number_option(state, "--logn", arg, LEAST_LOGN, MOST_LOGN);
        return 0;
    case OPTION_MAP:
        b->map = arg;
        if (!strcmp(arg, "help")) {
            fh_cli_list_maps(stdout);
            exit((int)fh_cli_flush(b->cli));
        }
        return 0;
    case OPTION_SEED: b->seed = fh_cli_number_option(state, "--seed", arg, 0, UINT64_MAX); return 0;
    case OPTION_NO_VERIFY: b->no_verify = true; return 0;
    case ARGP_KEY_ARG: argp_error(state, "unexpected argument: %s", arg); return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp_child children[] = {
    {&fh_cli_machine_argp, 0, NULL, 0}, {&fh_cli_common_argp, 0, NULL, 0}, {0}};
static const struct argp argp = {options, parse_option, NULL, doc, children, NULL, NULL};

/* ---------------------------------------------------------------- before any work */

/* A bootstrap is one of many launches: what looks at a single one cannot show it. */
static fhec_status check_caller(const struct bootstrap *b) {
    const char *who = b->cli->debug      ? "fhec debug"
                      : b->cli->question ? "fhec why"
                      : b->cli->mutation ? "fhec mutate"
                                         : NULL;
    if (!who)
        return FHEC_OK;
    return fh_cli_error(b->cli, FHEC_BAD_INPUT,
                        "%s takes one primitive (hemult, rotate, ...), not a whole bootstrap", who);
}

static fhec_status check_map(const struct bootstrap *b) {
    const struct fh_map *map = fh_map_find(b->map);
    if (!strcmp(b->map, "golden"))
        return fh_cli_error(b->cli, FHEC_BAD_INPUT,
                            "--map golden: the C reference runs beside every other map");
    if (b->preset == PAPER && map && map->word_bits != 64)
        return fh_cli_error(b->cli, FHEC_BAD_INPUT,
                            "the preset paper has primes of up to 60 bits; the map %s has %u-bit "
                            "words (cuda64 and gme64 have 64)",
                            b->map, map->word_bits);
    return FHEC_OK;
}

/* Parameters, chain and circuit, and whether the map can do it. */
static fhec_status plan(struct bootstrap *b) {
    struct fh_cli_boot *client = &b->client;
    struct fh_error error = {""};
    if (!b->logn)
        b->logn = b->preset == SMALL ? LEAST_LOGN : MOST_LOGN;
    client->params = (b->preset == PAPER ? fh_golden_ckks_boot_published
                                         : fh_golden_ckks_boot_pairs)((unsigned)b->logn);
    client->params.hoist = true;
    fhec_status status =
        fh_cli_golden_error(b->cli, fh_cli_boot_plan(client), "the plan of the bootstrap");
    if (status != FHEC_OK)
        return status;
    b->steps_params = (struct fh_ckks_steps_params){
        .map = b->map,
        .circuit = client->circuit,
        .chain = &client->chain,
        .base = &client->base_chain,
        .environment = &client->environment,
        .options = {.max_steps = b->machine.max_steps,
                    .diagnostic = fh_cli_diagnostic,
                    .user = b->cli},
    };
    return fh_cli_program_error(b->cli, NULL, fh_ckks_steps_check(&b->steps_params, &error),
                                &error);
}

/* ---------------------------------------------------------------- the steps */

/* How many keys fit. */
static size_t places(const fh_golden_ckks_params *chain, size_t bytes) {
    const size_t fit = bytes / fh_golden_ckks_boot_key_bytes(chain);
    return fit < LEAST_PLACES ? LEAST_PLACES : fit > MOST_PLACES ? MOST_PLACES : fit;
}

/* What is freed is kept for the next step instead of being given back and faulted in again, and
 * the reference's thread has no heap of its own. */
static void keep_memory(void) {
    (void)mallopt(M_MMAP_THRESHOLD, 1 << 30);
    (void)mallopt(M_TRIM_THRESHOLD, 1 << 30);
    (void)mallopt(M_ARENA_MAX, 1);
}

/* Keys and operands on the host, the circuit on the machine, golden's execution beside it. */
static fhec_status prepare(struct bootstrap *b, fhec_machine *machine) {
    struct fh_cli_boot *client = &b->client;
    struct fh_error error = {""};
    const fh_golden_ckks_params *chain = &client->chain;
    size_t n = (size_t)1 << chain->log2_n;
    /* Raised digits are larger than a ciphertext. */
    b->result = calloc((2 + chain->dnum) * (chain->limbs + chain->alpha) * n, sizeof *b->result);
    if (!b->result)
        return fh_cli_no_memory(b->cli);
    fhec_status status = fh_cli_golden_error(
        b->cli, fh_cli_boot_make(client, b->seed, places(chain, host_bytes)), "keys and message");
    b->steps_params.key_places = places(chain, guest_bytes);
    if (status == FHEC_OK)
        status = fh_cli_program_error(
            b->cli, machine,
            fh_ckks_steps_begin(machine, &b->steps_params, client->input, &b->steps, &error),
            &error);
    if (status == FHEC_OK && !b->no_verify)
        status = fh_cli_golden_error(b->cli,
                                     fh_cli_reference_start(&b->reference, client->circuit,
                                                            &client->reference, &client->input, 0,
                                                            AHEAD),
                                     "the reference");
    return status;
}

/* The value of step `index` on the machine against golden's. */
static fhec_status verify(struct bootstrap *b, size_t index) {
    const fh_golden_ckks_circuit *circuit = b->client.circuit;
    const fh_golden_ckks_step *step = &circuit->steps[index];
    size_t n = (size_t)1 << circuit->log2_n, level = step->result_level;
    size_t count = fh_golden_ckks_value_elements(circuit, b->client.ckks, index + 1);
    const uint64_t *want;
    fhec_status status = FHEC_OK;
    if (fh_ckks_steps_read(b->steps, index + 1, b->result) != FHEC_OK)
        return fh_cli_error(b->cli, FHEC_HOST_ERROR, "%s", fh_ckks_steps_error(b->steps)->text);
    status = fh_cli_golden_error(b->cli, fh_cli_reference_wait(b->reference, index + 1, &want),
                                 step->name);
    if (status != FHEC_OK)
        return status;
    for (size_t i = 0; i < count; i++)
        if (b->result[i] != want[i])
            return fh_cli_error(
                b->cli, FHEC_DIFFERS,
                "step %zu of %zu (%s, %s): element %zu of limb %zu of c%zu is %llu; the C "
                "reference has %llu",
                index + 1, circuit->step_count, step->name, fh_golden_ckks_kind_name(step->kind),
                i % n, i / n % level, i / n / level, (unsigned long long)b->result[i],
                (unsigned long long)want[i]);
    fh_cli_reference_done(b->reference, index + 1);
    return FHEC_OK;
}

/* The steps of one part, from *index on, under its name. */
static fhec_status run_part(struct bootstrap *b, fhec_machine *machine, size_t *index,
                            double *seconds) {
    const fh_golden_ckks_circuit *circuit = b->client.circuit;
    const char *name = circuit->steps[*index].name;
    fhec_status status = FHEC_OK;
    struct fh_cli_progress *progress =
        fh_cli_progress_start(b->cli, machine, "%s: %s, from step %zu of %zu", b->cli->command,
                              name, *index + 1, circuit->step_count);
    while (*index < circuit->step_count && !strcmp(circuit->steps[*index].name, name) &&
           status == FHEC_OK) {
        double started = fh_cli_now();
        status = fh_ckks_steps_next(b->steps);
        *seconds += fh_cli_now() - started;
        status = fh_cli_program_error(b->cli, machine, status, fh_ckks_steps_error(b->steps));
        *index = fh_ckks_steps_done(b->steps);
        b->primitives++;
        if (status == FHEC_OK && !b->no_verify)
            status = verify(b, *index - 1);
    }
    fh_cli_progress_stop(progress);
    return status;
}

static fhec_status run_steps(struct bootstrap *b, fhec_machine *machine, double *seconds) {
    const fh_golden_ckks_circuit *circuit = b->client.circuit;
    fhec_status status = FHEC_OK;
    fh_cli_interrupt_begin(machine);
    for (size_t index = 0; index < circuit->step_count && status == FHEC_OK;)
        status = run_part(b, machine, &index, seconds);
    fh_cli_interrupt_end();
    if (status == FHEC_OK && fh_ckks_steps_read(b->steps, circuit->output, b->result) != FHEC_OK)
        status = fh_cli_error(b->cli, FHEC_HOST_ERROR, "%s", fh_ckks_steps_error(b->steps)->text);
    if (status == FHEC_OK)
        status = fh_cli_golden_error(
            b->cli, fh_cli_boot_precision(&b->client, b->result, &b->precision), "decryption");
    return status;
}

/* ---------------------------------------------------------------- all of it */

/* What a plan takes by the counts of its primitives, each measured once on another machine. */
static fhec_status compose(struct bootstrap *b, const struct fh_ckks_steps_params *params,
                           uint64_t *warp_insts) {
    struct fh_error error = {""};
    fhec_machine *machine = NULL;
    fhec_status status = fh_cli_machine_new(b->cli, &b->machine, &machine);
    if (status != FHEC_OK)
        return status;
    struct fh_cli_progress *progress =
        fh_cli_progress_start(b->cli, machine, "%s: counting each primitive", b->cli->command);
    fh_cli_interrupt_begin(machine);
    status = fh_cli_program_error(
        b->cli, machine, fh_ckks_steps_compose(machine, params, warp_insts, &error), &error);
    fh_cli_interrupt_end();
    fh_cli_progress_stop(progress);
    fhec_machine_free(machine);
    return status;
}

/* The counts of this plan, and of the one that does each step by itself and hoists nothing. */
static fhec_status compose_both(struct bootstrap *b) {
    struct fh_cli_boot plain = {.params = b->client.params};
    struct fh_ckks_steps_params params = b->steps_params;
    fhec_status status = compose(b, &params, &b->composed);
    plain.params.hoist = false;
    if (status == FHEC_OK)
        status = fh_cli_golden_error(b->cli, fh_cli_boot_plan(&plain), "the plan of the bootstrap");
    params.circuit = plain.circuit;
    params.unfused = true;
    if (status == FHEC_OK)
        status = compose(b, &params, &b->unfused);
    fh_cli_boot_free(&plain);
    return status;
}

static fhec_status print_result(const struct bootstrap *b, fhec_machine *machine, double seconds) {
    const size_t count = b->client.circuit->step_count;
    fh_cli_note(b->cli,
                "bootstrap, preset %s, N = 2^%u, map %s: %zu steps by %zu primitives, %s, %.3f s",
                preset_names[b->preset], (unsigned)b->logn, b->map, count, b->primitives,
                b->no_verify ? "not verified" : "each equal to the C reference", seconds);
    if (b->machine.stats != FH_CLI_STATS_JSON)
        printf("precision %.2f bits (largest error), %.2f bits (root of the mean square)\n",
               b->precision.max, b->precision.rms);
    if (b->machine.stats == FH_CLI_STATS_TEXT)
        printf("%llu warp instructions by the counts of the primitives; %llu with each step by "
               "itself\n",
               (unsigned long long)b->composed, (unsigned long long)b->unfused);
    json_t *members =
        json_pack("{s:{s:f, s:f}, s:I, s:I, s:I, s:I}", "precision_bits", "max", b->precision.max,
                  "rms", b->precision.rms, "steps", (json_int_t)count, "primitives",
                  (json_int_t)b->primitives, "composed_warp_insts", (json_int_t)b->composed,
                  "unfused_warp_insts", (json_int_t)b->unfused);
    fhec_status status =
        members ? fh_cli_print_statistics_and(b->cli, &b->machine, machine, seconds, members)
                : fh_cli_no_memory(b->cli);
    json_decref(members);
    return status;
}

fhec_status fh_cli_ckks_bootstrap(struct fh_cli *cli, int argc, char **argv) {
    struct bootstrap b = {.cli = cli, .seed = 1, .map = fh_map_default(FH_WORKLOAD_CKKS)};
    fhec_machine *machine = NULL;
    double seconds = 0;
    cli->command = "fhec ckks bootstrap";
    fh_cli_parse(cli, &argp, argc, argv, &b);
    keep_memory();
    fhec_status status = check_caller(&b);
    if (status == FHEC_OK)
        status = check_map(&b);
    if (status == FHEC_OK)
        status = plan(&b);
    if (status == FHEC_OK)
        status = fh_cli_machine_new(cli, &b.machine, &machine);
    if (status == FHEC_OK)
        status = prepare(&b, machine);
    if (status == FHEC_OK)
        status = run_steps(&b, machine, &seconds);
    if (status == FHEC_OK)
        status = fh_cli_patches_check(cli, &b.machine.patches, machine);
    if (status == FHEC_OK && b.machine.stats != FH_CLI_STATS_NONE)
        status = compose_both(&b);
    if (status == FHEC_OK)
        status = print_result(&b, machine, seconds);
    fh_cli_reference_end(b.reference);
    fh_ckks_steps_end(b.steps);
    fhec_machine_free(machine);
    fh_cli_boot_free(&b.client);
    free(b.result);
    return status;
}

/*
 * command_bootstrap.c - fhec ckks bootstrap: a whole bootstrap of CKKS on the emulator, compared
 * with golden after each of its steps.
 */
#include "command_circuits.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "circuit_run.h"
#include "message.h"
#include "options.h"
#include "programs.h"

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

enum { OPTION_PRESET = 1 };
static const struct argp_option options[] = {
    {"preset", OPTION_PRESET, "NAME", 0, "fhec32, small or paper (default fhec32)", 0},
    {0},
};

enum preset { FHEC32, SMALL, PAPER };
static const char *const preset_names[] = {"fhec32", "small", "paper", NULL};
enum { SMALL_LOGN = 10, LARGE_LOGN = 16, MESSAGE_STREAM = 77 };

struct bootstrap {
    struct fh_cli_circuit_run run;
    enum preset preset;
    struct fh_cli_precision precision;
};

static error_t parse_option(int key, char *arg, struct argp_state *state) {
    struct bootstrap *b = state->input;
    switch (key) {
    case ARGP_KEY_INIT: state->child_inputs[0] = &b->run; return 0;
    case OPTION_PRESET:
        b->preset = (enum preset)fh_cli_choice_option(state, "--preset", arg, preset_names);
        return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp_child children[] = {{&fh_cli_circuit_argp, 0, NULL, 0}, {0}};
static const struct argp argp = {options, parse_option, NULL, doc, children, NULL, NULL};

static fhec_status plan(void *command) {
    struct bootstrap *b = command;
    struct fh_cli_circuit_run *run = &b->run;
    const struct fh_map *map = fh_map_find(run->map);
    if (b->preset == PAPER && map && map->word_bits != 64)
        return fh_cli_error(run->cli, FHEC_BAD_INPUT,
                            "the preset paper has primes of up to 60 bits; the map %s has %u-bit "
                            "words (cuda64 and gme64 have 64)",
                            run->map, map->word_bits);
    if (!run->logn)
        run->logn = b->preset == SMALL ? SMALL_LOGN : LARGE_LOGN;
    snprintf(run->what, sizeof run->what, "bootstrap, preset %s", preset_names[b->preset]);
    run->client.params = (b->preset == PAPER ? fh_golden_ckks_boot_published
                                             : fh_golden_ckks_boot_pairs)((unsigned)run->logn);
    run->client.params.hoist = true;
    return FHEC_OK;
}

static fh_golden_status make_circuit(void *command, const fh_golden_ckks_boot_params *params,
                                     const uint64_t *moduli, fh_golden_ckks_circuit **circuit) {
    (void)command;
    return fh_golden_ckks_boot_circuit(params, moduli, circuit);
}

/* ---------------------------------------------------------------- the message */

static size_t slot_count(const struct bootstrap *b) {
    return (size_t)1 << (b->run.client.chain.log2_n - 1);
}

static fhec_status make_message(void *command, fh_golden_complex *slots) {
    const struct bootstrap *b = command;
    const uint64_t seed = b->run.seed;
    for (size_t j = 0; j < slot_count(b); j++)
        slots[j] = (fh_golden_complex){fh_cli_client_unit(seed, MESSAGE_STREAM, 2 * j),
                                       fh_cli_client_unit(seed, MESSAGE_STREAM, 2 * j + 1)};
    return FHEC_OK;
}

static fhec_status compare_message(void *command, const fh_golden_complex *slots) {
    struct bootstrap *b = command;
    b->precision = fh_cli_precision(slot_count(b), slots, b->run.client.slots);
    return FHEC_OK;
}

static void print_precision(const void *command) {
    const struct bootstrap *b = command;
    printf("precision %.2f bits (largest error), %.2f bits (root of the mean square)\n",
           b->precision.max, b->precision.rms);
}

static json_t *members(const void *command) {
    const struct bootstrap *b = command;
    return json_pack("{s:{s:f, s:f}}", "precision_bits", "max", b->precision.max, "rms",
                     b->precision.rms);
}

fhec_status fh_cli_ckks_bootstrap(struct fh_cli *cli, int argc, char **argv) {
    static const struct fh_cli_circuit_kind kind = {
        .argp = &argp,
        .plan = plan,
        .circuit = make_circuit,
        .inputs = make_message,
        .outputs = compare_message,
        .print = print_precision,
        .members = members,
    };
    struct bootstrap b = {.preset = FHEC32};
    cli->command = "fhec ckks bootstrap";
    return fh_cli_circuit_main(cli, argc, argv, &b.run, &kind);
}

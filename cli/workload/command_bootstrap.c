/*
 * command_bootstrap.c - fhec ckks bootstrap: a whole bootstrap of CKKS on the emulator, compared
 * with golden after each of its steps.
 */
#include "command_circuits.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bootstrap_check.h"
#include "bootstrap_options.h"
#include "circuit_run.h"
#include "message.h"
#include "programs.h"

static const char doc[] =
    "A whole bootstrap of CKKS on the emulator: a ciphertext of the lowest level becomes one of "
    "the same message with levels left. After each primitive, a step of the plan or several that "
    "one kernel does together, all limbs are compared with the C reference; at the end the result "
    "is decrypted. Prints the precision in bits: of the slot that is farthest off, and of the root "
    "of the mean square.\n"
    "  fhec32   44 + 12 primes near 2^31, two a level, 4 digits, N = 2^16\n"
    "  small    the same chain with N = 2^10\n"
    "  paper    27 + 9 primes of 46 to 60 bits, 3 digits, N = 2^16; 64-bit maps"
    "\vSecrets, keys, the message and its encryption follow from the seed. Statistics count all "
    "steps; diagonals and keys have been prepared on the host. The chain keeps the preset's number "
    "of limbs where neither --limbs nor --levels-left is given. All parameters are checked before "
    "any work.";

enum { SMALL_LOGN = 10, LARGE_LOGN = 16, MESSAGE_STREAM = 77 };

struct bootstrap {
    struct fh_cli_circuit_run run;
    struct fh_cli_boot_options options;
    struct fh_cli_precision precision, product, rotation;
};

static error_t parse_option(int key, char *arg, struct argp_state *state) {
    struct bootstrap *b = state->input;
    (void)arg;
    if (key != ARGP_KEY_INIT)
        return ARGP_ERR_UNKNOWN;
    state->child_inputs[0] = &b->options;
    state->child_inputs[1] = &b->run;
    return 0;
}

static const struct argp_child children[] = {
    {&fh_cli_boot_argp, 0, NULL, 0}, {&fh_cli_circuit_argp, 0, NULL, 0}, {0}};
static const struct argp argp = {NULL, parse_option, NULL, doc, children, NULL, NULL};

static fhec_status plan(void *command) {
    struct bootstrap *b = command;
    struct fh_cli_circuit_run *run = &b->run;
    const struct fh_map *map = fh_map_find(run->map);
    const enum fh_cli_boot_preset preset = b->options.preset;
    uint64_t limbs;
    if (preset == FH_CLI_PAPER && map && map->word_bits != 64)
        return fh_cli_error(run->cli, FHEC_BAD_INPUT,
                            "the preset paper has primes of up to 60 bits; the map %s has %u-bit "
                            "words (cuda64 and gme64 have 64)",
                            run->map, map->word_bits);
    if (!run->logn)
        run->logn = preset == FH_CLI_SMALL ? SMALL_LOGN : LARGE_LOGN;
    snprintf(run->what, sizeof run->what, "bootstrap, preset %s", fh_cli_boot_preset_names[preset]);
    run->secure = !b->options.insecure;
    run->client.params = fh_cli_boot_params(&b->options, (unsigned)run->logn, &limbs);
    fhec_status status = fh_cli_boot_check(run->cli, &run->client.params, limbs);
    if (status == FHEC_OK && b->options.go_on && run->client.params.levels_left == 0)
        status = fh_cli_error(run->cli, FHEC_BAD_INPUT,
                              "--continue multiplies once more: the bootstrap must leave a level");
    return status;
}

/* The bootstrap; and its result squared, and rotated by a slot. */
static fh_golden_status make_circuit(void *command, const fh_golden_ckks_boot_params *params,
                                     const uint64_t *moduli, fh_golden_ckks_circuit **circuit) {
    const struct bootstrap *b = command;
    if (!b->options.go_on)
        return fh_golden_ckks_boot_circuit(params, moduli, circuit);
    fh_golden_status status = fh_golden_ckks_boot_begin(params, moduli, circuit);
    if (status != FH_GOLDEN_OK)
        return status;
    fh_golden_ckks_circuit *c = *circuit;
    const size_t fresh = fh_golden_ckks_circuit_bootstrap(c, params, 0);
    const size_t level = params->per_level * (1 + params->levels_left);
    fh_golden_ckks_circuit_name(c, "product", 0);
    fh_golden_ckks_circuit_keep(c, fh_golden_ckks_circuit_rescale(
                                       c, fh_golden_ckks_circuit_hemult(c, level, fresh, fresh)));
    fh_golden_ckks_circuit_name(c, "rotation", 0);
    fh_golden_ckks_circuit_keep(c, fh_golden_ckks_circuit_rotate(c, fresh, 1));
    status = fh_golden_ckks_circuit_finish(c, fresh);
    if (status != FH_GOLDEN_OK) {
        fh_golden_ckks_circuit_free(c);
        *circuit = NULL;
    }
    return status;
}

/* ---------------------------------------------------------------- the message */

static size_t slot_count(const struct bootstrap *b) {
    return (size_t)1 << (b->run.client.chain.log2_n - 1);
}

static fhec_status make_message(void *command, fh_golden_complex *slots) {
    const struct bootstrap *b = command;
    const uint64_t seed = b->run.seed;
    for (size_t j = 0; j < slot_count(b); j++)
        switch (b->options.message) {
        case FH_CLI_RANDOM:
            slots[j] = (fh_golden_complex){fh_cli_client_unit(seed, MESSAGE_STREAM, 2 * j),
                                           fh_cli_client_unit(seed, MESSAGE_STREAM, 2 * j + 1)};
            break;
        case FH_CLI_ZERO: break;
        case FH_CLI_ONE_HOT:
            slots[j].re =
                j == fh_golden_random_word(seed, MESSAGE_STREAM, 0) % slot_count(b) ? 1 : 0;
            break;
        case FH_CLI_ONES: slots[j].re = 1; break;
        case FH_CLI_IS: slots[j].im = 1; break;
        case FH_CLI_BOTH: slots[j] = (fh_golden_complex){1, 1}; break;
        }
    return FHEC_OK;
}

/* What the product and the rotation should be, against what they are. */
static fhec_status compare_further(struct bootstrap *b, const fh_golden_complex *slots) {
    const size_t count = slot_count(b);
    const fh_golden_complex *in = b->run.client.slots;
    fh_golden_complex *want = calloc(count, sizeof *want);
    if (!want)
        return fh_cli_no_memory(b->run.cli);
    for (size_t j = 0; j < count; j++)
        want[j] =
            (fh_golden_complex){in[j].re * in[j].re - in[j].im * in[j].im, 2 * in[j].re * in[j].im};
    b->product = fh_cli_precision(count, slots + count, want);
    for (size_t j = 0; j < count; j++)
        want[j] = in[(j + 1) % count];
    b->rotation = fh_cli_precision(count, slots + 2 * count, want);
    free(want);
    return FHEC_OK;
}

/* Nothing like the message: the steps do what they say, and the parameters do not fit. */
static fhec_status check_precision(const struct bootstrap *b, const char *what, double bits) {
    const double least = 0.5;
    if (bits >= least)
        return FHEC_OK;
    return fh_cli_error(b->run.cli, FHEC_DIFFERS,
                        "%s decrypts to something else: %.2f bits are right of the slot that is "
                        "farthest off",
                        what, bits);
}

static fhec_status compare_message(void *command, const fh_golden_complex *slots) {
    struct bootstrap *b = command;
    b->precision = fh_cli_precision(slot_count(b), slots, b->run.client.slots);
    fhec_status status = b->options.go_on ? compare_further(b, slots) : FHEC_OK;
    if (status == FHEC_OK)
        status = check_precision(b, "the result", b->precision.max);
    if (status == FHEC_OK && b->options.go_on)
        status = check_precision(b, "its square", b->product.max);
    if (status == FHEC_OK && b->options.go_on)
        status = check_precision(b, "its rotation", b->rotation.max);
    return status;
}

/* What zeros are off is less than the least number: as many bits as a double's exponent has. */
static double bits_of(double bits) {
    return isinf(bits) ? 1074 : bits;
}

static void print_one(const char *what, const struct fh_cli_precision *precision) {
    printf("%s %.2f bits (largest error), %.2f bits (root of the mean square)\n", what,
           bits_of(precision->max), bits_of(precision->rms));
}

static void print_precision(const void *command) {
    const struct bootstrap *b = command;
    print_one("precision", &b->precision);
    if (b->options.go_on) {
        print_one("of the square", &b->product);
        print_one("of the rotation", &b->rotation);
    }
}

static json_t *member(const struct fh_cli_precision *precision) {
    return json_pack("{s:f, s:f}", "max", bits_of(precision->max), "rms", bits_of(precision->rms));
}

static json_t *members(const void *command) {
    const struct bootstrap *b = command;
    json_t *all = json_pack("{s:o}", "precision_bits", member(&b->precision));
    if (all && b->options.go_on &&
        (json_object_set_new(all, "product_bits", member(&b->product)) != 0 ||
         json_object_set_new(all, "rotation_bits", member(&b->rotation)) != 0)) {
        json_decref(all);
        all = NULL;
    }
    return all;
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
    struct bootstrap b = {.options = {.preset = FH_CLI_FHEC32}};
    cli->command = "fhec ckks bootstrap";
    return fh_cli_circuit_main(cli, argc, argv, &b.run, &kind);
}

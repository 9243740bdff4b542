/*
 * command_resnet.c - fhec ckks resnet: a convolution block of ResNet on an encrypted image with a
 * bootstrap at its end, on the emulator.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "circuit_run.h"
#include "ckks_apps.h"
#include "command_circuits.h"
#include "message.h"
#include "options.h"
#include "programs.h"

static const char doc[] =
    "A convolution block of ResNet on an encrypted image, on the emulator: convolution of 3 x 3 "
    "with "
    "as many channels out as in, bias, ReLU by a polynomial, bootstrap. All limbs are compared "
    "with "
    "the C reference after each primitive; at the end the image is decrypted and compared with the "
    "same block in floating point."
    "\vImage, weights and bias follow from the seed; the image fills all N / 2 slots, and weights "
    "are scaled, as batch normalization does it, so that ReLU's arguments are in [-0.95, 0.95]. "
    "The "
    "chain is that of `fhec ckks bootstrap --preset fhec32` with levels for the block. Statistics "
    "count all steps. Security is not checked: a small N with these primes has none.";

enum { OPTION_CHANNELS = 1, OPTION_WIDTH, OPTION_DEGREE };
static const struct argp_option options[] = {
    {"channels", OPTION_CHANNELS, "C", 0, "Channels in and out, a power of two (default 8)", 0},
    {"width", OPTION_WIDTH, "W", 0,
     "Columns of the image, a power of two; rows are what fits (default: as many, or half as many)",
     0},
    {"degree", OPTION_DEGREE, "D", 0, "Of ReLU's polynomial, 2 to 31 (default 27)", 0},
    {0},
};

enum { DEFAULT_LOGN = 12, DEFAULT_CHANNELS = 8, DEFAULT_DEGREE = 27, MOST_DEGREE = 31, TAPS = 9 };
enum { WEIGHTS = 111, BIAS, PIXELS }; /* streams of the seed */
static const double largest = 0.85, largest_bias = 0.1;

struct resnet {
    struct fh_cli_circuit_run run;
    uint64_t channels, width, degree;
    size_t height;
    fh_golden_resnet of;
    double *weights, *bias, *image, *out; /* out: of the convolution */
    struct fh_cli_precision precision;
    double relu_error; /* of the polynomial */
};

static error_t parse_option(int key, char *arg, struct argp_state *state) {
    struct resnet *block = state->input;
    switch (key) {
    case ARGP_KEY_INIT: state->child_inputs[0] = &block->run; return 0;
    case OPTION_CHANNELS:
        block->channels = fh_cli_number_option(state, "--channels", arg, 1, UINT32_MAX);
        return 0;
    case OPTION_WIDTH:
        block->width = fh_cli_number_option(state, "--width", arg, 2, UINT32_MAX);
        return 0;
    case OPTION_DEGREE:
        block->degree = fh_cli_number_option(state, "--degree", arg, 2, MOST_DEGREE);
        return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp_child children[] = {{&fh_cli_circuit_argp, 0, NULL, 0}, {0}};
static const struct argp argp = {options, parse_option, NULL, doc, children, NULL, NULL};

static size_t slot_count(const struct resnet *block) {
    return (size_t)1 << (block->run.logn - 1);
}

static bool power_of_two(uint64_t x) {
    return (x & (x - 1)) == 0;
}

/* Rows and columns of at least two each. */
static fhec_status check_shape(struct resnet *block) {
    size_t slots = slot_count(block);
    const struct fh_cli *cli = block->run.cli;
    if (!power_of_two(block->channels) || block->channels > slots / 4)
        return fh_cli_error(cli, FHEC_BAD_INPUT,
                            "--channels %llu: expected a power of two from 1 to N / 8 = %zu",
                            (unsigned long long)block->channels, slots / 4);
    size_t image = slots / block->channels;
    if (!block->width)
        for (block->width = 2; 4 * block->width * block->width <= image;)
            block->width *= 2;
    if (!power_of_two(block->width) || block->width > image / 2)
        return fh_cli_error(cli, FHEC_BAD_INPUT,
                            "--width %llu: expected a power of two from 2 to %zu, so that an image "
                            "of %zu pixels has two rows",
                            (unsigned long long)block->width, image / 2, image);
    block->height = image / block->width;
    return FHEC_OK;
}

/* One for the convolution, those of the largest polynomial, one for the scale that a bootstrap
 * takes its input at; 48 limbs in all, which have the four digits that a chain without them has. */
enum { LEVELS = 8 };

static fhec_status plan(void *command) {
    struct resnet *block = command;
    struct fh_cli_circuit_run *run = &block->run;
    if (!run->logn)
        run->logn = DEFAULT_LOGN;
    fhec_status status = check_shape(block);
    if (status != FHEC_OK)
        return status;
    snprintf(run->what, sizeof run->what,
             "convolution block, %llu channels of %zu x %llu, degree %llu",
             (unsigned long long)block->channels, block->height, (unsigned long long)block->width,
             (unsigned long long)block->degree);
    run->client.params = fh_golden_ckks_boot_pairs((unsigned)run->logn);
    run->client.params.levels_left = LEVELS;
    return FHEC_OK;
}

/* ---------------------------------------------------------------- image and weights */

static double largest_of(const double *values, size_t count) {
    double most = 0;
    for (size_t i = 0; i < count; i++)
        most = fmax(most, fabs(values[i]));
    return most;
}

/* Weights so that the convolution of this image has this largest value; then the bias. */
static void fill(struct resnet *block) {
    const uint64_t seed = block->run.seed;
    const size_t slots = slot_count(block), weights = block->channels * block->channels * TAPS;
    for (size_t p = 0; p < slots; p++)
        block->image[p] = fh_cli_client_unit(seed, PIXELS, p);
    for (size_t i = 0; i < weights; i++)
        block->weights[i] = fh_cli_client_unit(seed, WEIGHTS, i);
    fh_golden_resnet_plain(&block->of, block->height, block->image, block->out);
    const double most = largest_of(block->out, slots);
    for (size_t i = 0; i < weights; i++)
        block->weights[i] *= largest / most;
    for (size_t c = 0; c < block->channels; c++)
        block->bias[c] = largest_bias * fh_cli_client_unit(seed, BIAS, c);
    fh_golden_resnet_plain(&block->of, block->height, block->image, block->out);
}

static fhec_status make_block(struct resnet *block) {
    const size_t slots = slot_count(block);
    block->weights = calloc(block->channels * block->channels * TAPS, sizeof *block->weights);
    block->bias = calloc(block->channels, sizeof *block->bias);
    block->image = calloc(slots, sizeof *block->image);
    block->out = calloc(slots, sizeof *block->out);
    if (!block->weights || !block->bias || !block->image || !block->out)
        return fh_cli_no_memory(block->run.cli);
    block->of = (fh_golden_resnet){block->channels, block->width, block->weights, block->bias,
                                   block->degree};
    fill(block);
    return FHEC_OK;
}

static fh_golden_status make_circuit(void *command, const fh_golden_ckks_boot_params *params,
                                     const uint64_t *moduli, fh_golden_ckks_circuit **circuit) {
    struct resnet *block = command;
    if (!block->image && make_block(block) != FHEC_OK)
        return FH_GOLDEN_ERR_NO_MEMORY;
    return fh_golden_resnet_circuit(params, moduli, &block->of, circuit);
}

static fhec_status make_inputs(void *command, fh_golden_complex *slots) {
    const struct resnet *block = command;
    for (size_t p = 0; p < slot_count(block); p++)
        slots[p].re = block->image[p];
    return FHEC_OK;
}

/* ---------------------------------------------------------------- the result */

static fhec_status compare_outputs(void *command, const fh_golden_complex *slots) {
    struct resnet *block = command;
    const size_t count = slot_count(block);
    long double coefficients[MOST_DEGREE + 1];
    fh_golden_complex *want = calloc(count, sizeof *want);
    if (!want)
        return fh_cli_no_memory(block->run.cli);
    fh_golden_resnet_relu(block->degree, coefficients);
    for (size_t p = 0; p < count; p++) {
        const double x = block->out[p];
        want[p].re = fh_golden_chebyshev_plain(block->degree, coefficients, x);
        block->relu_error = fmax(block->relu_error, fabs(want[p].re - fmax(x, 0)));
    }
    block->precision = fh_cli_precision(count, slots, want);
    free(want);
    return FHEC_OK;
}

static void print_outputs(const void *command) {
    const struct resnet *block = command;
    printf("precision %.2f bits (largest error), %.2f bits (root of the mean square)\n",
           block->precision.max, block->precision.rms);
    printf("the polynomial of degree %llu is at most %.4f from ReLU on this image\n",
           (unsigned long long)block->degree, block->relu_error);
}

static json_t *members(const void *command) {
    const struct resnet *block = command;
    return json_pack("{s:{s:f, s:f}, s:f, s:I, s:I, s:I, s:I}", "precision_bits", "max",
                     block->precision.max, "rms", block->precision.rms, "relu_error",
                     block->relu_error, "channels", (json_int_t)block->channels, "height",
                     (json_int_t)block->height, "width", (json_int_t)block->width, "degree",
                     (json_int_t)block->degree);
}

fhec_status fh_cli_ckks_resnet(struct fh_cli *cli, int argc, char **argv) {
    static const struct fh_cli_circuit_kind kind = {
        .argp = &argp,
        .plan = plan,
        .circuit = make_circuit,
        .inputs = make_inputs,
        .outputs = compare_outputs,
        .print = print_outputs,
        .members = members,
    };
    struct resnet block = {.channels = DEFAULT_CHANNELS, .degree = DEFAULT_DEGREE};
    cli->command = "fhec ckks resnet";
    fhec_status status = fh_cli_circuit_main(cli, argc, argv, &block.run, &kind);
    free(block.weights);
    free(block.bias);
    free(block.image);
    free(block.out);
    return status;
}

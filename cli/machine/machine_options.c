/*
 * machine_options.c - the options of a machine.
 */
#include "machine_options.h"

#include <jansson.h>
#include <string.h>
#include <time.h>

#include "message.h"
#include "mutation.h"
#include "options.h"

enum {
    OPTION_ENGINE = 0x1100,
    OPTION_SIMD,
    OPTION_THREADS,
    OPTION_STATS,
    OPTION_MAX_STEPS,
    OPTION_SEED_MACHINE,
    OPTION_PATCH,
};

static const struct argp_option machine_options[] = {
    {"engine", OPTION_ENGINE, "ref|fast", 0, "One lane at a time, or whole warps (default fast)",
     5},
    {"simd", OPTION_SIMD, "LEVEL", 0, "portable, avx2, avx512 or best (default)", 5},
    {"threads", OPTION_THREADS, "N", 0,
     "Host threads (default: one per core); results are the same", 5},
    {"max-steps", OPTION_MAX_STEPS, "N", 0, "Fault after N warp instructions of a launch", 5},
    {"seed-machine", OPTION_SEED_MACHINE, "S|random|off", 0,
     "Addresses, what nobody has written, and the order of warps as seed S decides", 5},
    {"patch", OPTION_PATCH, "EDIT", 0,
     "Another instruction in a kernel: \"KERNEL+PC INSTRUCTION\", with \" launch N\" behind it in "
     "that launch only",
     5},
    {0},
};
static const struct argp_option stats_options[] = {
    {"stats", OPTION_STATS, "json", OPTION_ARG_OPTIONAL,
     "Print exact instruction counts by full mnemonic", 6},
    {0},
};

/* A seed that is not known before; it is told, so that the run can be repeated. */
static uint64_t random_seed(void) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    return ((uint64_t)now.tv_nsec ^ (uint64_t)now.tv_sec << 20) % 1000000007;
}

static void parse_seed(const struct argp_state *state, const char *arg,
                       struct fh_cli_machine *machine) {
    machine->seeded = strcmp(arg, "off") != 0;
    if (machine->seeded)
        machine->seed = strcmp(arg, "random") == 0
                            ? random_seed()
                            : fh_cli_number_option(state, "--seed-machine", arg, 0, UINT64_MAX);
}

static error_t parse_machine(int key, char *arg, struct argp_state *state) {
    struct fh_cli_machine *machine = state->input;
    static const char *const engines[] = {"fast", "ref", NULL};
    static const char *const levels[] = {"best", "portable", "avx2", "avx512", NULL};
    switch (key) {
    case OPTION_ENGINE:
        machine->options.engine =
            (fhec_engine)fh_cli_choice_option(state, "--engine", arg, engines);
        return 0;
    case OPTION_SIMD:
        machine->options.simd = (fhec_simd)fh_cli_choice_option(state, "--simd", arg, levels);
        return 0;
    case OPTION_THREADS:
        machine->options.threads = (unsigned)fh_cli_number_option(state, "--threads", arg, 1, 1024);
        return 0;
    case OPTION_MAX_STEPS:
        machine->max_steps = fh_cli_number_option(state, "--max-steps", arg, 1, UINT64_MAX);
        return 0;
    case OPTION_SEED_MACHINE: parse_seed(state, arg, machine); return 0;
    case OPTION_PATCH: fh_cli_patch_option(state, arg, &machine->patches); return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

const struct argp fh_cli_bare_machine_argp = {
    machine_options, parse_machine, NULL, NULL, NULL, NULL, NULL};

static error_t parse_stats(int key, char *arg, struct argp_state *state) {
    struct fh_cli_machine *machine = state->input;
    static const char *const formats[] = {"text", "json", NULL};
    switch (key) {
    case ARGP_KEY_INIT: state->child_inputs[0] = machine; return 0;
    case OPTION_STATS:
        machine->stats = FH_CLI_STATS_TEXT;
        if (arg && fh_cli_choice_option(state, "--stats", arg, formats) == 1)
            machine->stats = FH_CLI_STATS_JSON;
        return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp_child bare[] = {{&fh_cli_bare_machine_argp, 0, NULL, 0}, {0}};
const struct argp fh_cli_machine_argp = {stats_options, parse_stats, NULL, NULL, bare, NULL, NULL};

/* Another number for each use of the seed. */
static uint64_t mixed(uint64_t seed, uint64_t use) {
    uint64_t x = (seed + use * UINT64_C(0x9e3779b97f4a7c15)) ^ UINT64_C(0x2545f4914f6cdd1d);
    x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
    return x ^ x >> 31;
}

void fh_cli_machine_seed(fhec_machine_options *options, uint64_t seed) {
    options->fill_registers = (fhec_fill){FHEC_FILL_SEED, mixed(seed, 1)};
    options->fill_shared = (fhec_fill){FHEC_FILL_SEED, mixed(seed, 2)};
    options->fill_local = (fhec_fill){FHEC_FILL_SEED, mixed(seed, 3)};
    options->fill_global = (fhec_fill){FHEC_FILL_SEED, mixed(seed, 4)};
    options->placement = (fhec_placement){.seed = mixed(seed, 5) | 1, .borders = true};
    if (options->order.kind == FHEC_ORDER_DEFAULT)
        options->order = (fhec_order){.kind = FHEC_ORDER_SEED, .seed = mixed(seed, 6)};
}

fhec_status fh_cli_machine_new(const struct fh_cli *cli, const struct fh_cli_machine *settings,
                               fhec_machine **machine) {
    fhec_machine_options options = settings->options;
    if (settings->seeded) {
        fh_cli_machine_seed(&options, settings->seed);
        if (!settings->seed_is_told && !cli->silent)
            fh_cli_note(cli, "the machine is that of --seed-machine %llu",
                        (unsigned long long)settings->seed);
    }
    fhec_status status = fhec_machine_new(&options, machine);
    if (status == FHEC_BAD_INPUT)
        fh_cli_error(cli, status, "this host has no such --simd level");
    else if (status != FHEC_OK)
        fh_cli_no_memory(cli);
    else
        fhec_machine_count(*machine, settings->stats != FH_CLI_STATS_NONE);
    if (status == FHEC_OK)
        status = fh_cli_patches_apply(cli, &settings->patches, *machine);
    return status == FHEC_OK ? fh_cli_mutation_machine(cli, *machine) : status;
}

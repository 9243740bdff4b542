/*
 * machine_options.c - the options of a machine.
 */
#include "machine_options.h"

#include <jansson.h>
#include <time.h>

#include "message.h"
#include "options.h"

enum { OPTION_ENGINE = 0x1100, OPTION_SIMD, OPTION_THREADS, OPTION_STATS, OPTION_MAX_STEPS };

static const struct argp_option machine_options[] = {
    {"engine", OPTION_ENGINE, "ref|fast", 0, "One lane at a time, or whole warps (default fast)",
     5},
    {"simd", OPTION_SIMD, "LEVEL", 0, "portable, avx2, avx512 or best (default)", 5},
    {"threads", OPTION_THREADS, "N", 0,
     "Host threads (default: one per core); results are the same", 5},
    {"max-steps", OPTION_MAX_STEPS, "N", 0, "Fault after N warp instructions of a launch", 5},
    {"stats", OPTION_STATS, "json", OPTION_ARG_OPTIONAL,
     "Print exact instruction counts by full mnemonic", 6},
    {0},
};

static error_t parse_machine(int key, char *arg, struct argp_state *state) {
    struct fh_cli_machine *machine = state->input;
    static const char *const engines[] = {"fast", "ref", NULL};
    static const char *const levels[] = {"best", "portable", "avx2", "avx512", NULL};
    static const char *const formats[] = {"text", "json", NULL};
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
    case OPTION_STATS:
        machine->stats = FH_CLI_STATS_TEXT;
        if (arg && fh_cli_choice_option(state, "--stats", arg, formats) == 1)
            machine->stats = FH_CLI_STATS_JSON;
        return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

const struct argp fh_cli_machine_argp = {
    machine_options, parse_machine, NULL, NULL, NULL, NULL, NULL};

fhec_status fh_cli_machine_new(const struct fh_cli *cli, const struct fh_cli_machine *settings,
                               fhec_machine **machine) {
    fhec_status status = fhec_machine_new(&settings->options, machine);
    if (status == FHEC_BAD_INPUT)
        fh_cli_error(cli, status, "this host has no such --simd level");
    else if (status != FHEC_OK)
        fh_cli_no_memory(cli);
    else
        fhec_machine_count(*machine, settings->stats != FH_CLI_STATS_NONE);
    return status;
}

/*
 * machine.c - the options of a machine, and the report of a run: hashes and instruction counts.
 */
#include <jansson.h>
#include <string.h>
#include <time.h>

#include "cli.h"

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

double fh_cli_now(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static void print_text(const fhec_stats *stats, double wall_seconds) {
    printf("%llu warp instructions, %llu thread instructions, %llu launch%s, %.3f s\n",
           (unsigned long long)stats->warp_insts, (unsigned long long)stats->thread_insts,
           (unsigned long long)stats->launches, stats->launches == 1 ? "" : "es", wall_seconds);
    if (stats->fhec_cycles)
        printf("%llu cycles of the FHEC array\n", (unsigned long long)stats->fhec_cycles);
    printf("%-32s %-10s %14s %16s\n", "instruction", "class", "warp", "thread");
    for (size_t i = 0; i < stats->count_count; i++) {
        const fhec_count *count = &stats->counts[i];
        printf("%-32s %-10s %14llu %16llu\n", count->mnemonic, count->klass,
               (unsigned long long)count->warp, (unsigned long long)count->thread);
    }
}

static json_t *json_report(const fhec_stats *stats, double wall_seconds,
                           const struct fh_cli_hash *hashes, size_t hash_count) {
    json_t *opcodes = json_object();
    for (size_t i = 0; i < stats->count_count; i++) {
        const fhec_count *count = &stats->counts[i];
        json_object_set_new(opcodes, count->mnemonic,
                            json_pack("{s:I, s:I, s:s}", "warp", (json_int_t)count->warp, "thread",
                                      (json_int_t)count->thread, "class", count->klass));
    }
    json_t *report =
        json_pack("{s:I, s:I, s:o, s:I, s:f}", "warp_insts", (json_int_t)stats->warp_insts,
                  "thread_insts", (json_int_t)stats->thread_insts, "opcodes", opcodes, "launches",
                  (json_int_t)stats->launches, "wall_s", wall_seconds);
    if (stats->fhec_cycles)
        json_object_set_new(report, "fhec_cycles", json_integer((json_int_t)stats->fhec_cycles));
    if (hash_count == 1 && !hashes[0].name) {
        json_object_set_new(report, "hash", json_string(hashes[0].hex));
    } else if (hash_count) {
        json_t *names = json_object();
        for (size_t i = 0; i < hash_count; i++)
            json_object_set_new(names, hashes[i].name, json_string(hashes[i].hex));
        json_object_set_new(report, "hash", names);
    }
    return report;
}

fhec_status fh_cli_report(const struct fh_cli *cli, const struct fh_cli_machine *settings,
                          fhec_machine *machine, double wall_seconds,
                          const struct fh_cli_hash *hashes, size_t hash_count) {
    fhec_stats stats = {0};
    fhec_status status = machine ? fhec_machine_stats(machine, &stats) : FHEC_OK;
    if (status != FHEC_OK)
        return fh_cli_machine_error(cli, machine, status);
    if (settings->stats == FH_CLI_STATS_JSON) {
        json_t *report = json_report(&stats, wall_seconds, hashes, hash_count);
        if (!report || json_dumpf(report, stdout, JSON_INDENT(2)) != 0)
            status = fh_cli_no_memory(cli);
        putchar('\n');
        json_decref(report);
        return status;
    }
    for (size_t i = 0; i < hash_count; i++)
        printf(hashes[i].name ? "%s  %s\n" : "%s\n", hashes[i].hex, hashes[i].name);
    if (settings->stats == FH_CLI_STATS_TEXT)
        print_text(&stats, wall_seconds);
    return FHEC_OK;
}

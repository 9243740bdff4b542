/*
 * statistics.c - what a run prints at its end: hashes and instruction counts.
 */
#include "statistics.h"

#include <jansson.h>
#include <stdio.h>

#include "machine_options.h"
#include "message.h"

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

static json_t *json_statistics(const fhec_stats *stats, double wall_seconds,
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

static fhec_status print(const struct fh_cli *cli, const struct fh_cli_machine *settings,
                         const fhec_stats *stats, double wall_seconds,
                         const struct fh_cli_hash *hashes, size_t hash_count, json_t *members) {
    fhec_status status = FHEC_OK;
    if (settings->stats == FH_CLI_STATS_JSON) {
        json_t *report = json_statistics(stats, wall_seconds, hashes, hash_count);
        if (!report || (members && json_object_update(report, members) != 0) ||
            json_dumpf(report, stdout, JSON_INDENT(2)) != 0)
            status = fh_cli_no_memory(cli);
        putchar('\n');
        json_decref(report);
        return status;
    }
    for (size_t i = 0; i < hash_count; i++)
        printf(hashes[i].name ? "%s  %s\n" : "%s\n", hashes[i].hex, hashes[i].name);
    if (settings->stats == FH_CLI_STATS_TEXT)
        print_text(stats, wall_seconds);
    return FHEC_OK;
}

fhec_status fh_cli_print_statistics(const struct fh_cli *cli, const struct fh_cli_machine *settings,
                                    fhec_machine *machine, double wall_seconds,
                                    const struct fh_cli_hash *hashes, size_t hash_count,
                                    json_t *members) {
    fhec_stats stats = {0};
    fhec_status status = machine ? fhec_machine_stats(machine, &stats) : FHEC_OK;
    return status == FHEC_OK
               ? print(cli, settings, &stats, wall_seconds, hashes, hash_count, members)
               : fh_cli_machine_error(cli, machine, status);
}

fhec_status fh_cli_print_statistics_and(const struct fh_cli *cli,
                                        const struct fh_cli_machine *settings,
                                        const fhec_stats *stats, double wall_seconds,
                                        json_t *members) {
    return print(cli, settings, stats, wall_seconds, NULL, 0, members);
}

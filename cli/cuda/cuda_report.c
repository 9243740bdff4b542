/*
 * cuda_report.c - see cuda_report.h.
 */
#include "cuda_report.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernel_names.h"
#include "message.h"

struct fh_cli_cuda_kernel {
    char *name;
    char *shown; /* the name as the source has it; NULL: it is the same */
    uint64_t launches, warp, thread;
    double seconds;
    json_t *opcodes; /* mnemonic: {warp, thread} */
};

struct fh_cli_cuda_launched {
    size_t kernel;
    uint32_t grid[3], block[3], shared;
    uint64_t warp, thread;
    double seconds;
};

bool fh_cli_cuda_reports(const struct fh_cli_cuda_options *options) {
    return options->kernels || options->each || options->machine.stats != FH_CLI_STATS_NONE;
}

void fh_cli_cuda_report_begin(struct fh_cli_cuda_report *report, const fhec_launch *launch) {
    (void)launch;
    fhec_machine_clear_stats(report->machine);
}

static const char *shown(const struct fh_cli_cuda_kernel *kernel) {
    return kernel->shown ? kernel->shown : kernel->name;
}

static struct fh_cli_cuda_kernel *kernel_of(struct fh_cli_cuda_report *report, const char *name) {
    for (size_t i = 0; i < report->kernel_count; i++)
        if (strcmp(report->kernels[i].name, name) == 0)
            return &report->kernels[i];
    struct fh_cli_cuda_kernel *list =
        realloc(report->kernels, (report->kernel_count + 1) * sizeof *list);
    if (!list)
        return NULL;
    report->kernels = list;
    struct fh_cli_cuda_kernel *k = &list[report->kernel_count];
    *k = (struct fh_cli_cuda_kernel){.name = strdup(name), .opcodes = json_object()};
    if (!k->name || !k->opcodes)
        return NULL;
    k->shown = fh_cli_demangled(name);
    report->kernel_count++;
    return k;
}

static void add_counts(json_t *opcodes, const fhec_stats *stats) {
    for (size_t i = 0; i < stats->count_count; i++) {
        const fhec_count *c = &stats->counts[i];
        const json_t *before = json_object_get(opcodes, c->mnemonic);
        const json_int_t warp = json_integer_value(json_object_get(before, "warp"));
        const json_int_t thread = json_integer_value(json_object_get(before, "thread"));
        json_object_set_new(opcodes, c->mnemonic,
                            json_pack("{sIsI}", "warp", warp + (json_int_t)c->warp, "thread",
                                      thread + (json_int_t)c->thread));
    }
}

static void add_launch(struct fh_cli_cuda_report *report, const struct fh_cli_cuda_launched *one) {
    struct fh_cli_cuda_launched *list = report->launches;
    if ((report->launch_count & (report->launch_count - 1)) == 0) { /* a power of two, or none */
        const size_t room = report->launch_count ? 2 * report->launch_count : 1;
        list = realloc(list, room * sizeof *list);
        if (!list) {
            report->lost = true;
            return;
        }
        report->launches = list;
    }
    list[report->launch_count++] = *one;
}

void fh_cli_cuda_report_end(struct fh_cli_cuda_report *report, const fhec_launch *launch,
                            double seconds) {
    fhec_kernel_info info;
    fhec_stats stats;
    fhec_kernel_get(launch->program, launch->kernel, &info);
    struct fh_cli_cuda_kernel *k = kernel_of(report, info.name);
    if (!k || fhec_machine_stats(report->machine, &stats) != FHEC_OK) {
        report->lost = true;
        return;
    }
    k->launches++;
    k->warp += stats.warp_insts;
    k->thread += stats.thread_insts;
    k->seconds += seconds;
    add_counts(k->opcodes, &stats);
    struct fh_cli_cuda_launched one = {.kernel = (size_t)(k - report->kernels),
                                       .shared = launch->dynamic_shared,
                                       .warp = stats.warp_insts,
                                       .thread = stats.thread_insts,
                                       .seconds = seconds};
    memcpy(one.grid, launch->grid, sizeof one.grid);
    memcpy(one.block, launch->block, sizeof one.block);
    add_launch(report, &one);
}

/* ---------------------------------------------------------------- as text */

static void print_opcodes(FILE *to, json_t *opcodes) {
    const char *name;
    json_t *count;
    json_object_foreach(opcodes, name, count) fprintf(
        to, "%20lld %16lld  %s\n", (long long)json_integer_value(json_object_get(count, "warp")),
        (long long)json_integer_value(json_object_get(count, "thread")), name);
}

static void print_kernels(FILE *to, const struct fh_cli_cuda_report *r, bool opcodes) {
    struct fh_cli_cuda_kernel all = {0};
    fprintf(to, "%9s %14s %16s %10s  %s\n", "launches", "warp insts", "thread insts", "seconds",
            "kernel");
    for (size_t i = 0; i < r->kernel_count; i++) {
        const struct fh_cli_cuda_kernel *k = &r->kernels[i];
        fprintf(to, "%9llu %14llu %16llu %10.3f  %s\n", (unsigned long long)k->launches,
                (unsigned long long)k->warp, (unsigned long long)k->thread, k->seconds, shown(k));
        if (opcodes)
            print_opcodes(to, k->opcodes);
        all.launches += k->launches;
        all.warp += k->warp;
        all.thread += k->thread;
        all.seconds += k->seconds;
    }
    fprintf(to, "%9llu %14llu %16llu %10.3f  together\n", (unsigned long long)all.launches,
            (unsigned long long)all.warp, (unsigned long long)all.thread, all.seconds);
}

static void print_launches(FILE *to, const struct fh_cli_cuda_report *r) {
    for (size_t i = 0; i < r->launch_count; i++) {
        const struct fh_cli_cuda_launched *l = &r->launches[i];
        fprintf(to, "launch %zu: %s<<<(%u, %u, %u), (%u, %u, %u), %u>>>: %llu warp insts, %.6f s\n",
                i + 1, shown(&r->kernels[l->kernel]), l->grid[0], l->grid[1], l->grid[2],
                l->block[0], l->block[1], l->block[2], l->shared, (unsigned long long)l->warp,
                l->seconds);
    }
}

/* ---------------------------------------------------------------- as JSON */

static json_t *kernels_json(const struct fh_cli_cuda_report *r) {
    json_t *list = json_array();
    for (size_t i = 0; i < r->kernel_count; i++) {
        const struct fh_cli_cuda_kernel *k = &r->kernels[i];
        json_array_append_new(list,
                              json_pack("{sssssIsIsIsfsO}", "kernel", k->name, "shown", shown(k),
                                        "launches", (json_int_t)k->launches, "warp_insts",
                                        (json_int_t)k->warp, "thread_insts", (json_int_t)k->thread,
                                        "wall_s", k->seconds, "opcodes", k->opcodes));
    }
    return list;
}

static json_t *launches_json(const struct fh_cli_cuda_report *r) {
    json_t *list = json_array();
    for (size_t i = 0; i < r->launch_count; i++) {
        const struct fh_cli_cuda_launched *l = &r->launches[i];
        json_array_append_new(list, json_pack("{sss[iii]s[iii]sisIsIsf}", "kernel",
                                              r->kernels[l->kernel].name, "grid", l->grid[0],
                                              l->grid[1], l->grid[2], "block", l->block[0],
                                              l->block[1], l->block[2], "shared", l->shared,
                                              "warp_insts", (json_int_t)l->warp, "thread_insts",
                                              (json_int_t)l->thread, "wall_s", l->seconds));
    }
    return list;
}

static void print_json(FILE *to, const struct fh_cli_cuda_report *r) {
    json_t *all = json_pack("{sisoso}", "version", 1, "kernels", kernels_json(r), "launches",
                            launches_json(r));
    json_dumpf(all, to, JSON_INDENT(1));
    fputc('\n', to);
    json_decref(all);
}

static void forget(struct fh_cli_cuda_report *r) {
    for (size_t i = 0; i < r->kernel_count; i++) {
        free(r->kernels[i].name);
        free(r->kernels[i].shown);
        json_decref(r->kernels[i].opcodes);
    }
    free(r->kernels);
    free(r->launches);
    *r = (struct fh_cli_cuda_report){0};
}

fhec_status fh_cli_cuda_report_print(const struct fh_cli *cli,
                                     const struct fh_cli_cuda_options *options,
                                     struct fh_cli_cuda_report *r, FILE *to) {
    const bool lost = r->lost;
    if (options->machine.stats == FH_CLI_STATS_JSON) {
        print_json(to, r);
    } else if (fh_cli_cuda_reports(options)) {
        if (options->each)
            print_launches(to, r);
        print_kernels(to, r, options->machine.stats == FH_CLI_STATS_TEXT);
    }
    forget(r);
    return lost ? fh_cli_no_memory(cli) : FHEC_OK;
}

/*
 * report_apps.c - counts applications: see report_apps.h.
 */
#include "report_apps.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "interrupt.h"
#include "message.h"
#include "progress.h"
#include "report_form.h"
#include "workload.h"

fhec_status fh_cli_apps_read(const struct fh_cli *cli, const char *const *names, size_t count,
                             struct fh_cli_apps *apps) {
    fhec_status status = FHEC_OK;
    apps->apps = calloc(count ? count : 1, sizeof *apps->apps);
    if (!apps->apps)
        return fh_cli_no_memory(cli);
    for (size_t i = 0; i < count && status == FHEC_OK; i++)
        status = fh_cli_app_read(cli, names[i], &apps->apps[apps->app_count++]);
    return status;
}

void fh_cli_apps_free(struct fh_cli_apps *apps) {
    for (size_t i = 0; i < apps->app_count; i++)
        fh_cli_app_free(&apps->apps[i]);
    free(apps->apps);
    free(apps->counts);
    *apps = (struct fh_cli_apps){.apps = NULL};
}

const struct fh_cli_app_count *fh_cli_apps_find(const struct fh_cli_apps *apps,
                                                const struct fh_cli_app_reading *reading,
                                                const char *map) {
    for (size_t i = 0; i < apps->count; i++)
        if (apps->counts[i].reading == reading && !strcmp(apps->counts[i].map->name, map))
            return &apps->counts[i];
    return NULL;
}

const struct fh_cli_app_count *fh_cli_apps_base(const struct fh_cli_apps *apps,
                                                const struct fh_cli_app *app,
                                                const struct fh_cli_app_reading *reading) {
    for (size_t i = 0; reading->beside && i < app->reading_count; i++)
        if (!strcmp(app->readings[i].name, reading->beside))
            return fh_cli_apps_find(apps, &app->readings[i], FH_CLI_PUBLISHED_BASELINE);
    return fh_cli_apps_find(apps, reading, FH_CLI_PUBLISHED_BASELINE);
}

uint64_t fh_cli_app_sum_warp(const struct fh_app_sum *sum) {
    const struct fh_part_profile all = fh_profile_sum(&sum->profile);
    return fh_profile_warp(&all);
}

uint64_t fh_cli_app_warp(const struct fh_cli_app_count *count, enum fh_app_form form) {
    return fh_cli_app_sum_warp(&count->forms[form]);
}

double fh_cli_app_hemults(const struct fh_cli_app_count *count, enum fh_app_form form) {
    const uint64_t hemult = fh_cli_app_sum_warp(&count->primitives[FH_CLI_APP_HEMULT]);
    return hemult ? (double)fh_cli_app_warp(count, form) / (double)hemult : 0;
}

/* ---------------------------------------------------------------- the chain of a reading */

struct chain {
    uint64_t moduli[FH_GOLDEN_CKKS_MAX_CHAIN], base_moduli[4];
    struct fh_ckks_params params, base;
};

static const struct fh_cli_app_primes *primes_of(const struct fh_cli_app_count *count) {
    return &count->reading->primes[count->map->word_bits == 64];
}

/* Whether primitives of both are the same kernels on the same data. */
static bool same_chain(const struct fh_cli_app_count *a, const struct fh_cli_app_count *b) {
    const struct fh_cli_app_primes *p = primes_of(a), *q = primes_of(b);
    const fh_golden_ckks_boot_params *m = &a->reading->plan, *n = &b->reading->plan;
    if (a->map != b->map || a->reading->limbs != b->reading->limbs ||
        a->reading->alpha != b->reading->alpha || a->reading->dnum != b->reading->dnum ||
        p->planned != q->planned)
        return false;
    return p->planned ? m->per_level == n->per_level && m->scale_bits == n->scale_bits &&
                            m->base_bits == n->base_bits && m->extension_bits == n->extension_bits
                      : p->bits == q->bits;
}

static fhec_status make_chain(const struct fh_cli *cli, struct fh_cli_app_count *count,
                              unsigned log2_n, const struct fh_run_options *options,
                              struct chain *chain) {
    const struct fh_cli_app_reading *reading = count->reading;
    const struct fh_cli_app_primes *primes = primes_of(count);
    fh_golden_ckks_boot_params plan = reading->plan;
    fh_golden_ckks_params params = {log2_n,         primes->bits,  reading->limbs,
                                    reading->alpha, reading->dnum, NULL};
    plan.log2_n = count->app->log2_n > log2_n ? count->app->log2_n : log2_n;
    const fh_golden_status status = primes->planned
                                        ? fh_golden_ckks_boot_moduli(&plan, chain->moduli)
                                        : fh_golden_ckks_chain(&params, chain->moduli);
    if (status != FH_GOLDEN_OK)
        return fh_cli_golden_error(cli, status, "the chain of primes");
    const size_t low = reading->has_plan ? plan.per_level : 1;
    for (size_t j = 0; j < low; j++) {
        chain->base_moduli[j] = chain->moduli[j];
        chain->base_moduli[low + j] = chain->moduli[reading->limbs + j];
    }
    params.moduli = chain->moduli;
    chain->params = chain->base =
        (struct fh_ckks_params){.map = count->map->name, .chain = params, .options = *options};
    chain->base.chain = (fh_golden_ckks_params){log2_n, 0, low, low, 1, chain->base_moduli};
    for (size_t i = 0; i < reading->limbs; i++)
        while (chain->moduli[i] >> count->bits)
            count->bits++;
    return FHEC_OK;
}

/* ---------------------------------------------------------------- counting */

static fhec_status count_primitives(struct fh_app_counter *counter, struct fh_cli_app_count *count,
                                    struct fh_error *error) {
    static const fh_golden_ckks_kind kinds[FH_CLI_APP_PRIMITIVES] = {
        [FH_CLI_APP_RESCALE] = FH_GOLDEN_CKKS_RESCALE,
        [FH_CLI_APP_ROTATE] = FH_GOLDEN_CKKS_ROTATE,
        [FH_CLI_APP_HEMULT] = FH_GOLDEN_CKKS_HEMULT,
    };
    const size_t limbs = count->reading->limbs, wanted = count->wanted.rescale_limbs;
    fhec_status status = FHEC_OK;
    for (unsigned p = 0; p < FH_CLI_APP_PRIMITIVES && status == FHEC_OK; p++) {
        const size_t drop = p != FH_CLI_APP_RESCALE ? 0 : wanted ? wanted : 1;
        struct fh_app_use use = {
            {.kind = kinds[p], .level = limbs, .result_level = limbs - drop, .drop = drop},
            false,
            1};
        if (count->wanted.primitives[p])
            status = fh_app_counter_sum(counter, &(struct fh_app_uses){&use, 1, 1},
                                        &count->primitives[p], error);
    }
    return status;
}

static fhec_status count_parts(struct fh_app_counter *counter, struct fh_cli_app_count *count,
                               struct fh_error *error) {
    const struct fh_cli_app_reading *reading = count->reading;
    fhec_status status = count_primitives(counter, count, error);
    for (unsigned form = 0; form < FH_APP_FORMS; form++)
        for (size_t i = 0; count->wanted.forms[form] && i < reading->part_count; i++) {
            const uint64_t before = fh_cli_app_warp(count, form);
            if (status == FHEC_OK)
                status = fh_app_counter_sum(counter, &reading->parts[i].uses[form],
                                            &count->forms[form], error);
            count->parts[i] = fh_cli_app_warp(count, form) - before;
        }
    count->done = true;
    return status;
}

/* The first reading, with which the chain is made, and all that have the same one. */
static fhec_status count_chain(const struct fh_cli *cli, fhec_machine *machine,
                               const struct fh_run_options *options,
                               const struct fh_app_meter *meter, struct fh_cli_apps *apps,
                               size_t first) {
    struct fh_cli_app_count *counts = apps->counts;
    struct fh_app_counter *counter = NULL;
    struct fh_error error = {""};
    struct chain chain;
    fhec_status status = make_chain(cli, &counts[first], apps->log2_n, options, &chain);
    if (status != FHEC_OK)
        return status;
    struct fh_cli_progress *line =
        fh_cli_progress_start(cli, machine, "%s: %s, %s: tables", cli->command,
                              counts[first].map->name, counts[first].app->name);
    status = fh_cli_program_error(
        cli, machine, fh_app_counter_begin(machine, &chain.params, &chain.base, &counter, &error),
        &error);
    fh_cli_progress_stop(line);
    if (status == FHEC_OK && meter)
        fh_app_counter_meter(counter, meter);
    for (size_t i = first; i < apps->count && status == FHEC_OK; i++) {
        if (counts[i].done || !same_chain(&counts[first], &counts[i]))
            continue;
        counts[i].bits = counts[first].bits;
        line = fh_cli_progress_start(cli, machine, "%s: %s, %s, reading %s", cli->command,
                                     counts[i].map->name, counts[i].app->name,
                                     counts[i].reading->name);
        status =
            fh_cli_program_error(cli, machine, count_parts(counter, &counts[i], &error), &error);
        fh_cli_progress_stop(line);
    }
    fh_app_counter_end(counter);
    return status;
}

fhec_status fh_cli_apps_add(const struct fh_cli *cli, struct fh_cli_apps *apps,
                            const struct fh_cli_app *app, const struct fh_cli_app_reading *reading,
                            const struct fh_map *map, const struct fh_cli_app_wanted *wanted) {
    if (apps->count == apps->room) {
        const size_t room = apps->room ? 2 * apps->room : 32;
        struct fh_cli_app_count *grown = realloc(apps->counts, room * sizeof *grown);
        if (!grown)
            return fh_cli_no_memory(cli);
        apps->counts = grown;
        apps->room = room;
    }
    apps->counts[apps->count++] =
        (struct fh_cli_app_count){.map = map, .app = app, .reading = reading, .wanted = *wanted};
    return FHEC_OK;
}

fhec_status fh_cli_apps_add_all(const struct fh_cli *cli, struct fh_cli_apps *apps,
                                const struct fh_map *const *maps, size_t map_count) {
    struct fh_cli_app_wanted wanted = {.primitives[FH_CLI_APP_HEMULT] = true};
    fhec_status status = FHEC_OK;
    for (unsigned form = 0; form < FH_APP_FORMS; form++)
        wanted.forms[form] = true;
    for (size_t a = 0; a < apps->app_count; a++)
        for (size_t r = 0; r < apps->apps[a].reading_count; r++)
            for (size_t m = 0; m < map_count && status == FHEC_OK; m++) {
                const struct fh_cli_app_reading *reading = &apps->apps[a].readings[r];
                if ((maps[m]->workloads & FH_WORKLOAD_CKKS) &&
                    reading->primes[maps[m]->word_bits == 64].given)
                    status = fh_cli_apps_add(cli, apps, &apps->apps[a], reading, maps[m], &wanted);
            }
    return status;
}

fhec_status fh_cli_apps_count(const struct fh_cli *cli, fhec_machine *machine, unsigned log2_n,
                              const struct fh_run_options *options,
                              const struct fh_app_meter *meter, struct fh_cli_apps *apps) {
    fhec_status status = FHEC_OK;
    apps->log2_n = log2_n;
    fh_cli_interrupt_begin(machine);
    for (size_t i = 0; i < apps->count && status == FHEC_OK; i++)
        if (!apps->counts[i].done)
            status = count_chain(cli, machine, options, meter, apps, i);
    fh_cli_interrupt_end();
    return status;
}

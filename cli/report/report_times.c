/*
 * report_times.c - see report_times.h.
 */
#include "report_times.h"

#include <stdlib.h>
#include <string.h>

#include "message.h"
#include "report_form.h"
#include "time_options.h"
#include "time_report.h"

/* The shapes of the primitives: those at which the library that the paper counts meets its figures
 * (fh_cli_published), with primes of 60 bits; in words of 32 bits two primes of 30 for each of
 * these, which Rescale drops together. One log2 of QP on both sides. */
enum { SHAPES = 2 };
static const struct shape {
    struct fh_cli_app_reading sides[FH_CLI_TIME_SIDES];
    bool primitives[FH_CLI_APP_PRIMITIVES];
} shapes[SHAPES] = {
    {{[FH_CLI_TIME_BASE] =
          {.name = "64-bit", .limbs = 11, .alpha = 4, .dnum = 3, .primes[1] = {true, false, 60}},
      [FH_CLI_TIME_FHEC] =
          {.name = "32-bit", .limbs = 22, .alpha = 8, .dnum = 3, .primes[0] = {true, false, 30}}},
     {[FH_CLI_APP_RESCALE] = true, [FH_CLI_APP_HEMULT] = true}},
    {{[FH_CLI_TIME_BASE] =
          {.name = "64-bit", .limbs = 12, .alpha = 4, .dnum = 3, .primes[1] = {true, false, 60}},
      [FH_CLI_TIME_FHEC] =
          {.name = "32-bit", .limbs = 24, .alpha = 8, .dnum = 3, .primes[0] = {true, false, 30}}},
     {[FH_CLI_APP_ROTATE] = true}},
};
static const struct fh_cli_app primitives_app = {.name = "primitives"};

/* What its form is that applications are composed of. */
enum { FORM = FH_APP_FUSED_HOISTED };

const char *fh_cli_app_primitive_name(enum fh_cli_app_primitive primitive) {
    static const char *const names[] = {
        [FH_CLI_APP_RESCALE] = "Rescale",
        [FH_CLI_APP_ROTATE] = "Rotate",
        [FH_CLI_APP_HEMULT] = "HEMult",
    };
    return names[primitive];
}

void fh_cli_times_free(struct fh_cli_times *times) {
    for (unsigned side = 0; side < FH_CLI_TIME_SIDES; side++)
        fh_cli_apps_free(&times->sides[side]);
    fh_cli_apps_free(&times->apps);
}

/* ---------------------------------------------------------------- numbers */

double fh_cli_time_us(const struct fh_cli_times *times, enum fh_cli_time_side side,
                      uint64_t cycles) {
    return (double)cycles / times->machines[side].clock_mhz;
}

double fh_cli_time_issue_us(const struct fh_cli_times *times, enum fh_cli_time_side side,
                            uint64_t warp_insts) {
    const struct fh_time_machine *m = &times->machines[side];
    const double schedulers = (double)m->sms * m->schedulers;
    return (double)warp_insts * m->slot / schedulers / m->clock_mhz;
}

double fh_cli_time_launch_us(const struct fh_cli_times *times, enum fh_cli_time_side side,
                             uint64_t launches) {
    return fh_cli_time_us(times, side, launches * times->machines[side].launch);
}

double fh_cli_time_hbm_us(const struct fh_cli_times *times, enum fh_cli_time_side side,
                          uint64_t bytes) {
    return (double)bytes / times->machines[side].hbm_bandwidth / 1e3;
}

double fh_cli_time_speedup(const struct fh_cli_times *times, const struct fh_cli_time_row *row) {
    const double base =
        fh_cli_time_us(times, FH_CLI_TIME_BASE, row->amounts[FH_CLI_TIME_BASE].cycles);
    const double fhec =
        fh_cli_time_us(times, FH_CLI_TIME_FHEC, row->amounts[FH_CLI_TIME_FHEC].cycles);
    return fhec > 0 ? base / fhec : 0;
}

double fh_cli_time_published_speedup(const struct fh_cli_time_row *row) {
    return row->published_us[FH_CLI_TIME_FHEC] > 0
               ? row->published_us[FH_CLI_TIME_BASE] / row->published_us[FH_CLI_TIME_FHEC]
               : 0;
}

/* ---------------------------------------------------------------- running */

enum { METER_CYCLES, METER_HBM, METER_LAUNCHES };

static void read_timer(void *user, uint64_t values[FH_APP_METERS]) {
    const struct fh_timed_kernel *kernel;
    for (size_t i = 0; (kernel = fh_timer_kernel(user, i)) != NULL; i++) {
        values[METER_CYCLES] += kernel->cycles;
        values[METER_HBM] += kernel->hbm_cycles;
        values[METER_LAUNCHES] += kernel->launches;
    }
}

/* Counts what is not yet counted of `apps`, on a machine of this side with `line` changed (NULL:
 * as it is). *machine is its description. */
static fhec_status run_side(const struct fh_cli *cli, const struct fh_cli_times_wanted *wanted,
                            enum fh_cli_time_side side, const char *line, struct fh_cli_apps *apps,
                            struct fh_time_machine *machine) {
    const struct fh_cli_time_options options = {
        .machine = wanted->machines[side], .changes = &line, .change_count = line != NULL};
    struct fh_cli_machine settings = *wanted->settings;
    struct fh_timer *timer;
    fhec_machine *emulated = NULL;
    fhec_status status = fh_cli_timer_new(cli, &options, &timer);
    if (status != FHEC_OK)
        return status;
    const struct fh_app_meter meter = {read_timer, timer};
    *machine = *fh_timer_machine(timer);
    settings.options.order = fh_timer_order(timer);
    status = fh_cli_machine_new(cli, &settings, &emulated);
    if (status == FHEC_OK && fh_timer_attach(timer, emulated) != FHEC_OK)
        status = fh_cli_no_memory(cli);
    if (status == FHEC_OK) {
        status = fh_cli_apps_count(cli, emulated, wanted->log2_n, &wanted->options, &meter, apps);
        fh_timer_detach(timer);
    }
    if (status == FHEC_OK && fh_timer_failed(timer))
        status = fh_cli_error(cli, FHEC_BAD_INPUT, "%s", fh_timer_failed(timer));
    fhec_machine_free(emulated);
    fh_timer_free(timer);
    return status;
}

/* ---------------------------------------------------------------- what is timed */

/* The reading that this one stands beside; if none, itself. */
static const struct fh_cli_app_reading *beside(const struct fh_cli_app *app,
                                               const struct fh_cli_app_reading *reading) {
    for (size_t i = 0; reading->beside && i < app->reading_count; i++)
        if (!strcmp(app->readings[i].name, reading->beside))
            return &app->readings[i];
    return reading;
}

/* Readings of one log2 of QP on both sides are those that stand beside another one; of an
 * application without such all are taken that both maps have primes for. */
static bool is_timed(const struct fh_cli_app *app, const struct fh_cli_app_reading *reading) {
    bool any = false;
    for (size_t i = 0; i < app->reading_count; i++)
        any = any || app->readings[i].beside;
    return reading->primes[0].given && beside(app, reading)->primes[1].given &&
           (!any || reading->beside);
}

static const struct fh_cli_app_wanted only_parts = {.forms[FORM] = true};

/* All readings that are timed, each on both sides: entries of one number in both. */
static fhec_status add_pairs(const struct fh_cli *cli, const struct fh_map *const *maps,
                             const struct fh_cli_app *app,
                             struct fh_cli_apps sides[FH_CLI_TIME_SIDES]) {
    const size_t before = sides[0].count;
    fhec_status status = FHEC_OK;
    for (size_t r = 0; r < app->reading_count; r++) {
        const struct fh_cli_app_reading *of[FH_CLI_TIME_SIDES] = {
            [FH_CLI_TIME_BASE] = beside(app, &app->readings[r]),
            [FH_CLI_TIME_FHEC] = &app->readings[r]};
        for (unsigned side = 0; side < FH_CLI_TIME_SIDES && status == FHEC_OK; side++)
            if (is_timed(app, &app->readings[r]))
                status = fh_cli_apps_add(cli, &sides[side], app, of[side], maps[side], &only_parts);
    }
    if (status == FHEC_OK && sides[0].count == before)
        status = fh_cli_error(cli, FHEC_BAD_INPUT,
                              "%s has no reading with primes of both widths, so that it cannot be "
                              "timed",
                              app->name);
    return status;
}

/* Both sides, with one line of their machines changed where lines[side] is not NULL. */
static fhec_status run_sides(const struct fh_cli *cli, const struct fh_cli_times_wanted *wanted,
                             const char *const lines[FH_CLI_TIME_SIDES],
                             struct fh_cli_apps sides[FH_CLI_TIME_SIDES],
                             struct fh_time_machine machines[FH_CLI_TIME_SIDES]) {
    fhec_status status = FHEC_OK;
    for (unsigned side = 0; side < FH_CLI_TIME_SIDES && status == FHEC_OK; side++)
        status = run_side(cli, wanted, side, lines[side], &sides[side], &machines[side]);
    return status;
}

/* The first pairs: one of each shape. */
static fhec_status add_primitives(const struct fh_cli *cli, const struct fh_map *const *maps,
                                  struct fh_cli_apps sides[FH_CLI_TIME_SIDES]) {
    fhec_status status = FHEC_OK;
    for (size_t i = 0; i < SHAPES; i++) {
        const struct fh_cli_app_reading *of = shapes[i].sides;
        for (unsigned side = 0; side < FH_CLI_TIME_SIDES && status == FHEC_OK; side++) {
            struct fh_cli_app_wanted wanted = {.rescale_limbs =
                                                   of[side].limbs / of[FH_CLI_TIME_BASE].limbs};
            memcpy(wanted.primitives, shapes[i].primitives, sizeof wanted.primitives);
            status =
                fh_cli_apps_add(cli, &sides[side], &primitives_app, &of[side], maps[side], &wanted);
        }
    }
    return status;
}

/* The pair that the primitive is counted in. */
static size_t pair_of(enum fh_cli_app_primitive primitive) {
    size_t i = 0;
    while (!shapes[i].primitives[primitive])
        i++;
    return i;
}

static fhec_status add_wanted(const struct fh_cli *cli, const struct fh_cli_times_wanted *wanted,
                              struct fh_cli_times *times) {
    fhec_status status = FHEC_OK;
    if (wanted->primitives)
        status = add_primitives(cli, wanted->maps, times->sides);
    for (size_t i = 0; i < wanted->name_count && status == FHEC_OK; i++)
        status = add_pairs(cli, wanted->maps, &times->apps.apps[i], times->sides);
    if (status == FHEC_OK && FH_CLI_APP_PRIMITIVES + times->sides[0].count > FH_CLI_TIME_ROWS)
        status = fh_cli_error(cli, FHEC_BAD_INPUT, "more than %d readings to time",
                              FH_CLI_TIME_ROWS - FH_CLI_APP_PRIMITIVES);
    return status;
}

/* ---------------------------------------------------------------- rows */

/* Bytes of the switching key that a primitive of all limbs reads. */
static uint64_t key_bytes(const struct fh_cli_times *times, const struct fh_cli_app_count *count,
                          enum fh_cli_app_primitive primitive) {
    const struct fh_cli_app_reading *r = count->reading;
    const uint64_t digits = (r->limbs + r->alpha - 1) / r->alpha;
    return primitive == FH_CLI_APP_RESCALE
               ? 0
               : 2 * digits * (r->limbs + r->alpha) * (count->map->word_bits / 8) << times->log2_n;
}

static struct fh_cli_time_amount amount_of(const struct fh_app_sum *sum) {
    return (struct fh_cli_time_amount){.warp_insts = fh_cli_app_sum_warp(sum),
                                       .cycles = sum->metered[METER_CYCLES],
                                       .hbm_cycles = sum->metered[METER_HBM],
                                       .launches = sum->metered[METER_LAUNCHES]};
}

static struct fh_cli_time_row *new_row(struct fh_cli_times *times, size_t pair) {
    struct fh_cli_time_row *row = &times->rows[times->row_count++];
    for (unsigned side = 0; side < FH_CLI_TIME_SIDES; side++)
        row->counts[side] = &times->sides[side].counts[pair];
    return row;
}

static bool is_published(const struct fh_cli_times *times) {
    return times->log2_n == 16;
}

static void primitive_rows(struct fh_cli_times *times) {
    static const enum fh_comparison_kernel published[FH_CLI_APP_PRIMITIVES] = {
        [FH_CLI_APP_RESCALE] = FH_COMPARISON_RESCALE,
        [FH_CLI_APP_ROTATE] = FH_COMPARISON_ROTATE,
        [FH_CLI_APP_HEMULT] = FH_COMPARISON_HEMULT,
    };
    for (unsigned p = 0; p < FH_CLI_APP_PRIMITIVES; p++) {
        struct fh_cli_time_row *row = new_row(times, pair_of(p));
        snprintf(row->name, sizeof row->name, "%s", fh_cli_app_primitive_name(p));
        row->same_work = true;
        for (unsigned side = 0; side < FH_CLI_TIME_SIDES; side++) {
            row->amounts[side] = amount_of(&row->counts[side]->primitives[p]);
            row->amounts[side].key_bytes = key_bytes(times, row->counts[side], p);
        }
        for (size_t i = 0; i < FH_CLI_PUBLISHED_COUNT; i++)
            if (fh_cli_published[i].kernel == published[p] && is_published(times)) {
                row->published_us[FH_CLI_TIME_BASE] = fh_cli_published[i].baseline_us;
                row->published_us[FH_CLI_TIME_FHEC] = fh_cli_published[i].fhec_us;
                row->published_warp[FH_CLI_TIME_BASE] = fh_cli_published[i].baseline;
                row->published_warp[FH_CLI_TIME_FHEC] = fh_cli_published[i].fhec;
            }
    }
}

static void app_row(struct fh_cli_times *times, size_t pair) {
    struct fh_cli_time_row *row = new_row(times, pair);
    const struct fh_cli_app_count *fhec = row->counts[FH_CLI_TIME_FHEC];
    const struct fh_cli_app *app = fhec->app;
    snprintf(row->name, sizeof row->name, "%s %s", app->name, fhec->reading->name);
    for (unsigned side = 0; side < FH_CLI_TIME_SIDES; side++)
        row->amounts[side] = amount_of(&row->counts[side]->forms[FORM]);
    if (app->published.given && is_published(times)) {
        row->same_work = app->published.same_work;
        row->published_us[FH_CLI_TIME_BASE] = 1e3 * app->published.base_ms;
        row->published_us[FH_CLI_TIME_FHEC] = 1e3 * app->published.fhec_ms;
        row->published_warp[FH_CLI_TIME_BASE] = app->published.base;
        row->published_warp[FH_CLI_TIME_FHEC] = app->published.fhec;
    }
}

/* ---------------------------------------------------------------- sensitivity */

/* What nobody states of these machines, or not once: docs/machines.md. */
static const struct fh_cli_time_variant variants[] = {
    {.line = "op FHEC interval 8", .fhec_only = true},
    {.line = "op FHEC interval 24", .fhec_only = true},
    {.line = "op FHEC interval 44", .fhec_only = true},
    {.line = "op FHEC latency 54", .fhec_only = true},
    {.line = "op FHEC latency 64", .fhec_only = true},
    {.line = "clock 1410"},
    {.line = "launch 0"},
    {.line = "hbm 1555"},
    {.line = "hbm 2039"},
    {.line = "op IMAD.HI interval 2"},
    {.line = "policy greedy-oldest"},
};
_Static_assert(sizeof variants / sizeof *variants <= FH_CLI_TIME_VARIANTS, "room for all");

static fhec_status run_variant(const struct fh_cli *cli, const struct fh_cli_times_wanted *wanted,
                               struct fh_cli_times *times, struct fh_cli_time_variant *variant) {
    const char *const lines[FH_CLI_TIME_SIDES] = {[FH_CLI_TIME_BASE] =
                                                      variant->fhec_only ? NULL : variant->line,
                                                  [FH_CLI_TIME_FHEC] = variant->line};
    struct fh_cli_apps sides[FH_CLI_TIME_SIDES] = {{.apps = NULL}};
    fhec_status status = add_primitives(cli, wanted->maps, sides);
    for (unsigned side = 0; side < FH_CLI_TIME_SIDES && status == FHEC_OK; side++) {
        struct fh_time_machine machine = times->machines[side];
        const bool same = !lines[side]; /* as it is known */
        if (!same)
            status = run_side(cli, wanted, side, lines[side], &sides[side], &machine);
        for (unsigned p = 0; p < FH_CLI_APP_PRIMITIVES; p++)
            variant->us[p][side] = (double)(same ? times->sides : sides)[side]
                                       .counts[pair_of(p)]
                                       .primitives[p]
                                       .metered[METER_CYCLES] /
                                   machine.clock_mhz;
    }
    for (unsigned side = 0; side < FH_CLI_TIME_SIDES; side++)
        fh_cli_apps_free(&sides[side]);
    return status;
}

static fhec_status run_variants(const struct fh_cli *cli, const struct fh_cli_times_wanted *wanted,
                                struct fh_cli_times *times) {
    fhec_status status = FHEC_OK;
    for (size_t i = 0; i < sizeof variants / sizeof *variants && status == FHEC_OK; i++) {
        times->variants[i] = variants[i];
        status = run_variant(cli, wanted, times, &times->variants[i]);
        times->variant_count++;
    }
    return status;
}

/* ---------------------------------------------------------------- all */

fhec_status fh_cli_times_run(const struct fh_cli *cli, const struct fh_cli_times_wanted *wanted,
                             struct fh_cli_times *times) {
    const char *const unchanged[FH_CLI_TIME_SIDES] = {NULL, NULL};
    *times = (struct fh_cli_times){.log2_n = wanted->log2_n};
    fhec_status status = fh_cli_apps_read(cli, wanted->names, wanted->name_count, &times->apps);
    if (status == FHEC_OK)
        status = add_wanted(cli, wanted, times);
    if (status == FHEC_OK)
        status = run_sides(cli, wanted, unchanged, times->sides, times->machines);
    if (status == FHEC_OK && wanted->primitives)
        primitive_rows(times);
    for (size_t pair = 0; status == FHEC_OK && pair < times->sides[0].count; pair++)
        if (times->sides[0].counts[pair].app != &primitives_app)
            app_row(times, pair);
    return status == FHEC_OK && wanted->sensitivity ? run_variants(cli, wanted, times) : status;
}

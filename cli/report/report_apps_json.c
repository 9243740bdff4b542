/*
 * report_apps_json.c - the report's applications as a JSON array; fhec-report(1) describes it.
 */
#include "report_apps.h"
#include "report_form.h"

static json_t *count(uint64_t value) {
    return json_integer((json_int_t)value);
}

static json_t *totals_json(const struct fh_app_totals *t) {
    return json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "hemult", count(t->hemult), "rotate",
                     count(t->rotate), "hoistable", count(t->hoistable), "ptmult", count(t->ptmult),
                     "headd", count(t->headd), "rescale", count(t->rescale), "keyswitch",
                     count(t->keyswitch));
}

/* What is published divided by what is composed; both in HEMults of all limbs where the published
 * count is in them. null where there is nothing to compare. */
static json_t *published_ratio(const struct fh_cli_app_count *c, enum fh_app_form form) {
    const double hemults = fh_cli_app_hemults(c, form);
    return c->app->published.hemults > 0 && hemults > 0
               ? json_real(c->app->published.hemults / hemults)
               : json_null();
}

static json_t *form_json(const struct fh_cli_apps *apps, const struct fh_cli_app_count *c,
                         enum fh_app_form form) {
    const struct fh_part_profile sum = fh_profile_sum(&c->forms[form].profile);
    const struct fh_cli_app_count *base = fh_cli_apps_base(apps, c->app, c->reading);
    json_t *object = fh_cli_report_counts_json(&sum);
    json_object_set_new(object, "full_hemults", json_real(fh_cli_app_hemults(c, form)));
    json_object_set_new(object, "published_over_composed", published_ratio(c, form));
    json_object_set_new(object, "ratio",
                        json_pack("{s:o}", FH_CLI_PUBLISHED_BASELINE,
                                  base ? json_real((double)fh_cli_app_warp(base, form) /
                                                   (double)fh_profile_warp(&sum))
                                       : json_null()));
    return object;
}

static json_t *map_json(const struct fh_cli_apps *apps, const struct fh_cli_app_count *c) {
    json_t *object = json_pack("{s:i, s:o}", "prime_bits", (int)c->bits, "hemult",
                               count(fh_cli_app_sum_warp(&c->primitives[FH_CLI_APP_HEMULT])));
    json_t *parts = json_array();
    for (unsigned form = 0; form < FH_APP_FORMS; form++)
        json_object_set_new(object, fh_app_form_name(form), form_json(apps, c, form));
    for (size_t i = 0; i < c->reading->part_count; i++)
        json_array_append_new(parts, json_pack("{s:s, s:o}", "name", c->reading->parts[i].name,
                                               "warp", count(c->parts[i])));
    json_object_set_new(object, "parts", parts);
    return object;
}

/* The sequence: how often which primitive at which limbs. */
static json_t *uses_json(const struct fh_cli_app_reading *reading, enum fh_app_form form) {
    json_t *array = json_array();
    for (size_t p = 0; p < reading->part_count; p++)
        for (size_t i = 0; i < reading->parts[p].uses[form].count; i++) {
            const struct fh_app_use *use = &reading->parts[p].uses[form].uses[i];
            json_t *object = json_pack("{s:s, s:s, s:o, s:o}", "part", reading->parts[p].name, "op",
                                       fh_golden_ckks_kind_name(use->shape.kind), "limbs",
                                       count(use->shape.level), "count", count(use->count));
            if (use->shape.terms)
                json_object_set_new(object, "terms", count(use->shape.terms));
            if (use->shape.drop)
                json_object_set_new(object, "drop", count(use->shape.drop));
            json_array_append_new(array, object);
        }
    return array;
}

static json_t *reading_json(const struct fh_cli_apps *apps,
                            const struct fh_cli_app_reading *reading) {
    json_t *maps = json_object();
    for (size_t i = 0; i < apps->count; i++)
        if (apps->counts[i].reading == reading)
            json_object_set_new(maps, apps->counts[i].map->name, map_json(apps, &apps->counts[i]));
    return json_pack("{s:s, s:s, s:s?, s:o, s:o, s:o, s:o, s:{s:o, s:o}, s:o}", "name",
                     reading->name, "title", reading->title, "beside", reading->beside, "limbs",
                     count(reading->limbs), "alpha", count(reading->alpha), "dnum",
                     count(reading->dnum), "totals", totals_json(&reading->totals), "sequence",
                     "single", uses_json(reading, FH_APP_SINGLE), "fused_hoisted",
                     uses_json(reading, FH_APP_FUSED_HOISTED), "maps", maps);
}

static json_t *published_json(const struct fh_cli_app *app) {
    if (!app->published.given)
        return json_null();
    return json_pack("{s:s, s:o, s:o, s:f, s:f, s:f, s:f, s:b}", "source", app->published.source,
                     "baseline", count(app->published.base), "fhec", count(app->published.fhec),
                     "ratio", (double)app->published.base / (double)app->published.fhec,
                     "baseline_ms", app->published.base_ms, "fhec_ms", app->published.fhec_ms,
                     "full_hemults", app->published.hemults, "same_work",
                     (int)app->published.same_work);
}

json_t *fh_cli_report_apps_json(const struct fh_cli_apps *apps) {
    json_t *array = json_array();
    for (size_t a = 0; apps && a < apps->app_count; a++) {
        const struct fh_cli_app *app = &apps->apps[a];
        json_t *readings = json_array();
        for (size_t r = 0; r < app->reading_count; r++)
            json_array_append_new(readings, reading_json(apps, &app->readings[r]));
        json_array_append_new(
            array, json_pack("{s:s, s:s, s:i, s:i, s:o, s:o, s:o}", "name", app->name, "title",
                             app->title, "logn", (int)apps->log2_n, "sequence_logn",
                             (int)app->log2_n, "published", published_json(app), "notes",
                             app->notes ? json_deep_copy(app->notes) : json_array(), "readings",
                             readings));
    }
    return array;
}

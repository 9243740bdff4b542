/*
 * report_times_json.c - times as JSON.
 */
#include <jansson.h>

#include "report_times.h"

static const char *const side_names[FH_CLI_TIME_SIDES] = {
    [FH_CLI_TIME_BASE] = "baseline", [FH_CLI_TIME_FHEC] = "fhec"};

static json_t *count(uint64_t value) {
    return json_integer((json_int_t)value);
}

static json_t *real_or_null(double value) {
    return value > 0 ? json_real(value) : json_null();
}

static json_t *machine_json(const struct fh_cli_times *times, enum fh_cli_time_side side) {
    const struct fh_time_machine *m = &times->machines[side];
    return json_pack("{s:s, s:s, s:f, s:i, s:i, s:i, s:f}", "name", m->name, "title", m->title,
                     "clock_mhz", m->clock_mhz, "sms", (int)m->sms, "schedulers",
                     (int)m->schedulers, "launch_cycles", (int)m->launch, "hbm_gb_per_s",
                     m->hbm_bandwidth);
}

static json_t *chain_json(const struct fh_cli_app_count *c) {
    return json_pack("{s:s, s:s, s:o, s:o, s:o, s:i}", "map", c->map->name, "reading",
                     c->reading->name, "limbs", count(c->reading->limbs), "alpha",
                     count(c->reading->alpha), "dnum", count(c->reading->dnum), "prime_bits",
                     (int)c->bits);
}

static json_t *amount_json(const struct fh_cli_times *times, const struct fh_cli_time_row *row,
                           enum fh_cli_time_side side) {
    const struct fh_cli_time_amount *a = &row->amounts[side];
    json_t *bounds =
        json_pack("{s:f, s:f, s:o, s:f}", "issue", fh_cli_time_issue_us(times, side, a->warp_insts),
                  "hbm", fh_cli_time_us(times, side, a->hbm_cycles), "key",
                  real_or_null(fh_cli_time_hbm_us(times, side, a->key_bytes)), "launches",
                  fh_cli_time_launch_us(times, side, a->launches));
    return json_pack("{s:o, s:o, s:f, s:o, s:o, s:o, s:o, s:o}", "chain",
                     chain_json(row->counts[side]), "cycles", count(a->cycles), "us",
                     fh_cli_time_us(times, side, a->cycles), "warp_insts", count(a->warp_insts),
                     "launches", count(a->launches), "bounds_us", bounds, "published_us",
                     real_or_null(row->published_us[side]), "published_warp_insts",
                     row->published_warp[side] ? count(row->published_warp[side]) : json_null());
}

static json_t *rows_json(const struct fh_cli_times *times) {
    json_t *array = json_array();
    for (size_t i = 0; i < times->row_count; i++) {
        const struct fh_cli_time_row *row = &times->rows[i];
        json_t *object = json_pack("{s:s, s:b}", "name", row->name, "same_work_as_published",
                                   (int)row->same_work);
        for (unsigned side = 0; side < FH_CLI_TIME_SIDES; side++)
            json_object_set_new(object, side_names[side], amount_json(times, row, side));
        json_object_set_new(object, "speedup", real_or_null(fh_cli_time_speedup(times, row)));
        json_object_set_new(object, "published_speedup",
                            real_or_null(fh_cli_time_published_speedup(row)));
        json_array_append_new(array, object);
    }
    return array;
}

static json_t *sensitivity_json(const struct fh_cli_times *times) {
    json_t *array = json_array();
    for (size_t i = 0; i < times->variant_count; i++) {
        const struct fh_cli_time_variant *v = &times->variants[i];
        json_t *object = json_pack("{s:s, s:b}", "line", v->line, "fhec_only", (int)v->fhec_only);
        for (unsigned p = 0; p < FH_CLI_APP_PRIMITIVES; p++)
            json_object_set_new(object, fh_cli_app_primitive_name(p),
                                json_pack("{s:f, s:f}", "baseline_us", v->us[p][FH_CLI_TIME_BASE],
                                          "fhec_us", v->us[p][FH_CLI_TIME_FHEC]));
        json_array_append_new(array, object);
    }
    return array;
}

bool fh_cli_times_json(const struct fh_cli_times *times, FILE *to) {
    json_t *machines = json_object();
    for (unsigned side = 0; side < FH_CLI_TIME_SIDES; side++)
        json_object_set_new(machines, side_names[side], machine_json(times, side));
    json_t *report =
        json_pack("{s:i, s:o, s:o, s:o}", "log2_n", (int)times->log2_n, "machines", machines,
                  "rows", rows_json(times), "sensitivity", sensitivity_json(times));
    const bool good = report && json_dumpf(report, to, JSON_INDENT(2)) == 0;
    fputc('\n', to);
    json_decref(report);
    return good;
}

/*
 * report_counts_json.c - counts as all objects of the report in JSON have them.
 */
#include "report_form.h"

/* {"total": ..., "matrix": ..., ...}: the total is counted, not added up here. */
static json_t *classes(const uint64_t *values, uint64_t total) {
    json_t *object = json_pack("{s:o}", "total", json_integer((json_int_t)total));
    for (unsigned k = 0; k < FH_CLASSES; k++)
        json_object_set_new(object, fh_class_name(k), json_integer((json_int_t)values[k]));
    return object;
}

json_t *fh_cli_report_counts_json(const struct fh_part_profile *part) {
    return json_pack("{s:o, s:o, s:o, s:o, s:o, s:o}", "warp",
                     classes(part->warp, fh_profile_warp(part)), "thread",
                     classes(part->thread, fh_profile_thread(part)), "launches",
                     json_integer((json_int_t)part->launches), "global_accesses",
                     json_integer((json_int_t)part->accesses), "global_accesses_128",
                     json_integer((json_int_t)part->wide_accesses), "multiply_adds",
                     json_integer((json_int_t)part->multiply_adds));
}

/*
 * report_json.c - the report as one JSON object; its keys are described in fhec-report(1).
 */
#include <jansson.h>
#include <stdio.h>

#include "report_form.h"

static const char *const bases[FH_CLI_REPORT_BASE_COUNT] = {FH_CLI_REPORT_BASES};

static json_t *count(uint64_t value) {
    return json_integer((json_int_t)value);
}

/* null where the base lacks the kernel. */
static json_t *ratios(const struct fh_cli_report_view *view, enum fh_comparison_kernel kernel,
                      const struct fh_comparison_cell *cell, bool thread) {
    json_t *object = json_object();
    for (size_t b = 0; b < FH_CLI_REPORT_BASE_COUNT; b++) {
        const struct fh_comparison_cell *base = fh_cli_report_cell(view, bases[b], kernel);
        uint64_t of = thread ? fh_cli_report_thread(base) : fh_cli_report_warp(base);
        uint64_t by = thread ? fh_cli_report_thread(cell) : fh_cli_report_warp(cell);
        json_object_set_new(object, bases[b],
                            of && by ? json_real((double)of / (double)by) : json_null());
    }
    return object;
}

static json_t *cell_json(const struct fh_cli_report_view *view, enum fh_comparison_kernel kernel,
                         const struct fh_comparison_cell *cell) {
    const struct fh_part_profile sum = fh_profile_sum(&cell->profile);
    json_t *object = fh_cli_report_counts_json(&sum), *parts = json_object();
    for (unsigned p = 0; p < FH_PARTS; p++)
        json_object_set_new(parts, fh_part_name(p),
                            fh_cli_report_counts_json(&cell->profile.part[p]));
    json_object_set_new(object, "parts", parts);
    json_object_set_new(object, "ratio",
                        json_pack("{s:o, s:o}", "warp", ratios(view, kernel, cell, false), "thread",
                                  ratios(view, kernel, cell, true)));
    if (kernel >= FH_COMPARISON_RESCALE)
        json_object_set_new(
            object, "limb_transforms",
            count(cell->work[FH_GOLDEN_CKKS_NTT] + cell->work[FH_GOLDEN_CKKS_INTT]));
    return object;
}

static json_t *kernels_json(const struct fh_cli_report_view *view) {
    json_t *object = json_object();
    for (unsigned k = 0; k < FH_COMPARISON_KERNELS; k++) {
        json_t *maps = json_object();
        char title[128];
        for (size_t i = 0; i < view->report->row_count; i++) {
            const struct fh_comparison_row *row = &view->report->rows[i];
            json_object_set_new(maps, row->map->name,
                                row->cells[k].counted ? cell_json(view, k, &row->cells[k])
                                                      : json_null());
        }
        fh_cli_report_title(view, k, title, sizeof title);
        json_object_set_new(object, fh_comparison_kernel_name(k),
                            json_pack("{s:s, s:o}", "title", title, "maps", maps));
    }
    return object;
}

static json_t *maps_json(const struct fh_comparison_params *params) {
    json_t *array = json_array();
    for (size_t i = 0; i < params->map_count; i++) {
        const struct fh_map *map = params->maps[i];
        json_array_append_new(
            array, json_pack("{s:s, s:s, s:i, s:i}", "name", map->name, "title", map->title,
                             "word_bits", (int)map->word_bits, "prime_bits",
                             (int)(map->word_bits == 64 ? params->bits_64 : params->bits_32)));
    }
    return array;
}

static json_t *parameters_json(const struct fh_comparison_params *params) {
    return json_pack("{s:i, s:o, s:o, s:o, s:o, s:b}", "logn", (int)params->chain.log2_n, "limbs",
                     count(params->chain.limbs), "alpha", count(params->chain.alpha), "dnum",
                     count(params->chain.dnum), "seed", count(params->seed), "verified",
                     (int)params->verify);
}

/* Column of the report to classes of the instruction set. */
static json_t *classes_json(void) {
    json_t *object = json_object();
    enum fh_class klass = FH_CLASS_INTEGER;
    const char *member;
    for (unsigned k = 0; k < FH_CLASSES; k++)
        json_object_set_new(object, fh_class_name(k), json_array());
    for (size_t i = 0; (member = fh_class_member(i, &klass)) != NULL; i++)
        json_array_append_new(json_object_get(object, fh_class_name(klass)), json_string(member));
    return object;
}

static json_t *count_or_null(uint64_t value) {
    return value ? count(value) : json_null();
}

static json_t *side(const struct fh_cli_report_view *view, const char *map,
                    const struct fh_cli_published *of, uint64_t published) {
    uint64_t ours = fh_cli_report_warp(fh_cli_published_cell(view, of, map));
    return json_pack("{s:s, s:o, s:o, s:o}", "map", map, "published", count_or_null(published),
                     "ours", count_or_null(ours), "difference",
                     ours && published ? json_real(fh_cli_published_difference(ours, published))
                                       : json_null());
}

/* Warp instructions of the maps that stand beside the library. */
static json_t *beside_json(const struct fh_cli_report_view *view,
                           const struct fh_cli_published *published) {
    const char *const *maps = fh_cli_published_maps;
    json_t *object = json_object();
    for (size_t i = 0; i < FH_CLI_PUBLISHED_MAP_COUNT; i++)
        json_object_set_new(
            object, maps[i],
            count_or_null(fh_cli_report_warp(fh_cli_published_cell(view, published, maps[i]))));
    return object;
}

static json_t *published_json(const struct fh_cli_report_view *view) {
    json_t *array = json_array();
    for (size_t i = 0; view->report->row_count && i < FH_CLI_PUBLISHED_COUNT; i++) {
        const struct fh_cli_published *published = &fh_cli_published[i];
        if (!fh_cli_published_applies(view, published))
            continue;
        json_array_append_new(
            array,
            json_pack("{s:s, s:o, s:o, s:o, s:o, s:o, s:[oo], s:o}", "kernel",
                      fh_comparison_kernel_name(published->kernel), "limbs",
                      count_or_null(published->limbs), "alpha", count_or_null(published->alpha),
                      "dnum", count_or_null(published->dnum), "baseline",
                      side(view, FH_CLI_PUBLISHED_BASELINE, published, published->baseline), "fhec",
                      side(view, FH_CLI_PUBLISHED_FHEC, published, published->fhec), "fideslib",
                      count_or_null(published->fideslib[0]), count_or_null(published->fideslib[1]),
                      "maps", beside_json(view, published)));
    }
    return array;
}

static void note(void *user, enum fh_comparison_kernel kernel, const char *topic,
                 const char *text) {
    json_array_append_new(user,
                          json_pack("{s:s, s:s, s:s}", "kernel", fh_comparison_kernel_name(kernel),
                                    "topic", topic, "text", text));
}

static json_t *products_json(const struct fh_comparison *report) {
    json_t *array = json_array();
    for (size_t i = 0; i < report->product_count; i++) {
        const struct fh_comparison_product *product = &report->products[i];
        json_t *object = fh_cli_report_counts_json(&product->counts);
        json_object_set_new(object, "op",
                            json_string(product->op == FH_BIGINT_MUL ? "mul" : "montmul"));
        json_object_set_new(object, "map", json_string(product->map->name));
        json_object_set_new(object, "words", count(product->words));
        json_object_set_new(object, "products", count(FH_COMPARISON_PRODUCTS));
        json_array_append_new(array, object);
    }
    return array;
}

bool fh_cli_report_json(const struct fh_cli_report_view *view, FILE *to) {
    json_t *notes = json_array();
    fh_cli_report_notes(view, note, notes);
    json_t *report = json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "parameters",
                               parameters_json(view->params), "classes", classes_json(), "maps",
                               maps_json(view->params), "kernels", kernels_json(view), "products",
                               products_json(view->report), "published", published_json(view),
                               "notes", notes, "applications", fh_cli_report_apps_json(view->apps));
    bool good = report && json_dumpf(report, to, JSON_INDENT(2)) == 0;
    fputc('\n', to);
    json_decref(report);
    return good;
}

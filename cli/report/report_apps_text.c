/*
 * report_apps_text.c - the report's applications as text or Markdown.
 */
#include <stdio.h>
#include <string.h>

#include "report_page.h"

static void introduce(struct fh_cli_page *page, const struct fh_cli_apps *apps) {
    char text[256];
    fh_cli_page_heading(page, "Applications, composed from primitives");
    fh_cli_page_paragraph(
        page, 0,
        "Each primitive has been counted once at each level at which an application uses it; the "
        "rest is multiplication and addition. single: each operation by itself; hoisted: rotations "
        "of one ciphertext share a ModUp; fused: sums of products are one kernel. In millions of "
        "warp instructions. both: the "
        "last two together. HEMults: that divided by a HEMult of all limbs on the same map. "
        "cuda64: "
        "what that map takes in the same reading, or in the one that it is compared with, divided "
        "by it.");
    snprintf(text, sizeof text, "The polynomials have N = 2^%u coefficients%s.", apps->log2_n,
             apps->log2_n == 16 ? "" : ", the sequences are those of larger ones");
    fh_cli_page_paragraph(page, 0, text);
}

static void describe_reading(struct fh_cli_page *page, const struct fh_cli_app_reading *reading) {
    const struct fh_app_totals *t = &reading->totals;
    char text[640];
    snprintf(text, sizeof text,
             "- %s: %s. %zu limbs, alpha %zu, dnum %zu: %llu HEMult, %llu rotations (%llu of them "
             "hoistable), %llu products with plaintexts or scalars, %llu additions, %llu Rescales "
             "by one limb.",
             reading->name, reading->title, reading->limbs, reading->alpha, reading->dnum,
             (unsigned long long)t->hemult, (unsigned long long)t->rotate,
             (unsigned long long)t->hoistable, (unsigned long long)t->ptmult,
             (unsigned long long)t->headd, (unsigned long long)t->rescale);
    fh_cli_page_paragraph(page, 2, text);
}

static void counts(struct fh_cli_page *page, const struct fh_cli_apps *apps,
                   const struct fh_cli_app *app) {
    struct fh_cli_table table = {.rows = 0};
    fh_cli_table_row(&table);
    fh_cli_table_cell(&table, "reading, map");
    fh_cli_table_cell(&table, "bits");
    for (unsigned form = 0; form < FH_APP_FORMS; form++)
        fh_cli_table_cell(&table, "%s",
                          form == FH_APP_FUSED_HOISTED ? "both" : fh_app_form_name(form));
    fh_cli_table_cell(&table, "HEMults");
    fh_cli_table_cell(&table, FH_CLI_PUBLISHED_BASELINE);
    for (size_t i = 0; i < apps->count; i++) {
        const struct fh_cli_app_count *c = &apps->counts[i];
        const struct fh_cli_app_count *base = fh_cli_apps_base(apps, app, c->reading);
        if (c->app != app)
            continue;
        fh_cli_table_row(&table);
        fh_cli_table_cell(&table, "%s, %s", c->reading->name, c->map->name);
        fh_cli_table_cell(&table, "%u", c->bits);
        for (unsigned form = 0; form < FH_APP_FORMS; form++)
            fh_cli_table_cell(&table, "%.2f", (double)fh_cli_app_warp(c, form) / 1e6);
        fh_cli_table_cell(&table, "%.1f", fh_cli_app_hemults(c, FH_APP_FUSED_HOISTED));
        fh_cli_table_ratio(&table, base ? fh_cli_app_warp(base, FH_APP_FUSED_HOISTED) : 0,
                           fh_cli_app_warp(c, FH_APP_FUSED_HOISTED));
    }
    fh_cli_page_table(page, &table);
}

/* In full HEMults, which makes libraries comparable, and what FHEC saves there and here. */
static void beside_published(struct fh_cli_page *page, const struct fh_cli_apps *apps,
                             const struct fh_cli_app *app) {
    struct fh_cli_table table = {.rows = 0};
    fh_cli_table_row(&table);
    fh_cli_table_cell(&table, "in HEMults of " FH_CLI_PUBLISHED_BASELINE);
    fh_cli_table_cell(&table, "published");
    for (unsigned form = 0; form < 2; form++) {
        fh_cli_table_cell(&table, "%s", fh_app_form_name(form));
        fh_cli_table_cell(&table, "published / it");
    }
    fh_cli_table_cell(&table, FH_CLI_PUBLISHED_BASELINE " / " FH_CLI_PUBLISHED_FHEC);
    for (size_t r = 0; r < app->reading_count; r++) {
        const struct fh_cli_app_reading *reading = &app->readings[r];
        const struct fh_cli_app_count *base = fh_cli_apps_base(apps, app, reading);
        const struct fh_cli_app_count *fhec =
            fh_cli_apps_find(apps, reading, FH_CLI_PUBLISHED_FHEC);
        if (!base || reading->beside)
            continue;
        fh_cli_table_row(&table);
        fh_cli_table_cell(&table, "reading %s", reading->name);
        fh_cli_table_cell(&table, "%.0f", app->published.hemults);
        for (unsigned form = 0; form < 2; form++) {
            fh_cli_table_cell(&table, "%.1f", fh_cli_app_hemults(base, form));
            fh_cli_table_cell(&table, "%.2f",
                              app->published.hemults / fh_cli_app_hemults(base, form));
        }
        fh_cli_table_ratio(&table, fh_cli_app_warp(base, FH_APP_SINGLE),
                           fhec ? fh_cli_app_warp(fhec, FH_APP_SINGLE) : 0);
    }
    if (table.rows > 1) {
        fputc('\n', page->to);
        fh_cli_page_table(page, &table);
    }
    fh_cli_table_free(&table);
}

static void published(struct fh_cli_page *page, const struct fh_cli_apps *apps,
                      const struct fh_cli_app *app) {
    char text[800], base[FH_CLI_GROUPED], fhec[FH_CLI_GROUPED];
    if (!app->published.given)
        return;
    fh_cli_grouped(app->published.base, base);
    fh_cli_grouped(app->published.fhec, fhec);
    snprintf(text, sizeof text,
             "Published: %s warp instructions, with FHEC %s: %.2fx%s. Source: %s.", base, fhec,
             (double)app->published.base / (double)app->published.fhec,
             app->published.same_work ? "" : ", of more work than this", app->published.source);
    fputc('\n', page->to);
    fh_cli_page_paragraph(page, 0, text);
    if (app->published.hemults > 0)
        beside_published(page, apps, app);
}

void fh_cli_report_apps_text(struct fh_cli_page *page, const struct fh_cli_apps *apps) {
    if (!apps || !apps->app_count)
        return;
    introduce(page, apps);
    for (size_t a = 0; a < apps->app_count; a++) {
        const struct fh_cli_app *app = &apps->apps[a];
        const json_t *note;
        size_t i;
        fh_cli_page_heading(page, app->title);
        for (size_t r = 0; r < app->reading_count; r++)
            describe_reading(page, &app->readings[r]);
        fputc('\n', page->to);
        counts(page, apps, app);
        published(page, apps, app);
        if (json_array_size(app->notes))
            fputc('\n', page->to);
        json_array_foreach((json_t *)app->notes, i, note) {
            char line[1200];
            snprintf(line, sizeof line, "- %s", json_string_value(note));
            fh_cli_page_paragraph(page, 2, line);
        }
    }
}

/*
 * report_svg.c - the report as a picture: for each kernel, and each reading of an application, a
 * panel of bars, one a map, cut by class.
 *
 *     title, legend
 *     [panel][panel]      The scale is linear: parts of a bar add up, and their lengths can be
 *     [panel][panel]      compared. Each panel has its own, since kernels differ by three orders of
 *     [panel][panel]      magnitude; every bar has its number beside it.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report_form.h"
#include "svg_parts.h"
#include "text_table.h"

/* Pixels. */
enum {
    MARGIN = 28,
    HEADING = 100,
    PANEL = 560, /* width */
    GAP = 32,
    NAME = 118,   /* map names */
    VALUES = 132, /* numbers at the right */
    BARS = PANEL - NAME - VALUES,
    TITLE = 30,
    BAR = 15,
    PITCH = 22,
    AXIS = 34,
    COLUMNS = 2,
};

static const char published_color[] = "#a6a6a6";

enum { MOST_BARS = 34 };

/* A map's, or a published one. */
struct bar {
    const char *name;
    bool counted; /* false: no such kernel */
    bool published;
    bool beyond;                /* no bar, only its value: it would make all others short */
    struct fh_part_profile sum; /* of a map's bar */
    uint64_t value;             /* all classes together */
    uint64_t base;              /* that of the map it is compared with; 0: of none */
};

struct panel {
    FILE *to;
    char title[128];
    struct bar bars[MOST_BARS];
    size_t bar_count;
    int x, y;
    double scale; /* pixels of a warp instruction */
};

static struct bar *add_bar(struct panel *panel, const char *name) {
    struct bar *bar = &panel->bars[panel->bar_count < MOST_BARS ? panel->bar_count++ : 0];
    *bar = (struct bar){.name = name};
    return bar;
}

static void add_map(struct panel *panel, const char *name, const struct fh_profile *profile,
                    uint64_t base) {
    struct bar *bar = add_bar(panel, name);
    bar->counted = profile != NULL;
    if (profile)
        bar->sum = fh_profile_sum(profile);
    bar->value = fh_profile_warp(&bar->sum);
    bar->base = base;
}

static void add_published(struct panel *panel, uint64_t base, uint64_t fhec, bool beyond) {
    const struct bar both = {.published = true, .beyond = beyond, .base = base};
    struct bar *bar = add_bar(panel, "");
    *bar = both;
    bar->name = "published base";
    bar->value = base;
    bar = add_bar(panel, "");
    *bar = both;
    bar->name = "published FHEC";
    bar->value = fhec;
}

static uint64_t longest(const struct panel *panel) {
    uint64_t most = 1;
    for (size_t i = 0; i < panel->bar_count; i++)
        if (!panel->bars[i].beyond && panel->bars[i].value > most)
            most = panel->bars[i].value;
    return most;
}

static void print_tick(const struct panel *panel, double value, int top, int bottom) {
    int x = panel->x + NAME + (int)lround(value * panel->scale);
    char number[FH_CLI_SVG_NUMBER];
    fh_cli_svg_number(value, number);
    fprintf(panel->to,
            "<line x1=\"%d\" y1=\"%d\" x2=\"%d\" y2=\"%d\" class=\"grid\"/>"
            "<text x=\"%d\" y=\"%d\" class=\"tick\">%s</text>\n",
            x, top, x, bottom, x, bottom + 15, number);
}

static void print_axis(const struct panel *panel, uint64_t most, int top, int bottom) {
    double step = fh_cli_svg_step((double)most);
    for (double value = 0; value <= (double)most; value += step)
        print_tick(panel, value, top, bottom);
}

static void print_name(const struct panel *panel, int y, const char *name, bool ours) {
    fprintf(panel->to, "<text x=\"%d\" y=\"%d\" class=\"%s\">%s</text>\n", panel->x + NAME - 8,
            y + BAR - 3, ours ? "name" : "name theirs", name);
}

static void print_value(const struct panel *panel, int y, double width, uint64_t value,
                        uint64_t base) {
    char grouped[FH_CLI_GROUPED], ratio[32] = "";
    fh_cli_grouped(value, grouped);
    if (base)
        snprintf(ratio, sizeof ratio, " (%.2fx)", (double)base / (double)value);
    fprintf(panel->to, "<text x=\"%d\" y=\"%d\" class=\"value\">%s%s</text>\n",
            panel->x + NAME + (int)lround(width) + 6, y + BAR - 3, grouped, ratio);
}

static void print_rect(const struct panel *panel, int y, double from, double width,
                       const char *color, const char *what, uint64_t value) {
    fprintf(panel->to,
            "<rect x=\"%.2f\" y=\"%d\" width=\"%.2f\" height=\"%d\" fill=\"%s\">"
            "<title>%s: %llu</title></rect>\n",
            panel->x + NAME + from, y, width, BAR, color, what, (unsigned long long)value);
}

static void print_bar(const struct panel *panel, int y, const struct bar *bar) {
    double from = 0;
    print_name(panel, y, bar->name, !bar->published);
    if (!bar->counted && !bar->published) {
        fprintf(panel->to, "<text x=\"%d\" y=\"%d\" class=\"value theirs\">no such kernel</text>\n",
                panel->x + NAME + 6, y + BAR - 3);
        return;
    }
    for (unsigned k = 0; k < FH_CLASSES && !bar->published; k++) {
        double width = (double)bar->sum.warp[k] * panel->scale;
        if (bar->sum.warp[k])
            print_rect(panel, y, from, width, fh_cli_svg_color(k), fh_class_name(k),
                       bar->sum.warp[k]);
        from += width;
    }
    if (bar->published && !bar->beyond) {
        from = (double)bar->value * panel->scale;
        print_rect(panel, y, 0, from, published_color, "published", bar->value);
    }
    print_value(panel, y, from, bar->value, bar->base);
}

static int panel_height(const struct panel *panel) {
    return TITLE + (int)panel->bar_count * PITCH + AXIS;
}

static void print_panel(struct panel *panel) {
    uint64_t most = longest(panel);
    int y = panel->y + TITLE, bottom = y + (int)panel->bar_count * PITCH;
    panel->scale = BARS / (double)most;
    char *arrow = strstr(panel->title, "->");
    if (arrow)
        memcpy(arrow, "to", 2);
    fprintf(panel->to, "<text x=\"%d\" y=\"%d\" class=\"title\">%s</text>\n", panel->x,
            panel->y + 16, panel->title);
    print_axis(panel, most, y - 2, bottom);
    for (size_t i = 0; i < panel->bar_count; i++, y += PITCH)
        print_bar(panel, y, &panel->bars[i]);
}

/* ---------------------------------------------------------------- the panels */

static void fill_kernel(const struct fh_cli_report_view *view, enum fh_comparison_kernel kernel,
                        struct panel *panel) {
    const uint64_t base =
        fh_cli_report_warp(fh_cli_report_cell(view, FH_CLI_PUBLISHED_BASELINE, kernel));
    fh_cli_report_title(view, kernel, panel->title, sizeof panel->title);
    for (size_t i = 0; i < view->report->row_count; i++) {
        const struct fh_comparison_row *row = &view->report->rows[i];
        if (fh_cli_report_has_kernels(row))
            add_map(panel, row->map->name,
                    row->cells[kernel].counted ? &row->cells[kernel].profile : NULL, base);
    }
    for (size_t i = 0; i < FH_CLI_PUBLISHED_COUNT; i++)
        if (fh_cli_published[i].kernel == kernel && fh_cli_published[i].baseline &&
            fh_cli_published_has_shape(view, &fh_cli_published[i]))
            add_published(panel, fh_cli_published[i].baseline, fh_cli_published[i].fhec, false);
}

static void fill_reading(const struct fh_cli_apps *apps, const struct fh_cli_app *app,
                         const struct fh_cli_app_reading *reading, struct panel *panel) {
    const struct fh_cli_app_count *base = fh_cli_apps_base(apps, app, reading);
    const uint64_t value = base ? fh_cli_app_warp(base, FH_APP_FUSED_HOISTED) : 0;
    snprintf(panel->title, sizeof panel->title, "%s, reading %s, N = 2^%u", app->name,
             reading->name, apps->log2_n);
    for (size_t i = 0; i < apps->count; i++)
        if (apps->counts[i].reading == reading)
            add_map(panel, apps->counts[i].map->name,
                    &apps->counts[i].forms[FH_APP_FUSED_HOISTED].profile, value);
    if (app->published.given && app->published.same_work && apps->log2_n == app->log2_n)
        add_published(panel, app->published.base, app->published.fhec, true);
}

static size_t fill_panels(const struct fh_cli_report_view *view, struct panel *panels) {
    size_t count = 0;
    for (unsigned k = 0; view->report->row_count && k < FH_COMPARISON_KERNELS; k++)
        fill_kernel(view, k, &panels[count++]);
    for (size_t a = 0; view->apps && a < view->apps->app_count; a++)
        for (size_t r = 0; r < view->apps->apps[a].reading_count; r++)
            fill_reading(view->apps, &view->apps->apps[a], &view->apps->apps[a].readings[r],
                         &panels[count++]);
    return count;
}

static void print_legend(FILE *to) {
    int x = MARGIN;
    for (unsigned k = 0; k <= FH_CLASSES; k++) {
        const char *name = k < FH_CLASSES ? fh_class_name(k) : "published, all classes";
        fprintf(to,
                "<rect x=\"%d\" y=\"72\" width=\"14\" height=\"14\" fill=\"%s\"/>"
                "<text x=\"%d\" y=\"84\" class=\"legend\">%s</text>\n",
                x, k < FH_CLASSES ? fh_cli_svg_color(k) : published_color, x + 20, name);
        x += 100;
    }
}

static void print_head(FILE *to, const struct fh_cli_report_view *view, int width, int height) {
    const struct fh_comparison_params *params = view->params;
    fh_cli_svg_begin(
        to, width, height,
        ".sub, .legend { font-size: 13px; }\n"
        ".name { font-size: 12px; text-anchor: end; }\n"
        ".value { font-size: 12px; paint-order: stroke; stroke: #fff; stroke-width: 4px; }\n"
        ".theirs { fill: #666; font-style: italic; }\n");
    fprintf(to,
            "<text x=\"%d\" y=\"36\" class=\"head\">Warp instructions of FHE kernels and "
            "applications</text>\n"
            "<text x=\"%d\" y=\"58\" class=\"sub\">by map and class; in parentheses how many times "
            "more %s needs, for published figures the published base; primes of %u bits, in "
            "64-bit maps of %u</text>\n",
            MARGIN, MARGIN, FH_CLI_PUBLISHED_BASELINE, params->bits_32, params->bits_64);
}

/* One row of panels after another; the height of all of it. */
static int place_panels(struct panel *panels, size_t count) {
    int y = HEADING;
    for (size_t k = 0; k < count; k += COLUMNS) {
        int tallest = 0;
        for (size_t c = 0; c < COLUMNS && k + c < count; c++) {
            struct panel *panel = &panels[k + c];
            panel->x = MARGIN + (int)c * (PANEL + GAP);
            panel->y = y;
            tallest = panel_height(panel) > tallest ? panel_height(panel) : tallest;
        }
        y += tallest + GAP / 2;
    }
    return y;
}

bool fh_cli_report_svg(const struct fh_cli_report_view *view, FILE *to) {
    size_t room = FH_COMPARISON_KERNELS;
    for (size_t a = 0; view->apps && a < view->apps->app_count; a++)
        room += view->apps->apps[a].reading_count;
    struct panel *panels = calloc(room, sizeof *panels);
    if (!panels)
        return false;
    const size_t count = fill_panels(view, panels);
    const int height = place_panels(panels, count);
    print_head(to, view, 2 * MARGIN + COLUMNS * PANEL + (COLUMNS - 1) * GAP, height + MARGIN / 2);
    print_legend(to);
    for (size_t k = 0; k < count; k++) {
        panels[k].to = to;
        print_panel(&panels[k]);
    }
    fputs("</svg>\n", to);
    free(panels);
    return true;
}

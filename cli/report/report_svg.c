/*
 * report_svg.c - the report as a picture: for each kernel a panel of bars, one a map, cut by class.
 *
 *     title, legend
 *     [panel][panel]      The scale is linear: parts of a bar add up, and their lengths can be
 *     [panel][panel]      compared. Each panel has its own, since kernels differ by three orders of
 *     [panel][panel]      magnitude; every bar has its number beside it.
 */
#include <math.h>
#include <stdio.h>
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

struct panel {
    const struct fh_cli_report_view *view;
    FILE *to;
    enum fh_comparison_kernel kernel;
    int x, y;
    double scale; /* pixels of a warp instruction */
};

static const struct fh_cli_published *published_of(const struct panel *panel) {
    for (size_t i = 0; i < FH_CLI_PUBLISHED_COUNT; i++)
        if (fh_cli_published[i].kernel == panel->kernel &&
            fh_cli_published_applies(panel->view, &fh_cli_published[i]))
            return &fh_cli_published[i];
    return NULL;
}

static size_t bar_count(const struct panel *panel) {
    size_t count = published_of(panel) ? 2 : 0;
    for (size_t i = 0; i < panel->view->report->row_count; i++)
        count += fh_cli_report_has_kernels(&panel->view->report->rows[i]);
    return count;
}

static uint64_t longest(const struct panel *panel) {
    const struct fh_cli_published *published = published_of(panel);
    uint64_t most = published ? published->baseline : 1;
    for (size_t i = 0; i < panel->view->report->row_count; i++) {
        const struct fh_comparison_cell *cell = &panel->view->report->rows[i].cells[panel->kernel];
        uint64_t warp = cell->counted ? fh_cli_report_warp(cell) : 0;
        most = warp > most ? warp : most;
    }
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

static void print_bar(const struct panel *panel, int y, const struct fh_comparison_row *row) {
    const struct fh_comparison_cell *cell = &row->cells[panel->kernel];
    print_name(panel, y, row->map->name, true);
    if (!cell->counted) {
        fprintf(panel->to, "<text x=\"%d\" y=\"%d\" class=\"value theirs\">no such kernel</text>\n",
                panel->x + NAME + 6, y + BAR - 3);
        return;
    }
    const struct fh_part_profile sum = fh_profile_sum(&cell->profile);
    double from = 0;
    for (unsigned k = 0; k < FH_CLASSES; k++) {
        double width = (double)sum.warp[k] * panel->scale;
        if (sum.warp[k])
            print_rect(panel, y, from, width, fh_cli_svg_color(k), fh_class_name(k), sum.warp[k]);
        from += width;
    }
    print_value(panel, y, from, fh_profile_warp(&sum),
                fh_cli_report_warp(
                    fh_cli_report_cell(panel->view, FH_CLI_PUBLISHED_BASELINE, panel->kernel)));
}

static void print_published(const struct panel *panel, int y, const char *name, uint64_t value,
                            uint64_t base) {
    double width = (double)value * panel->scale;
    print_name(panel, y, name, false);
    print_rect(panel, y, 0, width, published_color, "published", value);
    print_value(panel, y, width, value, base);
}

static int panel_height(const struct panel *panel) {
    return TITLE + (int)bar_count(panel) * PITCH + AXIS;
}

static void print_panel(struct panel *panel) {
    char title[128];
    const struct fh_cli_published *published = published_of(panel);
    uint64_t most = longest(panel);
    int y = panel->y + TITLE, bottom = y + (int)bar_count(panel) * PITCH;
    panel->scale = BARS / (double)most;
    fh_cli_report_title(panel->view, panel->kernel, title, sizeof title);
    char *arrow = strstr(title, "->");
    if (arrow)
        memcpy(arrow, "to", 2);
    fprintf(panel->to, "<text x=\"%d\" y=\"%d\" class=\"title\">%s</text>\n", panel->x,
            panel->y + 16, title);
    print_axis(panel, most, y - 2, bottom);
    for (size_t i = 0; i < panel->view->report->row_count; i++)
        if (fh_cli_report_has_kernels(&panel->view->report->rows[i])) {
            print_bar(panel, y, &panel->view->report->rows[i]);
            y += PITCH;
        }
    if (published) {
        print_published(panel, y, "published base", published->baseline, published->baseline);
        print_published(panel, y + PITCH, "published FHEC", published->fhec, published->baseline);
    }
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
            "<text x=\"%d\" y=\"36\" class=\"head\">Warp instructions of FHE kernels</text>\n"
            "<text x=\"%d\" y=\"58\" class=\"sub\">by map and class; in parentheses how many times "
            "more %s needs, for published figures the published base; primes of %u bits, in "
            "64-bit maps of %u</text>\n",
            MARGIN, MARGIN, FH_CLI_PUBLISHED_BASELINE, params->bits_32, params->bits_64);
}

bool fh_cli_report_svg(const struct fh_cli_report_view *view, FILE *to) {
    struct panel panels[FH_COMPARISON_KERNELS];
    int y = HEADING;
    for (unsigned k = 0; k < FH_COMPARISON_KERNELS; k += COLUMNS) {
        int tallest = 0;
        for (unsigned c = 0; c < COLUMNS && k + c < FH_COMPARISON_KERNELS; c++) {
            struct panel *panel = &panels[k + c];
            *panel = (struct panel){.view = view,
                                    .to = to,
                                    .kernel = k + c,
                                    .x = MARGIN + (int)c * (PANEL + GAP),
                                    .y = y};
            tallest = panel_height(panel) > tallest ? panel_height(panel) : tallest;
        }
        y += tallest + GAP / 2;
    }
    print_head(to, view, 2 * MARGIN + COLUMNS * PANEL + (COLUMNS - 1) * GAP, y + MARGIN / 2);
    print_legend(to);
    for (unsigned k = 0; k < FH_COMPARISON_KERNELS; k++)
        print_panel(&panels[k]);
    fputs("</svg>\n", to);
    return true;
}

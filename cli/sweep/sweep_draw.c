/*
 * sweep_draw.c - see sweep_draw.h.
 *
 *     title
 *     +----------------------+  legend
 *     |                      |  line one
 *   y |                      |  line two
 *     +----------------------+
 *                x
 */
#include "sweep_draw.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "arrays.h"
#include "svg_parts.h"

/* Pixels. */
enum {
    LEFT = 96,
    TOP = 64,
    WIDTH = 620, /* of the field */
    HEIGHT = 380,
    BOTTOM = 64,
    GAP = 28, /* to the legend */
    LEGEND = 250,
    PITCH = 20,
    SAMPLE = 34, /* of a line in the legend */
    MARK = 4,
    MOST_TICKS = 16,
};

/* ---------------------------------------------------------------- what is drawn */

static struct fh_cli_sweep_drawn *line_of(struct fh_cli_sweep_drawing *drawing, const char *label) {
    for (size_t i = 0; i < drawing->count; i++)
        if (!strcmp(drawing->lines[i].label, label))
            return &drawing->lines[i];
    struct fh_cli_sweep_drawn *lines =
        fh_cli_more(drawing->lines, drawing->count, sizeof *drawing->lines);
    if (!lines)
        return NULL;
    drawing->lines = lines;
    lines[drawing->count] = (struct fh_cli_sweep_drawn){.label = strdup(label)};
    return lines[drawing->count].label ? &lines[drawing->count++] : NULL;
}

enum fh_cli_sweep_adding fh_cli_sweep_drawing_add(struct fh_cli_sweep_drawing *drawing,
                                                  const char *label, double x, double y) {
    struct fh_cli_sweep_drawn *line = line_of(drawing, label);
    if (!line)
        return FH_CLI_SWEEP_NO_MEMORY;
    for (size_t i = 0; i < line->count; i++)
        if (line->points[i].x == x)
            return line->points[i].y == y ? FH_CLI_SWEEP_ADDED : FH_CLI_SWEEP_TWICE;
    struct fh_cli_sweep_point_drawn *points =
        fh_cli_more(line->points, line->count, sizeof *line->points);
    if (!points)
        return FH_CLI_SWEEP_NO_MEMORY;
    line->points = points;
    points[line->count++] = (struct fh_cli_sweep_point_drawn){x, y};
    return FH_CLI_SWEEP_ADDED;
}

static int by_x(const void *a, const void *b) {
    const struct fh_cli_sweep_point_drawn *p = a, *q = b;
    return (p->x > q->x) - (p->x < q->x);
}

static void stretch(struct fh_cli_sweep_axis_drawing *axis, double value, bool first) {
    axis->least = first || value < axis->least ? value : axis->least;
    axis->most = first || value > axis->most ? value : axis->most;
}

/* Whether the x of a line grow by one factor rather than by one step. */
static bool by_factors(const struct fh_cli_sweep_drawn *line) {
    const struct fh_cli_sweep_point_drawn *p = line->points;
    if (line->count < 3 || p[0].x <= 0)
        return false;
    const size_t last = line->count - 1;
    return p[1].x - p[0].x < 0.75 * (p[last].x - p[last - 1].x);
}

void fh_cli_sweep_drawing_scale(struct fh_cli_sweep_drawing *drawing) {
    bool factors = false, first = true;
    for (size_t i = 0; i < drawing->count; i++) {
        const struct fh_cli_sweep_drawn *line = &drawing->lines[i];
        qsort(line->points, line->count, sizeof *line->points, by_x);
        factors = factors || by_factors(line);
        for (size_t k = 0; k < line->count; k++, first = false) {
            stretch(&drawing->x, line->points[k].x, first);
            stretch(&drawing->y, line->points[k].y, first);
        }
    }
    const bool wide = drawing->y.least > 0 && drawing->y.most > 30 * drawing->y.least;
    if (drawing->x.scale == FH_CLI_SWEEP_AUTO)
        drawing->x.scale = factors && drawing->x.least > 0 ? FH_CLI_SWEEP_LOG : FH_CLI_SWEEP_LINEAR;
    if (drawing->y.scale == FH_CLI_SWEEP_AUTO)
        drawing->y.scale = wide ? FH_CLI_SWEEP_LOG : FH_CLI_SWEEP_LINEAR;
}

void fh_cli_sweep_drawing_free(struct fh_cli_sweep_drawing *drawing) {
    for (size_t i = 0; i < drawing->count; i++) {
        free(drawing->lines[i].label);
        free(drawing->lines[i].points);
    }
    free(drawing->lines);
    drawing->lines = NULL;
    drawing->count = 0;
}

/* ---------------------------------------------------------------- axes */

/* An axis of `pixels` from `least` to `most`, with ticks. */
struct axis {
    bool log;
    double least, most, pixels;
    double ticks[MOST_TICKS];
    size_t tick_count;
};

static double scaled(const struct axis *axis, double value) {
    return axis->log ? log2(value) : value;
}

static double place(const struct axis *axis, double value) {
    const double least = scaled(axis, axis->least), most = scaled(axis, axis->most);
    return (scaled(axis, value) - least) / (most - least) * axis->pixels;
}

static void add_tick(struct axis *axis, double value) {
    if (axis->tick_count < MOST_TICKS && value >= axis->least * (1 - 1e-9) &&
        value <= axis->most * (1 + 1e-9))
        axis->ticks[axis->tick_count++] = value;
}

/* Powers of two for sizes that double, else 1, 2 and 5 times powers of ten, or these alone. */
static void log_ticks(struct axis *axis, bool doubling) {
    const double factor = axis->most / axis->least;
    if (doubling) {
        double step = 2;
        while (log(factor) / log(step) > 10)
            step *= 2;
        for (double value = axis->least; value <= axis->most * (1 + 1e-9); value *= step)
            add_tick(axis, value);
        return;
    }
    for (double power = pow(10, floor(log10(axis->least))); power <= axis->most; power *= 10)
        for (int i = 0; i < (factor > 1e4 ? 1 : 3); i++)
            add_tick(axis, power * (i == 0 ? 1 : i == 1 ? 2 : 5));
}

static bool is_power_of_two(double value) {
    int exponent;
    return frexp(value, &exponent) == 0.5;
}

static bool doubles(const struct fh_cli_sweep_drawing *drawing) {
    for (size_t i = 0; i < drawing->count; i++)
        for (size_t k = 0; k < drawing->lines[i].count; k++)
            if (!is_power_of_two(drawing->lines[i].points[k].x))
                return false;
    return true;
}

static struct axis make_axis(const struct fh_cli_sweep_axis_drawing *drawn, double pixels,
                             bool doubling, bool from_zero) {
    struct axis axis = {.log = drawn->scale == FH_CLI_SWEEP_LOG,
                        .least = drawn->least,
                        .most = drawn->most,
                        .pixels = pixels};
    if (axis.log) {
        if (!doubling && axis.most > axis.least) { /* some air */
            const double air = pow(axis.most / axis.least, 0.06);
            axis.least /= air;
            axis.most *= air;
        }
        if (axis.most <= axis.least) {
            axis.least /= 2;
            axis.most *= 2;
        }
        log_ticks(&axis, doubling);
        return axis;
    }
    if (from_zero && axis.least > 0)
        axis.least = 0;
    if (axis.most <= axis.least)
        axis.most = axis.least + (axis.least != 0 ? fabs(axis.least) : 1);
    const double step = fh_cli_svg_step(axis.most - axis.least);
    for (double value = ceil(axis.least / step) * step; value <= axis.most + step * 1e-9;
         value += step)
        if (axis.tick_count < MOST_TICKS)
            axis.ticks[axis.tick_count++] = fabs(value) < step * 1e-9 ? 0 : value;
    if (from_zero)
        axis.most += (axis.most - axis.least) * 0.04;
    return axis;
}

/* The axis' text: what a column is, with its unit. */
static const char *axis_text(const char *name) {
    static const char *const texts[][2] = {
        {"warp_insts", "warp instructions"},
        {"thread_insts", "thread instructions"},
        {"launches", "kernel launches"},
        {"seconds", "time of the run (s)"},
        {"user_s", "processor time (s)"},
        {"system_s", "processor time in the system (s)"},
        {"wall_s", "time of the launches (s)"},
        {"peak_kib", "memory (KiB)"},
        {"n", "N (coefficients)"},
        {"logn", "log2 N"},
        {"level", "level (limbs before the primitive)"},
        {"limbs", "limbs"},
        {"bits", "bits of a prime"},
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        if (!strcmp(texts[i][0], name))
            return texts[i][1];
    return name;
}

static void draw_axes(FILE *to, const struct axis *x, const struct axis *y,
                      const struct fh_cli_sweep_drawing *drawing) {
    char number[FH_CLI_SVG_NUMBER];
    for (size_t i = 0; i < x->tick_count; i++) {
        const double at = LEFT + place(x, x->ticks[i]);
        if (x->ticks[i] < 1e6)
            snprintf(number, sizeof number, "%g", x->ticks[i]);
        else
            fh_cli_svg_number(x->ticks[i], number);
        fprintf(to,
                "<line x1=\"%.1f\" y1=\"%d\" x2=\"%.1f\" y2=\"%d\" class=\"grid\"/>"
                "<text x=\"%.1f\" y=\"%d\" class=\"tick\">%s</text>\n",
                at, TOP, at, TOP + HEIGHT, at, TOP + HEIGHT + 17, number);
    }
    for (size_t i = 0; i < y->tick_count; i++) {
        const double at = TOP + HEIGHT - place(y, y->ticks[i]);
        fh_cli_svg_number(y->ticks[i], number);
        fprintf(to,
                "<line x1=\"%d\" y1=\"%.1f\" x2=\"%d\" y2=\"%.1f\" class=\"grid\"/>"
                "<text x=\"%d\" y=\"%.1f\" class=\"tick side\">%s</text>\n",
                LEFT, at, LEFT + WIDTH, at, LEFT - 8, at + 4, number);
    }
    fprintf(to,
            "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" class=\"frame\"/>\n"
            "<text x=\"%d\" y=\"%d\" class=\"axis\">",
            LEFT, TOP, WIDTH, HEIGHT, LEFT + WIDTH / 2, TOP + HEIGHT + 42);
    fh_cli_svg_text(to, axis_text(drawing->x.name));
    fprintf(to, "%s</text>\n<text transform=\"translate(%d %d) rotate(-90)\" class=\"axis\">",
            x->log ? ", logarithmic" : "", 26, TOP + HEIGHT / 2);
    fh_cli_svg_text(to, axis_text(drawing->y.name));
    fprintf(to, "%s</text>\n", y->log ? ", logarithmic" : "");
}

/* ---------------------------------------------------------------- lines */

/* Three shapes, so that lines of one colour differ, too. */
static void draw_mark(FILE *to, size_t line, double x, double y) {
    const char *color = fh_cli_svg_color(line);
    switch (line / FH_CLI_SVG_COLORS % 3) {
    case 0:
        fprintf(to, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"%d\" fill=\"%s\"/>", x, y, MARK, color);
        return;
    case 1:
        fprintf(to, "<rect x=\"%.1f\" y=\"%.1f\" width=\"%d\" height=\"%d\" fill=\"%s\"/>",
                x - MARK, y - MARK, 2 * MARK, 2 * MARK, color);
        return;
    default:
        fprintf(to, "<path d=\"M%.1f %.1fl%d %dh%dz\" fill=\"%s\"/>", x, y - MARK, MARK, 2 * MARK,
                -2 * MARK, color);
    }
}

static void begin_line(FILE *to, size_t line) {
    static const char *const dashes[] = {"none", "7 3", "2 3", "9 3 2 3"};
    fprintf(to,
            "<polyline fill=\"none\" stroke=\"%s\" stroke-width=\"2\" stroke-dasharray=\"%s\" "
            "points=\"",
            fh_cli_svg_color(line), dashes[line / FH_CLI_SVG_COLORS % 4]);
}

static void draw_line(FILE *to, size_t index, const struct fh_cli_sweep_drawn *line,
                      const struct axis *x, const struct axis *y) {
    begin_line(to, index);
    for (size_t i = 0; i < line->count; i++)
        fprintf(to, "%s%.1f,%.1f", i ? " " : "", LEFT + place(x, line->points[i].x),
                TOP + HEIGHT - place(y, line->points[i].y));
    fputs("\"/>\n", to);
    for (size_t i = 0; i < line->count; i++)
        draw_mark(to, index, LEFT + place(x, line->points[i].x),
                  TOP + HEIGHT - place(y, line->points[i].y));
    fputc('\n', to);
}

static void draw_legend(FILE *to, const struct fh_cli_sweep_drawing *drawing) {
    const int left = LEFT + WIDTH + GAP;
    fprintf(to, "<text x=\"%d\" y=\"%d\" class=\"title\">", left, TOP + 10);
    fh_cli_svg_text(to, drawing->legend);
    fputs("</text>\n", to);
    for (size_t i = 0; i < drawing->count; i++) {
        const int y = TOP + 14 + ((int)i + 1) * PITCH;
        begin_line(to, i);
        fprintf(to, "%d,%d %d,%d\"/>", left, y - 4, left + SAMPLE, y - 4);
        draw_mark(to, i, left + SAMPLE / 2, y - 4);
        fprintf(to, "<text x=\"%d\" y=\"%d\" class=\"legend\">", left + SAMPLE + 8, y);
        fh_cli_svg_text(to, drawing->lines[i].label);
        fputs("</text>\n", to);
    }
}

void fh_cli_sweep_draw(const struct fh_cli_sweep_drawing *drawing, FILE *to) {
    const struct axis x = make_axis(&drawing->x, WIDTH, doubles(drawing), false);
    const struct axis y = make_axis(&drawing->y, HEIGHT, false, true);
    const int field = TOP + HEIGHT + BOTTOM;
    const int legend = TOP + 14 + ((int)drawing->count + 2) * PITCH;
    const bool told = *drawing->legend;
    fh_cli_svg_begin(to, LEFT + WIDTH + GAP + (told ? LEGEND : 0), field > legend ? field : legend,
                     ".axis { font-size: 13px; text-anchor: middle; }\n"
                     ".legend { font-size: 13px; }\n"
                     ".side { text-anchor: end; }\n"
                     ".frame { fill: none; stroke: #888; stroke-width: 1; }\n");
    fprintf(to, "<text x=\"%d\" y=\"36\" class=\"head\">", LEFT);
    fh_cli_svg_text(to, drawing->title ? drawing->title : axis_text(drawing->y.name));
    fputs("</text>\n", to);
    draw_axes(to, &x, &y, drawing);
    for (size_t i = 0; i < drawing->count; i++)
        draw_line(to, i, &drawing->lines[i], &x, &y);
    if (told)
        draw_legend(to, drawing);
    fputs("</svg>\n", to);
}

/*
 * block_gantt.c - a plan as a drawing: a row for each engine, bars for what it does, coloured by
 * what kind of block that is. Bars of one block that touch at the drawing's resolution are one.
 */
#include "block_report.h"

#include <stdlib.h>
#include <string.h>

enum { LEFT = 90, TOP = 60, ROW = 22, WIDTH = 1200, COLORS = 8, LEGEND = 150, BOTTOM = 70 };
static const char *const colors[COLORS] = {"#4477aa", "#ee6677", "#228833", "#ccbb44",
                                           "#66ccee", "#aa3377", "#997700", "#888888"};

struct bar {
    uint32_t engine, block;
    double start, end;
};

static int by_engine(const void *a, const void *b) {
    const struct bar *x = a, *y = b;
    if (x->engine != y->engine)
        return x->engine < y->engine ? -1 : 1;
    if (x->start < y->start || x->start > y->start)
        return x->start < y->start ? -1 : 1;
    if (x->end < y->end || x->end > y->end)
        return x->end < y->end ? -1 : 1;
    return x->block < y->block ? -1 : x->block > y->block;
}

static const char *color_of(const struct fh_block_view *v, uint32_t block) {
    return colors[v->graph->blocks[block].op % COLORS];
}

static void put_bar(struct fh_trace_bytes *to, const struct fh_block_view *v, const struct bar *b,
                    double scale) {
    const double width = (b->end - b->start) * scale;
    fh_trace_print(to, "<rect x=\"%.2f\" y=\"%u\" width=\"%.2f\" height=\"%d\" fill=\"%s\"><title>",
                   LEFT + b->start * scale, TOP + b->engine * ROW + 2, width < 0.3 ? 0.3 : width,
                   ROW - 4, color_of(v, b->block));
    fh_trace_put_xml(to, v->graph->blocks[b->block].id);
    fh_trace_print(to, ", %s, level %zu: %.1f to %.1f us</title></rect>\n",
                   fh_block_signature(v->graph->blocks[b->block].op)->name,
                   v->graph->blocks[b->block].level, b->start / v->described->clock_mhz,
                   b->end / v->described->clock_mhz);
}

static bool put_bars(struct fh_trace_bytes *to, const struct fh_block_view *v, double scale) {
    const size_t count = v->tiles->count;
    struct bar *bars = calloc(count + 1, sizeof *bars);
    if (!bars)
        return false;
    for (size_t i = 0; i < count; i++) {
        const struct fh_tile_times *t = &v->plan->tiles[i];
        bars[i] = (struct bar){t->engine, v->tiles->tiles[i].block, t->start, t->end};
    }
    qsort(bars, count, sizeof *bars, by_engine);
    for (size_t i = 0; i < count;) {
        struct bar b = bars[i++];
        while (i < count && bars[i].engine == b.engine && bars[i].block == b.block &&
               (bars[i].start - b.end) * scale < 0.25)
            b.end = bars[i++].end;
        put_bar(to, v, &b, scale);
    }
    free(bars);
    return true;
}

/* Ticks at 1, 2 or 5 times a power of ten microseconds, ten at most. */
static void put_axis(struct fh_trace_bytes *to, const struct fh_block_view *v, double scale,
                     unsigned bottom) {
    const double all = v->plan->cycles / v->described->clock_mhz;
    double step = 1e-3;
    for (unsigned i = 0; all > 0 && all / step > 10; i++)
        step *= i % 3 == 1 ? 2.5 : 2;
    for (double at = 0; at <= all; at += step) {
        const double x = LEFT + at * v->described->clock_mhz * scale;
        fh_trace_print(to,
                       "<line x1=\"%.2f\" y1=\"%d\" x2=\"%.2f\" y2=\"%u\" stroke=\"#ddd\"/>\n"
                       "<text x=\"%.2f\" y=\"%u\" text-anchor=\"middle\">%.6g us</text>\n",
                       x, TOP, x, bottom, x, bottom + 16, at);
        if (step <= 0)
            break;
    }
}

static void put_legend(struct fh_trace_bytes *to, const struct fh_block_view *v, unsigned y) {
    bool there[FH_BLOCK_OPS] = {false};
    unsigned x = LEFT;
    for (size_t i = 0; i < v->graph->block_count; i++)
        there[v->graph->blocks[i].op] = true;
    for (unsigned op = 0; op < FH_BLOCK_OPS; op++) {
        if (!there[op])
            continue;
        fh_trace_print(to,
                       "<rect x=\"%u\" y=\"%u\" width=\"12\" height=\"12\" fill=\"%s\"/>"
                       "<text x=\"%u\" y=\"%u\">%s</text>\n",
                       x, y, colors[op % COLORS], x + 18, y + 10,
                       fh_block_signature((enum fh_block_op)op)->name);
        x += LEGEND;
    }
}

bool fh_block_gantt(struct fh_trace_bytes *to, const struct fh_block_view *v) {
    const uint32_t engines = fh_torus_routers(&v->machine->torus);
    const unsigned bottom = TOP + engines * ROW;
    const double scale = v->plan->cycles > 0 ? WIDTH / v->plan->cycles : 1;
    fh_trace_print(to,
                   "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%u\" "
                   "font-family=\"sans-serif\" font-size=\"12\">\n"
                   "<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>\n"
                   "<text x=\"%d\" y=\"28\" font-size=\"16\" font-weight=\"bold\">",
                   LEFT + WIDTH + 40, bottom + BOTTOM, LEFT);
    fh_trace_put_xml(to, v->described->name);
    fh_trace_print(to, "%s%s: %.1f us</text>\n", *v->features ? " with " : "", v->features,
                   v->plan->cycles / v->described->clock_mhz);
    put_axis(to, v, scale, bottom);
    for (uint32_t e = 0; e < engines; e++)
        fh_trace_print(to, "<text x=\"%d\" y=\"%u\" text-anchor=\"end\">engine %u</text>\n",
                       LEFT - 8, TOP + e * ROW + 15, e);
    const bool drawn = put_bars(to, v, scale);
    put_legend(to, v, bottom + 36);
    fh_trace_print(to, "</svg>\n");
    return drawn && !to->failed;
}

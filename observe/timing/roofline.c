/*
 * roofline.c - see roofline.h.
 */
#include "roofline.h"

#include <math.h>

enum { SECTOR = 32 };

const char *fh_roofline_level_name(enum fh_roofline_level level) {
    static const char *const names[] = {
        [FH_ROOFLINE_L1] = "L1", [FH_ROOFLINE_L2] = "L2", [FH_ROOFLINE_HBM] = "HBM"};
    return names[level];
}

double fh_roofline_issue(const struct fh_time_machine *m) {
    return (double)m->sms * m->schedulers / m->slot * m->clock_mhz / 1e3;
}

double fh_roofline_sectors(const struct fh_time_machine *m, enum fh_roofline_level level) {
    switch (level) {
    case FH_ROOFLINE_L1: return (double)m->sms * m->l1_width / SECTOR * m->clock_mhz / 1e3;
    case FH_ROOFLINE_L2: return (double)m->l2_bandwidth / SECTOR * m->clock_mhz / 1e3;
    default: return m->hbm_bandwidth / SECTOR;
    }
}

double fh_roofline_rate(const struct fh_timed_kernel *k, const struct fh_time_machine *m) {
    const uint64_t cycles = k->cycles - k->launches * m->launch;
    return cycles ? (double)k->warp_insts / (double)cycles * m->clock_mhz / 1e3 : 0;
}

double fh_roofline_intensity(const struct fh_timed_kernel *k, enum fh_roofline_level level) {
    const struct fh_time_traffic *t = &k->sm.traffic;
    const double all = (double)k->hbm_bytes / SECTOR; /* of all blocks, as its instructions are */
    switch (level) {
    case FH_ROOFLINE_L1: return t->sectors ? (double)k->sm.issued / (double)t->sectors : 0;
    case FH_ROOFLINE_L2: return t->l2_sectors ? (double)k->sm.issued / (double)t->l2_sectors : 0;
    default: return all > 0 ? (double)k->warp_insts / all : 0;
    }
}

double fh_roofline_attainable(const struct fh_timed_kernel *k, const struct fh_time_machine *m,
                              enum fh_roofline_level *level) {
    double least = fh_roofline_issue(m);
    *level = FH_ROOFLINE_LEVELS;
    for (enum fh_roofline_level i = 0; i < FH_ROOFLINE_LEVELS; i++) {
        const double intensity = fh_roofline_intensity(k, i);
        const double rate = intensity * fh_roofline_sectors(m, i);
        if (intensity > 0 && rate < least) {
            least = rate;
            *level = i;
        }
    }
    return least;
}

/* ---------------------------------------------------------------- the drawing */

enum { WIDTH = 900, HEIGHT = 480, LEFT = 80, TOP = 60, BOTTOM = 60, KEY = 260, ROW = 18 };

struct sheet {
    struct fh_trace_bytes *to;
    const struct fh_timer *timer;
    const struct fh_time_machine *machine;
    double least[2], most[2]; /* powers of ten of both axes */
};

static double x_of(const struct sheet *s, double intensity) {
    return LEFT + (log10(intensity) - s->least[0]) / (s->most[0] - s->least[0]) * WIDTH;
}

static double y_of(const struct sheet *s, double rate) {
    return TOP + (s->most[1] - log10(rate)) / (s->most[1] - s->least[1]) * HEIGHT;
}

static const char *level_color(enum fh_roofline_level level) {
    static const char *const colors[] = {"#0072b2", "#009e73", "#d55e00"};
    return colors[level];
}

static void widen(struct sheet *s, unsigned axis, double value) {
    if (value <= 0)
        return;
    s->least[axis] = fmin(s->least[axis], floor(log10(value)));
    s->most[axis] = fmax(s->most[axis], ceil(log10(value)));
}

/* Whole decades around all points, the roof of issues and where the others meet it. */
static void fit(struct sheet *s) {
    const double issue = fh_roofline_issue(s->machine);
    const struct fh_timed_kernel *k;
    s->least[0] = -1;
    s->most[0] = 2;
    s->least[1] = floor(log10(issue)) - 1;
    s->most[1] = ceil(log10(issue));
    for (size_t i = 0; (k = fh_timer_kernel(s->timer, i)); i++) {
        widen(s, 1, fh_roofline_rate(k, s->machine));
        for (enum fh_roofline_level l = 0; l < FH_ROOFLINE_LEVELS; l++)
            widen(s, 0, fh_roofline_intensity(k, l));
    }
    for (enum fh_roofline_level l = 0; l < FH_ROOFLINE_LEVELS; l++)
        widen(s, 0, issue / fh_roofline_sectors(s->machine, l));
}

static void put_axes(const struct sheet *s) {
    for (double x = s->least[0]; x <= s->most[0]; x++)
        fh_trace_print(s->to,
                       "<path d=\"M%.1f %d V%d\" stroke=\"#ddd\"/><text x=\"%.1f\" y=\"%d\" "
                       "text-anchor=\"middle\">%g</text>\n",
                       x_of(s, pow(10, x)), TOP, TOP + HEIGHT, x_of(s, pow(10, x)),
                       TOP + HEIGHT + 18, pow(10, x));
    for (double y = s->least[1]; y <= s->most[1]; y++)
        fh_trace_print(s->to,
                       "<path d=\"M%d %.1f H%d\" stroke=\"#ddd\"/><text x=\"%d\" y=\"%.1f\" "
                       "text-anchor=\"end\">%g</text>\n",
                       LEFT, y_of(s, pow(10, y)), LEFT + WIDTH, LEFT - 8, y_of(s, pow(10, y)) + 4,
                       pow(10, y));
    fh_trace_print(s->to,
                   "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\">warp instructions per sector of "
                   "32 bytes</text>\n<text transform=\"translate(22 %d) rotate(-90)\" "
                   "text-anchor=\"middle\">10^9 warp instructions a second</text>\n",
                   LEFT + WIDTH / 2, TOP + HEIGHT + 44, TOP + HEIGHT / 2);
}

/* The slope of a level, from the lower or left edge to the roof of issues, with its name along it.
 */
static void put_roofs(const struct sheet *s) {
    const double issue = fh_roofline_issue(s->machine);
    const double angle =
        atan2(HEIGHT / (s->most[1] - s->least[1]), WIDTH / (s->most[0] - s->least[0])) * 180 / M_PI;
    double first = s->most[0]; /* where the flat roof begins: at the steepest slope */
    for (enum fh_roofline_level l = 0; l < FH_ROOFLINE_LEVELS; l++) {
        const double sectors = fh_roofline_sectors(s->machine, l);
        const double from = fmax(pow(10, s->least[0]), pow(10, s->least[1]) / sectors);
        first = fmin(first, log10(issue / sectors));
        fh_trace_print(s->to,
                       "<path d=\"M%.1f %.1f L%.1f %.1f\" stroke=\"%s\" stroke-width=\"2\"/><text "
                       "transform=\"translate(%.1f %.1f) rotate(%.2f)\" x=\"8\" y=\"-5\" "
                       "fill=\"%s\">%s, %.4g 10^9 sectors a second</text>\n",
                       x_of(s, from), y_of(s, from * sectors), x_of(s, issue / sectors),
                       y_of(s, issue), level_color(l), x_of(s, from), y_of(s, from * sectors),
                       -angle, level_color(l), fh_roofline_level_name(l), sectors);
    }
    fh_trace_print(s->to,
                   "<path d=\"M%.1f %.1f H%d\" stroke=\"black\" stroke-width=\"2\"/><text x=\"%d\" "
                   "y=\"%.1f\" text-anchor=\"end\">issue, %.4g</text>\n",
                   x_of(s, pow(10, first)), y_of(s, issue), LEFT + WIDTH, LEFT + WIDTH - 6,
                   y_of(s, issue) - 8, issue);
}

/* What the points' colors mean. */
static void put_key(const struct sheet *s) {
    for (enum fh_roofline_level l = 0; l < FH_ROOFLINE_LEVELS; l++)
        fh_trace_print(s->to,
                       "<circle cx=\"%d\" cy=\"%d\" r=\"4\" fill=\"%s\"/><text x=\"%d\" "
                       "y=\"%d\">a kernel, per sector of %s</text>\n",
                       LEFT + WIDTH + 24, TOP + (int)l * ROW - 4, level_color(l), LEFT + WIDTH + 34,
                       TOP + (int)l * ROW, fh_roofline_level_name(l));
}

/* A point for each level, the last one to the right numbered as in the list. */
static void put_kernel(const struct sheet *s, const struct fh_timed_kernel *k, size_t number) {
    const double rate = fh_roofline_rate(k, s->machine);
    double right = 0;
    for (enum fh_roofline_level l = 0; rate > 0 && l < FH_ROOFLINE_LEVELS; l++) {
        const double intensity = fh_roofline_intensity(k, l);
        if (intensity <= 0)
            continue;
        fh_trace_print(s->to, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"4\" fill=\"%s\"><title>",
                       x_of(s, intensity), y_of(s, rate), level_color(l));
        fh_trace_put_xml(s->to, k->of->name);
        fh_trace_print(s->to, ": %.4g, %.4g per sector of %s</title></circle>\n", rate, intensity,
                       fh_roofline_level_name(l));
        right = fmax(right, x_of(s, intensity));
    }
    if (right > 0)
        fh_trace_print(s->to, "<text x=\"%.1f\" y=\"%.1f\">%zu</text>\n", right + 6,
                       y_of(s, rate) + 4, number);
    fh_trace_print(s->to, "<text x=\"%d\" y=\"%zu\">%zu ", LEFT + WIDTH + 20,
                   TOP + (FH_ROOFLINE_LEVELS + number) * ROW, number);
    fh_trace_put_xml(s->to, k->of->name);
    fh_trace_print(s->to, "</text>\n");
}

bool fh_roofline_svg(struct fh_trace_bytes *to, const struct fh_timer *timer) {
    struct sheet s = {.to = to, .timer = timer, .machine = fh_timer_machine(timer)};
    const struct fh_timed_kernel *k;
    size_t kernels = 0;
    while (fh_timer_kernel(timer, kernels))
        kernels++;
    const size_t list = TOP + (FH_ROOFLINE_LEVELS + kernels + 1) * ROW, low = TOP + HEIGHT + BOTTOM;
    fit(&s);
    fh_trace_print(to,
                   "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%zu\" "
                   "font-family=\"sans-serif\" font-size=\"12\">\n<rect width=\"100%%\" "
                   "height=\"100%%\" fill=\"white\"/>\n<text x=\"%d\" y=\"30\" font-size=\"15\" "
                   "font-weight=\"bold\">Kernels under the roofs of ",
                   LEFT + WIDTH + KEY, list > low ? list : low, LEFT);
    fh_trace_put_xml(to, s.machine->name);
    fh_trace_print(to, "</text>\n");
    put_axes(&s);
    put_roofs(&s);
    put_key(&s);
    for (size_t i = 0; (k = fh_timer_kernel(timer, i)); i++)
        put_kernel(&s, k, i + 1);
    fh_trace_print(to, "</svg>\n");
    return !to->failed;
}

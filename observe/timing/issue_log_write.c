/*
 * issue_log_write.c - an issue log as JSON and as a drawing: see issue_log.h.
 */
#include "issue_log.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "time_sm.h"

enum { TEXT = 160 };

/* In a string of JSON; quotes and backslashes, which no instruction has, become apostrophes. */
static void put_string(struct fh_trace_bytes *to, const char *text) {
    for (; *text; text++)
        fh_trace_put_byte(to, *text == '"' || *text == '\\' ? '\''
                              : (unsigned char)*text < ' '  ? ' '
                                                            : (unsigned char)*text);
}

/* The launch that an event is of. */
static size_t launch_of(const struct fh_issue_log *t, size_t event) {
    size_t i = 0;
    while (i + 1 < t->launch_count && t->launches[i + 1].first <= event)
        i++;
    return i;
}

static void instruction(const struct fh_issue_log *t, size_t event, char text[TEXT]) {
    const struct fh_issue_log_launch *l = &t->launches[launch_of(t, event)];
    const uint32_t word = t->events[event].word;
    if (fhec_disassemble(l->kernel->words[word].word, word * sizeof(fhec_word), 0, text, TEXT) < 0)
        snprintf(text, TEXT, "?");
}

/* ---------------------------------------------------------------- trace events */

static uint64_t process_of(const struct fh_issue_log *t, size_t event) {
    return launch_of(t, event) * FH_TIME_SCHEDULERS + t->events[event].scheduler;
}

static uint64_t thread_of(const struct fh_issue_log_event *e) {
    return (uint64_t)e->slot << 16 | e->warp;
}

/* A comma before all but the first. */
static void begin_event(struct fh_trace_bytes *to, bool *first) {
    fh_trace_print(to, *first ? "\n" : ",\n");
    *first = false;
}

/* Names of processes, whatever of them there is. */
static void put_processes(struct fh_trace_bytes *to, const struct fh_issue_log *t,
                          const struct fh_time_machine *m, bool *first) {
    for (size_t i = 0; i < t->launch_count; i++)
        for (uint32_t s = 0; s < m->schedulers; s++) {
            begin_event(to, first);
            fh_trace_print(to,
                           "{\"name\": \"process_name\", \"ph\": \"M\", \"pid\": %llu, \"args\": "
                           "{\"name\": \"launch %zu: ",
                           (unsigned long long)(i * FH_TIME_SCHEDULERS + s), i + 1);
            put_string(to, t->launches[i].kernel->name);
            fh_trace_print(to, ", scheduler %u\"}}", s);
        }
}

static void put_event(struct fh_trace_bytes *to, const struct fh_issue_log *t,
                      const struct fh_time_machine *m, size_t i) {
    const struct fh_issue_log_event *e = &t->events[i];
    const struct fh_profiled_word *w = &t->launches[launch_of(t, i)].kernel->words[e->word];
    char text[TEXT];
    instruction(t, i, text);
    fh_trace_print(to, "{\"name\": \"");
    put_string(to, text);
    fh_trace_print(to,
                   "\", \"cat\": \"%s\", \"ph\": \"X\", \"pid\": %llu, \"tid\": %llu, \"ts\": "
                   "%llu.%03llu, \"dur\": %llu.%03llu, \"args\": {\"pc\": \"0x%04llx\"",
                   m->units[e->unit].name, (unsigned long long)process_of(t, i),
                   (unsigned long long)thread_of(e), (unsigned long long)(e->begin / 1000),
                   (unsigned long long)(e->begin % 1000),
                   (unsigned long long)((e->end - e->begin) / 1000),
                   (unsigned long long)((e->end - e->begin) % 1000),
                   (unsigned long long)(e->word * sizeof(fhec_word)));
    if (w->file) {
        fh_trace_print(to, ", \"line\": \"");
        put_string(to, w->file);
        fh_trace_print(to, ":%u\"", w->line);
    }
    if (e->waited)
        fh_trace_print(to, ", \"waited\": %llu, \"for\": \"%s\"", (unsigned long long)e->waited,
                       fh_time_reason_name((enum fh_time_reason)e->why));
    fh_trace_print(to, "}}");
}

bool fh_issue_log_json(struct fh_trace_bytes *to, const struct fh_issue_log *t,
                       const struct fh_time_machine *m) {
    bool first = true;
    fh_trace_print(to, "{\"displayTimeUnit\": \"ns\", \"otherData\": {\"machine\": \"");
    put_string(to, m->name);
    fh_trace_print(to, "\", \"left_out\": %zu}, \"traceEvents\": [", t->left);
    put_processes(to, t, m, &first);
    for (size_t i = 0; i < t->count; i++) {
        begin_event(to, &first);
        put_event(to, t, m, i);
    }
    fh_trace_print(to, "\n]}\n");
    return !to->failed && !t->failed;
}

/* ---------------------------------------------------------------- a drawing */

enum { LEFT = 150, TOP = 70, ROW = 14, BAR = 10, WIDTH = 1200, LEGEND = 110 };

/* A warp of a launch, which has a row. */
struct row {
    size_t launch;
    uint8_t scheduler;
    uint16_t slot, warp;
};

static int by_place(const void *a, const void *b) {
    const struct row *x = a, *y = b;
    if (x->launch != y->launch)
        return x->launch < y->launch ? -1 : 1;
    if (x->scheduler != y->scheduler)
        return x->scheduler < y->scheduler ? -1 : 1;
    return x->slot != y->slot ? (int)x->slot - y->slot : (int)x->warp - y->warp;
}

static struct row row_of(const struct fh_issue_log *t, size_t event) {
    const struct fh_issue_log_event *e = &t->events[event];
    return (struct row){launch_of(t, event), e->scheduler, e->slot, e->warp};
}

/* The rows that there are, sorted; malloc'd. */
static struct row *make_rows(const struct fh_issue_log *t, size_t *count) {
    struct row *rows = malloc((t->count + 1) * sizeof *rows);
    *count = 0;
    if (!rows)
        return NULL;
    for (size_t i = 0; i < t->count; i++)
        rows[i] = row_of(t, i);
    qsort(rows, t->count, sizeof *rows, by_place);
    for (size_t i = 0; i < t->count; i++)
        if (!*count || by_place(&rows[*count - 1], &rows[i]) != 0)
            rows[(*count)++] = rows[i];
    return rows;
}

/* Colours that colour-blind readers can tell apart (Okabe and Ito). */
static const char *color_of(uint32_t unit) {
    static const char *const colors[] = {"#0072b2", "#e69f00", "#009e73", "#cc79a7",
                                         "#d55e00", "#56b4e9", "#a0a000", "#777777"};
    return colors[unit % (sizeof colors / sizeof *colors)];
}

static void put_legend(struct fh_trace_bytes *to, const struct fh_issue_log *t,
                       const struct fh_time_machine *m) {
    uint32_t used = 0, shown = 0;
    for (size_t i = 0; i < t->count; i++)
        used |= 1u << t->events[i].unit;
    for (uint32_t u = 0; u < m->unit_count; u++) {
        if (!(used >> u & 1))
            continue;
        const unsigned x = LEFT + LEGEND * shown++;
        fh_trace_print(to,
                       "<rect x=\"%u\" y=\"36\" width=\"10\" height=\"10\" fill=\"%s\"/><text "
                       "x=\"%u\" y=\"45\">%s</text>\n",
                       x, color_of(u), x + 14, m->units[u].name);
    }
}

static void put_axis(struct fh_trace_bytes *to, uint64_t from, uint64_t span, size_t rows) {
    uint64_t step = 1;
    for (unsigned i = 0; span / step > 12; i++)
        step = step * (i % 3 == 1 ? 5 : 4) / 2; /* 1, 2, 5, 10, 20, ... */
    for (uint64_t at = (from + step - 1) / step * step; at <= from + span; at += step) {
        const double x = LEFT + (double)(at - from) * WIDTH / (double)span;
        fh_trace_print(to,
                       "<path d=\"M%.1f %d V%zu\" stroke=\"#ddd\"/><text x=\"%.1f\" y=\"%d\" "
                       "text-anchor=\"middle\">%llu</text>\n",
                       x, TOP, (size_t)TOP + rows * ROW, x, TOP - 6, (unsigned long long)at);
    }
}

static void put_bar(struct fh_trace_bytes *to, const struct fh_issue_log *t,
                    const struct fh_time_machine *m, size_t i, size_t row, double scale) {
    const struct fh_issue_log_event *e = &t->events[i];
    const double x = LEFT + (double)(e->begin - t->events[0].begin) * scale;
    const double length = (double)(e->end - e->begin) * scale, dark = m->slot * scale;
    const double room = LEFT + WIDTH - x;
    const size_t y = (size_t)TOP + row * ROW + (ROW - BAR) / 2;
    char text[TEXT];
    instruction(t, i, text);
    fh_trace_print(to, "<g fill=\"%s\"><title>%llu to %llu: ", color_of(e->unit),
                   (unsigned long long)e->begin, (unsigned long long)e->end);
    fh_trace_put_xml(to, text);
    fh_trace_print(to,
                   "</title><rect x=\"%.2f\" y=\"%zu\" width=\"%.2f\" height=\"%d\" "
                   "opacity=\"0.25\"/><rect x=\"%.2f\" y=\"%zu\" width=\"%.2f\" "
                   "height=\"%d\"/></g>\n",
                   x, y, length < room ? length : room, BAR, x, y, dark < room ? dark : room, BAR);
}

bool fh_issue_log_svg(struct fh_trace_bytes *to, const struct fh_issue_log *t,
                      const struct fh_time_machine *m) {
    size_t count;
    struct row *rows = make_rows(t, &count);
    if (!rows)
        return false;
    const uint64_t from = t->count ? t->events[0].begin : 0;
    const uint64_t span = t->count ? t->events[t->count - 1].begin + m->slot - from : 1;
    fh_trace_print(to,
                   "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%zu\" "
                   "font-family=\"sans-serif\" font-size=\"11\">\n<rect width=\"100%%\" "
                   "height=\"100%%\" fill=\"white\"/>\n<text x=\"%d\" y=\"22\" font-size=\"15\" "
                   "font-weight=\"bold\">One SM of ",
                   LEFT + WIDTH + 20, (size_t)TOP + count * ROW + 20, LEFT);
    fh_trace_put_xml(to, m->name);
    fh_trace_print(to, ", by cycle</text>\n");
    put_legend(to, t, m);
    put_axis(to, from, span, count);
    for (size_t i = 0; i < count; i++)
        fh_trace_print(to,
                       "<text x=\"%d\" y=\"%zu\" text-anchor=\"end\">launch %zu, scheduler %u, "
                       "%u.%u</text>\n",
                       LEFT - 6, (size_t)TOP + i * ROW + BAR + 1, rows[i].launch + 1,
                       rows[i].scheduler, rows[i].slot, rows[i].warp);
    for (size_t i = 0; i < t->count; i++) {
        const struct row key = row_of(t, i);
        const struct row *row = bsearch(&key, rows, count, sizeof key, by_place);
        put_bar(to, t, m, i, (size_t)(row - rows), (double)WIDTH / (double)span);
    }
    fh_trace_print(to, "</svg>\n");
    free(rows);
    return !to->failed && !t->failed;
}

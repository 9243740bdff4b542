/*
 * show_table.c - lines, and tables of cells that fit into a width.
 */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "show.h"

enum { LINE = 4096, SPANS = 256, DEFAULT_WIDTH = 80, MOST_COLUMNS = 128 };

struct line {
    char text[LINE];
    size_t length;
    struct fh_show_span spans[SPANS];
    size_t span_count;
    char mark; /* of the last cell: in the place of the blank behind it */
};

static void put(struct line *l, const char *text, size_t length, enum fh_show_style style) {
    length = length < LINE - 1 - l->length ? length : LINE - 1 - l->length;
    if (style != FH_SHOW_PLAIN && length && l->span_count < SPANS)
        l->spans[l->span_count++] = (struct fh_show_span){l->length, length, style};
    memcpy(l->text + l->length, text, length);
    l->length += length;
}

static void pad(struct line *l, size_t count) {
    for (; count && l->length < LINE - 1; count--)
        l->text[l->length++] = ' ';
}

/* Blanks at the end say nothing. */
static void flush(struct line *l, const struct fh_show_out *out) {
    const struct fh_show_span *last = l->span_count ? &l->spans[l->span_count - 1] : NULL;
    const size_t end = last ? last->begin + last->length : 0;
    while (l->length > end && l->text[l->length - 1] == ' ')
        l->length--;
    l->text[l->length] = '\0';
    const struct fh_show_line line = {l->text, l->length, l->spans, l->span_count};
    out->line(out->user, &line);
    l->length = l->span_count = 0;
}

void fh_show_text(const struct fh_show_out *out, enum fh_show_style style, const char *format,
                  ...) {
    struct line line = {.length = 0};
    char text[LINE];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    put(&line, text, strlen(text), style);
    flush(&line, out);
}

/* ---------------------------------------------------------------- tables */

/* Columns [first, end) beside each other: the width of the rows' names and of a cell. */
struct band {
    uint64_t first, end;
    size_t name, cell;
    bool marks; /* some cell has one */
};

static void name_of(const struct fh_show_table *t, uint64_t row, struct fh_show_cell *cell) {
    *cell = (struct fh_show_cell){.style = FH_SHOW_NAME};
    t->row(t->user, row, cell);
}

static size_t name_width(const struct fh_show_table *t) {
    struct fh_show_cell cell;
    size_t width = 0;
    for (uint64_t row = 0; row < t->rows; row++) {
        name_of(t, row, &cell);
        const size_t length = strlen(cell.text);
        width = length > width ? length : width;
    }
    return width;
}

static void widen(struct band *b, const struct fh_show_cell *cell) {
    const size_t length = strlen(cell->text);
    b->cell = length > b->cell ? length : b->cell;
    b->marks |= cell->mark != 0;
}

static void measure(const struct fh_show_table *t, struct band *b) {
    b->cell = 1;
    b->marks = false;
    for (uint64_t column = b->first; column < b->end; column++) {
        struct fh_show_cell cell = {.style = FH_SHOW_NAME};
        if (t->column)
            t->column(t->user, column, &cell);
        widen(b, &cell);
        for (uint64_t row = 0; row < t->rows; row++) {
            cell = (struct fh_show_cell){.style = FH_SHOW_PLAIN};
            t->cell(t->user, row, column, &cell);
            widen(b, &cell);
        }
    }
}

/* What stands between the last cell and the next one, or the end. */
static void put_mark(struct line *l) {
    if (l->mark)
        put(l, &l->mark, 1, FH_SHOW_PLAIN);
    else
        pad(l, 1);
    l->mark = 0;
}

static void put_cell(struct line *l, const struct band *b, const struct fh_show_cell *cell) {
    const size_t length = strlen(cell->text);
    put_mark(l);
    pad(l, b->cell - (length < b->cell ? length : b->cell));
    put(l, cell->text, length, cell->style);
    l->mark = cell->mark;
}

static void put_band(const struct fh_show_out *out, const struct fh_show_table *t,
                     const struct band *b) {
    struct line line = {.length = 0};
    struct fh_show_cell cell;
    pad(&line, b->name);
    for (uint64_t column = b->first; t->column && column < b->end; column++) {
        cell = (struct fh_show_cell){.style = FH_SHOW_NAME};
        t->column(t->user, column, &cell);
        put_cell(&line, b, &cell);
    }
    if (t->column)
        flush(&line, out);
    for (uint64_t row = 0; row < t->rows; row++) {
        line.length = line.span_count = 0;
        name_of(t, row, &cell);
        put(&line, cell.text, strlen(cell.text), cell.style);
        pad(&line, b->name - strlen(cell.text));
        for (uint64_t column = b->first; column < b->end; column++) {
            cell = (struct fh_show_cell){.style = FH_SHOW_PLAIN};
            t->cell(t->user, row, column, &cell);
            put_cell(&line, b, &cell);
        }
        put_mark(&line);
        flush(&line, out);
    }
}

/* How many columns of the band's width fit beside the rows' names. */
static uint64_t room_for(const struct fh_show_table *t, const struct band *b, size_t width) {
    const size_t used = b->name + b->marks, cell = b->cell + 1;
    const uint64_t fit = width > used + cell ? (width - used) / cell : 1;
    uint64_t across = 1;
    if (t->window || fit >= b->end)
        return fit < b->end ? fit : b->end;
    while (2 * across <= fit)
        across *= 2;
    return across;
}

uint64_t fh_show_table(const struct fh_show_out *out, const struct fh_show_table *t) {
    const size_t width = out->width ? out->width : DEFAULT_WIDTH;
    struct band b = {.end = t->columns < MOST_COLUMNS ? t->columns : MOST_COLUMNS};
    if (t->title)
        fh_show_text(out, FH_SHOW_TITLE, "%s", t->title);
    b.name = name_width(t);
    measure(t, &b);
    const uint64_t across = room_for(t, &b, width);
    for (b.first = t->window ? t->first : 0; b.first < t->columns; b.first = b.end) {
        b.end = t->columns - b.first > across ? b.first + across : t->columns;
        if (b.first && t->columns > MOST_COLUMNS) /* not measured yet */
            measure(t, &b);
        put_band(out, t, &b);
        if (t->window)
            break;
    }
    return across;
}

/*
 * show_memory.c - arrays by their shapes, and shared memory by banks.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "show.h"

enum { BANKS = 32, MOST_ACROSS = 1024 };

struct cells {
    const struct fh_query_array *array;
    const struct fh_query_place *place;
    const struct fh_show_format *format;
    uint64_t across; /* elements of a row */
};

static void element_cell(void *user, uint64_t row, uint64_t column, struct fh_show_cell *cell) {
    const struct cells *c = user;
    const uint64_t index = row * c->across + column;
    uint64_t value;
    if (index >= fh_query_array_count(c->array))
        return;
    if (fh_query_array_read(c->array, c->place, c->place->lane, index, 1, &value) != FHEC_OK) {
        (void)snprintf(cell->text, sizeof cell->text, "?");
        cell->style = FH_SHOW_WRONG;
        return;
    }
    fh_show_number(c->format, value, 8 * fh_query_type_bytes(c->array->type), cell->text);
}

static void column_name(void *user, uint64_t column, struct fh_show_cell *cell) {
    (void)user;
    (void)snprintf(cell->text, sizeof cell->text, "%" PRIu64, column);
}

/* Of an array of one dimension, the index of the first; of others, those of all but the last. */
static void row_name(void *user, uint64_t row, struct fh_show_cell *cell) {
    const struct cells *c = user;
    const struct fh_query_array *array = c->array;
    uint64_t indices[FH_QUERY_DIMS] = {row * c->across};
    const unsigned count = array->rank > 1 ? array->rank - 1 : 1;
    for (unsigned i = count; array->rank > 1 && i-- > 0;) {
        indices[i] = row % array->shape[i];
        row /= array->shape[i];
    }
    size_t length = 0;
    for (unsigned i = 0; i < count && length < sizeof cell->text; i++) {
        const int more =
            snprintf(cell->text + length, sizeof cell->text - length, "[%" PRIu64 "]", indices[i]);
        length += more > 0 ? (size_t)more : 0;
    }
}

/* How many elements of one dimension stand beside each other: a power of two. */
static uint64_t across_of(const struct fh_show_out *out, const struct cells *c, uint64_t count) {
    const unsigned width = out->width ? out->width : 80;
    struct fh_show_cell first = {.style = FH_SHOW_PLAIN}, last = first;
    const struct cells one = {c->array, c->place, c->format, 1};
    element_cell((void *)&one, 0, 0, &first);
    element_cell((void *)&one, count - 1, 0, &last);
    const size_t a = strlen(first.text), b = strlen(last.text), cell = 1 + (a > b ? a : b);
    uint64_t across = 32;
    while (across > 1 && (across > count || 12 + across * cell > width))
        across /= 2;
    return across;
}

void fh_show_array(const struct fh_show_out *out, const struct fh_query_array *array,
                   const char *name, const struct fh_query_place *place, uint64_t limit,
                   const struct fh_show_format *format) {
    const uint64_t count = fh_query_array_count(array);
    struct cells c = {.array = array, .place = place, .format = format};
    if (!count || count == UINT64_MAX) {
        fh_show_text(out, FH_SHOW_WRONG, "%s has no elements", name);
        return;
    }
    c.across = array->rank > 1 ? array->shape[array->rank - 1] : across_of(out, &c, count);
    const uint64_t rows = count / c.across + (count % c.across != 0);
    const struct fh_show_table table = {.title = name,
                                        .rows = rows < limit ? rows : limit,
                                        .columns = c.across < MOST_ACROSS ? c.across : MOST_ACROSS,
                                        .user = &c,
                                        .row = row_name,
                                        .column = array->rank > 1 ? column_name : NULL,
                                        .cell = element_cell};
    (void)fh_show_table(out, &table);
    if (c.across > MOST_ACROSS)
        fh_show_text(out, FH_SHOW_PLAIN, "and %" PRIu64 " more columns", c.across - MOST_ACROSS);
    if (rows > limit)
        fh_show_text(out, FH_SHOW_PLAIN, "and %" PRIu64 " more rows", rows - limit);
}

/* ---------------------------------------------------------------- banks */

static void bank_row(void *user, uint64_t row, struct fh_show_cell *cell) {
    const struct cells *c = user;
    (void)snprintf(cell->text, sizeof cell->text, "0x%05x",
                   (unsigned)(c->array->address + 4 * BANKS * row));
}

void fh_show_banks(const struct fh_show_out *out, const struct fh_query_place *place,
                   uint32_t first, uint32_t count, const struct fh_show_format *format) {
    const uint32_t begin = first / BANKS * BANKS; /* a row begins with bank 0 */
    const uint64_t rows = ((uint64_t)first - begin + count + BANKS - 1) / BANKS;
    const struct fh_query_array words = {.type = FH_QUERY_U32,
                                         .rank = 1,
                                         .shape = {rows * BANKS},
                                         .space = FHEC_SPACE_SHARED,
                                         .address = UINT64_C(4) * begin};
    struct cells c = {&words, place, format, BANKS};
    const struct fh_show_table table = {.title = "shared memory by banks",
                                        .rows = rows,
                                        .columns = BANKS,
                                        .user = &c,
                                        .row = bank_row,
                                        .column = column_name,
                                        .cell = element_cell};
    (void)fh_show_table(out, &table);
}

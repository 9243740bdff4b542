/*
 * matrix_pattern.c - see matrix_pattern.h.
 */
#include "matrix_pattern.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Rows or columns of a matrix alike: line `i`, entry `k`. */
struct lines {
    const uint64_t *entries;
    size_t count, length, line_step, entry_step;
};

static uint64_t entry(const struct lines *l, size_t line, size_t k) {
    return l->entries[line * l->line_step + k * l->entry_step];
}

static struct lines rows_of(const struct fh_probed *p, const uint64_t *entries) {
    return (struct lines){entries, p->rows, p->columns, 1, p->rows};
}

static struct lines columns_of(const struct fh_probed *p, const uint64_t *entries) {
    return (struct lines){entries, p->columns, p->rows, p->rows, 1};
}

static bool equal_lines(const struct lines *a, size_t i, const struct lines *b, size_t j) {
    size_t k = 0;
    while (k < a->length && entry(a, i, k) == entry(b, j, k))
        k++;
    return k == a->length;
}

static bool is_zero(const struct lines *l, size_t line) {
    size_t k = 0;
    while (k < l->length && !entry(l, line, k))
        k++;
    return k == l->length;
}

static uint64_t hash_line(const struct lines *l, size_t line) {
    uint64_t h = 1469598103934665603U;
    for (size_t k = 0; k < l->length; k++)
        h = (h ^ entry(l, line, k) ^ entry(l, line, k) >> 29) * 1099511628211U;
    return h;
}

/* ---------------------------------------------------------------- another order */

/* For each line of `got` the line of `want` that is like it, itself if it is right; false if there
 * is one without. */
static bool find_order(const struct lines *got, const struct lines *want, size_t *order) {
    uint64_t *hashes = malloc(want->count * sizeof *hashes);
    bool all = hashes != NULL;
    for (size_t i = 0; i < want->count && all; i++)
        hashes[i] = hash_line(want, i);
    for (size_t i = 0; i < got->count && all; i++) {
        const uint64_t hash = hash_line(got, i);
        size_t k = i;
        if (!equal_lines(got, i, want, i))
            for (k = 0; k < want->count; k++)
                if (hashes[k] == hash && equal_lines(got, i, want, k))
                    break;
        order[i] = k;
        all = k < want->count;
    }
    free(hashes);
    return all;
}

static size_t reversed(size_t number, size_t bits) {
    size_t back = 0;
    for (size_t b = 0; b < bits; b++)
        back |= (number >> b & 1) << (bits - 1 - b);
    return back;
}

/* The order in words, where it has a simple form. */
static bool name_order(const size_t *order, size_t count, char *text, size_t size) {
    const size_t bits = (size_t)__builtin_ctzll(count);
    bool xored = true, shifted = true, reverse = count > 2 && !(count & (count - 1));
    for (size_t i = 0; i < count; i++) {
        xored &= (order[i] ^ i) == order[0];
        shifted &= order[i] == (i + order[0]) % count;
        reverse &= order[i] == reversed(i, bits);
    }
    if (xored || shifted || reverse) {
        if (reverse)
            snprintf(text, size, "its number with the bits reversed");
        else if (xored)
            snprintf(text, size, "its number xor %zu", order[0]);
        else
            snprintf(text, size, "its number + %zu mod %zu", order[0], count);
        return true;
    }
    for (size_t columns = 2; columns <= count / 2; columns++) {
        size_t i = 0;
        if (count % columns)
            continue;
        const size_t height = count / columns;
        while (i < count && order[i] == i % columns * height + i / columns)
            i++;
        if (i == count) {
            snprintf(text, size, "that of the %zu x %zu matrix transposed", height, columns);
            return true;
        }
    }
    return false;
}

/* "rows 9 and 10 have changed places", "rows are in another order: ...". */
static bool try_order(const struct lines *got, const struct lines *want, const char *what,
                      char *text) {
    size_t *order = malloc(got->count * sizeof *order), moved = 0, first = 0, second = 0;
    char named[120];
    const bool found = order && find_order(got, want, order);
    for (size_t i = 0; i < got->count && found; i++)
        if (order[i] != i) {
            second = moved++ ? second : order[i];
            first = moved == 1 ? i : first;
        }
    if (found && moved == 2 && order[second] == first)
        snprintf(text, FH_PATTERN_TEXT, "%ss %zu and %zu have changed places", what, first, second);
    else if (found && moved && name_order(order, got->count, named, sizeof named))
        snprintf(text, FH_PATTERN_TEXT, "each %s is the right one with another number: %s", what,
                 named);
    else if (found && moved)
        snprintf(text, FH_PATTERN_TEXT,
                 "%zu %ss are right ones in another order: %s %zu is what %s %zu should be", moved,
                 what, what, first, what, second);
    free(order);
    return found && moved;
}

/* ---------------------------------------------------------------- other causes */

static bool try_transposed(const struct fh_probed *p, char *text) {
    if (p->rows != p->columns)
        return false;
    for (size_t i = 0; i < p->rows; i++)
        for (size_t j = 0; j < p->columns; j++)
            if (p->got[j * p->rows + i] != p->want[i * p->rows + j])
                return false;
    snprintf(text, FH_PATTERN_TEXT, "the matrix is the transposed one");
    return true;
}

static bool try_zero(const struct lines *got, const size_t *list, size_t count, const char *text_of,
                     char *text) {
    for (size_t i = 0; i < count; i++)
        if (!is_zero(got, list[i]))
            return false;
    snprintf(text, FH_PATTERN_TEXT, "%s", text_of);
    return true;
}

static uint64_t product(uint64_t a, uint64_t b, uint64_t modulus) {
    const unsigned __int128 whole = (unsigned __int128)a * b;
    return modulus ? (uint64_t)(whole % modulus) : (uint64_t)whole;
}

/* Whether the lines that are wrong are the right ones times one number: what one entry, that
 * should not be 0, tells is so of all. The number is told if an entry that should be 1 has it. */
static bool try_scaled(const struct fh_probed *p, const struct lines *got, const struct lines *want,
                       const size_t *list, size_t count, const char *what, char *text) {
    uint64_t a = 0, b = 0;
    for (size_t i = 0; i < count && b != 1; i++)
        for (size_t k = 0; k < got->length && b != 1; k++) {
            const uint64_t should = entry(want, list[i], k);
            if (!b || should == 1) {
                a = entry(got, list[i], k);
                b = should;
            }
        }
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < got->length; k++)
            if (product(entry(got, list[i], k), b, p->modulus) !=
                product(entry(want, list[i], k), a, p->modulus))
                return false;
    if (!a || !b)
        return false;
    if (a % b == 0)
        snprintf(text, FH_PATTERN_TEXT, "these %ss are the right ones times %llu", what,
                 (unsigned long long)(a / b));
    else
        snprintf(text, FH_PATTERN_TEXT, "these %ss are the right ones times a constant", what);
    return true;
}

static void find_cause(const struct fh_probed *p, struct fh_matrix_pattern *m) {
    const struct lines got_rows = rows_of(p, p->got), want_rows = rows_of(p, p->want);
    const struct lines got_columns = columns_of(p, p->got), want_columns = columns_of(p, p->want);
    if (try_zero(&got_rows, m->row_list, m->row_count, "nothing comes to these rows", m->cause) ||
        try_zero(&got_columns, m->column_list, m->column_count,
                 "these inputs have no part in the result", m->cause) ||
        try_transposed(p, m->cause) || try_order(&got_rows, &want_rows, "row", m->cause) ||
        try_order(&got_columns, &want_columns, "column", m->cause) ||
        try_scaled(p, &got_rows, &want_rows, m->row_list, m->row_count, "row", m->cause))
        return;
    (void)try_scaled(p, &got_columns, &want_columns, m->column_list, m->column_count, "column",
                     m->cause);
}

bool fh_matrix_describe(const struct fh_probed *p, struct fh_matrix_pattern *m) {
    const struct fh_array_shape outputs = {.count = p->rows, .row = "row"};
    const struct fh_array_shape inputs = {.count = p->first_column + p->columns, .row = "row"};
    *m = (struct fh_matrix_pattern){.row_list = calloc(p->rows, sizeof *m->row_list),
                                    .column_list = calloc(p->columns, sizeof *m->column_list)};
    bool *row = calloc(p->rows, sizeof *row);
    if (!m->row_list || !m->column_list || !row) {
        free(row);
        return false;
    }
    for (size_t j = 0; j < p->columns; j++) {
        size_t here = 0;
        for (size_t i = 0; i < p->rows; i++)
            if (p->got[j * p->rows + i] != p->want[j * p->rows + i]) {
                row[i] = true;
                here++;
            }
        m->wrong += here;
        if (here)
            m->column_list[m->column_count++] = j;
    }
    for (size_t i = 0; i < p->rows; i++)
        if (row[i])
            m->row_list[m->row_count++] = i;
    free(row);
    if (!m->wrong)
        return true;
    fh_pattern_describe(m->row_list, m->row_count, &outputs, m->rows);
    for (size_t i = 0; i < m->column_count; i++)
        m->column_list[i] += p->first_column;
    fh_pattern_describe(m->column_list, m->column_count, &inputs, m->columns);
    if (m->row_count == 1)
        snprintf(m->rows, sizeof m->rows, "index %zu", m->row_list[0]);
    if (m->column_count == 1)
        snprintf(m->columns, sizeof m->columns, "index %zu", m->column_list[0]);
    for (size_t i = 0; i < m->column_count; i++)
        m->column_list[i] -= p->first_column;
    find_cause(p, m);
    return true;
}

void fh_matrix_pattern_free(struct fh_matrix_pattern *m) {
    free(m->row_list);
    free(m->column_list);
    m->row_list = m->column_list = NULL;
}

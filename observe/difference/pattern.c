/*
 * pattern.c - see pattern.h.
 */
#include "pattern.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>

/* ---------------------------------------------------------------- sums of progressions */

/* The step'th, 2*step'th ... index from the first on: how many of them are equally far apart. */
static size_t equal_steps(const size_t *indices, size_t count, size_t step) {
    const size_t stride = indices[step] - indices[0];
    size_t n = 2;
    while (n * step < count && indices[n * step] - indices[(n - 1) * step] == stride)
        n++;
    return n;
}

/* Whether each group of `length` indices is the first one, moved. */
static bool groups_agree(const size_t *indices, size_t count, size_t length) {
    if (count % length)
        return false;
    for (size_t i = length; i < count; i++)
        if (indices[i] - indices[i - i % length] != indices[i % length] - indices[0])
            return false;
    return true;
}

bool fh_progression_find(const size_t *indices, size_t count, struct fh_progression *found) {
    size_t length = 1; /* of the groups that are known to agree */
    *found = (struct fh_progression){.first = indices[0]};
    while (length < count) {
        if (found->levels == FH_PROGRESSION_LEVELS)
            return false;
        const size_t n = equal_steps(indices, count, length);
        found->stride[found->levels] = indices[length] - indices[0];
        found->count[found->levels++] = n;
        length *= n;
        if (!groups_agree(indices, count, length))
            return false;
    }
    return true;
}

/* ---------------------------------------------------------------- in words */

__attribute__((format(printf, 2, 3))) static void say(char *text, const char *format, ...) {
    va_list list;
    va_start(list, format);
    vsnprintf(text, FH_PATTERN_TEXT, format, list);
    va_end(list);
}

static bool has_rows(const struct fh_array_shape *shape) {
    return shape->columns > 1 && shape->columns < shape->count;
}

/* "row 3", "rows 3 to 5" */
static int say_span(char *text, size_t size, const char *what, size_t first, size_t last) {
    return first == last ? snprintf(text, size, "%s %zu", what, first)
                         : snprintf(text, size, "%ss %zu to %zu", what, first, last);
}

static void describe_range(size_t first, size_t last, const struct fh_array_shape *shape,
                           char *text) {
    const size_t columns = shape->columns;
    if (first == 0 && last == shape->count - 1)
        say(text, "all elements");
    else if (has_rows(shape) && first % columns == 0 && (last + 1) % columns == 0)
        say_span(text, FH_PATTERN_TEXT, shape->row, first / columns, last / columns);
    else if (has_rows(shape) && first / columns == last / columns)
        say(text, "columns %zu to %zu of %s %zu", first % columns, last % columns, shape->row,
            first / columns);
    else if (last == shape->count - 1)
        say(text, "all from index %zu on", first);
    else if (first == 0)
        say(text, "all up to index %zu", last);
    else
        say(text, "indices %zu to %zu", first, last);
}

/* Runs of `length`, `stride` apart, over the whole array. */
static void describe_blocks(size_t first, size_t length, size_t stride, char *text) {
    if (length == 1)
        say(text, "all with index mod %zu = %zu", stride, first);
    else if (first % length == 0 && stride == 2 * length)
        say(text, "every second block of %zu, from index %zu on", length, first);
    else if (first % length == 0 && stride % length == 0)
        say(text, "block %zu of every %zu blocks of %zu", first / length, stride / length, length);
    else
        say(text, "all with index mod %zu from %zu to %zu", stride, first, first + length - 1);
}

/* Runs of `length`, `stride` apart, `count` of them, in rows: false if rows have no part in it. */
static bool describe_in_rows(size_t first, size_t length, size_t stride, size_t count,
                             const struct fh_array_shape *shape, char *text) {
    const size_t columns = shape->columns, rows = shape->count / (columns ? columns : 1);
    const size_t row = first / columns, column = first % columns;
    char where[64];
    if (stride == columns && column + length <= columns) {
        const int used = say_span(where, sizeof where, "column", column, column + length - 1);
        if (count == rows)
            say(text, "%s", where);
        else {
            char which[64];
            say_span(which, sizeof which, shape->row, row, row + count - 1);
            say(text, "%.*s of %s", used, where, which);
        }
        return true;
    }
    if (length == columns && column == 0 && stride % columns == 0) {
        const size_t step = stride / columns;
        if (row < step && row + count * step >= rows)
            say(text, "%ss whose number mod %zu = %zu", shape->row, step, row);
        else
            say(text, "%ss %zu to %zu in steps of %zu", shape->row, row, row + (count - 1) * step,
                step);
        return true;
    }
    return false;
}

static void describe_progression(const struct fh_progression *p, const struct fh_array_shape *shape,
                                 char *text) {
    const bool runs = p->levels && p->stride[0] == 1;
    const size_t length = runs ? p->count[0] : 1, rest = p->levels - runs;
    const size_t stride = rest ? p->stride[runs] : 0, count = rest ? p->count[runs] : 1;
    if (!p->levels) {
        text[0] = 0;
    } else if (!rest) {
        describe_range(p->first, p->first + length - 1, shape, text);
    } else if (rest == 1 && has_rows(shape) &&
               describe_in_rows(p->first, length, stride, count, shape, text)) {
        return;
    } else if (rest == 1 && p->first < stride && p->first + count * stride >= shape->count) {
        describe_blocks(p->first, length, stride, text);
    } else {
        static const char names[FH_PROGRESSION_LEVELS + 1] = "ijklmn";
        char limits[FH_PATTERN_TEXT / 2] = "";
        size_t used = 0, at = (size_t)snprintf(text, FH_PATTERN_TEXT, "index = %zu", p->first);
        for (size_t i = 0; i < p->levels; i++) {
            char factor[32] = "";
            if (p->stride[i] != 1)
                snprintf(factor, sizeof factor, "%zu ", p->stride[i]);
            at += (size_t)snprintf(text + at, FH_PATTERN_TEXT - at, " + %s%c", factor, names[i]);
            used += (size_t)snprintf(limits + used, sizeof limits - used, "%s%c < %zu",
                                     i ? ", " : "", names[i], p->count[i]);
        }
        snprintf(text + at, FH_PATTERN_TEXT - at, ", %s", limits);
    }
}

/* ---------------------------------------------------------------- sets that they are in */

/* A set of more indices than those that are concerned. */
struct cover {
    size_t size; /* SIZE_MAX: none has been found */
    char text[FH_PATTERN_TEXT];
};

/* Keeps the smaller one. */
static void take(struct cover *best, const struct cover *other) {
    if (other->size < best->size)
        *best = *other;
}

static size_t common_divisor(size_t a, size_t b) {
    while (b) {
        const size_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

static void try_residue(struct cover *best, const size_t *indices, size_t count,
                        const struct fh_array_shape *shape) {
    struct cover cover = {.size = SIZE_MAX};
    size_t divisor = 0;
    for (size_t i = 1; i < count; i++)
        divisor = common_divisor(indices[i] - indices[0], divisor);
    if (divisor < 2)
        return;
    const size_t rest = indices[0] % divisor;
    cover.size = (shape->count - rest + divisor - 1) / divisor;
    if (has_rows(shape) && divisor == shape->columns)
        say(cover.text, "column %zu", rest);
    else
        say(cover.text, "index mod %zu = %zu", divisor, rest);
    take(best, &cover);
}

/* Indices whose rest is within a range, for some numbers that layouts and rows are made of. */
static void try_rests(struct cover *best, const size_t *indices, size_t count, size_t modulus,
                      const struct fh_array_shape *shape) {
    size_t low = SIZE_MAX, high = 0;
    struct cover cover = {.size = SIZE_MAX};
    for (size_t i = 0; i < count; i++) {
        const size_t rest = indices[i] % modulus;
        low = rest < low ? rest : low;
        high = rest > high ? rest : high;
    }
    if (high - low + 1 > modulus / 2)
        return;
    /* What is behind the last whole group has the lowest rests. */
    const size_t behind = shape->count % modulus, last = high + 1 < behind ? high + 1 : behind;
    cover.size = (high - low + 1) * (shape->count / modulus) + (last > low ? last - low : 0);
    if (has_rows(shape) && modulus == shape->columns)
        say_span(cover.text, sizeof cover.text, "column", low, high);
    else /* one rest alone is try_residue's */
        say(cover.text, "index mod %zu from %zu to %zu", modulus, low, high);
    take(best, &cover);
}

static void try_span(struct cover *best, const size_t *indices, size_t count,
                     const struct fh_array_shape *shape) {
    struct cover cover = {.size = SIZE_MAX};
    size_t first = indices[0], last = indices[count - 1];
    if (has_rows(shape)) {
        first -= first % shape->columns;
        last += shape->columns - 1 - last % shape->columns;
    }
    cover.size = last - first + 1;
    describe_range(first, last, shape, cover.text);
    take(best, &cover);
}

static void describe_cover(const size_t *indices, size_t count, const struct fh_array_shape *shape,
                           char *text) {
    struct cover best = {.size = SIZE_MAX};
    try_residue(&best, indices, count, shape);
    for (size_t modulus = 2; modulus <= shape->count / 2 && modulus <= 65536; modulus *= 2)
        try_rests(&best, indices, count, modulus, shape);
    if (has_rows(shape))
        try_rests(&best, indices, count, shape->columns, shape);
    try_span(&best, indices, count, shape);
    if (best.size < shape->count)
        say(text, "%zu of the %zu elements of: %.200s", count, best.size, best.text);
    else
        say(text, "indices from %zu to %zu, in no simple pattern", indices[0], indices[count - 1]);
}

void fh_pattern_describe(const size_t *indices, size_t count, const struct fh_array_shape *shape,
                         char text[FH_PATTERN_TEXT]) {
    struct fh_progression found;
    if (fh_progression_find(indices, count, &found) && found.levels <= 3)
        describe_progression(&found, shape, text);
    else
        describe_cover(indices, count, shape, text);
}

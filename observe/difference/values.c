/*
 * values.c - see values.h.
 */
#include "values.h"

#include <stdio.h>

/* How far apart an element may be from where its value belongs, for that to be looked for. */
enum { FARTHEST = 4096 };

struct relation {
    const struct fh_wrong_values *values;
    const size_t *indices;
    size_t count;
    const struct fh_array_shape *shape;
};

static uint64_t got(const struct relation *r, size_t i) {
    return r->values->get(r->values->got, r->indices[i]);
}
static uint64_t want(const struct relation *r, size_t index) {
    return r->values->get(r->values->want, index);
}

static uint64_t mask(const struct relation *r) {
    return UINT64_MAX >> (64 - 8 * r->values->width);
}

static bool all_are_one(const struct relation *r) {
    size_t i = 1;
    while (i < r->count && got(r, i) == got(r, 0))
        i++;
    return i == r->count && r->count > 1;
}

static bool differ_by_one_number(const struct relation *r, uint64_t *by) {
    size_t i = 0;
    *by = (got(r, 0) - want(r, r->indices[0])) & mask(r);
    while (i < r->count && ((got(r, i) - want(r, r->indices[i])) & mask(r)) == *by)
        i++;
    return i == r->count;
}

/* Whether every value belongs `by` elements further on (back, if it is negative). Values that say
 * nothing, since their neighbours are equal, do not count. */
static bool displaced(const struct relation *r, long by) {
    size_t inside = 0;
    for (size_t i = 0; i < r->count; i++) {
        const long to = (long)r->indices[i] + by;
        if (to < 0 || (size_t)to >= r->shape->count)
            continue;
        if (want(r, (size_t)to) != got(r, i))
            return false;
        inside++;
    }
    return inside > 2 && 2 * inside > r->count;
}

static bool transposed(const struct relation *r) {
    const size_t columns = r->shape->columns;
    if (!columns || columns * columns != r->shape->count || r->count < 3)
        return false;
    for (size_t i = 0; i < r->count; i++) {
        const size_t index = r->indices[i];
        if (want(r, index % columns * columns + index / columns) != got(r, i))
            return false;
    }
    return true;
}

/* "2^32", "-2^32", "7", "-7" modulo the elements' width. */
static void say_number(const struct relation *r, uint64_t number, char text[32]) {
    const bool negative = number > mask(r) / 2;
    const uint64_t size = negative ? (0 - number) & mask(r) : number;
    if (size >= 256 && !(size & (size - 1)))
        snprintf(text, 32, "%s2^%d", negative ? "-" : "", __builtin_ctzll(size));
    else
        snprintf(text, 32, "%s%llu", negative ? "-" : "", (unsigned long long)size);
}

void fh_values_describe(const struct fh_wrong_values *values, const size_t *indices, size_t count,
                        const struct fh_array_shape *shape, char text[FH_PATTERN_TEXT]) {
    const struct relation r = {values, indices, count, shape};
    uint64_t by;
    char number[32];
    text[0] = 0;
    if (all_are_one(&r)) {
        snprintf(text, FH_PATTERN_TEXT, "all of them are 0x%llx", (unsigned long long)got(&r, 0));
        return;
    }
    if (differ_by_one_number(&r, &by) && (count > 1 || !(by & 0xffffffff))) {
        say_number(&r, by, number);
        snprintf(text, FH_PATTERN_TEXT, "what is there minus what is expected is %s%s", number,
                 count > 1 ? " everywhere" : "");
        return;
    }
    if (transposed(&r)) {
        snprintf(text, FH_PATTERN_TEXT, "what is at [i, j] is expected at [j, i]: transposed");
        return;
    }
    for (long distance = 1; distance <= FARTHEST && (size_t)distance < shape->count; distance++)
        for (int sign = 1; sign >= -1; sign -= 2)
            if (displaced(&r, sign * distance)) {
                snprintf(text, FH_PATTERN_TEXT, "what is at index i is expected at index i %c %ld",
                         sign > 0 ? '+' : '-', distance);
                return;
            }
}

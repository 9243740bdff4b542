/*
 * pattern.h - which elements of an array are concerned, in words: "rows 8 to 15", "all with index
 * mod 32 = 13", "every second block of 16".
 *
 * Indices that are a sum of progressions,
 *
 *     index = first + stride[0] * i + stride[1] * j + ...     i < count[0], j < count[1], ...
 *
 * are described exactly. Of others is told the smallest simple set that they are all in, and how
 * much of it they are.
 */
#ifndef FH_DIFFERENCE_PATTERN_H
#define FH_DIFFERENCE_PATTERN_H

#include <stdbool.h>
#include <stddef.h>

/* The array that the indices are of. */
struct fh_array_shape {
    size_t count;    /* elements */
    size_t columns;  /* of a row; 0 or `count`: it has no rows */
    const char *row; /* what a row is called: "row", "limb" */
};

enum { FH_PROGRESSION_LEVELS = 6, FH_PATTERN_TEXT = 300 };

/* Strides grow from level to level; with one index there is no level. */
struct fh_progression {
    size_t first;
    size_t levels;
    size_t stride[FH_PROGRESSION_LEVELS], count[FH_PROGRESSION_LEVELS];
};

/* Whether the `count` indices, which ascend, are a sum of progressions. */
bool fh_progression_find(const size_t *indices, size_t count, struct fh_progression *found);

/* Describes the `count` indices, at least one, which ascend. Empty where there is nothing to say
 * but the indices themselves. */
void fh_pattern_describe(const size_t *indices, size_t count, const struct fh_array_shape *shape,
                         char text[FH_PATTERN_TEXT]);

#endif

/*
 * values.h - how the values that an array has instead of the right ones are related to these.
 */
#ifndef FH_DIFFERENCE_VALUES_H
#define FH_DIFFERENCE_VALUES_H

#include <stdint.h>

#include "pattern.h"

struct fh_wrong_values {
    uint64_t (*get)(const void *array, size_t index);
    const void *got, *want;
    unsigned width; /* bytes of an element */
};

/* Describes what all values at the `count` indices have in common: one and the same, all too large
 * by so much, what belongs some elements further on, what belongs into the transposed matrix.
 * Empty: nothing of that, or there is one index only and its value says it. */
void fh_values_describe(const struct fh_wrong_values *values, const size_t *indices, size_t count,
                        const struct fh_array_shape *shape, char text[FH_PATTERN_TEXT]);

#endif

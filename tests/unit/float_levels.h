/*
 * float_levels.h - the functions of float_rows.h at each SIMD level of this host, and rows for
 * them.
 */
#ifndef FH_TESTS_FLOAT_LEVELS_H
#define FH_TESTS_FLOAT_LEVELS_H

#include <stdbool.h>
#include <stddef.h>

#include "float_rows.h"

enum { LANES = 32, FLOAT_LEVELS = 3 };

struct float_level {
    const char *name;
    const struct fh_float_rows *rows;
};

/* How many there are; prints the names of those that are missing. */
size_t float_levels_of_host(struct float_level levels[FLOAT_LEVELS]);

/* A lane's value in a row, or in two, the high words in the second one. */
void float_put(uint32_t *rows, uint32_t lane, uint64_t value);
uint64_t float_get(const uint32_t *rows, uint32_t lane, bool wide);

#endif

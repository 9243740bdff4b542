/*
 * size.h - sums and products of sizes that come from files and callers, checked.
 */
#ifndef FH_SIZE_H
#define FH_SIZE_H

#include <stdbool.h>
#include <stddef.h>

/* *result = a + b, a * b; false, and nothing that means anything in *result, if that is no size_t.
 */
static inline bool fh_size_plus(size_t a, size_t b, size_t *result) {
    return !__builtin_add_overflow(a, b, result);
}

static inline bool fh_size_times(size_t a, size_t b, size_t *result) {
    return !__builtin_mul_overflow(a, b, result);
}

/* *result = the least multiple of `unit`, a power of two, that is not below `size`. */
static inline bool fh_size_round_up(size_t size, size_t unit, size_t *result) {
    if (!fh_size_plus(size, unit - 1, result))
        return false;
    *result &= ~(unit - 1);
    return true;
}

#endif

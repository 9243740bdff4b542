/*
 * history_compare.h - what differs between two versions of global memory, or between one and memory
 * as it is now, without going to either of them.
 */
#ifndef FH_HISTORY_COMPARE_H
#define FH_HISTORY_COMPARE_H

#include "history.h"

/* A difference of the allocations `a` of the first version and `b` of the second: one of them is
 * NULL, or live where the other is released; else `bytes` bytes from `offset` on, all of words that
 * differ, are x in the first and y in the second one. */
struct fh_memory_difference {
    size_t number; /* of the allocation */
    const struct fh_allocation *a, *b;
    uint64_t offset;
    const uint8_t *x, *y;
    size_t bytes;
};

/* False: that is enough. */
typedef bool fh_memory_difference_fn(void *user, const struct fh_memory_difference *difference);

/* Calls `tell` for all differences, by the numbers of allocations and then by offset. `b` NULL:
 * memory as it is now. False without host memory. */
bool fh_history_compare(struct fh_memory *memory, struct fh_version *a, struct fh_version *b,
                        fh_memory_difference_fn *tell, void *user);

#endif

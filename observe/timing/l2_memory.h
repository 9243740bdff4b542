/*
 * l2_memory.h - which lines are in L2. It is seen from all blocks of all launches: of every line it
 * keeps when it was last accessed, where time is counted in bytes that have come into L2, so that a
 * line has gone when more than L2's size has come since.
 */
#ifndef FH_TIME_L2_MEMORY_H
#define FH_TIME_L2_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct fh_time_l2 {
    uint64_t capacity; /* bytes */
    uint64_t clock;    /* bytes that have come so far */
    struct fh_time_l2_line *lines;
    size_t count, room; /* room: 0 or a power of two */
    bool failed;        /* no host memory: lines are missing */
};

void fh_time_l2_free(struct fh_time_l2 *l2);

/* An access to a line and its sectors, as in a stream, when the clock stood at `at`. Returns how
 * many of the sectors were not there. */
uint32_t fh_time_l2_access(struct fh_time_l2 *l2, uint64_t line, uint64_t at);

#endif

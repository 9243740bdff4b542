/*
 * occupancy.h - how many blocks of a launch an SM holds at once, and what limits them.
 */
#ifndef FH_TIME_OCCUPANCY_H
#define FH_TIME_OCCUPANCY_H

#include "time_machine.h"

struct fh_time_occupancy {
    uint32_t warps;    /* of a block */
    uint32_t blocks;   /* that an SM holds; 0: not even one */
    const char *limit; /* "registers", "shared", "warps" or "blocks" */
    /* Bytes that this and that many blocks leave of L1, which shares its memory. */
    uint32_t l1_bytes;
};

/* What a block takes. */
struct fh_time_block {
    uint32_t threads, registers, shared; /* registers of a thread; bytes */
};
void fh_time_occupancy(const struct fh_time_machine *machine, const struct fh_time_block *block,
                       struct fh_time_occupancy *occupancy);

#endif

/*
 * memory_path.h - the way of memory instructions through an SM: a queue for each scheduler, which
 * all feed one port; shared memory in passes; L1; and L2 and HBM as queues for bandwidth. Whatever
 * is asked of it is asked in the order of issue, and booked at once, so that its times are known.
 */
#ifndef FH_TIME_MEMORY_PATH_H
#define FH_TIME_MEMORY_PATH_H

#include "l2_memory.h"
#include "time_code.h"
#include "time_stream.h"

enum { FH_TIME_L1_WAYS = 16, FH_TIME_PORT_WORDS = 1 << 9 };

/* What went through, in sectors of 32 bytes unless something else is said. */
struct fh_time_traffic {
    uint64_t accesses, passes, conflicts; /* of shared memory; passes above the least */
    uint64_t sectors, l1_hits;            /* loads of global and local memory */
    uint64_t l2_sectors, hbm_sectors;     /* that left the SM; that came from or go to HBM */
};

struct fh_time_path {
    const struct fh_time_machine *machine;
    struct fh_time_l2 *l2;
    uint64_t l2_at; /* the time, as L2 counts it */
    /* Times at which the last instructions leave the queue, in a ring. */
    uint64_t leave[FH_TIME_SCHEDULERS][FH_TIME_QUEUE], last[FH_TIME_SCHEDULERS];
    uint32_t place[FH_TIME_SCHEDULERS];
    /* Cycles in which the port is taken, as bits, from `cleared` on: bit t modulo their number. */
    uint64_t port[FH_TIME_PORT_WORDS], cleared;
    struct fh_time_l1_line *l1;
    uint32_t sets;
    uint64_t used;              /* counts uses of L1's lines */
    uint64_t l2_free, hbm_free; /* in parts of a cycle */
    uint64_t l2_cost, hbm_cost; /* of a sector, likewise */
    struct fh_time_traffic traffic;
};

/* For an SM whose blocks leave `l1_bytes`, one of `active` that share L2 and HBM. False without
 * host memory. */
bool fh_time_path_begin(struct fh_time_path *path, const struct fh_time_machine *machine,
                        struct fh_time_l2 *l2, uint32_t l1_bytes, uint32_t active);
void fh_time_path_end(struct fh_time_path *path);

/* When the scheduler's queue has room for one more. */
static inline uint64_t fh_time_path_room(const struct fh_time_path *path, uint32_t scheduler) {
    return path->leave[scheduler][path->place[scheduler]];
}

/* Cycles at which the result is there, and at which registers may be overwritten. */
struct fh_time_done {
    uint64_t result, read;
    bool shared; /* the wait is one for shared memory; else, with `global`, for other memory */
    bool global;
};

/* An instruction of `scheduler` issues at cycle `now`, with `count` notes and the lines of those of
 * them that are about global memory. */
struct fh_time_done fh_time_path_issue(struct fh_time_path *path, uint32_t scheduler, uint64_t now,
                                       const struct fh_time_op *op,
                                       const struct fh_time_note *notes, uint32_t count,
                                       const uint64_t *lines);

#endif

/*
 * residents.h - sequential execution of the blocks of a launch, on one host thread: what a launch
 * means. Blocks that wait for each other run round-robin.
 */
#ifndef FH_RESIDENTS_H
#define FH_RESIDENTS_H

#include "order.h"
#include "schedule.h"

/* Each block runs to its end before the next one starts, until one only waits for others
 * (busy_wait.h). From then on as many blocks as the machine of the program's target would hold at
 * once (fh_resident_blocks) are resident and run round-robin, a round each, again and again: they
 * make progress at the same rate, as on hardware, which programs rely on. So grid barriers, locks
 * and flags between blocks work. When all that are there wait for each other, or for blocks for
 * which there is no room, and none changes memory or reads a clock, that is a deadlock.
 *
 * Where all this stands is data, so that the launch can pause behind any instruction. */
struct fh_residents {
    struct fh_launch_state *launch;
    struct fh_block **blocks; /* in the order in which they began */
    uint64_t count, limit;
    size_t room;
    uint64_t next;          /* block that starts next */
    struct fh_block *spare; /* for it; NULL: to be made */
    bool alone;             /* the only resident block runs to its end, or until it waits */
    bool starting;          /* blocks are being started, else the resident ones resumed ... */
    uint64_t at;            /* ... of which this one runs */
    bool moved;             /* a block has started or ended, or is in no loop that waits */
    bool clocked;           /* only blocks that wait for a time have moved */
    uint32_t period;        /* rounds that the longest loop takes in which a block has waited */
    uint64_t idle;          /* rounds of all blocks since one moved */
    uint64_t tracked;       /* the last of them, through which memory was tracked */
    uint64_t track;         /* how many of them are over when it is tracked again */
    struct fh_order order;  /* if the launch has one of its own (ordered.h) */
};

/* At the block `first`, before its first instruction. */
void fh_residents_begin(struct fh_residents *residents, struct fh_launch_state *launch,
                        uint64_t first);
/* Goes on until all blocks have ended, until the launch pauses, or to a fault, after which
 * it may be called again as after a pause once launch->fault has been cleared. FH_DONE, FH_PAUSED,
 * FH_FAULTED or FH_NO_MEMORY. */
enum fh_outcome fh_residents_go(struct fh_residents *residents);
void fh_residents_end(struct fh_residents *residents);

/* Parts of this, for launches that have an order of their own. */
/* Begins the block with this index; the last of r->blocks. False without host memory. */
bool fh_residents_start(struct fh_residents *residents, uint64_t index);
/* The block with this place has ended. */
void fh_residents_retire(struct fh_residents *residents, uint64_t place);
/* One round of every resident block, or the rest of one. FH_GOES_ON: all have had it. */
enum fh_outcome fh_residents_round(struct fh_residents *residents);
/* Behind such a round: whether none of them can ever go on. The next round may begin. */
bool fh_residents_standstill(struct fh_residents *residents);
/* Says so, as the launch's fault. */
void fh_residents_report(const struct fh_residents *residents);

/* How many blocks of the launch an A100 holds at once, at least 1: 108 multiprocessors, each with
 * 64 warps, 32 blocks, 64 Ki registers, 164 KiB of shared memory. */
uint64_t fh_resident_blocks(const struct fh_image *image);

#endif

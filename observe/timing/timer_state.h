/*
 * timer_state.h - what a timer consists of, and what a launch in the emulator and one that is
 * replayed have in common: its SM begins, and what that has found is added up.
 */
#ifndef FH_TIMER_STATE_H
#define FH_TIMER_STATE_H

#include "timer.h"

/* The launch under way. What is behind `done` is of launches in the emulator. */
struct fh_timer_launch {
    struct fh_timed_kernel *kernel;
    struct fh_time_sm *sm; /* NULL: it is not timed */
    struct fh_time_occupancy occupancy;
    uint32_t grid[3], stride;
    uint64_t blocks, own;      /* all; those of the SM */
    uint64_t l2_begin, l2_end; /* its clock when the launch began, and when others had run */
    uint64_t hbm_sectors;      /* of the other blocks */
    uint64_t slices;           /* of the others since one of them ended */
    size_t cursor;             /* in the list of warps that can run */
    bool started, turn;        /* the SM has; the next slice is an other's */
    bool filling;              /* the SM's warp that has been asked for runs */
    bool done;
};

struct fh_timer {
    struct fh_time_machine machine;
    struct fh_profiled_code code;
    struct fh_profiled_search search;
    struct fh_timed_kernel **kernels;
    size_t count, room;
    struct fh_time_l2 l2;
    struct fh_timer_launch now;
    fhec_machine *attached;
    unsigned observers[2];
    struct fh_issue_log *log;
    uint64_t cycles; /* of all launches so far */
    char why[FH_TIMER_WHY];
};

void fh_timer_fail(struct fh_timer *timer, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* One more kernel, with room for all its words. NULL without host memory. */
struct fh_timed_kernel *fh_timer_add(struct fh_timer *timer, const struct fh_profiled_kernel *of);
/* Makes the SM of a launch of the kernel. False: it failed, which has been said. */
bool fh_timer_begin(struct fh_timer *timer, const struct fh_time_machine *machine,
                    struct fh_timed_kernel *kernel, const uint32_t grid[3],
                    const struct fh_time_block *block);
/* Before the SM goes on: how far L2 is by now. */
void fh_timer_look_at_l2(struct fh_timer *timer);
/* The machine has no unit for an instruction, which is said; false: it has. */
bool fh_timer_say_unknown(struct fh_timer *timer);
/* The launch has come to its end. */
void fh_timer_finish(struct fh_timer *timer, uint64_t warp_insts);

#endif

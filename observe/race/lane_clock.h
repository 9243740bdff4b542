/*
 * lane_clock.h - the clocks of the lanes of resident blocks, and where lanes learn from each other:
 * barriers of the block, synchronisation of warps, fences with strong accesses behind them.
 */
#ifndef FH_LANE_CLOCK_H
#define FH_LANE_CLOCK_H

#include "clock.h"
#include "disputed.h"
#include "fhec_observe.h"
#include "touched.h"

enum { FH_NAMED_BARRIERS = 16, FH_BLOCK_WARPS = 32 };

struct fh_lane_clock {
    struct fh_clock *known;
    /* What strong accesses of the lane tell others: all that it knew at its last fence. For lanes
     * of the block, and for all. */
    struct fh_clock *fenced_block, *fenced_grid;
    struct fh_clock *got; /* that it learned last from a strong access: spinning asks again */
    /* Reads that are over, since those that read have met others since; and of `over` what it
     * learned last from a strong access. Only where kernels store strongly (publishes). */
    struct fh_clock *over, *got_over;
    uint32_t time;                /* of its accesses from now on */
    uint32_t own_block, own_warp; /* from `known`: of all of its block, of its warp */
    uint32_t own_reads;           /* up to which time all that lanes of its warp read is over */
    bool fenced;                  /* it has executed a fence itself */
    bool foreign;                 /* it knows of other blocks */
    bool foreign_over;            /* `over` has been told of by other blocks */
};

/* What lanes bring to a point where they wait for each other. */
struct fh_gathered {
    struct fh_clock *known, *fenced_block, *fenced_grid, *over;
    bool foreign_over;
};

/* Lanes of a warp that wait for those of a mask. */
struct fh_gathering {
    uint32_t mask, arrived;
    struct fh_gathered all;
};

struct fh_warp_clocks {
    uint32_t live; /* lanes that it has and that have not ended */
    uint32_t gathering_count;
    struct fh_gathering gathering[FHEC_WARP_LANES];
    struct fh_lane_clock lane[FHEC_WARP_LANES];
    uint64_t behind[FHEC_WARP_LANES]; /* pc behind the BSYNC that the lane issued last; 0: it has
                                         issued something else since, or none */
    struct fh_copy *copies;           /* asynchronous ones, not waited for, in order */
    size_t copy_count, copy_capacity;
};

/* Lanes that have arrived at a barrier since it was released. */
struct fh_arrivals {
    uint32_t waiting[FH_BLOCK_WARPS];
    struct fh_gathered all; /* of those that do not wait */
};

/* What is known of a word of memory that strong accesses go to. */
struct fh_signal {
    struct fh_clock *grid;  /* released by fences that reach the grid */
    struct fh_clock *block; /* and by those that reach the block `of` */
    struct fh_clock *over;  /* reads that are over, without a fence */
    uint64_t of;
    bool atomic; /* an atomic operation has gone to it */
};

struct fh_block_clocks {
    uint64_t index; /* of the block in the grid */
    uint32_t id[3];
    uint32_t warps;
    struct fh_warp_clocks *warp;
    struct fh_arrivals barrier[FH_NAMED_BARRIERS];
    struct fh_touched shared;
    struct fh_disputed disputed;
    struct fh_number_map signals; /* of words of shared memory that atomic operations went to */
};

/* The time of a launch. */
struct fh_race_time {
    uint32_t now;   /* of what happens now; grows at every point of synchronisation */
    bool fences;    /* there has been one in the launch */
    bool publishes; /* a kernel has strong stores, which tell which reads are over */
    bool failed;    /* no host memory, or no time is left */
};

/* An asynchronous copy, as far as shared memory is concerned. */
struct fh_copy {
    uint64_t number; /* in the warp */
    uint32_t code, lanes, bytes;
    uint32_t address[FHEC_WARP_LANES];
};

/* NULL without host memory. */
struct fh_block_clocks *fh_block_clocks_new(uint64_t index, const uint32_t id[3], uint32_t threads,
                                            uint32_t now);
void fh_block_clocks_free(struct fh_block_clocks *block);
void fh_signal_free(void *signal);

/* The lanes of the warp wait for each other, and are all there. */
void fh_lanes_meet(struct fh_race_time *time, struct fh_block_clocks *block, uint32_t warp,
                   uint32_t lanes);
/* What the lanes have loaded is there, of all of them, before they go on. */
void fh_lanes_loaded(struct fh_race_time *time, struct fh_block_clocks *block, uint32_t warp,
                     uint32_t lanes);
/* The lanes wait for those of their masks. */
void fh_lanes_gather(struct fh_race_time *time, struct fh_block_clocks *block, uint32_t warp,
                     uint32_t lanes, const uint32_t masks[FHEC_WARP_LANES]);
/* Some of the lanes go on: if they have waited, all they waited for is there. */
void fh_lanes_go_on(struct fh_race_time *time, struct fh_block_clocks *block, uint32_t warp,
                    uint32_t lanes);
void fh_lanes_end(struct fh_race_time *time, struct fh_block_clocks *block, uint32_t warp,
                  uint32_t lanes);
void fh_barrier_arrive(struct fh_race_time *time, struct fh_block_clocks *block, uint32_t warp,
                       uint32_t lanes, uint32_t barrier, bool wait);
/* `counted`: threads that have ended do not count. */
void fh_barrier_release(struct fh_race_time *time, struct fh_block_clocks *block, uint32_t barrier,
                        bool counted);
void fh_lanes_fence(struct fh_race_time *time, struct fh_block_clocks *block, uint32_t warp,
                    uint32_t lanes, bool grid);
/* A strong read or write of a signal by a lane. */
void fh_signal_read(struct fh_race_time *time, struct fh_block_clocks *block, uint32_t warp,
                    uint32_t lane, const struct fh_signal *signal);
void fh_signal_write(struct fh_race_time *time, const struct fh_block_clocks *block, uint32_t warp,
                     uint32_t lane, struct fh_signal *signal);

#endif

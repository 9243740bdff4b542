/*
 * sync_state.h - which lanes of resident blocks have ended, and which wait where: for `sync`.
 */
#ifndef FH_SYNC_STATE_H
#define FH_SYNC_STATE_H

#include "finding.h"
#include "lane_clock.h"

enum fh_waits { FH_WAITS_NOT, FH_WAITS_BARRIER, FH_WAITS_WARPSYNC };

struct fh_sync_warp {
    uint32_t begun, ended;
    uint8_t waits[FHEC_WARP_LANES];  /* enum fh_waits */
    uint32_t what[FHEC_WARP_LANES];  /* the barrier's number; WARPSYNC's mask */
    uint64_t pc[FHEC_WARP_LANES];    /* where it waits, or where it has ended */
    fhec_word word[FHEC_WARP_LANES]; /* the instruction there */
};

struct fh_sync_barrier {
    uint32_t arrived, expected; /* threads; 0: nobody has come since its release */
    bool counted;               /* the first to come gave a count */
    struct fh_place first;
};

struct fh_sync_block {
    uint32_t id[3];
    uint32_t warps;
    struct fh_sync_warp *warp;
    struct fh_sync_barrier barrier[FH_NAMED_BARRIERS];
};

/* NULL without host memory. */
struct fh_sync_block *fh_sync_block_new(const fhec_event *event);
void fh_sync_block_free(struct fh_sync_block *block);

/* Threads that it began with. */
uint32_t fh_sync_block_threads(const struct fh_sync_block *block);
/* The lanes wait from now on; they do not any more, whatever for. */
void fh_sync_wait(struct fh_sync_block *block, const fhec_event *event, uint32_t lanes,
                  enum fh_waits waits, const uint32_t what[FHEC_WARP_LANES]);
void fh_sync_go_on(struct fh_sync_warp *warp, uint32_t lanes);
/* Lanes of the warp that wait for the same. */
uint32_t fh_sync_waiting(const struct fh_sync_warp *warp, enum fh_waits waits, uint32_t what);
/* The place where a lane waits or has ended. */
struct fh_place fh_sync_place(const struct fh_sync_block *block, const fhec_event *event,
                              uint32_t warp, uint32_t lanes);
/* What a lane is doing: "has ended", "waits at barrier 1". */
void fh_sync_doing(const struct fh_sync_warp *warp, uint32_t lane, char *text, size_t size);

#endif

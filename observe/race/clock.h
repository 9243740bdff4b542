/*
 * clock.h - vector clocks: up to which time the accesses of other lanes have happened for one.
 *
 * Every point at which lanes wait for each other, and every fence, has a time of its own, a number
 * that the whole launch counts up. A clock says for blocks, warps and lanes up to which time all
 * that they did has happened. Behind a barrier all lanes of a block know the same, in one entry; so
 * clocks are short, and shared: they never change once they are made, and are counted.
 */
#ifndef FH_CLOCK_H
#define FH_CLOCK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* NULL is the clock of one who knows nothing. */
struct fh_clock;

/* "All that `who` did up to `time`." Entries are in the order of `who`, so that a block stands
 * before its warps and a warp before its lanes. */
struct fh_known {
    uint64_t who;
    uint32_t time;
};
static inline uint64_t fh_who_block(uint64_t block) {
    return block << 12;
}
static inline uint64_t fh_who_warp(uint64_t block, uint32_t warp) {
    return block << 12 | (uint64_t)(warp + 1) << 6;
}
static inline uint64_t fh_who_lane(uint64_t block, uint32_t warp, uint32_t lane) {
    return fh_who_warp(block, warp) | (lane + 1);
}

/* One more who holds it; and one less. */
struct fh_clock *fh_clock_keep(struct fh_clock *clock);
void fh_clock_drop(struct fh_clock *clock);
/* What both know together; the caller holds the result. Without host memory it is `a`, and *failed
 * is set. */
struct fh_clock *fh_clock_join(struct fh_clock *a, struct fh_clock *b, bool *failed);
/* The same in place: *a, which the caller holds, learns what b knows. */
void fh_clock_learn(struct fh_clock **a, struct fh_clock *b, bool *failed);
/* *a learns `count` entries, in order. */
void fh_clock_add(struct fh_clock **a, const struct fh_known *entries, size_t count, bool *failed);
/* Up to which time it knows what a lane did; 0: nothing. With `lane` FH_CLOCK_ALL what all lanes of
 * the warp did, with `warp` FH_CLOCK_ALL what the block did. */
enum { FH_CLOCK_ALL = -1 };
uint32_t fh_clock_time(const struct fh_clock *clock, uint64_t block, int32_t warp, int32_t lane);
/* Whether it knows of more blocks than this one. */
bool fh_clock_foreign(const struct fh_clock *clock, uint64_t block);

#endif

/*
 * busy_wait.c - snapshots of a block's state, and comparing it with them.
 */
#include "busy_wait.h"

#include "warp.h"

#include <stdlib.h>
#include <string.h>

/* A range of host memory that is part of the state. */
struct part {
    const void *bytes;
    size_t size;
};

enum { WARP_PARTS = 5, BLOCK_PARTS = 3 };

/* What makes up a warp; where its lanes are comes first, since that differs most often. How many
 * instructions it has issued is no state that a program can see, but by a clock. */
static void warp_parts(const struct fh_flow *f, uint32_t rows, struct part parts[WARP_PARTS]) {
    const struct fh_warp *w = &f->w;
    size_t control = offsetof(struct fh_flow, issued) - offsetof(struct fh_flow, group);
    parts[0] = (struct part){&f->group, control};
    parts[1] = (struct part){w->r, rows * sizeof w->r[0]};
    parts[2] = (struct part){w->p, sizeof w->p};
    parts[3] = (struct part){w->ur, sizeof w->ur};
    parts[4] = (struct part){w->up, sizeof w->up};
}

static void block_parts(const struct fh_block *block, struct part parts[BLOCK_PARTS]) {
    const struct fh_image *image = block->launch->image;
    parts[0] = (struct part){block->barriers, sizeof block->barriers};
    parts[1] = (struct part){block->shared, image->shared_room};
    parts[2] = (struct part){block->local, (size_t)image->local_bytes * image->threads};
}

static size_t sum(const struct part *parts, unsigned count) {
    size_t size = 0;
    for (unsigned i = 0; i < count; i++)
        size += parts[i].size;
    return size;
}

static void copy(uint8_t *snapshot, const struct part *parts, unsigned count) {
    for (unsigned i = 0; i < count; i++) {
        memcpy(snapshot, parts[i].bytes, parts[i].size);
        snapshot += parts[i].size;
    }
}

static bool same(const uint8_t *snapshot, const struct part *parts, unsigned count) {
    for (unsigned i = 0; i < count; i++) {
        if (memcmp(snapshot, parts[i].bytes, parts[i].size) != 0)
            return false;
        snapshot += parts[i].size;
    }
    return true;
}

/* The snapshot holds the warps, all of one size, and then the block's parts. */
static size_t warp_size(const struct fh_block *block) {
    struct part parts[WARP_PARTS];
    warp_parts(&block->warps[0], block->launch->image->rows, parts);
    return sum(parts, WARP_PARTS);
}

static bool same_warp(const struct fh_block *block, uint32_t i, size_t size) {
    struct part parts[WARP_PARTS];
    warp_parts(&block->warps[i], block->launch->image->rows, parts);
    return same(block->busy_wait.snapshot + i * size, parts, WARP_PARTS);
}

/* Whether all is as in the snapshot. The warp that was not the last time is looked at first: it
 * will not be now, most of the time, and that is the end of it. */
static bool as_in_snapshot(struct fh_block *block) {
    struct fh_busy_wait *r = &block->busy_wait;
    const uint32_t warps = block->launch->image->warps;
    const size_t size = warp_size(block);
    struct part parts[BLOCK_PARTS];
    if (!same_warp(block, r->other, size))
        return false;
    for (uint32_t i = 0; i < warps; i++)
        if (!same_warp(block, i, size)) {
            r->other = i;
            return false;
        }
    block_parts(block, parts);
    return same(r->snapshot + warps * size, parts, BLOCK_PARTS);
}

size_t fh_busy_wait_bytes(const struct fh_block *block) {
    struct part parts[BLOCK_PARTS];
    block_parts(block, parts);
    return block->launch->image->warps * warp_size(block) + sum(parts, BLOCK_PARTS);
}

bool fh_busy_wait_room(struct fh_block *block, size_t bytes) {
    struct fh_busy_wait *r = &block->busy_wait;
    uint8_t *more = bytes > r->room ? realloc(r->snapshot, bytes) : r->snapshot;
    if (bytes > r->room && more) {
        r->snapshot = more;
        r->room = bytes;
    }
    return bytes <= r->room;
}

static bool take_snapshot(struct fh_block *block) {
    struct fh_busy_wait *r = &block->busy_wait;
    const struct fh_image *image = block->launch->image;
    const size_t size = warp_size(block);
    struct part parts[WARP_PARTS + BLOCK_PARTS];
    block_parts(block, parts);
    if (!fh_busy_wait_room(block, fh_busy_wait_bytes(block)))
        return false;
    copy(r->snapshot + image->warps * size, parts, BLOCK_PARTS);
    for (uint32_t i = 0; i < image->warps; i++) {
        warp_parts(&block->warps[i], image->rows, parts);
        copy(r->snapshot + i * size, parts, WARP_PARTS);
    }
    r->taken = r->rounds;
    r->next = 2 * r->rounds;
    return true;
}

/* Rounds count from 0 again; no snapshot is looked at. */
static void begin(struct fh_busy_wait *r) {
    *r = (struct fh_busy_wait){.next = FH_PATIENCE, .snapshot = r->snapshot, .room = r->room};
}

void fh_busy_wait_start(struct fh_block *block) {
    begin(&block->busy_wait);
}

bool fh_busy_wait_still(const struct fh_block *block) {
    const struct fh_busy_wait *r = &block->busy_wait;
    return r->period && r->rounds - r->last <= r->period;
}

bool fh_busy_wait_clocked(const struct fh_block *block) {
    return block->busy_wait.clocked;
}

enum fh_busy_wait_answer fh_busy_wait_look(struct fh_block *block) {
    struct fh_busy_wait *r = &block->busy_wait;
    r->rounds++;
    if (r->taken && as_in_snapshot(block)) {
        r->period = r->period ? r->period : r->rounds - r->taken;
        r->last = r->rounds;
        return FH_SAME_STATE;
    }
    if (r->period && !fh_busy_wait_still(block))
        begin(r);
    if (r->clocks >= FH_MANY_CLOCKS) {
        r->clocks = 0;
        r->clocked = true;
        return FH_SAME_STATE;
    }
    if (!r->period && r->rounds >= r->next && !take_snapshot(block))
        return FH_CANNOT_TELL;
    return FH_NEW_STATE;
}

void fh_busy_wait_free(struct fh_block *block) {
    free(block->busy_wait.snapshot);
}

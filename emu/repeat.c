/*
 * repeat.c - pictures of a block's state, and comparing it with them.
 */
#include "repeat.h"

#include "warp.h"

#include <stdlib.h>
#include <string.h>

/* A stretch of host memory that is part of the state. */
struct part {
    const void *bytes;
    size_t size;
};

enum { WARP_PARTS = 5 };

/* What makes up a warp; where its lanes are comes first, since that differs most often. How many
 * instructions it has issued and how often it gave way are no state that a program can see, but by
 * a clock. */
static void warp_parts(const struct fh_flow *f, uint32_t rows, struct part parts[WARP_PARTS]) {
    const struct fh_warp *w = &f->w;
    size_t control = offsetof(struct fh_flow, spins) - offsetof(struct fh_flow, group);
    parts[0] = (struct part){&f->group, control};
    parts[1] = (struct part){w->r, rows * sizeof w->r[0]};
    parts[2] = (struct part){w->p, sizeof w->p};
    parts[3] = (struct part){w->ur, sizeof w->ur};
    parts[4] = (struct part){w->up, sizeof w->up};
}

static void block_parts(const struct fh_block *block, struct part parts[3]) {
    const struct fh_image *image = block->launch->image;
    parts[0] = (struct part){block->barriers, sizeof block->barriers};
    parts[1] = (struct part){block->shared, image->shared_bytes};
    parts[2] = (struct part){block->local, (size_t)image->local_bytes * image->threads};
}

/* Goes over all parts. With `take` they are copied to the picture; else the first difference ends
 * it. Returns whether picture and state are the same; *size is what the parts have together. */
static bool go_over(const struct fh_block *block, uint8_t *picture, bool take, size_t *size) {
    const struct fh_image *image = block->launch->image;
    struct part parts[WARP_PARTS];
    *size = 0;
    for (uint32_t i = 0; i <= image->warps; i++) {
        unsigned count = i < image->warps ? WARP_PARTS : 3;
        if (i < image->warps)
            warp_parts(&block->warps[i], image->rows, parts);
        else
            block_parts(block, parts);
        for (unsigned k = 0; k < count; k++) {
            if (take && picture)
                memcpy(picture + *size, parts[k].bytes, parts[k].size);
            else if (picture && memcmp(picture + *size, parts[k].bytes, parts[k].size) != 0)
                return false;
            *size += parts[k].size;
        }
    }
    return true;
}

/* Rounds count from 0 again; no picture is looked at. */
static void begin(struct fh_repeat *r) {
    *r = (struct fh_repeat){.next = FH_PATIENCE, .picture = r->picture};
}

void fh_repeat_start(struct fh_block *block) {
    begin(&block->repeat);
}

bool fh_repeat_still(const struct fh_block *block) {
    const struct fh_repeat *r = &block->repeat;
    return r->period && r->rounds - r->last <= r->period;
}

static bool take_picture(struct fh_block *block) {
    struct fh_repeat *r = &block->repeat;
    size_t size;
    if (!r->picture) {
        go_over(block, NULL, false, &size);
        r->picture = malloc(size + 1);
        if (!r->picture)
            return false;
    }
    go_over(block, r->picture, true, &size);
    r->taken = r->rounds;
    r->next = 2 * r->rounds;
    return true;
}

enum fh_repeat_answer fh_repeat_look(struct fh_block *block) {
    struct fh_repeat *r = &block->repeat;
    size_t size;
    r->rounds++;
    if (r->taken && go_over(block, r->picture, false, &size)) {
        r->period = r->period ? r->period : r->rounds - r->taken;
        r->last = r->rounds;
        return FH_SAME_STATE;
    }
    if (r->period && !fh_repeat_still(block))
        begin(r);
    if (r->yields >= FH_MANY_YIELDS) {
        r->yields = 0;
        return FH_SAME_STATE;
    }
    if (!r->period && r->rounds >= r->next && !take_picture(block))
        return FH_CANNOT_TELL;
    return FH_NEW_STATE;
}

void fh_repeat_free(struct fh_block *block) {
    free(block->repeat.picture);
}

/* block_copy.c - see block_copy.h. */
#include "block_copy.h"

#include "busy_wait.h"

#include <stdlib.h>
#include <string.h>

/* The parts stand one behind the other in `bytes`: of each warp the rows of its registers and what
 * follows all rows, then shared and local memory, and what busy_wait.h keeps. */
struct fh_block_copy {
    size_t users, noted;
    struct fh_block_shape shape;
    size_t local, busy_wait; /* bytes */
    struct fh_block block;
    uint8_t bytes[];
};

enum { WARP_REST = sizeof(struct fh_flow) - offsetof(struct fh_flow, w.p) };

static size_t row_bytes(const struct fh_block_copy *c) {
    return c->shape.rows * sizeof((struct fh_warp *)0)->r[0];
}

static size_t warp_bytes(const struct fh_block_copy *c) {
    return row_bytes(c) + WARP_REST;
}

struct fh_block_copy *fh_block_copy_make(struct fh_block *block) {
    const struct fh_image *image = block->launch->image;
    struct fh_block_copy sizes = {
        .users = 1,
        .shape = {image->rows, image->warps, image->threads, image->local_bytes,
                  image->shared_room},
        .local = (size_t)image->local_bytes * image->threads,
        .busy_wait = block->busy_wait.taken ? fh_busy_wait_bytes(block) : 0,
        .block = *block,
    };
    if (block->copy && !block->changed) {
        block->copy->users++;
        return block->copy;
    }
    const size_t bytes =
        sizes.shape.warps * warp_bytes(&sizes) + sizes.shape.shared_bytes + sizes.local;
    struct fh_block_copy *c = malloc(sizeof *c + bytes + sizes.busy_wait);
    if (!c)
        return NULL;
    *c = sizes;
    uint8_t *to = c->bytes;
    for (uint32_t i = 0; i < c->shape.warps; i++, to += warp_bytes(c)) {
        struct fh_flow *f = &block->warps[i];
        if (!f->begun) /* its registers are filled when it begins; but they can be seen here */
            fh_flow_fill(f);
        memcpy(to, f->w.r, row_bytes(c));
        memcpy(to + row_bytes(c), f->w.p, WARP_REST);
    }
    memcpy(to, block->shared, c->shape.shared_bytes);
    memcpy(to + c->shape.shared_bytes, block->local, c->local);
    if (c->busy_wait)
        memcpy(to + c->shape.shared_bytes + c->local, block->busy_wait.snapshot, c->busy_wait);
    fh_block_copy_free(block->copy);
    c->users++; /* the block is one */
    block->copy = c;
    block->changed = false;
    return c;
}

void fh_block_copy_free(struct fh_block_copy *c) {
    if (c && --c->users == 0)
        free(c);
}

void fh_block_copy_note(struct fh_block_copy *c, size_t number) {
    c->noted = number;
}

size_t fh_block_copy_noted(const struct fh_block_copy *c) {
    return c->noted;
}

bool fh_block_copy_is(const struct fh_block_copy *c, const struct fh_block *block) {
    return block->copy == c && !block->changed;
}

bool fh_block_copy_prepare(const struct fh_block_copy *c, struct fh_block *block) {
    return fh_busy_wait_room(block, c->busy_wait);
}

const struct fh_block_shape *fh_block_copy_shape(const struct fh_block_copy *c) {
    return &c->shape;
}

const struct fh_block *fh_block_copy_block(const struct fh_block_copy *c) {
    return &c->block;
}

void fh_block_copy_warp(const struct fh_block_copy *c, uint32_t warp, struct fh_flow *to) {
    const uint8_t *const from = c->bytes + warp * warp_bytes(c);
    memcpy(to->w.r, from, row_bytes(c));
    memcpy(to->w.p, from + row_bytes(c), WARP_REST);
}

const uint8_t *fh_block_copy_shared(const struct fh_block_copy *c) {
    return c->bytes + c->shape.warps * warp_bytes(c);
}

const uint8_t *fh_block_copy_local(const struct fh_block_copy *c) {
    return fh_block_copy_shared(c) + c->shape.shared_bytes;
}

void fh_block_copy_restore(struct fh_block_copy *c, struct fh_block *block) {
    const struct fh_block old = *block;
    if (fh_block_copy_is(c, block))
        return;
    *block = c->block;
    block->launch = old.launch;
    block->shared = old.shared;
    block->local = old.local;
    block->warps = old.warps;
    block->room = old.room;
    block->busy_wait.snapshot = old.busy_wait.snapshot;
    block->busy_wait.room = old.busy_wait.room;
    for (uint32_t i = 0; i < c->shape.warps; i++) {
        struct fh_flow *f = &block->warps[i];
        fh_block_copy_warp(c, i, f);
        f->w.block = block;
        f->w.launch = block->launch;
    }
    memcpy(block->shared, fh_block_copy_shared(c), c->shape.shared_bytes);
    memcpy(block->local, fh_block_copy_local(c), c->local);
    if (c->busy_wait)
        memcpy(block->busy_wait.snapshot, fh_block_copy_local(c) + c->local, c->busy_wait);
    fh_block_copy_free(old.copy);
    c->users++;
    block->copy = c;
    block->changed = false;
}

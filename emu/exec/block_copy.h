/*
 * block_copy.h - copies of blocks at a moment: registers, lanes, barriers, shared and local memory,
 * and what the scheduler knows of them.
 *
 * A copy never changes, so snapshots share it: as long as a block does not change (block->changed),
 * the copy that was made of it last is made again by counting one more user.
 */
#ifndef FH_BLOCK_COPY_H
#define FH_BLOCK_COPY_H

#include "warp.h"

struct fh_block_copy;

/* How much a block has, of one launch all the same. */
struct fh_block_shape {
    uint32_t rows, warps, threads;
    uint32_t local_bytes, shared_bytes; /* of a thread; of the block, with what is reserved */
};

/* The block as it is, with one more user. NULL without host memory. */
struct fh_block_copy *fh_block_copy_make(struct fh_block *block);
void fh_block_copy_free(struct fh_block_copy *copy);

/* A number of the user's, for a while. */
void fh_block_copy_note(struct fh_block_copy *copy, size_t number);
size_t fh_block_copy_noted(const struct fh_block_copy *copy);

/* Whether the block is as it was then. */
bool fh_block_copy_is(const struct fh_block_copy *copy, const struct fh_block *block);
/* Gives the block, of the same launch, the memory that it needs to become what the copy is. False
 * without host memory. */
bool fh_block_copy_prepare(const struct fh_block_copy *copy, struct fh_block *block);
/* The block becomes what the copy is. */
void fh_block_copy_restore(struct fh_block_copy *copy, struct fh_block *block);

const struct fh_block_shape *fh_block_copy_shape(const struct fh_block_copy *copy);
/* The block, apart from what its pointers lead to. */
const struct fh_block *fh_block_copy_block(const struct fh_block_copy *copy);
/* One of its warps: all but its rows from image->rows on, and pointers. */
void fh_block_copy_warp(const struct fh_block_copy *copy, uint32_t warp, struct fh_flow *to);
const uint8_t *fh_block_copy_shared(const struct fh_block_copy *copy);
const uint8_t *fh_block_copy_local(const struct fh_block_copy *copy);

#endif

/*
 * claim.h - pieces of global memory, shared out among stretches of blocks that run at once.
 *
 * Most kernels' blocks touch no word that another one writes. So stretches work in memory itself,
 * each with what it has claimed: a piece that nobody writes, to read it, together with others; a
 * piece that nobody else touches, to write it. Whoever comes second to one that cannot be shared is
 * told, before the access, and gives up; what it wrote is undone later.
 *
 *     mark of a piece    launch 31:16 | stretch 15:2 | kind 1:0      marks of other launches: free
 *
 *     free -> READ by one -> SHARED by several                        on reads
 *     free, READ by one -> WRITTEN by that one                        on its first write
 *
 * A mark never goes back while a launch runs, and of two that meet at a piece one sees the other's
 * mark. So a stretch that has not given up read nothing that others wrote since the launch began,
 * and nobody else has read what it wrote. Threads share no data that one of them writes.
 *
 * What a piece held before its first write is kept (fh_claimant_undo). Large pieces make claims
 * rare; small ones let stretches be neighbours. Stretches that share a small one without sharing a
 * word have to run through copies (view.h), which tell words apart.
 */
#ifndef FH_CLAIM_H
#define FH_CLAIM_H

#include "memory.h"

#include <stdatomic.h>

/* Logarithms of the bytes of a piece. A line is one of the host's caches; the warps of a kernel
 * that uses memory well touch whole sectors of 32 bytes, most often more. */
enum { FH_PAGE_SHIFT = 12, FH_LINE_SHIFT = 6, FH_MOST_CLAIMANTS = 1 << 14 };

typedef _Atomic uint32_t fh_mark;

/* The marks of a machine's memory, for one launch after another. */
struct fh_claims {
    const struct fh_memory *memory;
    fh_mark **marks; /* by allocation, one for each piece; NULL: released, or nobody may write it */
    size_t count;
    uint32_t shift;  /* of pieces, which have 1 << shift bytes; stays as it is */
    uint32_t launch; /* number of the launch, 1 to 0xffff */
};

struct fh_undo; /* pieces as they were before the first write */

/* One of the stretches. */
struct fh_claimant {
    struct fh_claims *claims;
    uint32_t shift;
    uint32_t read, shared, written; /* the marks of pieces that it may access */
    struct fh_undo *undo, *last;    /* the list, kept from launch to launch; where it is */
};

/* Gets ready for a launch. False without host memory. */
bool fh_claims_begin(struct fh_claims *claims, const struct fh_memory *memory);
void fh_claims_free(struct fh_claims *claims);
/* The allocation was released. */
void fh_claims_forget(struct fh_claims *claims, size_t allocation);

/* Becomes number `index` of the claimants of this launch, with nothing claimed. */
void fh_claimant_begin(struct fh_claimant *c, struct fh_claims *claims, unsigned index);
void fh_claimant_free(struct fh_claimant *c);
/* Gives all that it claimed to write the bytes that it had. */
void fh_claimant_undo(struct fh_claimant *c);

/* Claims a piece of an allocation. False if others stand in the way, or without host memory to keep
 * what it holds. */
bool fh_claim_piece(struct fh_claimant *c, size_t allocation, size_t piece, bool store);

/* Claims the piece, if that has not been done; `marks` are the allocation's. */
static inline bool fh_claim(struct fh_claimant *c, const fh_mark *marks, size_t allocation,
                            size_t piece, bool store) {
    const uint32_t mark = atomic_load_explicit(&marks[piece], memory_order_relaxed);
    if (mark == c->written || (!store && (mark == c->read || mark == c->shared)))
        return true;
    return fh_claim_piece(c, allocation, piece, store);
}

/* Claims what [offset, offset + bytes) touches, bytes > 0. */
static inline bool fh_claim_range(struct fh_claimant *c, const fh_mark *marks, size_t allocation,
                                  uint64_t offset, uint64_t bytes, bool store) {
    const size_t last = (size_t)((offset + bytes - 1) >> c->shift);
    for (size_t piece = (size_t)(offset >> c->shift); piece <= last; piece++)
        if (!fh_claim(c, marks, allocation, piece, store))
            return false;
    return true;
}

#endif

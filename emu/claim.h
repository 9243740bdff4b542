/*
 * claim.h - lines of global memory, shared out among stretches of blocks that run at once.
 *
 * Most kernels' blocks touch no word that another one writes. So stretches work in memory itself,
 * each with what it has claimed: a line that nobody writes, to read it, together with others; a
 * line that nobody else touches, to write it. Whoever comes second to a line that cannot be shared
 * is told, before the access, and gives up; what it wrote is undone later.
 *
 *     mark of a line     launch 31:16 | stretch 15:2 | kind 1:0      marks of other launches: free
 *
 *     free -> READ by one -> SHARED by several                        on reads
 *     free, READ by one -> WRITTEN by that one                        on its first write
 *
 * A mark never goes back while a launch runs, and of the two that meet at a line one sees the
 * other's mark. So a stretch that has not given up read nothing that others wrote since the launch
 * began, and nobody else has read what it wrote. Threads share no data that one of them writes.
 *
 * What a line held before its first write is kept (fh_claimant_undo). Lines are coarse: stretches
 * that share one without sharing a word have to run through copies (view.h), which tell words
 * apart.
 */
#ifndef FH_CLAIM_H
#define FH_CLAIM_H

#include "memory.h"

#include <stdatomic.h>

enum {
    FH_LINE = 128, /* bytes that share a mark */
    FH_MOST_CLAIMANTS = 1 << 14
};

typedef _Atomic uint32_t fh_mark;

/* The marks of a machine's memory, for one launch after another. */
struct fh_claims {
    fh_mark **marks; /* by allocation, one for each line; NULL: released, or nobody may write it */
    size_t count;
    uint32_t launch; /* number of the launch, 1 to 0xffff */
};

struct fh_undo; /* lines as they were before the first write */

/* One of the stretches. */
struct fh_claimant {
    struct fh_claims *claims;
    uint32_t read, shared, written; /* the marks of lines that it may access */
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
/* Gives all lines that it wrote the bytes that they had. */
void fh_claimant_undo(struct fh_claimant *c);

/* Claims a line of the allocation whose bytes are `memory`. False if others stand in the way, or
 * without host memory to keep the line. */
bool fh_claim_line(struct fh_claimant *c, fh_mark *marks, uint8_t *memory, size_t line, bool store);

/* Claims the line, if that has not been done. */
static inline bool fh_claim(struct fh_claimant *c, fh_mark *marks, uint8_t *memory, size_t line,
                            bool store) {
    const uint32_t mark = atomic_load_explicit(&marks[line], memory_order_relaxed);
    if (mark == c->written || (!store && (mark == c->read || mark == c->shared)))
        return true;
    return fh_claim_line(c, marks, memory, line, store);
}

/* Claims what [offset, offset + bytes) touches, bytes > 0. */
static inline bool fh_claim_range(struct fh_claimant *c, fh_mark *marks, uint8_t *memory,
                                  uint64_t offset, uint64_t bytes, bool store) {
    const size_t last = (size_t)((offset + bytes - 1) / FH_LINE);
    for (size_t line = (size_t)(offset / FH_LINE); line <= last; line++)
        if (!fh_claim(c, marks, memory, line, store))
            return false;
    return true;
}

#endif

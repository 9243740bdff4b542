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

#include "history.h"

#include <stdatomic.h>

/* A line is one of the host's caches; the warps of a kernel that uses memory well touch whole
 * sectors of 32 bytes, most often more. */
enum fh_pieces { FH_PAGES, FH_LINES, FH_PIECE_KINDS };
enum { FH_LINE_SHIFT = 6 }; /* logarithm of the bytes of a line, as FH_PAGE_SHIFT of a page */

enum { FH_MOST_CLAIMANTS = 1 << 14 };

typedef _Atomic uint32_t fh_mark;

/* The marks of a machine's memory, for one launch after another. */
struct fh_claims {
    const struct fh_memory *memory;
    fh_mark **marks; /* by allocation, one for each piece; NULL: released, or nobody may write it */
    size_t count, capacity;
    enum fh_pieces pieces; /* stays as it is */
    uint32_t shift;        /* and what that means */
    uint32_t launch;       /* number of the launch, 1 to 0xffff */
};

/* Pieces as they were before the first write: a list of large stretches of memory. One host
 * thread's spare ones are kept from launch to launch. */
struct fh_undo;
void fh_undo_free(struct fh_undo *undo);
/* To be called by a host thread that claimed, before others end its claimants: what it kept is
 * written past the caches, which locks do not wait for. */
void fh_undo_settle(void);

/* What a stretch has claimed of an allocation: a bit for each piece, with FH_KNOWN_PAD words around
 * them that can be read and mean nothing. */
struct fh_known {
    uint32_t *readable, *writable;
    size_t low, high; /* words that may not be 0: low <= i < high */
    uint32_t *room;   /* NULL: it has not been touched by any launch */
};
enum { FH_KNOWN_PAD = 16 };

/* One of the stretches; or whoever runs a launch alone while memory has a history. That one may
 * access everything, and claims the pages that it writes so that they are saved before. */
struct fh_claimant {
    const struct fh_memory *memory;
    struct fh_claims *claims; /* NULL: alone */
    uint32_t shift;
    uint32_t read, shared, written; /* the marks of pieces that it may access */
    struct fh_undo *undo, **spare;  /* the list, newest first; where more is, or NULL */
    struct fh_known *known;         /* by allocation */
    size_t count, capacity;
};

/* Gets ready for a launch; `pieces` has been set. False without host memory. */
bool fh_claims_begin(struct fh_claims *claims, const struct fh_memory *memory);
void fh_claims_free(struct fh_claims *claims);
/* The allocation was released. */
void fh_claims_forget(struct fh_claims *claims, size_t allocation);

/* Becomes number `index` of the claimants of this launch, with nothing claimed, on the host thread
 * whose spare memory that is. False without host memory. */
bool fh_claimant_begin(struct fh_claimant *c, struct fh_claims *claims, unsigned index,
                       struct fh_undo **spare);
/* The same for the one who runs alone, or goes on behind a new version of memory. */
bool fh_claimant_begin_alone(struct fh_claimant *c, const struct fh_memory *memory);
void fh_claimant_free(struct fh_claimant *c);
/* The allocation was released. */
void fh_claimant_forget(struct fh_claimant *c, size_t allocation);
/* What it has claimed of the allocation, which has marks. NULL without host memory. */
struct fh_known *fh_claimant_known(struct fh_claimant *c, size_t allocation);
/* At the end, when nobody claims any more: gives all that it claimed to write the bytes that it
 * had, unless they `stay` as they are, and gives back the memory for them. */
void fh_claimant_end(struct fh_claimant *c, bool stay);
/* Before the end of one whose pieces stay: tells the history what they held. False without host
 * memory. */
bool fh_claimant_save(const struct fh_claimant *c);

/* Claims a piece of an allocation of which something is known. False if others stand in the way, or
 * without host memory to keep what it holds. */
bool fh_claim_piece(struct fh_claimant *c, size_t allocation, size_t piece, bool store);

/* Claims what [offset, offset + bytes) touches, bytes > 0. */
bool fh_claim_range(struct fh_claimant *c, size_t allocation, uint64_t offset, uint64_t bytes,
                    bool store);

#endif

/*
 * ownership.h - ownership on first touch: which chunk of blocks may access which pieces of global
 * memory while several chunks run speculatively.
 *
 * Most kernels' blocks touch no word that another one writes. So chunks work in memory itself. The
 * first access of a chunk to a piece acquires it: to read it, together with others that read it; or
 * to write it, alone. An access that conflicts with another chunk's ownership is refused before it
 * is made; the chunk aborts, and its undo log restores what it has overwritten.
 *
 *     mark of a piece    launch 31:16 | chunk 15:2 | kind 1:0        marks of other launches: free
 *
 *     free -> READ by one -> SHARED by several                        on reads
 *     free, READ by one -> WRITTEN by that one                        on its first write
 *
 * A mark never goes back while a launch runs, and of two that meet at a piece one sees the other's
 * mark. So a chunk that has not aborted read nothing that others wrote since the launch began, and
 * nobody else has read what it wrote. Threads share no data that one of them writes.
 *
 * Large pieces are acquired rarely; small ones conflict rarely. Chunks that share a small one
 * without sharing a word have to run through write buffers (transaction.h), which tell words apart.
 */
#ifndef FH_OWNERSHIP_H
#define FH_OWNERSHIP_H

#include "history.h"

#include <stdatomic.h>

/* A line is one of the host's caches; the warps of a kernel that uses memory well touch whole
 * sectors of 32 bytes, most often more. */
enum fh_pieces { FH_PAGES, FH_LINES, FH_PIECE_KINDS };
enum { FH_LINE_SHIFT = 6 }; /* logarithm of the bytes of a line, as FH_PAGE_SHIFT of a page */

enum { FH_MOST_OWNERS = 1 << 14 };

typedef _Atomic uint32_t fh_mark;

/* The marks of a machine's memory, for one launch after another. */
struct fh_ownership {
    const struct fh_memory *memory;
    fh_mark **marks; /* by allocation, one for each piece; NULL: released, or nobody may write it */
    size_t count, capacity;
    enum fh_pieces pieces; /* stays as it is */
    uint32_t shift;        /* and what that means */
    uint32_t launch;       /* number of the launch, 1 to 0xffff */
};

/* The undo log: pieces as they were before the first write, in a list of large blocks of memory.
 * One host thread's spare ones are kept from launch to launch. */
struct fh_undo_log;
void fh_undo_log_free(struct fh_undo_log *undo);
/* To be called by a host thread that ran owners, before others end them: the undo log is written
 * past the caches, which locks do not wait for. */
void fh_undo_log_settle(void);

/* What an owner has acquired of an allocation: a bit for each piece, with FH_OWNED_PAD words around
 * them that can be read and mean nothing. */
struct fh_owned {
    uint32_t *readable, *writable;
    size_t low, high; /* words that may not be 0: low <= i < high */
    uint32_t *room;   /* NULL: it has not been touched by any launch */
};
enum { FH_OWNED_PAD = 16 };

/* One of the chunks; or a launch that runs alone, while memory has a history. That one may access
 * everything, and acquires the pages that it writes so that they are saved before (history.h). */
struct fh_owner {
    const struct fh_memory *memory;
    struct fh_ownership *ownership; /* NULL: alone */
    uint32_t shift;
    uint32_t read, shared, written;    /* the marks of pieces that it may access */
    struct fh_undo_log *undo, **spare; /* newest first; where more is, or NULL */
    struct fh_owned *owned;            /* by allocation */
    size_t count, capacity;
};

/* Gets ready for a launch; `pieces` has been set. False without host memory. */
bool fh_ownership_begin(struct fh_ownership *ownership, const struct fh_memory *memory);
void fh_ownership_free(struct fh_ownership *ownership);
/* The allocation was released. */
void fh_ownership_forget(struct fh_ownership *ownership, size_t allocation);

/* Becomes number `index` of the owners of this launch, with nothing acquired, on the host thread
 * whose spare memory that is. False without host memory. */
bool fh_owner_begin(struct fh_owner *o, struct fh_ownership *ownership, unsigned index,
                    struct fh_undo_log **spare);
/* The same for the one who runs alone, or goes on behind a new version of memory. */
bool fh_owner_begin_alone(struct fh_owner *o, const struct fh_memory *memory);
void fh_owner_free(struct fh_owner *o);
/* The allocation was released. */
void fh_owner_forget(struct fh_owner *o, size_t allocation);
/* What it has acquired of the allocation, which has marks. NULL without host memory. */
struct fh_owned *fh_owner_pieces(struct fh_owner *o, size_t allocation);
/* At the end, when nobody acquires anything any more: restores from the undo log all that it has
 * written, unless that is to `stay`, and gives back the memory of the log. */
void fh_owner_end(struct fh_owner *o, bool stay);
/* Before the end of one whose writes stay: tells the history what was there before. False without
 * host memory. */
bool fh_owner_save(const struct fh_owner *o);

/* Acquires a piece of an allocation for which fh_owner_pieces has been called. False if that
 * conflicts with another owner, or without host memory for the undo log. */
bool fh_own_piece(struct fh_owner *o, size_t allocation, size_t piece, bool store);

/* Acquires what [offset, offset + bytes) touches, bytes > 0. */
bool fh_own_range(struct fh_owner *o, size_t allocation, uint64_t offset, uint64_t bytes,
                  bool store);

#endif

/*
 * view.h - global memory as one stretch of blocks sees it while other stretches run beside it.
 *
 * A view lets a host thread run blocks ahead of their turn. There are two kinds. In place: the
 * stretch works in memory itself, on pieces that it claims (claim.h). With copies: what it writes
 * goes to a copy; what it reads and had not written itself comes from memory as it was when the
 * stretches began, and is noted down:
 *
 *     written  a bit per 32-bit word; the word's value is in `copy`
 *     read     a bit per word that was read from memory, not from `copy`
 *
 * The stretch did what it would have done in its turn if and only if none of the words that it
 * read from memory was written by a stretch before it: fh_view_conflict. Then its words are put
 * into memory (fh_view_commit), after those of the stretches before it. A store narrower than a
 * word counts as a read and a write of it. Memory does not change while views with copies are in
 * use, so threads share no data that one of them writes.
 */
#ifndef FH_VIEW_H
#define FH_VIEW_H

#include "claim.h"

#include <string.h>

enum { FH_LINE = 128 }; /* bytes that one mask of words covers */

/* What the stretch did to one allocation. Room is kept from launch to launch. */
struct fh_region {
    uint8_t *copy;
    uint32_t *written, *read; /* by line, a bit for each word; clear outside [low, high) */
    size_t low, high;         /* lines touched; low > high: none */
};

struct fh_view {
    const struct fh_memory *memory;
    struct fh_region **regions; /* by allocation; NULL: never touched */
    size_t count, capacity;
    struct fh_claimant claimants[FH_PIECE_KINDS], *claimant; /* in place, one of them, else NULL */
    bool failed; /* gave up, or the host had no memory: the stretch must be run again in its turn;
                    what it goes on to read means nothing, and it writes no more */
};

void fh_view_free(struct fh_view *view);
/* Gets ready for a launch, with nothing read or written: with copies, or in place as number `index`
 * of those who claim. Without host memory `failed` is set. */
void fh_view_begin(struct fh_view *view, const struct fh_memory *memory);
void fh_view_begin_in_place(struct fh_view *view, const struct fh_memory *memory,
                            struct fh_claims *claims, unsigned index, struct fh_undo **spare);
/* The same in place for the one who runs alone, in a memory with a history. */
void fh_view_begin_alone(struct fh_view *view, const struct fh_memory *memory);
/* The allocation was released. */
void fh_view_forget(struct fh_view *view, size_t allocation);

/* Whether everything may be read without asking. */
static inline bool fh_view_reads_freely(const struct fh_view *view) {
    return !view || (view->claimant && !view->claimant->claims);
}

/* The allocation's region, for accesses to [low, high]; NULL without host memory. */
struct fh_region *fh_view_touch(struct fh_view *view, size_t allocation, uint64_t low,
                                uint64_t high);

/* The words of a line that [at, at + bytes) of it touches. */
static inline uint32_t fh_word_mask(uint32_t at, uint32_t bytes) {
    uint32_t first = at / 4, last = (at + bytes - 1) / 4;
    return UINT32_MAX << first & UINT32_MAX >> (31 - last);
}

/* Accesses to [offset, offset + bytes), which lies in one line of a region that was touched there:
 * 1 or 2 bytes of a word, or whole words. `memory` are the allocation's bytes. */
static inline void fh_region_load(struct fh_region *r, const uint8_t *memory, uint64_t offset,
                                  uint32_t bytes, uint8_t *to) {
    size_t line = (size_t)(offset / FH_LINE);
    uint32_t at = (uint32_t)(offset % FH_LINE), mask = fh_word_mask(at, bytes);
    uint32_t written = r->written[line] & mask;
    r->read[line] |= mask & ~written;
    if (!written) {
        memcpy(to, memory + offset, bytes);
    } else if (written == mask) {
        memcpy(to, r->copy + offset, bytes);
    } else {
        for (uint32_t i = 0; i < bytes; i += 4) /* whole words: a part of one is never mixed */
            memcpy(to + i, (written >> (at + i) / 4 & 1 ? r->copy : memory) + offset + i, 4);
    }
}

static inline void fh_region_store(struct fh_region *r, const uint8_t *memory, uint64_t offset,
                                   uint32_t bytes, const uint8_t *from) {
    size_t line = (size_t)(offset / FH_LINE);
    uint32_t mask = fh_word_mask((uint32_t)(offset % FH_LINE), bytes);
    if (bytes < 4 && !(r->written[line] & mask)) { /* the rest of the word comes from memory */
        uint64_t word = offset & ~UINT64_C(3);
        memcpy(r->copy + word, memory + word, 4);
        r->read[line] |= mask;
    }
    r->written[line] |= mask;
    memcpy(r->copy + offset, from, bytes);
}

/* Any span, of either kind of view: [offset, offset + bytes) lies in the allocation and is aligned
 * to words, or within a word. */
void fh_view_load(struct fh_view *view, size_t allocation, uint64_t offset, uint32_t bytes,
                  void *to);
void fh_view_store(struct fh_view *view, size_t allocation, uint64_t offset, uint32_t bytes,
                   const void *from);

/* Of views with copies: whether `view` read a word that `earlier` wrote. */
bool fh_view_conflict(const struct fh_view *view, const struct fh_view *earlier);
/* Before the words are put into memory, or when what was written in place stays: tells the history
 * what was there. Those of several views follow one fh_history_begin_late. False without host
 * memory. */
bool fh_view_save(const struct fh_view *view);
/* Puts the words written in lines [first, last) of the allocation into memory. */
void fh_view_commit(const struct fh_view *view, size_t allocation, size_t first, size_t last);

#endif

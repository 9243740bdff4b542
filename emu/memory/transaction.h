/*
 * transaction.h - global memory as one chunk of blocks sees it while other chunks run speculatively
 * beside it: what it reads and writes takes effect as a whole, in the order of the chunks, or not
 * at all.
 *
 * There are two kinds. In place: the chunk works in memory itself, on pieces that it owns, with an
 * undo log (ownership.h). Buffered: what it writes goes to a write buffer, and what it reads and
 * had not written itself comes from memory as it was when the chunks began:
 *
 *     written  the write set: a bit for each 32-bit word; the word's value is in `copy`
 *     read     the read set: a bit for each word that was read from memory, not from `copy`
 *
 * The chunk did what it would have done in sequential order if and only if no word of its read set
 * is in the write set of a chunk before it: fh_transaction_conflict. Then its writes are committed
 * (fh_transaction_commit), after those of the chunks before it. A store narrower than a word counts
 * as a read and a write of it. Memory does not change while buffered transactions are in use, so
 * threads share no data that one of them writes.
 */
#ifndef FH_TRANSACTION_H
#define FH_TRANSACTION_H

#include "ownership.h"

#include <string.h>

enum { FH_LINE = 128 }; /* bytes that one mask of words covers */

/* What the chunk did to one allocation. Room is kept from launch to launch. */
struct fh_write_buffer {
    uint8_t *copy;
    uint32_t *written, *read; /* by line, a bit for each word; clear outside [low, high) */
    size_t low, high;         /* lines touched; low > high: none */
};

struct fh_transaction {
    const struct fh_memory *memory;
    struct fh_write_buffer **buffers; /* by allocation; NULL: never touched */
    size_t count, capacity;
    struct fh_owner owners[FH_PIECE_KINDS], *owner; /* in place, one of them, else NULL */
    bool failed; /* it conflicts, or the host had no memory: it is squashed, and its blocks run
                    again. What it goes on to read means nothing, and it writes no more */
};

void fh_transaction_free(struct fh_transaction *transaction);
/* Gets ready for a launch, with nothing read or written: buffered, or in place as number `index` of
 * the owners. Without host memory `failed` is set. */
void fh_transaction_begin(struct fh_transaction *transaction, const struct fh_memory *memory);
void fh_transaction_begin_in_place(struct fh_transaction *transaction,
                                   const struct fh_memory *memory, struct fh_ownership *ownership,
                                   unsigned index, struct fh_undo_log **spare);
/* The same in place for a launch that runs alone, in a memory with a history. */
void fh_transaction_begin_alone(struct fh_transaction *transaction, const struct fh_memory *memory);
/* The allocation was released. */
void fh_transaction_forget(struct fh_transaction *transaction, size_t allocation);

/* Whether everything may be read without asking. */
static inline bool fh_transaction_reads_freely(const struct fh_transaction *transaction) {
    return !transaction || (transaction->owner && !transaction->owner->ownership);
}

/* The allocation's write buffer, for accesses to [low, high]; NULL without host memory. */
struct fh_write_buffer *fh_transaction_touch(struct fh_transaction *transaction, size_t allocation,
                                             uint64_t low, uint64_t high);

/* The words of a line that [at, at + bytes) of it touches. */
static inline uint32_t fh_word_mask(uint32_t at, uint32_t bytes) {
    uint32_t first = at / 4, last = (at + bytes - 1) / 4;
    return UINT32_MAX << first & UINT32_MAX >> (31 - last);
}

/* Accesses to [offset, offset + bytes), which lies in one line of a buffer that was touched there:
 * 1 or 2 bytes of a word, or whole words. `memory` are the allocation's bytes. */
static inline void fh_buffer_load(struct fh_write_buffer *r, const uint8_t *memory, uint64_t offset,
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

static inline void fh_buffer_store(struct fh_write_buffer *r, const uint8_t *memory,
                                   uint64_t offset, uint32_t bytes, const uint8_t *from) {
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

/* Any span, of either kind: [offset, offset + bytes) lies in the allocation and is aligned
 * to words, or within a word. */
void fh_transaction_load(struct fh_transaction *transaction, size_t allocation, uint64_t offset,
                         uint32_t bytes, void *to);
void fh_transaction_store(struct fh_transaction *transaction, size_t allocation, uint64_t offset,
                          uint32_t bytes, const void *from);

/* Of buffered ones: whether one read a word that `earlier` wrote. */
bool fh_transaction_conflict(const struct fh_transaction *transaction,
                             const struct fh_transaction *earlier);
/* Before the words are put into memory, or when what was written in place stays: tells the history
 * what was there. Those of several transactions follow one fh_history_begin_late. False without
 * host memory. */
bool fh_transaction_save(const struct fh_transaction *transaction);
/* Commits the words written in lines [first, last) of the allocation. */
void fh_transaction_commit(const struct fh_transaction *transaction, size_t allocation,
                           size_t first, size_t last);

#endif

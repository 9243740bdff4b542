/*
 * transaction.c - what a chunk of blocks reads and writes speculatively: in place, or word by word
 * through write buffers.
 */
#include "transaction.h"

#include "array.h"

#include <stdlib.h>
#include <string.h>

static size_t line_count(const struct fh_allocation *a) {
    return (size_t)((a->size + FH_LINE - 1) / FH_LINE);
}

static void buffer_free(struct fh_write_buffer *buffer) {
    if (!buffer)
        return;
    free(buffer->copy);
    free(buffer->written);
    free(buffer->read);
    free(buffer);
}

static struct fh_write_buffer *buffer_new(const struct fh_allocation *a) {
    struct fh_write_buffer *buffer = calloc(1, sizeof *buffer);
    size_t lines = line_count(a);
    if (!buffer)
        return NULL;
    buffer->copy = malloc(lines * FH_LINE);
    buffer->written = calloc(lines, sizeof *buffer->written);
    buffer->read = calloc(lines, sizeof *buffer->read);
    buffer->low = SIZE_MAX;
    if (buffer->copy && buffer->written && buffer->read)
        return buffer;
    buffer_free(buffer);
    return NULL;
}

void fh_transaction_free(struct fh_transaction *transaction) {
    for (size_t i = 0; i < transaction->count; i++)
        buffer_free(transaction->buffers[i]);
    free(transaction->buffers);
    for (int i = 0; i < FH_PIECE_KINDS; i++)
        fh_owner_free(&transaction->owners[i]);
    *transaction = (struct fh_transaction){0};
}

/* Forgets everything that was read and written. */
static void clear(struct fh_transaction *transaction) {
    for (size_t i = 0; i < transaction->count; i++) {
        struct fh_write_buffer *r = transaction->buffers[i];
        if (!r || r->low >= r->high)
            continue;
        memset(r->written + r->low, 0, (r->high - r->low) * sizeof *r->written);
        memset(r->read + r->low, 0, (r->high - r->low) * sizeof *r->read);
        r->low = SIZE_MAX;
        r->high = 0;
    }
}

void fh_transaction_begin(struct fh_transaction *transaction, const struct fh_memory *memory) {
    transaction->memory = memory;
    transaction->owner = NULL;
    transaction->failed = false;
    clear(transaction);
    if (transaction->count >= memory->count)
        return;
    if (!fh_grow(&transaction->buffers, &transaction->capacity, memory->count,
                 sizeof(*transaction->buffers))) {
        transaction->failed = true;
        return;
    }
    memset(transaction->buffers + transaction->count, 0,
           (memory->count - transaction->count) * sizeof(*transaction->buffers));
    transaction->count = memory->count;
}

void fh_transaction_begin_in_place(struct fh_transaction *transaction,
                                   const struct fh_memory *memory, struct fh_ownership *ownership,
                                   unsigned index, struct fh_undo_log **spare) {
    transaction->memory = memory;
    transaction->owner = &transaction->owners[ownership->pieces];
    transaction->failed = !fh_owner_begin(transaction->owner, ownership, index, spare);
}

void fh_transaction_begin_alone(struct fh_transaction *transaction,
                                const struct fh_memory *memory) {
    transaction->memory = memory;
    transaction->owner = &transaction->owners[FH_PAGES];
    transaction->failed = !fh_owner_begin_alone(transaction->owner, memory);
}

void fh_transaction_forget(struct fh_transaction *transaction, size_t allocation) {
    for (int i = 0; i < FH_PIECE_KINDS; i++)
        fh_owner_forget(&transaction->owners[i], allocation);
    if (allocation >= transaction->count)
        return;
    buffer_free(transaction->buffers[allocation]);
    transaction->buffers[allocation] = NULL;
}

/* Copies are made of whole words. The bytes of an allocation of ours go on to the end of its last
 * word; those of mapped memory do not, and a chunk that comes to an incomplete last word of it
 * fails.
 */
static bool part_of_word(const struct fh_allocation *a, uint64_t at) {
    return a->mapped && at / 4 >= a->size / 4;
}

struct fh_write_buffer *fh_transaction_touch(struct fh_transaction *transaction, size_t allocation,
                                             uint64_t low, uint64_t high) {
    size_t first = (size_t)(low / FH_LINE), last = (size_t)(high / FH_LINE);
    if (transaction->failed)
        return NULL;
    struct fh_write_buffer *r = transaction->buffers[allocation];
    if (!r) {
        r = buffer_new(&transaction->memory->list[allocation]);
        transaction->buffers[allocation] = r;
    }
    if (!r || part_of_word(&transaction->memory->list[allocation], high)) {
        transaction->failed = true;
        return NULL;
    }
    r->low = first < r->low ? first : r->low;
    r->high = last >= r->high ? last + 1 : r->high;
    return r;
}

/* Acquires the span for an access in place. NULL if the chunk must not touch it. */
static uint8_t *own(struct fh_transaction *transaction, size_t allocation, uint64_t offset,
                    uint32_t bytes, bool store) {
    if (!store && fh_transaction_reads_freely(transaction))
        return transaction->memory->list[allocation].bytes + offset;
    const struct fh_ownership *ownership = transaction->owner->ownership;
    if ((!ownership || ownership->marks[allocation]) && !transaction->failed)
        transaction->failed = !fh_own_range(transaction->owner, allocation, offset, bytes, store);
    return transaction->failed ? NULL : transaction->memory->list[allocation].bytes + offset;
}

void fh_transaction_load(struct fh_transaction *transaction, size_t allocation, uint64_t offset,
                         uint32_t bytes, void *to) {
    const uint8_t *memory = transaction->memory->list[allocation].bytes;
    if (transaction->owner) {
        const uint8_t *from = own(transaction, allocation, offset, bytes, false);
        if (from)
            memcpy(to, from, bytes);
        else
            memset(to, 0, bytes);
        return;
    }
    struct fh_write_buffer *r =
        fh_transaction_touch(transaction, allocation, offset, offset + bytes - 1);
    if (!r) {
        memcpy(to, memory + offset, bytes);
        return;
    }
    for (uint8_t *out = to; bytes;) {
        uint32_t room = FH_LINE - (uint32_t)(offset % FH_LINE), here = room < bytes ? room : bytes;
        if (here == FH_LINE) /* a constant, for most */
            fh_buffer_load(r, memory, offset, FH_LINE, out);
        else
            fh_buffer_load(r, memory, offset, here, out);
        offset += here;
        out += here;
        bytes -= here;
    }
}

void fh_transaction_store(struct fh_transaction *transaction, size_t allocation, uint64_t offset,
                          uint32_t bytes, const void *from) {
    const uint8_t *memory = transaction->memory->list[allocation].bytes, *in = from;
    if (transaction->owner) {
        uint8_t *to = own(transaction, allocation, offset, bytes, true);
        if (to)
            memcpy(to, from, bytes);
        return;
    }
    struct fh_write_buffer *r =
        fh_transaction_touch(transaction, allocation, offset, offset + bytes - 1);
    if (!r)
        return;
    while (bytes) {
        uint32_t room = FH_LINE - (uint32_t)(offset % FH_LINE), here = room < bytes ? room : bytes;
        if (here == FH_LINE) /* a constant, for most */
            fh_buffer_store(r, memory, offset, FH_LINE, in);
        else
            fh_buffer_store(r, memory, offset, here, in);
        offset += here;
        in += here;
        bytes -= here;
    }
}

static bool buffer_conflict(const struct fh_write_buffer *a,
                            const struct fh_write_buffer *earlier) {
    size_t low = a->low > earlier->low ? a->low : earlier->low;
    size_t high = a->high < earlier->high ? a->high : earlier->high;
    uint32_t both = 0;
    for (size_t line = low; line < high && !both; line++)
        both |= a->read[line] & earlier->written[line];
    return both != 0;
}

bool fh_transaction_conflict(const struct fh_transaction *transaction,
                             const struct fh_transaction *earlier) {
    size_t count = transaction->count < earlier->count ? transaction->count : earlier->count;
    for (size_t i = 0; i < count; i++)
        if (transaction->buffers[i] && earlier->buffers[i] &&
            buffer_conflict(transaction->buffers[i], earlier->buffers[i]))
            return true;
    return false;
}

bool fh_transaction_save(const struct fh_transaction *transaction) {
    if (transaction->owner)
        return fh_owner_save(transaction->owner);
    for (size_t i = 0; i < transaction->count; i++) {
        const struct fh_write_buffer *r = transaction->buffers[i];
        for (size_t line = r ? r->low : 1; r && line < r->high; line++)
            if (r->written[line] &&
                !fh_history_range(transaction->memory->history, i, line * FH_LINE, 1))
                return false;
    }
    return true;
}

void fh_transaction_commit(const struct fh_transaction *transaction, size_t allocation,
                           size_t first, size_t last) {
    const struct fh_write_buffer *r =
        allocation < transaction->count ? transaction->buffers[allocation] : NULL;
    if (!r)
        return;
    uint8_t *memory = transaction->memory->list[allocation].bytes;
    first = first < r->low ? r->low : first;
    last = last > r->high ? r->high : last;
    for (size_t line = first; line < last; line++) {
        uint32_t written = r->written[line];
        size_t at = line * FH_LINE;
        if (written == UINT32_MAX) {
            memcpy(memory + at, r->copy + at, FH_LINE);
            continue;
        }
        for (; written; written &= written - 1) {
            size_t word = at + 4 * (size_t)__builtin_ctz(written);
            memcpy(memory + word, r->copy + word, 4);
        }
    }
}

/*
 * warp_queues.c - see warp_queues.h.
 */
#include "warp_queues.h"

#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

enum { FIRST_SIZE = 64 };

void fh_trace_kept_free(struct fh_trace_kept *kept) {
    if (!kept)
        return;
    fh_trace_record_free(&kept->record);
    free(kept);
}

void fh_trace_queue_close(struct fh_trace_queue *queue) {
    struct fh_trace_kept *kept;
    while ((kept = fh_trace_queue_take(queue)) != NULL)
        fh_trace_kept_free(kept);
    queue->closed = true;
}

void fh_trace_queues_free(struct fh_trace_queues *queues) {
    while (queues->first) {
        struct fh_trace_queue *next = queues->first->next;
        fh_trace_queue_close(queues->first);
        free(queues->first);
        queues->first = next;
    }
    free(queues->table);
    *queues = (struct fh_trace_queues){0};
}

/* ---------------------------------------------------------------- finding them */

static uint64_t hash_of(uint64_t launch, const uint32_t block[3], uint32_t warp) {
    const uint64_t key[] = {launch, block[0] | (uint64_t)block[1] << 32,
                            block[2] | (uint64_t)warp << 32};
    return XXH3_64bits(key, sizeof key);
}

static struct fh_trace_queue **bucket_of(const struct fh_trace_queues *queues, uint64_t hash) {
    return &queues->table[hash & (queues->size - 1)];
}

/* Doubles the table. */
static bool grow(struct fh_trace_queues *queues) {
    const size_t size = queues->size ? 2 * queues->size : FIRST_SIZE;
    struct fh_trace_queue **table = calloc(size, sizeof(struct fh_trace_queue *));
    if (!table)
        return false;
    free(queues->table);
    queues->table = table;
    queues->size = size;
    for (struct fh_trace_queue *q = queues->first; q; q = q->next) {
        struct fh_trace_queue **bucket = bucket_of(queues, hash_of(q->launch, q->block, q->warp));
        q->same_place = *bucket;
        *bucket = q;
    }
    return true;
}

struct fh_trace_queue *fh_trace_queue_of(struct fh_trace_queues *queues, uint64_t launch,
                                         const struct fh_trace_record *record) {
    const uint64_t hash = hash_of(launch, record->block, record->warp);
    if (queues->count == queues->size && !grow(queues))
        return NULL;
    struct fh_trace_queue **bucket = bucket_of(queues, hash), *q = *bucket;
    while (q && (q->launch != launch || q->warp != record->warp ||
                 memcmp(q->block, record->block, sizeof q->block) != 0))
        q = q->same_place;
    if (q)
        return q;
    q = calloc(1, sizeof *q);
    if (!q)
        return NULL;
    q->launch = launch;
    memcpy(q->block, record->block, sizeof q->block);
    q->warp = record->warp;
    q->same_place = *bucket;
    *bucket = q;
    if (queues->last)
        queues->last->next = q;
    else
        queues->first = q;
    queues->last = q;
    queues->count++;
    return q;
}

/* ---------------------------------------------------------------- records */

/* An empty copy is no null pointer. */
static void *copy_of(const void *bytes, size_t size) {
    void *copy = malloc(size + 1);
    if (copy && size)
        memcpy(copy, bytes, size);
    return copy;
}

bool fh_trace_queue_put(struct fh_trace_queue *queue, const struct fh_trace_record *record) {
    struct fh_trace_kept *kept = calloc(1, sizeof *kept);
    if (!kept)
        return false;
    kept->record = *record;
    kept->record.registers =
        copy_of(record->registers, record->register_count * sizeof *record->registers);
    kept->record.accesses =
        copy_of(record->accesses, record->access_count * sizeof *record->accesses);
    if (!kept->record.registers || !kept->record.accesses) {
        fh_trace_kept_free(kept);
        return false;
    }
    if (queue->last)
        queue->last->next = kept;
    else
        queue->first = kept;
    queue->last = kept;
    return true;
}

struct fh_trace_kept *fh_trace_queue_take(struct fh_trace_queue *queue) {
    struct fh_trace_kept *kept = queue->first;
    if (!kept)
        return NULL;
    queue->first = kept->next;
    if (!queue->first)
        queue->last = NULL;
    return kept;
}

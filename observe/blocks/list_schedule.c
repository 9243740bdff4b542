/*
 * list_schedule.c - see list_schedule.h. Tiles start in the order of time, so that whatever a tile
 * makes ready starts after it.
 */
#include "list_schedule.h"

#include <math.h>
#include <stdlib.h>

#include "block_heap.h"
#include "torus.h"

/* Tiles of which all that they depend on has started. */
struct queue {
    struct fh_block_heap pending; /* by when that will have ended */
    struct fh_block_heap ready;   /* by priority: it has */
};

struct scheduler {
    const struct fh_tiles *tiles;
    const struct fh_list_schedule *how;
    struct queue queues[FH_TORUS_MOST];
    double free_at[FH_TORUS_MOST];
    uint32_t *first, *next; /* of each tile: those that read what it writes */
    uint32_t *waits;        /* reads whose tile has not started */
    double *ready_at;
};

static struct queue *queue_of(struct scheduler *s, uint32_t engine) {
    return &s->queues[s->how->fixed ? engine : 0];
}

/* Readers of each tile's limbs. */
static void list_readers(struct scheduler *s) {
    const struct fh_tiles *t = s->tiles;
    for (unsigned pass = 0; pass < 2; pass++) {
        for (size_t i = 0; i < t->count; i++)
            for (uint32_t a = 0; a < t->tiles[i].reads; a++) {
                const uint32_t from = t->accesses[t->tiles[i].first + a].from;
                if (from == FH_TILE_NONE)
                    continue;
                if (pass)
                    s->next[--s->first[from]] = (uint32_t)i;
                else {
                    s->first[from]++;
                    s->waits[i]++;
                }
            }
        for (size_t i = 1; i <= t->count && !pass; i++)
            s->first[i] += s->first[i - 1];
    }
}

static bool start_ready(struct scheduler *s, const uint32_t *engine) {
    bool good = true;
    for (size_t i = 0; i < s->tiles->count && good; i++)
        if (!s->waits[i])
            good = fh_block_heap_push(&queue_of(s, engine[i])->pending, 0, (uint32_t)i);
    return good;
}

/* When the engine can start its next tile. */
static double next_start(struct scheduler *s, uint32_t engine) {
    const struct queue *q = queue_of(s, engine);
    if (q->ready.count)
        return s->free_at[engine];
    if (!q->pending.count)
        return INFINITY;
    return fmax(s->free_at[engine], q->pending.entries[0].key);
}

static bool start_one(struct scheduler *s, uint32_t engine, double now, uint32_t *started) {
    struct queue *q = queue_of(s, engine);
    bool good = true;
    while (q->pending.count && q->pending.entries[0].key <= now && good) {
        const uint32_t tile = (uint32_t)fh_block_heap_pop(&q->pending);
        good = fh_block_heap_push(&q->ready, s->how->first ? s->how->first[tile] : 0, tile);
    }
    if (!good)
        return false;
    *started = (uint32_t)fh_block_heap_pop(&q->ready);
    s->free_at[engine] = now + s->how->taken[*started];
    return true;
}

static bool release_readers(struct scheduler *s, uint32_t tile, double end,
                            const uint32_t *engine) {
    bool good = true;
    for (uint32_t i = s->first[tile]; i < s->first[tile + 1] && good; i++) {
        const uint32_t reader = s->next[i];
        s->ready_at[reader] = fmax(s->ready_at[reader], end);
        if (!--s->waits[reader])
            good = fh_block_heap_push(&queue_of(s, engine[reader])->pending, s->ready_at[reader],
                                      reader);
    }
    return good;
}

static bool run(struct scheduler *s, uint32_t *order, uint32_t *engine) {
    if (!start_ready(s, engine))
        return false;
    for (size_t i = 0; i < s->tiles->count; i++) {
        uint32_t best = 0, tile;
        for (uint32_t e = 1; e < s->how->engines; e++)
            if (next_start(s, e) < next_start(s, best))
                best = e;
        if (!start_one(s, best, next_start(s, best), &tile))
            return false;
        order[i] = tile;
        engine[tile] = best;
        if (!release_readers(s, tile, s->free_at[best], engine))
            return false;
    }
    return true;
}

fhec_status fh_list_schedule(const struct fh_tiles *tiles, const struct fh_list_schedule *how,
                             uint32_t *order, uint32_t *engine) {
    struct scheduler *s = calloc(1, sizeof *s);
    bool good = false;
    if (!s)
        return FHEC_HOST_ERROR;
    s->tiles = tiles;
    s->how = how;
    s->first = calloc(tiles->count + 2, sizeof *s->first);
    s->next = calloc(tiles->access_count + 1, sizeof *s->next);
    s->waits = calloc(tiles->count + 1, sizeof *s->waits);
    s->ready_at = calloc(tiles->count + 1, sizeof *s->ready_at);
    if (s->first && s->next && s->waits && s->ready_at) {
        list_readers(s);
        good = run(s, order, engine);
    }
    for (uint32_t e = 0; e < FH_TORUS_MOST; e++) {
        fh_block_heap_free(&s->queues[e].pending);
        fh_block_heap_free(&s->queues[e].ready);
    }
    free(s->first);
    free(s->next);
    free(s->waits);
    free(s->ready_at);
    free(s);
    return good ? FHEC_OK : FHEC_HOST_ERROR;
}

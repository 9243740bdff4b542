/*
 * claim.c - who reads and who writes a piece of memory during a launch, and what was there before.
 *
 * Marks are changed by compare-and-swap, without any order towards other memory: no data goes from
 * one stretch to another through a piece, and what was there before the launch, and what is there
 * after it, is handed over with the threads' work (team.c).
 */
#include "claim.h"

#include <stdlib.h>
#include <string.h>

enum kind { FREE, READ, SHARED, WRITTEN };
enum { KIND_BITS = 2, LAUNCH_SHIFT = 16, MOST_LAUNCHES = 0xffff, UNDO_BYTES = 1 << 18 };

/* Pieces of any size, one after another. */
struct fh_undo {
    struct fh_undo *next;
    size_t count, used; /* pieces, bytes */
    struct {
        uint8_t *memory; /* where they are */
        uint32_t bytes;
    } piece[UNDO_BYTES >> FH_LINE_SHIFT];
    uint8_t bytes[UNDO_BYTES];
};

static uint32_t mark_of(const struct fh_claims *claims, unsigned owner, enum kind kind) {
    return claims->launch << LAUNCH_SHIFT | owner << KIND_BITS | kind;
}

/* ---------------------------------------------------------------- the marks of memory */

void fh_claims_free(struct fh_claims *claims) {
    for (size_t i = 0; i < claims->count; i++)
        free(claims->marks[i]);
    free(claims->marks);
    *claims = (struct fh_claims){.shift = claims->shift};
}

void fh_claims_forget(struct fh_claims *claims, size_t allocation) {
    if (allocation >= claims->count)
        return;
    free(claims->marks[allocation]);
    claims->marks[allocation] = NULL;
}

/* Marks for all allocations, old ones' kept. */
static bool make_marks(struct fh_claims *claims, const struct fh_memory *memory) {
    if (claims->count == memory->count)
        return true;
    fh_mark **marks = realloc(claims->marks, memory->count * sizeof(*marks));
    if (!marks)
        return false;
    claims->marks = marks;
    for (; claims->count < memory->count; claims->count++) {
        const struct fh_allocation *a = &memory->list[claims->count];
        const size_t pieces = (size_t)((a->size >> claims->shift) + 1);
        fh_mark **mine = &marks[claims->count];
        *mine = NULL;
        if (a->bytes && !a->read_only && !(*mine = calloc(pieces, sizeof **mine)))
            return false;
    }
    return true;
}

bool fh_claims_begin(struct fh_claims *claims, const struct fh_memory *memory) {
    if (claims->launch == MOST_LAUNCHES) /* numbers begin again, so no mark may be left */
        fh_claims_free(claims);
    claims->launch++;
    claims->memory = memory;
    return make_marks(claims, memory);
}

/* ---------------------------------------------------------------- one stretch */

static void rewind_undo(struct fh_claimant *c) {
    c->last = c->undo;
    if (c->last)
        c->last->count = c->last->used = 0;
}

void fh_claimant_begin(struct fh_claimant *c, struct fh_claims *claims, unsigned index) {
    c->claims = claims;
    c->shift = claims->shift;
    c->read = mark_of(claims, index, READ);
    c->shared = mark_of(claims, 0, SHARED);
    c->written = mark_of(claims, index, WRITTEN);
    rewind_undo(c);
}

void fh_claimant_free(struct fh_claimant *c) {
    while (c->undo) {
        struct fh_undo *next = c->undo->next;
        free(c->undo);
        c->undo = next;
    }
    *c = (struct fh_claimant){0};
}

void fh_claimant_undo(struct fh_claimant *c) {
    for (const struct fh_undo *u = c->undo; u; u = u == c->last ? NULL : u->next) {
        const uint8_t *from = u->bytes;
        for (size_t i = 0; i < u->count; from += u->piece[i++].bytes)
            memcpy(u->piece[i].memory, from, u->piece[i].bytes);
    }
    rewind_undo(c);
}

/* Makes room for one more piece at c->last. False without host memory. */
static bool make_room(struct fh_claimant *c) {
    if (c->last && c->last->used + (1U << c->shift) <= UNDO_BYTES)
        return true;
    struct fh_undo *next = c->last ? c->last->next : c->undo;
    if (!next) {
        next = malloc(sizeof *next);
        if (!next)
            return false;
        next->next = NULL;
        *(c->last ? &c->last->next : &c->undo) = next;
    }
    next->count = next->used = 0;
    c->last = next;
    return true;
}

static void keep(struct fh_claimant *c, size_t allocation, size_t piece) {
    const struct fh_allocation *a = &c->claims->memory->list[allocation];
    struct fh_undo *u = c->last;
    const uint64_t offset = (uint64_t)piece << c->shift, left = a->size - offset;
    const uint32_t whole = 1U << c->shift, bytes = left < whole ? (uint32_t)left : whole;
    u->piece[u->count].memory = a->bytes + offset;
    u->piece[u->count++].bytes = bytes;
    memcpy(u->bytes + u->used, a->bytes + offset, bytes);
    u->used += bytes;
}

/* What the mark `seen` becomes; 0: the piece cannot be claimed. */
static uint32_t claimed(const struct fh_claimant *c, uint32_t seen, bool store) {
    const bool old = seen >> LAUNCH_SHIFT != c->claims->launch;
    const enum kind kind = old ? FREE : (enum kind)(seen & ((1U << KIND_BITS) - 1));
    if (kind == FREE || seen == c->read)
        return store ? c->written : c->read;
    if (seen == c->written)
        return seen;
    return store || kind == WRITTEN ? 0 : c->shared;
}

bool fh_claim_piece(struct fh_claimant *c, size_t allocation, size_t piece, bool store) {
    fh_mark *mark = &c->claims->marks[allocation][piece];
    uint32_t next, seen = atomic_load_explicit(mark, memory_order_relaxed);
    if (store && !make_room(c))
        return false;
    do {
        next = claimed(c, seen, store);
        if (!next || next == seen)
            return next != 0;
    } while (!atomic_compare_exchange_weak_explicit(mark, &seen, next, memory_order_relaxed,
                                                    memory_order_relaxed));
    if (store)
        keep(c, allocation, piece);
    return true;
}

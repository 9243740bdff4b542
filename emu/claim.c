/*
 * claim.c - who reads and who writes a line of memory during a launch, and what was there before.
 *
 * Marks are changed by compare-and-swap, without any order towards other memory: no data goes from
 * one stretch to another through a line, and what was there before the launch, and what is there
 * after it, is handed over with the threads' work (team.c).
 */
#include "claim.h"

#include <stdlib.h>
#include <string.h>

enum kind { FREE, READ, SHARED, WRITTEN };
enum { KIND_BITS = 2, LAUNCH_SHIFT = 16, MOST_LAUNCHES = 0xffff, UNDO_LINES = 2048 };

struct fh_undo {
    struct fh_undo *next;
    size_t used;
    uint8_t *line[UNDO_LINES]; /* where they are */
    uint8_t bytes[UNDO_LINES][FH_LINE];
};

static uint32_t mark_of(const struct fh_claims *claims, unsigned owner, enum kind kind) {
    return claims->launch << LAUNCH_SHIFT | owner << KIND_BITS | kind;
}

/* ---------------------------------------------------------------- the marks of memory */

void fh_claims_free(struct fh_claims *claims) {
    for (size_t i = 0; i < claims->count; i++)
        free(claims->marks[i]);
    free(claims->marks);
    *claims = (struct fh_claims){0};
}

void fh_claims_forget(struct fh_claims *claims, size_t allocation) {
    if (allocation >= claims->count)
        return;
    free(claims->marks[allocation]);
    claims->marks[allocation] = NULL;
}

bool fh_claims_begin(struct fh_claims *claims, const struct fh_memory *memory) {
    if (claims->launch == MOST_LAUNCHES)
        fh_claims_free(claims); /* numbers begin again, so no mark may be left */
    claims->launch++;
    if (claims->count == memory->count)
        return true;
    fh_mark **marks = realloc(claims->marks, memory->count * sizeof(*marks));
    if (!marks)
        return false;
    claims->marks = marks;
    for (; claims->count < memory->count; claims->count++) {
        const struct fh_allocation *a = &memory->list[claims->count];
        const size_t lines = (size_t)((a->size + FH_LINE - 1) / FH_LINE);
        fh_mark **mine = &marks[claims->count];
        *mine = NULL;
        if (a->bytes && !a->read_only && lines && !(*mine = calloc(lines, sizeof **mine)))
            return false;
    }
    return true;
}

/* ---------------------------------------------------------------- one stretch */

void fh_claimant_begin(struct fh_claimant *c, struct fh_claims *claims, unsigned index) {
    c->claims = claims;
    c->read = mark_of(claims, index, READ);
    c->shared = mark_of(claims, 0, SHARED);
    c->written = mark_of(claims, index, WRITTEN);
    c->last = c->undo;
    if (c->last)
        c->last->used = 0;
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
    for (const struct fh_undo *u = c->undo; u; u = u == c->last ? NULL : u->next)
        for (size_t i = 0; i < u->used; i++)
            memcpy(u->line[i], u->bytes[i], FH_LINE);
    c->last = c->undo;
    if (c->last)
        c->last->used = 0;
}

/* Room for one more line at `last`. False without host memory. */
static bool make_room(struct fh_claimant *c) {
    if (c->last && c->last->used < UNDO_LINES)
        return true;
    struct fh_undo *next = c->last ? c->last->next : c->undo;
    if (!next) {
        next = malloc(sizeof *next);
        if (!next)
            return false;
        next->next = NULL;
        *(c->last ? &c->last->next : &c->undo) = next;
    }
    next->used = 0;
    c->last = next;
    return true;
}

/* What the mark `seen` becomes; 0: the line cannot be claimed. */
static uint32_t claimed(const struct fh_claimant *c, uint32_t seen, bool store) {
    const bool old = seen >> LAUNCH_SHIFT != c->claims->launch;
    const enum kind kind = old ? FREE : (enum kind)(seen & ((1U << KIND_BITS) - 1));
    if (kind == FREE || seen == c->read)
        return store ? c->written : c->read;
    if (seen == c->written)
        return seen;
    return store || kind == WRITTEN ? 0 : c->shared;
}

bool fh_claim_line(struct fh_claimant *c, fh_mark *marks, uint8_t *memory, size_t line,
                   bool store) {
    uint32_t next, seen = atomic_load_explicit(&marks[line], memory_order_relaxed);
    if (store && !make_room(c))
        return false;
    do {
        next = claimed(c, seen, store);
        if (!next || next == seen)
            return next != 0;
    } while (!atomic_compare_exchange_weak_explicit(&marks[line], &seen, next, memory_order_relaxed,
                                                    memory_order_relaxed));
    if (store) {
        struct fh_undo *u = c->last;
        u->line[u->used] = memory + line * FH_LINE;
        memcpy(u->bytes[u->used++], memory + line * FH_LINE, FH_LINE);
    }
    return true;
}

/*
 * claim.c - who reads and who writes a piece of memory during a launch, and what was there before.
 *
 * Marks are changed by compare-and-swap, without any order towards other memory: no data goes from
 * one stretch to another through a piece, and what was there before the launch, and what is there
 * after it, is handed over with the threads' work (team.c).
 */
#include "claim.h"

#include "array.h"
#include "pages.h"

#include <stdlib.h>
#include <string.h>

#if defined __x86_64__
#include <emmintrin.h>
#endif

enum kind { FREE, READ, SHARED, WRITTEN };
enum { KIND_BITS = 2, LAUNCH_SHIFT = 16, MOST_LAUNCHES = 0xffff, UNDO_BYTES = 3 << 19 };

/* Pieces of any size, one after another. */
struct fh_undo {
    struct fh_undo *next;
    size_t count, used; /* pieces, bytes */
    struct {
        uint8_t *memory; /* where they are */
        uint32_t bytes, allocation;
    } piece[UNDO_BYTES >> FH_LINE_SHIFT];
    _Alignas(1 << FH_LINE_SHIFT) uint8_t bytes[UNDO_BYTES]; /* each piece at a line's begin */
};

_Static_assert(sizeof(struct fh_undo) <= FH_LARGE_PAGE, "it is allocated as one");

/* What a piece takes of it. */
static uint32_t whole_lines(uint32_t bytes) {
    const uint32_t within = (1U << FH_LINE_SHIFT) - 1;
    return (bytes + within) & ~within;
}

static uint32_t mark_of(const struct fh_claims *claims, unsigned owner, enum kind kind) {
    return claims->launch << LAUNCH_SHIFT | owner << KIND_BITS | kind;
}

/* ---------------------------------------------------------------- the marks of memory */

void fh_claims_free(struct fh_claims *claims) {
    for (size_t i = 0; i < claims->count; i++)
        free(claims->marks[i]);
    free(claims->marks);
    *claims = (struct fh_claims){.pieces = claims->pieces};
}

void fh_claims_forget(struct fh_claims *claims, size_t allocation) {
    if (allocation >= claims->count)
        return;
    free(claims->marks[allocation]);
    claims->marks[allocation] = NULL;
}

/* Marks for all allocations, old ones' kept. */
static bool make_marks(struct fh_claims *claims, const struct fh_memory *memory) {
    if (!fh_grow(&claims->marks, &claims->capacity, memory->count, sizeof(*claims->marks)))
        return false;
    while (claims->count < memory->count)
        claims->marks[claims->count++] = NULL;
    for (size_t i = 0; i < memory->count; i++) {
        const struct fh_allocation *a = &memory->list[i];
        const size_t pieces = (size_t)((a->size >> claims->shift) + 1);
        fh_mark **mine = &claims->marks[i];
        if (!*mine && a->bytes && !a->read_only && !(*mine = calloc(pieces, sizeof **mine)))
            return false;
    }
    return true;
}

bool fh_claims_begin(struct fh_claims *claims, const struct fh_memory *memory) {
    if (claims->launch == MOST_LAUNCHES) /* numbers begin again, so no mark may be left */
        fh_claims_free(claims);
    claims->launch++;
    claims->memory = memory;
    claims->shift = claims->pieces == FH_PAGES ? FH_PAGE_SHIFT : FH_LINE_SHIFT;
    return make_marks(claims, memory);
}

/* ---------------------------------------------------------------- one stretch */

static void clear_known(struct fh_known *k) {
    if (k->low < k->high) {
        memset(k->readable + k->low, 0, (k->high - k->low) * sizeof *k->readable);
        memset(k->writable + k->low, 0, (k->high - k->low) * sizeof *k->writable);
    }
    k->low = SIZE_MAX;
    k->high = 0;
}

/* Bits for all allocations, none set. */
static bool begin_known(struct fh_claimant *c, size_t count) {
    for (size_t i = 0; i < c->count; i++)
        clear_known(&c->known[i]);
    if (c->count >= count)
        return true;
    if (!fh_grow(&c->known, &c->capacity, count, sizeof *c->known))
        return false;
    memset(c->known + c->count, 0, (count - c->count) * sizeof *c->known);
    c->count = count;
    return true;
}

struct fh_known *fh_claimant_known(struct fh_claimant *c, size_t allocation) {
    const struct fh_allocation *a = &c->memory->list[allocation];
    const size_t words = (size_t)(a->size >> c->shift) / 32 + 1;
    struct fh_known *k = &c->known[allocation];
    if (k->room)
        return k;
    k->room = calloc(2 * words + 3 * FH_KNOWN_PAD, sizeof *k->room);
    if (!k->room)
        return NULL;
    k->readable = k->room + FH_KNOWN_PAD;
    k->writable = k->readable + words + FH_KNOWN_PAD;
    k->low = SIZE_MAX;
    k->high = 0;
    return k;
}

void fh_claimant_forget(struct fh_claimant *c, size_t allocation) {
    if (allocation >= c->count)
        return;
    free(c->known[allocation].room);
    c->known[allocation] = (struct fh_known){0};
}

bool fh_claimant_begin(struct fh_claimant *c, struct fh_claims *claims, unsigned index,
                       struct fh_undo **spare) {
    c->memory = claims->memory;
    c->claims = claims;
    c->shift = claims->shift;
    c->read = mark_of(claims, index, READ);
    c->shared = mark_of(claims, 0, SHARED);
    c->written = mark_of(claims, index, WRITTEN);
    c->spare = spare;
    return begin_known(c, claims->count);
}

bool fh_claimant_begin_alone(struct fh_claimant *c, const struct fh_memory *memory) {
    c->memory = memory;
    c->claims = NULL;
    c->shift = FH_PAGE_SHIFT;
    return begin_known(c, memory->count);
}

void fh_claimant_free(struct fh_claimant *c) {
    for (size_t i = 0; i < c->count; i++)
        free(c->known[i].room);
    free(c->known);
    fh_undo_free(c->undo);
    *c = (struct fh_claimant){0};
}

void fh_claimant_end(struct fh_claimant *c, bool stay) {
    while (c->undo) {
        struct fh_undo *u = c->undo;
        const uint8_t *from = u->bytes;
        for (size_t i = 0; i < u->count && !stay; from += whole_lines(u->piece[i++].bytes))
            memcpy(u->piece[i].memory, from, u->piece[i].bytes);
        c->undo = u->next;
        u->next = *c->spare;
        *c->spare = u;
    }
}

bool fh_claimant_save(const struct fh_claimant *c) {
    for (const struct fh_undo *u = c->undo; u; u = u->next) {
        const uint8_t *held = u->bytes;
        for (size_t i = 0; i < u->count; held += whole_lines(u->piece[i++].bytes)) {
            const size_t allocation = u->piece[i].allocation;
            const uint8_t *const bytes = c->memory->list[allocation].bytes;
            if (!fh_history_late(c->memory->history, allocation,
                                 (uint64_t)(u->piece[i].memory - bytes), held, u->piece[i].bytes))
                return false;
        }
    }
    return true;
}

void fh_undo_settle(void) {
#if defined __x86_64__
    _mm_sfence();
#endif
}

void fh_undo_free(struct fh_undo *undo) {
    while (undo) {
        struct fh_undo *next = undo->next;
        fh_pages_free(undo);
        undo = next;
    }
}

/* Makes room for one more piece in the newest of the list. False without host memory. */
static bool make_room(struct fh_claimant *c) {
    struct fh_undo *u = c->undo;
    if (u && u->used + (1U << c->shift) <= UNDO_BYTES)
        return true;
    u = *c->spare;
    if (u)
        *c->spare = u->next;
    else
        u = fh_pages_new(FH_LARGE_PAGE);
    if (!u)
        return false;
    u->next = c->undo;
    u->count = u->used = 0;
    c->undo = u;
    return true;
}

/* Copies past the host's caches: what is kept is hardly ever read again, and would drive out of
 * them what the blocks work on, twice as much as they write. `to` is aligned to lines. */
static void copy_away(uint8_t *to, const uint8_t *from, size_t bytes) {
    size_t done = 0;
#if defined __x86_64__
    for (; done + 16 <= bytes; done += 16)
        _mm_stream_si128((__m128i *)(void *)(to + done),
                         _mm_loadu_si128((const __m128i *)(const void *)(from + done)));
#endif
    memcpy(to + done, from + done, bytes - done);
}

static void keep(struct fh_claimant *c, size_t allocation, size_t piece) {
    const struct fh_allocation *a = &c->memory->list[allocation];
    struct fh_undo *u = c->undo;
    const uint64_t offset = (uint64_t)piece << c->shift, left = a->size - offset;
    const uint32_t whole = 1U << c->shift, bytes = left < whole ? (uint32_t)left : whole;
    u->piece[u->count].memory = a->bytes + offset;
    u->piece[u->count].allocation = (uint32_t)allocation;
    u->piece[u->count++].bytes = bytes;
    copy_away(u->bytes + u->used, a->bytes + offset, bytes);
    u->used += whole_lines(bytes);
}

/* What the mark `seen` becomes; 0: the piece cannot be claimed. */
static uint32_t claimed(const struct fh_claimant *c, uint32_t seen, bool store) {
    const bool old = seen >> LAUNCH_SHIFT != c->claims->launch;
    const enum kind kind = old ? FREE : (enum kind)(seen & ((1U << KIND_BITS) - 1));
    if (kind == FREE || seen == c->read)
        return store ? c->written : c->read;
    if (seen == c->written) /* and this is a read, by another way than the write */
        return seen;
    return store || kind == WRITTEN ? 0 : c->shared;
}

static void note(struct fh_known *k, size_t piece, bool store) {
    const size_t word = piece / 32;
    const uint32_t bit = 1U << piece % 32;
    k->readable[word] |= bit;
    k->writable[word] |= store ? bit : 0;
    k->low = word < k->low ? word : k->low;
    k->high = word >= k->high ? word + 1 : k->high;
}

/* The piece of one who shares memory with others. */
static bool claim_shared(struct fh_claimant *c, size_t allocation, size_t piece, bool store) {
    fh_mark *mark = &c->claims->marks[allocation][piece];
    uint32_t next, seen = atomic_load_explicit(mark, memory_order_relaxed);
    if (store && !make_room(c))
        return false;
    do {
        next = claimed(c, seen, store);
        if (!next)
            return false;
    } while (!atomic_compare_exchange_weak_explicit(mark, &seen, next, memory_order_relaxed,
                                                    memory_order_relaxed));
    if (store)
        keep(c, allocation, piece);
    return true;
}

bool fh_claim_piece(struct fh_claimant *c, size_t allocation, size_t piece, bool store) {
    const bool claimed = c->claims
                             ? claim_shared(c, allocation, piece, store)
                             : !store || fh_history_page(c->memory->history, allocation, piece);
    if (claimed)
        note(&c->known[allocation], piece, store);
    return claimed;
}

bool fh_claim_range(struct fh_claimant *c, size_t allocation, uint64_t offset, uint64_t bytes,
                    bool store) {
    const struct fh_known *k = fh_claimant_known(c, allocation);
    const size_t last = (size_t)((offset + bytes - 1) >> c->shift);
    for (size_t piece = (size_t)(offset >> c->shift); k && piece <= last; piece++)
        if (!((store ? k->writable : k->readable)[piece / 32] >> piece % 32 & 1) &&
            !fh_claim_piece(c, allocation, piece, store))
            return false;
    return k != NULL;
}

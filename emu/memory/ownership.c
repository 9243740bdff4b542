/*
 * ownership.c - who reads and who writes a piece of memory during a launch, and what was there
 * before.
 *
 * Marks are changed by compare-and-swap, without any order towards other memory: no data goes from
 * one chunk to another through a piece, and what was there before the launch, and what is there
 * after it, is handed over with the threads' work (worker_pool.c).
 */
#include "ownership.h"

#include "array.h"
#include "pages.h"

#include <stdlib.h>
#include <string.h>

#if defined __x86_64__
#include <immintrin.h>
#endif

enum kind { FREE, READ, SHARED, WRITTEN };
enum { KIND_BITS = 2, LAUNCH_SHIFT = 16, MOST_LAUNCHES = 0xffff, UNDO_BYTES = 3 << 19 };

/* Pieces of any size, one after another. */
struct fh_undo_log {
    struct fh_undo_log *next;
    size_t count, used; /* pieces, bytes */
    struct {
        uint8_t *memory; /* where they are */
        uint32_t bytes, allocation;
    } piece[UNDO_BYTES >> FH_LINE_SHIFT];
    _Alignas(1 << FH_LINE_SHIFT) uint8_t bytes[UNDO_BYTES]; /* each piece at a line's begin */
};

_Static_assert(sizeof(struct fh_undo_log) <= FH_LARGE_PAGE, "it is allocated as one");

/* What a piece takes of it. */
static uint32_t whole_lines(uint32_t bytes) {
    const uint32_t within = (1U << FH_LINE_SHIFT) - 1;
    return (bytes + within) & ~within;
}

static uint32_t mark_of(const struct fh_ownership *ownership, unsigned owner, enum kind kind) {
    return ownership->launch << LAUNCH_SHIFT | owner << KIND_BITS | kind;
}

/* ---------------------------------------------------------------- the marks of memory */

void fh_ownership_free(struct fh_ownership *ownership) {
    for (size_t i = 0; i < ownership->count; i++)
        free(ownership->marks[i]);
    free(ownership->marks);
    *ownership = (struct fh_ownership){.pieces = ownership->pieces};
}

void fh_ownership_forget(struct fh_ownership *ownership, size_t allocation) {
    if (allocation >= ownership->count)
        return;
    free(ownership->marks[allocation]);
    ownership->marks[allocation] = NULL;
}

/* Marks for all allocations, old ones' kept. */
static bool make_marks(struct fh_ownership *ownership, const struct fh_memory *memory) {
    if (!fh_grow(&ownership->marks, &ownership->capacity, memory->count, sizeof(*ownership->marks)))
        return false;
    while (ownership->count < memory->count)
        ownership->marks[ownership->count++] = NULL;
    for (size_t i = 0; i < memory->count; i++) {
        const struct fh_allocation *a = &memory->list[i];
        const size_t pieces = (size_t)((a->size >> ownership->shift) + 1);
        fh_mark **mine = &ownership->marks[i];
        if (!*mine && a->bytes && !a->read_only && !(*mine = calloc(pieces, sizeof **mine)))
            return false;
    }
    return true;
}

bool fh_ownership_begin(struct fh_ownership *ownership, const struct fh_memory *memory) {
    if (ownership->launch == MOST_LAUNCHES) /* numbers begin again, so no mark may be left */
        fh_ownership_free(ownership);
    ownership->launch++;
    ownership->memory = memory;
    ownership->shift = ownership->pieces == FH_PAGES ? FH_PAGE_SHIFT : FH_LINE_SHIFT;
    return make_marks(ownership, memory);
}

/* ---------------------------------------------------------------- one owner */

static void clear_owned(struct fh_owned *k) {
    if (k->low < k->high) {
        memset(k->readable + k->low, 0, (k->high - k->low) * sizeof *k->readable);
        memset(k->writable + k->low, 0, (k->high - k->low) * sizeof *k->writable);
    }
    k->low = SIZE_MAX;
    k->high = 0;
}

/* Bits for all allocations, none set. */
static bool begin_owned(struct fh_owner *o, size_t count) {
    for (size_t i = 0; i < o->count; i++)
        clear_owned(&o->owned[i]);
    if (o->count >= count)
        return true;
    if (!fh_grow(&o->owned, &o->capacity, count, sizeof *o->owned))
        return false;
    memset(o->owned + o->count, 0, (count - o->count) * sizeof *o->owned);
    o->count = count;
    return true;
}

struct fh_owned *fh_owner_pieces(struct fh_owner *o, size_t allocation) {
    const struct fh_allocation *a = &o->memory->list[allocation];
    const size_t words = (size_t)(a->size >> o->shift) / 32 + 1;
    struct fh_owned *k = &o->owned[allocation];
    if (k->room)
        return k;
    k->room = calloc(2 * words + 3 * FH_OWNED_PAD, sizeof *k->room);
    if (!k->room)
        return NULL;
    k->readable = k->room + FH_OWNED_PAD;
    k->writable = k->readable + words + FH_OWNED_PAD;
    k->low = SIZE_MAX;
    k->high = 0;
    return k;
}

void fh_owner_forget(struct fh_owner *o, size_t allocation) {
    if (allocation >= o->count)
        return;
    free(o->owned[allocation].room);
    o->owned[allocation] = (struct fh_owned){0};
}

bool fh_owner_begin(struct fh_owner *o, struct fh_ownership *ownership, unsigned index,
                    struct fh_undo_log **spare) {
    o->memory = ownership->memory;
    o->ownership = ownership;
    o->shift = ownership->shift;
    o->read = mark_of(ownership, index, READ);
    o->shared = mark_of(ownership, 0, SHARED);
    o->written = mark_of(ownership, index, WRITTEN);
    o->spare = spare;
    return begin_owned(o, ownership->count);
}

bool fh_owner_begin_alone(struct fh_owner *o, const struct fh_memory *memory) {
    o->memory = memory;
    o->ownership = NULL;
    o->shift = FH_PAGE_SHIFT;
    return begin_owned(o, memory->count);
}

void fh_owner_free(struct fh_owner *o) {
    for (size_t i = 0; i < o->count; i++)
        free(o->owned[i].room);
    free(o->owned);
    fh_undo_log_free(o->undo);
    *o = (struct fh_owner){0};
}

void fh_owner_end(struct fh_owner *o, bool stay) {
    while (o->undo) {
        struct fh_undo_log *u = o->undo;
        const uint8_t *from = u->bytes;
        for (size_t i = 0; i < u->count && !stay; from += whole_lines(u->piece[i++].bytes))
            memcpy(u->piece[i].memory, from, u->piece[i].bytes);
        o->undo = u->next;
        u->next = *o->spare;
        *o->spare = u;
    }
}

bool fh_owner_save(const struct fh_owner *o) {
    for (const struct fh_undo_log *u = o->undo; u; u = u->next) {
        const uint8_t *held = u->bytes;
        for (size_t i = 0; i < u->count; held += whole_lines(u->piece[i++].bytes)) {
            const size_t allocation = u->piece[i].allocation;
            const uint8_t *const bytes = o->memory->list[allocation].bytes;
            if (!fh_history_late(o->memory->history, allocation,
                                 (uint64_t)(u->piece[i].memory - bytes), held, u->piece[i].bytes))
                return false;
        }
    }
    return true;
}

void fh_undo_log_settle(void) {
#if defined __x86_64__
    _mm_sfence();
#endif
}

void fh_undo_log_free(struct fh_undo_log *undo) {
    while (undo) {
        struct fh_undo_log *next = undo->next;
        fh_pages_free(undo);
        undo = next;
    }
}

/* Makes room for one more piece in the newest of the list. False without host memory. */
static bool make_room(struct fh_owner *o) {
    struct fh_undo_log *u = o->undo;
    if (u && u->used + (1U << o->shift) <= UNDO_BYTES)
        return true;
    u = *o->spare;
    if (u)
        *o->spare = u->next;
    else
        u = fh_pages_new(FH_LARGE_PAGE);
    if (!u)
        return false;
    u->next = o->undo;
    u->count = u->used = 0;
    o->undo = u;
    return true;
}

#if defined __x86_64__
/* Whole lines past the caches, one at a time, of which no part waits for another one: with stores
 * of 16 bytes a page takes twice as long. Returns how many bytes were copied. */
__attribute__((target("avx512f"))) static size_t copy_lines(uint8_t *to, const uint8_t *from,
                                                            size_t bytes) {
    const size_t line = 1 << FH_LINE_SHIFT;
    size_t done = 0;
    for (; done + line <= bytes; done += line)
        _mm512_stream_si512((__m512i *)(void *)(to + done), _mm512_loadu_si512(from + done));
    return done;
}
#endif

/* Copies past the host's caches: what is kept is hardly ever read again, and would drive out of
 * them what the blocks work on, twice as much as they write. `to` is aligned to lines. */
static void copy_away(uint8_t *to, const uint8_t *from, size_t bytes) {
    size_t done = 0;
#if defined __x86_64__
    if (__builtin_cpu_supports("avx512f"))
        done = copy_lines(to, from, bytes);
    for (; done + 16 <= bytes; done += 16)
        _mm_stream_si128((__m128i *)(void *)(to + done),
                         _mm_loadu_si128((const __m128i *)(const void *)(from + done)));
#endif
    memcpy(to + done, from + done, bytes - done);
}

/* A line goes through the caches: the next piece is acquired soon, by a compare-and-swap that would
 * wait until what was written past them has arrived in memory (90 % of its time in kernels whose
 * threads write lines of the same pages). */
static void copy_piece(const struct fh_owner *o, uint8_t *to, const uint8_t *from, size_t bytes) {
    if (o->shift == FH_LINE_SHIFT)
        memcpy(to, from, bytes);
    else
        copy_away(to, from, bytes);
}

static void keep(struct fh_owner *o, size_t allocation, size_t piece) {
    const struct fh_allocation *a = &o->memory->list[allocation];
    struct fh_undo_log *u = o->undo;
    const uint64_t offset = (uint64_t)piece << o->shift, left = a->size - offset;
    const uint32_t whole = 1U << o->shift, bytes = left < whole ? (uint32_t)left : whole;
    u->piece[u->count].memory = a->bytes + offset;
    u->piece[u->count].allocation = (uint32_t)allocation;
    u->piece[u->count++].bytes = bytes;
    copy_piece(o, u->bytes + u->used, a->bytes + offset, bytes);
    u->used += whole_lines(bytes);
}

/* What the mark `seen` becomes; 0: the piece cannot be acquired. */
static uint32_t owned_as(const struct fh_owner *o, uint32_t seen, bool store) {
    const bool old = seen >> LAUNCH_SHIFT != o->ownership->launch;
    const enum kind kind = old ? FREE : (enum kind)(seen & ((1U << KIND_BITS) - 1));
    if (kind == FREE || seen == o->read)
        return store ? o->written : o->read;
    if (seen == o->written) /* and this is a read, by another way than the write */
        return seen;
    return store || kind == WRITTEN ? 0 : o->shared;
}

static void note(struct fh_owned *k, size_t piece, bool store) {
    const size_t word = piece / 32;
    const uint32_t bit = 1U << piece % 32;
    k->readable[word] |= bit;
    k->writable[word] |= store ? bit : 0;
    k->low = word < k->low ? word : k->low;
    k->high = word >= k->high ? word + 1 : k->high;
}

/* The piece of one who shares memory with others. */
static bool own_shared(struct fh_owner *o, size_t allocation, size_t piece, bool store) {
    fh_mark *mark = &o->ownership->marks[allocation][piece];
    uint32_t next, seen = atomic_load_explicit(mark, memory_order_relaxed);
    if (store && !make_room(o))
        return false;
    do {
        next = owned_as(o, seen, store);
        if (!next)
            return false;
    } while (!atomic_compare_exchange_weak_explicit(mark, &seen, next, memory_order_relaxed,
                                                    memory_order_relaxed));
    if (store)
        keep(o, allocation, piece);
    return true;
}

bool fh_own_piece(struct fh_owner *o, size_t allocation, size_t piece, bool store) {
    const bool mine = o->ownership
                          ? own_shared(o, allocation, piece, store)
                          : !store || fh_history_page(o->memory->history, allocation, piece);
    if (mine)
        note(&o->owned[allocation], piece, store);
    return mine;
}

bool fh_own_range(struct fh_owner *o, size_t allocation, uint64_t offset, uint64_t bytes,
                  bool store) {
    const struct fh_owned *k = fh_owner_pieces(o, allocation);
    const size_t last = (size_t)((offset + bytes - 1) >> o->shift);
    for (size_t piece = (size_t)(offset >> o->shift); k && piece <= last; piece++)
        if (!((store ? k->writable : k->readable)[piece / 32] >> piece % 32 & 1) &&
            !fh_own_piece(o, allocation, piece, store))
            return false;
    return k != NULL;
}

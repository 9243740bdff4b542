/*
 * view.c - what a stretch of blocks reads and writes ahead of its turn: in place, or word by word
 * with copies.
 */
#include "view.h"

#include "array.h"

#include <stdlib.h>
#include <string.h>

static size_t line_count(const struct fh_allocation *a) {
    return (size_t)((a->size + FH_LINE - 1) / FH_LINE);
}

static void region_free(struct fh_region *region) {
    if (!region)
        return;
    free(region->copy);
    free(region->written);
    free(region->read);
    free(region);
}

static struct fh_region *region_new(const struct fh_allocation *a) {
    struct fh_region *region = calloc(1, sizeof *region);
    size_t lines = line_count(a);
    if (!region)
        return NULL;
    region->copy = malloc(lines * FH_LINE);
    region->written = calloc(lines, sizeof *region->written);
    region->read = calloc(lines, sizeof *region->read);
    region->low = SIZE_MAX;
    if (region->copy && region->written && region->read)
        return region;
    region_free(region);
    return NULL;
}

void fh_view_free(struct fh_view *view) {
    for (size_t i = 0; i < view->count; i++)
        region_free(view->regions[i]);
    free(view->regions);
    for (int i = 0; i < FH_PIECE_KINDS; i++)
        fh_claimant_free(&view->claimants[i]);
    *view = (struct fh_view){0};
}

/* Forgets everything that was read and written. */
static void clear(struct fh_view *view) {
    for (size_t i = 0; i < view->count; i++) {
        struct fh_region *r = view->regions[i];
        if (!r || r->low >= r->high)
            continue;
        memset(r->written + r->low, 0, (r->high - r->low) * sizeof *r->written);
        memset(r->read + r->low, 0, (r->high - r->low) * sizeof *r->read);
        r->low = SIZE_MAX;
        r->high = 0;
    }
}

void fh_view_begin(struct fh_view *view, const struct fh_memory *memory) {
    view->memory = memory;
    view->claimant = NULL;
    view->failed = false;
    clear(view);
    if (view->count >= memory->count)
        return;
    if (!fh_grow(&view->regions, &view->capacity, memory->count, sizeof(*view->regions))) {
        view->failed = true;
        return;
    }
    memset(view->regions + view->count, 0, (memory->count - view->count) * sizeof(*view->regions));
    view->count = memory->count;
}

void fh_view_begin_in_place(struct fh_view *view, const struct fh_memory *memory,
                            struct fh_claims *claims, unsigned index, struct fh_undo **spare) {
    view->memory = memory;
    view->claimant = &view->claimants[claims->pieces];
    view->failed = !fh_claimant_begin(view->claimant, claims, index, spare);
}

void fh_view_begin_alone(struct fh_view *view, const struct fh_memory *memory) {
    view->memory = memory;
    view->claimant = &view->claimants[FH_PAGES];
    view->failed = !fh_claimant_begin_alone(view->claimant, memory);
}

void fh_view_forget(struct fh_view *view, size_t allocation) {
    for (int i = 0; i < FH_PIECE_KINDS; i++)
        fh_claimant_forget(&view->claimants[i], allocation);
    if (allocation >= view->count)
        return;
    region_free(view->regions[allocation]);
    view->regions[allocation] = NULL;
}

/* Copies are made of whole words. The bytes of an allocation of ours go on to the end of its last
 * word; those of mapped memory do not, and whoever comes to an incomplete last word of it gives up.
 */
static bool part_of_word(const struct fh_allocation *a, uint64_t at) {
    return a->mapped && at / 4 >= a->size / 4;
}

struct fh_region *fh_view_touch(struct fh_view *view, size_t allocation, uint64_t low,
                                uint64_t high) {
    size_t first = (size_t)(low / FH_LINE), last = (size_t)(high / FH_LINE);
    if (view->failed)
        return NULL;
    struct fh_region *r = view->regions[allocation];
    if (!r) {
        r = region_new(&view->memory->list[allocation]);
        view->regions[allocation] = r;
    }
    if (!r || part_of_word(&view->memory->list[allocation], high)) {
        view->failed = true;
        return NULL;
    }
    r->low = first < r->low ? first : r->low;
    r->high = last >= r->high ? last + 1 : r->high;
    return r;
}

/* Claims the span for an access in place. NULL if the stretch must not touch it. */
static uint8_t *claim(struct fh_view *view, size_t allocation, uint64_t offset, uint32_t bytes,
                      bool store) {
    if (!store && fh_view_reads_freely(view))
        return view->memory->list[allocation].bytes + offset;
    const struct fh_claims *claims = view->claimant->claims;
    if ((!claims || claims->marks[allocation]) && !view->failed)
        view->failed = !fh_claim_range(view->claimant, allocation, offset, bytes, store);
    return view->failed ? NULL : view->memory->list[allocation].bytes + offset;
}

void fh_view_load(struct fh_view *view, size_t allocation, uint64_t offset, uint32_t bytes,
                  void *to) {
    const uint8_t *memory = view->memory->list[allocation].bytes;
    if (view->claimant) {
        const uint8_t *from = claim(view, allocation, offset, bytes, false);
        if (from)
            memcpy(to, from, bytes);
        else
            memset(to, 0, bytes);
        return;
    }
    struct fh_region *r = fh_view_touch(view, allocation, offset, offset + bytes - 1);
    if (!r) {
        memcpy(to, memory + offset, bytes);
        return;
    }
    for (uint8_t *out = to; bytes;) {
        uint32_t room = FH_LINE - (uint32_t)(offset % FH_LINE), here = room < bytes ? room : bytes;
        if (here == FH_LINE) /* a constant, for most */
            fh_region_load(r, memory, offset, FH_LINE, out);
        else
            fh_region_load(r, memory, offset, here, out);
        offset += here;
        out += here;
        bytes -= here;
    }
}

void fh_view_store(struct fh_view *view, size_t allocation, uint64_t offset, uint32_t bytes,
                   const void *from) {
    const uint8_t *memory = view->memory->list[allocation].bytes, *in = from;
    if (view->claimant) {
        uint8_t *to = claim(view, allocation, offset, bytes, true);
        if (to)
            memcpy(to, from, bytes);
        return;
    }
    struct fh_region *r = fh_view_touch(view, allocation, offset, offset + bytes - 1);
    if (!r)
        return;
    while (bytes) {
        uint32_t room = FH_LINE - (uint32_t)(offset % FH_LINE), here = room < bytes ? room : bytes;
        if (here == FH_LINE) /* a constant, for most */
            fh_region_store(r, memory, offset, FH_LINE, in);
        else
            fh_region_store(r, memory, offset, here, in);
        offset += here;
        in += here;
        bytes -= here;
    }
}

static bool region_conflict(const struct fh_region *a, const struct fh_region *earlier) {
    size_t low = a->low > earlier->low ? a->low : earlier->low;
    size_t high = a->high < earlier->high ? a->high : earlier->high;
    uint32_t both = 0;
    for (size_t line = low; line < high && !both; line++)
        both |= a->read[line] & earlier->written[line];
    return both != 0;
}

bool fh_view_conflict(const struct fh_view *view, const struct fh_view *earlier) {
    size_t count = view->count < earlier->count ? view->count : earlier->count;
    for (size_t i = 0; i < count; i++)
        if (view->regions[i] && earlier->regions[i] &&
            region_conflict(view->regions[i], earlier->regions[i]))
            return true;
    return false;
}

bool fh_view_save(const struct fh_view *view) {
    if (view->claimant)
        return fh_claimant_save(view->claimant);
    for (size_t i = 0; i < view->count; i++) {
        const struct fh_region *r = view->regions[i];
        for (size_t line = r ? r->low : 1; r && line < r->high; line++)
            if (r->written[line] && !fh_history_range(view->memory->history, i, line * FH_LINE, 1))
                return false;
    }
    return true;
}

void fh_view_commit(const struct fh_view *view, size_t allocation, size_t first, size_t last) {
    const struct fh_region *r = allocation < view->count ? view->regions[allocation] : NULL;
    if (!r)
        return;
    uint8_t *memory = view->memory->list[allocation].bytes;
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

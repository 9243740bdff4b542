/*
 * view.c - what a stretch of blocks reads and writes ahead of its turn, word by word.
 */
#include "view.h"

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
    *view = (struct fh_view){0};
}

void fh_view_begin(struct fh_view *view, const struct fh_memory *memory) {
    view->memory = memory;
    view->failed = false;
    if (view->count >= memory->count)
        return;
    struct fh_region **regions = realloc(view->regions, memory->count * sizeof(*regions));
    if (!regions) {
        view->failed = true;
        return;
    }
    memset(regions + view->count, 0, (memory->count - view->count) * sizeof *regions);
    view->regions = regions;
    view->count = memory->count;
}

void fh_view_clear(struct fh_view *view) {
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

void fh_view_forget(struct fh_view *view, size_t allocation) {
    if (allocation >= view->count)
        return;
    region_free(view->regions[allocation]);
    view->regions[allocation] = NULL;
}

struct fh_region *fh_view_touch(struct fh_view *view, size_t allocation, uint64_t low,
                                uint64_t high) {
    size_t first = (size_t)(low / FH_LINE), last = (size_t)(high / FH_LINE);
    if (view->failed)
        return NULL;
    struct fh_region *r = view->regions[allocation];
    if (!r) {
        r = region_new(&view->memory->list[allocation]);
        if (!r) {
            view->failed = true;
            return NULL;
        }
        view->regions[allocation] = r;
    }
    r->low = first < r->low ? first : r->low;
    r->high = last >= r->high ? last + 1 : r->high;
    return r;
}

/* The words of a line that [at, at + bytes) of it touches. */
static uint32_t word_mask(uint32_t at, uint32_t bytes) {
    uint32_t first = at / 4, last = (at + bytes - 1) / 4;
    return UINT32_MAX << first & UINT32_MAX >> (31 - last);
}

/* Accesses to [at, at + bytes) of one line. */
static inline void load_line(struct fh_region *r, const uint8_t *memory, size_t line, uint32_t at,
                             uint32_t bytes, uint8_t *to) {
    uint32_t mask = word_mask(at, bytes), written = r->written[line] & mask;
    const uint8_t *ours = r->copy + line * FH_LINE, *before = memory + line * FH_LINE;
    r->read[line] |= mask & ~written;
    if (!written) {
        memcpy(to, before + at, bytes);
    } else if (written == mask) {
        memcpy(to, ours + at, bytes);
    } else {
        for (uint32_t i = 0; i < bytes; i += 4) /* whole words: a part of one is never mixed */
            memcpy(to + i, (written >> (at + i) / 4 & 1 ? ours : before) + at + i, 4);
    }
}

static inline void store_line(struct fh_region *r, const uint8_t *memory, size_t line, uint32_t at,
                              uint32_t bytes, const uint8_t *from) {
    uint32_t mask = word_mask(at, bytes);
    uint8_t *ours = r->copy + line * FH_LINE;
    if (bytes < 4 && !(r->written[line] & mask)) { /* the rest of the word comes from memory */
        uint32_t word = at & ~3u;
        memcpy(ours + word, memory + line * FH_LINE + word, 4);
        r->read[line] |= mask;
    }
    r->written[line] |= mask;
    memcpy(ours + at, from, bytes);
}

void fh_region_load(struct fh_region *r, const uint8_t *memory, uint64_t offset, uint32_t bytes,
                    void *to) {
    size_t line = (size_t)(offset / FH_LINE);
    uint32_t at = (uint32_t)(offset % FH_LINE);
    if (bytes == 4)
        load_line(r, memory, line, at, 4, to);
    else
        load_line(r, memory, line, at, bytes, to);
}

void fh_region_store(struct fh_region *r, const uint8_t *memory, uint64_t offset, uint32_t bytes,
                     const void *from) {
    size_t line = (size_t)(offset / FH_LINE);
    uint32_t at = (uint32_t)(offset % FH_LINE);
    if (bytes == 4)
        store_line(r, memory, line, at, 4, from);
    else
        store_line(r, memory, line, at, bytes, from);
}

void fh_view_load(struct fh_view *view, size_t allocation, uint64_t offset, uint32_t bytes,
                  void *to) {
    const uint8_t *memory = view->memory->list[allocation].bytes;
    struct fh_region *r = fh_view_touch(view, allocation, offset, offset + bytes - 1);
    if (!r) {
        memcpy(to, memory + offset, bytes);
        return;
    }
    uint8_t *out = to;
    uint32_t at = (uint32_t)(offset % FH_LINE);
    for (size_t line = (size_t)(offset / FH_LINE); bytes; line++, at = 0) {
        uint32_t here = FH_LINE - at < bytes ? FH_LINE - at : bytes;
        load_line(r, memory, line, at, here, out);
        out += here;
        bytes -= here;
    }
}

void fh_view_store(struct fh_view *view, size_t allocation, uint64_t offset, uint32_t bytes,
                   const void *from) {
    const uint8_t *memory = view->memory->list[allocation].bytes, *in = from;
    struct fh_region *r = fh_view_touch(view, allocation, offset, offset + bytes - 1);
    if (!r)
        return;
    uint32_t at = (uint32_t)(offset % FH_LINE);
    for (size_t line = (size_t)(offset / FH_LINE); bytes; line++, at = 0) {
        uint32_t here = FH_LINE - at < bytes ? FH_LINE - at : bytes;
        store_line(r, memory, line, at, here, in);
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

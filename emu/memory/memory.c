/*
 * memory.c - the list of global allocations: making, placing, releasing, finding, describing. The
 * accesses of kernels are not here (global.c, view.c).
 */
#include "memory.h"

#include "array.h"
#include "fill.h"
#include "pages.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DRAWS = 64 }; /* addresses that are tried before memory counts as full */

bool fh_memory_init(struct fh_memory *memory, const fhec_placement *placement) {
    *memory = (struct fh_memory){.placement = *placement, .next = FH_GLOBAL_BASE};
    fhec_placement *p = &memory->placement;
    p->gap = p->gap ? p->gap : FH_GAP;
    p->alignment = p->alignment ? p->alignment : FH_ALIGN;
    return !(p->alignment & (p->alignment - 1)) &&
           p->alignment <= FH_GLOBAL_LIMIT - FH_GLOBAL_BASE &&
           p->gap <= FH_GLOBAL_LIMIT - FH_GLOBAL_BASE;
}

static void free_bytes(const struct fh_allocation *a) {
    if (!a->mapped)
        fh_pages_free(a->bytes);
}

void fh_memory_free(struct fh_memory *memory) {
    for (size_t i = 0; i < memory->count; i++) {
        free_bytes(&memory->list[i]);
        free(memory->list[i].name);
    }
    free(memory->list);
    free(memory->by_address);
    *memory = (struct fh_memory){0};
}

/* ---------------------------------------------------------------- by address */

/* How many allocations begin at or before `address`. */
static size_t spans_before(const struct fh_memory *memory, uint64_t address) {
    const struct fh_span *spans = memory->by_address;
    size_t low = 0, high = memory->span_count; /* [low - 1].base <= address < [high].base */
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (spans[middle].base <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static struct fh_allocation *at_span(const struct fh_memory *memory, size_t span) {
    return &memory->list[memory->by_address[span].number];
}

size_t fh_memory_find(const struct fh_memory *memory, uint64_t address) {
    size_t before = spans_before(memory, address);
    return before ? memory->by_address[before - 1].number : SIZE_MAX;
}

struct fh_allocation *fh_memory_range(const struct fh_memory *memory, uint64_t address,
                                      uint64_t bytes) {
    size_t i = fh_memory_find(memory, address);
    if (i == SIZE_MAX)
        return NULL;
    struct fh_allocation *a = &memory->list[i];
    uint64_t offset = address - a->base;
    return a->bytes && offset <= a->size && bytes <= a->size - offset ? a : NULL;
}

/* The spans that overlap [begin, end), in order: the first one; there is none at *last. */
static size_t overlapping(const struct fh_memory *memory, uint64_t begin, uint64_t end,
                          size_t *last) {
    size_t first = spans_before(memory, begin);
    if (first) {
        const struct fh_allocation *a = at_span(memory, first - 1);
        first -= begin - a->base < a->size;
    }
    *last = spans_before(memory, end - 1);
    return first;
}

/* ---------------------------------------------------------------- making */

/* Puts the allocation where it belongs by its address; there is room for it. */
static void add(struct fh_memory *memory, const struct fh_allocation *a) {
    size_t at = spans_before(memory, a->base);
    struct fh_span *spans = memory->by_address;
    memmove(spans + at + 1, spans + at, (memory->span_count - at) * sizeof *spans);
    spans[at] = (struct fh_span){a->base, memory->count};
    memory->span_count++;
    memory->list[memory->count++] = *a;
}

static bool make_room(struct fh_memory *memory) {
    return fh_grow(&memory->list, &memory->capacity, memory->count + 1, sizeof *memory->list) &&
           fh_grow(&memory->by_address, &memory->span_capacity, memory->span_count + 1,
                   sizeof *memory->by_address);
}

static uint64_t align_up(uint64_t address, uint64_t alignment) {
    return (address + alignment - 1) & ~(alignment - 1);
}

/* Whether [address - gap, address + bytes + gap) is free; if not, *behind is the end of what is in
 * the way. */
static bool is_free(const struct fh_memory *memory, uint64_t address, uint64_t bytes,
                    uint64_t *behind) {
    const uint64_t gap = memory->placement.gap;
    size_t last, first = overlapping(memory, address - gap, address + bytes + gap, &last);
    if (first == last)
        return true;
    const struct fh_allocation *a = at_span(memory, last - 1);
    *behind = a->base + a->size;
    return false;
}

/* An address for `bytes` and the gaps around them; 0: none is left. */
static uint64_t place(struct fh_memory *memory, uint64_t bytes) {
    const fhec_placement *p = &memory->placement;
    const uint64_t all = FH_GLOBAL_LIMIT - FH_GLOBAL_BASE;
    if (bytes > all || p->gap > all - bytes)
        return 0;
    const uint64_t last = FH_GLOBAL_LIMIT - bytes - p->gap; /* the highest address */
    uint64_t behind, address = align_up(memory->next, p->alignment);
    for (unsigned i = 0; p->seed && i < DRAWS; i++) {
        const uint64_t drawn = fh_fill_word64(p->seed, 0, memory->drawn++);
        address = FH_GLOBAL_BASE + drawn % (last - FH_GLOBAL_BASE + 1);
        address = align_up(address, p->alignment);
        if (address <= last && is_free(memory, address, bytes, &behind))
            return address;
    }
    while (!p->seed && address <= last) {
        if (is_free(memory, address, bytes, &behind)) {
            memory->next = address + bytes + p->gap;
            return address;
        }
        address = align_up(behind + p->gap, p->alignment);
    }
    return 0;
}

static char *name_copy(const char *name) {
    const size_t size = strlen(name) + 1;
    char *copy = malloc(size);
    return copy ? memcpy(copy, name, size) : NULL;
}

fhec_status fh_memory_alloc(struct fh_memory *memory, const char *name, uint64_t bytes,
                            bool read_only, uint64_t *address) {
    const uint64_t next = memory->next, drawn = memory->drawn;
    struct fh_allocation a = {.size = bytes, .read_only = read_only};
    if (make_room(memory) && (a.base = place(memory, bytes)) != 0) {
        a.name = name_copy(name);
        a.bytes = a.name ? fh_pages_new((size_t)(bytes + 127) / 128 * 128) : NULL;
    }
    if (!a.bytes) {
        free(a.name);
        memory->next = next; /* as if it had not been asked for */
        memory->drawn = drawn;
        return FHEC_HOST_ERROR;
    }
    add(memory, &a);
    *address = a.base;
    return FHEC_OK;
}

/* Whether the range lies in the window of another space. */
static bool in_window(uint64_t address, uint64_t bytes, uint64_t window) {
    return address < window + FH_WINDOW_BYTES && window < address + bytes;
}

fhec_status fh_memory_map(struct fh_memory *memory, const char *name, uint64_t address, void *host,
                          uint64_t bytes, bool read_only, size_t *other) {
    *other = SIZE_MAX;
    if (!address || !bytes || address >= FH_ADDRESS_LIMIT || bytes > FH_ADDRESS_LIMIT - address ||
        in_window(address, bytes, FH_SHARED_WINDOW) || in_window(address, bytes, FH_LOCAL_WINDOW))
        return FHEC_BAD_INPUT;
    size_t last, first = overlapping(memory, address, address + bytes, &last);
    for (size_t i = first; i < last; i++) {
        *other = at_span(memory, i)->bytes ? memory->by_address[i].number : SIZE_MAX;
        if (*other != SIZE_MAX)
            return FHEC_BAD_INPUT;
    }
    struct fh_allocation a = {.base = address,
                              .size = bytes,
                              .read_only = read_only,
                              .mapped = true,
                              .bytes = host,
                              .name = name_copy(name)};
    if (!a.name || !make_room(memory)) {
        free(a.name);
        return FHEC_HOST_ERROR;
    }
    memmove(memory->by_address + first, memory->by_address + last,
            (memory->span_count - last) * sizeof *memory->by_address);
    memory->span_count -= last - first;
    add(memory, &a);
    return FHEC_OK;
}

fhec_status fh_memory_release(struct fh_memory *memory, uint64_t address) {
    size_t i = fh_memory_find(memory, address);
    if (i == SIZE_MAX || memory->list[i].base != address || !memory->list[i].bytes)
        return FHEC_BAD_INPUT;
    free_bytes(&memory->list[i]);
    memory->list[i].bytes = NULL;
    return FHEC_OK;
}

/* ---------------------------------------------------------------- describing */

void fh_memory_nearest(const struct fh_memory *memory, uint64_t address, char *text, size_t size) {
    text[0] = '\0';
    if (!memory->span_count)
        return;
    size_t before = spans_before(memory, address);
    const struct fh_allocation *below = before ? at_span(memory, before - 1) : NULL;
    const struct fh_allocation *above =
        before < memory->span_count ? at_span(memory, before) : NULL;
    char place[64];
    const struct fh_allocation *a;
    if (below && address - below->base < below->size) {
        a = below;
        snprintf(place, sizeof place, "%" PRIu64 " bytes into", address - a->base);
    } else if (below && (!above || address - below->base - below->size < above->base - address)) {
        a = below;
        snprintf(place, sizeof place, "%" PRIu64 " bytes past the end of",
                 address - a->base - a->size);
    } else {
        a = above;
        snprintf(place, sizeof place, "%" PRIu64 " bytes before", a->base - address);
    }
    snprintf(text, size, "%s %s`%s` [0x%" PRIx64 ", 0x%" PRIx64 ")", place,
             a->bytes ? "" : "the released ", a->name, a->base, a->base + a->size);
}

/*
 * memory.c - making, placing and releasing allocations, and what the host writes.
 */
#include "memory.h"

#include "fill.h"
#include "history.h"
#include "pages.h"

#include <stdlib.h>
#include <string.h>

enum { DRAWS = 64 }; /* addresses that are tried before memory counts as full */

bool fh_memory_init(struct fh_memory *memory, const fhec_placement *placement) {
    *memory = (struct fh_memory){.placement = *placement};
    fhec_placement *p = &memory->placement;
    if (!p->begin && !p->end) {
        p->begin = FH_GLOBAL_BASE;
        p->end = FH_GLOBAL_LIMIT;
    }
    memory->next = p->begin;
    p->gap = p->gap ? p->gap : FH_GAP;
    p->alignment = p->alignment ? p->alignment : FH_ALIGN;
    const uint64_t all = p->end - p->begin;
    return p->begin && p->begin < p->end && p->end <= FH_ADDRESS_LIMIT &&
           !(p->alignment & (p->alignment - 1)) && p->alignment <= all && p->gap <= all;
}

void fh_memory_free(struct fh_memory *memory) {
    fh_history_end(memory);
    for (size_t i = 0; i < memory->count; i++)
        fh_allocation_free(&memory->list[i]);
    free(memory->list);
    free(memory->by_address);
    fh_arena_free(&memory->names);
    *memory = (struct fh_memory){0};
}

static uint64_t align_up(uint64_t address, uint64_t alignment) {
    return (address + alignment - 1) & ~(alignment - 1);
}

/* Whether [address - gap, address + bytes + gap) is free; if not, *behind is the end of what is in
 * the way. */
static bool is_free(const struct fh_memory *memory, uint64_t address, uint64_t bytes,
                    uint64_t *behind) {
    const uint64_t gap = memory->placement.gap;
    size_t last,
        first = fh_allocations_overlapping(memory, address - gap, address + bytes + gap, &last);
    if (first == last)
        return true;
    const struct fh_allocation *a = &memory->list[memory->by_address[last - 1].number];
    *behind = a->base + a->size;
    return false;
}

/* An address from which `bytes` go across a multiple of 2^32 that is drawn; 0: nothing can. */
static uint64_t draw_across(struct fh_memory *memory, uint64_t bytes) {
    const fhec_placement *p = &memory->placement;
    const uint64_t border = UINT64_C(1) << 32, first = p->begin / border + 1;
    if (p->end / border <= first)
        return 0;
    uint64_t alignment = p->alignment;
    while (alignment > 16 && alignment > bytes / 2)
        alignment /= 2;
    const uint64_t steps = (bytes - (bytes != 0)) / alignment; /* that may lie below the border */
    const uint64_t drawn = fh_fill_word64(p->seed, 0, memory->drawn++);
    const uint64_t number = first + drawn % (p->end / border - first);
    const uint64_t below = steps ? alignment * (1 + (drawn >> 16) % steps) : 0;
    return below && below <= number * border - p->begin ? number * border - below : 0;
}

/* An address for `bytes` and the gaps around them; 0: none is left. */
static uint64_t place(struct fh_memory *memory, uint64_t bytes) {
    const fhec_placement *p = &memory->placement;
    const uint64_t all = p->end - p->begin;
    if (bytes > all || p->gap > all - bytes)
        return 0;
    const uint64_t last = p->end - bytes - p->gap; /* the highest address */
    uint64_t behind, address = align_up(memory->next, p->alignment);
    for (unsigned i = 0; p->seed && p->borders && i < DRAWS; i++) {
        address = draw_across(memory, bytes);
        if (address && address <= last && is_free(memory, address, bytes, &behind))
            return address;
    }
    for (unsigned i = 0; p->seed && i < DRAWS; i++) {
        const uint64_t drawn = fh_fill_word64(p->seed, 0, memory->drawn++);
        address = p->begin + drawn % (last - p->begin + 1);
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

static const char *name_copy(struct fh_memory *memory, const char *name) {
    const size_t size = strlen(name) + 1;
    char *copy = fh_arena_alloc(&memory->names, size);
    return copy ? memcpy(copy, name, size) : NULL;
}

/* Makes the allocation at a.base; false without host memory. */
static bool add_pages(struct fh_memory *memory, const char *name, struct fh_allocation *a) {
    a->name = name_copy(memory, name);
    a->bytes = a->name ? fh_pages_new((size_t)(a->size + 127) / 128 * 128) : NULL;
    if (a->bytes)
        fh_allocations_add(memory, a);
    return a->bytes != NULL;
}

fhec_status fh_memory_alloc(struct fh_memory *memory, const char *name, uint64_t bytes,
                            bool read_only, uint64_t *address) {
    const uint64_t next = memory->next, drawn = memory->drawn;
    struct fh_allocation a = {.size = bytes, .read_only = read_only};
    if (fh_allocations_reserve(memory) && (a.base = place(memory, bytes)) != 0 &&
        add_pages(memory, name, &a)) {
        *address = a.base;
        return FHEC_OK;
    }
    memory->next = next; /* as if it had not been asked for */
    memory->drawn = drawn;
    return FHEC_HOST_ERROR;
}

/* Whether the range lies in the window of another space. */
static bool in_window(uint64_t address, uint64_t bytes, uint64_t window) {
    return address < window + FH_WINDOW_BYTES && window < address + bytes;
}

static bool is_global(uint64_t address, uint64_t bytes) {
    return address && address < FH_ADDRESS_LIMIT && bytes <= FH_ADDRESS_LIMIT - address &&
           !in_window(address, bytes, FH_SHARED_WINDOW) &&
           !in_window(address, bytes, FH_LOCAL_WINDOW);
}

fhec_status fh_memory_alloc_at(struct fh_memory *memory, const char *name, uint64_t bytes,
                               bool read_only, uint64_t address) {
    struct fh_allocation a = {.base = address, .size = bytes, .read_only = read_only};
    size_t last;
    if (address % 16 || !is_global(address, bytes) ||
        fh_allocations_overlapping(memory, address, address + bytes, &last) != last)
        return FHEC_BAD_INPUT;
    return fh_allocations_reserve(memory) && add_pages(memory, name, &a) ? FHEC_OK
                                                                         : FHEC_HOST_ERROR;
}

fhec_status fh_memory_map(struct fh_memory *memory, const char *name, uint64_t address, void *host,
                          uint64_t bytes, bool read_only, size_t *other) {
    *other = SIZE_MAX;
    if (!bytes || !is_global(address, bytes))
        return FHEC_BAD_INPUT;
    size_t last, first = fh_allocations_overlapping(memory, address, address + bytes, &last);
    for (size_t i = first; i < last; i++) {
        const size_t number = memory->by_address[i].number;
        if (memory->list[number].bytes) {
            *other = number;
            return FHEC_BAD_INPUT;
        }
    }
    struct fh_allocation a = {.base = address,
                              .size = bytes,
                              .read_only = read_only,
                              .mapped = true,
                              .bytes = host,
                              .name = name_copy(memory, name)};
    bool owned;
    for (size_t i = first; i < last && a.name; i++)
        if (memory->history &&
            !fh_history_entry(memory->history, memory->by_address[i].number, &owned))
            a.name = NULL;
    if (!a.name || !fh_allocations_reserve(memory))
        return FHEC_HOST_ERROR;
    for (size_t i = first; i < last; i++)
        memory->list[memory->by_address[i].number].replaced = true;
    if (first < last)
        fh_allocations_sort(memory);
    fh_allocations_add(memory, &a);
    return FHEC_OK;
}

fhec_status fh_memory_release(struct fh_memory *memory, uint64_t address) {
    size_t i = fh_memory_find(memory, address);
    bool owned = false;
    if (i == SIZE_MAX || memory->list[i].base != address || !memory->list[i].bytes)
        return FHEC_BAD_INPUT;
    if (memory->history && !fh_history_entry(memory->history, i, &owned))
        return FHEC_HOST_ERROR;
    if (!owned)
        fh_allocation_free(&memory->list[i]);
    memory->list[i].bytes = memory->list[i].copy = NULL;
    return FHEC_OK;
}

fhec_status fh_memory_writable(struct fh_memory *memory, uint64_t address, uint64_t bytes,
                               uint8_t **to) {
    struct fh_allocation *a = fh_memory_range(memory, address, bytes);
    *to = NULL;
    if (!a)
        return FHEC_BAD_INPUT;
    const size_t number = (size_t)(a - memory->list);
    if (memory->history && !fh_history_range(memory->history, number, address - a->base, bytes))
        return FHEC_HOST_ERROR;
    *to = a->bytes + (address - a->base);
    return FHEC_OK;
}

/*
 * allocations.c - the list of global allocations: adding, finding, describing.
 */
#include "allocations.h"

#include "pages.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

static const struct fh_allocation *span_at(const struct fh_memory *memory, size_t span) {
    return &memory->list[memory->by_address[span].number];
}

void fh_allocation_free(const struct fh_allocation *a) {
    if (!a->mapped)
        fh_pages_free(a->bytes);
    free(a->copy);
}

bool fh_allocations_reserve(struct fh_memory *memory) {
    return fh_grow(&memory->list, &memory->capacity, memory->count + 1, sizeof *memory->list) &&
           fh_grow(&memory->by_address, &memory->span_capacity, memory->count + 1,
                   sizeof *memory->by_address);
}

void fh_allocations_add(struct fh_memory *memory, const struct fh_allocation *a) {
    size_t at = spans_before(memory, a->base);
    struct fh_span *spans = memory->by_address;
    memmove(spans + at + 1, spans + at, (memory->span_count - at) * sizeof *spans);
    spans[at] = (struct fh_span){a->base, memory->count};
    memory->span_count++;
    memory->list[memory->count++] = *a;
}

static int by_base(const void *a, const void *b) {
    const struct fh_span *x = a, *y = b;
    return (x->base > y->base) - (x->base < y->base);
}

void fh_allocations_sort(struct fh_memory *memory) {
    memory->span_count = 0;
    for (size_t i = 0; i < memory->count; i++)
        if (!memory->list[i].replaced)
            memory->by_address[memory->span_count++] = (struct fh_span){memory->list[i].base, i};
    if (memory->span_count)
        qsort(memory->by_address, memory->span_count, sizeof *memory->by_address, by_base);
}

size_t fh_allocations_overlapping(const struct fh_memory *memory, uint64_t begin, uint64_t end,
                                  size_t *last) {
    size_t first = spans_before(memory, begin);
    if (first) {
        const struct fh_allocation *a = span_at(memory, first - 1);
        first -= begin - a->base < a->size;
    }
    *last = spans_before(memory, end - 1);
    return first;
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

void fh_memory_nearest(const struct fh_memory *memory, uint64_t address, char *text, size_t size) {
    text[0] = '\0';
    if (!memory->span_count)
        return;
    size_t before = spans_before(memory, address);
    const struct fh_allocation *below = before ? span_at(memory, before - 1) : NULL;
    const struct fh_allocation *above =
        before < memory->span_count ? span_at(memory, before) : NULL;
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

/*
 * memory.c - the list of global allocations: making, releasing, finding, describing. The accesses
 * of kernels are not here (global.c, view.c).
 */
#include "memory.h"

#include "array.h"
#include "pages.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void fh_memory_init(struct fh_memory *memory) {
    *memory = (struct fh_memory){.next = FH_GLOBAL_BASE};
}

void fh_memory_free(struct fh_memory *memory) {
    for (size_t i = 0; i < memory->count; i++) {
        fh_pages_free(memory->list[i].bytes);
        free(memory->list[i].name);
    }
    free(memory->list);
    fh_memory_init(memory);
}

fhec_status fh_memory_alloc(struct fh_memory *memory, const char *name, uint64_t bytes,
                            bool read_only, uint64_t *address) {
    uint64_t room = FH_GLOBAL_LIMIT - memory->next;
    if (room < FH_GAP || bytes > room - FH_GAP ||
        !fh_grow(&memory->list, &memory->capacity, memory->count + 1, sizeof *memory->list))
        return FHEC_HOST_ERROR;
    struct fh_allocation a = {.base = memory->next, .size = bytes, .read_only = read_only};
    size_t name_size = strlen(name) + 1;
    a.name = malloc(name_size);
    a.bytes = fh_pages_new((size_t)(bytes + 127) / 128 * 128);
    if (!a.name || !a.bytes) {
        free(a.name);
        fh_pages_free(a.bytes);
        return FHEC_HOST_ERROR;
    }
    memcpy(a.name, name, name_size);
    memory->list[memory->count++] = a;
    memory->next = (a.base + bytes + FH_GAP + FH_ALIGN - 1) / FH_ALIGN * FH_ALIGN;
    *address = a.base;
    return FHEC_OK;
}

fhec_status fh_memory_release(struct fh_memory *memory, uint64_t address) {
    size_t i = fh_memory_find(memory, address);
    if (i == SIZE_MAX || memory->list[i].base != address || !memory->list[i].bytes)
        return FHEC_BAD_INPUT;
    fh_pages_free(memory->list[i].bytes);
    memory->list[i].bytes = NULL;
    return FHEC_OK;
}

size_t fh_memory_find(const struct fh_memory *memory, uint64_t address) {
    size_t low = 0, high = memory->count; /* list[low - 1].base <= address < list[high].base */
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (memory->list[middle].base <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low ? low - 1 : SIZE_MAX;
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
    if (!memory->count)
        return;
    size_t i = fh_memory_find(memory, address);
    const struct fh_allocation *below = i == SIZE_MAX ? NULL : &memory->list[i];
    const struct fh_allocation *above = NULL;
    if (i == SIZE_MAX || i + 1 < memory->count)
        above = &memory->list[i == SIZE_MAX ? 0 : i + 1];
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

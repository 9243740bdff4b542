/*
 * shadow.c - see shadow.h.
 */
#include "shadow.h"

#include <stdlib.h>

static void page_free(void *value) {
    struct fh_page *page = value;
    free(page->cells);
    free(page);
}

/* The cell of a word becomes those of its bytes. Lists of readers are forgotten. */
static bool split(struct fh_page *page) {
    struct fh_cell *cells = malloc(FH_PAGE_BYTES * sizeof *cells);
    if (!cells)
        return false;
    for (unsigned i = 0; i < FH_PAGE_BYTES; i++) {
        cells[i] = page->cells[i / 4];
        cells[i].write_value = cells[i].write_value >> 8 * (i % 4) & 0xff;
        if (cells[i].read_time && cells[i].read_warp == FH_SHARED_READ)
            cells[i].read_time = 0;
    }
    free(page->cells);
    page->cells = cells;
    page->bytes = true;
    return true;
}

static struct fh_page *make_page(struct fh_shadow *shadow, uint64_t number, bool bytes) {
    struct fh_page *page = calloc(1, sizeof *page);
    if (page) {
        page->bytes = bytes;
        page->cells = calloc(bytes ? FH_PAGE_BYTES : FH_PAGE_BYTES / 4, sizeof *page->cells);
    }
    if (!page || !page->cells || !fh_number_map_put(&shadow->pages, number, page)) {
        if (page)
            page_free(page);
        return NULL;
    }
    return page;
}

struct fh_page *fh_shadow_page(struct fh_shadow *shadow, uint64_t address, bool bytes) {
    const uint64_t number = address >> FH_PAGE_SHIFT;
    if (!shadow->last || shadow->last_number != number) {
        struct fh_page *page = fh_number_map_get(&shadow->pages, number);
        if (!page)
            page = make_page(shadow, number, bytes);
        if (!page)
            return NULL;
        shadow->last = page;
        shadow->last_number = number;
    }
    if (bytes && !shadow->last->bytes && !split(shadow->last))
        return NULL;
    return shadow->last;
}

struct fh_readers *fh_shadow_list(struct fh_shadow *shadow, uint32_t *index) {
    if (shadow->free_list) {
        *index = shadow->free_list - 1;
        shadow->free_list = shadow->lists[*index].next;
        shadow->lists[*index] = (struct fh_readers){0};
        return &shadow->lists[*index];
    }
    if (shadow->list_count == shadow->list_capacity) {
        const uint32_t capacity = shadow->list_capacity ? 2 * shadow->list_capacity : 64;
        struct fh_readers *more = realloc(shadow->lists, capacity * sizeof *more);
        if (!more)
            return NULL;
        shadow->lists = more;
        shadow->list_capacity = capacity;
    }
    *index = shadow->list_count++;
    shadow->lists[*index] = (struct fh_readers){0};
    return &shadow->lists[*index];
}

void fh_shadow_list_free(struct fh_shadow *shadow, uint32_t index) {
    shadow->lists[index].next = shadow->free_list;
    shadow->free_list = index + 1;
}

void fh_shadow_lists_forget(struct fh_shadow *shadow) {
    shadow->list_count = shadow->free_list = 0;
}

void fh_shadow_free(struct fh_shadow *shadow) {
    fh_number_map_clear(&shadow->pages, page_free);
    free(shadow->lists);
    *shadow = (struct fh_shadow){0};
}

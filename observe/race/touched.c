/*
 * touched.c - see touched.h.
 */
#include "touched.h"

#include <stdlib.h>

static void page_free(void *value) {
    struct fh_cell_page *page = value;
    free(page->cells);
    free(page);
}

/* Cells become those of their parts. Lists of readers are forgotten, and values that were hashed
 * stay what they are: no value of a part is likely to be the same. */
static bool split_cells(struct fh_cell_page *page, unsigned shift) {
    const unsigned times = page->shift - shift;
    const unsigned count = (unsigned)FH_PAGE_BYTES >> shift;
    struct fh_cell *cells = malloc(count * sizeof *cells);
    if (!cells)
        return false;
    for (unsigned i = 0; i < count; i++) {
        cells[i] = page->cells[i >> times];
        if (page->shift == 2)
            cells[i].write_value = cells[i].write_value >> 8 * (i % 4) & 0xff;
        if (cells[i].read_time && cells[i].read_warp == FH_SHARED_READ)
            cells[i].read_time = 0;
    }
    free(page->cells);
    page->cells = cells;
    page->shift = shift;
    return true;
}

static struct fh_cell_page *make_page(struct fh_touched *shadow, uint64_t number, unsigned shift) {
    struct fh_cell_page *page = calloc(1, sizeof *page);
    if (page) {
        page->shift = shift;
        page->cells = calloc((size_t)FH_PAGE_BYTES >> shift, sizeof *page->cells);
    }
    if (!page || !page->cells || !fh_number_map_put(&shadow->pages, number, page)) {
        if (page)
            page_free(page);
        return NULL;
    }
    return page;
}

struct fh_cell_page *fh_touched_page(struct fh_touched *shadow, uint64_t address, unsigned shift) {
    const uint64_t number = address >> FH_PAGE_SHIFT;
    if (!shadow->last || shadow->last_number != number) {
        struct fh_cell_page *page = fh_number_map_get(&shadow->pages, number);
        if (!page)
            page = make_page(shadow, number, shift);
        if (!page)
            return NULL;
        shadow->last = page;
        shadow->last_number = number;
    }
    if (shift < shadow->last->shift && !split_cells(shadow->last, shift))
        return NULL;
    return shadow->last;
}

struct fh_readers *fh_touched_list(struct fh_touched *shadow, uint32_t *index) {
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

static void drop_table(struct fh_touched *shadow, struct fh_readers *list) {
    shadow->tabled -= list->capacity;
    free(list->table);
    list->table = NULL;
    list->capacity = 0;
}

static void put_in_table(struct fh_readers *list, const struct fh_reader *reader) {
    uint32_t at = fh_touched_place(list, reader->warp);
    while (list->table[at].lanes)
        at = (at + 1) & (list->capacity - 1);
    list->table[at] = *reader;
    list->count++;
}

bool fh_touched_list_grow(struct fh_touched *shadow, struct fh_readers *list) {
    struct fh_readers bigger = {.capacity = 4 * FH_READERS, .next = list->next};
    while (bigger.capacity < 4 * (uint64_t)list->count)
        bigger.capacity *= 2;
    if (shadow->tabled + bigger.capacity > FH_TABLED)
        return false;
    bigger.table = calloc(bigger.capacity, sizeof *bigger.table);
    if (!bigger.table)
        return false;
    for (uint32_t i = 0; i < list->capacity; i++)
        if (list->table[i].lanes)
            put_in_table(&bigger, &list->table[i]);
    for (uint32_t i = 0; i < list->count && !list->capacity; i++)
        put_in_table(&bigger, &list->reader[i]);
    drop_table(shadow, list);
    shadow->tabled += bigger.capacity;
    *list = bigger;
    return true;
}

void fh_touched_list_free(struct fh_touched *shadow, uint32_t index) {
    drop_table(shadow, &shadow->lists[index]);
    shadow->lists[index].next = shadow->free_list;
    shadow->free_list = index + 1;
}

void fh_touched_lists_forget(struct fh_touched *shadow) {
    for (uint32_t i = 0; i < shadow->list_count; i++)
        drop_table(shadow, &shadow->lists[i]);
    shadow->list_count = shadow->free_list = 0;
}

void fh_touched_free(struct fh_touched *shadow) {
    fh_number_map_clear(&shadow->pages, page_free);
    fh_touched_lists_forget(shadow);
    free(shadow->lists);
    *shadow = (struct fh_touched){0};
}

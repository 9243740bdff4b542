/*
 * touched.c - see touched.h.
 */
#include "touched.h"

#include "array.h"

#include <stdlib.h>
#include <string.h>

/* ---------------------------------------------------------------- lists */

struct fh_list *fh_touched_list(struct fh_touched *shadow, uint32_t *index) {
    if (shadow->free_list) {
        *index = shadow->free_list - 1;
        shadow->free_list = shadow->lists[*index].next;
    } else {
        if (!fh_grow(&shadow->lists, &shadow->list_capacity, shadow->list_count + 1u,
                     sizeof *shadow->lists))
            return NULL;
        *index = shadow->list_count++;
    }
    memset(&shadow->lists[*index], 0, offsetof(struct fh_list, kept));
    shadow->lists[*index].lowest = UINT32_MAX;
    return &shadow->lists[*index];
}

void fh_list_drop_table(struct fh_touched *shadow, struct fh_list *list) {
    shadow->tabled -= list->capacity;
    free(list->table);
    list->table = NULL;
    list->capacity = list->used = 0;
    list->table_kinds = 0;
    memset(list->newest, 0, sizeof list->newest);
    list->lowest = UINT32_MAX;
    list->highest = 0;
    list->before = list->differs = false;
}

void fh_touched_list_free(struct fh_touched *shadow, uint32_t index) {
    fh_list_drop_table(shadow, &shadow->lists[index]);
    shadow->lists[index].next = shadow->free_list;
    shadow->free_list = index + 1;
}

bool fh_kept_join(struct fh_kept *kept, const struct fh_kept *more) {
    struct fh_past *past = &kept->past;
    const uint32_t code = fh_code_related(past->code, FH_APART);
    if (past->time != more->past.time || past->warp != more->past.warp ||
        code != fh_code_related(more->past.code, FH_APART) || fh_code_kind(code) == FH_COPYING ||
        (FH_STORE_KINDS >> fh_code_kind(code) & 1 && kept->same != more->same))
        return false;
    past->lanes |= more->past.lanes;
    past->code = past->code == more->past.code ? past->code : code;
    return true;
}

static void place_in_table(struct fh_list *list, const struct fh_kept *kept) {
    uint32_t at = fh_list_place(list, kept->past.warp);
    while (list->table[at].past.time)
        at = (at + 1) & (list->capacity - 1);
    list->table[at] = *kept;
    list->used++;
}

/* Gives the list a table with room for twice what is there. False without host memory, or if all
 * tables together would be too large. */
static bool grow_table(struct fh_touched *shadow, struct fh_list *list) {
    struct fh_list bigger = *list;
    uint64_t count = 0;
    for (uint32_t i = 0; i < list->capacity; i++)
        count += list->table[i].past.lanes != 0;
    bigger.used = 0;
    bigger.capacity = 16;
    while (bigger.capacity < 4 * count)
        bigger.capacity *= 2;
    if (shadow->tabled + bigger.capacity > FH_TABLED)
        return false;
    bigger.table = calloc(bigger.capacity, sizeof *bigger.table);
    if (!bigger.table)
        return false;
    for (uint32_t i = 0; i < list->capacity; i++)
        if (list->table[i].past.lanes)
            place_in_table(&bigger, &list->table[i]);
    free(list->table);
    shadow->tabled += bigger.capacity;
    shadow->tabled -= list->capacity;
    *list = bigger;
    return true;
}

struct fh_past *fh_list_join(struct fh_list *list, const struct fh_kept *kept) {
    for (uint32_t i = fh_list_place(list, kept->past.warp); list->table[i].past.time;
         i = (i + 1) & (list->capacity - 1))
        if (list->table[i].past.lanes && fh_kept_join(&list->table[i], kept)) {
            list->before = false;
            return &list->table[i].past;
        }
    return NULL;
}

/* Where there is no room for more tables the first one of the warp's places is given up. */
static void put_in_table(struct fh_touched *shadow, struct fh_list *list,
                         const struct fh_kept *kept) {
    const unsigned kind = FH_KIND_BIT(fh_code_kind(kept->past.code));
    const bool full =
        4 * (uint64_t)list->used >= 3 * (uint64_t)list->capacity && !grow_table(shadow, list);
    if (!list->capacity) {
        list->kept[kept->past.time % FH_LISTED] = *kept;
        return;
    }
    uint32_t *newest = &list->newest[fh_code_kind(kept->past.code)];
    *newest = *newest > kept->past.time ? *newest : kept->past.time;
    list->lowest = list->lowest < kept->past.warp ? list->lowest : kept->past.warp;
    list->highest = list->highest > kept->past.warp ? list->highest : kept->past.warp;
    list->table_kinds |= (uint16_t)kind;
    list->before = false;
    list->differs |= kind & FH_STORE_KINDS && kept->same != list->whole;
    if (fh_list_join(list, kept))
        return;
    const uint32_t first = fh_list_place(list, kept->past.warp);
    uint32_t i = first;
    while (list->table[i].past.lanes)
        i = (i + 1) & (list->capacity - 1);
    if (!list->table[i].past.time && full)
        i = first;
    list->used += !list->table[i].past.time;
    list->table[i] = *kept;
}

/* Tables are to have accesses of few kinds, so that an access that does not race with these need
 * not look at them all. */
void fh_list_put(struct fh_touched *shadow, struct fh_list *list, const struct fh_kept *kept) {
    const unsigned kind = FH_KIND_BIT(fh_code_kind(kept->past.code));
    list->kinds |= (uint16_t)kind;
    if (list->count < FH_LISTED) {
        list->kept[list->count++] = *kept;
        return;
    }
    for (uint32_t i = 0; i < FH_LISTED && !(list->table_kinds & kind); i++) {
        const struct fh_kept moved = list->kept[i];
        if (list->table_kinds >> fh_code_kind(moved.past.code) & 1) {
            list->kept[i] = *kept;
            put_in_table(shadow, list, &moved);
            return;
        }
    }
    put_in_table(shadow, list, kept);
}

/* ---------------------------------------------------------------- pages */

static void page_free(void *value) {
    struct fh_cell_page *page = value;
    free(page->cells);
    free(page->same);
    free(page);
}

static uint32_t narrow(uint32_t same, unsigned from, unsigned bytes) {
    return same >> from & ((1U << bytes) - 1);
}

/* What is known of the bytes `from` on of a cell that has a list: a list of their own. Where there
 * is no room for more tables, that is forgotten. */
static bool narrow_list(struct fh_touched *shadow, uint32_t *index, unsigned from, unsigned bytes) {
    const uint32_t whole = *index;
    if (from && !fh_touched_list(shadow, index))
        return false;
    struct fh_list *list = &shadow->lists[*index];
    if (from) {
        const struct fh_list *of = &shadow->lists[whole];
        *list = *of;
        list->capacity = 0;
        list->table = NULL;
        if (of->capacity && shadow->tabled + of->capacity <= FH_TABLED) {
            list->table = malloc(of->capacity * sizeof *list->table);
            if (!list->table)
                return false;
            memcpy(list->table, of->table, of->capacity * sizeof *list->table);
            list->capacity = of->capacity;
            shadow->tabled += of->capacity;
        }
        if (!list->capacity)
            fh_list_drop_table(shadow, list);
    }
    list->whole = (uint16_t)((1U << bytes) - 1);
    for (uint32_t i = 0; i < list->count; i++)
        list->kept[i].same = narrow(list->kept[i].same, from, bytes);
    for (uint32_t i = 0; i < list->capacity; i++)
        list->table[i].same = narrow(list->table[i].same, from, bytes);
    return true;
}

/* Cells become those of their parts; of each the first one last, since its list is changed. */
static bool split_cells(struct fh_touched *shadow, struct fh_cell_page *page, unsigned shift) {
    const unsigned parts = 1U << (page->shift - shift), bytes = 1U << shift;
    const unsigned count = (unsigned)FH_PAGE_BYTES >> shift;
    struct fh_cell *cells = malloc(count * sizeof *cells);
    uint16_t *same = malloc(count * sizeof *same);
    bool good = cells && same;
    for (unsigned i = count; good && i-- > 0;) {
        const unsigned from = i % parts * bytes;
        struct fh_past *other = &cells[i].other;
        cells[i] = page->cells[i / parts];
        same[i] = (uint16_t)narrow(page->same[i / parts], from, bytes);
        if (!other->time || other->time < shadow->since)
            other->time = 0;
        else if (other->warp == FH_IN_LIST)
            good = narrow_list(shadow, &other->lanes, from, bytes);
    }
    if (!good) {
        free(cells);
        free(same);
        return false;
    }
    free(page->cells);
    free(page->same);
    page->cells = cells;
    page->same = same;
    page->shift = shift;
    return true;
}

static struct fh_cell_page *make_page(struct fh_touched *shadow, uint64_t number, unsigned shift) {
    struct fh_cell_page *page = calloc(1, sizeof *page);
    if (page) {
        page->shift = shift;
        page->cells = calloc((size_t)FH_PAGE_BYTES >> shift, sizeof *page->cells);
        page->same = calloc((size_t)FH_PAGE_BYTES >> shift, sizeof *page->same);
    }
    if (!page || !page->cells || !page->same || !fh_number_map_put(&shadow->pages, number, page)) {
        if (page)
            page_free(page);
        return NULL;
    }
    return page;
}

struct fh_cell_page *fh_touched_page_found(struct fh_touched *shadow, uint64_t address,
                                           unsigned shift) {
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
    if (shift < shadow->last->shift && !split_cells(shadow, shadow->last, shift))
        return NULL;
    return shadow->last;
}

/* ---------------------------------------------------------------- */

void fh_touched_forget(struct fh_touched *shadow, uint32_t since) {
    for (uint32_t i = 0; i < shadow->list_count; i++)
        fh_list_drop_table(shadow, &shadow->lists[i]);
    shadow->list_count = shadow->free_list = 0;
    shadow->since = since;
}

void fh_touched_free(struct fh_touched *shadow) {
    fh_number_map_clear(&shadow->pages, page_free);
    fh_touched_forget(shadow, 0);
    free(shadow->lists);
    *shadow = (struct fh_touched){0};
}

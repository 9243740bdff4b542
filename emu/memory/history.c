/*
 * history.c - saving pages before they change, taking versions and going to them.
 */
#include "history_tree.h"

#include "pages.h"

#include <stdlib.h>
#include <string.h>

/* ---------------------------------------------------------------- saving */

/* What is known of the allocation; NULL without host memory. */
static struct fh_followed *follow(struct fh_history *h, size_t number) {
    const size_t count = h->memory->count;
    if (number < h->followed_count)
        return &h->followed[number];
    if (!fh_grow(&h->followed, &h->followed_capacity, count, sizeof *h->followed))
        return NULL;
    memset(h->followed + h->followed_count, 0, (count - h->followed_count) * sizeof *h->followed);
    h->followed_count = count;
    return &h->followed[number];
}

/* Saves `held`, what the page held, in the open edge. */
static bool save(struct fh_history *h, size_t number, size_t page, const uint8_t *held) {
    struct fh_edge *open = &h->open;
    struct fh_followed *f = follow(h, number);
    const struct fh_allocation *a = &h->memory->list[number];
    if (f && !f->saved)
        f->saved = calloc(fh_page_count(a), sizeof *f->saved);
    if (!f || !f->saved || open->page_count == UINT32_MAX ||
        !fh_grow(&open->pages, &open->page_capacity, open->page_count + 1, sizeof *open->pages))
        return false;
    uint8_t *bytes = malloc(FH_PAGE);
    if (!bytes)
        return false;
    memcpy(bytes, held, fh_page_bytes(a, page));
    open->pages[open->page_count++] = (struct fh_saved_page){number, page, bytes};
    f->saved[page] = (uint32_t)open->page_count;
    return true;
}

/* The number in the open edge, from 1 on, of a page that is saved, else 0. */
static uint32_t saved_as(const struct fh_history *h, size_t number, size_t page) {
    const struct fh_followed *f = number < h->followed_count ? &h->followed[number] : NULL;
    return f && f->saved ? f->saved[page] : 0;
}

/* Whether nothing of the allocation is saved page by page: the base does not have it, or it is
 * mapped. */
static bool untracked(const struct fh_history *h, size_t number) {
    return number >= h->base->count || h->memory->list[number].mapped;
}

bool fh_history_page(struct fh_history *h, size_t number, size_t page) {
    if (untracked(h, number) || saved_as(h, number, page))
        return true;
    return save(h, number, page, h->memory->list[number].bytes + (page << FH_PAGE_SHIFT));
}

bool fh_history_range(struct fh_history *h, size_t number, uint64_t offset, uint64_t bytes) {
    if (!bytes)
        return true;
    const size_t last = (size_t)((offset + bytes - 1) >> FH_PAGE_SHIFT);
    for (size_t page = (size_t)(offset >> FH_PAGE_SHIFT); page <= last; page++)
        if (!fh_history_page(h, number, page))
            return false;
    return true;
}

void fh_history_begin_late(struct fh_history *h) {
    h->late = h->open.page_count;
}

bool fh_history_late(struct fh_history *h, size_t number, uint64_t offset, const void *held,
                     uint32_t bytes) {
    const size_t page = (size_t)(offset >> FH_PAGE_SHIFT);
    if (!fh_history_page(h, number, page))
        return false;
    const uint32_t as = untracked(h, number) ? 0 : saved_as(h, number, page);
    if (as > h->late) /* else it was saved before the first of these writes */
        memcpy(h->open.pages[as - 1].bytes + offset % FH_PAGE, held, bytes);
    return true;
}

/* The pages of the open edge from number `from` on count as not saved. */
static void unsave_pages(struct fh_history *h, size_t from) {
    for (size_t i = from; i < h->open.page_count; i++)
        h->followed[h->open.pages[i].number].saved[h->open.pages[i].page] = 0;
}

void fh_history_cancel_late(struct fh_history *h) {
    unsave_pages(h, h->late);
    while (h->open.page_count > h->late)
        free(h->open.pages[--h->open.page_count].bytes);
}

/* ---------------------------------------------------------------- mapped memory */

/* Saves what has changed since the last look at the allocation, which is mapped and live. */
static bool look_at(struct fh_history *h, size_t number) {
    const struct fh_allocation *a = &h->memory->list[number];
    for (size_t page = 0; a->copy && page < fh_page_count(a); page++) {
        const size_t at = page << FH_PAGE_SHIFT, bytes = fh_page_bytes(a, page);
        if (memcmp(a->copy + at, a->bytes + at, bytes) == 0)
            continue;
        if (number < h->base->count && !saved_as(h, number, page) &&
            !save(h, number, page, a->copy + at))
            return false;
        memcpy(a->copy + at, a->bytes + at, bytes);
    }
    return true;
}

bool fh_history_look_at_mapped(struct fh_history *h) {
    for (size_t i = 0; i < h->memory->count; i++)
        if (h->memory->list[i].mapped && h->memory->list[i].bytes && !look_at(h, i))
            return false;
    return true;
}

/* Copies of all mapped memory that has none yet. */
static bool copy_mapped(struct fh_history *h) {
    for (size_t i = 0; i < h->memory->count; i++) {
        struct fh_allocation *a = &h->memory->list[i];
        if (!a->mapped || !a->bytes || a->copy)
            continue;
        a->copy = malloc((size_t)a->size);
        if (!a->copy)
            return false;
        memcpy(a->copy, a->bytes, (size_t)a->size);
    }
    return true;
}

/* Mapped memory is in the list again: it has to be what it was when it left. */
static void come_back(const struct fh_allocation *a) {
    if (a->mapped && a->bytes)
        memcpy(a->bytes, a->copy, (size_t)a->size);
}

/* ---------------------------------------------------------------- entries of the list */

bool fh_history_entry(struct fh_history *h, size_t number, bool *owned) {
    const struct fh_allocation *a = &h->memory->list[number];
    struct fh_edge *open = &h->open;
    *owned = false;
    if (number >= h->base->count)
        return true;
    for (size_t i = 0; !a->bytes && i < open->entry_count; i++) /* it was released since the base */
        if (open->entries[i].number == number)
            return true;
    if ((a->mapped && a->bytes && !look_at(h, number)) ||
        !fh_grow(&open->entries, &open->entry_capacity, open->entry_count + 1,
                 sizeof *open->entries))
        return false;
    open->entries[open->entry_count++] = (struct fh_saved_entry){number, *a};
    *owned = true;
    return true;
}

/* ---------------------------------------------------------------- moving */

static void forget(struct fh_history *h, size_t number, fh_renumbered_fn *renumbered, void *user) {
    if (number < h->followed_count) {
        free(h->followed[number].saved);
        h->followed[number].saved = NULL;
    }
    renumbered(user, number);
}

/* Exchanges the saved pages with those of memory. */
static void swap_pages(struct fh_history *h, struct fh_edge *edge) {
    uint8_t held[FH_PAGE];
    for (size_t i = 0; i < edge->page_count; i++) {
        struct fh_saved_page *p = &edge->pages[i];
        const struct fh_allocation *a = &h->memory->list[p->number];
        uint8_t *const at = a->bytes + (p->page << FH_PAGE_SHIFT);
        const size_t bytes = fh_page_bytes(a, p->page);
        memcpy(held, at, bytes);
        memcpy(at, p->bytes, bytes);
        if (a->mapped)
            memcpy(a->copy + (p->page << FH_PAGE_SHIFT), at, bytes);
        memcpy(p->bytes, held, bytes);
    }
}

static void swap_entries(struct fh_history *h, struct fh_edge *edge, fh_renumbered_fn *renumbered,
                         void *user) {
    for (size_t i = 0; i < edge->entry_count; i++) {
        struct fh_saved_entry *e = &edge->entries[i];
        struct fh_allocation *a = &h->memory->list[e->number];
        const struct fh_allocation held = *a;
        *a = e->allocation;
        e->allocation = held;
        come_back(a);
        forget(h, e->number, renumbered, user);
    }
}

/* The rest of what a version is. */
static void set_numbers(struct fh_memory *memory, const struct fh_version *version) {
    memory->count = version->count;
    memory->next = version->next;
    memory->drawn = version->drawn;
}

/* From the version at the edge's lower end, which has `count` allocations, to `above`. */
static void move_up(struct fh_history *h, struct fh_edge *edge, size_t count,
                    const struct fh_version *above, fh_renumbered_fn *renumbered, void *user) {
    struct fh_memory *memory = h->memory;
    for (size_t i = above->count; i < count; i++) {
        edge->born[i - above->count] = memory->list[i];
        forget(h, i, renumbered, user);
    }
    swap_entries(h, edge, renumbered, user);
    swap_pages(h, edge);
    set_numbers(memory, above);
}

static void move_down(struct fh_history *h, struct fh_version *below, fh_renumbered_fn *renumbered,
                      void *user) {
    struct fh_memory *memory = h->memory;
    struct fh_edge *edge = &below->edge;
    swap_pages(h, edge);
    swap_entries(h, edge, renumbered, user);
    for (size_t i = memory->count; i < below->count; i++) {
        memory->list[i] = edge->born[i - memory->count];
        come_back(&memory->list[i]);
        forget(h, i, renumbered, user);
    }
    set_numbers(memory, below);
}

/* Undoes what has changed since the base. */
static void drop_open(struct fh_history *h, fh_renumbered_fn *renumbered, void *user) {
    struct fh_memory *memory = h->memory;
    unsave_pages(h, 0);
    for (size_t i = h->base->count; i < memory->count; i++) {
        fh_allocation_free(&memory->list[i]);
        forget(h, i, renumbered, user);
    }
    move_up(h, &h->open, h->base->count, h->base, renumbered, user);
    fh_edge_free(&h->open, 0);
}

static size_t depth(const struct fh_version *v) {
    size_t n = 0;
    while ((v = v->parent) != NULL)
        n++;
    return n;
}

struct fh_version *fh_history_way(struct fh_history *h, struct fh_version *version) {
    struct fh_version *from = h->base, *to = version;
    const size_t up = depth(from), down = depth(to);
    for (size_t i = up; i > down; i--)
        from = from->parent;
    for (size_t i = down; i > up; i--, to = to->parent)
        to->parent->below = to;
    for (; from != to; from = from->parent, to = to->parent)
        to->parent->below = to;
    return to;
}

/* ---------------------------------------------------------------- the tree */

static void unlink_version(struct fh_version *v) {
    struct fh_version **at = &v->parent->child;
    while (*at != v)
        at = &(*at)->sibling;
    *at = v->sibling;
}

/* Whether memory stands at `v` or below it. */
static bool holds_memory(const struct fh_history *h, const struct fh_version *v) {
    const struct fh_version *at = h->base;
    while (at && at != v)
        at = at->parent;
    return at != NULL;
}

/* Takes versions out of the tree that nobody asks for any more, from `v` upwards. */
static void prune(struct fh_history *h, struct fh_version *v) {
    while (v && !v->refs && v != h->base) {
        struct fh_version *const parent = v->parent;
        if (!v->child) { /* not the root, which memory is at or below */
            unlink_version(v);
            fh_edge_free(&v->edge, v->count - parent->count);
            free(v);
        } else if (!v->child->sibling && parent) {
            (void)fh_version_merge(v, !holds_memory(h, v)); /* without memory it stays */
            return;
        } else if (!v->child->sibling) { /* nobody goes up to it: the child is the root now */
            h->root = v->child;
            h->root->parent = NULL;
            fh_edge_free(&h->root->edge, 0);
            free(v);
            return;
        } else {
            return;
        }
        v = parent;
    }
}

/* ---------------------------------------------------------------- versions */

/* Without host memory the history, if it was new, is to be ended. */
static struct fh_version *new_version(struct fh_memory *memory, const struct fh_version *above) {
    struct fh_version *v = calloc(1, sizeof *v);
    const size_t born = above ? memory->count - above->count : 0;
    if (v && born && !(v->edge.born = malloc(born * sizeof *v->edge.born))) {
        free(v);
        return NULL;
    }
    if (v) {
        v->count = memory->count;
        v->next = memory->next;
        v->drawn = memory->drawn;
    }
    return v;
}

static struct fh_version *first_version(struct fh_memory *memory) {
    struct fh_history *h = calloc(1, sizeof *h);
    struct fh_version *v = h ? new_version(memory, NULL) : NULL;
    if (!v) {
        free(h);
        return NULL;
    }
    h->memory = memory;
    h->root = h->base = v;
    memory->history = h;
    if (copy_mapped(h)) {
        v->refs = h->taken = 1;
        return v;
    }
    fh_history_end(memory);
    return NULL;
}

static bool is_changed(const struct fh_history *h) {
    const struct fh_memory *memory = h->memory;
    return h->open.page_count || h->open.entry_count || memory->count != h->base->count ||
           memory->next != h->base->next || memory->drawn != h->base->drawn;
}

struct fh_version *fh_history_take(struct fh_memory *memory) {
    struct fh_history *h = memory->history;
    if (!h)
        return first_version(memory);
    if (!fh_history_look_at_mapped(h) || !copy_mapped(h))
        return NULL;
    struct fh_version *old = h->base, *v = old;
    if (is_changed(h)) {
        v = new_version(memory, old);
        if (!v)
            return NULL;
        unsave_pages(h, 0);
        struct fh_allocation *const born = v->edge.born;
        v->edge = h->open;
        v->edge.born = born;
        h->open = (struct fh_edge){0};
        v->parent = old;
        v->sibling = old->child;
        old->child = v;
        h->base = v;
    }
    v->refs++;
    h->taken++;
    prune(h, old);
    return v;
}

bool fh_history_restore(struct fh_memory *memory, struct fh_version *version,
                        fh_renumbered_fn *renumbered, void *user) {
    struct fh_history *h = memory->history;
    struct fh_version *const old = h->base;
    if (!fh_history_look_at_mapped(h))
        return false;
    drop_open(h, renumbered, user);
    struct fh_version *const top = fh_history_way(h, version);
    while (h->base != top) {
        struct fh_version *const v = h->base;
        move_up(h, &v->edge, v->count, v->parent, renumbered, user);
        h->base = v->parent;
    }
    while (h->base != version) {
        h->base = h->base->below;
        move_down(h, h->base, renumbered, user);
    }
    fh_allocations_sort(memory);
    prune(h, old);
    return true;
}

void fh_version_free(struct fh_memory *memory, struct fh_version *version) {
    struct fh_history *h = memory->history;
    version->refs--;
    h->taken--;
    if (h->taken)
        prune(h, version);
    else
        fh_history_end(memory);
}

/* Frees the versions from `v` down. Memory is at one of them, or above all. */
static void free_tree(struct fh_history *h, struct fh_version *v) {
    while (v) { /* always a leaf */
        while (v->child)
            v = v->child;
        struct fh_version *const parent = v->parent;
        const bool above = parent && !holds_memory(h, v);
        if (parent)
            unlink_version(v);
        if (v == h->base) /* memory is still below the parent */
            h->base = parent;
        fh_edge_free(&v->edge, above ? v->count - parent->count : 0);
        free(v);
        v = parent;
    }
}

void fh_history_end(struct fh_memory *memory) {
    struct fh_history *h = memory->history;
    if (!h)
        return;
    free_tree(h, h->root);
    fh_edge_free(&h->open, 0);
    for (size_t i = 0; i < h->followed_count; i++)
        free(h->followed[i].saved);
    for (size_t i = 0; i < memory->count; i++) {
        free(memory->list[i].copy);
        memory->list[i].copy = NULL;
    }
    free(h->followed);
    free(h);
    memory->history = NULL;
}

static uint64_t edge_bytes(const struct fh_edge *edge) {
    uint64_t bytes = (uint64_t)edge->page_count * FH_PAGE;
    for (size_t i = 0; i < edge->entry_count; i++)
        bytes += edge->entries[i].allocation.size;
    return bytes;
}

/* Of the edges of a version and of all below it. */
static uint64_t tree_bytes(const struct fh_version *version) {
    uint64_t bytes = 0;
    for (; version; version = version->sibling)
        bytes += edge_bytes(&version->edge) + tree_bytes(version->child);
    return bytes;
}

uint64_t fh_history_bytes(const struct fh_history *history) {
    return edge_bytes(&history->open) + tree_bytes(history->root);
}

/*
 * history_compare.c - see history_compare.h.
 *
 * What a version holds is found by walking from memory to it along the tree: the list of
 * allocations changes with every edge, and of a page that several edges hold, the last one's is
 * right. A page that no edge holds is as in memory.
 */
#include "history_compare.h"

#include "history_tree.h"

#include <stdlib.h>
#include <string.h>

/* A page that is not in memory, or not as it is there. */
struct page {
    size_t number, page;
    size_t order; /* of two for one page the later one is right */
    const uint8_t *bytes;
};

/* What a version holds. */
struct content {
    struct fh_allocation *list;
    size_t count, capacity;
    struct page *pages; /* by number and page, one for each */
    size_t page_count, page_capacity, added;
    bool failed;
};

static void content_free(struct content *c) {
    free(c->list);
    free(c->pages);
}

static void add_pages(struct content *c, const struct fh_edge *edge) {
    if (!fh_grow(&c->pages, &c->page_capacity, c->page_count + edge->page_count, sizeof *c->pages))
        c->failed = true;
    for (size_t i = 0; i < edge->page_count && !c->failed; i++) {
        const struct fh_saved_page *p = &edge->pages[i];
        c->pages[c->page_count] = (struct page){p->number, p->page, c->added++, p->bytes};
        c->page_count++;
    }
}

static void set_entries(struct content *c, const struct fh_edge *edge) {
    for (size_t i = 0; i < edge->entry_count; i++)
        c->list[edge->entries[i].number] = edge->entries[i].allocation;
}

/* Crosses an edge upwards, to a version with `count` allocations: what is known of others goes,
 * since on another branch their numbers stand for something else. */
static void go_up(struct content *c, const struct fh_edge *edge, size_t count) {
    size_t kept = 0;
    for (size_t i = 0; i < c->page_count && count < c->count; i++)
        if (c->pages[i].number < count)
            c->pages[kept++] = c->pages[i];
    c->page_count = count < c->count ? kept : c->page_count;
    c->count = count;
    set_entries(c, edge);
    add_pages(c, edge);
}

static void go_down(struct content *c, const struct fh_version *below) {
    const struct fh_edge *edge = &below->edge;
    add_pages(c, edge);
    set_entries(c, edge);
    if (!fh_grow(&c->list, &c->capacity, below->count, sizeof *c->list)) {
        c->failed = true;
        return;
    }
    for (size_t i = c->count; i < below->count; i++)
        c->list[i] = edge->born[i - c->count];
    c->count = below->count;
}

static int by_page(const void *a, const void *b) {
    const struct page *x = a, *y = b;
    if (x->number != y->number)
        return x->number > y->number ? 1 : -1;
    if (x->page != y->page)
        return x->page > y->page ? 1 : -1;
    return (x->order < y->order) - (x->order > y->order);
}

/* Of several entries for one page only the first, which is the right one. */
static void keep_right_ones(struct content *c) {
    size_t kept = 0;
    if (c->page_count)
        qsort(c->pages, c->page_count, sizeof *c->pages, by_page);
    for (size_t i = 0; i < c->page_count; i++)
        if (!kept || c->pages[i].number != c->pages[kept - 1].number ||
            c->pages[i].page != c->pages[kept - 1].page)
            c->pages[kept++] = c->pages[i];
    c->page_count = kept;
}

/* Mapped memory that is not in the list, as it is in the version, is in its copy only; the copies
 * of all other mapped memory are right, too. */
static void use_copies(struct content *c) {
    for (size_t i = 0; i < c->count; i++)
        if (c->list[i].mapped && c->list[i].bytes && c->list[i].copy)
            c->list[i].bytes = c->list[i].copy;
}

static struct content content_of(struct fh_memory *memory, struct fh_version *version) {
    struct content c = {.count = memory->count};
    struct fh_history *h = memory->history;
    if (!fh_grow(&c.list, &c.capacity, c.count + 1, sizeof *c.list)) {
        c.failed = true;
        return c;
    }
    if (c.count)
        memcpy(c.list, memory->list, c.count * sizeof *c.list);
    if (version) {
        struct fh_version *const top = fh_history_way(h, version), *v = h->base;
        go_up(&c, &h->open, v->count);
        for (; v != top; v = v->parent)
            go_up(&c, &v->edge, v->parent->count);
        while (v != version && !c.failed) {
            v = v->below;
            go_down(&c, v);
        }
        keep_right_ones(&c);
    }
    use_copies(&c);
    return c;
}

/* ---------------------------------------------------------------- comparing */

struct comparison {
    struct content a, b;
    size_t at_a, at_b; /* in the pages */
    fh_memory_difference_fn *tell;
    void *user;
};

/* The page as the content has it, if it is not before one that was asked for. */
static const uint8_t *page_of(const struct content *c, size_t *at, size_t number, size_t page) {
    while (*at < c->page_count && (c->pages[*at].number < number ||
                                   (c->pages[*at].number == number && c->pages[*at].page < page)))
        ++*at;
    const struct page *p = *at < c->page_count ? &c->pages[*at] : NULL;
    return p && p->number == number && p->page == page
               ? p->bytes
               : c->list[number].bytes + (page << FH_PAGE_SHIFT);
}

/* The next page of the allocation, from `page` on, for which one of them has an entry. */
static size_t next_page(const struct comparison *k, size_t number, size_t page, size_t count) {
    const struct content *const both[] = {&k->a, &k->b};
    const size_t at[] = {k->at_a, k->at_b};
    size_t next = count;
    for (int i = 0; i < 2; i++)
        for (size_t j = at[i]; j < both[i]->page_count; j++) {
            const struct page *p = &both[i]->pages[j];
            if (p->number < number || (p->number == number && p->page < page))
                continue;
            if (p->number == number && p->page < next)
                next = p->page;
            break;
        }
    return next;
}

/* Tells runs of words that differ. */
static bool compare_page(const struct comparison *k, struct fh_memory_difference d,
                         const uint8_t *x, const uint8_t *y, size_t bytes) {
    const uint64_t begin = d.offset;
    for (size_t at = 0; at < bytes; at += 4) {
        const size_t word = bytes - at < 4 ? bytes - at : 4;
        if (memcmp(x + at, y + at, word) == 0)
            continue;
        size_t end = at + word;
        while (end < bytes && memcmp(x + end, y + end, bytes - end < 4 ? bytes - end : 4) != 0)
            end += bytes - end < 4 ? bytes - end : 4;
        d.offset = begin + at;
        d.x = x + at;
        d.y = y + at;
        d.bytes = end - at;
        if (!k->tell(k->user, &d))
            return false;
        at = end - word; /* is a word before the next one to look at */
    }
    return true;
}

/* The allocation of one number in both, which is the same one and live. */
static bool compare_bytes(struct comparison *k, size_t number) {
    struct fh_memory_difference d = {
        .number = number, .a = &k->a.list[number], .b = &k->b.list[number]};
    const size_t count = fh_page_count(d.a);
    const bool all = d.a->bytes != d.b->bytes; /* of two branches: nothing else is known */
    for (size_t page = 0; page < count; page++) {
        page = all ? page : next_page(k, number, page, count);
        if (page == count)
            break;
        const uint8_t *x = page_of(&k->a, &k->at_a, number, page);
        const uint8_t *y = page_of(&k->b, &k->at_b, number, page);
        d.offset = (uint64_t)page << FH_PAGE_SHIFT;
        if (x != y && !compare_page(k, d, x, y, fh_page_bytes(d.a, page)))
            return false;
    }
    return true;
}

static bool same_allocation(const struct fh_allocation *a, const struct fh_allocation *b) {
    return a->base == b->base && a->size == b->size && a->read_only == b->read_only &&
           a->mapped == b->mapped && strcmp(a->name, b->name) == 0;
}

static bool compare_number(struct comparison *k, size_t number) {
    const struct fh_allocation *a = number < k->a.count ? &k->a.list[number] : NULL;
    const struct fh_allocation *b = number < k->b.count ? &k->b.list[number] : NULL;
    struct fh_memory_difference d = {.number = number, .a = a, .b = b};
    if (a && b && same_allocation(a, b)) {
        if (!a->bytes && !b->bytes)
            return true;
        return a->bytes && b->bytes ? compare_bytes(k, number) : k->tell(k->user, &d);
    }
    d.b = NULL;
    if (a && !k->tell(k->user, &d))
        return false;
    d.a = NULL;
    d.b = b;
    return !b || k->tell(k->user, &d);
}

bool fh_history_compare(struct fh_memory *memory, struct fh_version *a, struct fh_version *b,
                        fh_memory_difference_fn *tell, void *user) {
    if (!fh_history_look_at_mapped(memory->history))
        return false;
    struct comparison k = {
        .a = content_of(memory, a), .b = content_of(memory, b), .tell = tell, .user = user};
    const bool failed = k.a.failed || k.b.failed;
    const size_t count = k.a.count > k.b.count ? k.a.count : k.b.count;
    for (size_t i = 0; i < count && !failed; i++)
        if (!compare_number(&k, i))
            break;
    content_free(&k.a);
    content_free(&k.b);
    return !failed;
}

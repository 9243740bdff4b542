/*
 * history_merge.c - two edges of the tree of versions as one, when nobody asks any more for the
 * version between them.
 *
 *     P --upper-- V --lower-- C           P -------- C
 *
 * With memory above, at P or beyond it, the edges hold what is at V and what is at C, and the new
 * one what is at C: of what both have, the lower one's. With memory below they hold P's and V's,
 * and the new one P's: of what both have, the upper one's. What only one of them has did not change
 * on the other.
 */
#include "history_tree.h"

#include <stdlib.h>
#include <string.h>

void fh_edge_free(struct fh_edge *edge, size_t born) {
    for (size_t i = 0; i < edge->page_count; i++)
        free(edge->pages[i].bytes);
    for (size_t i = 0; i < edge->entry_count; i++)
        fh_allocation_free(&edge->entries[i].allocation);
    for (size_t i = 0; i < born; i++)
        fh_allocation_free(&edge->born[i]);
    free(edge->pages);
    free(edge->entries);
    free(edge->born);
    *edge = (struct fh_edge){0};
}

static int by_page(const void *a, const void *b) {
    const struct fh_saved_page *x = a, *y = b;
    if (x->number != y->number)
        return x->number > y->number ? 1 : -1;
    return (x->page > y->page) - (x->page < y->page);
}

static int by_number(const void *a, const void *b) {
    const struct fh_saved_entry *x = a, *y = b;
    return (x->number > y->number) - (x->number < y->number);
}

/* The pages of both, which are sorted; of one that both have, the winner's. */
static void merge_pages(struct fh_edge *to, const struct fh_edge *winner,
                        const struct fh_edge *loser) {
    size_t i = 0, k = 0;
    while (i < winner->page_count || k < loser->page_count) {
        const struct fh_saved_page *w = i < winner->page_count ? &winner->pages[i] : NULL;
        const struct fh_saved_page *l = k < loser->page_count ? &loser->pages[k] : NULL;
        const int order = !w ? 1 : !l ? -1 : by_page(w, l);
        to->pages[to->page_count++] = order <= 0 ? *w : *l;
        if (order == 0)
            free(l->bytes);
        i += order <= 0;
        k += order >= 0;
    }
}

static void merge_entries(struct fh_edge *to, const struct fh_edge *winner,
                          const struct fh_edge *loser) {
    size_t i = 0, k = 0;
    while (i < winner->entry_count || k < loser->entry_count) {
        const struct fh_saved_entry *w = i < winner->entry_count ? &winner->entries[i] : NULL;
        const struct fh_saved_entry *l = k < loser->entry_count ? &loser->entries[k] : NULL;
        const int order = !w ? 1 : !l ? -1 : by_number(w, l);
        to->entries[to->entry_count++] = order <= 0 ? *w : *l;
        if (order == 0)
            fh_allocation_free(&l->allocation);
        i += order <= 0;
        k += order >= 0;
    }
}

/* Of the lower edge, what is about allocations that P does not have, from number `count` on: they
 * are born on the new edge. With memory above, the upper edge's `born` become what C has of them.
 */
static void settle_born(struct fh_edge *upper, struct fh_edge *lower, size_t count,
                        bool memory_above) {
    size_t kept = 0;
    for (size_t i = 0; i < lower->page_count; i++) {
        const struct fh_saved_page p = lower->pages[i];
        if (p.number < count) {
            lower->pages[kept++] = p;
            continue;
        }
        const struct fh_allocation *a = memory_above ? &upper->born[p.number - count] : NULL;
        if (a) /* mapped memory that is not in the list is in its copy only */
            memcpy((a->mapped ? a->copy : a->bytes) + (p.page << FH_PAGE_SHIFT), p.bytes,
                   fh_page_bytes(a, p.page));
        free(p.bytes);
    }
    lower->page_count = kept;
    kept = 0;
    for (size_t i = 0; i < lower->entry_count; i++) {
        const struct fh_saved_entry e = lower->entries[i];
        if (e.number < count) {
            lower->entries[kept++] = e;
            continue;
        }
        struct fh_allocation gone = e.allocation;
        if (memory_above) {
            gone = upper->born[e.number - count];
            upper->born[e.number - count] = e.allocation;
        }
        fh_allocation_free(&gone);
    }
    lower->entry_count = kept;
}

static bool make_arrays(struct fh_edge *edge, size_t pages, size_t entries, size_t born) {
    *edge = (struct fh_edge){.page_capacity = pages + 1, .entry_capacity = entries + 1};
    edge->pages = malloc((pages + 1) * sizeof *edge->pages);
    edge->entries = malloc((entries + 1) * sizeof *edge->entries);
    edge->born = malloc((born + 1) * sizeof *edge->born);
    if (edge->pages && edge->entries && edge->born)
        return true;
    fh_edge_free(edge, 0);
    return false;
}

/* The child takes the version's place in the tree. */
static void replace(struct fh_version *version, struct fh_version *child) {
    struct fh_version **at = &version->parent->child;
    while (*at != version)
        at = &(*at)->sibling;
    *at = child;
    child->sibling = version->sibling;
    child->parent = version->parent;
    free(version);
}

bool fh_version_merge(struct fh_version *version, bool memory_above) {
    struct fh_version *const child = version->child;
    struct fh_edge *const upper = &version->edge, *const lower = &child->edge;
    const size_t count = version->parent->count;
    struct fh_edge merged;
    if (!make_arrays(&merged, upper->page_count + lower->page_count,
                     upper->entry_count + lower->entry_count, child->count - count))
        return false;
    settle_born(upper, lower, count, memory_above);
    struct fh_edge *const winner = memory_above ? lower : upper;
    struct fh_edge *const loser = memory_above ? upper : lower;
    struct fh_edge *const both[] = {upper, lower};
    for (int i = 0; i < 2; i++) {
        if (both[i]->page_count)
            qsort(both[i]->pages, both[i]->page_count, sizeof *both[i]->pages, by_page);
        if (both[i]->entry_count)
            qsort(both[i]->entries, both[i]->entry_count, sizeof *both[i]->entries, by_number);
    }
    merge_pages(&merged, winner, loser);
    merge_entries(&merged, winner, loser);
    const size_t at_version = version->count - count;
    for (size_t i = 0; memory_above && i < at_version; i++)
        merged.born[i] = upper->born[i];
    for (size_t i = at_version; memory_above && i < child->count - count; i++)
        merged.born[i] = lower->born[i - at_version];
    for (int i = 0; i < 2; i++) { /* what they held is elsewhere */
        both[i]->page_count = both[i]->entry_count = 0;
        fh_edge_free(both[i], 0);
    }
    child->edge = merged;
    replace(version, child);
    return true;
}

/*
 * history_tree.h - the structures of history.h, for the files that implement it.
 */
#ifndef FH_HISTORY_TREE_H
#define FH_HISTORY_TREE_H

#include "history.h"

/* A page of an allocation. The last one of an allocation may have fewer bytes. */
struct fh_saved_page {
    size_t number, page;
    uint8_t *bytes; /* FH_PAGE of them */
};

struct fh_saved_entry {
    size_t number;
    struct fh_allocation allocation; /* whose bytes are the edge's */
};

/* What differs between a version and the one above it, as it is at the end away from memory. Pages
 * are of allocations that exist at the upper end. */
struct fh_edge {
    struct fh_saved_page *pages;
    size_t page_count, page_capacity;
    struct fh_saved_entry *entries;
    size_t entry_count, entry_capacity;
    /* Allocations that the upper end does not have: with memory above, what the lower one has.
     * There is always room for them. */
    struct fh_allocation *born;
};

struct fh_version {
    struct fh_version *parent, *child, *sibling; /* its first child, and the parent's next one */
    struct fh_edge edge;                         /* to the parent */
    size_t refs;                                 /* how often it was taken and not freed */
    size_t count;                                /* of allocations, and where the next one goes */
    uint64_t next, drawn;
    struct fh_version *below; /* on the way to a version: the next one */
};

/* What the history knows of an allocation. */
struct fh_followed {
    uint32_t *saved; /* for each page: its number in the open edge, from 1 on; 0: it has not been
                        saved. NULL: none has */
};

struct fh_history {
    struct fh_memory *memory;
    struct fh_version *root, *base;
    struct fh_edge open;
    size_t taken; /* the sum of all refs */
    size_t late;  /* pages of the open edge before fh_history_begin_late */
    struct fh_followed *followed;
    size_t followed_count, followed_capacity;
};

/* Bytes of the page that belong to the allocation. */
static inline size_t fh_page_bytes(const struct fh_allocation *a, size_t page) {
    const uint64_t left = a->size - ((uint64_t)page << FH_PAGE_SHIFT);
    return left < FH_PAGE ? (size_t)left : FH_PAGE;
}

static inline size_t fh_page_count(const struct fh_allocation *a) {
    return (size_t)((a->size + FH_PAGE - 1) >> FH_PAGE_SHIFT);
}

/* Frees what the edge holds, `born` allocations among it: all that the upper end does not have, if
 * memory stands above, else none. */
void fh_edge_free(struct fh_edge *edge, size_t born);
/* Takes `version`, which has a parent, one child and no user, out of the tree: what its edge and
 * the child's hold becomes the child's. `memory_above`: memory stands above both. False without
 * host memory; then nothing has changed. */
bool fh_version_merge(struct fh_version *version, bool memory_above);

/* Puts what mapped memory no longer holds into the open edge. False without host memory. */
bool fh_history_look_at_mapped(struct fh_history *history);
/* Marks the way from the base to the version: returns where it turns down, from which on `below`
 * leads to the version. */
struct fh_version *fh_history_way(struct fh_history *history, struct fh_version *version);

#endif

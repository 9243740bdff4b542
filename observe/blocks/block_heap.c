/*
 * block_heap.c - see block_heap.h.
 */
#include "block_heap.h"

#include <stdlib.h>

#include "trace_bytes.h"

static bool less(struct fh_block_heap_entry a, struct fh_block_heap_entry b) {
    return a.key < b.key || (!(b.key < a.key) && a.index < b.index);
}

bool fh_block_heap_push(struct fh_block_heap *h, double key, size_t index) {
    const struct fh_block_heap_entry e = {key, index};
    if (!fh_trace_room(&h->entries, &h->room, h->count + 1, sizeof *h->entries))
        return false;
    size_t at = h->count++;
    for (; at && less(e, h->entries[(at - 1) / 2]); at = (at - 1) / 2)
        h->entries[at] = h->entries[(at - 1) / 2];
    h->entries[at] = e;
    return true;
}

size_t fh_block_heap_pop(struct fh_block_heap *h) {
    const struct fh_block_heap_entry top = h->entries[0], last = h->entries[--h->count];
    size_t at = 0;
    for (size_t child; (child = 2 * at + 1) < h->count; at = child) {
        child += child + 1 < h->count && less(h->entries[child + 1], h->entries[child]);
        if (!less(h->entries[child], last))
            break;
        h->entries[at] = h->entries[child];
    }
    h->entries[at] = last;
    return top.index;
}

void fh_block_heap_free(struct fh_block_heap *h) {
    free(h->entries);
    *h = (struct fh_block_heap){0};
}

/*
 * block_heap.h - a heap of indices by keys: the least key first, of equal ones the lowest index.
 */
#ifndef FH_BLOCK_HEAP_H
#define FH_BLOCK_HEAP_H

#include <stdbool.h>
#include <stddef.h>

struct fh_block_heap {
    struct fh_block_heap_entry {
        double key;
        size_t index;
    } * entries;
    size_t count, room;
};

/* False: no host memory. */
bool fh_block_heap_push(struct fh_block_heap *heap, double key, size_t index);
/* Takes the first one, which is there. */
size_t fh_block_heap_pop(struct fh_block_heap *heap);
void fh_block_heap_free(struct fh_block_heap *heap);

#endif

/*
 * arena.h - memory that lives as long as one run of the assembler, and arrays that grow.
 *
 * Source text, symbols, expansions and messages are allocated here and freed together. What the
 * program keeps is not: that is plain malloc (program.h).
 */
#ifndef FH_ARENA_H
#define FH_ARENA_H

#include <stdbool.h>
#include <stddef.h>

struct fh_chunk;

struct fh_arena {
    struct fh_chunk *chunks;
    char *next;
    size_t left;
};

/* `size` bytes aligned to 16, not cleared; NULL when there is no memory. */
void *fh_arena_alloc(struct fh_arena *arena, size_t size);
void fh_arena_free(struct fh_arena *arena);

/* Makes room for `count` elements of `size` bytes in the malloc'd array *array of *capacity
 * elements, at least doubling it. On false (no memory) the array is as before. */
bool fh_grow(void *array, size_t *capacity, size_t count, size_t size);

#endif

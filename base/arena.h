/*
 * arena.h - memory for many small things that are freed together.
 *
 * What one run of the assembler makes, source text, symbols, expansions and messages, lives as long
 * as the run and is allocated here. What outlives it is plain malloc.
 */
#ifndef FH_ARENA_H
#define FH_ARENA_H

#include "array.h"

struct fh_chunk;

struct fh_arena {
    struct fh_chunk *chunks;
    char *next;
    size_t left;
    size_t chunk_bytes; /* of the chunk that `next` is in; 0 before the first one */
};

/* `size` bytes aligned to 16, not cleared; NULL when there is no memory. */
void *fh_arena_alloc(struct fh_arena *arena, size_t size);
void fh_arena_free(struct fh_arena *arena);

#endif

/* arena.c - see arena.h. */
#include "arena.h"

#include "large_pages.h"
#include "size.h"

#include <stdlib.h>

/* A chunk is twice as large as the one before it, so that much is in large pages. */
enum { LEAST = 1 << 16, MOST = 1 << 22, ALIGNMENT = 16 };

/* Under a sanitizer every allocation is a block of its own, so that what runs past one is seen and
 * tests can make each of them fail. */
#if defined(__SANITIZE_ADDRESS__)
#define FH_SINGLE_BLOCKS true
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define FH_SINGLE_BLOCKS true
#endif
#endif
#ifndef FH_SINGLE_BLOCKS
#define FH_SINGLE_BLOCKS false
#endif

struct fh_chunk {
    struct fh_chunk *before;
    _Alignas(ALIGNMENT) char bytes[];
};

void *fh_arena_alloc(struct fh_arena *arena, size_t size) {
    if (!fh_size_round_up(size, ALIGNMENT, &size))
        return NULL;
    if (size > arena->left || FH_SINGLE_BLOCKS) {
        bool large = FH_SINGLE_BLOCKS || size > LEAST / 4;
        const size_t twice = arena->chunk_bytes ? 2 * arena->chunk_bytes : LEAST;
        const size_t usual = twice < MOST ? twice : MOST;
        size_t whole, bytes = large ? size : usual - sizeof(struct fh_chunk);
        if (!fh_size_plus(bytes, sizeof(struct fh_chunk), &whole))
            return NULL;
        struct fh_chunk *chunk = fh_large_alloc(whole);
        if (!chunk)
            return NULL;
        chunk->before = arena->chunks;
        arena->chunks = chunk;
        if (large) /* has a chunk of its own; the current one goes on */
            return chunk->bytes;
        arena->next = chunk->bytes;
        arena->left = bytes;
        arena->chunk_bytes = usual;
    }
    void *p = arena->next;
    arena->next += size;
    arena->left -= size;
    return p;
}

void fh_arena_free(struct fh_arena *arena) {
    for (struct fh_chunk *chunk = arena->chunks, *before; chunk; chunk = before) {
        before = chunk->before;
        free(chunk);
    }
    *arena = (struct fh_arena){0};
}

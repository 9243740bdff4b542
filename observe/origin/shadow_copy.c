/*
 * shadow_copy.c - copies of shadows, for those who come back to a time (shadow.h).
 */
#include <stdlib.h>
#include <string.h>

#include "shadow.h"

static struct fh_block_shadow *copy_block(struct fh_shadows *to, const struct fh_block_shadow *b,
                                          uint64_t *bytes) {
    struct fh_block_shadow *c = calloc(1, sizeof *c);
    if (!c)
        return NULL;
    memcpy(c->block, b->block, sizeof c->block);
    c->next = to->blocks;
    to->blocks = c;
    c->shared = b->words ? malloc(b->words * sizeof *c->shared) : NULL;
    c->bytes = b->words && b->bytes ? malloc(b->words * sizeof *c->bytes) : NULL;
    if ((b->words && !c->shared) || (b->words && b->bytes && !c->bytes))
        return NULL;
    c->words = b->words;
    if (c->shared)
        memcpy(c->shared, b->shared, b->words * sizeof *c->shared);
    if (c->bytes)
        memcpy(c->bytes, b->bytes, b->words * sizeof *c->bytes);
    *bytes += sizeof *c + b->words * (sizeof *c->shared + (b->bytes ? sizeof *c->bytes : 0));
    return c;
}

static bool copy_local(struct fh_warp_shadow *c, const struct fh_warp_shadow *w, uint64_t *bytes) {
    c->local = w->local_words ? calloc(w->local_words, sizeof *c->local) : NULL;
    if (w->local_words && !c->local)
        return false;
    c->local_words = w->local_words;
    for (size_t i = 0; i < w->local_words; i++) {
        if (!w->local[i])
            continue;
        c->local[i] = malloc(sizeof *c->local[i]);
        if (!c->local[i])
            return false;
        memcpy(c->local[i], w->local[i], sizeof *c->local[i]);
        *bytes += sizeof *c->local[i];
    }
    return true;
}

static bool copy_warp(struct fh_shadows *to, const struct fh_warp_shadow *w, uint64_t *bytes) {
    struct fh_warp_shadow *c = malloc(sizeof *c);
    if (!c)
        return false;
    *c = *w;
    c->bytes = NULL;
    c->local = NULL;
    c->local_words = 0;
    c->next = to->warps;
    to->warps = c;
    for (c->of = to->blocks; c->of && memcmp(c->of->block, w->block, sizeof w->block) != 0;)
        c->of = c->of->next;
    if (w->bytes) {
        c->bytes = malloc(FH_SHADOW_REGISTERS * sizeof *c->bytes);
        if (!c->bytes)
            return false;
        memcpy(c->bytes, w->bytes, FH_SHADOW_REGISTERS * sizeof *c->bytes);
        *bytes += FH_SHADOW_REGISTERS * sizeof *c->bytes;
    }
    *bytes += sizeof *c;
    return copy_local(c, w, bytes);
}

uint64_t fh_shadows_copy(struct fh_shadows *to, const struct fh_shadows *from) {
    uint64_t bytes = sizeof *to;
    bool fine = true;
    fh_shadows_free(to);
    *to = (struct fh_shadows){0};
    for (const struct fh_block_shadow *b = from->blocks; fine && b; b = b->next)
        fine = copy_block(to, b, &bytes);
    for (const struct fh_warp_shadow *w = from->warps; fine && w; w = w->next)
        fine = copy_warp(to, w, &bytes);
    if (fine)
        return bytes;
    fh_shadows_free(to);
    *to = (struct fh_shadows){0};
    return 0;
}

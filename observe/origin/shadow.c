/*
 * shadow.c - see shadow.h.
 */
#include "shadow.h"

#include <stdlib.h>
#include <string.h>

static const fh_origin mixed_word = (fh_origin)FH_ORIGIN_MIXED << FH_ORIGIN_KIND_SHIFT;

fh_origin fh_origin_of_bytes(const fh_origin_bytes bytes) {
    for (uint32_t i = 1; i < 4; i++)
        if (bytes[i] != fh_origin_byte(bytes[0], i))
            return mixed_word;
    return bytes[0];
}

/* ---------------------------------------------------------------- registers */

void fh_shadow_get_bytes(const struct fh_warp_shadow *w, uint32_t reg, uint32_t lane,
                         fh_origin_bytes bytes) {
    const fh_origin word = w->r[reg][lane];
    if (word == mixed_word && w->bytes)
        memcpy(bytes, w->bytes[reg][lane], sizeof(fh_origin_bytes));
    else
        for (uint32_t i = 0; i < 4; i++)
            bytes[i] = fh_origin_byte(word, i);
}

bool fh_shadow_set_bytes(struct fh_warp_shadow *w, uint32_t reg, uint32_t lane,
                         const fh_origin_bytes bytes) {
    w->r[reg][lane] = fh_origin_of_bytes(bytes);
    if (w->r[reg][lane] != mixed_word)
        return true;
    if (!w->bytes)
        w->bytes = malloc(FH_SHADOW_REGISTERS * sizeof *w->bytes);
    if (!w->bytes) {
        w->r[reg][lane] = 0;
        return false;
    }
    memcpy(w->bytes[reg][lane], bytes, sizeof(fh_origin_bytes));
    w->mixed[reg / 64] |= UINT64_C(1) << reg % 64;
    return true;
}

/* ---------------------------------------------------------------- memory */

void fh_shadow_shared_get(const struct fh_block_shadow *b, uint64_t offset, fh_origin_bytes bytes) {
    const uint64_t word = offset / 4;
    if (word >= b->words)
        memset(bytes, 0, sizeof(fh_origin_bytes));
    else if (b->shared[word] == mixed_word)
        memcpy(bytes, b->bytes[word], sizeof(fh_origin_bytes));
    else
        for (uint32_t i = 0; i < 4; i++)
            bytes[i] = fh_origin_byte(b->shared[word], i);
}

bool fh_shadow_shared_set(struct fh_block_shadow *b, uint64_t offset, const fh_origin_bytes bytes) {
    const uint64_t word = offset / 4;
    if (word >= b->words)
        return true;
    b->shared[word] = fh_origin_of_bytes(bytes);
    if (b->shared[word] != mixed_word)
        return true;
    if (!b->bytes)
        b->bytes = calloc(b->words, sizeof *b->bytes);
    if (!b->bytes) {
        b->shared[word] = 0;
        return false;
    }
    memcpy(b->bytes[word], bytes, sizeof(fh_origin_bytes));
    return true;
}

fh_origin fh_shadow_local_get(const struct fh_warp_shadow *w, uint64_t offset, uint32_t lane) {
    const uint64_t word = offset / 4;
    return word < w->local_words && w->local[word] ? (*w->local[word])[lane] : 0;
}

bool fh_shadow_local_set(struct fh_warp_shadow *w, uint64_t offset, uint32_t lane,
                         fh_origin origin) {
    const uint64_t word = offset / 4;
    if (word >= w->local_words) {
        const size_t words = (size_t)word + 64;
        fh_origin_row **local = realloc(w->local, words * sizeof *local);
        if (!local)
            return false;
        for (size_t i = w->local_words; i < words; i++)
            local[i] = NULL;
        w->local = local;
        w->local_words = words;
    }
    if (!w->local[word])
        w->local[word] = calloc(1, sizeof *w->local[word]);
    if (!w->local[word])
        return false;
    (*w->local[word])[lane] = origin;
    return true;
}

/* ---------------------------------------------------------------- warps and blocks */

static bool same_block(const uint32_t a[3], const uint32_t b[3]) {
    return a[0] == b[0] && a[1] == b[1] && a[2] == b[2];
}

struct fh_warp_shadow *fh_shadow_find_warp(const struct fh_shadows *s, const uint32_t block[3],
                                           uint32_t warp) {
    for (struct fh_warp_shadow *w = s->warps; w; w = w->next)
        if (w->warp == warp && same_block(w->block, block))
            return w;
    return NULL;
}

static struct fh_block_shadow *block_of(struct fh_shadows *s, const fhec_event *event,
                                        const fhec_kernel_info *kernel) {
    for (struct fh_block_shadow *b = s->blocks; b; b = b->next)
        if (same_block(b->block, event->block))
            return b;
    struct fh_block_shadow *b = s->spare_blocks;
    if (b)
        s->spare_blocks = b->next;
    else
        b = calloc(1, sizeof *b);
    if (!b)
        return NULL;
    b->next = s->blocks;
    s->blocks = b;
    memcpy(b->block, event->block, sizeof b->block);
    const size_t words = ((size_t)kernel->shared_bytes + event->launch->dynamic_shared + 3) / 4;
    if (words > b->words) {
        free(b->shared);
        free(b->bytes);
        b->bytes = NULL;
        b->shared = malloc(words * sizeof *b->shared);
        b->words = b->shared ? words : 0;
    }
    if (b->words)
        memset(b->shared, 0, b->words * sizeof *b->shared);
    return words && !b->words ? NULL : b;
}

static void forget_local(struct fh_warp_shadow *w) {
    for (size_t i = 0; i < w->local_words; i++)
        free(w->local[i]);
    free((void *)w->local);
    w->local = NULL;
    w->local_words = 0;
}

static struct fh_warp_shadow *begin_warp(struct fh_shadows *s, const fhec_event *event) {
    fhec_kernel_info kernel;
    if (fhec_kernel_get(event->launch->program, event->launch->kernel, &kernel) != FHEC_OK)
        return NULL;
    struct fh_block_shadow *block = block_of(s, event, &kernel);
    struct fh_warp_shadow *w = s->spare_warps;
    if (!block)
        return NULL;
    if (w)
        s->spare_warps = w->next;
    else
        w = calloc(1, sizeof *w);
    if (!w)
        return NULL;
    const uint32_t used = kernel.registers < FH_SHADOW_ZERO ? kernel.registers : FH_SHADOW_ZERO;
    memset(w->r, 0, used * sizeof w->r[0]);
    memset(w->ur, 0, sizeof w->ur);
    memset(w->mixed, 0, sizeof w->mixed);
    memset(w->written, 0xff, sizeof w->written);
    for (uint32_t l = 0; l < FHEC_WARP_LANES; l++)
        w->r[FH_SHADOW_ZERO][l] = fh_origin_make(FH_ORIGIN_NUMBER, 0);
    memcpy(w->block, event->block, sizeof w->block);
    w->warp = event->warp;
    w->of = block;
    w->next = s->warps;
    s->warps = w;
    return w;
}

/* The one that was asked for last stays in front. */
struct fh_warp_shadow *fh_shadow_warp(struct fh_shadows *s, const fhec_event *event) {
    struct fh_warp_shadow *first = s->warps;
    if (first && first->warp == event->warp && same_block(first->block, event->block))
        return first;
    for (struct fh_warp_shadow **at = &s->warps; *at; at = &(*at)->next) {
        struct fh_warp_shadow *w = *at;
        if (w->warp != event->warp || !same_block(w->block, event->block))
            continue;
        *at = w->next;
        w->next = s->warps;
        s->warps = w;
        return w;
    }
    return begin_warp(s, event);
}

void fh_shadow_warp_ends(struct fh_shadows *s, const fhec_event *event) {
    for (struct fh_warp_shadow **at = &s->warps; *at; at = &(*at)->next) {
        struct fh_warp_shadow *w = *at;
        if (w->warp != event->warp || !same_block(w->block, event->block))
            continue;
        *at = w->next;
        forget_local(w);
        w->next = s->spare_warps;
        s->spare_warps = w;
        return;
    }
}

void fh_shadow_block_ends(struct fh_shadows *s, const fhec_event *event) {
    for (struct fh_block_shadow **at = &s->blocks; *at; at = &(*at)->next) {
        struct fh_block_shadow *b = *at;
        if (!same_block(b->block, event->block))
            continue;
        *at = b->next;
        b->next = s->spare_blocks;
        s->spare_blocks = b;
        return;
    }
}

void fh_shadows_clear(struct fh_shadows *s) {
    while (s->warps) {
        struct fh_warp_shadow *w = s->warps;
        s->warps = w->next;
        forget_local(w);
        w->next = s->spare_warps;
        s->spare_warps = w;
    }
    while (s->blocks) {
        struct fh_block_shadow *b = s->blocks;
        s->blocks = b->next;
        b->next = s->spare_blocks;
        s->spare_blocks = b;
    }
}

void fh_shadows_free(struct fh_shadows *s) {
    fh_shadows_clear(s);
    while (s->spare_warps) {
        struct fh_warp_shadow *w = s->spare_warps;
        s->spare_warps = w->next;
        free(w->bytes);
        free(w);
    }
    while (s->spare_blocks) {
        struct fh_block_shadow *b = s->spare_blocks;
        s->spare_blocks = b->next;
        free(b->shared);
        free(b->bytes);
        free(b);
    }
}

/* symbol.c - see symbol.h. */
#include "symbol.h"

#include <stdlib.h>
#include <string.h>

static inline uint64_t load(const char *p, size_t bytes) {
    uint64_t w = 0;
    memcpy(&w, p, bytes);
    return w;
}

/* Eight bytes at a time, since a name is looked up for every word of a source; the tables hold what
 * one source file defines, so nothing stronger is needed. The order of symbols in a table follows
 * from it, differs between hosts, and means nothing. */
static uint32_t hash(const char *name, size_t length) {
    static const uint64_t odd = 0x9e3779b97f4a7c15; /* 2^64 over the golden ratio */
    uint64_t h = length;
    for (; length > 8; name += 8, length -= 8) {
        h = (h ^ load(name, 8)) * odd;
        h ^= h >> 32;
    }
    if (length >= 4)
        h ^= load(name, 4) | load(name + length - 4, 4) << 32;
    else if (length)
        h ^= (uint64_t)(unsigned char)name[0] | (uint64_t)(unsigned char)name[length / 2] << 8 |
             (uint64_t)(unsigned char)name[length - 1] << 16;
    h *= odd;
    return (uint32_t)(h >> 32);
}

/* Names are short: calling memcmp takes longer. */
static inline bool same(const char *a, const char *b, size_t length) {
    while (length && a[length - 1] == b[length - 1])
        length--;
    return length == 0;
}

static struct fh_symbol **slot(const struct fh_table *t, const char *name, size_t length,
                               uint32_t h) {
    size_t mask = t->capacity - 1, i = h & mask;
    while (t->slots[i] && (t->slots[i]->hash != h || t->slots[i]->length != length ||
                           !same(t->slots[i]->name, name, length)))
        i = (i + 1) & mask;
    return &t->slots[i];
}

struct fh_symbol *fh_table_find(const struct fh_table *t, const char *name, size_t length) {
    return t->count ? *slot(t, name, length, hash(name, length)) : NULL;
}

struct fh_symbol *fh_table_find_in_two(const struct fh_table *first, const struct fh_table *second,
                                       const char *name, size_t length) {
    uint32_t h = hash(name, length);
    struct fh_symbol *s = first->count ? *slot(first, name, length, h) : NULL;
    return s || !second->count ? s : *slot(second, name, length, h);
}

struct fh_symbol *fh_table_add(struct fh_table *t, struct fh_arena *arena, const char *name,
                               size_t length) {
    if ((t->count + 1) * 2 > t->capacity) {
        size_t capacity = t->capacity ? t->capacity * 2 : 64;
        struct fh_table larger = {calloc(capacity, sizeof *larger.slots), capacity, t->count};
        if (!larger.slots)
            return NULL;
        for (size_t i = 0; i < t->capacity; i++) {
            struct fh_symbol *s = t->slots[i];
            if (s)
                *slot(&larger, s->name, s->length, s->hash) = s;
        }
        free(t->slots);
        *t = larger;
    }
    struct fh_symbol *s = fh_arena_alloc(arena, sizeof *s);
    if (!s)
        return NULL;
    *s = (struct fh_symbol){.name = name, .length = (uint32_t)length, .hash = hash(name, length)};
    *slot(t, name, length, s->hash) = s;
    t->count++;
    return s;
}

void fh_table_clear(struct fh_table *t) {
    if (t->capacity > 1024) { /* do not clear a large table for every small kernel */
        free(t->slots);
        *t = (struct fh_table){0};
    } else if (t->count) {
        memset(t->slots, 0, t->capacity * sizeof *t->slots);
        t->count = 0;
    }
}

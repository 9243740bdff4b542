/* symbol.c - see symbol.h. */
#include "symbol.h"

#include <stdlib.h>
#include <string.h>

/* FNV-1a; the tables hold what one source file defines, so a stronger one is not needed. */
static uint32_t hash(const char *name, size_t length) {
    uint32_t h = 2166136261u;
    for (size_t i = 0; i < length; i++)
        h = (h ^ (unsigned char)name[i]) * 16777619u;
    return h ^ h >> 15;
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

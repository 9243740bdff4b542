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

/* Where the symbol of that name is or would be. */
static size_t slot(const struct fh_table *t, const char *name, size_t length, uint32_t h) {
    size_t mask = t->capacity - 1, i = h & mask;
    while (t->slots[i] && (t->hashes[i] != h || t->slots[i]->length != length ||
                           !same(t->slots[i]->name, name, length)))
        i = (i + 1) & mask;
    return i;
}

/* Puts a symbol that is not there yet into a free slot. */
static void put(struct fh_table *t, struct fh_symbol *s, uint32_t h) {
    size_t mask = t->capacity - 1, i = h & mask;
    while (t->slots[i])
        i = (i + 1) & mask;
    t->slots[i] = s;
    t->hashes[i] = h;
}

static bool grow(struct fh_table *t) {
    const size_t capacity = t->capacity ? t->capacity * 2 : 64;
    struct fh_table larger = {.capacity = capacity, .count = t->count};
    larger.slots = calloc(capacity, sizeof *larger.slots + sizeof *larger.hashes);
    if (!larger.slots)
        return false;
    larger.hashes = (uint32_t *)(larger.slots + capacity);
    for (size_t i = 0; i < t->capacity; i++)
        if (t->slots[i])
            put(&larger, t->slots[i], t->hashes[i]);
    free(t->slots);
    *t = larger;
    return true;
}

struct fh_symbol *fh_table_find(const struct fh_table *t, const char *name, size_t length) {
    return t->count ? t->slots[slot(t, name, length, hash(name, length))] : NULL;
}

struct fh_symbol *fh_table_find_in_two(const struct fh_table *first, const struct fh_table *second,
                                       const char *name, size_t length) {
    uint32_t h = hash(name, length);
    struct fh_symbol *s = first->count ? first->slots[slot(first, name, length, h)] : NULL;
    return s || !second->count ? s : second->slots[slot(second, name, length, h)];
}

struct fh_symbol *fh_table_add(struct fh_table *t, struct fh_arena *arena, const char *name,
                               size_t length) {
    if ((t->count + 1) * 2 > t->capacity && !grow(t))
        return NULL;
    struct fh_symbol *s = fh_arena_alloc(arena, sizeof *s);
    if (!s)
        return NULL;
    *s = (struct fh_symbol){.name = name, .length = (uint32_t)length};
    put(t, s, hash(name, length));
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

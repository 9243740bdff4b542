/*
 * number_map.h - pointers by number: a hash table with open addressing.
 */
#ifndef FH_NUMBER_MAP_H
#define FH_NUMBER_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct fh_number_slot {
    uint64_t number;
    void *value; /* NULL: the slot is free */
};

/* All zero: empty. */
struct fh_number_map {
    struct fh_number_slot *slots;
    size_t capacity, count; /* capacity: a power of two, or 0 */
};

/* NULL if there is none. */
void *fh_number_map_get(const struct fh_number_map *map, uint64_t number);
/* `value` is not NULL; the number must not be there. False without host memory. */
bool fh_number_map_put(struct fh_number_map *map, uint64_t number, void *value);
/* Takes one out; NULL if there is none. */
void *fh_number_map_take(struct fh_number_map *map, uint64_t number);
/* Frees the table and, with `release`, what is in it. */
void fh_number_map_clear(struct fh_number_map *map, void (*release)(void *value));

#endif

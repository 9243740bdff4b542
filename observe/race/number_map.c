/*
 * number_map.c - see number_map.h.
 */
#include "number_map.h"

#include <stdlib.h>

static size_t first_slot(const struct fh_number_map *map, uint64_t number) {
    const uint64_t mixed = number * UINT64_C(0x9e3779b97f4a7c15);
    return (size_t)(mixed >> 32) & (map->capacity - 1);
}

void *fh_number_map_get(const struct fh_number_map *map, uint64_t number) {
    if (!map->capacity)
        return NULL;
    for (size_t i = first_slot(map, number);; i = (i + 1) & (map->capacity - 1))
        if (!map->slots[i].value || map->slots[i].number == number)
            return map->slots[i].value;
}

static void place_number(struct fh_number_map *map, uint64_t number, void *value) {
    size_t i = first_slot(map, number);
    while (map->slots[i].value)
        i = (i + 1) & (map->capacity - 1);
    map->slots[i] = (struct fh_number_slot){number, value};
    map->count++;
}

static bool grow_map(struct fh_number_map *map) {
    struct fh_number_map bigger = {.capacity = map->capacity ? 2 * map->capacity : 16};
    bigger.slots = calloc(bigger.capacity, sizeof *bigger.slots);
    if (!bigger.slots)
        return false;
    for (size_t i = 0; i < map->capacity; i++)
        if (map->slots[i].value)
            place_number(&bigger, map->slots[i].number, map->slots[i].value);
    free(map->slots);
    *map = bigger;
    return true;
}

bool fh_number_map_put(struct fh_number_map *map, uint64_t number, void *value) {
    if (2 * map->count >= map->capacity && !grow_map(map))
        return false;
    place_number(map, number, value);
    return true;
}

void *fh_number_map_take(struct fh_number_map *map, uint64_t number) {
    void *taken = fh_number_map_get(map, number);
    if (!taken)
        return NULL;
    size_t i = first_slot(map, number);
    while (map->slots[i].number != number)
        i = (i + 1) & (map->capacity - 1);
    map->slots[i].value = NULL;
    map->count--;
    /* Those behind it may have stepped over it. */
    for (i = (i + 1) & (map->capacity - 1); map->slots[i].value;
         i = (i + 1) & (map->capacity - 1)) {
        const struct fh_number_slot moved = map->slots[i];
        map->slots[i].value = NULL;
        map->count--;
        place_number(map, moved.number, moved.value);
    }
    return taken;
}

void fh_number_map_clear(struct fh_number_map *map, void (*release)(void *value)) {
    for (size_t i = 0; release && i < map->capacity; i++)
        if (map->slots[i].value)
            release(map->slots[i].value);
    free(map->slots);
    *map = (struct fh_number_map){0};
}

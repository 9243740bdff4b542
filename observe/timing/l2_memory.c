/*
 * l2_memory.c - see l2_memory.h.
 */
#include "l2_memory.h"

#include <stdlib.h>

enum { SECTORS = 4, SECTOR_BYTES = 32, ALL = (1 << SECTORS) - 1, FIRST_ROOM = 1 << 12 };

struct fh_time_l2_line {
    uint64_t key;   /* its number plus one, and its sectors; 0: none */
    uint64_t stamp; /* of the last access */
};

void fh_time_l2_free(struct fh_time_l2 *l2) {
    free(l2->lines);
    l2->lines = NULL;
    l2->count = l2->room = 0;
    l2->clock = 0;
}

static struct fh_time_l2_line *find(struct fh_time_l2_line *lines, size_t room, uint64_t number) {
    size_t at = (size_t)(number * UINT64_C(0x9e3779b97f4a7c15) >> 20) & (room - 1);
    while (lines[at].key && lines[at].key >> SECTORS != number)
        at = (at + 1) & (room - 1);
    return &lines[at];
}

/* Lines that have gone are left behind. */
static bool grow(struct fh_time_l2 *l2) {
    const size_t room = l2->room ? 2 * l2->room : FIRST_ROOM;
    struct fh_time_l2_line *lines = calloc(room, sizeof *lines);
    if (!lines)
        return false;
    l2->count = 0;
    for (size_t i = 0; i < l2->room; i++) {
        const struct fh_time_l2_line *from = &l2->lines[i];
        if (!from->key || from->stamp + l2->capacity < l2->clock)
            continue;
        *find(lines, room, from->key >> SECTORS) = *from;
        l2->count++;
    }
    free(l2->lines);
    l2->lines = lines;
    l2->room = room;
    return true;
}

uint32_t fh_time_l2_access(struct fh_time_l2 *l2, uint64_t line, uint64_t at) {
    const uint64_t sectors = line & ALL, number = (line >> SECTORS) + 1;
    if (2 * l2->count >= l2->room && !grow(l2)) {
        l2->failed = true;
        return (uint32_t)__builtin_popcountll(sectors);
    }
    struct fh_time_l2_line *to = find(l2->lines, l2->room, number);
    l2->count += !to->key;
    uint64_t there = to->key & ALL;
    if (at > to->stamp && at - to->stamp > l2->capacity)
        there = 0;
    const uint32_t missing = (uint32_t)__builtin_popcountll(sectors & ~there);
    l2->clock += missing * SECTOR_BYTES;
    to->key = number << SECTORS | there | sectors;
    if (at > to->stamp)
        to->stamp = at;
    return missing;
}

/* array.c - see array.h. */
#include "array.h"

#include "large_pages.h"
#include "size.h"

#include <stdlib.h>
#include <string.h>

enum { LEAST = 16 }; /* elements that an array with a capacity begins with */

/* Room for `count` elements where `held` are. */
static bool resize(void *array, size_t held, size_t count, size_t size) {
    void *old, *moved;
    size_t bytes;
    if (!fh_size_times(count, size, &bytes))
        return false;
    memcpy(&old, array, sizeof old); /* `array` is the address of a pointer to any type */
    const bool large = bytes >= FH_LARGE_BLOCK;
    moved = large ? fh_large_alloc(bytes) : realloc(old, bytes);
    if (!moved)
        return false;
    if (large && old) {
        memcpy(moved, old, held * size);
        free(old);
    }
    memcpy(array, &moved, sizeof moved);
    return true;
}

bool fh_grow(void *array, size_t *capacity, size_t count, size_t size) {
    size_t wanted;
    if (count <= *capacity)
        return true;
    if (!fh_size_times(*capacity, 2, &wanted) || wanted < count)
        wanted = count;
    if (wanted < LEAST)
        wanted = LEAST;
    if (!resize(array, *capacity, wanted, size))
        return false;
    *capacity = wanted;
    return true;
}

bool fh_grow_by_one(void *array, size_t count, size_t size) {
    size_t wanted;
    if (count & (count - 1)) /* between two powers of two there is room */
        return true;
    if (!fh_size_times(count ? count : 1, count ? 2 : 1, &wanted))
        return false;
    return resize(array, count, wanted, size);
}

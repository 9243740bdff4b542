/* array.c - see array.h. */
#include "array.h"

#include "size.h"

#include <stdlib.h>
#include <string.h>

enum { LEAST = 16 }; /* elements that an array with a capacity begins with */

static bool resize(void *array, size_t count, size_t size) {
    void *old, *moved;
    size_t bytes;
    if (!fh_size_times(count, size, &bytes))
        return false;
    memcpy(&old, array, sizeof old); /* `array` is the address of a pointer to any type */
    moved = realloc(old, bytes);
    if (!moved)
        return false;
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
    if (!resize(array, wanted, size))
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
    return resize(array, wanted, size);
}

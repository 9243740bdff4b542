/* room.c - see room.h. */
#define _DEFAULT_SOURCE

#include "room.h"

#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>

enum { LARGE_PAGE = 1 << 21 };

static void *in_large_pages(void *memory, size_t bytes) {
#if defined MADV_HUGEPAGE
    /* From the block's first page to its last: what else lies in those is only advised, too. */
    uintptr_t first = (uintptr_t)memory / LARGE_PAGE * LARGE_PAGE;
    if (memory != NULL && bytes >= LARGE_PAGE) {
        madvise((void *)first, (uintptr_t)memory + bytes - first, MADV_HUGEPAGE);
    }
#endif
    return memory;
}

void *fh_golden_room(size_t count, size_t size) {
    if (size != 0 && count > SIZE_MAX / size) {
        return NULL;
    }
    return in_large_pages(malloc(count * size), count * size);
}

void *fh_golden_zeros(size_t count, size_t size) {
    return in_large_pages(calloc(count, size), count * size);
}

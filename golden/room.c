/* room.c - see room.h. */
#include "room.h"

#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>

enum { LARGE_PAGE = 1 << 21 };

/* Asks for large pages, from that in which the block begins to the last one that it half fills.
 * What else is in the first is only advised, too. */
static void *in_large_pages(void *memory, size_t bytes) {
#if defined MADV_HUGEPAGE
    uintptr_t first = (uintptr_t)memory / LARGE_PAGE * LARGE_PAGE;
    if (memory != NULL && bytes >= LARGE_PAGE / 2) {
        size_t pages = ((uintptr_t)memory + bytes - first + LARGE_PAGE / 2) / LARGE_PAGE;
        madvise((void *)first, pages * LARGE_PAGE, MADV_HUGEPAGE);
    }
#endif
    return memory;
}

void *fh_golden_room(size_t count, size_t size) {
    if (size != 0 && count > (SIZE_MAX - LARGE_PAGE) / size) {
        return NULL;
    }
    size_t bytes = count * size, whole = (bytes + LARGE_PAGE - 1) / LARGE_PAGE * LARGE_PAGE;
    return in_large_pages(bytes < LARGE_PAGE / 2 ? malloc(bytes) : aligned_alloc(LARGE_PAGE, whole),
                          bytes);
}

/* Not aligned, because what calloc gets from the host is zero as it is. */
void *fh_golden_zeros(size_t count, size_t size) {
    return in_large_pages(calloc(count, size), count * size);
}

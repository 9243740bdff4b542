/* large_pages.c - see large_pages.h. */
#include "large_pages.h"

#include "size.h"

#include <stdlib.h>
#include <sys/mman.h>

void fh_use_large_pages(void *memory, size_t bytes) {
#if defined MADV_HUGEPAGE
    /* A host that has none refuses, which is as well. */
    madvise(memory, bytes / FH_LARGE_PAGE * FH_LARGE_PAGE, MADV_HUGEPAGE);
#else
    (void)memory;
    (void)bytes;
#endif
}

void *fh_large_alloc(size_t bytes) {
    size_t whole;
    if (bytes < FH_LARGE_BLOCK)
        return malloc(bytes);
    if (!fh_size_round_up(bytes, FH_LARGE_PAGE, &whole))
        return NULL;
    void *memory = aligned_alloc(FH_LARGE_PAGE, whole);
    if (memory)
        fh_use_large_pages(memory, whole);
    return memory;
}

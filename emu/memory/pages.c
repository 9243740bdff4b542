/*
 * pages.c - zeroed host memory. An address in a page that the processor has not seen lately costs
 * it a walk through tables; guests go through megabytes with strides.
 */
#include "pages.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* From LARGE bytes on in large pages, up to MOST, since memory that is used here and there only
 * would take much more of the host's. */
enum { LINE = 64, LARGE = 1 << 20, MOST = 1 << 30 };

/* In front of what is handed out: where the room for it begins. */
struct head {
    void *room;
};

static void *make(size_t bytes, bool zeroed) {
    const size_t align = bytes >= LARGE && bytes <= MOST ? FH_LARGE_PAGE : LINE;
    const size_t extra = align + sizeof(struct head);
    if (bytes > SIZE_MAX - extra)
        return NULL;
    void *room = zeroed ? calloc(1, bytes + extra) : malloc(bytes + extra);
    if (!room)
        return NULL;
    char *memory = (char *)room + sizeof(struct head);
    memory += (align - (uintptr_t)memory % align) % align;
    if (align == FH_LARGE_PAGE)
        fh_use_large_pages(memory, bytes);
    memcpy(memory - sizeof(struct head), &(struct head){room}, sizeof(struct head));
    return memory;
}

void *fh_pages_new(size_t bytes) {
    return make(bytes, true);
}

void *fh_pages_unset(size_t bytes) {
    const size_t more = bytes >= LARGE && bytes <= MOST ? FH_LARGE_PAGE - 1 : 0;
    return make(more ? (bytes + more) / FH_LARGE_PAGE * FH_LARGE_PAGE : bytes, false);
}

void fh_pages_free(void *memory) {
    struct head head;
    if (!memory)
        return;
    memcpy(&head, (char *)memory - sizeof head, sizeof head);
    free(head.room);
}

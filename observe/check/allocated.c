/*
 * allocated.c - see allocated.h.
 */
#include "allocated.h"

#include <stdlib.h>
#include <string.h>

/* How many have a base up to the address. */
static size_t before(const struct fh_allocations *a, uint64_t address) {
    size_t low = 0, high = a->count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (a->list[middle]->base <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static bool holds(const struct fh_allocated *x, uint64_t address) {
    return address - x->base < x->bytes;
}

struct fh_allocated *fh_allocations_at(struct fh_allocations *a, uint64_t address) {
    if (!a->count || address < a->list[0]->base)
        return NULL;
    if (a->last < a->count && holds(a->list[a->last], address))
        return a->list[a->last];
    const size_t i = before(a, address) - 1;
    if (!holds(a->list[i], address))
        return NULL;
    a->last = i;
    return a->list[i];
}

static bool grow(struct fh_allocated ***list, size_t *room, size_t count) {
    if (count < *room)
        return true;
    const size_t more = *room ? 2 * *room : 32;
    struct fh_allocated **grown = realloc(*list, more * sizeof(struct fh_allocated *));
    if (grown) {
        *list = grown;
        *room = more;
    }
    return grown;
}

bool fh_allocations_see(struct fh_allocations *a, const fhec_event *event) {
    struct fh_allocated *x;
    if (event->kind == FHEC_EVENT_FREE) {
        x = fh_allocations_at(a, event->host.address);
        if (x)
            x->live = false;
        return true;
    }
    if (!event->host.address) /* a variable in constant memory */
        return true;
    x = grow(&a->list, &a->room, a->count) && grow(&a->numbered, &a->numbered_room, a->count)
            ? calloc(1, sizeof *x)
            : NULL;
    char *name = x ? strdup(event->host.name ? event->host.name : "") : NULL;
    if (!name) {
        free(x);
        return false;
    }
    *x = (struct fh_allocated){.name = name,
                               .base = event->host.address - event->host.offset,
                               .bytes = event->host.bytes,
                               .number = (uint32_t)a->count + 1,
                               .live = true};
    const size_t i = before(a, x->base);
    memmove(a->list + i + 1, a->list + i, (a->count - i) * sizeof *a->list);
    a->list[i] = x;
    a->numbered[a->count++] = x;
    return true;
}

void fh_allocations_free(struct fh_allocations *a) {
    for (size_t i = 0; i < a->count; i++) {
        free(a->list[i]->name);
        free(a->list[i]);
    }
    free(a->list);
    free(a->numbered);
    *a = (struct fh_allocations){0};
}

/*
 * allocated.h - the allocations of a machine's global memory, as its observers are told of them.
 */
#ifndef FH_ALLOCATED_H
#define FH_ALLOCATED_H

#include "fhec_observe.h"

struct fh_allocated {
    char *name;
    uint64_t base, bytes;
    uint32_t number; /* from 1, in the order in which they were made */
    bool live, read, written;
};

struct fh_allocations {
    struct fh_allocated **list; /* by base: addresses are never used again */
    size_t count, room;
    size_t last;                    /* that was found */
    struct fh_allocated **numbered; /* by number - 1 */
    size_t numbered_room;
};

/* Takes an ALLOC or FREE. False without host memory. */
bool fh_allocations_see(struct fh_allocations *a, const fhec_event *event);
/* The one that the address is in, live or not; NULL: none. */
struct fh_allocated *fh_allocations_at(struct fh_allocations *a, uint64_t address);
void fh_allocations_free(struct fh_allocations *a);

#endif

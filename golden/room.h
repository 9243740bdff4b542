/* room.h - memory for polynomials, whose first touches page by page would take longer than much of
 * the arithmetic where the host runs under a hypervisor. */
#ifndef FH_GOLDEN_ROOM_H
#define FH_GOLDEN_ROOM_H

#include <stddef.h>

/* malloc and calloc of `count` elements of `size` bytes, in large pages if the host has them and
 * the block fills some. NULL without memory; for free. */
void *fh_golden_room(size_t count, size_t size);
void *fh_golden_zeros(size_t count, size_t size);

#endif

/*
 * allocations.h - global memory as the host has it: a list of allocations that only grows, and
 * which of them an address belongs to.
 *
 *     address   0x7f00_0000_0000            next
 *               | a (live) |   gap   | b (released) |   gap   |  ...
 *
 * Addresses of our own are never given twice, so a released allocation stays in the list, without
 * its bytes, and an access to it is seen as such. Between allocations lies a gap that belongs to
 * nobody. Beside them stands memory of the caller's, at addresses that the caller chose (mapped).
 *
 * An allocation is known by its number, the index in the list, whatever its address; `by_address`
 * leads from addresses to numbers. Allocations are made in memory.h; what kernels do to the bytes
 * goes through transaction.h; what the host does is announced by fh_memory_writable (memory.h).
 */
#ifndef FH_ALLOCATIONS_H
#define FH_ALLOCATIONS_H

#include "arena.h"
#include "fhec.h"

enum { FH_ALIGN = 256, FH_GAP = 1 << 24 }; /* unless the placement says something else */
/* Above 32 bits, so that a kernel that loses the high half of a pointer is found out. */
#define FH_GLOBAL_BASE   UINT64_C(0x7f0000000000)
#define FH_GLOBAL_LIMIT  UINT64_C(0x800000000000)
#define FH_SHARED_WINDOW FHEC_SHARED_WINDOW
#define FH_LOCAL_WINDOW  FHEC_LOCAL_WINDOW
#define FH_WINDOW_BYTES  FHEC_WINDOW_BYTES
/* Virtual addresses of GPUs have so many bits. */
#define FH_ADDRESS_LIMIT (UINT64_C(1) << 49)

struct fh_allocation {
    uint64_t base, size;
    uint8_t *bytes; /* NULL: released. Room for a multiple of 128 bytes, the rest zero, and aligned
                       to 64, unless it is mapped */
    uint8_t *copy;  /* of mapped memory, with a history: what it held when it was last looked at */
    const char *name;
    bool read_only;
    bool mapped;   /* the bytes are the caller's: `size` of them and no more, at any address */
    bool replaced; /* it was released, and its addresses now belong to a mapping */
};

/* An allocation where it begins. */
struct fh_span {
    uint64_t base;
    size_t number;
};

struct fh_history; /* history.h */

struct fh_memory {
    struct fh_allocation *list; /* by number */
    size_t count, capacity;
    struct fh_span *by_address; /* of all that are not replaced, sorted */
    size_t span_count, span_capacity;
    struct fh_arena names;
    fhec_placement placement;   /* gap and alignment are not 0 */
    uint64_t next;              /* without a seed: lowest address for the next allocation */
    uint64_t drawn;             /* with one: how many addresses have been drawn */
    struct fh_history *history; /* NULL: there are no snapshots */
};

/* Frees the host memory of an allocation. */
void fh_allocation_free(const struct fh_allocation *a);

/* Room for one more in the list and by address. False without host memory. */
bool fh_allocations_reserve(struct fh_memory *memory);
/* Adds it to the list and by address, where there is room. */
void fh_allocations_add(struct fh_memory *memory, const struct fh_allocation *a);
/* Makes `by_address` again, after the list has changed in any way. */
void fh_allocations_sort(struct fh_memory *memory);

/* The spans that overlap [begin, end), in order: first <= i < *last. */
size_t fh_allocations_overlapping(const struct fh_memory *memory, uint64_t begin, uint64_t end,
                                  size_t *last);

/* Number of the last allocation that begins at or before `address`; SIZE_MAX if none does. */
size_t fh_memory_find(const struct fh_memory *memory, uint64_t address);
/* The live allocation that holds the whole range, else NULL. */
struct fh_allocation *fh_memory_range(const struct fh_memory *memory, uint64_t address,
                                      uint64_t bytes);

/* "8 bytes past the end of `out` [0x..., 0x...)"; the empty string without allocations. */
void fh_memory_nearest(const struct fh_memory *memory, uint64_t address, char *text, size_t size);

#endif

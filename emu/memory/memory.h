/*
 * memory.h - global memory as the host sees it: a list of allocations that only grows.
 *
 *     address   0x7f00_0000_0000            next
 *               | a (live) |   gap   | b (released) |   gap   |  ...
 *
 * Addresses of our own are never given twice, so a released allocation stays in the list, without
 * its bytes, and an access to it is seen as such. Between allocations lies a gap that belongs to
 * nobody. Where allocations go is an option (fhec_placement): one after another, or anywhere by a
 * seed. Beside them stands memory of the caller's, at addresses that the caller chose (mapped).
 *
 * An allocation is known by its number, the index in the list, whatever its address; `by_address`
 * leads from addresses to numbers. What kernels do to the bytes goes through view.h.
 */
#ifndef FH_MEMORY_H
#define FH_MEMORY_H

#include "fhec.h"

enum { FH_ALIGN = 256, FH_GAP = 1 << 24 }; /* unless the placement says something else */
/* Above 32 bits, so that a kernel that loses the high half of a pointer is found out. */
#define FH_GLOBAL_BASE  UINT64_C(0x7f0000000000)
#define FH_GLOBAL_LIMIT UINT64_C(0x800000000000)
/* Generic addresses of shared and local memory: windows of 16 MB. */
#define FH_SHARED_WINDOW UINT64_C(0x0000000100000000)
#define FH_LOCAL_WINDOW  UINT64_C(0x0000000200000000)
#define FH_WINDOW_BYTES  UINT64_C(0x1000000)
/* Virtual addresses of GPUs have so many bits. */
#define FH_ADDRESS_LIMIT (UINT64_C(1) << 49)

struct fh_allocation {
    uint64_t base, size;
    uint8_t *bytes; /* NULL: released. Room for a multiple of 128 bytes, the rest zero, and aligned
                       to 64, unless it is mapped */
    char *name;
    bool read_only;
    bool mapped; /* the bytes are the caller's: `size` of them and no more, at any address */
};

/* An allocation where it begins. */
struct fh_span {
    uint64_t base;
    size_t number;
};

struct fh_memory {
    struct fh_allocation *list; /* by number */
    size_t count, capacity;
    struct fh_span *by_address; /* sorted; not all numbers: a mapping replaces what was released */
    size_t span_count, span_capacity;
    fhec_placement placement; /* no field is 0, but for the seed */
    uint64_t next;            /* without a seed: lowest address for the next allocation */
    uint64_t drawn;           /* with one: how many addresses have been drawn */
};

/* False if the placement is none: an alignment that is no power of two, or beyond all addresses. */
bool fh_memory_init(struct fh_memory *memory, const fhec_placement *placement);
void fh_memory_free(struct fh_memory *memory);
/* Zeros. FHEC_HOST_ERROR without memory or addresses. */
fhec_status fh_memory_alloc(struct fh_memory *memory, const char *name, uint64_t bytes,
                            bool read_only, uint64_t *address);
/* The caller's `host` at `address`. FHEC_BAD_INPUT if the range is no global memory, or in use:
 * then *other is the number of an allocation that overlaps, else SIZE_MAX. */
fhec_status fh_memory_map(struct fh_memory *memory, const char *name, uint64_t address, void *host,
                          uint64_t bytes, bool read_only, size_t *other);
/* FHEC_BAD_INPUT if no live allocation begins at `address`. */
fhec_status fh_memory_release(struct fh_memory *memory, uint64_t address);

/* Number of the last allocation that begins at or before `address`; SIZE_MAX if none does. */
size_t fh_memory_find(const struct fh_memory *memory, uint64_t address);
/* The live allocation that holds the whole range, else NULL. */
struct fh_allocation *fh_memory_range(const struct fh_memory *memory, uint64_t address,
                                      uint64_t bytes);

/* "8 bytes past the end of `out` [0x..., 0x...)"; the empty string without allocations. */
void fh_memory_nearest(const struct fh_memory *memory, uint64_t address, char *text, size_t size);

#endif

/*
 * memory.h - global memory as the host sees it: a list of allocations that only grows.
 *
 *     address   0x7f00_0000_0000            next
 *               | a (live) |   gap   | b (released) |   gap   |  ...
 *
 * Addresses are never given twice, so a released allocation stays in the list, without its bytes,
 * and an access to it is seen as such. Between allocations lie FH_GAP bytes and more that belong
 * to nobody. What kernels do to the bytes goes through view.h.
 */
#ifndef FH_MEMORY_H
#define FH_MEMORY_H

#include "fhec.h"

enum { FH_ALIGN = 256, FH_GAP = 1 << 24 };
/* Above 32 bits, so that a kernel that loses the high half of a pointer is found out. */
#define FH_GLOBAL_BASE  UINT64_C(0x7f0000000000)
#define FH_GLOBAL_LIMIT UINT64_C(0x800000000000)
/* Generic addresses of shared and local memory: windows of 16 MB. */
#define FH_SHARED_WINDOW UINT64_C(0x0000000100000000)
#define FH_LOCAL_WINDOW  UINT64_C(0x0000000200000000)
#define FH_WINDOW_BYTES  UINT64_C(0x1000000)

struct fh_allocation {
    uint64_t base, size;
    uint8_t *bytes; /* NULL: released. Room for a multiple of 128 bytes, the rest zero */
    char *name;
    bool read_only;
};

struct fh_memory {
    struct fh_allocation *list; /* by address */
    size_t count, capacity;
    uint64_t next; /* address of the next allocation */
};

void fh_memory_init(struct fh_memory *memory);
void fh_memory_free(struct fh_memory *memory);
/* FHEC_HOST_ERROR without memory or addresses. */
fhec_status fh_memory_alloc(struct fh_memory *memory, const char *name, uint64_t bytes,
                            bool read_only, uint64_t *address);
/* FHEC_BAD_INPUT if no live allocation begins at `address`. */
fhec_status fh_memory_release(struct fh_memory *memory, uint64_t address);

/* Index of the last allocation that begins at or before `address`; SIZE_MAX if none does. */
size_t fh_memory_find(const struct fh_memory *memory, uint64_t address);
/* The live allocation that holds the whole range, else NULL. */
struct fh_allocation *fh_memory_range(const struct fh_memory *memory, uint64_t address,
                                      uint64_t bytes);

/* "8 bytes past the end of `out` [0x..., 0x...)"; the empty string without allocations. */
void fh_memory_nearest(const struct fh_memory *memory, uint64_t address, char *text, size_t size);

#endif

/*
 * space.h - what handlers need of the memory spaces: addresses of the lanes, and shared memory.
 */
#ifndef FH_SPACE_H
#define FH_SPACE_H

#include "exec.h"

/* Addresses of all 32 lanes: (base << shift) + uniform addend + offset, at 64 or 32 bits. */
void fh_address_lanes(const struct fh_warp *w, const struct fh_address *address,
                      uint64_t out[FH_LANES]);

/* Checks that every lane of `lanes` may access [address[lane], address[lane] + bytes) of the
 * block's shared memory: aligned to `bytes` (a power of two) and in bounds; tells the observer.
 * False after reporting the fault. */
bool fh_shared_check(struct fh_warp *w, const struct fh_op *op, uint32_t lanes,
                     const uint64_t address[FH_LANES], uint32_t bytes, bool store);

/* The block's shared memory; valid indices are those that fh_shared_check let pass. */
uint8_t *fh_shared_bytes(struct fh_warp *w);

/* Adds cycles of the processing element array (reference engine) to the statistics. */
void fh_add_array_cycles(struct fh_warp *w, uint32_t cycles);

#endif

/*
 * space.h - what handlers need of the memory spaces: addresses of the lanes, and shared memory.
 */
#ifndef FH_SPACE_H
#define FH_SPACE_H

#include "exec.h"

/* Addresses of all 32 lanes: (base << shift) + uniform addend + offset, at 64 or 32 bits. */
static inline void fh_address_lanes(const struct fh_warp *w, const struct fh_address *a,
                                    uint64_t out[FH_LANES]) {
    const uint32_t *low = w->r[a->base], *high = w->r[a->base + 1];
    const uint64_t keep = a->wide ? UINT64_MAX : UINT32_MAX;
    uint64_t addend = w->ur[a->ureg] + (uint64_t)a->offset;
    if (a->ureg64)
        addend += (uint64_t)w->ur[a->ureg + 1] << 32;
    if (a->base64) {
        for (uint32_t l = 0; l < FH_LANES; l++)
            out[l] = (((uint64_t)high[l] << 32 | low[l]) + addend) & keep;
    } else {
        for (uint32_t l = 0; l < FH_LANES; l++)
            out[l] = (((uint64_t)low[l] << a->shift) + addend) & keep;
    }
}

/* Checks that every lane of `lanes` may access [address[lane], address[lane] + bytes) of the
 * block's shared memory: aligned to `bytes` (a power of two) and in bounds. False after reporting
 * the fault. */
bool fh_shared_check(struct fh_warp *w, const struct fh_op *op, uint32_t lanes,
                     const uint64_t address[FH_LANES], uint32_t bytes, bool store);

/* The block's shared memory; valid indices are those that fh_shared_check let pass. */
uint8_t *fh_shared_bytes(struct fh_warp *w);

/* Adds cycles of the processing element array (reference engine) to the statistics. */
void fh_add_array_cycles(struct fh_warp *w, uint32_t cycles);

#endif

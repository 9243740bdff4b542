/*
 * shared.c - shared memory of the block for matrix loads: 32-bit addresses from 0.
 */
#include "access.h"
#include "fault.h"
#include "handlers.h"
#include "launch.h"

#include <stdio.h>

static fhec_fault_kind lane_fault(const struct fh_image *image, uint64_t at, uint32_t bytes) {
    if (at & (bytes - 1))
        return FHEC_FAULT_MISALIGNED;
    return fh_shared_holds(image, at, bytes) ? FHEC_FAULT_NONE : FHEC_FAULT_OUT_OF_BOUNDS;
}

/* Checks all lanes' accesses; reports the fault of the lowest lane that
 * has one, with all that have the same. */
static bool check(struct fh_warp *w, const struct fh_op *op, uint32_t lanes,
                  const uint64_t at[FH_LANES], uint32_t bytes, bool store) {
    const struct fh_image *image = w->launch->image;
    fhec_fault_kind kind = FHEC_FAULT_NONE;
    uint32_t guilty = 0;
    for (uint32_t rest = lanes; rest; rest &= rest - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(rest);
        fhec_fault_kind k = lane_fault(image, at[lane], bytes);
        kind = kind == FHEC_FAULT_NONE ? k : kind;
        guilty |= k != FHEC_FAULT_NONE && k == kind ? 1u << lane : 0;
    }
    if (!guilty)
        return true;
    char text[120];
    if (kind == FHEC_FAULT_MISALIGNED)
        snprintf(text, sizeof text, "a %s of %u bytes needs an address that is a multiple of %u",
                 store ? "store" : "load", bytes, bytes);
    else
        snprintf(text, sizeof text, "a %s of %u bytes outside the %u bytes of shared memory",
                 store ? "store" : "load", bytes, image->shared_bytes);
    return fh_fault_address(w, op, kind, guilty, "shared", at[__builtin_ctz(guilty)], text);
}

/* All lanes at once: whether none can be at fault. Addresses are below 2^32. */
static bool all_fine(uint32_t lanes, const uint64_t at[FH_LANES], uint32_t bytes, uint32_t size) {
    const uint64_t last = (uint64_t)size - bytes;
    uint64_t bits = 0, past = 0; /* past: bit 63 is set where an address is above `last` */
    for (uint32_t l = 0; l < FH_LANES; l++) {
        uint64_t x = lanes >> l & 1 ? at[l] : 0;
        bits |= x;
        past |= last - x;
    }
    return size >= bytes && !(bits & (bytes - 1)) && !(past >> 63);
}

bool fh_shared_check(struct fh_warp *w, const struct fh_op *op, uint32_t lanes,
                     const uint64_t address[FH_LANES], uint32_t bytes, bool store) {
    if (!w->launch->image->ref && all_fine(lanes, address, bytes, w->launch->image->shared_bytes))
        return true;
    return check(w, op, lanes, address, bytes, store);
}

uint8_t *fh_shared_bytes(struct fh_warp *w) {
    return w->block->shared;
}

/*
 * shared.c - shared memory of the block and local memory of the lanes: 32-bit addresses from 0.
 *
 * As in global.c, the fast engine checks the range of all lanes at once and falls back to the lanes
 * one by one, which is what the reference engine does.
 */
#include "access.h"
#include "control.h"
#include "fault.h"
#include "launch.h"
#include "observe.h"

#include <stdio.h>

static fhec_fault_kind lane_fault(uint64_t at, uint32_t bytes, uint32_t size) {
    if (at & (bytes - 1))
        return FHEC_FAULT_MISALIGNED;
    return bytes <= size && at <= size - bytes ? FHEC_FAULT_NONE : FHEC_FAULT_OUT_OF_BOUNDS;
}

/* Lane by lane; reports the fault of the lowest lane that has one, with all that have the same. */
static bool check_each(struct fh_warp *w, const struct fh_op *op, uint32_t lanes,
                       const uint64_t at[FH_LANES], uint32_t bytes, uint32_t size, bool store,
                       const char *space) {
    fhec_fault_kind kind = FHEC_FAULT_NONE;
    uint32_t guilty = 0;
    for (uint32_t rest = lanes; rest; rest &= rest - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(rest);
        fhec_fault_kind k = lane_fault(at[lane], bytes, size);
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
        snprintf(text, sizeof text, "a %s of %u bytes outside the %u bytes of %s memory",
                 store ? "store" : "load", bytes, size, space);
    return fh_fault_address(w, op, kind, guilty, space, at[__builtin_ctz(guilty)], text);
}

static bool check(struct fh_warp *w, const struct fh_op *op, uint32_t lanes,
                  const uint64_t at[FH_LANES], uint32_t bytes, uint32_t size, bool store,
                  const char *space) {
    bool fine = false;
    if (!w->launch->image->ref) {
        struct fh_extent e = fh_extent_of(at, lanes);
        fine = !(e.bits & (bytes - 1)) && bytes <= size && e.high <= size - bytes;
    }
    if (!fine && !check_each(w, op, lanes, at, bytes, size, store, space))
        return false;
    if (w->launch->observer && w->launch->observer->memory)
        for (uint32_t rest = lanes; rest; rest &= rest - 1) {
            uint32_t lane = (uint32_t)__builtin_ctz(rest);
            fh_observe_access(w, op, lanes, space, store, lane, at[lane], bytes);
        }
    return true;
}

bool fh_shared_check(struct fh_warp *w, const struct fh_op *op, uint32_t lanes,
                     const uint64_t address[FH_LANES], uint32_t bytes, bool store) {
    return check(w, op, lanes, address, bytes, w->launch->image->shared_bytes, store, "shared");
}

uint8_t *fh_shared_bytes(struct fh_warp *w) {
    return w->block->shared;
}

/* Whether all lanes access consecutive places, in their order. */
static bool contiguous(const uint64_t at[FH_LANES], uint32_t lanes, uint32_t bytes) {
    uint64_t apart = 0;
    if (lanes != UINT32_MAX)
        return false;
    for (uint32_t l = 0; l < FH_LANES; l++)
        apart |= at[l] ^ (at[0] + l * bytes);
    return !apart;
}

bool fh_exec_load_shared(struct fh_warp *w, const struct fh_op *op, uint32_t active) {
    const struct fh_address *a = &op->address;
    uint64_t at[FH_LANES];
    fh_address_lanes(w, a, at);
    if (!fh_shared_check(w, op, active, at, a->bytes, false))
        return false;
    if (!w->launch->image->ref && contiguous(at, active, a->bytes))
        fh_span_load(w, a, w->block->shared + at[0]);
    else
        fh_gather(w, a, active, w->block->shared, 0, at);
    return true;
}

bool fh_exec_store_shared(struct fh_warp *w, const struct fh_op *op, uint32_t active) {
    const struct fh_address *a = &op->address;
    uint64_t at[FH_LANES];
    fh_address_lanes(w, a, at);
    if (!fh_shared_check(w, op, active, at, a->bytes, true))
        return false;
    if (!w->launch->image->ref && contiguous(at, active, a->bytes))
        fh_span_store(w, a, w->block->shared + at[0]);
    else
        fh_scatter(w, a, active, w->block->shared, 0, at);
    return true;
}

/* Turns addresses in the lanes' own memories into places in the block's. */
static void to_block(const struct fh_warp *w, uint64_t at[FH_LANES]) {
    for (uint32_t l = 0; l < FH_LANES; l++)
        at[l] += (uint64_t)(w->index * FH_LANES + l) * w->launch->image->local_bytes;
}

bool fh_exec_load_local(struct fh_warp *w, const struct fh_op *op, uint32_t active) {
    uint64_t at[FH_LANES];
    fh_address_lanes(w, &op->address, at);
    if (!check(w, op, active, at, op->address.bytes, w->launch->image->local_bytes, false, "local"))
        return false;
    to_block(w, at);
    fh_gather(w, &op->address, active, w->block->local, 0, at);
    return true;
}

bool fh_exec_store_local(struct fh_warp *w, const struct fh_op *op, uint32_t active) {
    uint64_t at[FH_LANES];
    fh_address_lanes(w, &op->address, at);
    if (!check(w, op, active, at, op->address.bytes, w->launch->image->local_bytes, true, "local"))
        return false;
    to_block(w, at);
    fh_scatter(w, &op->address, active, w->block->local, 0, at);
    return true;
}

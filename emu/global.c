/*
 * global.c - loads and stores of global memory, lane by lane: the reference engine, and the fast
 * one where its short ways (space_fast.inc) do not apply, which includes every fault.
 *
 * Every lane's place is found and checked by itself. Nothing is changed before all lanes have been
 * found fine; then they act from 0 to 31.
 */
#include "access.h"
#include "fault.h"
#include "handlers.h"
#include "isa_names.h"
#include "launch.h"
#include "observe.h"
#include "view.h"

#include <stdio.h>

/* One instruction's accesses. */
struct access {
    struct fh_launch_state *launch;
    const struct fh_address *address;
    uint64_t at[FH_LANES];
    uint32_t lanes; /* that access memory */
    bool store;
};

static fhec_fault_kind lane_fault(const struct access *x, uint64_t at, size_t *allocation) {
    uint32_t bytes = x->address->bytes;
    if (at & (bytes - 1))
        return FHEC_FAULT_MISALIGNED;
    size_t i = *allocation = fh_memory_find(x->launch->memory, at);
    if (i == SIZE_MAX)
        return FHEC_FAULT_OUT_OF_BOUNDS;
    const struct fh_allocation *a = &x->launch->memory->list[i];
    if (at - a->base >= a->size || bytes > a->size - (at - a->base))
        return FHEC_FAULT_OUT_OF_BOUNDS;
    if (!a->bytes)
        return FHEC_FAULT_FREED;
    return x->store && a->read_only ? FHEC_FAULT_READ_ONLY : FHEC_FAULT_NONE;
}

/* The lowest lane at fault decides what is reported; the mask has all lanes with that fault. */
static bool report(struct fh_warp *w, const struct fh_op *op, const struct access *x) {
    fhec_fault_kind kind = FHEC_FAULT_NONE;
    uint32_t lanes = 0, bytes = x->address->bytes;
    for (uint32_t rest = x->lanes; rest; rest &= rest - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(rest);
        size_t allocation;
        fhec_fault_kind k = lane_fault(x, x->at[lane], &allocation);
        kind = kind == FHEC_FAULT_NONE ? k : kind;
        lanes |= k != FHEC_FAULT_NONE && k == kind ? 1u << lane : 0;
    }
    uint64_t at = x->at[__builtin_ctz(lanes)];
    const char *what = x->store ? "store" : "load";
    char text[120];
    switch (kind) {
    case FHEC_FAULT_MISALIGNED:
        snprintf(text, sizeof text, "a %s of %u bytes needs an address that is a multiple of %u",
                 what, bytes, bytes);
        break;
    case FHEC_FAULT_FREED:
        snprintf(text, sizeof text, "a %s of %u bytes in memory that was released", what, bytes);
        break;
    case FHEC_FAULT_READ_ONLY:
        snprintf(text, sizeof text, "a store of %u bytes to read-only memory", bytes);
        break;
    default:
        snprintf(text, sizeof text, "a %s of %u bytes %s", what, bytes,
                 at < 4096 ? "through a null pointer" : "that no allocation holds");
        break;
    }
    return fh_fault_address(w, op, kind, lanes, "global", at, text);
}

/* Carries out one lane's access, which has been checked. */
static void act(struct fh_warp *w, const struct access *x, uint32_t lane, size_t allocation) {
    struct fh_launch_state *launch = x->launch;
    const struct fh_allocation *a = &launch->memory->list[allocation];
    uint64_t offset = x->at[lane] - a->base;
    uint32_t bytes = x->address->bytes;
    uint8_t value[16];
    if (x->store) {
        fh_lane_store(w, x->address, lane, value);
        if (launch->view)
            fh_view_store(launch->view, allocation, offset, bytes, value);
        else
            memcpy(a->bytes + offset, value, bytes);
    } else {
        if (launch->view)
            fh_view_load(launch->view, allocation, offset, bytes, value);
        else
            memcpy(value, a->bytes + offset, bytes);
        fh_lane_load(w, x->address, lane, value);
    }
}

static bool carry_out(struct fh_warp *w, const struct fh_op *op, const struct access *x) {
    size_t allocation[FH_LANES];
    for (uint32_t rest = x->lanes; rest; rest &= rest - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(rest);
        if (lane_fault(x, x->at[lane], &allocation[lane]) != FHEC_FAULT_NONE)
            return report(w, op, x);
    }
    for (uint32_t rest = x->lanes; rest; rest &= rest - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(rest);
        act(w, x, lane, allocation[lane]);
        fh_observe_access(w, op, x->lanes, "global", x->store, lane, x->at[lane],
                          x->address->bytes);
    }
    return true;
}

bool fh_exec_load_global(struct fh_warp *w, const struct fh_op *op, uint32_t active) {
    struct access x = {.launch = w->launch, .address = &op->address};
    uint32_t wanted = w->p[op->row[FH_LDG_Pnz]];
    x.lanes = active & (op->neg[FH_LDG_Pnz] ? ~wanted : wanted);
    fh_address_lanes(w, &op->address, x.at);
    if (!carry_out(w, op, &x))
        return false;
    for (uint32_t rest = active & ~x.lanes; rest; rest &= rest - 1)
        for (uint32_t i = 0; i < (op->address.bytes + 3u) / 4u; i++)
            w->r[op->address.data + i][__builtin_ctz(rest)] = 0;
    w->p[op->row[FH_LDG_Pu]] |= active;
    return true;
}

bool fh_exec_store_global(struct fh_warp *w, const struct fh_op *op, uint32_t active) {
    struct access x = {
        .launch = w->launch, .address = &op->address, .lanes = active, .store = true};
    fh_address_lanes(w, &op->address, x.at);
    return carry_out(w, op, &x);
}

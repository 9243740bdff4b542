/*
 * global.c - loads and stores of global memory.
 *
 * The reference engine finds and checks every lane's place by itself. The fast engine takes the
 * range from the lowest to the highest address of the active lanes: if all addresses are aligned
 * and one allocation holds the whole range, no lane can be at fault and the allocation is looked
 * up once; else it does as the reference engine. Either way nothing is changed before all lanes
 * have been found fine.
 */
#include "access.h"
#include "control.h"
#include "fault.h"
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

/* The allocation that holds [low, high), if the access may use it; the instruction's last one is
 * tried first. */
static const struct fh_allocation *holder(const struct access *x, const struct fh_op *op,
                                          uint64_t low, uint64_t high) {
    const struct fh_memory *memory = x->launch->memory;
    size_t *site = &x->launch->sites[op->pc / FH_INST_BYTES];
    for (int attempt = 0; attempt < 2; attempt++) {
        if (*site < memory->count) {
            const struct fh_allocation *a = &memory->list[*site];
            if (a->bytes && low >= a->base && high - a->base <= a->size &&
                !(x->store && a->read_only))
                return a;
        }
        *site = fh_memory_find(memory, low);
    }
    return NULL;
}

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

static void load_bytes(struct fh_launch_state *launch, size_t allocation, uint64_t offset,
                       uint32_t bytes, uint8_t *to) {
    if (launch->view)
        fh_view_load(launch->view, allocation, offset, bytes, to);
    else
        memcpy(to, launch->memory->list[allocation].bytes + offset, bytes);
}

static void store_bytes(struct fh_launch_state *launch, size_t allocation, uint64_t offset,
                        uint32_t bytes, const uint8_t *from) {
    if (launch->view)
        fh_view_store(launch->view, allocation, offset, bytes, from);
    else
        memcpy(launch->memory->list[allocation].bytes + offset, from, bytes);
}

/* Lane by lane, each lane's allocation by itself. */
static bool each_lane(struct fh_warp *w, const struct fh_op *op, const struct access *x) {
    const struct fh_address *address = x->address;
    const struct fh_memory *memory = x->launch->memory;
    size_t allocation[FH_LANES];
    for (uint32_t rest = x->lanes; rest; rest &= rest - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(rest);
        if (lane_fault(x, x->at[lane], &allocation[lane]) != FHEC_FAULT_NONE)
            return report(w, op, x);
    }
    for (uint32_t rest = x->lanes; rest; rest &= rest - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(rest);
        uint64_t offset = x->at[lane] - memory->list[allocation[lane]].base;
        uint8_t value[16];
        if (x->store) {
            fh_lane_store(w, address, lane, value);
            store_bytes(x->launch, allocation[lane], offset, address->bytes, value);
        } else {
            load_bytes(x->launch, allocation[lane], offset, address->bytes, value);
            fh_lane_load(w, address, lane, value);
        }
    }
    return true;
}

/* All lanes in the allocation `a`, none at fault. */
static void one_allocation(struct fh_warp *w, const struct access *x,
                           const struct fh_allocation *a) {
    const struct fh_address *address = x->address;
    size_t allocation = (size_t)(a - x->launch->memory->list);
    uint64_t apart = 0;
    if (x->lanes == UINT32_MAX)
        for (uint32_t l = 0; l < FH_LANES; l++)
            apart |= x->at[l] ^ (x->at[0] + l * address->bytes);
    if (x->lanes == UINT32_MAX && !apart) { /* contiguous: one span of memory */
        uint8_t span[FH_LANES * 16], *bytes = span;
        uint64_t offset = x->at[0] - a->base;
        uint32_t size = FH_LANES * address->bytes;
        if (!x->launch->view)
            bytes = a->bytes + offset;
        if (x->store) {
            fh_span_store(w, address, bytes);
            if (x->launch->view)
                fh_view_store(x->launch->view, allocation, offset, size, span);
        } else {
            if (x->launch->view)
                fh_view_load(x->launch->view, allocation, offset, size, span);
            fh_span_load(w, address, bytes);
        }
    } else if (x->launch->view) {
        for (uint32_t rest = x->lanes; rest; rest &= rest - 1) {
            uint32_t lane = (uint32_t)__builtin_ctz(rest);
            uint8_t value[16];
            if (x->store) {
                fh_lane_store(w, address, lane, value);
                fh_view_store(x->launch->view, allocation, x->at[lane] - a->base, address->bytes,
                              value);
            } else {
                fh_view_load(x->launch->view, allocation, x->at[lane] - a->base, address->bytes,
                             value);
                fh_lane_load(w, address, lane, value);
            }
        }
    } else if (x->store) {
        fh_scatter(w, address, x->lanes, a->bytes, a->base, x->at);
    } else {
        fh_gather(w, address, x->lanes, a->bytes, a->base, x->at);
    }
}

static bool carry_out(struct fh_warp *w, const struct fh_op *op, struct access *x) {
    if (!x->lanes)
        return true;
    bool done = false;
    if (!w->launch->image->ref) {
        struct fh_extent extent = fh_extent_of(x->at, x->lanes);
        uint64_t end = extent.high + x->address->bytes;
        if (!(extent.bits & (x->address->bytes - 1u)) && end > extent.high) {
            const struct fh_allocation *a = holder(x, op, extent.low, end);
            done = a != NULL;
            if (a)
                one_allocation(w, x, a);
        }
    }
    if (!done && !each_lane(w, op, x))
        return false;
    if (w->launch->observer && w->launch->observer->memory)
        for (uint32_t rest = x->lanes; rest; rest &= rest - 1) {
            uint32_t lane = (uint32_t)__builtin_ctz(rest);
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

/*
 * global.c - loads and stores of global memory and of generic addresses, lane by lane: the
 * reference engine, and the fast one where its short ways (space_fast.inc) do not apply, which
 * includes every fault.
 *
 * Every lane's place is found and checked by itself. Nothing is changed before all lanes have been
 * found fine; then they act from 0 to 31.
 */
#include "access.h"
#include "handlers.h"
#include "isa_names.h"
#include "launch.h"
#include "place.h"

/* Where each of `lanes` loads or stores; false, with a fault, if one of them may not. */
static bool find(struct fh_warp *w, const struct fh_op *op, uint32_t lanes, enum fh_space space,
                 bool stores, struct fh_place place[FH_LANES]) {
    const struct fh_request request = {space, op->address.bytes, stores,
                                       stores ? "a store" : "a load"};
    uint64_t at[FH_LANES];
    fh_address_lanes(w, &op->address, at);
    return fh_places_find(w, op, lanes, at, &request, place);
}

/* Lanes of `active` that are not among `lanes` get 0. */
static bool load(struct fh_warp *w, const struct fh_op *op, uint32_t active, uint32_t lanes,
                 enum fh_space space) {
    const struct fh_address *a = &op->address;
    struct fh_place place[FH_LANES];
    if (!find(w, op, lanes, space, false, place))
        return false;
    for (uint32_t rest = lanes; rest; rest &= rest - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(rest);
        uint8_t value[16];
        fh_place_read(w, &place[lane], a->bytes, value);
        fh_lane_load(w, a, lane, value);
    }
    for (uint32_t rest = active & ~lanes; rest; rest &= rest - 1)
        for (uint32_t i = 0; i < (a->bytes + 3u) / 4u; i++)
            w->r[a->data + i][__builtin_ctz(rest)] = 0;
    return true;
}

static bool store(struct fh_warp *w, const struct fh_op *op, uint32_t lanes, enum fh_space space) {
    const struct fh_address *a = &op->address;
    struct fh_place place[FH_LANES];
    if (!find(w, op, lanes, space, true, place))
        return false;
    for (uint32_t rest = lanes; rest; rest &= rest - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(rest);
        uint8_t value[16];
        fh_lane_store(w, a, lane, value);
        fh_place_write(w, &place[lane], a->bytes, value);
    }
    return true;
}

bool fh_exec_load_global(struct fh_warp *w, const struct fh_op *op, uint32_t active) {
    if (!load(w, op, active, fh_lanes_where(w, op, FH_LDG_Pnz, active), FH_GLOBAL))
        return false;
    w->p[op->row[FH_LDG_Pu]] |= active;
    return true;
}

bool fh_exec_store_global(struct fh_warp *w, const struct fh_op *op, uint32_t active) {
    return store(w, op, active, FH_GLOBAL);
}

bool fh_exec_load_generic(struct fh_warp *w, const struct fh_op *op, uint32_t active) {
    return load(w, op, active, fh_lanes_where(w, op, FH_LD_Pnz, active), FH_GENERIC);
}

bool fh_exec_store_generic(struct fh_warp *w, const struct fh_op *op, uint32_t active) {
    return store(w, op, active, FH_GENERIC);
}

bool fh_exec_query_space(struct fh_warp *w, const struct fh_op *op, uint32_t active) {
    static const enum fh_space spaces[] = {FH_GLOBAL, FH_LOCAL, FH_SHARED}; /* by modifier */
    uint64_t at[FH_LANES], inside;
    uint32_t yes = 0, *d = w->r[op->row[FH_QSPC_Rd]];
    fh_address_lanes(w, &op->address, at);
    for (uint32_t rest = active; rest; rest &= rest - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(rest);
        bool there = fh_space_of(at[lane], &inside) == spaces[op->mod[FH_QSPC_m_space]];
        yes |= there ? 1u << lane : 0;
        d[lane] = there;
    }
    uint32_t *p = &w->p[op->row[FH_QSPC_Pu]];
    *p = (*p & ~active) | yes;
    return true;
}

/* CCTL on an address: there are no caches. */
bool fh_exec_cache_control(struct fh_warp *w, const struct fh_op *op, uint32_t active) {
    (void)w, (void)op, (void)active;
    return true;
}

/*
 * space_atomics.h - atomic operations of the fast engine: the lanes' words are found as those of
 * loads and stores are, and then acted on (atomic_lanes.h). Part of space_fast.inc.
 *
 * Whatever somebody watches, who is told what each lane found and left, is left to the bodies, as
 * is what goes through a write buffer.
 */
#ifndef FH_SPACE_ATOMICS_H
#define FH_SPACE_ATOMICS_H

#include "atomic_lanes.h"
#include "space_move.h"

static struct fh_atomic atomic_of(struct fh_warp *w, const struct fh_op *op) {
    static const uint32_t ones[FH_LANES] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
                                            1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
#define ROW(name) w->r[op->row[FH_##name]]
    switch (op->inst->form->insn) {
    case FH_INSN_RED:
        return (struct fh_atomic){op->mod[FH_RED_m_op], op->mod[FH_RED_m_size], ROW(RED_data), NULL,
                                  NULL};
    case FH_INSN_ATOM:
        return (struct fh_atomic){op->mod[FH_ATOM_m_op], op->mod[FH_ATOM_m_size], ROW(ATOM_data),
                                  NULL, ROW(ATOM_Rd)};
    case FH_INSN_ATOM_CAS:
        return (struct fh_atomic){FH_ATOMIC_CAS, op->mod[FH_ATOM_CAS_m_size], ROW(ATOM_CAS_data),
                                  ROW(ATOM_CAS_compare), ROW(ATOM_CAS_Rd)};
    case FH_INSN_ATOM_POPC:
        return (struct fh_atomic){FH_atom_op_ADD, 0, ones, NULL, ROW(ATOM_POPC_Rd)};
    case FH_INSN_ATOMG:
        return (struct fh_atomic){op->mod[FH_ATOMG_m_op], op->mod[FH_ATOMG_m_size], ROW(ATOMG_data),
                                  NULL, ROW(ATOMG_Rd)};
    case FH_INSN_ATOMG_CAS:
        return (struct fh_atomic){FH_ATOMIC_CAS, op->mod[FH_ATOMG_CAS_m_size], ROW(ATOMG_CAS_data),
                                  ROW(ATOMG_CAS_compare), ROW(ATOMG_CAS_Rd)};
    case FH_INSN_ATOMS:
        return (struct fh_atomic){op->mod[FH_ATOMS_m_op], op->mod[FH_ATOMS_m_size], ROW(ATOMS_data),
                                  NULL, ROW(ATOMS_Rd)};
    case FH_INSN_ATOMS_CAS:
        return (struct fh_atomic){FH_ATOMIC_CAS, op->mod[FH_ATOMS_CAS_m_size], ROW(ATOMS_CAS_data),
                                  ROW(ATOMS_CAS_compare), ROW(ATOMS_CAS_Rd)};
    case FH_INSN_ATOMS_CAST:
        return (struct fh_atomic){FH_ATOMIC_CAST, op->mod[FH_ATOMS_CAST_m_size],
                                  ROW(ATOMS_CAST_data), ROW(ATOMS_CAST_compare),
                                  ROW(ATOMS_CAST_Rd)};
    default: /* FH_INSN_ATOMS_POPC */
        return (struct fh_atomic){FH_atom_op_ADD, 0, ones, NULL, ROW(ATOMS_POPC_Rd)};
    }
#undef ROW
}

/* On the places that fh_row_pattern has found. */
ALWAYS_INLINE void act_on(struct fh_warp *w, const struct fh_op *op, uint32_t active,
                          enum pattern pattern, uint8_t *memory, const uint32_t index[FH_LANES]) {
    struct fh_atomic atomic = atomic_of(w, op);
    enum fh_atomic_places places = FH_ANY_PLACES;
    if (pattern == STRAIGHT)
        places = FH_IN_A_ROW;
    else if (fh_lanes_equal(index, index[__builtin_ctz(active)], active))
        places = FH_ONE_PLACE;
    if (atomic.result == w->r[FH_SINK_ROW])
        atomic.result = NULL;
    fh_atomic_lanes(&atomic, memory, index, active, places);
}

static bool atomic_shared(struct fh_warp *w, const struct fh_op *op, uint32_t active) {
    const struct fh_address *a = &op->address;
    _Alignas(64) uint32_t index[FH_LANES];
    if (a->wide || w->launch->image->shared_bytes < a->bytes || w->launch->watch)
        return by_body(w, op, active);
    const enum pattern pattern =
        fh_row_pattern(w->r[a->base], shared_reach(w, a), active, a->bytes, index);
    if (pattern == OUTSIDE)
        return by_body(w, op, active);
    act_on(w, op, active, pattern, w->block->shared, index);
    return true;
}

/* Global memory, at generic addresses, too. The chunk of blocks acquires what it may change, as if
 * it did. False: nothing has been done. */
static bool act_on_global(struct fh_warp *w, const struct fh_op *op, uint32_t active) {
    const struct fh_address *a = &op->address;
    struct fh_transaction *transaction = w->launch->transaction;
    struct fh_inline_cache *cache = &w->launch->caches[op->pc / FH_INST_BYTES];
    _Alignas(64) uint32_t index[FH_LANES];
    if (w->launch->watch || (transaction && !transaction->owner))
        return false;
    const enum pattern pattern = global_pattern(w, op, active, true, cache, index);
    if (pattern == OUTSIDE ||
        (transaction && !allowed(transaction, a, active, pattern, cache, index, true)))
        return false;
    act_on(w, op, active, pattern, cache->memory, index);
    return true;
}

static bool reduce_global(struct fh_warp *w, const struct fh_op *op, uint32_t active) {
    return act_on_global(w, op, active) || by_body(w, op, active);
}

/* Those with a predicate result, which tells that they were carried out, as on global memory all
 * are. It is the first operand of all of them. */
static bool atomic_global(struct fh_warp *w, const struct fh_op *op, uint32_t active) {
    if (!act_on_global(w, op, active))
        return by_body(w, op, active);
    w->p[op->row[FH_ATOMG_Pu]] |= active;
    return true;
}

_Static_assert(FH_ATOMG_Pu == FH_ATOM_Pu && FH_ATOMG_Pu == FH_ATOMG_CAS_Pu &&
                   FH_ATOMG_Pu == FH_ATOM_CAS_Pu && FH_ATOMG_Pu == FH_ATOM_POPC_Pu,
               "where the predicate result is");

#endif

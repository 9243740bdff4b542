/*
 * atomic.c - atomic operations of kernels, and asynchronous copies.
 *
 * All lanes are looked up before anything changes; then they act from 0 to 31, each on what the one
 * before it left. Between blocks the order is that of the blocks (speculation.c): an atomic
 * operation reads what it changes, so chunks of blocks that meet at a word run sequentially.
 */
#include "atomic.h"
#include "access.h"
#include "handlers.h"
#include "isa_names.h"
#include "launch.h"
#include "place.h"
#include "space.h"

#include <string.h>

enum action { OPERATE, COMPARE_AND_SWAP, COMPARE_AND_TELL, COUNT, ARRIVE };

/* An atomic instruction, whatever its operands are called. */
struct atomic {
    enum fh_space space;
    enum action action;
    uint32_t operation, type, bytes;
    uint16_t result, data, compare; /* rows; FH_SINK_ROW: no result */
    uint16_t done;                  /* predicate; FH_SINK_PRED: none */
};

static uint64_t row_value(const struct fh_warp *w, uint16_t row, uint32_t bytes, uint32_t lane) {
    uint64_t high = bytes == 8 ? w->r[row + 1][lane] : 0;
    return high << 32 | w->r[row][lane];
}

/* What is left of `old`; *result is what the lane gets. */
static uint64_t act(const struct fh_warp *w, const struct atomic *a, uint32_t lane, uint64_t old,
                    uint64_t *result) {
    *result = old;
    switch (a->action) {
    case OPERATE:
        return fh_atomic_result(a->operation, a->type, old, row_value(w, a->data, a->bytes, lane));
    case COUNT: return (uint32_t)old + UINT32_C(1);
    case ARRIVE: return fh_mbarrier_arrive(old);
    default: break;
    }
    bool equal = old == row_value(w, a->compare, a->bytes, lane);
    if (a->action == COMPARE_AND_TELL)
        *result = equal;
    return equal ? row_value(w, a->data, a->bytes, lane) : old;
}

/* Whether the lane's operation is left to the program, which looks at Pu: hardware carries out
 * generic operations on shared and local memory only for 32-bit integers and .EXCH. */
static bool refused(const struct atomic *a, const struct fh_place *place) {
    if (a->space != FH_GENERIC || a->done == FH_SINK_PRED || place->space == FH_GLOBAL)
        return false;
    bool exchange = a->action == OPERATE && a->operation == FH_atom_op_EXCH;
    bool narrow = a->type == 0 || a->type == FH_atom_size_S32;
    return a->action <= COMPARE_AND_SWAP && !narrow && !exchange;
}

static bool carry_out(struct fh_warp *w, const struct fh_op *op, uint32_t active,
                      const struct atomic *a) {
    const struct fh_request request = {a->space, a->bytes, true, "an atomic operation"};
    struct fh_place place[FH_LANES];
    uint64_t at[FH_LANES];
    fh_address_lanes(w, &op->address, at);
    if (!fh_places_find(w, op, active, at, &request, place))
        return false;
    struct fh_atomics *const record = w->launch->watch ? &w->launch->atomics : NULL;
    if (record)
        *record = (struct fh_atomics){.bytes = a->bytes};
    for (uint32_t rest = active; rest; rest &= rest - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(rest);
        uint64_t old = 0, result;
        if (refused(a, &place[lane])) {
            w->p[a->done] &= ~(1u << lane);
            continue;
        }
        w->p[a->done] |= 1u << lane;
        fh_place_read(w, &place[lane], a->bytes, &old);
        uint64_t now = act(w, a, lane, old, &result);
        if (now != old || a->action < COMPARE_AND_SWAP || a->action > COMPARE_AND_TELL)
            fh_place_write(w, &place[lane], a->bytes, &now);
        if (record) {
            record->lanes |= 1u << lane;
            record->old[lane] = old;
            record->now[lane] = a->bytes == 8 ? now : (uint32_t)now;
        }
        w->r[a->result][lane] = (uint32_t)result;
        if (a->bytes == 8)
            w->r[a->result + 1][lane] = (uint32_t)(result >> 32);
    }
    return true;
}

static uint32_t type_bytes(uint32_t type) {
    return type == FH_atom_size_64 || type == FH_atom_size_S64 || type == FH_atom_size_F64_RN ? 8
                                                                                              : 4;
}

/* ATOM and ATOMG have operands and modifiers in the same places, and so have their .CAS. */
static void read_atom(const struct fh_op *op, bool swap, struct atomic *a) {
    a->done = op->row[FH_ATOM_Pu];
    a->result = op->row[FH_ATOM_Rd];
    a->action = swap ? COMPARE_AND_SWAP : OPERATE;
    a->operation = op->mod[FH_ATOM_m_op];
    a->type = op->mod[swap ? FH_ATOM_CAS_m_size : FH_ATOM_m_size];
    a->data = op->row[swap ? FH_ATOM_CAS_data : FH_ATOM_data];
    a->compare = op->row[FH_ATOM_CAS_compare];
}
_Static_assert(FH_ATOM_Rd == FH_ATOMG_Rd && FH_ATOM_CAS_Rd == FH_ATOMG_CAS_Rd &&
                   FH_ATOM_data == FH_ATOMG_data && FH_ATOM_CAS_data == FH_ATOMG_CAS_data &&
                   FH_ATOM_CAS_compare == FH_ATOMG_CAS_compare && FH_ATOM_m_op == FH_ATOMG_m_op &&
                   FH_ATOM_m_size == FH_ATOMG_m_size && FH_ATOM_CAS_m_size == FH_ATOMG_CAS_m_size &&
                   FH_ATOM_Rd == FH_ATOM_CAS_Rd,
               "ATOM and ATOMG are alike");

bool fh_exec_atom(struct fh_warp *w, const struct fh_op *op, uint32_t active) {
    struct atomic a = {.space = FH_GENERIC, .result = FH_SINK_ROW, .done = FH_SINK_PRED};
    uint16_t insn = op->inst->form->insn;
    if (insn == FH_INSN_RED) {
        a.operation = op->mod[FH_RED_m_op];
        a.type = op->mod[FH_RED_m_size];
        a.data = op->row[FH_RED_data];
    } else {
        read_atom(op, insn == FH_INSN_ATOM_CAS, &a);
    }
    a.bytes = type_bytes(a.type);
    return carry_out(w, op, active, &a);
}

bool fh_exec_atom_global(struct fh_warp *w, const struct fh_op *op, uint32_t active) {
    struct atomic a = {.space = FH_GLOBAL};
    read_atom(op, op->inst->form->insn == FH_INSN_ATOMG_CAS, &a);
    a.bytes = type_bytes(a.type);
    return carry_out(w, op, active, &a);
}

bool fh_exec_atom_shared(struct fh_warp *w, const struct fh_op *op, uint32_t active) {
    struct atomic a = {.space = FH_SHARED, .done = FH_SINK_PRED};
    a.result = op->row[FH_ATOMS_Rd];
    switch (op->inst->form->insn) {
    case FH_INSN_ATOMS:
        a.operation = op->mod[FH_ATOMS_m_op];
        a.type = op->mod[FH_ATOMS_m_size];
        a.data = op->row[FH_ATOMS_data];
        break;
    case FH_INSN_ATOMS_CAS:
        a.action = COMPARE_AND_SWAP;
        a.type = op->mod[FH_ATOMS_CAS_m_size];
        a.compare = op->row[FH_ATOMS_CAS_compare];
        a.data = op->row[FH_ATOMS_CAS_data];
        break;
    default:
        a.action = COMPARE_AND_TELL;
        a.type = op->mod[FH_ATOMS_CAST_m_size];
        a.compare = op->row[FH_ATOMS_CAST_compare];
        a.data = op->row[FH_ATOMS_CAST_data];
        break;
    }
    a.bytes = type_bytes(a.type);
    return carry_out(w, op, active, &a);
}

static bool simple(struct fh_warp *w, const struct fh_op *op, uint32_t active, enum fh_space space,
                   enum action action, uint16_t result, uint16_t done) {
    const struct atomic a = {.space = space,
                             .action = action,
                             .bytes = action == ARRIVE ? 8 : 4,
                             .result = result,
                             .done = done};
    return carry_out(w, op, active, &a);
}

bool fh_exec_atom_popc(struct fh_warp *w, const struct fh_op *op, uint32_t active) {
    return simple(w, op, active, FH_GENERIC, COUNT, op->row[FH_ATOM_POPC_Rd],
                  op->row[FH_ATOM_POPC_Pu]);
}

bool fh_exec_atom_arrive(struct fh_warp *w, const struct fh_op *op, uint32_t active) {
    return simple(w, op, active, FH_GENERIC, ARRIVE, op->row[FH_ATOM_ARRIVE_Rd],
                  op->row[FH_ATOM_ARRIVE_Pu]);
}

bool fh_exec_atoms_popc(struct fh_warp *w, const struct fh_op *op, uint32_t active) {
    return simple(w, op, active, FH_SHARED, COUNT, op->row[FH_ATOMS_POPC_Rd], FH_SINK_PRED);
}

bool fh_exec_atoms_arrive(struct fh_warp *w, const struct fh_op *op, uint32_t active) {
    return simple(w, op, active, FH_SHARED, ARRIVE, op->row[FH_ATOMS_ARRIVE_Rd], FH_SINK_PRED);
}

bool fh_exec_arrive_copied(struct fh_warp *w, const struct fh_op *op, uint32_t active) {
    return simple(w, op, active, FH_SHARED, ARRIVE, FH_SINK_ROW, FH_SINK_PRED);
}

/* The low bits of an address, which has to be a multiple of the size, say how many bytes at the end
 * are zeros and not read. Takes them off the addresses, into `cut`, and finds what is read. */
static bool find_sources(struct fh_warp *w, const struct fh_op *op, uint32_t lanes,
                         uint64_t at[FH_LANES], uint32_t cut[FH_LANES],
                         struct fh_place from[FH_LANES]) {
    const uint32_t bytes = op->address.bytes;
    for (uint32_t rest = lanes; rest;) {
        uint32_t first = (uint32_t)at[__builtin_ctz(rest)] & (bytes - 1), same = 0;
        for (uint32_t more = rest; more; more &= more - 1) {
            uint32_t lane = (uint32_t)__builtin_ctz(more);
            if ((at[lane] & (bytes - 1)) != first)
                continue;
            at[lane] -= first;
            cut[lane] = first;
            same |= 1u << lane;
        }
        const struct fh_request load = {FH_GLOBAL, bytes - first, false, "a load"};
        if (!fh_places_find(w, op, same, at, &load, from))
            return false;
        rest &= ~same;
    }
    return true;
}

/* LDGSTS: all lanes load before the first one stores, so that both ends are checked first. */
bool fh_exec_copy_async(struct fh_warp *w, const struct fh_op *op, uint32_t active) {
    const uint32_t bytes = op->address.bytes;
    const struct fh_request load = {FH_GLOBAL, bytes, false, "a load"};
    const struct fh_request store = {FH_SHARED, bytes, true, "a store"};
    struct fh_place from[FH_LANES], to[FH_LANES];
    uint64_t at[FH_LANES];
    uint32_t cut[FH_LANES] = {0};
    const bool zfill = op->mod[FH_LDGSTS_m_ZFILL];
    uint32_t copying = fh_lanes_where(w, op, FH_LDGSTS_Pp, active);
    uint32_t writing = zfill ? active : copying;
    fh_address_lanes(w, &op->address, at);
    if (zfill ? !find_sources(w, op, copying, at, cut, from)
              : !fh_places_find(w, op, copying, at, &load, from))
        return false;
    fh_address_lanes(w, &op->to, at);
    if (!fh_places_find(w, op, writing, at, &store, to))
        return false;
    for (uint32_t rest = writing; rest; rest &= rest - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(rest);
        uint8_t value[16] = {0};
        if (copying >> lane & 1)
            fh_place_read(w, &from[lane], bytes - cut[lane], value);
        fh_place_write(w, &to[lane], bytes, value);
    }
    return true;
}

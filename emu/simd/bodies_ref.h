/*
 * bodies_ref.h - what the reference engine's generated functions (ref_*.c) begin with: the bodies
 * of the .isa files, one lane after the other. Never optimised by hand. The fast engine has those
 * that access memory, too, where nobody has written better ones.
 */
#ifndef FH_BODIES_REF_H
#define FH_BODIES_REF_H

#include "atomic.h"
#include "bodies.h"
#include "space.h"
#include "translate.h"

/* The value of source operand i in one lane. */
static inline u64 fh_ref_read(const struct fh_warp *w, const struct fh_op *op, unsigned i,
                              unsigned count, u32 lane) {
    unsigned row = op->row[i];
    switch (op->inst->form->operands[i].kind) {
    case FH_K_REG:
        return count == 2 ? w->r[row][lane] | (u64)w->r[row + 1][lane] << 32 : w->r[row][lane];
    case FH_K_UREG: return fh_uniform_read(w, row, count);
    case FH_K_PRED: return (w->p[row] >> lane & 1) ^ fh_negated(op, i);
    case FH_K_UPRED: return w->up[row] ^ fh_negated(op, i);
    default: return op->imm[i]; /* immediates and constants */
    }
}

/* Writes what the active lanes computed for destination operand i. */
static inline void fh_ref_write(struct fh_warp *w, const struct fh_op *op, unsigned i,
                                unsigned count, u32 active, const u64 *values) {
    if (op->inst->form->operands[i].kind == FH_K_REG) {
        fh_rows_write(w, op->row[i], count, active, values);
        return;
    }
    u32 mask = 0;
    for (u32 lane = 0; lane < FH_LANES; lane++)
        mask |= (u32)(values[lane] != 0) << lane;
    fh_predicate_write(w, op, i, active, mask);
}

/* Which space a generic address is in: 0 global, 1 local, 2 shared. */
static inline u32 space_of(u64 address) {
    u64 inside;
    enum fh_space space = fh_space_of(address, &inside);
    return space == FH_GLOBAL ? 0 : space == FH_LOCAL ? 1 : 2;
}

/* ATOM's operations; see fh_atomic_result. */
static inline u64 atomic_result(u32 operation, u32 type, u64 old, u64 data) {
    return fh_atomic_result(operation, type, old, data);
}

static inline u64 mbarrier_arrive(u64 barrier) {
    return fh_mbarrier_arrive(barrier);
}

/* Up to four registers of one lane, the lowest first. */
static inline u128 fh_lane_read(const struct fh_warp *w, const struct fh_op *op, unsigned i,
                                unsigned count, u32 lane) {
    u128 value = 0;
    for (unsigned k = 0; k < count; k++)
        value |= (u128)w->r[op->row[i] + k][lane] << 32 * k;
    return value;
}

static inline void fh_lane_write(struct fh_warp *w, const struct fh_op *op, unsigned i,
                                 unsigned count, u32 lane, u128 value) {
    for (unsigned k = 0; k < count; k++)
        w->r[op->row[i] + k][lane] = (u32)(value >> 32 * k);
}

#endif

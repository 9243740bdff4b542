/*
 * bodies_ref.h - what the reference engine's generated functions (ref_*.c) begin with: the bodies
 * of the .isa files, one lane after the other. Never optimised by hand.
 */
#ifndef FH_BODIES_REF_H
#define FH_BODIES_REF_H

#include "bodies.h"

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

#endif

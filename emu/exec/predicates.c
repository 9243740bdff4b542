/*
 * predicates.c - predicates to and from registers: P2R, R2P, UP2UR; and what executes an
 * instruction that has an encoding but no known meaning.
 */
#include "fault.h"
#include "handlers.h"
#include "isa_names.h"

#include <stdio.h>

bool fh_exec_p2r(struct fh_warp *w, const struct fh_op *op, uint32_t active) {
    const uint32_t *a = w->r[op->row[FH_P2R_A]];
    uint32_t *d = w->r[op->row[FH_P2R_Rd]];
    unsigned shift = 8 * op->mod[FH_P2R_m_byte];
    uint32_t mask = (uint32_t)op->imm[FH_P2R_B] << shift;
    for (unsigned lane = 0; lane < FH_LANES; lane++) {
        uint32_t bits = 0;
        for (unsigned i = 0; i < FH_PT; i++)
            bits |= (w->p[i] >> lane & 1) << i;
        if (active >> lane & 1)
            d[lane] = (a[lane] & ~mask) | (bits << shift & mask);
    }
    return true;
}

bool fh_exec_r2p(struct fh_warp *w, const struct fh_op *op, uint32_t active) {
    const uint32_t *a = w->r[op->row[FH_R2P_A]];
    unsigned first = 8u * op->part[FH_R2P_A];
    for (unsigned i = 0; i < FH_PT; i++) {
        uint32_t lanes = 0;
        if (!(op->imm[FH_R2P_B] >> i & 1))
            continue;
        for (unsigned lane = 0; lane < FH_LANES; lane++)
            lanes |= (a[lane] >> (first + i) & 1) << lane;
        w->p[i] = (w->p[i] & ~active) | (lanes & active);
    }
    return true;
}

bool fh_exec_up2ur(struct fh_warp *w, const struct fh_op *op, uint32_t active) {
    (void)active;
    unsigned shift = 8 * op->mod[FH_UP2UR_m_byte];
    uint32_t mask = (uint32_t)op->imm[FH_UP2UR_B] << shift, bits = 0;
    for (unsigned i = 0; i < FH_PT; i++)
        bits |= (uint32_t)w->up[i] << i;
    w->ur[op->row[FH_UP2UR_URd]] = (w->ur[op->row[FH_UP2UR_UA]] & ~mask) | (bits << shift & mask);
    return true;
}

bool fh_exec_unsupported(struct fh_warp *w, const struct fh_op *op, uint32_t active) {
    char text[200];
    snprintf(text, sizeof text, "it is known but cannot be executed: %s",
             fh_insns[op->inst->form->insn].unsupported);
    return fh_fault_lanes(w, op, FHEC_FAULT_ILLEGAL, active, text);
}

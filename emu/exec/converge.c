/*
 * converge.c - BMOV: convergence barriers and masks of lanes as values. What the barriers do is in
 * control.c.
 */
#include "fault.h"
#include "handlers.h"
#include "isa_names.h"
#include "warp.h"

#include <stdio.h>

/* R = Bn; with .CLEAR the lane is in no set of its own any more, but in those of the others. */
bool fh_exec_barrier_save(struct fh_warp *w, const struct fh_op *op, uint32_t active) {
    struct fh_flow *f = (struct fh_flow *)w;
    uint32_t *set = f->set[op->row[FH_BMOV_Bn]], *d = w->r[op->row[FH_BMOV_Rd]];
    for (uint32_t rest = active; rest; rest &= rest - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(rest);
        d[lane] = set[lane];
        if (op->mod[FH_BMOV_m_CLEAR])
            set[lane] = 0;
    }
    return true;
}

/* Lanes come to a barrier; a lane that a mask does not name is in none. */
static bool enter(struct fh_flow *f, uint32_t n, uint32_t active, const uint32_t mask[FH_LANES]) {
    for (uint32_t rest = active; rest; rest &= rest - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(rest);
        f->set[n][lane] = mask[lane] >> lane & 1 ? mask[lane] : 0;
    }
    return true;
}

bool fh_exec_barrier_restore(struct fh_warp *w, const struct fh_op *op, uint32_t active) {
    return enter((struct fh_flow *)w, op->row[FH_BMOV_SET_Bn], active,
                 w->r[op->row[FH_BMOV_SET_data]]);
}

static void same_for_all(uint32_t masks[FH_LANES], uint32_t mask) {
    for (uint32_t l = 0; l < FH_LANES; l++)
        masks[l] = mask;
}

bool fh_exec_barrier_fill(struct fh_warp *w, const struct fh_op *op, uint32_t active) {
    uint32_t masks[FH_LANES];
    same_for_all(masks, (uint32_t)op->inst->op[FH_BMOV_SET_I_data].value);
    return enter((struct fh_flow *)w, op->row[FH_BMOV_SET_I_Bn], active, masks);
}

/* Bd = Bn; with .CLEAR the lane is in no set of Bn's any more. */
bool fh_exec_barrier_move(struct fh_warp *w, const struct fh_op *op, uint32_t active) {
    struct fh_flow *f = (struct fh_flow *)w;
    uint32_t *from = f->set[op->row[FH_BMOV_B_Bn]], masks[FH_LANES];
    for (uint32_t l = 0; l < FH_LANES; l++) {
        masks[l] = from[l];
        if (op->mod[FH_BMOV_B_m_CLEAR] && active >> l & 1)
            from[l] = 0;
    }
    return enter(f, op->row[FH_BMOV_B_Bd], active, masks);
}

/* A mask that is the same for all lanes, into the register or barrier that operand 0 is. */
static bool give(struct fh_warp *w, const struct fh_op *op, uint32_t active, uint32_t mask) {
    uint32_t masks[FH_LANES];
    same_for_all(masks, mask);
    if (op->inst->op[0].kind == FH_K_BARRIER)
        return enter((struct fh_flow *)w, op->row[0], active, masks);
    for (uint32_t rest = active; rest; rest &= rest - 1)
        w->r[op->row[0]][__builtin_ctz(rest)] = mask;
    return true;
}

bool fh_exec_read_active(struct fh_warp *w, const struct fh_op *op, uint32_t active) {
    return give(w, op, active, active);
}

bool fh_exec_read_exited(struct fh_warp *w, const struct fh_op *op, uint32_t active) {
    return give(w, op, active, ((const struct fh_flow *)w)->ended);
}

bool fh_exec_write_active(struct fh_warp *w, const struct fh_op *op, uint32_t active) {
    const struct fh_flow *f = (const struct fh_flow *)w;
    uint32_t lane = (uint32_t)__builtin_ctz(active), row = op->row[FH_BMOV_RUN_data];
    bool barrier = op->inst->op[FH_BMOV_RUN_data].kind == FH_K_BARRIER;
    uint32_t mask = barrier ? f->set[row][lane] : w->r[row][lane];
    if (mask == active)
        return true;
    char text[120];
    snprintf(text, sizeof text, "the active lanes are 0x%08x; to make them 0x%08x is not supported",
             active, mask);
    return fh_fault_lanes(w, op, FHEC_FAULT_ILLEGAL, active, text);
}

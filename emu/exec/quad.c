/*
 * quad.c - MOV under a mask of the lanes of a quad.
 */
#include "handlers.h"
#include "isa_names.h"

bool fh_exec_move_quad(struct fh_warp *w, const struct fh_op *op, uint32_t active) {
    /* Bit i of the mask for the lanes 4k + i. */
    uint32_t lanes = active & ((uint32_t)op->imm[FH_MOV_QUAD_mask] & 15) * 0x11111111U;
    uint32_t *d = w->r[op->row[FH_MOV_QUAD_Rd]];
    const uint16_t row = op->row[FH_MOV_QUAD_B];
    for (uint32_t rest = lanes; rest; rest &= rest - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(rest);
        switch (op->inst->op[FH_MOV_QUAD_B].kind) {
        case FH_K_REG: d[lane] = w->r[row][lane]; break;
        case FH_K_UREG: d[lane] = w->ur[row]; break;
        default: d[lane] = (uint32_t)op->imm[FH_MOV_QUAD_B]; break;
        }
    }
    return true;
}

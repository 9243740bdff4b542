/*
 * special.c - S2R, CS2R, S2UR: special registers.
 *
 * Clocks and timers count the instructions that the warp has issued, so that they grow, and are the
 * same in every run. Registers that tell of hardware that is not modelled (performance monitors,
 * error states, ids of units) read zero.
 */
#include "special.h"
#include "exec.h"
#include "handlers.h"
#include "isa_names.h"
#include "warp.h"

/* Instructions that the warp issued before `op`. */
static uint64_t clock_of(const struct fh_warp *w, const struct fh_op *op) {
    const struct fh_flow *f = (const struct fh_flow *)w;
    w->block->busy_wait.clocks++;
    w->launch->changed = true;
    return f->issued + (op->pc / FH_INST_BYTES - f->pc);
}

uint32_t fh_special_register(const struct fh_warp *w, const struct fh_op *op, int64_t id,
                             uint32_t lane) {
    const struct fh_image *image = w->launch->image;
    uint32_t thread = w->index * FH_LANES + lane;
    switch (id) {
    case FH_SR_LANEID: return lane;
    case FH_SR_VIRTID: return w->index << 8; /* %warpid is bits 14:8 */
    case FH_SR_TID_X: return thread % image->block[0];
    case FH_SR_TID_Y: return thread / image->block[0] % image->block[1];
    case FH_SR_TID_Z: return thread / image->block[0] / image->block[1];
    case FH_SR_CTAID_X:
    case FH_SR_CTAID_X + 1:
    case FH_SR_CTAID_Z: return w->block->id[id - FH_SR_CTAID_X];
    case FH_SR_LWINHI: return FH_LOCAL_WINDOW >> 32;
    case FH_SR_LWINLO: return (uint32_t)FH_LOCAL_WINDOW;
    case FH_SR_LWINSZ: return (uint32_t)FH_WINDOW_BYTES;
    case FH_SR_SWINHI: return FH_SHARED_WINDOW >> 32;
    case FH_SR_SWINLO: return (uint32_t)FH_SHARED_WINDOW;
    case FH_SR_SWINSZ: return (uint32_t)FH_WINDOW_BYTES;
    case FH_SR_SMEMSZ: return image->shared_room;
    case FH_SR_LMEMLOSZ: return image->local_bytes;
    case FH_SR_EQMASK: return 1u << lane;
    case FH_SR_LTMASK: return (1u << lane) - 1;
    case FH_SR_LEMASK: return UINT32_MAX >> (31 - lane);
    case FH_SR_GTMASK: return ~(UINT32_MAX >> (31 - lane));
    case FH_SR_GEMASK: return ~((1u << lane) - 1);
    case FH_SR_CLOCKLO:
    case FH_SR_GLOBALTIMERLO: return (uint32_t)clock_of(w, op);
    case FH_SR_CLOCKHI:
    case FH_SR_GLOBALTIMERHI: return (uint32_t)(clock_of(w, op) >> 32);
    default: return 0;
    }
}

bool fh_special_by_lane(int64_t id) {
    return id == FH_SR_LANEID || (id >= FH_SR_TID_X && id <= FH_SR_TID_Z) ||
           (id >= FH_SR_EQMASK && id <= FH_SR_GEMASK);
}

bool fh_special_is_clock(int64_t id) {
    return id >= FH_SR_CLOCKLO && id <= FH_SR_GLOBALTIMERHI;
}

/* The special register into the active lanes of a row. A clock is read once. */
static void special_row(struct fh_warp *w, const struct fh_op *op, int64_t id, uint16_t row,
                        uint32_t active) {
    uint32_t values[FH_LANES];
    if (fh_special_by_lane(id)) {
        for (uint32_t lane = 0; lane < FH_LANES; lane++)
            values[lane] = fh_special_register(w, op, id, lane);
    } else {
        const uint32_t value = fh_special_register(w, op, id, 0);
        for (uint32_t lane = 0; lane < FH_LANES; lane++)
            values[lane] = value;
    }
    fh_row_write(w, row, active, values);
}

bool fh_exec_s2r(struct fh_warp *w, const struct fh_op *op, uint32_t active) {
    special_row(w, op, op->inst->op[FH_S2R_SR].value, op->row[FH_S2R_Rd], active);
    return true;
}

bool fh_exec_cs2r(struct fh_warp *w, const struct fh_op *op, uint32_t active) {
    static const uint32_t zeros[FH_LANES];
    uint16_t row = op->row[FH_CS2R_Rd];
    int64_t id = op->inst->op[FH_CS2R_SR].value;
    /* Clocks are the only registers of 64 bits: the id names the low half. */
    bool clock = id == FH_SR_CLOCKLO || id == FH_SR_GLOBALTIMERLO;
    special_row(w, op, id, row, active);
    if (op->mod[FH_CS2R_m_B32] && clock)
        special_row(w, op, id + 1, (uint16_t)(row + 1), active);
    else if (op->mod[FH_CS2R_m_B32])
        fh_row_write(w, row + 1, active, zeros);
    return true;
}

bool fh_exec_s2ur(struct fh_warp *w, const struct fh_op *op, uint32_t active) {
    int64_t id = op->inst->op[FH_S2UR_SR].value;
    w->ur[op->row[FH_S2UR_URd]] = fh_special_register(w, op, id, (uint32_t)__builtin_ctz(active));
    return true;
}

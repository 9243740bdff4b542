/*
 * special.c - S2R, CS2R, S2UR: special registers.
 *
 * Clocks and timers count the instructions that the warp has issued, so that they grow, and are the
 * same in every run. Registers that tell of hardware that is not modelled (performance monitors,
 * error states, ids of units) read zero.
 */
#include "exec.h"
#include "handlers.h"
#include "isa_names.h"
#include "warp.h"

/* Ids as in common.isa. */
enum {
    SR_LANEID = 0x00,
    SR_VIRTID = 0x03,
    SR_TID_X = 0x21,
    SR_TID_Y = 0x22,
    SR_TID_Z = 0x23,
    SR_CTAID_X = 0x25,
    SR_CTAID_Z = 0x27,
    SR_LWINHI = 0x2e,
    SR_SWINHI = 0x2f,
    SR_SWINLO = 0x30,
    SR_SWINSZ = 0x31,
    SR_SMEMSZ = 0x32,
    SR_LWINLO = 0x34,
    SR_LWINSZ = 0x35,
    SR_LMEMLOSZ = 0x36,
    SR_EQMASK = 0x38,
    SR_LTMASK = 0x39,
    SR_LEMASK = 0x3a,
    SR_GTMASK = 0x3b,
    SR_GEMASK = 0x3c,
    SR_CLOCKLO = 0x50,
    SR_CLOCKHI = 0x51,
    SR_GLOBALTIMERLO = 0x52,
    SR_GLOBALTIMERHI = 0x53,
};

/* Instructions that the warp issued before `op`. */
static uint64_t clock_of(const struct fh_warp *w, const struct fh_op *op) {
    const struct fh_flow *f = (const struct fh_flow *)w;
    w->block->busy_wait.clocks++;
    w->launch->changed = true;
    return f->issued + (op->pc / FH_INST_BYTES - f->pc);
}

static uint32_t special(const struct fh_warp *w, const struct fh_op *op, int64_t id,
                        uint32_t lane) {
    const struct fh_image *image = w->launch->image;
    uint32_t thread = w->index * FH_LANES + lane;
    switch (id) {
    case SR_LANEID: return lane;
    case SR_VIRTID: return w->index << 8; /* %warpid is bits 14:8 */
    case SR_TID_X: return thread % image->block[0];
    case SR_TID_Y: return thread / image->block[0] % image->block[1];
    case SR_TID_Z: return thread / image->block[0] / image->block[1];
    case SR_CTAID_X:
    case SR_CTAID_X + 1:
    case SR_CTAID_Z: return w->block->id[id - SR_CTAID_X];
    case SR_LWINHI: return FH_LOCAL_WINDOW >> 32;
    case SR_LWINLO: return (uint32_t)FH_LOCAL_WINDOW;
    case SR_LWINSZ: return (uint32_t)FH_WINDOW_BYTES;
    case SR_SWINHI: return FH_SHARED_WINDOW >> 32;
    case SR_SWINLO: return (uint32_t)FH_SHARED_WINDOW;
    case SR_SWINSZ: return (uint32_t)FH_WINDOW_BYTES;
    case SR_SMEMSZ: return image->shared_room;
    case SR_LMEMLOSZ: return image->local_bytes;
    case SR_EQMASK: return 1u << lane;
    case SR_LTMASK: return (1u << lane) - 1;
    case SR_LEMASK: return UINT32_MAX >> (31 - lane);
    case SR_GTMASK: return ~(UINT32_MAX >> (31 - lane));
    case SR_GEMASK: return ~((1u << lane) - 1);
    case SR_CLOCKLO:
    case SR_GLOBALTIMERLO: return (uint32_t)clock_of(w, op);
    case SR_CLOCKHI:
    case SR_GLOBALTIMERHI: return (uint32_t)(clock_of(w, op) >> 32);
    default: return 0;
    }
}

static bool differs_by_lane(int64_t id) {
    return id == SR_LANEID || (id >= SR_TID_X && id <= SR_TID_Z) ||
           (id >= SR_EQMASK && id <= SR_GEMASK);
}

/* The special register into the active lanes of a row. */
static void special_row(struct fh_warp *w, const struct fh_op *op, int64_t id, uint16_t row,
                        uint32_t active) {
    const uint32_t width = w->launch->image->block[0], first = w->index * FH_LANES % width;
    uint32_t values[FH_LANES];
    if (!differs_by_lane(id)) {
        const uint32_t value = special(w, op, id, 0);
        for (uint32_t lane = 0; lane < FH_LANES; lane++)
            values[lane] = value;
    } else if (id == SR_TID_X && first + FH_LANES <= width) { /* all in one row of the block */
        for (uint32_t lane = 0; lane < FH_LANES; lane++)
            values[lane] = first + lane;
    } else {
        for (uint32_t lane = 0; lane < FH_LANES; lane++)
            values[lane] = special(w, op, id, lane);
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
    bool clock = id == SR_CLOCKLO || id == SR_GLOBALTIMERLO;
    special_row(w, op, id, row, active);
    if (op->mod[FH_CS2R_m_B32] && clock)
        special_row(w, op, id + 1, (uint16_t)(row + 1), active);
    else if (op->mod[FH_CS2R_m_B32])
        fh_row_write(w, row + 1, active, zeros);
    return true;
}

bool fh_exec_s2ur(struct fh_warp *w, const struct fh_op *op, uint32_t active) {
    int64_t id = op->inst->op[FH_S2UR_SR].value;
    w->ur[op->row[FH_S2UR_URd]] = special(w, op, id, (uint32_t)__builtin_ctz(active));
    return true;
}

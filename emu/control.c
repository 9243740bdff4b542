/*
 * control.c - the control instructions of a warp: branches, ends, convergence barriers.
 *
 * Contract of these handlers with the scheduler (schedule.c): on entry `group` issues the
 * instruction at `pc` and `active` are the lanes of the group for which the guard holds. On return
 * the lanes still in `group` stand at `pc`, all others have their place in lane_pc. The scheduler
 * chooses a new group whenever the runnable lanes are not one group.
 */
#include "control.h"
#include "fault.h"
#include "warp.h"

#include <stdio.h>

static struct fh_flow *flow(struct fh_warp *w) {
    return (struct fh_flow *)w;
}

/* Those of `active` for which the predicate operand holds. */
static uint32_t condition(const struct fh_warp *w, const struct fh_op *op, uint32_t active) {
    uint32_t p = w->p[op->flow.condition];
    return active & (op->flow.condition_neg ? ~p : p);
}

/* `lanes` of the group go to the instruction `target`, the others on. */
static bool jump(struct fh_warp *w, const struct fh_op *op, uint32_t lanes, uint64_t target) {
    struct fh_flow *f = flow(w);
    if (lanes && target >= w->launch->image->count) {
        char text[80];
        snprintf(text, sizeof text, "the branch leads outside the kernel's %u instructions",
                 w->launch->image->count);
        return fh_fault_lanes(w, op, FHEC_FAULT_ILLEGAL, lanes, text);
    }
    if (lanes && target <= f->pc)
        fh_flow_rotate(f);
    if (lanes == f->group) {
        f->pc = (uint32_t)target;
        return true;
    }
    for (uint32_t rest = lanes; rest; rest &= rest - 1)
        f->lane_pc[__builtin_ctz(rest)] = (uint32_t)target;
    if (lanes && target <= f->pc)
        f->floor = f->pc + 1;
    f->group &= ~lanes;
    f->pc++;
    return true;
}

bool fh_exec_bra(struct fh_warp *w, const struct fh_op *op, uint32_t active) {
    return jump(w, op, condition(w, op, active), op->flow.target);
}

/* The mask operand of BRA.DIV and BRA.CONV; `~` was turned into neg. */
static uint32_t uniform_mask(const struct fh_warp *w, const struct fh_op *op) {
    uint32_t i = op->flow.value[0], mask = w->ur[op->row[i]];
    return op->neg[i] ? ~mask : mask;
}

bool fh_exec_bra_div(struct fh_warp *w, const struct fh_op *op, uint32_t active) {
    bool apart = active != uniform_mask(w, op);
    return jump(w, op, apart ? condition(w, op, active) : 0, op->flow.target);
}

bool fh_exec_bra_conv(struct fh_warp *w, const struct fh_op *op, uint32_t active) {
    bool together = active == uniform_mask(w, op);
    return jump(w, op, together ? condition(w, op, active) : 0, op->flow.target);
}

bool fh_exec_exit(struct fh_warp *w, const struct fh_op *op, uint32_t active) {
    struct fh_flow *f = flow(w);
    uint32_t lanes = condition(w, op, active);
    f->pc++;
    if (!lanes)
        return true;
    f->ended |= lanes;
    f->group &= ~lanes;
    fh_flow_recheck(f);
    struct fh_block *block = w->block;
    block->live -= (uint32_t)__builtin_popcount(lanes);
    for (uint32_t i = 0; i < FH_BARRIERS; i++)
        if (block->barriers[i].arrived)
            fh_block_barrier_check(block, i);
    return true;
}

/* `lanes` belong to no set of barrier n any more. */
static void leave(struct fh_flow *f, uint32_t n, uint32_t lanes) {
    for (uint32_t l = 0; l < FH_LANES; l++)
        f->set[n][l] = lanes >> l & 1 ? 0 : f->set[n][l] & ~lanes;
}

bool fh_exec_bssy(struct fh_warp *w, const struct fh_op *op, uint32_t active) {
    struct fh_flow *f = flow(w);
    uint32_t lanes = condition(w, op, active), n = op->flow.barrier;
    leave(f, n, lanes);
    for (uint32_t rest = lanes; rest; rest &= rest - 1)
        f->set[n][__builtin_ctz(rest)] = lanes;
    f->pc++;
    fh_flow_recheck(f);
    return true;
}

bool fh_exec_break(struct fh_warp *w, const struct fh_op *op, uint32_t active) {
    struct fh_flow *f = flow(w);
    leave(f, op->flow.barrier, condition(w, op, active));
    f->pc++;
    fh_flow_recheck(f);
    return true;
}

bool fh_exec_bsync(struct fh_warp *w, const struct fh_op *op, uint32_t active) {
    struct fh_flow *f = flow(w);
    uint32_t lanes = condition(w, op, active), n = op->flow.barrier;
    uint32_t members = 0, awaited = 0;
    for (uint32_t rest = lanes; rest; rest &= rest - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(rest);
        members |= f->set[n][lane] ? 1u << lane : 0;
        awaited |= f->set[n][lane];
    }
    if (awaited & ~f->ended & ~members) {
        fh_flow_wait(f, members, FH_WAIT_SYNC, (uint8_t)n);
        f->pc++;
        fh_flow_recheck(f);
    } else {
        f->pc++; /* everybody is here */
    }
    return true;
}

bool fh_exec_warpsync(struct fh_warp *w, const struct fh_op *op, uint32_t active) {
    struct fh_flow *f = flow(w);
    uint32_t lanes = condition(w, op, active), i = op->flow.value[0], awaited = 0;
    bool immediate = op->inst->op[i].kind == FH_K_IMM;
    for (uint32_t rest = lanes; rest; rest &= rest - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(rest);
        f->wait_mask[lane] = immediate ? (uint32_t)op->imm[i] : w->r[op->row[i]][lane];
        awaited |= f->wait_mask[lane];
    }
    if (awaited & ~f->ended & ~lanes) {
        fh_flow_wait(f, lanes, FH_WAIT_MASK, 0);
        f->pc++;
        fh_flow_recheck(f);
    } else {
        f->pc++;
    }
    return true;
}

bool fh_exec_yield(struct fh_warp *w, const struct fh_op *op, uint32_t active) {
    struct fh_flow *f = flow(w);
    f->pc++;
    if (condition(w, op, active)) {
        fh_flow_rotate(f);
        f->yielded = true;
    }
    return true;
}

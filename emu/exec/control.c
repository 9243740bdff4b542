/*
 * control.c - the control instructions of a warp: branches, ends, convergence barriers.
 *
 * Contract of these handlers with the scheduler (schedule.c): on entry `group` issues the
 * instruction at `pc` and `active` are the lanes of the group for which the guard holds. On return
 * the lanes still in `group` stand at `pc`, all others have their place in lane_pc. The scheduler
 * chooses a new group whenever the runnable lanes are not one group.
 */
#include "control.h"
#include "external.h"
#include "fault.h"
#include "isa_names.h"
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
        snprintf(text, sizeof text, "the branch leads outside the kernel's %u instruction%s",
                 w->launch->image->count, w->launch->image->count == 1 ? "" : "s");
        return fh_fault_lanes(w, op, FHEC_FAULT_ILLEGAL, lanes, text);
    }
    if (lanes && target <= f->pc)
        fh_flow_rotate(f);
    if (lanes == f->group) {
        f->pc = (uint32_t)target;
        return true;
    }
    fh_lanes_put(f->lane_pc, lanes, (uint32_t)target);
    if (lanes && target <= f->pc)
        f->cursor = f->pc + 1;
    f->group &= ~lanes;
    f->pc++;
    return true;
}

bool fh_exec_bra(struct fh_warp *w, const struct fh_op *op, uint32_t active) {
    struct fh_flow *f = flow(w);
    const uint32_t lanes = condition(w, op, active);
    /* All that can run go together: there is nobody to yield to. */
    if (lanes && lanes == fh_runnable(f) && op->flow.target < w->launch->image->count) {
        f->pc = op->flow.target;
        return true;
    }
    return jump(w, op, lanes, op->flow.target);
}

/* Whether a place, in bytes, is no instruction of the kernel. */
static bool is_outside(const struct fh_warp *w, uint64_t to) {
    return to >= (uint64_t)w->launch->image->count * FH_INST_BYTES || to % FH_INST_BYTES;
}

static uint32_t outside(const struct fh_warp *w, uint32_t lanes, const uint64_t to[FH_LANES]) {
    uint32_t lost = 0;
    for (uint32_t rest = lanes; rest; rest &= rest - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(rest);
        lost |= is_outside(w, to[lane]) ? 1u << lane : 0;
    }
    return lost;
}

static bool fault_outside(struct fh_warp *w, const struct fh_op *op, uint32_t lost, uint64_t to) {
    char text[120];
    snprintf(text, sizeof text, "the code address 0x%llx is no instruction of the kernel's %u",
             (unsigned long long)to, w->launch->image->count);
    return fh_fault_lanes(w, op, FHEC_FAULT_ILLEGAL, lost, text);
}

/* Some of `lanes`, the `lost` ones, call functions that the object does not hold. One function is
 * called for all lanes that want it, which then go to where they return to; all others stay, and
 * come to the instruction again. False after a fault. */
static bool call_outside(struct fh_warp *w, const struct fh_op *op, uint32_t lanes, uint32_t lost,
                         uint64_t to[FH_LANES]) {
    enum { RETURN = 20 };
    const uint64_t first = to[__builtin_ctz(lost)];
    const char *name = fh_code_external(w->launch->image->program, first);
    uint32_t callers = 0;
    if (!name)
        return fault_outside(w, op, lost, first);
    for (uint32_t rest = lanes; rest; rest &= rest - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(rest);
        callers |= to[lane] == first ? 1u << lane : 0;
        to[lane] = to[lane] == first ? (uint64_t)w->r[RETURN + 1][lane] << 32 | w->r[RETURN][lane]
                                     : op->pc;
    }
    const uint32_t astray = outside(w, callers, to);
    if (fh_has_external(w, name) && astray)
        return fault_outside(w, op, astray, to[__builtin_ctz(astray)]);
    return fh_call_external(w, op, callers, name);
}

/* Every lane goes to its own place, in bytes; the others of the group go on. */
static bool jump_each(struct fh_warp *w, const struct fh_op *op, uint32_t lanes,
                      uint64_t to[FH_LANES]) {
    struct fh_flow *f = flow(w);
    const uint32_t lost = outside(w, lanes, to);
    uint32_t apart = 0;
    if (lost && !call_outside(w, op, lanes, lost, to))
        return false;
    for (uint32_t rest = lanes; rest; rest &= rest - 1)
        apart |= to[__builtin_ctz(rest)] != to[__builtin_ctz(lanes)];
    if (!apart)
        return jump(w, op, lanes, lanes ? to[__builtin_ctz(lanes)] / FH_INST_BYTES : 0);
    for (uint32_t rest = lanes; rest; rest &= rest - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(rest);
        f->lane_pc[lane] = (uint32_t)(to[lane] / FH_INST_BYTES);
        if (f->lane_pc[lane] <= f->pc)
            f->cursor = f->pc + 1;
    }
    f->group &= ~lanes;
    f->pc++;
    return true;
}

/* Branches, calls and returns to addresses in registers: the sum of the operands, of which a target
 * counts from the next instruction; `from` is added. */
static bool go(struct fh_warp *w, const struct fh_op *op, uint32_t active, uint64_t from) {
    const struct fh_inst *inst = op->inst;
    uint64_t to[FH_LANES];
    for (unsigned i = 0; i < inst->form->operand_count; i++) {
        const struct fh_operand *o = &inst->op[i];
        if (o->kind == FH_K_TARGET)
            from += op->pc + FH_INST_BYTES + (uint64_t)o->value;
        else if (o->kind == FH_K_IMM)
            from += (uint64_t)o->value;
        else if (o->kind == FH_K_UREG)
            from += (uint64_t)w->ur[op->row[i] + 1] << 32 | w->ur[op->row[i]];
    }
    for (uint32_t l = 0; l < FH_LANES; l++)
        to[l] = from;
    for (unsigned i = 0; i < inst->form->operand_count; i++)
        for (uint32_t l = 0; l < FH_LANES && inst->op[i].kind == FH_K_REG; l++)
            to[l] += (uint64_t)w->r[op->row[i] + 1][l] << 32 | w->r[op->row[i]][l];
    return jump_each(w, op, condition(w, op, active), to);
}

bool fh_exec_branch_register(struct fh_warp *w, const struct fh_op *op, uint32_t active) {
    return go(w, op, active, op->pc + FH_INST_BYTES);
}

bool fh_exec_call(struct fh_warp *w, const struct fh_op *op, uint32_t active) {
    return go(w, op, active, 0);
}

bool fh_exec_return(struct fh_warp *w, const struct fh_op *op, uint32_t active) {
    return go(w, op, active, 0);
}

bool fh_exec_trap(struct fh_warp *w, const struct fh_op *op, uint32_t active) {
    if (op->mod[FH_BPT_m_mode] != FH_BPT_mode_DRAIN)
        return fh_fault_lanes(w, op, FHEC_FAULT_TRAP, active, "the kernel asked for a trap");
    flow(w)->pc++;
    return true;
}

bool fh_exec_load_pc(struct fh_warp *w, const struct fh_op *op, uint32_t active) {
    uint16_t row = op->row[FH_LEPC_Rd];
    for (uint32_t rest = active; rest; rest &= rest - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(rest);
        w->r[row][lane] = op->pc;
        w->r[row + 1][lane] = 0;
    }
    return true;
}

/* The mask operand of BRA.DIV and BRA.CONV; `~` is its sign. */
static uint32_t uniform_mask(const struct fh_warp *w, const struct fh_op *op) {
    uint32_t i = op->flow.value[0], mask = w->ur[op->row[i]];
    return fh_negated(op, i) ? ~mask : mask;
}

/* The only one that is called when no lane is active, too. */
bool fh_exec_bra_div(struct fh_warp *w, const struct fh_op *op, uint32_t active) {
    bool apart = condition(w, op, active) != uniform_mask(w, op);
    return jump(w, op, apart ? flow(w)->group : 0, op->flow.target);
}

bool fh_exec_bra_conv(struct fh_warp *w, const struct fh_op *op, uint32_t active) {
    uint32_t lanes = condition(w, op, active);
    return jump(w, op, lanes == uniform_mask(w, op) ? lanes : 0, op->flow.target);
}

/* Lanes end, none of which waits: who waits for them does so no more. */
static void end_lanes(struct fh_flow *f, uint32_t lanes) {
    struct fh_block *block = f->w.block;
    f->ended |= lanes;
    f->group &= ~lanes;
    fh_flow_recheck(f);
    block->live -= (uint32_t)__builtin_popcount(lanes);
    for (uint32_t i = 0; i < FH_BARRIERS; i++)
        if (block->barriers[i].arrived)
            fh_block_barrier_check(block, i);
}

bool fh_exec_exit(struct fh_warp *w, const struct fh_op *op, uint32_t active) {
    struct fh_flow *f = flow(w);
    uint32_t lanes = condition(w, op, active);
    f->pc++;
    if (!lanes)
        return true;
    end_lanes(f, lanes);
    return true;
}

void fh_flow_end(struct fh_flow *f) {
    for (uint32_t i = 0; i < FH_BARRIERS; i++)
        fh_block_barrier_leave(f, i);
    f->waiting = 0;
    end_lanes(f, ~f->ended);
}

/* `lanes` leave the sets of barrier n that they are in, and those that are in them are awaited by
 * the others no more. Lanes that wait in another set for these, which keep it in a register, go on
 * doing so. */
static void leave(struct fh_flow *f, uint32_t n, uint32_t lanes) {
    uint32_t *const set = f->set[n], any = 0;
    for (uint32_t l = 0; l < FH_LANES; l++)
        any |= set[l];
    for (uint32_t rest = any ? lanes : 0; rest;) {     /* usually nobody is in one */
        const uint32_t own = set[__builtin_ctz(rest)]; /* most often that of all the lanes */
        const uint32_t same = fh_lanes_holding(set, own) & rest;
        rest &= ~same;
        for (uint32_t l = 0; l < FH_LANES; l++)
            set[l] &= own & fh_lane_bit[l] ? ~same : UINT32_MAX;
        fh_lanes_put(set, same, 0);
    }
}

bool fh_exec_bssy(struct fh_warp *w, const struct fh_op *op, uint32_t active) {
    struct fh_flow *f = flow(w);
    uint32_t lanes = condition(w, op, active), n = op->flow.barrier;
    if (lanes != UINT32_MAX) /* else each lane leaves its set, and nobody is in it any more */
        leave(f, n, lanes);
    fh_lanes_put(f->set[n], lanes, lanes);
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

/* Whether each lane is in a set of all lanes. */
static bool all_in_one(const uint32_t set[FH_LANES]) {
    uint32_t common = UINT32_MAX;
    for (uint32_t l = 0; l < FH_LANES; l++)
        common &= set[l];
    return common == UINT32_MAX;
}

bool fh_exec_bsync(struct fh_warp *w, const struct fh_op *op, uint32_t active) {
    struct fh_flow *f = flow(w);
    const uint32_t lanes = condition(w, op, active), n = op->flow.barrier;
    uint32_t *const set = f->set[n], members = 0, awaited = 0, common = UINT32_MAX;
    if (lanes == UINT32_MAX && all_in_one(set)) { /* everybody is here */
        fh_lanes_put(set, lanes, 0);
        f->pc++;
        return true;
    }
    for (uint32_t l = 0; l < FH_LANES; l++) {
        const uint32_t own = set[l] & (lanes & fh_lane_bit[l] ? UINT32_MAX : 0);
        members |= own ? fh_lane_bit[l] : 0;
        awaited |= own;
        common &= own | (own ? 0 : UINT32_MAX);
    }
    /* Lanes at different depths of a recursion can be in different sets. */
    if (awaited & ~f->ended & ~members || (members && awaited != common)) {
        fh_flow_wait(f, members, FH_WAIT_SYNC, (uint8_t)n);
        f->pc++;
        fh_flow_recheck(f);
    } else { /* everybody is here, and the set has done its work */
        fh_lanes_put(set, members, 0);
        f->pc++;
    }
    return true;
}

/* Of `lanes`, which come to a WARPSYNC.EXCLUSIVE, those with the mask of the lowest one; the others
 * stay before it and are looked at again when those have made room. */
static uint32_t one_mask(struct fh_flow *f, uint32_t lanes) {
    uint32_t same = 0, mask = lanes ? f->wait_mask[__builtin_ctz(lanes)] : 0;
    for (uint32_t rest = lanes; rest; rest &= rest - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(rest);
        same |= f->wait_mask[lane] == mask ? 1u << lane : 0;
        f->lane_pc[lane] = f->pc;
    }
    f->group &= ~(lanes & ~same);
    f->cursor = f->pc + 1;
    return same;
}

bool fh_exec_warpsync(struct fh_warp *w, const struct fh_op *op, uint32_t active) {
    struct fh_flow *f = flow(w);
    uint32_t lanes = condition(w, op, active), i = op->flow.value[0], awaited = 0;
    bool in_register = op->inst->op[i].kind == FH_K_REG;
    if (in_register)
        for (uint32_t rest = lanes; rest; rest &= rest - 1)
            f->wait_mask[__builtin_ctz(rest)] = w->r[op->row[i]][__builtin_ctz(rest)];
    else
        fh_lanes_put(f->wait_mask, lanes, (uint32_t)op->imm[i]);
    if (op->mod[FH_WARPSYNC_m_mode])
        lanes = one_mask(f, lanes);
    for (uint32_t l = 0; l < FH_LANES; l++)
        awaited |= f->wait_mask[l] & (lanes & fh_lane_bit[l] ? UINT32_MAX : 0);
    if (awaited & ~f->ended & ~lanes) {
        fh_flow_wait(f, lanes, FH_WAIT_MASK, 0);
        f->pc++;
        fh_flow_recheck(f);
    } else {
        f->pc++;
    }
    return true;
}

/* Compilers let the lane that got a lock wait, at the end of the loop that asks for it, for the
 * lanes that still spin, and put a YIELD into that loop: a lane that waits only for lanes that
 * yield, and have done so often, goes on without them and leaves their sets. */
static void pass_spinning(struct fh_flow *f, uint32_t yielding) {
    enum { PATIENCE = 64 };
    uint32_t free_lanes = 0;
    if (!f->waiting || f->spins++ < PATIENCE)
        return;
    for (uint32_t rest = f->waiting; rest; rest &= rest - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(rest), n = f->wait_number[lane];
        if (f->wait[lane] != FH_WAIT_SYNC)
            continue;
        uint32_t there = fh_flow_waiting(f, FH_WAIT_SYNC, (uint8_t)n);
        if (!(f->set[n][lane] & ~f->ended & ~there & ~yielding))
            free_lanes |= 1u << lane;
    }
    for (uint32_t rest = free_lanes; rest; rest &= rest - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(rest);
        leave(f, f->wait_number[lane], 1u << lane);
    }
    f->spins = 0;
    fh_flow_release(f, free_lanes);
}

bool fh_exec_yield(struct fh_warp *w, const struct fh_op *op, uint32_t active) {
    struct fh_flow *f = flow(w);
    f->pc++;
    uint32_t lanes = condition(w, op, active);
    if (lanes) {
        pass_spinning(f, lanes);
        fh_flow_rotate(f);
        f->yielded = true;
    }
    return true;
}

/*
 * barrier.c - the named barriers of a block: BAR.SYNC, BAR.ARV, BAR.RED, and B2R.RESULT.
 *
 * Every lane arrives by itself; a barrier is released when `count` lanes have arrived, or all that
 * have not ended if no count was given. Lanes of one instruction may name different barriers.
 */
#include "control.h"
#include "fault.h"
#include "isa_names.h"
#include "watch.h"

#include <stdio.h>

/* What an arriving lane brings along; kept in wait_mask while it waits, with RED_HOLDS if its
 * predicate holds. */
enum reduction { RED_NONE, RED_POPC, RED_AND, RED_OR, RED_SCAN, RED_HOLDS = 8 };

/* `before` counts the waiting lanes, in the order of the threads, whose predicate holds. */
static void give_result(struct fh_flow *f, uint32_t lanes, const struct fh_barrier *b,
                        uint32_t *before) {
    for (uint32_t rest = lanes; rest; rest &= rest - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(rest);
        uint32_t kind = f->wait_mask[lane] & ~(uint32_t)RED_HOLDS;
        bool holds = f->wait_mask[lane] & RED_HOLDS;
        if (kind == RED_NONE)
            continue;
        bool truth = kind == RED_SCAN  ? holds
                     : kind == RED_AND ? b->ones == b->voters
                                       : b->ones != 0;
        f->red_count[lane] = kind == RED_SCAN ? *before : b->ones;
        *before += holds;
        f->red_truth = (f->red_truth & ~(1u << lane)) | (uint32_t)truth << lane;
    }
}

void fh_block_barrier_check(struct fh_block *block, uint32_t number) {
    struct fh_barrier *b = &block->barriers[number];
    if (b->arrived < (b->count ? b->count : block->live))
        return;
    block->launch->released |= 1u << number;
    uint32_t before = 0, released = 0;
    for (uint32_t i = 0; i < block->launch->image->warps; i++) {
        struct fh_flow *f = &block->warps[i];
        uint32_t lanes = fh_flow_waiting(f, FH_WAIT_BLOCK, (uint8_t)number);
        released += lanes == UINT32_MAX ? FH_LANES : (uint32_t)__builtin_popcount(lanes);
        if (b->voters) /* else no lane that waits there brought a predicate */
            give_result(f, lanes, b, &before);
        fh_flow_release(f, lanes);
        if (lanes) {
            f->freed = block->rounds;
            f->left = 0;
        }
    }
    block->wakes++;
    *b = (struct fh_barrier){0};
    if (block->launch->watch)
        fh_watch_release(block, number, released);
}

void fh_block_barrier_leave(struct fh_flow *f, uint32_t number) {
    struct fh_barrier *b = &f->w.block->barriers[number];
    const uint32_t lanes = b->count ? 0 : fh_flow_waiting(f, FH_WAIT_BLOCK, (uint8_t)number);
    for (uint32_t rest = lanes; rest; rest &= rest - 1) {
        const uint32_t brings = f->wait_mask[__builtin_ctz(rest)];
        b->arrived--;
        b->voters -= brings != RED_NONE;
        b->ones -= (brings & RED_HOLDS) != 0;
    }
}

/* The lane's barrier number, 0 to 15, and count. A register that names the
 * barrier has the number in bits 3:0 and the count in 27:16. A register beside an immediate number
 * has the count in the same bits; one in which they are 0 is taken as the plain count. */
static void operands(const struct fh_warp *w, const struct fh_op *op, uint32_t lane,
                     uint32_t *number, uint32_t *count) {
    *number = *count = 0;
    for (uint32_t v = 0; v < op->flow.values; v++) {
        uint32_t i = op->flow.value[v];
        if (op->inst->op[i].kind == FH_K_IMM) {
            if (v == 0)
                *number = (uint32_t)op->imm[i];
            else if (op->imm[i]) /* 0 is no count: that of the register counts */
                *count = (uint32_t)op->imm[i];
            continue;
        }
        uint32_t value = w->r[op->row[i]][lane];
        *count = value >> 16 & 0xfff;
        if (v == 0)
            *number = value & 15;
        else if (!*count && op->inst->op[op->flow.value[0]].kind == FH_K_IMM)
            *count = value & 0xfff;
    }
}

static bool wrong_count(struct fh_warp *w, const struct fh_op *op, uint32_t lane, uint32_t number,
                        uint32_t expected, uint32_t count) {
    char text[120];
    snprintf(text, sizeof text, "barrier %u is in use with a count of %u, not %u", number, expected,
             count);
    return fh_fault_lanes(w, op, FHEC_FAULT_ILLEGAL, 1u << lane, text);
}

/* Barriers are looked at that lanes of `active` have arrived at, and the warp goes on. One that
 * opens the barrier it waits at yields, so that all go on in their order. */
static bool look(struct fh_flow *f, uint32_t touched, uint32_t active, bool wait) {
    struct fh_block *block = f->w.block;
    f->pc++;
    for (; touched; touched &= touched - 1)
        fh_block_barrier_check(block, (uint32_t)__builtin_ctz(touched));
    f->yielded = wait && (f->waiting & active) != active && block->launch->image->warps > 1;
    return true;
}

/* Whether all lanes name the same barrier and count. */
static bool named_alike(const struct fh_op *op) {
    for (uint32_t v = 0; v < op->flow.values; v++)
        if (op->inst->op[op->flow.value[v]].kind != FH_K_IMM)
            return false;
    return true;
}

/* All lanes of `active` arrive at one barrier, without a reduction; with `wait` they wait. */
static bool arrive_together(struct fh_warp *w, const struct fh_op *op, uint32_t active, bool wait) {
    struct fh_flow *f = (struct fh_flow *)w;
    uint32_t number, count;
    operands(w, op, 0, &number, &count);
    struct fh_barrier *b = &w->block->barriers[number];
    if (b->count && count && b->count != count)
        return wrong_count(w, op, (uint32_t)__builtin_ctz(active), number, b->count, count);
    b->count = count ? count : b->count;
    b->arrived += active == UINT32_MAX ? FH_LANES : (uint32_t)__builtin_popcount(active);
    if (w->launch->watch)
        fh_watch_arrival(f, active, number);
    if (wait) {
        fh_flow_wait(f, active, FH_WAIT_BLOCK, (uint8_t)number);
        for (uint32_t l = 0; active == UINT32_MAX && l < FH_LANES; l++)
            f->wait_mask[l] = RED_NONE;
        for (uint32_t rest = active == UINT32_MAX ? 0 : active; rest; rest &= rest - 1)
            f->wait_mask[__builtin_ctz(rest)] = RED_NONE;
    }
    return look(f, 1u << number, active, wait);
}

/* All lanes of `active` arrive; with `wait` they wait. `votes`: lanes whose predicate holds. */
static bool arrive(struct fh_warp *w, const struct fh_op *op, uint32_t active, bool wait,
                   enum reduction reduction, uint32_t votes) {
    struct fh_flow *f = (struct fh_flow *)w;
    struct fh_block *block = w->block;
    uint32_t number[FH_LANES], count[FH_LANES], touched = 0, expected[FH_BARRIERS];
    if (reduction == RED_NONE && named_alike(op))
        return arrive_together(w, op, active, wait);
    for (uint32_t i = 0; i < FH_BARRIERS; i++)
        expected[i] = block->barriers[i].count;
    for (uint32_t rest = active; rest; rest &= rest - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(rest);
        operands(w, op, lane, &number[lane], &count[lane]);
        uint32_t *e = &expected[number[lane]];
        if (*e && count[lane] && *e != count[lane])
            return wrong_count(w, op, lane, number[lane], *e, count[lane]);
        *e = count[lane] ? count[lane] : *e;
    }
    for (uint32_t rest = active; rest; rest &= rest - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(rest), n = number[lane];
        struct fh_barrier *b = &block->barriers[n];
        touched |= 1u << n;
        b->count = expected[n];
        b->arrived++;
        b->voters += reduction != RED_NONE;
        b->ones += reduction != RED_NONE && (votes >> lane & 1);
        if (wait) {
            fh_flow_wait(f, 1u << lane, FH_WAIT_BLOCK, (uint8_t)n);
            f->wait_mask[lane] = reduction;
            if (reduction != RED_NONE && (votes >> lane & 1))
                f->wait_mask[lane] |= RED_HOLDS;
        }
    }
    for (uint32_t n = 0; w->launch->watch && n < FH_BARRIERS; n++) {
        uint32_t lanes = 0;
        for (uint32_t rest = active; rest; rest &= rest - 1)
            lanes |= number[__builtin_ctz(rest)] == n ? rest & (0u - rest) : 0;
        if (lanes)
            fh_watch_arrival(f, lanes, n);
    }
    return look(f, touched, active, wait);
}

bool fh_exec_bar_sync(struct fh_warp *w, const struct fh_op *op, uint32_t active) {
    return arrive(w, op, active, true, RED_NONE, 0);
}

bool fh_exec_bar_arv(struct fh_warp *w, const struct fh_op *op, uint32_t active) {
    return arrive(w, op, active, false, RED_NONE, 0);
}

bool fh_exec_bar_red(struct fh_warp *w, const struct fh_op *op, uint32_t active) {
    uint32_t p = w->p[op->flow.condition];
    return arrive(w, op, active, true, RED_POPC + op->mod[FH_BAR_RED_m_red],
                  op->flow.condition_neg ? ~p : p);
}

bool fh_exec_bar_scan(struct fh_warp *w, const struct fh_op *op, uint32_t active) {
    uint32_t p = w->p[op->flow.condition];
    return arrive(w, op, active, true, RED_SCAN, op->flow.condition_neg ? ~p : p);
}

bool fh_exec_b2r_result(struct fh_warp *w, const struct fh_op *op, uint32_t active) {
    const struct fh_flow *f = (const struct fh_flow *)w;
    uint32_t *d = w->r[op->row[0]], *p = &w->p[op->row[1]];
    for (uint32_t lane = 0; lane < FH_LANES; lane++)
        d[lane] = active >> lane & 1 ? f->red_count[lane] : d[lane];
    *p = (*p & ~active) | (f->red_truth & active);
    return true;
}

/*
 * happenings.c - beginnings and ends, named barriers, lanes that part and meet, asynchronous
 * copies: found out while somebody wants to know them, in warps that run flagged ops.
 */
#include "happenings.h"

#include "isa_names.h"

#include <string.h>

enum {
    ENDS = 1u << FH_BLOCK_ENDED | 1u << FH_WARP_ENDED,
    FLOW = FH_FLOW_HAPPENINGS,
    BARRIERS = 1u << FH_BARRIER_ARRIVAL | 1u << FH_BARRIER_RELEASED,
    ASYNC = 1u << FH_COPY_ISSUED | 1u << FH_COPIES_DONE,
};

static bool is_insn(const struct fh_op *op, uint16_t insn) {
    return op->inst && op->inst->form->insn == insn;
}

static bool is_control(const struct fh_op *op) {
    return op->control == FH_CONTROL || op->control == FH_CONTROL_ANY;
}

static bool waits_for_copies(const struct fh_op *op) {
    return is_insn(op, FH_INSN_DEPBAR) || is_insn(op, FH_INSN_ARRIVES);
}

bool fh_op_may(const struct fh_op *op, uint32_t kinds) {
    const bool async =
        op->access == FH_COPIES || is_insn(op, FH_INSN_LDGDEPBAR) || waits_for_copies(op);
    return (kinds & (ENDS | FLOW | BARRIERS) && is_control(op)) || (kinds & ASYNC && async);
}

static void tell(struct fh_block *block, const struct fh_happening *happening) {
    struct fh_watch *watch = block->launch->watch;
    for (unsigned i = 0; i < watch->count; i++) {
        const struct fh_hook *hook = &watch->watchers[i].hook;
        if (hook->kinds >> happening->kind & 1 && hook->happens(hook->user, block, happening))
            block->launch->pausing = true;
    }
}

/* ---------------------------------------------------------------- beginnings, ends, barriers */

void fh_watch_block_begins(struct fh_block *block) {
    tell(block, &(struct fh_happening){.kind = FH_BLOCK_BEGINS});
}

void fh_watch_warp_begins(struct fh_flow *f) {
    f->watched = true;
    f->seen = (struct fh_seen){.group = ~f->ended};
    for (uint32_t l = 0; l < FH_LANES; l++)
        f->seen.with[l] = ~f->ended;
    tell(f->w.block, &(struct fh_happening){.kind = FH_WARP_BEGINS, .flow = f, .lanes = ~f->ended});
}

void fh_watch_arrival(struct fh_flow *f, uint32_t lanes, uint32_t barrier) {
    struct fh_block *block = f->w.block;
    const struct fh_watch *watch = block->launch->watch;
    const struct fh_barrier *b = &block->barriers[barrier];
    if (watch->issue)
        tell(block, &(struct fh_happening){.kind = FH_BARRIER_ARRIVAL,
                                           .flow = f,
                                           .op = watch->issue->op,
                                           .lanes = lanes,
                                           .barrier = barrier,
                                           .count = b->arrived,
                                           .expected = b->count ? b->count : block->live});
}

void fh_watch_release(struct fh_block *block, uint32_t barrier, uint32_t lanes) {
    const struct fh_watch *watch = block->launch->watch;
    if (watch->issue)
        tell(block, &(struct fh_happening){.kind = FH_BARRIER_RELEASED,
                                           .flow = watch->issue->flow,
                                           .op = watch->issue->op,
                                           .barrier = barrier,
                                           .count = lanes});
}

/* ---------------------------------------------------------------- lanes that part and meet */

void fh_watch_issues(struct fh_flow *f) {
    struct fh_seen *seen = &f->seen;
    const uint32_t group = f->group;
    if (group == seen->group)
        return;
    const uint32_t joined = group & ~seen->with[__builtin_ctz(group)];
    uint32_t apart = 0;
    for (uint32_t rest = group; rest; rest &= rest - 1)
        apart |= group & ~seen->with[__builtin_ctz(rest)];
    for (uint32_t rest = group; rest; rest &= rest - 1)
        seen->with[__builtin_ctz(rest)] = group;
    const struct fh_happening met = {.kind = FH_LANES_MET,
                                     .flow = f,
                                     .op = &f->w.launch->image->ops[f->pc],
                                     .lanes = group,
                                     .joined = joined};
    seen->group = group;
    if (apart)
        tell(f->w.block, &met);
}

/* Where a lane is, after the instruction: lanes of equal numbers have gone on together. */
static uint64_t standing(const struct fh_flow *f, uint32_t lane) {
    const bool waits = f->waiting >> lane & 1;
    const uint32_t pc = f->group >> lane & 1 ? f->pc : f->lane_pc[lane];
    return (uint64_t)waits << 32 | pc;
}

static void part(struct fh_flow *f, const struct fh_op *op, uint32_t group) {
    const uint32_t live = group & ~f->ended;
    uint32_t first = 0;
    for (uint32_t rest = live; rest;) {
        const uint64_t place = standing(f, (uint32_t)__builtin_ctz(rest));
        uint32_t same = 0;
        for (uint32_t l = 0; l < FH_LANES; l++)
            same |= (uint32_t)(standing(f, l) == place) << l;
        same &= rest;
        for (uint32_t more = same; more; more &= more - 1)
            f->seen.with[__builtin_ctz(more)] = same;
        first = first ? first : same;
        rest &= ~same;
    }
    f->seen.group = f->group & group;
    if (first != live)
        tell(f->w.block,
             &(struct fh_happening){.kind = FH_LANES_PARTED, .flow = f, .op = op, .lanes = live});
}

/* ---------------------------------------------------------------- asynchronous copies */

/* The lanes have waited for the copies up to `last`. */
static void copies_done(struct fh_flow *f, const struct fh_op *op, uint32_t active, uint64_t last) {
    struct fh_seen *seen = &f->seen;
    uint64_t first = last + 1;
    uint32_t lanes = 0;
    for (uint32_t rest = active; rest; rest &= rest - 1) {
        uint64_t *done = &seen->copies_done[__builtin_ctz(rest)];
        if (*done >= last)
            continue;
        lanes |= rest & (0u - rest);
        first = first < *done + 1 ? first : *done + 1;
        *done = last;
    }
    if (lanes)
        tell(f->w.block, &(struct fh_happening){.kind = FH_COPIES_DONE,
                                                .flow = f,
                                                .op = op,
                                                .lanes = lanes,
                                                .first = first,
                                                .last = last});
}

/* The groups up to the n-th open one, and the copies in them, are over: the warp has waited. Lanes
 * that come to wait later find them so. */
static void groups_done(struct fh_flow *f, const struct fh_op *op, uint32_t active,
                        uint32_t groups) {
    struct fh_seen *seen = &f->seen;
    if (groups)
        seen->copies_waited = seen->closed[(seen->first_group + groups - 1) % FH_COPY_GROUPS];
    seen->first_group = (seen->first_group + groups) % FH_COPY_GROUPS;
    seen->group_count -= groups;
    copies_done(f, op, active, seen->copies_waited);
}

/* LDGDEPBAR closes a group, which is counted on the scoreboard of its control fields. */
static void close_group(struct fh_flow *f, const struct fh_op *op, uint32_t active) {
    struct fh_seen *seen = &f->seen;
    if (seen->group_count == FH_COPY_GROUPS) /* nobody waits for so many */
        groups_done(f, op, active, 1);
    const uint32_t i = (seen->first_group + seen->group_count++) % FH_COPY_GROUPS;
    seen->closed[i] = seen->copies;
    seen->scoreboard[i] = op->inst->sched.write_barrier;
}

/* DEPBAR waits until at most `count` groups are outstanding on its scoreboard, and none on those of
 * the set. Groups end in order. */
static void wait_for_groups(struct fh_flow *f, const struct fh_op *op, uint32_t active) {
    const struct fh_seen *seen = &f->seen;
    const uint8_t board = op->inst->op[FH_DEPBAR_SB].reg;
    const uint64_t allowed = op->imm[FH_DEPBAR_count];
    const uint64_t others = (uint64_t)op->inst->op[FH_DEPBAR_more].value;
    uint32_t done = 0;
    uint64_t open = 0; /* groups on the scoreboard, behind the one that is looked at */
    for (uint32_t k = seen->group_count; k-- > 0;) {
        const uint8_t on = seen->scoreboard[(seen->first_group + k) % FH_COPY_GROUPS];
        const bool waited = (on == board && open >= allowed) || (on < 8 && others >> on & 1);
        open += on == board;
        if (waited && !done)
            done = k + 1;
    }
    groups_done(f, op, active, done);
}

static void async(struct fh_flow *f, const struct fh_op *op, uint32_t active) {
    struct fh_seen *seen = &f->seen;
    if (op->access == FH_COPIES) {
        seen->copies++;
        tell(f->w.block, &(struct fh_happening){.kind = FH_COPY_ISSUED,
                                                .flow = f,
                                                .op = op,
                                                .lanes = active,
                                                .first = seen->copies,
                                                .last = seen->copies});
    } else if (is_insn(op, FH_INSN_LDGDEPBAR)) {
        close_group(f, op, active);
    } else if (is_insn(op, FH_INSN_DEPBAR)) {
        wait_for_groups(f, op, active);
    } else if (is_insn(op, FH_INSN_ARRIVES)) { /* for all that the lanes have issued */
        copies_done(f, op, active, seen->copies);
    }
}

void fh_happenings_behind(const struct fh_issue *issue) {
    struct fh_flow *f = issue->flow;
    const struct fh_op *op = issue->op;
    const uint32_t kinds = f->w.launch->watch->kinds;
    if (kinds & ASYNC && issue->active)
        async(f, op, issue->active);
    if (kinds & FLOW && is_control(op))
        part(f, op, issue->group);
}

void fh_watch_ended(const struct fh_issue *issue) {
    struct fh_flow *f = issue->flow;
    struct fh_happening ended = {
        .kind = FH_WARP_ENDED, .flow = f, .op = issue->op, .lanes = issue->group};
    tell(f->w.block, &ended);
    ended.kind = FH_BLOCK_ENDED;
    if (!f->w.block->live)
        tell(f->w.block, &ended);
}

void fh_happenings_end(const struct fh_issue *issue) {
    if (issue->flow->ended == UINT32_MAX && is_control(issue->op))
        fh_watch_ended(issue);
}

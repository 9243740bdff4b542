/*
 * schedule.c - runs the warps of one block in turns until all lanes have ended.
 *
 * A turn ends when the warp cannot go on, yields, has opened a barrier of the block, or has issued
 * FH_WARP_TURN instructions. Warps that a barrier lets go start in the next round. So behind a
 * barrier the first warp is the first to go on, as it nearly always is on a GPU: compiled code is
 * in use that has a race there, which another warp must not win. The order of warps and of the
 * groups in a warp (warp.h) depends on the program only, so every run does the same in the same
 * order.
 */
#include "schedule.h"

#include "block_copy.h"
#include "busy_wait.h"
#include "fault.h"
#include "transaction.h"
#include "warp.h"
#include "watch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ALWAYS_INLINE static inline __attribute__((always_inline))

/* `bytes` bytes or a few more, from the begin of a line of the host's cache on: rows of 128 bytes
 * then lie in two lines, not in three. NULL without memory. */
static void *new_lines(size_t bytes) {
    enum { LINE = 64 };
    return aligned_alloc(LINE, (bytes / LINE + 1) * LINE);
}

struct fh_block *fh_block_new(struct fh_launch_state *launch) {
    const struct fh_image *image = launch->image;
    struct fh_block *block = calloc(1, sizeof *block);
    if (!block)
        return NULL;
    const size_t align = _Alignof(struct fh_flow);
    block->launch = launch;
    block->room = malloc(image->warps * sizeof(struct fh_flow) + align);
    block->shared = new_lines(image->shared_room);
    block->local = new_lines((size_t)image->local_bytes * image->threads);
    if (!block->room || !block->shared || !block->local) {
        fh_block_free(block);
        return NULL;
    }
    block->warps = (struct fh_flow *)(((uintptr_t)block->room + align - 1) / align * align);
    for (uint32_t i = 0; i < image->warps; i++) { /* the rest is cleared for every block */
        memset(block->warps[i].w.r[FH_RZ], 0, sizeof block->warps[i].w.r[0]);
        memset(block->warps[i].w.r[FH_ZERO_ROW], 0,
               (FH_ROWS - FH_ZERO_ROW) * sizeof block->warps[i].w.r[0]);
        memset(block->warps[i].set, 0, sizeof block->warps[i].set);
    }
    return block;
}

void fh_block_free(struct fh_block *block) {
    if (!block)
        return;
    free(block->room);
    free(block->shared);
    free(block->local);
    fh_busy_wait_free(block);
    fh_block_copy_free(block->copy);
    free(block);
}

void fh_block_start(struct fh_block *block, uint64_t index) {
    const struct fh_image *image = block->launch->image;
    block->index = index;
    block->changed = true;
    block->id[0] = (uint32_t)(index % image->grid[0]);
    block->id[1] = (uint32_t)(index / image->grid[0] % image->grid[1]);
    block->id[2] = (uint32_t)(index / image->grid[0] / image->grid[1]);
    fh_fill_bytes(&image->fills.shared, index, 0, block->shared, image->shared_room);
    fh_fill_bytes(&image->fills.local, index, 0, block->local,
                  (size_t)image->local_bytes * image->threads);
    memset(block->barriers, 0, sizeof block->barriers);
    block->live = image->threads;
    block->rounds = 0;
    block->round = (struct fh_round){0};
    block->announced = false;
    block->wakes = 1;
    block->ready_at = 0;
    for (uint32_t i = 0; i < image->warps; i++) {
        uint32_t left = image->threads - i * FH_LANES;
        fh_flow_start(&block->warps[i], block, i, left < FH_LANES ? left : FH_LANES);
    }
    fh_busy_wait_start(block);
    if (block->launch->watch)
        fh_watch_block_begins(block);
}

/* What a turn does beside executing; constants in each of its instances. */
struct mode {
    bool counting, watched;
};

/* Runs one plain instruction for the group of a watched warp. False: a fault, or the launch pauses
 * before it. */
static __attribute__((noinline)) bool run_watched_plain(struct fh_flow *f, const struct fh_op *op,
                                                        bool *fine) {
    const struct fh_issue issue = {f, op, f->group, fh_guarded(&f->w, op, f->group)};
    const uint32_t pc = op->pc / FH_INST_BYTES;
    f->issued += pc - f->pc;
    f->pc = pc;
    if (!fh_watched_begin(&issue))
        return false;
    *fine = !issue.active || op->exec(&f->w, op, issue.active);
    if (!*fine) {
        fh_watched_faulted(&issue);
        return false;
    }
    f->issued++;
    f->pc++;
    if (f->w.launch->counts) {
        fh_count_op(f->w.launch->counts, op, issue.active);
        f->w.launch->counts[pc].active = issue.active;
    }
    fh_watched_end(&issue);
    return true;
}

/* Runs plain instructions of the group from `op` on, up to `end` or to one that is not plain.
 * Returns the one behind the last that ran; *fine is false if that one faulted. Of watched warps:
 * also where the launch is to pause. */
ALWAYS_INLINE const struct fh_op *run_plain(struct fh_flow *f, const struct fh_op *op,
                                            const struct fh_op *end, const struct mode mode,
                                            bool *fine) {
    struct fh_warp *const w = &f->w;
    struct fh_launch_state *const launch = w->launch;
    struct fh_op_count *const counts = launch->counts;
    const uint32_t group = f->group;
    const struct fh_op *const begin = op;
    while (op < end && !op->control && !(mode.watched && launch->pausing)) {
        if (group == UINT32_MAX && op->run && op->run <= end - op) {
            const struct fh_op *const from = op, *const to = op + op->run;
            if (mode.watched && !fh_watched_enter(w, op))
                break;
            op = launch->image->run_superblock(w, op);
            if (mode.counting && counts)
                fh_count_range(counts, from, op);
            *fine = op == to || (mode.watched && launch->pausing);
            if (!*fine)
                break;
            continue;
        }
        const unsigned flags =
            mode.watched ? launch->watch->code->flags[op->pc / FH_INST_BYTES] : 0;
        if (flags & ~(unsigned)FH_BATCH) {
            if (!run_watched_plain(f, op, fine))
                break;
            op++;
            continue;
        }
        uint32_t active = fh_guarded(w, op, group);
        if (active && !op->exec(w, op, active)) {
            *fine = false;
            break;
        }
        if (mode.counting && counts)
            fh_count_op(counts, op, active);
        if (flags)
            counts[op->pc / FH_INST_BYTES].active = active;
        op++;
    }
    if (mode.watched && launch->watch->code->batches && op > begin)
        fh_watched_ran(f, begin, op);
    return op;
}

/* Runs one instruction that is not plain; the group stands behind it, or where it led, afterwards.
 * False: a fault. */
ALWAYS_INLINE bool run_control(struct fh_flow *f, const struct fh_op *op, const struct mode mode) {
    struct fh_warp *w = &f->w;
    struct fh_launch_state *launch = w->launch;
    const uint32_t active = fh_op_active(w, op, f->group);
    const bool acts = active || op->control == FH_CONTROL_ANY;
    if (acts && !op->exec(w, op, active))
        return false;
    if (!acts || (op->control != FH_CONTROL && op->control != FH_CONTROL_ANY))
        f->pc++;
    if (mode.counting && launch->counts)
        fh_count_op(launch->counts, op, active);
    return true;
}

/* The same in a watched warp. *held: the launch pauses before it. */
static __attribute__((noinline)) bool run_watched_control(struct fh_flow *f, const struct fh_op *op,
                                                          bool *held) {
    const struct mode mode = {true, true};
    if (!f->w.launch->watch->code->flags[f->pc])
        return run_control(f, op, mode);
    const struct fh_issue issue = {f, op, f->group, fh_op_active(&f->w, op, f->group)};
    *held = !fh_watched_begin(&issue);
    if (*held)
        return true;
    if (!run_control(f, op, mode)) {
        fh_watched_faulted(&issue);
        return false;
    }
    f->issued++;
    fh_watched_end(&issue);
    f->issued--;
    return true;
}

/* The turn of a warp, from where it stands. FH_GOES_ON: it is over. An instruction that faults has
 * not been issued, for counts and steps, and the turn stands before it.
 *
 * Where the launch pauses must not show: the group that issues stays the same, and is chosen anew
 * only where it would be chosen anyway. */
ALWAYS_INLINE enum fh_outcome turn(struct fh_flow *f, struct fh_round *round,
                                   const struct mode mode) {
    struct fh_launch_state *const launch = f->w.launch;
    const struct fh_image *image = launch->image;
    const struct fh_op *const ops = mode.watched ? launch->watch->code->ops : image->ops;
    const uint64_t allowed = launch->pause_at && launch->pause_at - launch->steps < round->left
                                 ? launch->pause_at - launch->steps
                                 : round->left;
    const bool cut = allowed < round->left;
    uint64_t left = allowed;
    bool fine = true, able = true;
    while (able && left && !(mode.watched && launch->pausing)) {
        const bool alone = f->group == fh_runnable(f);
        if (mode.watched && launch->watch->kinds & FH_FLOW_HAPPENINGS)
            fh_watch_issues(f);
        uint64_t n = image->count + 1 - f->pc; /* with the one that faults at the end */
        n = n < left ? n : left;
        if (!alone) {
            n = n < f->turn ? n : f->turn;
            n = n < f->stop - f->pc ? n : f->stop - f->pc;
        }
        const struct fh_op *const first = ops + f->pc, *const end = first + n;
        const uint32_t pc = f->pc;
        const uint64_t before = f->issued;
        const struct fh_op *op = run_plain(f, first, end, mode, &fine);
        const uint32_t issued = (uint32_t)(op - first);
        f->pc = pc + issued;
        f->issued = before + issued;
        left -= issued;
        f->turn -= alone ? 0 : issued;
        const bool over = op == end; /* the group has issued all that it may in one go */
        if (!fine || (mode.watched && launch->pausing && !over))
            break;
        if (!over) {
            bool held = false;
            fine = mode.watched ? run_watched_control(f, op, &held) : run_control(f, op, mode);
            if (!fine || held)
                break;
            f->issued++;
            left--;
            if (!f->group || f->group != fh_runnable(f))
                able = fh_flow_select(f);
            if (f->yielded) {
                f->yielded = false;
                able = false;
            }
        } else if (!alone && (left || !cut || !f->turn || f->pc == f->stop)) {
            if (!f->turn)
                fh_flow_rotate(f);
            able = fh_flow_select(f);
        }
    }
    launch->steps += allowed - left;
    round->left -= (uint32_t)(allowed - left);
    if (!fine)
        return FH_FAULTED;
    round->in_turn = able && round->left;
    return round->in_turn ? FH_PAUSED : FH_GOES_ON;
}

static enum fh_outcome turn_plain(struct fh_flow *f, struct fh_round *round) {
    return turn(f, round, (struct mode){false, false});
}

static enum fh_outcome turn_counting(struct fh_flow *f, struct fh_round *round) {
    return turn(f, round, (struct mode){true, false});
}

static enum fh_outcome turn_watched(struct fh_flow *f, struct fh_round *round) {
    return turn(f, round, (struct mode){true, true});
}

/* Reports that no warp of the block can go on, with the places where lanes wait. */
static void report_deadlock(struct fh_block *block) {
    const struct fh_image *image = block->launch->image;
    const struct fh_flow *blamed = NULL;
    char text[360] = "no lane can go on; waiting are";
    size_t used = strlen(text);
    for (uint32_t i = 0; i < image->warps; i++) {
        const struct fh_flow *f = &block->warps[i];
        for (uint32_t rest = f->waiting & ~f->ended; rest;) {
            uint32_t pc = f->lane_pc[__builtin_ctz(rest)], lanes = 0;
            for (uint32_t l = 0; l < FH_LANES; l++)
                lanes |= (rest >> l & 1 && f->lane_pc[l] == pc) ? 1u << l : 0;
            rest &= ~lanes;
            if (used + 60 < sizeof text)
                used += (size_t)snprintf(text + used, sizeof text - used,
                                         "%s warp %u lanes 0x%08x at 0x%04x", blamed ? "," : "", i,
                                         lanes, pc * FH_INST_BYTES);
            else if (text[used - 1] != '.')
                used += (size_t)snprintf(text + used, sizeof text - used, " ...");
            blamed = blamed ? blamed : f;
        }
    }
    struct fh_warp *w = (struct fh_warp *)&blamed->w;
    uint32_t lanes = blamed->waiting & ~blamed->ended;
    fh_fault_lanes(w, &image->ops[blamed->lane_pc[__builtin_ctz(lanes)]], FHEC_FAULT_DEADLOCK,
                   lanes, text);
}

static void report_limit(struct fh_flow *f) {
    char text[100];
    snprintf(text, sizeof text, "the launch has issued all the %llu warp instructions it may",
             (unsigned long long)f->w.launch->max_steps);
    fh_fault_lanes(&f->w, &f->w.launch->image->ops[f->pc], FHEC_FAULT_STEP_LIMIT, f->group, text);
}

/* Whether the block waits, for the caller that has another one to run. */
static enum fh_outcome look(struct fh_block *block) {
    switch (fh_busy_wait_look(block)) {
    case FH_SAME_STATE: return FH_WAITS;
    case FH_CANNOT_TELL: return FH_NO_MEMORY;
    default: return FH_GOES_ON;
    }
}

static void begin_warp(struct fh_flow *f) {
    fh_flow_begin(f);
    if (f->w.launch->watch && !f->watched)
        fh_watch_warp_begins(f);
}

/* Gets the warp ready for its turn. False: it has none in this round. */
static bool begin_turn(struct fh_block *block, struct fh_flow *f) {
    struct fh_round *round = &block->round;
    round->unfinished |= f->ended != UINT32_MAX;
    begin_warp(f);
    if (!fh_runnable(f) && !fh_flow_unstick(f, false))
        return false;
    round->busy = true;
    if (f->freed == block->rounds) /* behind those before it, which have been passed already */
        return false;
    fh_flow_select(f);
    round->in_turn = true;
    round->left = block->launch->short_turns ? FH_SHORT_TURN : FH_WARP_TURN;
    return true;
}

/* Cuts `left` to what the launch may issue yet. */
static uint32_t within_limit(const struct fh_launch_state *launch, uint32_t left) {
    const uint64_t most = launch->max_steps ? launch->max_steps - launch->steps : UINT64_MAX;
    return most < left ? (uint32_t)most : left;
}

/* Goes on with the turn that the warp is in. */
static enum fh_outcome take_turn(struct fh_flow *f, struct fh_round *round) {
    struct fh_launch_state *launch = f->w.launch;
    if (launch->watch && fh_watch_turn(&f->w))
        return turn_watched(f, round);
    return launch->counts ? turn_counting(f, round) : turn_plain(f, round);
}

/* Whether what the launch has read means nothing, since the host had no memory. */
static bool is_lost(struct fh_launch_state *launch) {
    if (!launch->transaction || !launch->transaction->failed)
        return false;
    launch->fault.kind = FHEC_FAULT_NONE;
    return true;
}

/* The turns of the round that are left. FH_GOES_ON: all have been taken. */
static enum fh_outcome take_turns(struct fh_block *block) {
    struct fh_launch_state *launch = block->launch;
    struct fh_round *round = &block->round;
    for (; round->warp < launch->image->warps; round->warp++) {
        struct fh_flow *f = &block->warps[round->warp];
        if (!round->in_turn) {
            if (fh_launch_paused(launch))
                return FH_PAUSED;
            if (!begin_turn(block, f))
                continue;
        }
        if (fh_launch_cancelled(launch))
            return FH_CANCELLED;
        if (launch->steering && !launch->steering->before(launch->steering->user, f))
            return FH_PAUSED;
        round->left = within_limit(launch, round->left);
        if (!round->left) {
            report_limit(f);
            return FH_FAULTED;
        }
        enum fh_outcome outcome = take_turn(f, round);
        if (outcome != FH_GOES_ON)
            return outcome;
    }
    return fh_launch_paused(launch) ? FH_PAUSED : FH_GOES_ON;
}

/* Lets others know how far the launch is. */
static void tell_progress(struct fh_launch_state *launch, uint64_t instructions, bool ended) {
    struct fh_progress *p = launch->progress;
    if (!p)
        return;
    atomic_fetch_add_explicit(&p->instructions, instructions, memory_order_relaxed);
    if (ended)
        atomic_fetch_add_explicit(&p->blocks_done, 1, memory_order_relaxed);
}

/* Lets lanes of some warp go where no warp can go on. */
static bool unstick_any(struct fh_block *block) {
    bool able = false;
    for (uint32_t i = 0; !able && i < block->launch->image->warps; i++)
        able = fh_flow_unstick(&block->warps[i], true);
    return able;
}

enum fh_outcome fh_block_round(struct fh_block *block) {
    struct fh_round *round = &block->round;
    const uint64_t steps = block->launch->steps;
    block->changed = true;
    if (!round->under_way) {
        block->rounds++;
        *round = (struct fh_round){.under_way = true};
    }
    enum fh_outcome outcome = take_turns(block);
    tell_progress(block->launch, block->launch->steps - steps,
                  outcome == FH_GOES_ON && !round->unfinished);
    if (is_lost(block->launch))
        return FH_NO_MEMORY;
    if (outcome != FH_GOES_ON)
        return outcome;
    if (round->unfinished && !round->busy && !unstick_any(block)) {
        report_deadlock(block);
        return FH_FAULTED;
    }
    round->under_way = false;
    return round->unfinished ? look(block) : FH_DONE;
}

enum fh_outcome fh_block_run(struct fh_block *block, fh_watch_fn *watch, void *user) {
    enum fh_outcome outcome;
    while ((outcome = fh_block_round(block)) == FH_GOES_ON)
        if (watch && watch(user))
            return FH_CANCELLED;
    return outcome;
}

/* ---------------------------------------------------------------- slices */

static bool can_run(struct fh_flow *f) {
    return fh_runnable(f) || fh_flow_unstick(f, false);
}

uint32_t fh_block_ready(struct fh_block *block) {
    if (block->ready_at == block->wakes)
        return block->ready;
    block->ready = 0;
    for (uint32_t i = 0; i < block->launch->image->warps; i++)
        block->ready |= (uint32_t)can_run(&block->warps[i]) << i;
    block->ready_at = block->wakes;
    return block->ready;
}

void fh_block_end_turns(struct fh_block *block) {
    for (uint32_t i = 0; i < block->launch->image->warps; i++)
        block->warps[i].left = 0;
    block->ready_at = 0;
}

/* Goes on with the turn that the warp is in, for up to `most` instructions. */
static enum fh_outcome take_slice(struct fh_flow *f, uint32_t most) {
    struct fh_launch_state *launch = f->w.launch;
    const uint64_t pause_at = launch->pause_at, end = launch->steps + most;
    struct fh_round round = {.in_turn = true, .left = f->left};
    launch->pause_at = pause_at && pause_at < end ? pause_at : end;
    const enum fh_outcome outcome = take_turn(f, &round);
    launch->pause_at = pause_at;
    f->left = outcome == FH_GOES_ON ? 0 : round.left;
    return outcome;
}

enum fh_outcome fh_block_slice(struct fh_block *block, uint32_t warp, uint32_t *left) {
    struct fh_launch_state *launch = block->launch;
    struct fh_flow *f = &block->warps[warp];
    block->changed = true;
    if (!f->left) {
        begin_warp(f);
        fh_flow_select(f);
        f->left = UINT32_MAX;
    }
    if (fh_launch_cancelled(launch))
        return FH_CANCELLED;
    if (launch->steering && !launch->steering->before(launch->steering->user, f))
        return FH_PAUSED;
    const uint32_t most = within_limit(launch, *left);
    if (!most) {
        report_limit(f);
        return FH_FAULTED;
    }
    const uint64_t steps = launch->steps;
    const enum fh_outcome outcome = take_slice(f, most);
    tell_progress(launch, launch->steps - steps, false);
    if (is_lost(launch))
        return FH_NO_MEMORY;
    *left -= (uint32_t)(launch->steps - steps);
    if (outcome == FH_FAULTED)
        return outcome;
    if (outcome == FH_GOES_ON) { /* the turn is over, and so is the slice */
        *left = 0;
        if (!can_run(f))
            block->ready &= ~(1u << warp);
    }
    return *left && fh_launch_paused(launch) ? FH_PAUSED : FH_GOES_ON;
}

enum fh_outcome fh_block_settle(struct fh_block *block) {
    if (fh_block_ready(block))
        return FH_GOES_ON;
    if (!block->live) {
        tell_progress(block->launch, 0, true);
        return FH_DONE;
    }
    if (unstick_any(block)) {
        block->wakes++;
        (void)fh_block_ready(block);
        return FH_GOES_ON;
    }
    report_deadlock(block);
    return FH_FAULTED;
}

/* ordered.c - see ordered.h. */
#include "ordered.h"

#include "busy_wait.h"
#include "warp.h"

enum {
    TEST_AFTER = 1 << 16, /* instructions for each resident warp without a block's begin or end */
    TEST_ROUNDS = 256,    /* of a test, unless all blocks are in loops by then */
    MOST_DOUBLED = 20     /* how often the time between two tests is doubled */
};

/* Blocks begin while there are some and there is room. False: no host memory. */
static bool start_blocks(struct fh_residents *r) {
    const uint64_t blocks = r->launch->image->blocks;
    while (r->next < blocks && r->count < r->limit) {
        if (!fh_residents_start(r, fh_order_block(&r->order, r->next, blocks)))
            return false;
        (void)fh_block_ready(r->blocks[r->count - 1]);
    }
    return true;
}

/* Draws go on; the next test is due when as much has been issued again, or twice as much. */
static void end_test(struct fh_residents *r, bool suspected) {
    struct fh_order *o = &r->order;
    o->testing = r->launch->short_turns = r->launch->tracked = false;
    o->from = r->launch->steps;
    o->tests += !suspected && o->tests < MOST_DOUBLED;
    o->suspected = suspected;
    o->unsettled = true;
    for (uint64_t i = 0; i < r->count; i++)
        fh_block_end_turns(r->blocks[i]);
}

/* A block has ended: nobody is suspected of waiting. */
static void restart_tests(struct fh_residents *r) {
    struct fh_launch_state *launch = r->launch;
    r->order.tests = 0;
    r->order.suspected = false;
    r->order.from = launch->steps;
    if (launch->spinning && launch->progress)
        atomic_store_explicit(&launch->progress->spinning, false, memory_order_relaxed);
    launch->spinning = false;
}

static void retire(struct fh_residents *r, uint64_t place) {
    fh_residents_retire(r, place);
    fh_order_ended(&r->order, place);
    restart_tests(r);
}

/* Behind a test, whose last round may have left blocks in which no warp can run, and when the host
 * has ended warps. FH_GOES_ON or FH_FAULTED. */
static enum fh_outcome settle_all(struct fh_residents *r) {
    for (uint64_t i = 0; i < r->count;) {
        const enum fh_outcome outcome = fh_block_settle(r->blocks[i]);
        if (outcome == FH_FAULTED)
            return outcome;
        if (outcome == FH_DONE)
            retire(r, i);
        else
            i++;
    }
    r->order.unsettled = false;
    return FH_GOES_ON;
}

static bool test_due(const struct fh_residents *r) {
    const uint64_t warps = r->count * r->launch->image->warps;
    return r->order.how->kind == FHEC_ORDER_SEED &&
           r->launch->steps - r->order.from >= (warps * TEST_AFTER) << r->order.tests;
}

static void begin_test(struct fh_residents *r) {
    for (uint64_t i = 0; i < r->count; i++) {
        fh_block_end_turns(r->blocks[i]);
        fh_busy_wait_start(r->blocks[i]);
    }
    r->order.testing = r->launch->short_turns = true;
    r->order.rounds = 0;
    r->order.residents = r->count;
    r->at = 0;
    r->moved = true;
    r->clocked = false;
    r->launch->spinning = false;
}

/* Chooses the next slice, or begins a test. */
static enum fh_outcome choose(struct fh_residents *r) {
    if (r->order.unsettled && settle_all(r) == FH_FAULTED)
        return FH_FAULTED;
    if (!start_blocks(r))
        return FH_NO_MEMORY;
    if (!r->count)
        return FH_DONE;
    if (test_due(r)) {
        begin_test(r);
        return FH_GOES_ON;
    }
    const enum fh_outcome outcome = fh_order_choose(&r->order, r->blocks, r->count);
    r->order.running = outcome == FH_GOES_ON;
    return outcome;
}

/* The slice under way, to its end. */
static enum fh_outcome finish(struct fh_residents *r) {
    struct fh_order *o = &r->order;
    struct fh_block *block = r->blocks[o->place];
    enum fh_outcome outcome = FH_GOES_ON;
    while (o->left && outcome == FH_GOES_ON)
        outcome = fh_block_slice(block, o->warp, &o->left);
    if (outcome != FH_GOES_ON)
        return outcome;
    if (fh_launch_paused(r->launch))
        return FH_PAUSED;
    outcome = fh_block_settle(block);
    if (outcome == FH_FAULTED)
        return outcome;
    o->running = false;
    if (outcome == FH_DONE)
        retire(r, o->place);
    else
        fh_order_ran(o, r->blocks, r->count);
    return FH_GOES_ON;
}

/* One round of a test, or the rest of one. */
static enum fh_outcome test(struct fh_residents *r) {
    struct fh_order *o = &r->order;
    const enum fh_outcome outcome = fh_residents_round(r);
    if (outcome != FH_GOES_ON)
        return outcome;
    const bool over = fh_residents_standstill(r);
    o->rounds++;
    if (r->count < o->residents) {
        end_test(r, false);
        restart_tests(r);
    } else if (over && o->suspected) {
        fh_residents_report(r);
        return FH_FAULTED;
    } else if (over || (o->rounds >= TEST_ROUNDS && (!r->idle || r->launch->spinning))) {
        end_test(r, over);
    }
    return FH_GOES_ON;
}

/* What the host may have done to blocks in the meantime. */
static void take_notice(struct fh_residents *r) {
    r->launch->short_turns = r->order.testing;
    for (uint64_t i = 0; i < r->count && !r->order.testing; i++)
        if (r->blocks[i]->ready_at != r->blocks[i]->wakes) {
            (void)fh_block_ready(r->blocks[i]);
            r->order.known = false;
        }
}

enum fh_outcome fh_ordered_go(struct fh_residents *r) {
    enum fh_outcome outcome = FH_GOES_ON;
    if (!r->launch->order)
        return fh_residents_go(r);
    take_notice(r);
    while (outcome == FH_GOES_ON)
        outcome = r->order.testing ? test(r) : r->order.running ? finish(r) : choose(r);
    return outcome;
}

void fh_ordered_ended(struct fh_residents *r, struct fh_flow *f) {
    struct fh_order *o = &r->order;
    struct fh_block *block = f->w.block;
    struct fh_round *round = &block->round;
    if (round->in_turn && round->warp == f->w.index)
        round->in_turn = false;
    round->busy = true; /* those it has let go are perhaps behind their turn of this round */
    if (o->running && !o->testing && r->blocks[o->place] == block && o->warp == f->w.index)
        o->left = 0;
    f->left = 0;
    block->changed = true;
    block->wakes++;
    o->unsettled = true;
}

bool fh_ordered_foresee(const struct fh_residents *r, uint64_t *place, uint32_t *warp) {
    const struct fh_order *o = &r->order;
    *place = o->place;
    *warp = o->warp;
    if (o->running && o->left)
        return true;
    const bool starts = r->next < r->launch->image->blocks && r->count < r->limit;
    return !starts && !test_due(r) && fh_order_foresee(o, r->blocks, r->count, place, warp);
}

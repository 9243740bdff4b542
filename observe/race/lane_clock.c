/*
 * lane_clock.c - see lane_clock.h.
 */
#include "lane_clock.h"

#include <stdlib.h>
#include <string.h>

static uint32_t tick(struct fh_race_time *time) {
    time->failed |= time->now == UINT32_MAX - 1;
    return time->now < UINT32_MAX - 1 ? ++time->now : time->now;
}

/* ---------------------------------------------------------------- blocks */

struct fh_block_clocks *fh_block_clocks_new(uint64_t index, const uint32_t id[3], uint32_t threads,
                                            uint32_t now) {
    struct fh_block_clocks *block = calloc(1, sizeof *block);
    const uint32_t warps = (threads + FHEC_WARP_LANES - 1) / FHEC_WARP_LANES;
    if (block)
        block->warp = calloc(warps, sizeof *block->warp);
    if (!block || !block->warp) {
        free(block);
        return NULL;
    }
    block->index = index;
    memcpy(block->id, id, sizeof block->id);
    block->warps = warps;
    for (uint32_t w = 0; w < warps; w++) {
        const uint32_t lanes = threads - w * FHEC_WARP_LANES;
        block->warp[w].live = lanes >= FHEC_WARP_LANES ? UINT32_MAX : (UINT32_C(1) << lanes) - 1;
        for (uint32_t l = 0; l < FHEC_WARP_LANES; l++)
            block->warp[w].lane[l].time = now;
    }
    return block;
}

static void let_go(struct fh_gathered *gathered) {
    fh_clock_drop(gathered->known);
    fh_clock_drop(gathered->fenced_block);
    fh_clock_drop(gathered->fenced_grid);
    fh_clock_drop(gathered->over);
}

static void warp_free(struct fh_warp_clocks *warp) {
    for (uint32_t i = 0; i < warp->gathering_count; i++)
        let_go(&warp->gathering[i].all);
    for (uint32_t l = 0; l < FHEC_WARP_LANES; l++) {
        fh_clock_drop(warp->lane[l].known);
        fh_clock_drop(warp->lane[l].fenced_block);
        fh_clock_drop(warp->lane[l].fenced_grid);
        fh_clock_drop(warp->lane[l].got);
        fh_clock_drop(warp->lane[l].over);
        fh_clock_drop(warp->lane[l].got_over);
    }
    free(warp->copies);
}

void fh_signal_free(void *signal) {
    struct fh_signal *s = signal;
    fh_clock_drop(s->grid);
    fh_clock_drop(s->block);
    fh_clock_drop(s->over);
    free(s);
}

void fh_block_clocks_free(struct fh_block_clocks *block) {
    if (!block)
        return;
    for (uint32_t w = 0; w < block->warps; w++)
        warp_free(&block->warp[w]);
    for (unsigned i = 0; i < FH_NAMED_BARRIERS; i++)
        let_go(&block->barrier[i].all);
    free(block->warp);
    fh_touched_free(&block->shared);
    fh_disputed_free(&block->disputed);
    fh_number_map_clear(&block->signals, fh_signal_free);
    free(block);
}

/* ---------------------------------------------------------------- gathering and handing out */

/* Adds what the lanes know; most know the same. */
static void bring(struct fh_race_time *time, const struct fh_warp_clocks *warp, uint32_t lanes,
                  struct fh_gathered *to) {
    const struct fh_clock *last = NULL;
    for (uint32_t rest = lanes; rest; rest &= rest - 1) {
        const struct fh_lane_clock *lane = &warp->lane[__builtin_ctz(rest)];
        if (lane->known != last)
            fh_clock_learn(&to->known, lane->known, &time->failed);
        last = lane->known;
        if (time->publishes && lane->foreign_over) {
            fh_clock_learn(&to->over, lane->over, &time->failed);
            to->foreign_over = true;
        }
        if (!time->fences)
            continue;
        fh_clock_learn(&to->fenced_block, lane->fenced_block, &time->failed);
        fh_clock_learn(&to->fenced_grid, lane->fenced_grid, &time->failed);
    }
}

/* Adds what the lanes did until now; entries[] has room for FHEC_WARP_LANES more. */
static size_t tell_of(const struct fh_block_clocks *block, uint32_t warp, uint32_t lanes,
                      uint32_t now, struct fh_known *entries) {
    size_t count = 0;
    if (lanes == block->warp[warp].live)
        entries[count++] = (struct fh_known){fh_who_warp(block->index, warp), now};
    for (uint32_t rest = count ? 0 : lanes; rest; rest &= rest - 1)
        entries[count++] =
            (struct fh_known){fh_who_lane(block->index, warp, (uint32_t)__builtin_ctz(rest)), now};
    return count;
}

static void replace_clock(struct fh_clock **held, struct fh_clock *by) {
    struct fh_clock *before = *held;
    if (before == by)
        return;
    *held = fh_clock_keep(by);
    fh_clock_drop(before);
}

static void look_up(struct fh_lane_clock *lane, const struct fh_block_clocks *block,
                    uint32_t warp) {
    lane->own_block = fh_clock_time(lane->known, block->index, FH_CLOCK_ALL, FH_CLOCK_ALL);
    lane->own_warp = fh_clock_time(lane->known, block->index, (int32_t)warp, FH_CLOCK_ALL);
    lane->foreign = fh_clock_foreign(lane->known, block->index);
}

/* What all have read is over then: where lanes wait for each other, what they have loaded is there,
 * or it would not matter. */
static void end_reads(struct fh_race_time *time, struct fh_gathered *all) {
    if (time->publishes && all->foreign_over)
        fh_clock_learn(&all->over, all->known, &time->failed);
}

/* The lanes know, and have fenced, what was gathered, among it all of theirs. */
static void hand_out(struct fh_race_time *time, struct fh_block_clocks *block, uint32_t warp,
                     uint32_t lanes, const struct fh_gathered *from) {
    struct fh_lane_clock *first = NULL;
    for (uint32_t rest = lanes; rest; rest &= rest - 1) {
        struct fh_lane_clock *lane = &block->warp[warp].lane[__builtin_ctz(rest)];
        replace_clock(&lane->known, from->known);
        if (time->fences) {
            replace_clock(&lane->fenced_block, from->fenced_block);
            replace_clock(&lane->fenced_grid, from->fenced_grid);
        }
        if (time->publishes) {
            replace_clock(&lane->over, from->foreign_over ? from->over : from->known);
            lane->foreign_over = from->foreign_over;
        }
        lane->time = time->now;
        if (!first)
            look_up(lane, block, warp);
        lane->own_block = first ? first->own_block : lane->own_block;
        lane->own_warp = first ? first->own_warp : lane->own_warp;
        lane->foreign = first ? first->foreign : lane->foreign;
        first = first ? first : lane;
    }
}

/* ---------------------------------------------------------------- warps */

void fh_lanes_meet(struct fh_race_time *time, struct fh_block_clocks *block, uint32_t warp,
                   uint32_t lanes) {
    struct fh_known entries[FHEC_WARP_LANES];
    struct fh_gathered all = {0};
    if (!(lanes & (lanes - 1)))
        return;
    bring(time, &block->warp[warp], lanes, &all);
    const size_t count = tell_of(block, warp, lanes, time->now, entries);
    fh_clock_add(&all.known, entries, count, &time->failed);
    end_reads(time, &all);
    tick(time);
    hand_out(time, block, warp, lanes, &all);
    let_go(&all);
}

void fh_lanes_loaded(struct fh_race_time *time, struct fh_block_clocks *block, uint32_t warp,
                     uint32_t lanes) {
    const uint32_t now = time->now;
    if (lanes != block->warp[warp].live)
        return;
    tick(time);
    for (uint32_t rest = lanes; rest; rest &= rest - 1) {
        struct fh_lane_clock *lane = &block->warp[warp].lane[__builtin_ctz(rest)];
        lane->own_reads = now;
        lane->time = time->now;
    }
}

static void complete_gathering(struct fh_race_time *time, struct fh_block_clocks *block,
                               uint32_t warp, uint32_t index) {
    struct fh_warp_clocks *w = &block->warp[warp];
    struct fh_gathering *g = &w->gathering[index];
    end_reads(time, &g->all);
    hand_out(time, block, warp, g->arrived, &g->all);
    let_go(&g->all);
    *g = w->gathering[--w->gathering_count];
}

/* Lanes of one mask arrive. What they know is taken down: it is what the others learn. */
static void gather_lanes(struct fh_race_time *time, struct fh_block_clocks *block, uint32_t warp,
                         uint32_t lanes, uint32_t mask) {
    struct fh_warp_clocks *w = &block->warp[warp];
    struct fh_known entries[FHEC_WARP_LANES];
    uint32_t i = 0;
    if ((lanes & mask) == (w->live & mask)) {
        fh_lanes_meet(time, block, warp, lanes);
        return;
    }
    while (i < w->gathering_count && w->gathering[i].mask != mask)
        i++;
    if (i == FHEC_WARP_LANES)
        return;
    struct fh_gathering *g = &w->gathering[i];
    if (i == w->gathering_count) {
        *g = (struct fh_gathering){.mask = mask};
        w->gathering_count++;
    }
    bring(time, w, lanes, &g->all);
    const size_t count = tell_of(block, warp, lanes, time->now, entries);
    fh_clock_add(&g->all.known, entries, count, &time->failed);
    tick(time);
    g->arrived |= lanes;
    if (!(mask & w->live & ~g->arrived))
        complete_gathering(time, block, warp, i);
}

void fh_lanes_gather(struct fh_race_time *time, struct fh_block_clocks *block, uint32_t warp,
                     uint32_t lanes, const uint32_t masks[FHEC_WARP_LANES]) {
    for (uint32_t rest = lanes; rest;) {
        const uint32_t mask = masks[__builtin_ctz(rest)];
        uint32_t alike = 0;
        for (uint32_t l = 0; l < FHEC_WARP_LANES; l++)
            alike |= (uint32_t)(masks[l] == mask) << l;
        alike &= rest;
        rest &= ~alike;
        gather_lanes(time, block, warp, alike, mask);
    }
}

void fh_lanes_go_on(struct fh_race_time *time, struct fh_block_clocks *block, uint32_t warp,
                    uint32_t lanes) {
    struct fh_warp_clocks *w = &block->warp[warp];
    for (uint32_t i = w->gathering_count; i-- > 0;)
        if (w->gathering[i].arrived & lanes)
            complete_gathering(time, block, warp, i);
}

void fh_lanes_end(struct fh_race_time *time, struct fh_block_clocks *block, uint32_t warp,
                  uint32_t lanes) {
    struct fh_warp_clocks *w = &block->warp[warp];
    w->live &= ~lanes;
    for (uint32_t i = w->gathering_count; i-- > 0;)
        if (!(w->gathering[i].mask & w->live & ~w->gathering[i].arrived))
            complete_gathering(time, block, warp, i);
}

/* ---------------------------------------------------------------- barriers */

void fh_barrier_arrive(struct fh_race_time *time, struct fh_block_clocks *block, uint32_t warp,
                       uint32_t lanes, uint32_t barrier, bool wait) {
    struct fh_arrivals *a = &block->barrier[barrier % FH_NAMED_BARRIERS];
    if (wait) {
        a->waiting[warp] |= lanes;
        return;
    }
    struct fh_known entries[FHEC_WARP_LANES];
    bring(time, &block->warp[warp], lanes, &a->all);
    const size_t count = tell_of(block, warp, lanes, time->now, entries);
    fh_clock_add(&a->all.known, entries, count, &time->failed);
    tick(time);
    for (uint32_t rest = lanes; rest; rest &= rest - 1)
        block->warp[warp].lane[__builtin_ctz(rest)].time = time->now;
}

void fh_barrier_release(struct fh_race_time *time, struct fh_block_clocks *block, uint32_t barrier,
                        bool counted) {
    struct fh_arrivals *a = &block->barrier[barrier % FH_NAMED_BARRIERS];
    struct fh_known entries[FHEC_WARP_LANES];
    struct fh_gathered all = a->all;
    bool whole = !all.known; /* of those that have ended, too, but what they did behind BAR.ARV */
    for (uint32_t w = 0; w < block->warps; w++) {
        bring(time, &block->warp[w], a->waiting[w], &all);
        whole &= a->waiting[w] == block->warp[w].live && (a->waiting[w] || !counted);
    }
    if (whole) {
        entries[0] = (struct fh_known){fh_who_block(block->index), time->now};
        fh_clock_add(&all.known, entries, 1, &time->failed);
    }
    for (uint32_t w = 0; w < block->warps && !whole; w++)
        if (a->waiting[w])
            fh_clock_add(&all.known, entries, tell_of(block, w, a->waiting[w], time->now, entries),
                         &time->failed);
    end_reads(time, &all);
    tick(time);
    for (uint32_t w = 0; w < block->warps; w++)
        hand_out(time, block, w, a->waiting[w], &all);
    let_go(&all);
    *a = (struct fh_arrivals){0};
}

/* ---------------------------------------------------------------- fences */

void fh_lanes_fence(struct fh_race_time *time, struct fh_block_clocks *block, uint32_t warp,
                    uint32_t lanes, bool grid) {
    const uint32_t now = time->now;
    time->fences = true;
    tick(time);
    for (uint32_t rest = lanes; rest; rest &= rest - 1) {
        const uint32_t l = (uint32_t)__builtin_ctz(rest);
        struct fh_lane_clock *lane = &block->warp[warp].lane[l];
        const struct fh_known own = {fh_who_lane(block->index, warp, l), now};
        struct fh_clock *all = fh_clock_keep(lane->known);
        fh_clock_add(&all, &own, 1, &time->failed);
        fh_clock_learn(&lane->fenced_block, all, &time->failed);
        if (grid)
            fh_clock_learn(&lane->fenced_grid, all, &time->failed);
        fh_clock_drop(all);
        lane->fenced = true;
        lane->time = time->now;
    }
}

void fh_signal_read(struct fh_race_time *time, struct fh_block_clocks *block, uint32_t warp,
                    uint32_t lane, const struct fh_signal *signal) {
    struct fh_lane_clock *to = &block->warp[warp].lane[lane];
    const bool near = signal->block && signal->of == block->index;
    if (signal->over && signal->over != to->got_over) {
        fh_clock_learn(&to->over, signal->over, &time->failed);
        replace_clock(&to->got_over, signal->over);
        to->foreign_over = true;
    }
    if (signal->grid == to->got && !near)
        return;
    fh_clock_learn(&to->known, signal->grid, &time->failed);
    if (near)
        fh_clock_learn(&to->known, signal->block, &time->failed);
    replace_clock(&to->got, signal->grid);
    look_up(to, block, warp);
}

void fh_signal_write(struct fh_race_time *time, const struct fh_block_clocks *block, uint32_t warp,
                     uint32_t lane, struct fh_signal *signal) {
    const struct fh_lane_clock *from = &block->warp[warp].lane[lane];
    if (time->publishes)
        fh_clock_learn(&signal->over, from->over, &time->failed);
    fh_clock_learn(&signal->grid, from->fenced_grid, &time->failed);
    if (from->fenced_block == from->fenced_grid)
        return;
    if (signal->of != block->index) {
        fh_clock_drop(signal->block);
        signal->block = NULL;
        signal->of = block->index;
    }
    fh_clock_learn(&signal->block, from->fenced_block, &time->failed);
}

/*
 * turns.c - blocks one after another, and those that wait for others in turns.
 */
#include "turns.h"

#include "array.h"
#include "fault.h"
#include "repeat.h"
#include "warp.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    LAST_ROUNDS = 64,  /* of all blocks without any progress, beside the longest loop */
    FIRST_TRACKED = 16 /* of those, the first in which changes of memory are looked for */
};

uint64_t fh_resident_blocks(const struct fh_image *image) {
    const fhec_limits *m = fhec_target_limits("sm_80");
    const uint32_t unit = m->register_unit;
    uint32_t registers =
        (image->code->registers * FH_LANES + unit - 1) / unit * unit * image->warps;
    uint32_t most = m->blocks, by_warps = m->warps / image->warps,
             by_registers = registers ? m->registers / registers : m->blocks,
             by_shared =
                 m->shared / (fh_shared_allocated(image->shared_bytes) + m->block_shared_reserved);
    most = by_warps < most ? by_warps : most;
    most = by_registers < most ? by_registers : most;
    most = by_shared < most ? by_shared : most;
    return most ? (uint64_t)most * m->multiprocessors : 1;
}

static bool keep(struct fh_turns *t, struct fh_block *block) {
    if (!fh_grow(&t->resident, &t->room, t->count + 1, sizeof(*t->resident)))
        return false;
    t->resident[t->count++] = block;
    return true;
}

/* The block with this place has ended. */
static void retire(struct fh_turns *t, uint64_t place) {
    struct fh_block *block = t->resident[place];
    t->count--;
    memmove(&t->resident[place], &t->resident[place + 1],
            (t->count - place) * sizeof(*t->resident));
    if (t->spare)
        fh_block_free(block);
    else
        t->spare = block;
}

/* Begins the next block of the grid. */
static bool start_block(struct fh_turns *t) {
    struct fh_block *block = t->spare ? t->spare : fh_block_new(t->launch);
    t->spare = NULL;
    if (!block || !keep(t, block)) {
        fh_block_free(block);
        return false;
    }
    fh_block_start(block, t->next++);
    t->moved = true;
    t->clocked = false;
    t->alone = t->count == 1;
    return true;
}

/* Starts blocks while there are some and there is room. As long as none waits, each runs to its
 * end; after that they only join the others, which get on together. FH_GOES_ON: no more can start
 * now. */
static enum fh_outcome start_blocks(struct fh_turns *t) {
    for (;;) {
        enum fh_outcome outcome = t->alone ? fh_block_run(t->resident[0], NULL, NULL) : FH_GOES_ON;
        if (outcome == FH_DONE)
            retire(t, 0);
        else if (outcome != FH_WAITS && outcome != FH_GOES_ON)
            return outcome;
        t->alone = false;
        if (t->next == t->launch->image->blocks || t->count == t->limit)
            return FH_GOES_ON;
        if (!start_block(t))
            return FH_NO_MEMORY;
    }
}

/* One round of every resident block, in order, from number t->at on. FH_GOES_ON: all have had it.
 */
static enum fh_outcome resume_blocks(struct fh_turns *t) {
    while (t->at < t->count) {
        struct fh_block *block = t->resident[t->at];
        enum fh_outcome outcome = fh_block_round(block);
        if (outcome != FH_DONE && outcome != FH_GOES_ON && outcome != FH_WAITS)
            return outcome;
        const bool moved = outcome == FH_DONE || !fh_repeat_still(block);
        t->moved |= moved;
        t->clocked &= !moved || (outcome != FH_DONE && fh_repeat_clocked(block));
        t->period = block->repeat.period > t->period ? block->repeat.period : t->period;
        if (outcome == FH_DONE)
            retire(t, t->at);
        else
            t->at++;
    }
    return FH_GOES_ON;
}

/* After a round of all blocks: whether none of them can ever go on.
 *
 * Each of them has been in the state of its snapshot again and again. If nothing changed global
 * memory and nobody read a clock while each came to its snapshot twice, then every block has done,
 * with the same memory before it, what brings it back to where it was, and so it goes on for ever.
 * A store of what is there already changes nothing: a lock that is asked for again and again does
 * that. One that changes memory and changes it back counts as a change, since the next loop may
 * find another value there: such loops run until somebody ends them. They are looked at again when
 * as much time has gone by as had until then. */
static bool standstill(struct fh_turns *t) {
    struct fh_launch_state *launch = t->launch;
    if (t->moved) {
        t->idle = 0;
        t->track = FIRST_TRACKED;
        launch->tracked = false;
        launch->spinning = t->clocked;
        return false;
    }
    t->idle++;
    t->tracked++;
    if (!launch->tracked && t->idle >= t->track) {
        launch->tracked = true;
        launch->changed = false;
        t->tracked = 0;
    } else if (launch->tracked && launch->changed) {
        launch->tracked = false;
        launch->spinning = true;
        t->track = 2 * t->idle;
    }
    return launch->tracked && t->idle > LAST_ROUNDS + (uint64_t)t->period &&
           t->tracked >= 2 * ((uint64_t)t->period + 1);
}

/* All blocks wait: blames the first lanes of the first one that spin. Between rounds all of its
 * lanes may be at barriers from which the next round would let some go. */
static void report_standstill(const struct fh_turns *t) {
    const struct fh_image *image = t->launch->image;
    struct fh_block *block = t->resident[0];
    struct fh_flow *f = block->warps, *const last = f + image->warps - 1;
    char text[300];
    while (!fh_runnable(f) && !fh_flow_unstick(f, true) && f < last)
        f++;
    fh_flow_select(f);
    int used = snprintf(text, sizeof text, "this block");
    if (t->count > 1)
        used += snprintf(text + used, sizeof text - (size_t)used, " and %" PRIu64 " more",
                         t->count - 1);
    used += snprintf(text + used, sizeof text - (size_t)used,
                     " wait%s in a loop, and nothing that is read there changes any more",
                     t->count > 1 ? "" : "s");
    if (t->next < image->blocks)
        snprintf(text + used, sizeof text - (size_t)used,
                 "; %" PRIu64 " of the grid's %" PRIu64
                 " blocks cannot start: an A100 has room for %" PRIu64,
                 image->blocks - t->next, image->blocks, t->limit);
    fh_fault_lanes(&f->w, &image->ops[f->pc], FHEC_FAULT_DEADLOCK, f->group, text);
}

void fh_turns_begin(struct fh_turns *t, struct fh_launch_state *launch, uint64_t first) {
    *t = (struct fh_turns){
        .launch = launch, .limit = fh_resident_blocks(launch->image), .next = first};
}

enum fh_outcome fh_turns_go(struct fh_turns *t) {
    while (t->count || t->next < t->launch->image->blocks) {
        enum fh_outcome outcome = t->starting ? FH_GOES_ON : resume_blocks(t);
        t->starting |= outcome == FH_GOES_ON;
        if (outcome == FH_GOES_ON)
            outcome = start_blocks(t);
        if (outcome != FH_GOES_ON)
            return outcome;
        const bool over = standstill(t);
        if (t->launch->progress)
            atomic_store_explicit(&t->launch->progress->spinning, t->launch->spinning,
                                  memory_order_relaxed);
        t->starting = t->moved = false;
        t->clocked = t->count != 0;
        t->at = 0;
        if (over) {
            report_standstill(t);
            return FH_FAULTED;
        }
    }
    return FH_DONE;
}

void fh_turns_end(struct fh_turns *t) {
    for (uint64_t i = 0; i < t->count; i++)
        fh_block_free(t->resident[i]);
    fh_block_free(t->spare);
    free(t->resident);
    *t = (struct fh_turns){0};
}

/*
 * residents.c - blocks one after another, and those that wait for others round-robin.
 */
#include "residents.h"

#include "array.h"
#include "busy_wait.h"
#include "fault.h"
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
    const fhec_limits *m = image->program->machine;
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

static bool keep(struct fh_residents *r, struct fh_block *block) {
    if (!fh_grow(&r->blocks, &r->room, r->count + 1, sizeof(*r->blocks)))
        return false;
    r->blocks[r->count++] = block;
    return true;
}

void fh_residents_retire(struct fh_residents *r, uint64_t place) {
    struct fh_block *block = r->blocks[place];
    r->count--;
    memmove(&r->blocks[place], &r->blocks[place + 1], (r->count - place) * sizeof(*r->blocks));
    if (r->spare)
        fh_block_free(block);
    else
        r->spare = block;
}

bool fh_residents_start(struct fh_residents *r, uint64_t index) {
    struct fh_block *block = r->spare ? r->spare : fh_block_new(r->launch);
    r->spare = NULL;
    if (!block || !keep(r, block)) {
        fh_block_free(block);
        return false;
    }
    fh_block_start(block, index);
    r->next++;
    r->moved = true;
    r->clocked = false;
    r->alone = r->count == 1;
    return true;
}

/* Starts blocks while there are some and there is room. As long as none waits, each runs to its
 * end; after that they only join the others, which get on together. FH_GOES_ON: no more can start
 * now. */
static enum fh_outcome start_blocks(struct fh_residents *r) {
    for (;;) {
        enum fh_outcome outcome = r->alone ? fh_block_run(r->blocks[0], NULL, NULL) : FH_GOES_ON;
        if (outcome == FH_DONE)
            fh_residents_retire(r, 0);
        else if (outcome != FH_WAITS && outcome != FH_GOES_ON)
            return outcome;
        r->alone = false;
        if (r->next == r->launch->image->blocks || r->count == r->limit)
            return FH_GOES_ON;
        if (!fh_residents_start(r, r->next))
            return FH_NO_MEMORY;
    }
}

enum fh_outcome fh_residents_round(struct fh_residents *r) {
    while (r->at < r->count) {
        struct fh_block *block = r->blocks[r->at];
        enum fh_outcome outcome = fh_block_round(block);
        if (outcome != FH_DONE && outcome != FH_GOES_ON && outcome != FH_WAITS)
            return outcome;
        const bool moved = outcome == FH_DONE || !fh_busy_wait_still(block);
        r->moved |= moved;
        r->clocked &= !moved || (outcome != FH_DONE && fh_busy_wait_clocked(block));
        r->period = block->busy_wait.period > r->period ? block->busy_wait.period : r->period;
        if (outcome == FH_DONE)
            fh_residents_retire(r, r->at);
        else
            r->at++;
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
static bool standstill(struct fh_residents *r) {
    struct fh_launch_state *launch = r->launch;
    if (r->moved) {
        r->idle = 0;
        r->track = FIRST_TRACKED;
        launch->tracked = false;
        launch->spinning = r->clocked;
        return false;
    }
    r->idle++;
    r->tracked++;
    if (!launch->tracked && r->idle >= r->track) {
        launch->tracked = true;
        launch->changed = false;
        r->tracked = 0;
    } else if (launch->tracked && launch->changed) {
        launch->tracked = false;
        launch->spinning = true;
        r->track = 2 * r->idle;
    }
    return launch->tracked && r->idle > LAST_ROUNDS + (uint64_t)r->period &&
           r->tracked >= 2 * ((uint64_t)r->period + 1);
}

bool fh_residents_standstill(struct fh_residents *r) {
    const bool over = standstill(r);
    if (r->launch->progress)
        atomic_store_explicit(&r->launch->progress->spinning, r->launch->spinning,
                              memory_order_relaxed);
    r->moved = false;
    r->clocked = r->count != 0;
    r->at = 0;
    return over;
}

/* All blocks wait: blames the first lanes of the first one that spin. Between rounds all of its
 * lanes may be at barriers from which the next round would let some go. */
void fh_residents_report(const struct fh_residents *r) {
    const struct fh_image *image = r->launch->image;
    struct fh_block *block = r->blocks[0];
    struct fh_flow *f = block->warps, *const last = f + image->warps - 1;
    char text[300];
    while (!fh_runnable(f) && !fh_flow_unstick(f, true) && f < last)
        f++;
    fh_flow_select(f);
    int used = snprintf(text, sizeof text, "this block");
    if (r->count > 1)
        used += snprintf(text + used, sizeof text - (size_t)used, " and %" PRIu64 " more",
                         r->count - 1);
    used += snprintf(text + used, sizeof text - (size_t)used,
                     " wait%s in a loop, and nothing that is read there changes any more",
                     r->count > 1 ? "" : "s");
    if (r->next < image->blocks)
        snprintf(text + used, sizeof text - (size_t)used,
                 "; %" PRIu64 " of the grid's %" PRIu64
                 " blocks cannot start: an A100 has room for %" PRIu64,
                 image->blocks - r->next, image->blocks, r->limit);
    fh_fault_lanes(&f->w, &image->ops[f->pc], FHEC_FAULT_DEADLOCK, f->group, text);
}

void fh_residents_begin(struct fh_residents *r, struct fh_launch_state *launch, uint64_t first) {
    *r = (struct fh_residents){
        .launch = launch,
        .limit = fh_resident_blocks(launch->image),
        .next = first,
        .order = {.how = launch->order},
    };
}

enum fh_outcome fh_residents_go(struct fh_residents *r) {
    while (r->count || r->next < r->launch->image->blocks) {
        enum fh_outcome outcome = r->starting ? FH_GOES_ON : fh_residents_round(r);
        r->starting |= outcome == FH_GOES_ON;
        if (outcome == FH_GOES_ON)
            outcome = start_blocks(r);
        if (outcome != FH_GOES_ON)
            return outcome;
        r->starting = false;
        if (fh_residents_standstill(r)) {
            fh_residents_report(r);
            return FH_FAULTED;
        }
    }
    return FH_DONE;
}

void fh_residents_end(struct fh_residents *r) {
    for (uint64_t i = 0; i < r->count; i++)
        fh_block_free(r->blocks[i]);
    fh_block_free(r->spare);
    free(r->blocks);
    fh_order_free(&r->order);
    *r = (struct fh_residents){0};
}

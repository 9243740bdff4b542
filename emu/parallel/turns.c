/*
 * turns.c - blocks one after another, and those that wait for others in turns.
 */
#include "turns.h"

#include "fault.h"
#include "repeat.h"
#include "schedule.h"
#include "warp.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum {
    LAST_ROUNDS = 64,  /* of all blocks without any progress, beside the longest loop */
    FIRST_TRACKED = 16 /* of those, the first in which changes of memory are looked for */
};

struct turns {
    struct fh_launch_state *launch;
    struct fh_block **resident; /* one has waited and the others have started since, in order */
    uint64_t count, room, limit;
    uint64_t next;          /* block that starts next */
    struct fh_block *spare; /* for it; NULL: to be made */
    bool moved;             /* a block has started or ended, or is in no loop that waits */
    bool clocked;           /* only blocks that wait for a time have moved */
    uint32_t period;        /* rounds that the longest loop takes in which a block has waited */
    uint64_t idle;          /* rounds of all blocks since one moved */
    uint64_t tracked;       /* the last of them, through which memory was tracked */
    uint64_t track;         /* how many of them are over when it is tracked again */
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

static fhec_status keep(struct turns *t, struct fh_block *block) {
    if (t->count == t->room) {
        uint64_t room = t->room ? 2 * t->room : 16;
        struct fh_block **resident = realloc(t->resident, room * sizeof(*resident));
        if (!resident)
            return FHEC_HOST_ERROR;
        t->resident = resident;
        t->room = room;
    }
    t->resident[t->count++] = block;
    return FHEC_OK;
}

static void retire(struct turns *t, struct fh_block *block) {
    if (t->spare)
        fh_block_free(block);
    else
        t->spare = block;
}

/* Starts blocks while there are some and there is room. As long as none waits, each runs to its
 * end; after that they only join the others, which get on together. */
static fhec_status start_blocks(struct turns *t) {
    struct fh_launch_state *launch = t->launch;
    while (t->next < launch->image->blocks && t->count < t->limit) {
        struct fh_block *block = t->spare ? t->spare : fh_block_new(launch);
        t->spare = NULL;
        if (!block)
            return FHEC_HOST_ERROR;
        fh_block_start(block, t->next++);
        t->moved = true;
        t->clocked = false;
        enum fh_outcome outcome = t->count ? FH_GOES_ON : fh_block_run(block, NULL, NULL);
        if ((outcome == FH_WAITS || outcome == FH_GOES_ON) && keep(t, block) == FHEC_OK)
            continue;
        retire(t, block);
        if (outcome == FH_FAULTED)
            return FHEC_OK;
        if (outcome != FH_DONE)
            return FHEC_HOST_ERROR;
    }
    return FHEC_OK;
}

/* One round of every resident block, in order. */
static fhec_status resume_blocks(struct turns *t) {
    uint64_t kept = 0, i = 0;
    enum fh_outcome outcome = FH_DONE;
    for (; i < t->count && outcome != FH_FAULTED && outcome != FH_NO_MEMORY; i++) {
        struct fh_block *block = t->resident[i];
        outcome = fh_block_round(block);
        const bool moved = outcome == FH_DONE || !fh_repeat_still(block);
        t->moved |= moved;
        t->clocked &= !moved || (outcome != FH_DONE && fh_repeat_clocked(block));
        t->period = block->repeat.period > t->period ? block->repeat.period : t->period;
        if (outcome == FH_DONE)
            retire(t, block);
        else
            t->resident[kept++] = block;
    }
    while (i < t->count)
        t->resident[kept++] = t->resident[i++];
    t->count = kept;
    return outcome == FH_NO_MEMORY ? FHEC_HOST_ERROR : FHEC_OK;
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
static bool standstill(struct turns *t) {
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

/* All blocks wait: blames the first lanes of the first one that spin. */
static void report_standstill(const struct turns *t) {
    const struct fh_image *image = t->launch->image;
    struct fh_block *block = t->resident[0];
    struct fh_flow *f = block->warps;
    char text[300];
    while (!fh_runnable(f))
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

fhec_status fh_run_in_turn(struct fh_launch_state *launch, uint64_t first) {
    struct turns t = {.launch = launch, .limit = fh_resident_blocks(launch->image), .next = first};
    fhec_status status = FHEC_OK;
    while (status == FHEC_OK && launch->fault.kind == FHEC_FAULT_NONE &&
           (t.count || t.next < launch->image->blocks)) {
        t.moved = false;
        t.clocked = t.count != 0;
        status = resume_blocks(&t);
        if (status == FHEC_OK && launch->fault.kind == FHEC_FAULT_NONE)
            status = start_blocks(&t);
        if (status == FHEC_OK && launch->fault.kind == FHEC_FAULT_NONE && standstill(&t))
            report_standstill(&t);
    }
    for (uint64_t i = 0; i < t.count; i++)
        fh_block_free(t.resident[i]);
    fh_block_free(t.spare);
    free(t.resident);
    return status;
}

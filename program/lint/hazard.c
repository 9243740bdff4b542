/*
 * hazard.c - see hazard.h. Only what is outstanding is kept, in a list by resource, so that the
 * work per instruction goes with that and not with all registers. What time alone ends stays in its
 * list until it is worth looking at all of them.
 */
#include "hazard.h"

#include "isa_names.h"

#include <string.h>

enum {
    VARIABLE_LEAST = 6, /* when a result of a variable pipe arrives at the earliest: what it
                           overwrites must be there */
    WORTH = 32,
};

void fh_hazards_clear(struct fh_hazards *h) {
    h->now = 0;
    h->lanes = FH_ALL_LANES;
    memset(&h->rules, 0, sizeof h->rules);
    h->count = 0;
    h->worth = WORTH;
    memset(h->slot, 0, sizeof h->slot);
    memset(h->armed, 0, sizeof h->armed);
}

/* ---------------------------------------------------------------- what is kept */

static const struct fh_pipe *pipe_of(const struct fh_pending *p) {
    return &fh_pipes[p->pipe];
}

static const uint8_t *latencies(const struct fh_hazards *h, const struct fh_pending *p) {
    return h->safe ? pipe_of(p)->safe : pipe_of(p)->ready;
}

/* Cycles until a reader of the group may issue, of a fixed pipe's result. */
static unsigned left(const struct fh_hazards *h, const struct fh_pending *p, unsigned group) {
    if (p->reads || pipe_of(p)->variable)
        return 0;
    int32_t until = p->issued + latencies(h, p)[group] - h->now;
    return until > 0 ? (unsigned)until : 0;
}

/* The same of all groups. */
static unsigned longest(const struct fh_hazards *h, const struct fh_pending *p) {
    const uint8_t *of_group = latencies(h, p);
    uint8_t most = 0;
    if (p->reads || pipe_of(p)->variable)
        return 0;
    for (unsigned g = 0; g < FH_MAX_GROUPS; g++)
        most = of_group[g] > most ? of_group[g] : most;
    int32_t until = p->issued + most - h->now;
    return until > 0 ? (unsigned)until : 0;
}

static bool is_over(const struct fh_hazards *h, const struct fh_pending *p) {
    return !p->reads && (p->awaited ? p->there <= h->now : longest(h, p) == 0);
}

static void link_pending(struct fh_hazards *h, unsigned i) {
    struct fh_pending *p = &h->pending[i];
    p->next = h->slot[p->resource];
    h->slot[p->resource] = (uint16_t)(i + 1);
}

/* Drops the entries whose resource has been set to FH_RESOURCES. */
static void compact(struct fh_hazards *h) {
    unsigned kept = 0;
    for (unsigned i = 0; i < h->count; i++)
        if (h->pending[i].resource != FH_RESOURCES)
            h->slot[h->pending[i].resource] = 0;
    for (unsigned i = 0; i < h->count; i++) {
        if (h->pending[i].resource == FH_RESOURCES)
            continue;
        if (kept != i)
            h->pending[kept] = h->pending[i];
        link_pending(h, kept++);
    }
    h->count = kept;
}

static void drop(struct fh_hazards *h, struct fh_pending *p) {
    h->slot[p->resource] = 0; /* for its list; compact() makes those that stay anew */
    p->resource = FH_RESOURCES;
}

static void sweep(struct fh_hazards *h) {
    for (unsigned i = 0; i < h->count; i++)
        if (is_over(h, &h->pending[i]))
            drop(h, &h->pending[i]);
    compact(h);
    h->worth = 2 * h->count + WORTH;
}

void fh_hazards_settle(struct fh_hazards *h) {
    sweep(h);
    for (unsigned i = 0; i < h->count; i++) {
        struct fh_pending *p = &h->pending[i];
        int32_t ago = h->now - p->issued;
        p->issued = ago > 255 ? -255 : -ago;
        p->there -= p->there == FH_NEVER ? 0 : h->now;
    }
    for (unsigned b = 0; b < FH_SCOREBOARDS; b++)
        h->armed[b] = h->armed[b] > h->now ? h->armed[b] - h->now : 0;
    h->now = 0;
}

void fh_hazards_add(struct fh_hazards *h, const struct fh_pending *pending) {
    unsigned same = 0;
    struct fh_pending *oldest = NULL;
    for (struct fh_pending *p = fh_hazards_first(h, pending->resource); p;
         p = fh_hazards_next(h, p)) {
        oldest = !oldest || p->issued < oldest->issued ? p : oldest;
        same++;
    }
    if (same == FH_PENDING_OF_RESOURCE) {
        uint16_t next = oldest->next;
        *oldest = *pending;
        oldest->next = next;
        return;
    }
    h->pending[h->count] = *pending;
    link_pending(h, h->count++);
}

/* ---------------------------------------------------------------- waiting and time */

unsigned fh_stall_of(const struct fh_sched *sched) {
    enum { ODD = 45 };
    if (sched->stall)
        return sched->stall;
    return sched->yield ? 1 : ODD;
}

void fh_hazards_wait(struct fh_hazards *h, unsigned mask) {
    bool any = false;
    for (unsigned i = 0; mask && i < h->count; i++) {
        if (!(h->pending[i].scoreboards & mask))
            continue;
        drop(h, &h->pending[i]);
        any = true;
    }
    if (any)
        compact(h);
}

unsigned fh_wait_mask(const struct fh_inst *inst) {
    unsigned mask = inst->sched.wait_mask;
    if (inst->form->insn == FH_INSN_DEPBAR) {
        mask |= (unsigned)inst->op[FH_DEPBAR_more].value;
        if (inst->op[FH_DEPBAR_count].value == 0)
            mask |= 1u << inst->op[FH_DEPBAR_SB].reg;
    }
    return mask & ((1u << FH_SCOREBOARDS) - 1);
}

unsigned fh_hazards_scoreboards(const struct fh_hazards *h) {
    unsigned mask = 0;
    for (unsigned i = 0; i < h->count; i++)
        mask |= h->pending[i].scoreboards;
    return mask;
}

unsigned fh_hazards_cycles(const struct fh_hazards *h) {
    unsigned cycles = 0;
    for (unsigned i = 0; i < h->count; i++)
        if (longest(h, &h->pending[i]) > cycles)
            cycles = longest(h, &h->pending[i]);
    return cycles;
}

/* ---------------------------------------------------------------- changes to issued instructions
 */

void fh_hazards_pass_after(struct fh_hazards *h, unsigned cycles, uint32_t index) {
    for (unsigned i = 0; i < h->count; i++)
        if (h->pending[i].index <= index)
            h->pending[i].issued -= (int32_t)cycles;
}

void fh_hazards_guard_result(struct fh_hazards *h, uint32_t index, unsigned scoreboard) {
    for (unsigned i = 0; i < h->count; i++) {
        struct fh_pending *p = &h->pending[i];
        if (p->reads || p->index != index || !longest(h, p))
            continue;
        p->awaited = true;
        p->scoreboards = (uint8_t)(1u << scoreboard);
    }
}

void fh_hazards_guard_read(struct fh_hazards *h, uint32_t index, unsigned scoreboard) {
    for (unsigned i = 0; i < h->count; i++)
        if (h->pending[i].reads && h->pending[i].index == index && !h->pending[i].scoreboards)
            h->pending[i].scoreboards = (uint8_t)(1u << scoreboard);
}

bool fh_hazards_unguarded_read(const struct fh_hazards *h, uint32_t *reader) {
    for (unsigned i = 0; i < h->count; i++) {
        if (!h->pending[i].reads || h->pending[i].scoreboards)
            continue;
        *reader = h->pending[i].index;
        return true;
    }
    return false;
}

bool fh_hazards_unguarded_read_of(const struct fh_hazards *h, const struct fh_uses *uses,
                                  uint32_t *reader) {
    unsigned oldest = 0; /* index + 1 */
    for (unsigned u = 0; u < uses->count; u++) {
        const struct fh_use *use = &uses->use[u];
        for (unsigned c = use->first;
             use->access == FH_READ && c < use->first + (unsigned)use->count; c++)
            for (unsigned at = h->slot[c]; at; at = h->pending[at - 1].next)
                if (h->pending[at - 1].reads && !h->pending[at - 1].scoreboards &&
                    (!oldest || at < oldest))
                    oldest = at;
    }
    if (oldest)
        *reader = h->pending[oldest - 1].index;
    return oldest != 0;
}

uint32_t fh_hazards_last_writer(const struct fh_hazards *h) {
    unsigned cycles = 0;
    uint32_t writer = 0;
    for (unsigned i = 0; i < h->count; i++) {
        if (longest(h, &h->pending[i]) <= cycles)
            continue;
        cycles = longest(h, &h->pending[i]);
        writer = h->pending[i].index;
    }
    return writer;
}

/* ---------------------------------------------------------------- hazards of an instruction */

static bool is_predicate(unsigned resource) {
    return resource >= FH_RES_P;
}

/* Registers of lanes are read late by variable pipes; all else at issue. */
static bool read_late(const struct fh_pipe *pipe, unsigned resource) {
    return pipe->variable && resource < FH_RES_UR;
}

/* The group that a read belongs to. Arithmetic needs its predicate operands like its registers; all
 * else needs them as early as a guard. */
static unsigned group_of(const struct fh_pipe *pipe, const struct fh_use *use) {
    bool arithmetic = pipe->ready[pipe->reads] != 0;
    if (is_predicate(use->first) && (use->role == FH_ROLE_GUARD || !arithmetic))
        return FH_GROUP_GUARD;
    return pipe->reads;
}

/* How much too early a result of `pipe` would overwrite the one that is under way: it must not be
 * there for its own pipe, or for guards, before the older one is. */
static unsigned overwrite_early(const struct fh_hazards *h, const struct fh_pipe *pipe,
                                const struct fh_pending *p) {
    unsigned group = is_predicate(p->resource) ? FH_GROUP_GUARD : pipe->reads;
    unsigned own = pipe->variable ? VARIABLE_LEAST : pipe->ready[group];
    return left(h, p, group) > own ? left(h, p, group) - own : 0;
}

/* What a reader of the group runs into, in z, with a result. */
static void meet_read(const struct fh_hazards *h, const struct fh_pending *p, unsigned group,
                      struct fh_hazard *z) {
    z->mask = p->scoreboards;
    if (p->awaited) {
        if (p->there > h->now)
            z->kind = (uint8_t)(z->mask ? FH_HAZARD_RESULT : FH_HAZARD_UNGUARDED_RESULT);
    } else if (left(h, p, group)) {
        z->kind = FH_HAZARD_EARLY;
        z->cycles = (uint8_t)left(h, p, group);
    }
}

static void meet_write(const struct fh_hazards *h, const struct fh_pending *p,
                       const struct fh_pipe *pipe, struct fh_hazard *z) {
    const struct fh_pipe *older = pipe_of(p);
    z->mask = p->scoreboards;
    if (p->reads) {
        if (!pipe->variable || pipe->read_queue != older->read_queue)
            z->kind = (uint8_t)(z->mask ? FH_HAZARD_READ : FH_HAZARD_UNGUARDED_READ);
    } else if (p->awaited) {
        if (p->there > h->now && (!pipe->ordered || pipe->result_queue != older->result_queue))
            z->kind = (uint8_t)(z->mask ? FH_HAZARD_WRITE : FH_HAZARD_UNGUARDED_WRITE);
    } else if (overwrite_early(h, pipe, p)) {
        z->kind = FH_HAZARD_WRITE_EARLY;
        z->cycles = (uint8_t)overwrite_early(h, pipe, p);
    }
}

/* What one use of a resource runs into; returns how many are in the list then. */
static unsigned meet(const struct fh_hazards *h, const struct fh_pipe *pipe,
                     const struct fh_use *use, unsigned resource, fh_lanes lanes,
                     struct fh_hazard list[FH_MAX_HAZARDS], unsigned n) {
    for (unsigned at = h->slot[resource]; at && n < FH_MAX_HAZARDS; at = h->pending[at - 1].next) {
        const struct fh_pending *p = &h->pending[at - 1];
        if ((p->reads && use->access == FH_READ) || fh_lanes_exclude(p->lanes, lanes))
            continue;
        list[n] = (struct fh_hazard){.resource = p->resource, .other = p->index};
        if (use->access == FH_READ)
            meet_read(h, p, group_of(pipe, use), &list[n]);
        else
            meet_write(h, p, pipe, &list[n]);
        n += list[n].kind != FH_HAZARD_NONE;
    }
    return n;
}

unsigned fh_hazards_find(const struct fh_hazards *h, const struct fh_pipe *pipe,
                         const struct fh_uses *uses, fh_lanes lanes,
                         struct fh_hazard list[FH_MAX_HAZARDS]) {
    unsigned n = 0;
    for (unsigned u = 0; h->count && u < uses->count; u++) {
        const struct fh_use *use = &uses->use[u];
        for (unsigned c = use->first; c < use->first + (unsigned)use->count; c++)
            n = meet(h, pipe, use, c, lanes, list, n);
    }
    return n;
}

struct fh_hazard fh_hazards_unarmed(const struct fh_hazards *h, unsigned mask) {
    struct fh_hazard z = {.kind = FH_HAZARD_NONE};
    for (unsigned b = 0; b < FH_SCOREBOARDS; b++) {
        if (!(mask >> b & 1) || h->armed[b] <= h->now)
            continue;
        z.kind = FH_HAZARD_UNARMED;
        z.mask |= (uint8_t)(1u << b);
        if (h->armed[b] - h->now > z.cycles)
            z.cycles = (uint8_t)(h->armed[b] - h->now);
    }
    return z;
}

/* ---------------------------------------------------------------- what it leaves behind */

static uint8_t bit_of(uint8_t scoreboard) {
    return (uint8_t)(scoreboard < FH_SCOREBOARDS ? 1u << scoreboard : 0);
}

/* What is in the queues of this operation is done when it is. */
static void cover(struct fh_hazards *h, const struct fh_pipe *pipe, const struct fh_sched *sched) {
    uint8_t result = bit_of(sched->write_barrier);
    uint8_t read = (uint8_t)(result | bit_of(sched->read_barrier));
    if (!pipe->variable || !read)
        return;
    for (unsigned i = 0; i < h->count; i++) {
        struct fh_pending *p = &h->pending[i];
        const struct fh_pipe *older = pipe_of(p);
        if (p->reads && older->read_queue == pipe->read_queue)
            p->scoreboards |= read;
        else if (!p->reads && p->awaited && pipe->ordered &&
                 older->result_queue == pipe->result_queue)
            p->scoreboards |= result;
    }
}

void fh_hazards_end(const struct fh_hazards *h, struct fh_pending *pending) {
    enum { LONG_AGO = 1000 };
    pending->reads = pending->awaited = pending->scoreboards = 0;
    pending->issued = h->now - LONG_AGO;
}

/* Adds it. Older ones of these lanes have been found, or are done when this one is: they, and what
 * time has ended, leave the resource's list at once, so that lists stay short, and the array when
 * it is swept. */
static void leave(struct fh_hazards *h, const struct fh_pending *new) {
    uint16_t *link = &h->slot[new->resource];
    while (*link) {
        struct fh_pending *p = &h->pending[*link - 1];
        bool same = p->reads == new->reads &&
                    (p->reads ? pipe_of(p)->read_queue == pipe_of(new)->read_queue : p->awaited);
        if (!is_over(h, p) && !(same && fh_lanes_within(p->lanes, new->lanes))) {
            link = &p->next;
            continue;
        }
        *link = p->next;
        fh_hazards_end(h, p);
        p->resource = FH_RESOURCES;
    }
    fh_hazards_add(h, new);
}

/* The literal of the instruction's guard, as far as it is in `lanes`; 0: it has none. */
static fh_lanes guard_of(const struct fh_uses *uses, fh_lanes lanes) {
    const struct fh_use *first = &uses->use[0];
    if (!uses->count || first->role != FH_ROLE_GUARD)
        return 0;
    bool uniform = first->first >= FH_RES_UP;
    unsigned number = first->first - (unsigned)(uniform ? FH_RES_UP : FH_RES_P);
    return lanes &
           (fh_lanes_literal(uniform, number, false) | fh_lanes_literal(uniform, number, true));
}

void fh_hazards_issue(struct fh_hazards *h, const struct fh_pipe *pipe,
                      const struct fh_sched *sched, const struct fh_uses *uses, fh_lanes lanes,
                      uint32_t index) {
    uint8_t signals = bit_of(sched->write_barrier);
    struct fh_pending result = {.pipe = (uint8_t)(pipe - fh_pipes),
                                .awaited = pipe->variable || signals,
                                .scoreboards = signals,
                                .issued = h->now,
                                .there = FH_NEVER,
                                .index = index,
                                .lanes = lanes,
                                .guard = guard_of(uses, lanes)};
    struct fh_pending read = result;
    read.reads = true;
    read.awaited = false;
    read.scoreboards |= bit_of(sched->read_barrier);
    cover(h, pipe, sched);
    for (unsigned u = 0; u < uses->count; u++) {
        const struct fh_use *use = &uses->use[u];
        for (unsigned c = use->first; c < use->first + (unsigned)use->count; c++) {
            result.resource = read.resource = (uint16_t)c;
            if (use->access == FH_WRITE)
                leave(h, &result);
            else if (read_late(pipe, c))
                leave(h, &read);
        }
    }
    if (sched->write_barrier < FH_SCOREBOARDS)
        h->armed[sched->write_barrier] = h->now + FH_ARMING;
    if (sched->read_barrier < FH_SCOREBOARDS)
        h->armed[sched->read_barrier] = h->now + FH_ARMING;
    h->now += (int32_t)fh_stall_of(sched);
    if (h->count > h->worth)
        sweep(h);
}

/* ---------------------------------------------------------------- lanes */

void fh_hazards_predicates(struct fh_hazards *h, const struct fh_lanes_effect *effect,
                           fh_lanes acting) {
    enum { FAR = 200 /* cycles */ };
    for (unsigned i = 0; i < h->count; i++) {
        struct fh_pending *p = &h->pending[i];
        p->lanes = fh_lanes_after(p->lanes, effect, acting);
        if (!(p->guard & ~p->lanes))
            continue;
        p->guard = 0; /* whether it was issued at all nobody can tell from now on */
        if (!p->reads && p->there > p->issued + FAR)
            p->there = p->issued + FAR;
    }
    h->lanes = fh_lanes_after(h->lanes, effect, acting);
    fh_lanes_rules_after(&h->rules, effect);
}

/* Drops those for which `over` says so. */
static void drop_those(struct fh_hazards *h,
                       bool (*over)(const struct fh_hazards *h, const struct fh_pending *p)) {
    bool any = false;
    for (unsigned i = 0; i < h->count; i++) {
        if (!over(h, &h->pending[i]))
            continue;
        drop(h, &h->pending[i]);
        any = true;
    }
    if (any)
        compact(h);
}

static bool is_on_chip(const struct fh_pending *p) {
    return strcmp(pipe_of(p)->name, "shared") == 0;
}

static bool is_read_by_a_barrier(const struct fh_hazards *h, const struct fh_pending *p) {
    (void)h;
    return p->reads && is_on_chip(p);
}

void fh_hazards_stored(struct fh_hazards *h) {
    enum { SOON = 32 /* cycles */ };
    for (unsigned i = 0; i < h->count; i++) {
        struct fh_pending *p = &h->pending[i];
        if (is_on_chip(p) && p->there > h->now + SOON)
            p->there = h->now + SOON;
    }
    drop_those(h, is_read_by_a_barrier);
}

static bool is_new(const struct fh_hazards *h, const struct fh_pending *p) {
    enum { NEW = 24 /* cycles */ };
    return pipe_of(p)->ordered && h->now - p->issued <= NEW;
}

void fh_hazards_return(struct fh_hazards *h) {
    drop_those(h, is_new);
}

void fh_hazards_narrow(struct fh_hazards *h, fh_lanes lanes) {
    bool any = false;
    h->lanes |= lanes;
    for (unsigned i = 0; i < h->count; i++) {
        if (!fh_lanes_exclude(h->pending[i].lanes, lanes))
            continue;
        drop(h, &h->pending[i]);
        any = true;
    }
    if (any)
        compact(h);
}

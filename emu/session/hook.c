/*
 * hook.c - the hook of a session among those that watch its launch (watch.h): it makes the launch
 * pause where a point may want to stop, and notes what has happened. Whether a point does stop is
 * decided when the launch has paused (session.c).
 */
#include "session_state.h"
#include "watchpoints.h"

#include <stdlib.h>
#include <string.h>

/* The happenings that points of these kinds are about. */
static uint32_t happenings_for(uint32_t kinds) {
    return (kinds >> FHEC_POINT_BARRIER & 1) << FH_BARRIER_RELEASED |
           (kinds >> FHEC_POINT_WARP_END & 1) << FH_WARP_ENDED |
           (kinds >> FHEC_POINT_BLOCK_END & 1) << FH_BLOCK_ENDED;
}

static unsigned wants(void *user, const struct fh_image *image, const struct fh_op *op) {
    const fhec_session *s = user;
    unsigned phases = 0;
    for (size_t i = 0; i < s->point_count; i++) {
        const struct fh_point *p = &s->points[i];
        if (p->on && fh_point_at(p, (uint32_t)(op - image->ops)))
            phases |= FH_BREAKPOINTS >> p->is.kind & 1 ? FH_STOPS : FH_BEFORE | FH_AFTER;
    }
    return phases;
}

static bool covers(void *user, const struct fh_block *block, uint32_t warp) {
    const fhec_session *s = user;
    for (size_t i = 0; i < s->point_count; i++)
        if (s->points[i].on && fh_in_scope(&s->points[i].is.scope, &block->warps[warp], UINT32_MAX))
            return true;
    return false;
}

/* Whether the point is one of `kinds`, at this instruction, for lanes of the group. */
static bool concerns(const struct fh_point *p, uint32_t kinds, const struct fh_issue *issue) {
    return p->on && kinds >> p->is.kind & 1 && fh_point_at(p, issue->op->pc / FH_INST_BYTES) &&
           fh_in_scope(&p->is.scope, issue->flow, issue->group);
}

/* Before an instruction whose breakpoints have not been told: whether it has one. */
static bool stop(void *user, const struct fh_issue *issue) {
    fhec_session *s = user;
    struct fh_flow *f = issue->flow;
    for (size_t i = 0; f->told != f->issued + 1 && i < s->point_count; i++) {
        if (concerns(&s->points[i], FH_BREAKPOINTS, issue)) {
            s->breaking = f;
            return true;
        }
    }
    return false;
}

static void note_memory(fhec_session *s, struct fh_point *p, const struct fh_issue *issue) {
    const uint32_t lanes = fh_memory_lanes(&p->is, issue, &s->accesses);
    p->noted = lanes;
    if (lanes)
        fh_memory_before(&p->is, issue, &s->accesses, lanes, p->old_memory);
}

static void before(void *user, const struct fh_issue *issue) {
    fhec_session *s = user;
    if (s->kinds >> FHEC_POINT_MEMORY & 1)
        fh_accesses_before(&s->accesses, &issue->flow->w, issue->op, issue->active);
    for (size_t i = 0; i < s->point_count; i++) {
        struct fh_point *p = &s->points[i];
        p->noted = concerns(p, FH_WATCHPOINTS, issue);
        if (p->noted && p->is.kind == FHEC_POINT_MEMORY)
            note_memory(s, p, issue);
        else if (p->noted)
            fh_register_values(&p->is, &issue->flow->w, p->old);
    }
}

/* Whether the instruction has done what the watchpoint waits for. */
static bool done(fhec_session *s, struct fh_point *p, const struct fh_issue *issue,
                 fhec_stop *stop) {
    return p->is.kind == FHEC_POINT_MEMORY
               ? fh_memory_accessed(&p->is, issue, &s->accesses, p->old_memory, stop)
               : fh_register_accessed(&p->is, issue, p->old, stop);
}

/* A stop behind the instruction, to be told when the launch has paused. */
static fhec_stop *note(fhec_session *s, fhec_stop_reason reason, const struct fh_issue *issue) {
    fhec_stop *event = &s->events[s->event_count++];
    const struct fh_warp *w = &issue->flow->w;
    *event = (fhec_stop){
        .reason = reason,
        .has_warp = true,
        .warp = w->index,
        .pc = issue->op->pc,
        .lanes = issue->group,
        .active = issue->active,
    };
    memcpy(event->block, w->block->id, sizeof event->block);
    return event;
}

static bool after(void *user, const struct fh_issue *issue) {
    fhec_session *s = user;
    for (size_t i = 0; i < s->point_count; i++) {
        struct fh_point *p = &s->points[i];
        if (!p->noted)
            continue;
        fhec_stop *event = note(s, FHEC_STOP_WATCHPOINT, issue);
        event->point = p->number;
        if (!done(s, p, issue, event))
            s->event_count--;
    }
    return s->event_count != 0;
}

static bool happens(void *user, struct fh_block *block, const struct fh_happening *happening) {
    static const fhec_stop_reason reasons[FH_HAPPENINGS] = {
        [FH_BARRIER_RELEASED] = FHEC_STOP_BARRIER,
        [FH_WARP_ENDED] = FHEC_STOP_WARP_END,
        [FH_BLOCK_ENDED] = FHEC_STOP_BLOCK_END,
    };
    const struct fh_watch *watch = block->launch->watch;
    const fhec_session *s = user;
    if (s->by_host)
        return false;
    note(user, reasons[happening->kind], watch->issue)->barrier = happening->barrier;
    return true;
}

bool fh_session_watch(fhec_session *s) {
    const struct fh_hook hook = {
        .user = s,
        .wants = wants,
        .covers = covers,
        .stop = stop,
        .before = before,
        .after = after,
        .kinds = happenings_for(s->kinds),
        .happens = happens,
    };
    const bool any = s->kinds & ~(uint32_t)FH_POINTS_AT_BEGIN;
    free(s->events);
    s->event_count = s->event_next = 0;
    s->events = any ? calloc(FH_CONTROL_EVENTS + s->point_count, sizeof *s->events) : NULL;
    return (s->events || !any) &&
           fh_observation_watch(&s->observation, &s->launch, &hook, any ? 1 : 0);
}

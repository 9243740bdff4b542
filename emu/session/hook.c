/*
 * hook.c - the hook of a session among those that watch its launch (watch.h): it makes the launch
 * pause where a point may want to stop, and notes what has happened. Whether a point does stop is
 * decided when the launch has paused (session.c).
 */
#include "session.h"
#include "watchpoints.h"

#include <stdlib.h>
#include <string.h>

static unsigned wants(void *user, const struct fh_image *image, const struct fh_op *op) {
    const fhec_session *s = user;
    unsigned phases = 0;
    if (op->control != FH_PLAIN && s->kinds & FH_POINTS_AT_CONTROL)
        phases = FH_BEFORE | FH_AFTER;
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
static bool concerns(const struct fh_point *p, uint32_t kinds, const struct fh_flow *f,
                     const struct fh_op *op) {
    return p->on && kinds >> p->is.kind & 1 && fh_point_at(p, op->pc / FH_INST_BYTES) &&
           fh_in_scope(&p->is.scope, f, f->group);
}

/* Before an instruction whose breakpoints have not been told: whether it has one. */
static bool stop(void *user, const struct fh_issue *issue) {
    fhec_session *s = user;
    struct fh_flow *f = issue->flow;
    const struct fh_op *op = issue->op;
    for (size_t i = 0; f->told != f->issued + 1 && i < s->point_count; i++) {
        if (concerns(&s->points[i], FH_BREAKPOINTS, f, op)) {
            s->breaking = f;
            return true;
        }
    }
    return false;
}

static void before(void *user, const struct fh_issue *issue) {
    fhec_session *s = user;
    const struct fh_flow *f = issue->flow;
    const struct fh_op *op = issue->op;
    s->launch.released = 0;
    for (size_t i = 0; i < s->point_count; i++) {
        struct fh_point *p = &s->points[i];
        p->noted = concerns(p, 1u << FHEC_POINT_REGISTER, f, op);
        if (p->noted)
            fh_register_values(&p->is, &f->w, p->old);
    }
}

/* A stop behind the instruction, to be told when the launch has paused. */
static fhec_stop *note(fhec_session *s, fhec_stop_reason reason, const struct fh_issue *issue) {
    const struct fh_warp *w = &issue->flow->w;
    fhec_stop *event = &s->events[s->event_count++];
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

static void note_watchpoints(fhec_session *s, const struct fh_issue *issue) {
    const struct fh_watched_lanes lanes = {issue->group, issue->active};
    for (size_t i = 0; i < s->point_count; i++) {
        const struct fh_point *p = &s->points[i];
        if (!p->noted)
            continue;
        fhec_stop *event = note(s, FHEC_STOP_WATCHPOINT, issue);
        event->point = p->number;
        if (!fh_register_accessed(&p->is, &issue->flow->w, issue->op, &lanes, p->old, event))
            s->event_count--;
    }
}

static void note_control(fhec_session *s, const struct fh_issue *issue) {
    const struct fh_flow *f = issue->flow;
    for (uint32_t rest = s->launch.released; rest; rest &= rest - 1)
        note(s, FHEC_STOP_BARRIER, issue)->barrier = (uint32_t)__builtin_ctz(rest);
    if (f->ended != UINT32_MAX)
        return;
    note(s, FHEC_STOP_WARP_END, issue);
    if (!f->w.block->live)
        note(s, FHEC_STOP_BLOCK_END, issue);
}

static bool after(void *user, const struct fh_issue *issue) {
    fhec_session *s = user;
    note_watchpoints(s, issue);
    if (issue->op->control != FH_PLAIN && s->kinds & FH_POINTS_AT_CONTROL)
        note_control(s, issue);
    return s->event_count != 0;
}

void fh_session_unwatch(fhec_session *s) {
    s->launch.watch = NULL;
    free(s->events);
    s->events = NULL;
    s->event_count = s->event_next = 0;
}

bool fh_session_watch(fhec_session *s) {
    const struct fh_hook hook = {
        .user = s,
        .wants = wants,
        .covers = covers,
        .stop = stop,
        .before = before,
        .after = after,
    };
    const bool points = s->kinds & ~(uint32_t)FH_POINTS_AT_BEGIN;
    fh_session_unwatch(s);
    s->events = calloc(FH_CONTROL_EVENTS + s->point_count, sizeof *s->events);
    return s->events && fh_observation_watch(&s->observation, &s->launch, &hook, points);
}

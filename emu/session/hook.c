/*
 * hook.c - the hook of a session among those that watch its launch (watch.h): it makes the launch
 * pause where a point may want to stop, and notes what has happened. Whether a point does stop is
 * decided when the launch has paused (session.c).
 */
#include "session.h"
#include "watchpoints.h"

#include <stdlib.h>
#include <string.h>

static bool wants(void *user, const struct fh_image *image, const struct fh_op *op) {
    const fhec_session *s = user;
    if (op->control != FH_PLAIN && s->kinds & FH_POINTS_AT_CONTROL)
        return true;
    for (size_t i = 0; i < s->point_count; i++)
        if (s->points[i].on && fh_point_at(&s->points[i], (uint32_t)(op - image->ops)))
            return true;
    return false;
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
static bool stop(void *user, struct fh_warp *w, const struct fh_op *op, uint32_t active) {
    fhec_session *s = user;
    struct fh_flow *f = (struct fh_flow *)w;
    (void)active;
    for (size_t i = 0; f->told != f->issued + 1 && i < s->point_count; i++) {
        if (concerns(&s->points[i], FH_BREAKPOINTS, f, op)) {
            s->breaking = f;
            return true;
        }
    }
    return false;
}

static void before(void *user, struct fh_warp *w, const struct fh_op *op, uint32_t active) {
    fhec_session *s = user;
    const struct fh_flow *f = (const struct fh_flow *)w;
    (void)active;
    s->launch.released = 0;
    s->issuing = f->group;
    for (size_t i = 0; i < s->point_count; i++) {
        struct fh_point *p = &s->points[i];
        p->noted = concerns(p, 1u << FHEC_POINT_REGISTER, f, op);
        if (p->noted)
            fh_register_values(&p->is, w, p->old);
    }
}

/* A stop behind the instruction, to be told when the launch has paused. */
static fhec_stop *note(fhec_session *s, fhec_stop_reason reason, const struct fh_warp *w,
                       const struct fh_op *op, uint32_t active) {
    fhec_stop *event = &s->events[s->event_count++];
    *event = (fhec_stop){
        .reason = reason,
        .has_warp = true,
        .warp = w->index,
        .pc = op->pc,
        .lanes = s->issuing,
        .active = active,
    };
    memcpy(event->block, w->block->id, sizeof event->block);
    return event;
}

static void note_watchpoints(fhec_session *s, const struct fh_warp *w, const struct fh_op *op,
                             uint32_t active) {
    const struct fh_watched_lanes lanes = {s->issuing, active};
    for (size_t i = 0; i < s->point_count; i++) {
        const struct fh_point *p = &s->points[i];
        if (!p->noted)
            continue;
        fhec_stop *event = note(s, FHEC_STOP_WATCHPOINT, w, op, active);
        event->point = p->number;
        if (!fh_register_accessed(&p->is, w, op, &lanes, p->old, event))
            s->event_count--;
    }
}

static void note_control(fhec_session *s, const struct fh_warp *w, const struct fh_op *op,
                         uint32_t active) {
    const struct fh_flow *f = (const struct fh_flow *)w;
    for (uint32_t rest = s->launch.released; rest; rest &= rest - 1)
        note(s, FHEC_STOP_BARRIER, w, op, active)->barrier = (uint32_t)__builtin_ctz(rest);
    if (f->ended != UINT32_MAX)
        return;
    note(s, FHEC_STOP_WARP_END, w, op, active);
    if (!w->block->live)
        note(s, FHEC_STOP_BLOCK_END, w, op, active);
}

static bool after(void *user, struct fh_warp *w, const struct fh_op *op, uint32_t active) {
    fhec_session *s = user;
    note_watchpoints(s, w, op, active);
    if (op->control != FH_PLAIN && s->kinds & FH_POINTS_AT_CONTROL)
        note_control(s, w, op, active);
    return s->event_count != 0;
}

void fh_session_unwatch(fhec_session *s) {
    s->launch.watch = NULL;
    fh_watch_free(&s->watch);
    fh_watched_code_free(&s->code);
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
    fh_session_unwatch(s);
    if (!(s->kinds & ~(uint32_t)FH_POINTS_AT_BEGIN))
        return true;
    s->events = calloc(FH_CONTROL_EVENTS + s->point_count, sizeof *s->events);
    if (!s->events ||
        !fh_watched_code_make(&s->code, &s->image, s->machine->engine.links, &hook, 1) ||
        !fh_watch_make(&s->watch, &s->code, &hook, 1)) {
        fh_session_unwatch(s);
        return false;
    }
    s->launch.watch = &s->watch;
    return true;
}

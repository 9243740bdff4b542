/*
 * points.c - the points of a session: where it stops.
 */
#include "array.h"
#include "session.h"

#include <stdlib.h>
#include <string.h>

bool fh_in_scope(const fhec_scope *scope, const struct fh_flow *f, uint32_t lanes) {
    return (!scope->one_block || memcmp(scope->block, f->w.block->id, sizeof scope->block) == 0) &&
           (!scope->one_warp || scope->warp == f->w.index) &&
           (!scope->lanes || scope->lanes & lanes);
}

bool fh_points_hit(fhec_session *s, fhec_point_kind kind, const struct fh_flow *f,
                   fhec_stop *stop) {
    unsigned first = 0;
    stop->instructions = s->launch.steps;
    for (size_t i = 0; s->kinds >> kind & 1 && i < s->point_count; i++) {
        struct fh_point *p = &s->points[i];
        if (!p->on || p->is.kind != kind || !fh_in_scope(&p->is.scope, f, stop->lanes))
            continue;
        stop->point = p->number;
        if (p->is.condition && !p->is.condition(p->is.user, s, stop))
            continue;
        if (p->hits++ >= p->is.skip && !first)
            first = p->number;
    }
    stop->point = first;
    return first;
}

/* After a change of the points: which kinds are on, and what has to be watched for them. */
static void survey(fhec_session *s) {
    const uint32_t behind =
        1u << FHEC_POINT_BARRIER | 1u << FHEC_POINT_WARP_END | 1u << FHEC_POINT_BLOCK_END;
    s->kinds = 0;
    for (size_t i = 0; i < s->point_count; i++)
        s->kinds |= s->points[i].on ? 1u << s->points[i].is.kind : 0;
    s->steering.behind = s->kinds & behind ? fh_steer_behind : NULL;
}

static struct fh_point *find(const fhec_session *s, unsigned number) {
    for (size_t i = 0; i < s->point_count; i++)
        if (s->points[i].number == number)
            return &s->points[i];
    fh_machine_fail(s->machine, FHEC_BAD_INPUT, "the session has no point number %u", number);
    return NULL;
}

fhec_status fhec_session_add(fhec_session *s, const fhec_point *point, unsigned *number) {
    *number = 0;
    switch (point->kind) {
    case FHEC_POINT_BARRIER:
    case FHEC_POINT_WARP_END:
    case FHEC_POINT_BLOCK_END:
    case FHEC_POINT_WARP_BEGIN:
    case FHEC_POINT_BLOCK_BEGIN: break;
    default:
        return fh_machine_fail(s->machine, FHEC_BAD_INPUT, "no points of kind %d",
                               (int)point->kind);
    }
    if (!fh_grow(&s->points, &s->point_room, s->point_count + 1, sizeof *s->points))
        return fh_machine_fail(s->machine, FHEC_HOST_ERROR, "no host memory for a point");
    *number = ++s->last_number;
    s->points[s->point_count++] = (struct fh_point){.is = *point, .number = *number, .on = true};
    survey(s);
    return FHEC_OK;
}

fhec_status fhec_session_remove(fhec_session *s, unsigned number) {
    struct fh_point *p = find(s, number);
    if (!p)
        return FHEC_BAD_INPUT;
    s->point_count--;
    memmove(p, p + 1, (size_t)(s->points + s->point_count - p) * sizeof *p);
    survey(s);
    return FHEC_OK;
}

fhec_status fhec_session_enable(fhec_session *s, unsigned number, bool on) {
    struct fh_point *p = find(s, number);
    if (!p)
        return FHEC_BAD_INPUT;
    p->on = on;
    survey(s);
    return FHEC_OK;
}

fhec_status fhec_session_hits(const fhec_session *s, unsigned number, uint64_t *hits) {
    const struct fh_point *p = find(s, number);
    *hits = p ? p->hits : 0;
    return p ? FHEC_OK : FHEC_BAD_INPUT;
}

void fh_points_free(fhec_session *s) {
    free(s->points);
}

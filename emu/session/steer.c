/*
 * steer.c - where a session makes its launch pause: step by step through the warps of a step's
 * scope, before warps and blocks that begin, behind control instructions with which something ends
 * or is released, and when the limit of instructions is reached.
 */
#include "session.h"

/* Tells that the block or the warp begins, if a point asks for it. */
static bool begins(fhec_session *s, struct fh_flow *f) {
    struct fh_block *block = f->w.block;
    if (!block->announced) {
        block->announced = true;
        s->stop = (fhec_stop){.reason = FHEC_STOP_BLOCK_BEGIN};
        fh_stop_where(&s->stop, f);
        if (fh_points_hit(s, FHEC_POINT_BLOCK_BEGIN, f, &s->stop))
            return true;
    }
    if (!f->announced) {
        f->announced = true;
        s->stop = (fhec_stop){.reason = FHEC_STOP_WARP_BEGIN};
        fh_stop_where(&s->stop, f);
        if (fh_points_hit(s, FHEC_POINT_WARP_BEGIN, f, &s->stop))
            return true;
    }
    return false;
}

static bool same_line(const fhec_session *s, uint32_t a, uint32_t b) {
    const struct fh_image *image = &s->image;
    const struct fh_origin *x = fh_code_origin(image->program, image->kernel, a);
    const struct fh_origin *y = fh_code_origin(image->program, image->kernel, b);
    return x && y ? x->file == y->file && x->line == y->line : x == y;
}

/* Before a warp of the step's scope issues: whether the step ends here, else lets it issue one. */
static bool step_ends(fhec_session *s, struct fh_flow *f) {
    if (s->go.step == FHEC_STEP_LINE) {
        if (f->step != s->serial) {
            f->step = s->serial;
            f->step_pc = f->pc;
        } else if (!same_line(s, f->step_pc, f->pc)) {
            s->stop = (fhec_stop){.reason = FHEC_STOP_STEP};
            fh_stop_where(&s->stop, f);
            return true;
        }
    }
    s->single = f;
    s->single_lanes = f->group;
    s->single_from = s->launch.steps;
    s->launch.pause_at = s->launch.steps + 1;
    return false;
}

bool fh_steer_before(void *user, struct fh_flow *f) {
    fhec_session *s = user;
    s->launch.pause_at = s->limit;
    s->stopped =
        (!f->announced && begins(s, f)) ||
        (s->go.step != FHEC_STEP_NONE && fh_in_scope(&s->go.scope, f, f->group) && step_ends(s, f));
    return !s->stopped;
}

static void note(fhec_session *s, fhec_stop_reason reason, const struct fh_flow *f,
                 const struct fh_op *op, uint32_t group, uint32_t active, uint32_t barrier) {
    fhec_stop *event = &s->events[s->event_count++];
    *event = (fhec_stop){.reason = reason};
    fh_stop_where(event, f);
    event->pc = op->pc;
    event->lanes = group;
    event->active = active;
    event->barrier = barrier;
}

bool fh_steer_behind(void *user, struct fh_flow *f, const struct fh_op *op, uint32_t group,
                     uint32_t active) {
    fhec_session *s = user;
    for (uint32_t rest = s->launch.released; rest; rest &= rest - 1)
        note(s, FHEC_STOP_BARRIER, f, op, group, active, (uint32_t)__builtin_ctz(rest));
    if (f->ended == UINT32_MAX) {
        note(s, FHEC_STOP_WARP_END, f, op, group, active, 0);
        if (!f->w.block->live)
            note(s, FHEC_STOP_BLOCK_END, f, op, group, active, 0);
    }
    return s->event_count != 0;
}

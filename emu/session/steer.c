/*
 * steer.c - where a session makes its launch pause beside points at instructions: step by step
 * through the warps of a step's scope, before warps and blocks that begin, and when the limit of
 * instructions is reached.
 */
#include "session_state.h"

/* Whether the beginning of the block or the warp is a reason to stop. */
static bool begins(fhec_session *s, const struct fh_flow *f, fhec_stop_reason reason,
                   fhec_point_kind kind) {
    s->stop = (fhec_stop){.reason = reason};
    fh_stop_where(&s->stop, f);
    return fh_points_hit(s, 1u << kind, FH_NO_OP, f, &s->stop);
}

static bool announces(fhec_session *s, struct fh_flow *f) {
    struct fh_block *block = f->w.block;
    if (!block->announced) {
        block->announced = true;
        if (begins(s, f, FHEC_STOP_BLOCK_BEGIN, FHEC_POINT_BLOCK_BEGIN))
            return true;
    }
    f->announced = true;
    return begins(s, f, FHEC_STOP_WARP_BEGIN, FHEC_POINT_WARP_BEGIN);
}

static bool same_line(const fhec_session *s, uint32_t a, uint32_t b) {
    const struct fh_image *image = &s->image;
    const struct fh_origin *x = fh_code_origin(image->program, image->kernel, a);
    const struct fh_origin *y = fh_code_origin(image->program, image->kernel, b);
    return x && y ? x->file == y->file && x->line == y->line && x->expansion == y->expansion
                  : x == y;
}

/* Before a warp issues, whose next group is in the step's scope: whether the step of a line ends
 * here. */
static bool leaves_line(fhec_session *s, struct fh_flow *f) {
    if (f->step != s->serial) {
        f->step = s->serial;
        f->step_pc = f->pc;
        return false;
    }
    if (same_line(s, f->step_pc, f->pc))
        return false;
    s->stop = (fhec_stop){.reason = FHEC_STOP_STEP};
    fh_stop_where(&s->stop, f);
    return true;
}

/* Before a warp issues: whether the step ends here, else lets it issue one instruction if lanes of
 * it are in the scope. */
static bool step_ends(fhec_session *s, struct fh_flow *f) {
    if (s->go.step == FHEC_STEP_NONE || !fh_in_scope(&s->go.scope, f, UINT32_MAX))
        return false;
    if (s->go.step == FHEC_STEP_LINE && fh_in_scope(&s->go.scope, f, f->group) && leaves_line(s, f))
        return true;
    if (s->first_step)
        f->told = f->issued + 1;
    s->first_step = false;
    s->single = f;
    s->single_lanes = f->group;
    s->single_from = s->launch.steps;
    s->launch.pause_at = s->launch.steps + 1;
    return false;
}

bool fh_steer_before(void *user, struct fh_flow *f) {
    fhec_session *s = user;
    s->launch.pause_at = s->limit;
    s->stopped = (!f->announced && announces(s, f)) || step_ends(s, f);
    return !s->stopped;
}

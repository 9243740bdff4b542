/*
 * moves_focus.c - see moves.h: where the focus goes when a move has ended.
 */
#include <string.h>

#include "moves.h"

static unsigned lowest(uint32_t lanes) {
    return lanes ? (unsigned)__builtin_ctz(lanes) : 0;
}

static void focus_on(struct fh_debugger *d, const uint32_t block[3], uint32_t warp,
                     uint32_t lanes) {
    struct fh_focus *f = &d->focus;
    if (!(lanes >> f->lane & 1) && lanes)
        f->lane = lowest(lanes);
    memcpy(f->block, block, sizeof f->block);
    f->warp = warp;
}

/* The warp that issues next. */
static bool focus_next(struct fh_debugger *d) {
    uint32_t block[3], warp;
    uint64_t pc;
    fhec_warp_info info;
    if (!d->session || !fhec_session_next(d->session, block, &warp, &pc))
        return false;
    const bool known = fhec_session_warp(d->session, block, warp, &info) == FHEC_OK;
    focus_on(d, block, warp, known ? info.active : 0);
    return true;
}

void fh_moves_focus(struct fh_debugger *d, const fhec_stop *stop) {
    if (stop && stop->has_warp)
        focus_on(d, stop->block, stop->warp, stop->lanes);
    else if (!focus_next(d) && !d->count)
        d->focus = (struct fh_focus){.all_lanes = d->focus.all_lanes};
}

/* Whether a lane of the focus has not ended. */
static bool is_alive(const struct fh_debugger *d) {
    fhec_warp_info info;
    if (d->focus.all_blocks || d->focus.all_warps || !d->session)
        return true;
    if (fhec_session_warp(d->session, d->focus.block, d->focus.warp, &info) != FHEC_OK)
        return d->count == 0;
    return (fh_focus_lanes(&d->focus) & info.lanes & ~info.exited) != 0;
}

bool fh_moves_refocus(struct fh_debugger *d) {
    if (is_alive(d))
        return true;
    (void)focus_next(d);
    return false;
}

void fh_moves_stopped(struct fh_debugger *d, enum fh_debug_reason reason, const fhec_stop *stop) {
    d->stop = (struct fh_debug_stop){.reason = reason, .time = {d->launch, d->count}};
    if (stop)
        d->stop.stop = *stop;
    if (d->session)
        fh_moves_focus(d, stop);
}

fhec_location fh_moves_outer_line(const struct fh_debugger *d, uint64_t pc) {
    fhec_expansion expansions[FHEC_MAX_EXPANSIONS];
    if (!d->session)
        return (fhec_location){0};
    size_t count = fhec_session_expansions(d->session, pc, expansions, FHEC_MAX_EXPANSIONS);
    while (count && expansions[count - 1].kind == FHEC_EXPANSION_INCLUDE)
        count--;
    return count ? expansions[count - 1].at : fhec_session_location(d->session, pc);
}

bool fh_moves_same_line(const fhec_location *a, const fhec_location *b) {
    return a->line == b->line && a->file && b->file &&
           (a->file == b->file || strcmp(a->file, b->file) == 0);
}

/*
 * forwards.c - moves forward.
 */
#include "moves.h"

#include <string.h>

#include "found.h"
#include "origin_follow.h"
#include "stop_points.h"
#include "timeline.h"

/* ---------------------------------------------------------------- stops */

/* The session has stopped at one of the points. */
static void stopped_at(struct fh_debugger *d, const fhec_stop *stop) {
    struct fh_stop_point *p = fh_stop_points_find(d, stop->point);
    fh_moves_stopped(d, FH_STOP_BREAKPOINT, stop);
    if (!p)
        return;
    d->stop.breakpoint = p->is.number;
    d->stop.temporary = p->is.temporary;
    p->is.disabled |= p->is.temporary;
    if (p->is.kind == FH_WATCH_ORIGIN)
        d->stop.origin = p->change;
}

/* A fault counts for the catches that are there. */
static void stopped_at_fault(struct fh_debugger *d, const fhec_stop *stop) {
    fh_moves_stopped(d, FH_STOP_FAULT, stop);
    for (size_t i = 0; i < d->point_count; i++) {
        struct fh_breakpoint *b = &d->points[i]->is;
        if (b->kind != FH_CATCH_FAULT || b->disabled)
            continue;
        b->hits++;
        if (!d->stop.breakpoint)
            d->stop.breakpoint = b->number;
    }
}

/* Whether what the session tells ends the move. */
static bool is_told(struct fh_debugger *d, const fhec_stop *stop) {
    switch (stop->reason) {
    case FHEC_STOP_END: return false;
    case FHEC_STOP_COUNT: return false;
    case FHEC_STOP_FAULT: stopped_at_fault(d, stop); return true;
    case FHEC_STOP_CANCEL: fh_moves_stopped(d, FH_STOP_CANCEL, NULL); return true;
    case FHEC_STOP_STEP: fh_moves_stopped(d, FH_STOP_STEP, stop); return true;
    default: stopped_at(d, stop); return true;
    }
}

/* Behind the end of a launch: whether the next one is a reason to stop, or there is none. */
static bool launch_stops(struct fh_debugger *d) {
    if (d->launch == d->launch_count) {
        fh_moves_stopped(d, FH_STOP_END, NULL);
        return true;
    }
    struct fh_stop_point *p = fh_stop_points_launch(d);
    if (!p)
        return false;
    const fhec_stop stop = {.reason = FHEC_STOP_BREAKPOINT};
    (void)fh_timeline_open(d);
    fh_moves_stopped(d, FH_STOP_BREAKPOINT, &stop);
    d->stop.breakpoint = p->is.number;
    d->stop.temporary = p->is.temporary;
    p->is.disabled |= p->is.temporary;
    return true;
}

/* ---------------------------------------------------------------- continue */

/* Where a finding is, whether it stops. */
static bool finding_stops(struct fh_debugger *d, const struct fh_debug_finding *finding) {
    const struct fh_stop_point *p = fh_found_hit(d);
    if (!p)
        return false;
    fh_moves_stopped(d, FH_STOP_FINDING, NULL);
    d->stop.breakpoint = p->is.number;
    d->stop.finding = finding;
    d->stop.stop.has_warp = true; /* the one that issues next */
    return true;
}

/* Whether the launch has several blocks, which host threads may share; one block runs as fast as a
 * session, which a cancel stops where it is. */
static bool has_blocks(const struct fh_debugger *d) {
    fhec_launch launch;
    return fh_debugger_launch(d, d->launch, &launch, NULL) &&
           (launch.grid[0] > 1 || launch.grid[1] > 1 || launch.grid[2] > 1);
}

/* The rest of the launch. *told: a reason to stop has been found. */
static fhec_status continue_launch(struct fh_debugger *d, struct fh_stop_point *only, bool *told) {
    fhec_stop stop;
    const bool plain = !d->session && !only && has_blocks(d) && !fh_stop_points_any(d);
    fhec_status status = plain ? FHEC_OK : fh_timeline_open(d), outcome = FHEC_OK;
    const struct fh_debug_time now = {d->launch, d->count};
    const struct fh_debug_finding *finding =
        only ? NULL
             : fh_found_next(d, now, !(d->resuming && fh_debug_time_compare(d->resumed, now) == 0));
    if (status != FHEC_OK)
        return status;
    if (finding && finding->time.count == d->count) {
        *told = finding_stops(d, finding);
        d->resumed = now;
        d->resuming = true; /* from it, if hits are ignored */
        return FHEC_OK;
    }
    if (!finding && !d->count && (plain || (!fh_stop_points_arm(d, only) && has_blocks(d)))) {
        status = fh_timeline_pass(d, &outcome);
        if (status != FHEC_OK || outcome == FHEC_OK)
            return status;
        if (outcome == FHEC_CANCELLED) {
            fh_moves_stopped(d, FH_STOP_CANCEL, NULL);
            *told = true;
            return FHEC_OK;
        }
    }
    if (plain)
        status = fh_timeline_open(d);
    if (status == FHEC_OK)
        status = fh_trail_ready(d, only);
    if (status != FHEC_OK)
        return status;
    (void)fh_stop_points_arm(d, only);
    status = fh_timeline_run(d, finding ? finding->time.count : UINT64_MAX, NULL, &stop);
    if (status == FHEC_OK)
        *told = is_told(d, &stop);
    if (status == FHEC_OK && !*told && stop.reason == FHEC_STOP_COUNT)
        d->resuming = false;
    return status;
}

/* To the next stop; with `only`, to that one, which is not in the list. */
static fhec_status go_on(struct fh_debugger *d, struct fh_stop_point *only) {
    fhec_status status = FHEC_OK;
    bool told = d->launch == d->launch_count && launch_stops(d);
    while (status == FHEC_OK && !told) {
        const size_t launch = d->launch;
        status = continue_launch(d, only, &told);
        if (status == FHEC_OK && !told && d->launch != launch)
            told = (only && d->launch < d->launch_count) ? false : launch_stops(d);
    }
    return status;
}

/* To `until`, beside the stops that there are. */
static fhec_status go_until(struct fh_debugger *d, const struct fh_breakpoint *until, bool warp) {
    struct fh_breakpoint b = *until;
    unsigned number;
    b.temporary = true;
    if (warp)
        b.scope = fh_focus_scope(&d->focus);
    fhec_status status = fh_debugger_add(d, &b, &number);
    if (status != FHEC_OK)
        return status;
    status = go_on(d, NULL);
    if (status == FHEC_OK && d->stop.breakpoint == number) {
        d->stop.reason = FH_STOP_STEP;
        d->stop.breakpoint = 0;
        d->stop.temporary = false;
    }
    (void)fh_debugger_remove(d, number);
    return status;
}

/* ---------------------------------------------------------------- steps */

/* Behind a step: whether a breakpoint is before what its lanes issue next. */
static bool lands_on_breakpoint(struct fh_debugger *d) {
    uint32_t block[3] = {d->focus.block[0], d->focus.block[1], d->focus.block[2]};
    uint32_t warp = d->focus.warp;
    uint64_t pc;
    fhec_warp_info info;
    fhec_stop stop;
    if ((d->focus.all_blocks || d->focus.all_warps) &&
        !fhec_session_next(d->session, block, &warp, &pc))
        return false;
    if (fhec_session_warp(d->session, block, warp, &info) != FHEC_OK ||
        !(info.active & fh_focus_lanes(&d->focus)) ||
        !fhec_session_breaks(d->session, block, warp, &stop))
        return false;
    stopped_at(d, &stop);
    return true;
}

/* The focus' group issues an instruction. `first`: of the move, which may begin at a breakpoint.
 * *told: there was a stop, or nothing to issue any more. */
static fhec_status step(struct fh_debugger *d, bool first, bool *told) {
    fhec_stop stop = {.reason = FHEC_STOP_COUNT};
    const size_t launch = d->launch;
    fhec_status status = fh_timeline_open(d);
    if (status != FHEC_OK)
        return status;
    (void)fh_moves_refocus(d);
    status = fh_trail_ready(d, NULL);
    if (status != FHEC_OK)
        return status;
    (void)fh_stop_points_arm(d, NULL);
    const struct fh_focus focus = d->focus;
    const fhec_go go = {
        .step = FHEC_STEP_INSTRUCTION, .scope = fh_focus_scope(&focus), .goes_on = !first};
    const struct fh_debug_finding *finding = NULL;
    while (status == FHEC_OK && stop.reason == FHEC_STOP_COUNT && d->launch == launch && !*told) {
        finding = fh_found_next(d, (struct fh_debug_time){d->launch, d->count}, false);
        status = fh_timeline_run(d, finding ? finding->time.count : UINT64_MAX, &go, &stop);
        if (status == FHEC_OK && stop.reason == FHEC_STOP_COUNT)
            *told = finding_stops(d, finding);
    }
    if (status != FHEC_OK || *told)
        return status;
    if (d->launch != launch) {
        *told = true;
        if (!launch_stops(d))
            fh_moves_stopped(d, FH_STOP_STEP, NULL);
        return fh_timeline_open(d);
    }
    *told = is_told(d, &stop);
    if (*told && stop.reason == FHEC_STOP_STEP) {
        d->focus = focus;
        d->resuming = false;
        const bool ended = !fh_moves_refocus(d);
        *told = lands_on_breakpoint(d) ||
                (finding && finding->time.count == d->count && finding_stops(d, finding)) || ended;
    }
    return status;
}

static fhec_status steps(struct fh_debugger *d, uint64_t times) {
    fhec_status status = FHEC_OK;
    bool told = false;
    for (uint64_t i = 0; i < times && status == FHEC_OK && !told; i++)
        status = step(d, !i, &told);
    return status;
}

/* ---------------------------------------------------------------- over calls and macros */

/* The instruction at which the focus stands. */
static bool here(struct fh_debugger *d, uint64_t *pc, fhec_control *control) {
    fhec_instruction instruction;
    return fh_debugger_pc(d, pc) && d->session &&
           fhec_session_instruction(d->session, *pc, &instruction) == FHEC_OK &&
           fhec_control_get(instruction.word, *pc, control) == FHEC_OK;
}

/* To behind the call at pc, in the focus' lane. */
static fhec_status step_over_call(struct fh_debugger *d, uint64_t pc, bool *told) {
    const struct fh_breakpoint back = {.kind = FH_BREAK_PC, .pc = pc + 16, .shown = "next"};
    const fhec_status status = go_until(d, &back, true);
    *told = d->stop.reason != FH_STOP_STEP;
    return status;
}

static fhec_status next(struct fh_debugger *d) {
    uint64_t pc = 0, first = 0;
    fhec_control control;
    bool told = false;
    if (!here(d, &first, &control))
        return steps(d, 1);
    const fhec_location line = fh_moves_outer_line(d, first);
    const size_t launch = d->launch;
    fhec_status status = FHEC_OK;
    bool begun = false;
    pc = first;
    do {
        status = control.calls ? step_over_call(d, pc, &told) : step(d, !begun, &told);
        begun = true;
        if (status != FHEC_OK || told || d->launch != launch || !here(d, &pc, &control))
            break;
        const fhec_location at = fh_moves_outer_line(d, pc);
        if (!line.file || !fh_moves_same_line(&line, &at))
            break;
    } while (pc > first); /* back at its beginning the line is another time the same */
    return status;
}

/* Out of the macro at whose `depth` expansions the focus stands. */
static fhec_status leave_macro(struct fh_debugger *d, size_t depth) {
    fhec_status status = FHEC_OK;
    const size_t launch = d->launch;
    uint64_t pc;
    bool told = false, begun = false;
    while (status == FHEC_OK && !told) {
        status = step(d, !begun, &told);
        begun = true;
        if (d->launch != launch || !fh_debugger_pc(d, &pc) ||
            fhec_session_expansions(d->session, pc, NULL, 0) < depth)
            break;
    }
    return status;
}

static fhec_status finish(struct fh_debugger *d) {
    fhec_frame frames[2];
    size_t count = 0;
    uint64_t pc;
    if (!d->session || !fh_debugger_pc(d, &pc))
        return fh_debugger_fail(d, FHEC_BAD_INPUT, "the focus is on no lane that runs");
    const size_t depth = fhec_session_expansions(d->session, pc, NULL, 0);
    if (fhec_session_calls(d->session, d->focus.block, d->focus.warp, d->focus.lane, frames, 2,
                           &count) != FHEC_OK)
        count = 0;
    if (count > 1) {
        const struct fh_breakpoint back = {
            .kind = FH_BREAK_PC, .pc = frames[1].pc + 16, .shown = "finish"};
        return go_until(d, &back, true);
    }
    if (depth)
        return leave_macro(d, depth);
    const struct fh_breakpoint end = {.kind = FH_CATCH_WARP_END, .shown = "finish"};
    return go_until(d, &end, true);
}

/* ---------------------------------------------------------------- counts */

static fhec_status run_count(struct fh_debugger *d, uint64_t count) {
    fhec_status status = FHEC_OK;
    while (status == FHEC_OK) {
        fhec_stop stop;
        const size_t launch = d->launch;
        const uint64_t before = d->count;
        status = fh_timeline_open(d);
        if (status != FHEC_OK || launch == d->launch_count)
            break;
        status = fh_trail_ready(d, NULL);
        if (status != FHEC_OK)
            break;
        (void)fh_stop_points_arm(d, NULL);
        status = fh_timeline_run(d, count > UINT64_MAX - before ? UINT64_MAX : before + count, NULL,
                                 &stop);
        if (status != FHEC_OK || is_told(d, &stop))
            return status;
        count -= stop.instructions - before;
        if (d->launch != launch && launch_stops(d))
            return status;
        if (!count)
            break;
    }
    if (status == FHEC_OK)
        fh_moves_stopped(d, d->launch == d->launch_count ? FH_STOP_END : FH_STOP_STEP, NULL);
    return status;
}

static fhec_status go_to(struct fh_debugger *d, struct fh_debug_time time) {
    fh_stop_points_disarm(d);
    const fhec_status status = fh_timeline_go(d, time);
    if (status == FHEC_OK)
        fh_moves_stopped(d, FH_STOP_STEP, NULL);
    return status;
}

fhec_status fh_moves_find(struct fh_debugger *d, struct fh_stop_point *only) {
    const struct fh_debug_time from = {d->launch, d->count};
    fhec_status status = go_on(d, only);
    if (status == FHEC_OK && only->is.kind == FH_WATCH_ORIGIN &&
        d->stop.reason == FH_STOP_BREAKPOINT)
        d->stop.origin = only->change;
    if (only->armed && d->session && only->generation == d->generation)
        (void)fhec_session_remove(d->session, only->armed);
    if (status == FHEC_OK && d->stop.reason == FH_STOP_END) {
        status = fh_timeline_go(d, from);
        d->stop.reason = FH_STOP_NONE;
    }
    return status;
}

/* ---------------------------------------------------------------- moves */

void fh_moves_resume(struct fh_debugger *d) {
    d->resumed = (struct fh_debug_time){d->launch, d->count};
    d->resuming = fh_debug_time_compare(d->stop.time, d->resumed) == 0 &&
                  d->stop.reason != FH_STOP_START && d->stop.stop.has_warp;
}

fhec_status fh_moves_forward(struct fh_debugger *d, const struct fh_move *move) {
    const uint64_t times = move->times ? move->times : 1;
    fhec_status status = FHEC_OK;
    switch (move->kind) {
    case FH_MOVE_INSTRUCTION: return steps(d, times);
    case FH_MOVE_COUNT: return run_count(d, times);
    case FH_MOVE_GOTO: return go_to(d, move->to);
    case FH_MOVE_UNTIL: return go_until(d, move->until, true);
    case FH_MOVE_RUN_TO: return go_until(d, move->until, false);
    default: break;
    }
    for (uint64_t i = 0; i < times && status == FHEC_OK; i++) {
        fh_moves_resume(d);
        status = move->kind == FH_MOVE_NEXT     ? next(d)
                 : move->kind == FH_MOVE_FINISH ? finish(d)
                                                : go_on(d, NULL);
        if (d->stop.reason == FH_STOP_END || d->stop.reason == FH_STOP_CANCEL ||
            d->stop.reason == FH_STOP_FAULT ||
            (move->kind != FH_MOVE_CONTINUE && d->stop.reason != FH_STOP_STEP))
            break;
    }
    return status;
}

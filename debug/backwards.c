/*
 * backwards.c - moves back: from a snapshot before, forward again, noting what would have been a
 * reason to stop; the last one before the time is where to go.
 */
#include <stdlib.h>

#include "found.h"
#include "moves.h"
#include "origin_follow.h"
#include "places.h"
#include "stop_points.h"
#include "timeline.h"

/* Back to where a move began that found nothing, or failed. */
static fhec_status return_to(struct fh_debugger *d, struct fh_debug_time time, fhec_status status) {
    char error[sizeof d->error];
    for (size_t i = 0; i < sizeof error; i++)
        error[i] = d->error[i];
    fh_stop_points_disarm(d);
    const fhec_status returned = fh_timeline_go(d, time);
    if (returned != FHEC_OK)
        return returned;
    if (status != FHEC_OK)
        return fh_debugger_fail(d, status, "%s", error);
    return FHEC_OK;
}

static fhec_status arrive(struct fh_debugger *d, struct fh_debug_time time,
                          enum fh_debug_reason reason, const fhec_stop *stop) {
    fh_stop_points_disarm(d);
    const fhec_status status = fh_timeline_go(d, time);
    if (status != FHEC_OK)
        return status;
    (void)fh_timeline_mark(d);
    fh_moves_stopped(d, reason, stop);
    return FHEC_OK;
}

/* How many instructions a launch before this one issues. */
static fhec_status length_of(struct fh_debugger *d, size_t launch, uint64_t *length) {
    fhec_status status = FHEC_OK;
    if (d->lengths[launch] == UINT64_MAX) {
        fhec_stop stop;
        status = fh_timeline_go(d, (struct fh_debug_time){launch, 0});
        if (status == FHEC_OK)
            status = fh_timeline_run(d, UINT64_MAX, NULL, &stop);
        if (status == FHEC_OK && d->lengths[launch] == UINT64_MAX)
            return fh_debugger_fail(d, FHEC_CANCELLED, "cancelled");
    }
    *length = d->lengths[launch];
    return status;
}

/* ---------------------------------------------------------------- steps */

enum { FIRST_WINDOW = 256, NARROW = 8 };

/* The times before instructions of the scope in a window of the launch. */
struct window {
    uint64_t from, to;
    uint64_t size; /* how far back it may go; 0: none has been filled */
    uint64_t *counts;
    uint64_t *pcs;
    size_t count, capacity;
};

static bool window_add(struct window *w, uint64_t count, uint64_t pc) {
    if (w->count == w->capacity) {
        const size_t capacity = w->capacity * 2 + 256;
        uint64_t *counts = realloc(w->counts, capacity * sizeof *counts);
        if (counts)
            w->counts = counts;
        uint64_t *pcs = realloc(w->pcs, capacity * sizeof *pcs);
        if (pcs)
            w->pcs = pcs;
        if (!counts || !pcs)
            return false;
        w->capacity = capacity;
    }
    w->counts[w->count] = count;
    w->pcs[w->count++] = pc;
    return true;
}

static void window_free(struct window *w) {
    free(w->counts);
    free(w->pcs);
}

/* Where the scope's lanes stand, if it is one warp's; 0: its block has yet to begin. */
static uint64_t pc_of(const struct fh_debugger *d, const fhec_scope *scope) {
    fhec_warp_info info;
    if (!scope->one_block || !scope->one_warp ||
        fhec_session_warp(d->session, scope->block, scope->warp, &info) != FHEC_OK)
        return 0;
    for (uint32_t i = 0; i < info.group_count; i++)
        if (info.groups[i].lanes & scope->lanes)
            return info.groups[i].pc;
    return info.pc;
}

/* Fills the window with what the scope issues in it. */
static fhec_status window_fill(struct fh_debugger *d, size_t launch, const fhec_scope *scope,
                               struct window *w) {
    const fhec_go step = {.step = FHEC_STEP_INSTRUCTION, .scope = *scope};
    fhec_status status = fh_timeline_go(d, (struct fh_debug_time){launch, w->from});
    w->count = 0;
    if (status == FHEC_OK)
        (void)fh_timeline_mark(d);
    while (status == FHEC_OK && d->launch == launch && d->count < w->to) {
        fhec_stop stop;
        const uint64_t pc = pc_of(d, scope);
        status = fh_timeline_run(d, w->to, &step, &stop);
        if (status != FHEC_OK || stop.reason == FHEC_STOP_COUNT || stop.reason == FHEC_STOP_END ||
            stop.reason == FHEC_STOP_FAULT)
            break;
        if (stop.reason == FHEC_STOP_CANCEL)
            return fh_debugger_fail(d, FHEC_CANCELLED, "cancelled");
        if (!window_add(w, stop.instructions - 1, pc))
            return fh_debugger_fail(d, FHEC_HOST_ERROR, "no host memory to look back");
    }
    return status;
}

/* The next window before this one, each larger; at first `to` is the end of them all. False: there
 * is none, or *status is an error. */
static bool window_back(struct fh_debugger *d, size_t launch, const fhec_scope *scope,
                        struct window *w, fhec_status *status) {
    if (w->size)
        w->to = w->from;
    if (!w->to)
        return false;
    w->size = !w->size ? FIRST_WINDOW : w->size < (1 << 24) ? w->size * NARROW : w->size;
    w->from = w->to > w->size ? w->to - w->size : 0;
    *status = window_fill(d, launch, scope, w);
    return *status == FHEC_OK;
}

/* Decides with what was issued before, last first: false: that is it; true: before that. */
typedef bool before_fn(void *user, struct fh_debugger *debugger, uint64_t pc);

/* The last time before `end` of its launch for which `before` says that it is the one. *found:
 * whether there is one; else *time is the first at which the scope issues anything, or end. */
static fhec_status look_back(struct fh_debugger *d, struct fh_debug_time end,
                             const fhec_scope *scope, before_fn *before, void *user,
                             struct fh_debug_time *time, bool *found) {
    struct window w = {.to = end.count};
    fhec_status status = FHEC_OK;
    *found = false;
    *time = end;
    while (!*found && window_back(d, end.launch, scope, &w, &status))
        for (size_t i = w.count; i-- > 0 && !*found;) {
            time->count = w.counts[i];
            *found = !before(user, d, w.pcs[i]);
        }
    window_free(&w);
    return status;
}

static bool count_down(void *user, struct fh_debugger *d, uint64_t pc) {
    uint64_t *left = user;
    (void)d;
    (void)pc;
    return --*left != 0;
}

/* The instruction at pc, and the line that it belongs to. */
static bool control_at(const struct fh_debugger *d, uint64_t pc, fhec_control *control) {
    fhec_instruction instruction;
    return d->session && fhec_session_instruction(d->session, pc, &instruction) == FHEC_OK &&
           fhec_control_get(instruction.word, pc, control) == FHEC_OK;
}

/* Backwards over a line: its instructions, last first, and functions that it calls whole. */
struct line_back {
    bool begun;
    fhec_location line;
    uint64_t depth; /* of calls that have to be left, backwards */
    uint64_t last;  /* pc of what was issued behind */
};

/* Called until the instruction before the line is seen: the one behind it is the line's first. */
static bool line_ends(struct line_back *l, const struct fh_debugger *d, uint64_t pc) {
    fhec_control control = {0};
    if (control_at(d, pc, &control) && control.returns) {
        l->depth++;
        return false;
    }
    if (l->depth) {
        l->depth -= control.calls;
        if (l->depth || l->begun)
            return false;
    }
    const fhec_location at = fh_moves_outer_line(d, pc);
    if (!l->begun) {
        l->begun = true;
        l->line = at;
        l->last = pc;
        return !at.file;
    }
    const bool same = fh_moves_same_line(&at, &l->line) && pc < l->last;
    l->last = pc;
    return !same;
}

/* To before the line that the focus' group issued last. */
static fhec_status line_back(struct fh_debugger *d, struct fh_debug_time end,
                             const fhec_scope *scope, struct fh_debug_time *time, bool *found) {
    struct window w = {.to = end.count};
    struct line_back l = {0};
    fhec_status status = FHEC_OK;
    bool over = false;
    *found = false;
    *time = end;
    while (!over && window_back(d, end.launch, scope, &w, &status))
        for (size_t i = w.count; i-- > 0 && !over;) {
            over = line_ends(&l, d, w.pcs[i]);
            if (!over || !l.line.file) {
                time->count = w.counts[i];
                *found = true;
            }
        }
    window_free(&w);
    return status;
}

/* Backwards out of a function: to the call that led into it. */
static bool inside(void *user, struct fh_debugger *d, uint64_t pc) {
    uint64_t *depth = user;
    fhec_control control = {0};
    if (!control_at(d, pc, &control))
        return true;
    if (control.returns)
        ++*depth;
    else if (control.calls && !(*depth)--)
        return false;
    return true;
}

/* ---------------------------------------------------------------- the last stop */

struct hit {
    bool found;
    struct fh_debug_time time;
    fhec_stop stop;
    unsigned breakpoint;
    struct fh_origin_change origin;
};

/* Where a stop is, seen from behind: watchpoints before the access. */
static uint64_t stop_count(const fhec_stop *stop) {
    return stop->reason == FHEC_STOP_WATCHPOINT ? stop->instructions - 1 : stop->instructions;
}

/* The last stop in [here, end) of the launch. */
static fhec_status scan(struct fh_debugger *d, uint64_t end, struct fh_stop_point *only,
                        struct hit *hit) {
    const size_t launch = d->launch;
    fhec_status status = FHEC_OK;
    while (status == FHEC_OK && d->launch == launch && d->count < end) {
        fhec_stop stop;
        status = fh_timeline_run(d, end, NULL, &stop);
        if (status != FHEC_OK || stop.reason == FHEC_STOP_END || stop.reason == FHEC_STOP_FAULT)
            break;
        if (stop.reason == FHEC_STOP_CANCEL)
            return fh_debugger_fail(d, FHEC_CANCELLED, "cancelled");
        const struct fh_stop_point *p = fh_stop_points_find(d, stop.point);
        if (only && stop.point == only->armed)
            p = only;
        if (!p || stop_count(&stop) >= end)
            continue;
        *hit = (struct hit){.found = true,
                            .time = {launch, stop_count(&stop)},
                            .stop = stop,
                            .breakpoint = p->is.number};
        if (p->is.kind == FH_WATCH_ORIGIN)
            hit->origin = p->change;
    }
    return status;
}

/* The count of the last place at or before a time, in its launch. */
static uint64_t place_before(const struct fh_debugger *d, struct fh_debug_time time) {
    const struct fh_debug_place *place = fh_places_before(d, time);
    return place && place->time.launch == time.launch ? place->time.count : 0;
}

/* The last stop of a launch before `end`, from `least` on. */
static fhec_status scan_launch(struct fh_debugger *d, struct fh_debug_time least,
                               struct fh_debug_time end, struct fh_stop_point *only,
                               struct hit *hit) {
    const uint64_t first = end.launch == least.launch ? least.count : 0;
    const bool origins = fh_trail_is_wanted(d, only);
    fhec_status status = FHEC_OK;
    if (origins && fh_debug_time_compare(end, fh_debugger_time(d)) == 0 && end.count)
        status = fh_trail_ready(d, only); /* which leaves marks from where to look */
    while (status == FHEC_OK && !hit->found && end.count > first) {
        const struct fh_debug_time last = {end.launch, end.count - 1};
        uint64_t from = origins ? fh_trail_last(d, last).count : place_before(d, last);
        from = from > first || origins ? from : first;
        fh_stop_points_disarm(d);
        status = fh_timeline_go(d, (struct fh_debug_time){end.launch, from});
        if (status == FHEC_OK)
            status = fh_trail_ready(d, only);
        if (status == FHEC_OK && !fh_stop_points_arm(d, only))
            break;
        if (status == FHEC_OK)
            status = scan(d, end.count, only, hit);
        hit->found &= hit->time.count >= first; /* if it has begun before */
        end.count = from;
    }
    return status;
}

/* A stop before the launch itself. */
static void scan_begin(struct fh_debugger *d, size_t launch, struct hit *hit) {
    const size_t here = d->launch;
    d->launch = launch;
    struct fh_stop_point *p = fh_stop_points_launch(d);
    d->launch = here;
    if (p)
        *hit = (struct hit){.found = true,
                            .time = {launch, 0},
                            .stop = {.reason = FHEC_STOP_BREAKPOINT},
                            .breakpoint = p->is.number};
}

/* The last stop in [least, end). */
static fhec_status search(struct fh_debugger *d, struct fh_debug_time least,
                          struct fh_debug_time end, struct fh_stop_point *only, struct hit *hit) {
    fhec_status status = FHEC_OK;
    d->searching = true;
    for (;;) {
        status = scan_launch(d, least, end, only, hit);
        if (status != FHEC_OK || hit->found)
            break;
        if (end.count && !only && (end.launch > least.launch || !least.count))
            scan_begin(d, end.launch, hit);
        if (hit->found || end.launch == least.launch)
            break;
        end = (struct fh_debug_time){end.launch - 1, UINT64_MAX};
    }
    d->searching = false;
    return status;
}

/* Goes to the stop, or to the finding, if that is later. */
static fhec_status arrive_at(struct fh_debugger *d, const struct hit *hit,
                             const struct fh_debug_finding *finding) {
    fhec_status status;
    if (finding && (!hit->found || fh_debug_time_compare(finding->time, hit->time) > 0)) {
        status = arrive(d, finding->time, FH_STOP_FINDING, NULL);
        d->stop.breakpoint = fh_found_catch(d)->is.number;
        d->stop.finding = finding;
        d->stop.stop.has_warp = true;
        return status;
    }
    status = arrive(d, hit->time, FH_STOP_BREAKPOINT, &hit->stop);
    d->stop.breakpoint = hit->breakpoint;
    d->stop.origin = hit->origin;
    return status;
}

static fhec_status continue_back(struct fh_debugger *d, struct fh_stop_point *only) {
    const struct fh_debug_time from = fh_debugger_time(d);
    struct hit hit = {0};
    fhec_status status = search(d, (struct fh_debug_time){0, 0}, from, only, &hit);
    if (only && d->session && only->armed && only->generation == d->generation)
        (void)fhec_session_remove(d->session, only->armed);
    if (status != FHEC_OK)
        return return_to(d, from, status);
    const struct fh_debug_finding *finding = only ? NULL : fh_found_last(d, from);
    if (finding || hit.found)
        return arrive_at(d, &hit, finding);
    if (!only)
        return arrive(d, (struct fh_debug_time){0, 0}, FH_STOP_BEGIN, NULL);
    status = return_to(d, from, status);
    d->stop.reason = FH_STOP_NONE;
    return status;
}

/* ---------------------------------------------------------------- steps and stops on the way */

/* From `from` back to `to`, or to the last stop between them, which the move ends at. */
static fhec_status back_to(struct fh_debugger *d, struct fh_debug_time from,
                           struct fh_debug_time to, enum fh_debug_reason reason) {
    const struct fh_debug_finding *finding = fh_found_last(d, from);
    struct hit hit = {0};
    fhec_status status = FHEC_OK;
    if (finding && fh_debug_time_compare(finding->time, to) < 0)
        finding = NULL;
    if (fh_stop_points_any(d) || to.launch != from.launch || !to.count)
        status = search(d, to, from, NULL, &hit);
    if (status != FHEC_OK)
        return return_to(d, from, status);
    return hit.found || finding ? arrive_at(d, &hit, finding) : arrive(d, to, reason, NULL);
}

/* In the launch before: its last instruction, of whatever warp. */
static fhec_status launch_back(struct fh_debugger *d, struct fh_debug_time from) {
    uint64_t length = 0;
    size_t launch = from.launch;
    fhec_status status = FHEC_OK;
    while (launch && !length && status == FHEC_OK)
        status = length_of(d, --launch, &length);
    if (status != FHEC_OK)
        return return_to(d, from, status);
    if (!length)
        return back_to(d, from, (struct fh_debug_time){0, 0}, FH_STOP_BEGIN);
    return back_to(d, from, (struct fh_debug_time){launch, length - 1}, FH_STOP_STEP);
}

static fhec_status step_back(struct fh_debugger *d, const struct fh_move *move, uint64_t times) {
    const struct fh_debug_time from = fh_debugger_time(d);
    struct fh_focus focus = d->focus;
    if (move->kind != FH_MOVE_INSTRUCTION) /* lines and calls are one warp's */
        focus.all_blocks = focus.all_warps = false;
    const fhec_scope scope = fh_focus_scope(&focus);
    struct fh_debug_time time = from;
    bool found = false;
    uint64_t depth = 0;
    fh_stop_points_disarm(d);
    if (!from.count)
        return launch_back(d, from);
    fhec_status status = move->kind == FH_MOVE_NEXT ? line_back(d, from, &scope, &time, &found)
                         : move->kind == FH_MOVE_FINISH
                             ? look_back(d, from, &scope, inside, &depth, &time, &found)
                             : look_back(d, from, &scope, count_down, &times, &time, &found);
    if (status != FHEC_OK)
        return return_to(d, from, status);
    const bool nothing = fh_debug_time_compare(time, from) == 0; /* has it issued */
    if (nothing)
        time.count = 0;
    focus = d->focus;
    status = back_to(d, from, time, FH_STOP_STEP);
    if (status == FHEC_OK && !nothing && d->stop.reason == FH_STOP_STEP)
        d->focus = focus;
    return status;
}

static fhec_status count_back(struct fh_debugger *d, uint64_t count) {
    const struct fh_debug_time from = fh_debugger_time(d);
    struct fh_debug_time time = from;
    fhec_status status = FHEC_OK;
    fh_stop_points_disarm(d);
    while (status == FHEC_OK && count > time.count && time.launch) {
        count -= time.count;
        time.launch--;
        status = length_of(d, time.launch, &time.count);
    }
    if (status != FHEC_OK)
        return return_to(d, from, status);
    const bool begin = count > time.count;
    time.count -= begin ? time.count : count;
    return back_to(d, from, time, begin ? FH_STOP_BEGIN : FH_STOP_STEP);
}

fhec_status fh_moves_back(struct fh_debugger *d, const struct fh_move *move) {
    const uint64_t times = move->times ? move->times : 1;
    fhec_status status = FHEC_OK;
    switch (move->kind) {
    case FH_MOVE_INSTRUCTION: return step_back(d, move, times);
    case FH_MOVE_COUNT: return count_back(d, times);
    case FH_MOVE_GOTO: return arrive(d, move->to, FH_STOP_STEP, NULL);
    default: break;
    }
    for (uint64_t i = 0; i < times && status == FHEC_OK; i++) {
        if (move->kind == FH_MOVE_NEXT || move->kind == FH_MOVE_FINISH) {
            status = step_back(d, move, 1);
            if (d->stop.reason != FH_STOP_STEP)
                break;
            continue;
        }
        struct fh_stop_point *only = NULL;
        if (move->until && !(only = fh_stop_point_new(d, move->until)))
            return fh_debugger_fail(d, FHEC_HOST_ERROR, "no host memory for a breakpoint");
        if (only && move->kind == FH_MOVE_UNTIL)
            only->is.scope = fh_focus_scope(&d->focus);
        status = continue_back(d, only);
        fh_stop_point_free(only);
        if (d->stop.reason == FH_STOP_BEGIN || d->stop.reason == FH_STOP_NONE)
            break;
    }
    return status;
}

fhec_status fh_moves_find_back(struct fh_debugger *d, struct fh_stop_point *only) {
    return continue_back(d, only);
}

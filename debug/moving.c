/*
 * moving.c - the moves of debugger.h.
 */
#include <string.h>

#include "moves.h"
#include "origin_trail.h"
#include "stop_points.h"
#include "timeline.h"

static void begin(struct fh_debugger *d) {
    d->error[0] = '\0';
    d->bad_condition = false;
    if (d->stop.temporary)
        (void)fh_debugger_remove(d, d->stop.breakpoint);
    d->stop.temporary = false;
    fh_moves_resume(d);
}

static fhec_status end(struct fh_debugger *d, fhec_status status, struct fh_debug_stop *stop) {
    d->resuming = false;
    atomic_store(&d->cancelled, false);
    if (status == FHEC_CANCELLED) { /* backwards: it is where it was, if it could go back there */
        d->stop = (struct fh_debug_stop){.reason = FH_STOP_CANCEL, .time = {d->launch, d->count}};
        status = FHEC_OK;
    }
    fh_trail_rest(d);
    if (status == FHEC_OK)
        status = fh_timeline_open(d);
    if (status == FHEC_OK && d->bad_condition)
        status = FHEC_BAD_INPUT;
    const struct fh_debug_time now = {d->launch, d->count};
    if (fh_debug_time_compare(now, d->farthest) > 0)
        d->farthest = now;
    *stop = d->stop;
    return status;
}

/* Back to where a move began that was cancelled on the way back, or that was to a time that there
 * is not; the error stays. */
static fhec_status stay(struct fh_debugger *d, struct fh_debug_time from, fhec_status status) {
    char error[sizeof d->error];
    memcpy(error, d->error, sizeof error);
    const fhec_status returned = fh_timeline_go(d, from);
    return returned == FHEC_OK ? fh_debugger_fail(d, status, "%s", error) : returned;
}

fhec_status fh_debugger_move(struct fh_debugger *d, const struct fh_move *move,
                             struct fh_debug_stop *stop) {
    const struct fh_debug_time from = {d->launch, d->count};
    begin(d);
    fhec_status status = move->back ? fh_moves_back(d, move) : fh_moves_forward(d, move);
    if (status == FHEC_CANCELLED || (status == FHEC_BAD_INPUT && move->kind == FH_MOVE_GOTO))
        status = stay(d, from, status);
    return end(d, status, stop);
}

fhec_status fh_debugger_find(struct fh_debugger *d, const struct fh_breakpoint *watch, bool back,
                             struct fh_debug_stop *stop) {
    struct fh_stop_point *only = fh_stop_point_new(d, watch);
    *stop = (struct fh_debug_stop){.reason = FH_STOP_NONE};
    if (!only)
        return fh_debugger_fail(d, FHEC_HOST_ERROR, "no host memory for a watchpoint");
    const struct fh_debug_time from = {d->launch, d->count};
    begin(d);
    fhec_status status = back ? fh_moves_find_back(d, only) : fh_moves_find(d, only);
    if (status == FHEC_CANCELLED)
        status = stay(d, from, status);
    fh_stop_point_free(only);
    return end(d, status, stop);
}

/*
 * origin_follow.c - see origin_follow.h.
 */
#include "origin_follow.h"

#include <string.h>

#include "stop_points.h"
#include "timeline.h"

enum { APART = 1 << 14 }; /* instructions between marks, at least */

/* Forward to where the debugger was, with marks that are the denser the nearer they are to it. */
static fhec_status run_to(struct fh_debugger *d, struct fh_debug_time time) {
    fhec_stop stop = {.reason = FHEC_STOP_STEP};
    fhec_status status = FHEC_OK;
    while (status == FHEC_OK && d->session && d->launch == time.launch && d->count < time.count &&
           stop.reason != FHEC_STOP_FAULT) {
        const uint64_t rest = time.count - d->count;
        status = fh_timeline_run(d, rest > APART ? d->count + rest / 2 : time.count, NULL, &stop);
        if (status == FHEC_OK && stop.reason == FHEC_STOP_CANCEL)
            return fh_debugger_fail(d, FHEC_CANCELLED, "cancelled");
        if (status == FHEC_OK && d->launch == time.launch && d->count < time.count)
            fh_trail_mark(d);
    }
    if (status == FHEC_OK && fh_debug_time_compare(fh_debugger_time(d), time) != 0)
        return fh_debugger_fail(d, FHEC_HOST_ERROR, "the launch is not what it was");
    return status;
}

/* Back to where it was, without origins. */
static fhec_status give_up(struct fh_debugger *d, struct fh_debug_time time, fhec_status status) {
    char error[sizeof d->error];
    memcpy(error, d->error, sizeof error);
    fh_trail_free(d);
    const fhec_status returned = fh_timeline_go(d, time);
    return returned == FHEC_OK ? fh_debugger_fail(d, status, "%s", error) : returned;
}

fhec_status fh_trail_follow(struct fh_debugger *d, struct fh_stop_point *only) {
    fhec_status status = fh_timeline_open(d);
    const struct fh_debug_time here = fh_debugger_time(d);
    if (status != FHEC_OK || (d->trail && d->trail->follows))
        return status;
    if (!d->session)
        return fh_debugger_fail(d, FHEC_BAD_INPUT, "no launch is under way");
    const struct fh_debug_time from = fh_trail_last(d, here);
    fh_stop_points_disarm(d);
    if (from.count != here.count) {
        (void)fh_timeline_mark(d);
        status = fh_timeline_go(d, from);
    }
    if (status == FHEC_OK)
        status = fh_trail_begin(d, only);
    if (status == FHEC_OK)
        status = run_to(d, here);
    if (status == FHEC_OK && !fh_origins_complete(d->trail->origins))
        status = fh_debugger_fail(d, FHEC_HOST_ERROR, "no host memory for the origins of values");
    return status == FHEC_OK ? status : give_up(d, here, status);
}

fhec_status fh_trail_ready(struct fh_debugger *d, struct fh_stop_point *only) {
    if (!fh_trail_is_wanted(d, only)) {
        fh_trail_rest(d);
        return FHEC_OK;
    }
    if (d->trail && d->trail->follows && d->trail->only == only)
        return FHEC_OK;
    fh_trail_rest(d); /* which instructions are told is asked when they begin to follow */
    return fh_trail_follow(d, only);
}

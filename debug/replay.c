/*
 * replay.c - see replay.h.
 */
#include "replay.h"

#include "timeline.h"

fhec_status fh_replay_new(struct fh_debugger *d, struct fh_debugger **replay) {
    const struct fh_debugger_options options = {.machine = d->options.machine,
                                                .memory = d->options.memory};
    struct fh_debugger *r = NULL;
    *replay = NULL;
    if (fh_debugger_new(&options, &r) != FHEC_OK)
        return fh_debugger_fail(d, FHEC_HOST_ERROR, "no host memory for a second machine");
    const fhec_status status = fh_debugger_list(r, d->record);
    if (status != FHEC_OK) {
        fh_debugger_free(r);
        return fh_debugger_fail(d, status, "no host memory for the list of launches");
    }
    r->changes = d->changes; /* they stay the other one's */
    r->change_count = d->change_count;
    r->patches = d->patches;
    r->patch_count = d->patch_count;
    *replay = r;
    return FHEC_OK;
}

void fh_replay_free(struct fh_debugger *r) {
    if (!r)
        return;
    r->changes = NULL;
    r->change_count = 0;
    r->patches = NULL;
    r->patch_count = 0;
    fh_debugger_free(r);
}

static fhec_status tell(struct fh_debugger *d, const struct fh_debugger *r, fhec_status status) {
    return status == FHEC_OK ? status : fh_debugger_fail(d, status, "%s", fh_debugger_error(r));
}

fhec_status fh_replay_to(struct fh_debugger *d, struct fh_debugger *r, struct fh_debug_time time) {
    return tell(d, r, fh_timeline_go(r, time));
}

fhec_status fh_replay_before(struct fh_debugger *d, struct fh_debugger *r, size_t launch) {
    fhec_status status = FHEC_OK, outcome = FHEC_OK;
    while (status == FHEC_OK && outcome == FHEC_OK && r->launch < launch)
        status = fh_timeline_pass(r, &outcome);
    if (status != FHEC_OK)
        return tell(d, r, status);
    if (outcome == FHEC_CANCELLED)
        return fh_debugger_fail(d, FHEC_CANCELLED, "cancelled");
    return outcome == FHEC_OK
               ? FHEC_OK
               : fh_debugger_fail(d, FHEC_BAD_INPUT, "launch %zu ends with a fault", r->launch + 1);
}

fhec_status fh_replay_launch(struct fh_debugger *d, struct fh_debugger *r) {
    fhec_status outcome = FHEC_OK;
    const fhec_status status = fh_timeline_run_out(r, &outcome);
    if (status != FHEC_OK)
        return tell(d, r, status);
    if (r->session)
        fh_timeline_end(r); /* with changes; observers see it end */
    return outcome == FHEC_CANCELLED ? fh_debugger_fail(d, FHEC_CANCELLED, "cancelled") : outcome;
}

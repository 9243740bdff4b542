/*
 * debugger.c - making a debugger, and what the host did for it.
 */
#include "debugger.h"

#include <stdlib.h>

#include "found.h"
#include "patches.h"
#include "stop_points.h"
#include "timeline.h"

fhec_status fh_debugger_new(const struct fh_debugger_options *options,
                            struct fh_debugger **debugger) {
    struct fh_debugger *d = calloc(1, sizeof *d);
    *debugger = NULL;
    if (!d)
        return FHEC_HOST_ERROR;
    d->options = *options;
    const fhec_status status = fhec_machine_new(&options->machine, &d->machine);
    if (status != FHEC_OK) {
        free(d);
        return status;
    }
    *debugger = d;
    return FHEC_OK;
}

void fh_debugger_free(struct fh_debugger *d) {
    if (!d)
        return;
    fh_timeline_end(d);
    fhec_machine_free(d->machine);
    fh_stop_points_free(d);
    fh_found_free(d);
    for (size_t i = 0; i < d->change_count; i++)
        free(d->changes[i].data);
    free(d->changes);
    fh_patches_free(d);
    free(d->launches);
    free(d->lengths);
    free(d);
}

static bool add_launch(struct fh_debugger *d, size_t action) {
    if (d->launch_count == d->launch_capacity) {
        const size_t capacity = d->launch_capacity * 2 + 16;
        size_t *launches = realloc(d->launches, capacity * sizeof *launches);
        if (launches)
            d->launches = launches;
        uint64_t *lengths = realloc(d->lengths, capacity * sizeof *lengths);
        if (lengths)
            d->lengths = lengths;
        if (!launches || !lengths)
            return false;
        d->launch_capacity = capacity;
    }
    d->lengths[d->launch_count] = UINT64_MAX;
    d->launches[d->launch_count++] = action;
    return true;
}

fhec_status fh_debugger_list(struct fh_debugger *d, const fhec_record *record) {
    fhec_action action;
    size_t next = d->launch_count ? d->launches[d->launch_count - 1] + 1 : 0;
    d->record = record;
    for (; fhec_record_get(record, next, &action); next++)
        if (action.kind == FHEC_ACTION_LAUNCH && !add_launch(d, next))
            return fh_debugger_fail(d, FHEC_HOST_ERROR, "no host memory for the list of launches");
    d->stop = (struct fh_debug_stop){.reason = FH_STOP_START, .time = {d->launch, d->count}};
    return FHEC_OK;
}

fhec_status fh_debugger_take(struct fh_debugger *d, const fhec_record *record) {
    const fhec_status status = fh_debugger_list(d, record);
    return status == FHEC_OK ? fh_timeline_open(d) : status;
}

/* ---------------------------------------------------------------- where it is */

fhec_session *fh_debugger_session(struct fh_debugger *d) {
    (void)fh_timeline_open(d);
    return d->session;
}

bool fh_debugger_pc(struct fh_debugger *d, uint64_t *pc) {
    fhec_warp_info info;
    fhec_session *session = fh_debugger_session(d);
    if (!session || fhec_session_warp(session, d->focus.block, d->focus.warp, &info) != FHEC_OK)
        return false;
    for (uint32_t i = 0; i < info.group_count; i++) {
        if (!(info.groups[i].lanes >> d->focus.lane & 1))
            continue;
        *pc = info.groups[i].pc;
        return true;
    }
    return false;
}

void fh_debugger_cancel(struct fh_debugger *d) {
    atomic_store(&d->cancelled, true);
    fhec_machine_cancel(d->machine);
}

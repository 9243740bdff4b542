/*
 * end_warp.c - a warp that the host ends, as if all its lanes had executed EXIT.
 */
#include "session_state.h"

#include <stdlib.h>

/* Makes the hooks those of the observers that there are now. What has happened and has not been
 * told yet is kept, to be told before the launch goes on. */
static bool refresh_hooks(fhec_session *s) {
    if (!s->stale && s->changes == s->machine->changes)
        return true;
    fhec_stop *const events = s->events;
    const size_t count = s->event_count, next = s->event_next;
    s->events = NULL;
    const bool fine = fh_session_watch(s);
    s->stale = !fine || next < count;
    if (next == count) {
        free(events);
        return fine;
    }
    free(s->events);
    s->events = events;
    s->event_count = count;
    s->event_next = next;
    return fine;
}

/* Ends the warp; told to hooks as of the instruction before which its lowest lane stands. */
static void end_told(struct fh_flow *f, struct fh_watch *watch) {
    const uint32_t live = ~f->ended, lowest = live & (0u - live);
    const uint32_t pc = f->group & lowest ? f->pc : f->lane_pc[__builtin_ctz(live)];
    const struct fh_issue issue = {f, &f->w.launch->image->ops[pc], live, live};
    if (!f->watched)
        fh_watch_warp_begins(f);
    watch->issue = &issue;
    fh_flow_end(f);
    fh_watch_ended(&issue);
    watch->issue = NULL;
}

fhec_status fhec_session_end_warp(fhec_session *s, const uint32_t block[3], uint32_t warp) {
    struct fh_flow *f = fh_session_warp_of(s, block, warp);
    if (!f)
        return FHEC_BAD_INPUT;
    if (f->ended == UINT32_MAX)
        return fh_machine_fail(s->machine, FHEC_BAD_INPUT, "warp %u of block (%u,%u,%u) has ended",
                               warp, block[0], block[1], block[2]);
    if (!refresh_hooks(s))
        return fh_machine_fail(s->machine, FHEC_HOST_ERROR, "no host memory to watch the kernel");
    const struct fh_fault_record *fault = &s->launch.fault;
    s->at_fault |=
        fault->kind != FHEC_FAULT_NONE && fault->block == f->w.block->index && fault->warp == warp;
    s->machine->changes++;
    s->by_host = true;
    if (s->launch.watch)
        end_told(f, s->launch.watch);
    else
        fh_flow_end(f);
    s->by_host = false;
    fh_ordered_ended(&s->residents, f);
    return FHEC_OK;
}

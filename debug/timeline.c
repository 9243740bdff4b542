/*
 * timeline.c - see timeline.h.
 */
#include "timeline.h"

#include "fhec_patch.h"
#include "found.h"
#include "origin_trail.h"
#include "patches.h"
#include "places.h"

#include <stdlib.h>

static fhec_status machine_failed(struct fh_debugger *d, fhec_status status) {
    const char *why = fhec_machine_error(d->machine);
    return fh_debugger_fail(d, status, "%s", why && *why ? why : "the machine failed");
}

/* ---------------------------------------------------------------- what the host did */

/* How many actions are done at the beginning of a launch; what the host does behind the last one
 * (it releases its memory) is not done. */
static size_t actions_before(const struct fh_debugger *d, size_t launch) {
    if (launch < d->launch_count)
        return d->launches[launch];
    return d->launch_count ? d->launches[d->launch_count - 1] + 1 : 0;
}

/* To the beginning of the launch, or of the end. */
static fhec_status ready(struct fh_debugger *d) {
    const size_t end = actions_before(d, d->launch);
    fhec_status status = FHEC_OK;
    while (d->done < end && status == FHEC_OK) {
        fhec_action action;
        if (fhec_record_get(d->record, d->done, &action))
            status = fhec_action_do(d->machine, &action);
        if (status == FHEC_OK)
            d->done++;
        else
            status = machine_failed(d, status);
    }
    return status;
}

/* ---------------------------------------------------------------- changes */

static fhec_status make_change(struct fh_debugger *d, struct fh_debug_change *c) {
    const fhec_thread *thread = c->has_thread ? &c->thread : NULL;
    fhec_status status;
    if (c->kind == FH_CHANGE_REGISTER)
        status = fhec_session_write_register(d->session, c->thread.block, c->thread.warp, c->file,
                                             c->reg, c->lanes, c->values);
    else if (c->kind == FH_CHANGE_INSTRUCTION)
        status = fhec_session_execute(d->session, c->thread.block, c->thread.warp, c->lanes,
                                      c->word, &c->executed);
    else
        status = fhec_session_write(d->session, c->space, c->bank, thread, c->address, c->data,
                                    c->bytes);
    if (status != FHEC_OK)
        return machine_failed(d, status);
    fh_trail_changed(d, c);
    return FHEC_OK;
}

/* Those of this time, to which the launch has just come. */
static fhec_status make_changes(struct fh_debugger *d) {
    fhec_status status = fh_patches_make(d);
    for (size_t i = 0; i < d->change_count && status == FHEC_OK; i++)
        if (fh_debug_time_compare(d->changes[i].time, fh_debugger_time(d)) == 0)
            status = make_change(d, &d->changes[i]);
    return status;
}

/* The count of the next change in this launch behind here; UINT64_MAX: there is none. */
static uint64_t next_change(const struct fh_debugger *d) {
    const uint64_t patch = fh_patches_next(d);
    for (size_t i = 0; i < d->change_count; i++)
        if (d->changes[i].time.launch == d->launch && d->changes[i].time.count > d->count)
            return d->changes[i].time.count < patch ? d->changes[i].time.count : patch;
    return patch;
}

static bool has_changes_now(const struct fh_debugger *d) {
    for (size_t i = 0; i < d->change_count; i++)
        if (fh_debug_time_compare(d->changes[i].time, fh_debugger_time(d)) == 0)
            return true;
    return false;
}

static bool has_changes(const struct fh_debugger *d) {
    for (size_t i = 0; i < d->change_count; i++)
        if (d->changes[i].time.launch == d->launch)
            return true;
    return fh_patches_any(d);
}

/* ---------------------------------------------------------------- launches */

static void give_up(struct fh_debugger *d) {
    fh_trail_rest(d);
    (void)fhec_session_end(d->session);
    d->session = NULL;
    d->generation++;
}

/* The launch is over. */
static void leave(struct fh_debugger *d) {
    fh_trail_leave(d);
    if (d->session)
        give_up(d);
    d->done++;
    d->launch++;
    d->count = 0;
}

/* Whether a block is there that has not ended. */
static bool has_block(const fhec_session *session) {
    fhec_block_info info;
    for (size_t i = 0; i < fhec_session_block_count(session); i++)
        if (fhec_session_block(session, i, &info) == FHEC_OK && info.live)
            return true;
    return false;
}

/* Between two blocks: on to where the next one has begun, without an instruction, or to the end of
 * the launch. So a time is one state, however the debugger came there, and has a block to look at.
 */
static fhec_status settle(struct fh_debugger *d) {
    const fhec_point begin = {.kind = FHEC_POINT_BLOCK_BEGIN};
    unsigned number;
    fhec_stop stop;
    if (!d->session || has_block(d->session))
        return FHEC_OK;
    fhec_status status = fhec_session_add(d->session, &begin, &number);
    if (status == FHEC_OK)
        status = fhec_session_run(d->session, NULL, &stop);
    if (status != FHEC_OK)
        return machine_failed(d, status);
    (void)fhec_session_remove(d->session, number);
    if (stop.reason == FHEC_STOP_END) {
        d->lengths[d->launch] = d->count;
        leave(d);
    }
    return FHEC_OK;
}

/* The launch has come here: what is changed between two blocks is so where the next one has begun.
 */
static fhec_status settle_changes(struct fh_debugger *d) {
    const fhec_status status = has_changes_now(d) ? settle(d) : FHEC_OK;
    return status == FHEC_OK && d->session ? make_changes(d) : status;
}

/* Where the launch has just begun. */
static fhec_status settle_begin(struct fh_debugger *d) {
    const fhec_status status = settle(d);
    return status == FHEC_OK ? make_changes(d) : status;
}

/* The debugger stands where a place is from then on. */
static fhec_status restore(struct fh_debugger *d, const struct fh_debug_place *place) {
    fhec_session *session = NULL;
    const struct fh_debug_time time = place->time;
    fh_trail_rest(d);
    fhec_status status = fhec_snapshot_restore(place->snapshot, &session);
    if (status == FHEC_BAD_INPUT && d->session) {
        give_up(d);
        status = fhec_snapshot_restore(place->snapshot, &session);
    }
    if (status != FHEC_OK)
        return machine_failed(d, status);
    if (session != d->session)
        d->generation++;
    d->session = session;
    d->launch = time.launch;
    d->count = time.count;
    d->done = actions_before(d, time.launch);
    return d->session && !d->count ? settle_begin(d) : FHEC_OK;
}

fhec_status fh_timeline_open(struct fh_debugger *d) {
    fhec_action action;
    if (d->session)
        return FHEC_OK;
    const struct fh_debug_place *place = fh_places_before(d, fh_debugger_time(d));
    if (place && place->under_way && fh_debug_time_compare(place->time, fh_debugger_time(d)) == 0)
        return restore(d, place); /* it has been here: the same launch as then */
    fhec_status status = ready(d);
    if (status != FHEC_OK || d->launch == d->launch_count)
        return status;
    if (!fhec_record_get(d->record, d->launches[d->launch], &action))
        return fh_debugger_fail(d, FHEC_HOST_ERROR, "the record has forgotten a launch");
    status = fhec_session_begin(d->machine, action.launch, &d->session);
    if (status != FHEC_OK)
        return machine_failed(d, status);
    d->generation++;
    d->count = 0;
    fh_places_take(d, fh_debugger_time(d));
    return settle_begin(d);
}

/* The count at which the next place is to be taken. */
static uint64_t next_mark(const struct fh_debugger *d) {
    const struct fh_debug_place *place = fh_places_before(d, fh_debugger_time(d));
    const uint64_t from = place && place->time.launch == d->launch ? place->time.count : 0;
    return from + fh_places_interval(from);
}

/* The machine forgets a cancel when a session ends, as it does on the way back: the move does not.
 */
static void insist(struct fh_debugger *d) {
    if (atomic_exchange(&d->cancelled, false))
        fhec_machine_cancel(d->machine);
}

fhec_status fh_timeline_run(struct fh_debugger *d, uint64_t until, const fhec_go *step,
                            fhec_stop *stop) {
    *stop = (fhec_stop){.reason = FHEC_STOP_END};
    fhec_status status = fh_timeline_open(d);
    while (status == FHEC_OK && d->session) {
        const uint64_t change = next_change(d), mark = next_mark(d), before = d->count;
        uint64_t limit = until < change ? until : change;
        limit = limit < mark ? limit : mark;
        if (d->count >= until) {
            *stop = (fhec_stop){.reason = FHEC_STOP_COUNT, .instructions = d->count};
            return FHEC_OK;
        }
        if (d->count >= mark) {
            fh_places_take(d, fh_debugger_time(d));
            continue;
        }
        fhec_go go = step ? *step : (fhec_go){0};
        go.instructions = limit - d->count;
        insist(d);
        status = fhec_session_run(d->session, &go, stop);
        if (status != FHEC_OK)
            return machine_failed(d, status);
        d->count = stop->instructions;
        if (stop->reason == FHEC_STOP_END) {
            d->lengths[d->launch] = d->count;
            leave(d);
            return FHEC_OK;
        }
        if (d->count > before)
            status = settle_changes(d);
        if (status == FHEC_OK && (stop->reason == FHEC_STOP_STEP ||
                                  (stop->reason == FHEC_STOP_COUNT && d->count >= until)))
            return settle(d);
        if (stop->reason != FHEC_STOP_COUNT)
            return status;
    }
    return status;
}

enum { LAUNCHES_APART = 8 }; /* places before launches that are passed: running them is quick */

/* A launch that was passed has not ended well: back to its beginning. */
static fhec_status return_to_launch(struct fh_debugger *d) {
    const struct fh_debug_time begin = {d->launch, 0};
    const struct fh_debug_place *place = fh_places_before(d, begin);
    fhec_status outcome = FHEC_OK;
    if (!place)
        return fh_debugger_fail(d, FHEC_HOST_ERROR, "no host memory was there for a snapshot");
    fhec_status status = restore(d, place);
    if (status == FHEC_OK && d->count)
        status = fh_debugger_fail(d, FHEC_HOST_ERROR, "no host memory was there for a snapshot");
    while (status == FHEC_OK && outcome == FHEC_OK && d->launch < begin.launch)
        status = fh_timeline_pass(d, &outcome);
    return status;
}

fhec_status fh_timeline_run_out(struct fh_debugger *d, fhec_status *outcome) {
    fhec_action action;
    fhec_status status = ready(d);
    *outcome = FHEC_OK;
    if (status != FHEC_OK)
        return status;
    if (has_changes(d)) {
        fhec_stop stop;
        status = fh_timeline_run(d, UINT64_MAX, NULL, &stop);
        *outcome = stop.reason == FHEC_STOP_FAULT    ? FHEC_GUEST_FAULT
                   : stop.reason == FHEC_STOP_CANCEL ? FHEC_CANCELLED
                                                     : FHEC_OK;
        return status;
    }
    if (d->session)
        give_up(d);
    const struct fh_debug_place *last = fh_places_before(d, fh_debugger_time(d));
    if (!last || last->time.count || d->launch - last->time.launch >= LAUNCHES_APART)
        fh_places_take(d, fh_debugger_time(d));
    if (!fhec_record_get(d->record, d->launches[d->launch], &action))
        return fh_debugger_fail(d, FHEC_HOST_ERROR, "the record has forgotten a launch");
    insist(d);
    *outcome = fhec_run(d->machine, action.launch);
    if (*outcome == FHEC_OK) {
        leave(d);
        return FHEC_OK;
    }
    return *outcome == FHEC_GUEST_FAULT || *outcome == FHEC_CANCELLED ? FHEC_OK
                                                                      : machine_failed(d, *outcome);
}

fhec_status fh_timeline_pass(struct fh_debugger *d, fhec_status *outcome) {
    const fhec_status status = fh_timeline_run_out(d, outcome);
    const bool ended = status != FHEC_OK || *outcome == FHEC_OK;
    return ended || d->session ? status : return_to_launch(d);
}

/* ---------------------------------------------------------------- going */

/* Out of launches before that of the time. */
static fhec_status leave_launches(struct fh_debugger *d, struct fh_debug_time time) {
    fhec_status status = FHEC_OK, outcome = FHEC_OK;
    while (status == FHEC_OK && d->launch < time.launch && d->launch < d->launch_count) {
        if (d->session && d->count) {
            fhec_stop stop; /* of any kind: nothing stops here */
            status = fh_timeline_run(d, UINT64_MAX, NULL, &stop);
            if (status == FHEC_OK && stop.reason == FHEC_STOP_CANCEL)
                return fh_debugger_fail(d, FHEC_CANCELLED, "cancelled");
            if (status == FHEC_OK && stop.reason == FHEC_STOP_FAULT)
                outcome = FHEC_GUEST_FAULT;
        } else {
            status = fh_timeline_pass(d, &outcome);
        }
        if (status == FHEC_OK && outcome == FHEC_CANCELLED)
            return fh_debugger_fail(d, FHEC_CANCELLED, "cancelled");
        if (status == FHEC_OK && outcome != FHEC_OK)
            return fh_debugger_fail(d, FHEC_BAD_INPUT, "launch %zu ends with a fault",
                                    d->launch + 1);
    }
    return status;
}

static fhec_status go(struct fh_debugger *d, struct fh_debug_time time) {
    const struct fh_debug_place *place = fh_places_before(d, time);
    const bool ahead = fh_debug_time_compare(fh_debugger_time(d), time) > 0;
    fhec_status status = FHEC_OK;
    if (ahead && !place)
        return fh_debugger_fail(d, FHEC_HOST_ERROR, "no host memory was there for a snapshot");
    if (place && (ahead || fh_debug_time_compare(place->time, fh_debugger_time(d)) > 0))
        status = restore(d, place);
    if (status == FHEC_OK)
        status = leave_launches(d, time);
    if (status == FHEC_OK)
        status = fh_timeline_open(d);
    if (status == FHEC_OK && time.count && d->count == time.count && d->launch == time.launch)
        status = settle(d); /* a place may be between two blocks */
    if (status != FHEC_OK || !time.count || d->count == time.count)
        return status;
    fhec_stop stop = {.reason = FHEC_STOP_STEP};
    while (status == FHEC_OK && d->launch == time.launch && d->count < time.count &&
           stop.reason != FHEC_STOP_FAULT) {
        status = fh_timeline_run(d, time.count, NULL, &stop);
        if (status == FHEC_OK && stop.reason == FHEC_STOP_CANCEL)
            return fh_debugger_fail(d, FHEC_CANCELLED, "cancelled");
    }
    const bool ended = d->launch > time.launch && d->lengths[time.launch] == time.count;
    if (status == FHEC_OK && !ended && fh_debug_time_compare(fh_debugger_time(d), time) != 0)
        return fh_debugger_fail(d, FHEC_BAD_INPUT, "launch %zu issues fewer than %llu instructions",
                                time.launch + 1, (unsigned long long)time.count);
    return status;
}

fhec_status fh_timeline_go(struct fh_debugger *d, struct fh_debug_time time) {
    const bool searching = d->searching;
    d->searching = true; /* nothing on the way counts */
    const fhec_status status = go(d, time);
    d->searching = searching;
    return status;
}

fhec_status fh_timeline_mark(struct fh_debugger *d) {
    const fhec_status status = fh_timeline_open(d);
    if (status == FHEC_OK && d->count)
        fh_places_take(d, fh_debugger_time(d));
    return status;
}

/* Forgets what would have been behind a time. Whether something was known of it. */
static bool forget(struct fh_debugger *d, struct fh_debug_time time) {
    const bool farther = fh_debug_time_compare(d->farthest, time) > 0;
    bool behind = fh_places_cut(d, time) || farther;
    if (farther)
        d->farthest = time;
    fh_found_cut(d, time);
    fh_trail_cut(d, time);
    while (d->change_count &&
           fh_debug_time_compare(d->changes[d->change_count - 1].time, time) > 0) {
        free(d->changes[--d->change_count].data);
        behind = true;
    }
    for (size_t i = time.launch; i < d->launch_count; i++)
        d->lengths[i] = UINT64_MAX;
    return behind;
}

fhec_status fh_timeline_forget(struct fh_debugger *d, struct fh_debug_time time, bool anew,
                               bool *branched) {
    const int order = fh_debug_time_compare(fh_debugger_time(d), time);
    *branched = forget(d, time);
    if (order < 0 || (order == 0 && !anew))
        return FHEC_OK;
    const struct fh_debug_place *place = fh_places_before(d, time);
    if (!place)
        return fh_debugger_fail(d, FHEC_HOST_ERROR, "no host memory was there for a snapshot");
    const fhec_status status = restore(d, place);
    return status == FHEC_OK ? fh_timeline_go(d, time) : status;
}

fhec_status fh_timeline_change(struct fh_debugger *d, struct fh_debug_change *c, bool *branched) {
    *branched = false;
    if (!d->session)
        return fh_debugger_fail(d, FHEC_BAD_INPUT, "no launch is under way");
    if (d->change_count == d->change_capacity) {
        const size_t capacity = d->change_capacity * 2 + 8;
        struct fh_debug_change *more = realloc(d->changes, capacity * sizeof *more);
        if (!more)
            return fh_debugger_fail(d, FHEC_HOST_ERROR, "no host memory for a change");
        d->changes = more;
        d->change_capacity = capacity;
    }
    c->time = fh_debugger_time(d);
    const fhec_status status = make_change(d, c);
    if (status != FHEC_OK || (c->kind == FH_CHANGE_INSTRUCTION && !c->executed))
        return status;
    *branched = forget(d, fh_debugger_time(d));
    d->changes[d->change_count++] = *c;
    return FHEC_OK;
}

void fh_timeline_end(struct fh_debugger *d) {
    if (d->session)
        give_up(d);
    fh_trail_free(d);
    fh_places_free(d);
}

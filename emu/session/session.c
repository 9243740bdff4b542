/*
 * session.c - launches that stop: begin, go on to the next reason to stop, end.
 */
#include "host_float.h"
#include "session_state.h"

#include <stdlib.h>
#include <string.h>

const char *fhec_stop_name(fhec_stop_reason reason) {
    static const char *const names[] = {
        [FHEC_STOP_END] = "end",
        [FHEC_STOP_FAULT] = "fault",
        [FHEC_STOP_BREAKPOINT] = "breakpoint",
        [FHEC_STOP_WATCHPOINT] = "watchpoint",
        [FHEC_STOP_BARRIER] = "barrier",
        [FHEC_STOP_WARP_BEGIN] = "warp begins",
        [FHEC_STOP_WARP_END] = "warp ends",
        [FHEC_STOP_BLOCK_BEGIN] = "block begins",
        [FHEC_STOP_BLOCK_END] = "block ends",
        [FHEC_STOP_STEP] = "step",
        [FHEC_STOP_COUNT] = "count",
        [FHEC_STOP_CANCEL] = "cancelled",
    };
    return (size_t)reason < sizeof names / sizeof *names ? names[reason] : "unknown";
}

fhec_status fh_session_begin(fhec_machine *machine, const fhec_launch *launch,
                             fhec_session **session) {
    fhec_status status = fh_session_open(machine, launch, session);
    if (status != FHEC_OK)
        return status;
    fhec_session *s = *session;
    s->steering = (struct fh_steering){.user = s, .before = fh_steer_before};
    s->launch.steering = &s->steering;
    s->launch.visible = true;
    s->changes = machine->changes;
    fh_machine_run_alone(machine, &s->launch);
    fh_residents_begin(&s->residents, &s->launch, 0);
    s->untouched = machine->changes;
    return FHEC_OK;
}

/* What happened with the last instruction and has not been told: the first of it that a point asks
 * for. */
static bool next_event(fhec_session *s, fhec_stop *stop) {
    static const uint32_t kinds[] = {
        [FHEC_STOP_WATCHPOINT] = FH_WATCHPOINTS,
        [FHEC_STOP_BARRIER] = 1u << FHEC_POINT_BARRIER,
        [FHEC_STOP_WARP_END] = 1u << FHEC_POINT_WARP_END,
        [FHEC_STOP_BLOCK_END] = 1u << FHEC_POINT_BLOCK_END,
    };
    while (s->event_next < s->event_count) {
        fhec_stop *event = &s->events[s->event_next++];
        const struct fh_block *block = fh_session_find(s, event->block);
        if (!fh_points_hit(s, kinds[event->reason], FH_NO_OP, &block->warps[event->warp], event))
            continue;
        *stop = *event;
        return true;
    }
    s->event_count = s->event_next = 0;
    return false;
}

/* Whether the instruction that a warp has issued for the step ends it. */
static bool step_done(const fhec_session *s) {
    if (!s->single || s->launch.steps == s->single_from)
        return false;
    if (s->go.step == FHEC_STEP_LINE)
        return s->single->ended == UINT32_MAX;
    return fh_in_scope(&s->go.scope, s->single, s->single_lanes);
}

/* Whether a breakpoint before which the launch has paused is a reason to stop. It is told once for
 * each time that the instruction is issued. */
static bool breaks(fhec_session *s, fhec_stop *stop) {
    struct fh_flow *f = s->breaking;
    if (!f)
        return false;
    s->breaking = NULL;
    f->told = f->issued + 1;
    fhec_stop at = {.reason = FHEC_STOP_BREAKPOINT};
    fh_stop_where(&at, f);
    if (!fh_points_hit(s, FH_BREAKPOINTS, f->pc, f, &at))
        return false;
    *stop = at;
    return true;
}

bool fhec_session_breaks(fhec_session *s, const uint32_t block[3], uint32_t warp, fhec_stop *stop) {
    struct fh_flow *f = fh_session_warp_of(s, block, warp);
    uint32_t pc;
    *stop = (fhec_stop){.reason = FHEC_STOP_BREAKPOINT};
    const uint32_t group = f ? fh_flow_next(f, &pc) : 0;
    if (!group || group != f->group || pc != f->pc || f->told == f->issued + 1)
        return false;
    s->breaking = f;
    return breaks(s, stop);
}

/* Why the paused launch stops. False: it does not. */
static bool stops(fhec_session *s, fhec_stop *stop) {
    if (next_event(s, stop) || breaks(s, stop))
        return true;
    if (s->stopped) {
        *stop = s->stop;
    } else if (step_done(s)) {
        *stop = (fhec_stop){.reason = FHEC_STOP_STEP};
        fh_stop_where(stop, s->single);
    } else if (s->limit && s->launch.steps >= s->limit) {
        *stop = (fhec_stop){.reason = FHEC_STOP_COUNT};
    } else {
        return false;
    }
    return true;
}

static void tell_fault(fhec_session *s, fhec_stop *stop) {
    const fhec_fault *fault = &s->machine->fault;
    fh_session_fault(s);
    *stop = (fhec_stop){
        .reason = FHEC_STOP_FAULT,
        .has_warp = true,
        .block = {fault->block[0], fault->block[1], fault->block[2]},
        .warp = fault->warp,
        .pc = fault->pc,
        .lanes = fault->lanes,
        .active = fault->lanes,
        .fault = fault,
    };
}

void fh_session_refresh(fhec_session *s) {
    fh_machine_run_alone(s->machine, &s->launch);
    memset(s->launch.caches, 0, (s->image.count + 1u) * sizeof *s->launch.caches);
    fh_image_refresh(&s->image);
    s->stale = true;
}

void fh_session_notice(fhec_session *s) {
    const bool failed = s->launch.transaction && s->launch.transaction->failed;
    if (s->changes == s->machine->changes && !failed)
        return;
    s->changes = s->machine->changes;
    fh_session_refresh(s);
    s->residents.moved = true;
}

static void set_out(fhec_session *s, const fhec_go *go) {
    s->go = go ? *go : (fhec_go){0};
    s->limit = s->go.instructions ? s->launch.steps + s->go.instructions : 0;
    s->serial += s->go.step != FHEC_STEP_NONE;
    s->first_step = s->go.step != FHEC_STEP_NONE && !s->go.goes_on;
    s->breaking = NULL;
    s->stopped = false;
    s->launch.fault = (struct fh_fault_record){0};
    s->machine->fault = (fhec_fault){0};
    s->machine->error[0] = '\0';
    fh_session_notice(s);
}

fhec_status fhec_session_run(fhec_session *s, const fhec_go *go, fhec_stop *stop) {
    *stop = (fhec_stop){.reason = FHEC_STOP_END};
    set_out(s, go);
    bool found = next_event(s, stop);
    if (!found && s->stale && !fh_session_watch(s))
        return fh_machine_fail(s->machine, FHEC_HOST_ERROR, "no host memory to watch the kernel");
    s->stale &= found;
    while (!found && !s->over) {
        s->launch.pausing = false;
        s->launch.pause_at = s->limit;
        s->single = NULL;
        const fh_host_float host = fh_host_float_enter();
        const enum fh_outcome outcome = fh_ordered_go(&s->residents);
        fh_host_float_leave(host);
        switch (outcome) {
        case FH_DONE: s->over = true; break;
        case FH_PAUSED: found = stops(s, stop); break;
        case FH_FAULTED:
            tell_fault(s, stop);
            found = true;
            break;
        case FH_CANCELLED:
            fh_positions_free(&s->machine->positions);
            fh_session_leave(s);
            stop->reason = FHEC_STOP_CANCEL;
            found = true;
            break;
        case FH_NO_CHOICE: return fh_session_no_choice(s);
        default: return fh_machine_fail(s->machine, FHEC_HOST_ERROR, "no host memory to go on");
        }
    }
    stop->instructions = s->launch.steps;
    return FHEC_OK;
}

/*
 * dap_move.c - requests that let the guest go, forwards and backwards, and how its stops are told.
 *
 * A move runs in the thread that answers requests, in slices: a request that arrives ends the slice
 * (dap_channel.h), is answered, and the move goes on, unless the request was to stop it. Only a
 * plain continue can be cut at any place and go on as if it had not been; other moves are cut by
 * requests that stop them.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "dap_handles.h"
#include "dap_launch.h"
#include "dap_output.h"
#include "dap_parts.h"
#include "dap_progress.h"

/* ---------------------------------------------------------------- requests that begin a move */

static bool begin(struct fh_dap *dap, enum fh_move_kind kind, bool back) {
    dap->move = (struct fh_move){.kind = kind, .back = back};
    dap->moved_from = fh_debugger_time(dap->debugger);
    dap->pause = false;
    dap->phase = FH_DAP_MOVING;
    fh_dap_forget_handles(dap);
    return true;
}

bool fh_dap_focus_thread(struct fh_dap *dap, const json_t *arguments) {
    struct fh_focus focus = *fh_debugger_focus(dap->debugger);
    const uint32_t lane = focus.lane, warp = focus.warp;
    uint32_t block[3];
    memcpy(block, focus.block, sizeof block);
    if (!fh_dap_thread_of(dap, fh_dap_int(arguments, "threadId"), focus.block, &focus.warp))
        return false;
    if (memcmp(block, focus.block, sizeof block) != 0 || warp != focus.warp)
        focus.lane = fh_dap_first_lane(dap, focus.block, focus.warp);
    else
        focus.lane = lane;
    focus.all_blocks = focus.all_warps = focus.all_lanes = false;
    return fh_debugger_set_focus(dap->debugger, &focus) == FHEC_OK ||
           fh_dap_model_fail(dap, FH_DAP_NO_SUCH);
}

static bool by_instruction(const json_t *arguments) {
    const char *granularity = fh_dap_string(arguments, "granularity");
    return granularity && !strcmp(granularity, "instruction");
}

/* Other threads run, too, when one goes on: blocks and warps have one order. */
bool fh_dap_continue(struct fh_dap *dap, const json_t *arguments, json_t **body) {
    (void)arguments;
    *body = json_pack("{s:b}", "allThreadsContinued", 1);
    return begin(dap, FH_MOVE_CONTINUE, false);
}

bool fh_dap_reverse_continue(struct fh_dap *dap, const json_t *arguments, json_t **body) {
    (void)arguments;
    (void)body;
    return begin(dap, FH_MOVE_CONTINUE, true);
}

bool fh_dap_next_step(struct fh_dap *dap, const json_t *arguments, json_t **body) {
    (void)body;
    return fh_dap_focus_thread(dap, arguments) &&
           begin(dap, by_instruction(arguments) ? FH_MOVE_INSTRUCTION : FH_MOVE_NEXT, false);
}

/* A line of assembly is an instruction, and one of a macro's body a line. */
bool fh_dap_step_in(struct fh_dap *dap, const json_t *arguments, json_t **body) {
    (void)body;
    return fh_dap_focus_thread(dap, arguments) && begin(dap, FH_MOVE_INSTRUCTION, false);
}

bool fh_dap_step_out(struct fh_dap *dap, const json_t *arguments, json_t **body) {
    (void)body;
    return fh_dap_focus_thread(dap, arguments) && begin(dap, FH_MOVE_FINISH, false);
}

bool fh_dap_step_back(struct fh_dap *dap, const json_t *arguments, json_t **body) {
    (void)body;
    return fh_dap_focus_thread(dap, arguments) &&
           begin(dap, by_instruction(arguments) ? FH_MOVE_INSTRUCTION : FH_MOVE_NEXT, true);
}

bool fh_dap_pause(struct fh_dap *dap, const json_t *arguments, json_t **body) {
    (void)arguments;
    (void)body;
    dap->pause = dap->phase == FH_DAP_MOVING;
    return true;
}

/* A request that waits is refused when its turn comes (dap_requests.c); what is left here is the
 * progress of a move. */
bool fh_dap_cancel(struct fh_dap *dap, const json_t *arguments, json_t **body) {
    (void)body;
    const char *progress = fh_dap_string(arguments, "progressId");
    if (progress && dap->phase == FH_DAP_MOVING && fh_dap_progress_is(dap, progress))
        dap->pause = true;
    return true;
}

/* ---------------------------------------------------------------- stops */

static void tell_hit(struct fh_dap *dap, const struct fh_dap_hit *hit) {
    const struct fh_focus *focus = fh_debugger_focus(dap->debugger);
    fh_dap_progress_end(dap);
    dap->phase = FH_DAP_STOPPED;
    fh_dap_event(dap, "stopped",
                 json_pack("{s:s, s:o, s:I, s:b, s:[I]}", "reason", hit->reason, "description",
                           fh_dap_text(hit->description), "threadId",
                           fh_dap_thread_id(dap, focus->block, focus->warp), "allThreadsStopped", 1,
                           "hitBreakpointIds", hit->id));
}

/* True: there is nothing more to tell, or nothing at all: the move is not over. */
static bool is_told(struct fh_dap *dap, const struct fh_debug_stop *stop) {
    if (stop->reason == FH_STOP_CANCEL && !dap->pause)
        return true;
    if (stop->reason != FH_STOP_BREAKPOINT)
        return false;
    struct fh_dap_hit hit = fh_dap_stops_hit(dap, stop->breakpoint);
    char change[240];
    if (*stop->origin.was) { /* a watchpoint of the console */
        snprintf(change, sizeof change, "in lane %u: %s -> %s", stop->origin.lane, stop->origin.was,
                 stop->origin.is);
        hit.description = change;
    }
    if (hit.reason)
        tell_hit(dap, &hit);
    return true;
}

static void tell_fault(struct fh_dap *dap, const struct fh_debug_stop *stop) {
    const fhec_fault *fault = stop->stop.fault;
    if (fh_dap_stops_at_faults(dap)) {
        fh_dap_tell_stopped(dap, "exception", fault ? fault->message : "fault");
        return;
    }
    fh_dap_say(dap, "stderr", "%s\n", fault ? fault->message : "fault");
    fh_dap_end(dap, FHEC_GUEST_FAULT);
}

static void tell_finding(struct fh_dap *dap, const struct fh_debug_stop *stop) {
    const char *text = stop->finding ? stop->finding->text : "a finding";
    fh_dap_say(dap, "important", "%s\n", text);
    fh_dap_tell_stopped(dap, "exception", text);
}

static void tell(struct fh_dap *dap, const struct fh_debug_stop *stop) {
    fh_dap_progress_end(dap);
    switch (stop->reason) {
    case FH_STOP_START:
    case FH_STOP_BEGIN:
        fh_dap_tell_stopped(dap, "entry", "the beginning of the first launch");
        break;
    case FH_STOP_FAULT: tell_fault(dap, stop); break;
    case FH_STOP_FINDING: tell_finding(dap, stop); break;
    case FH_STOP_END: fh_dap_end(dap, FHEC_OK); break;
    case FH_STOP_CANCEL: fh_dap_tell_stopped(dap, "pause", NULL); break;
    case FH_STOP_NONE: fh_dap_tell_stopped(dap, "step", "nothing like it was before"); break;
    case FH_STOP_BREAKPOINT:
    case FH_STOP_STEP: fh_dap_tell_stopped(dap, "step", NULL); break;
    }
}

static void interrupt(void *user) {
    struct fh_dap *dap = user;
    fh_debugger_cancel(dap->debugger);
}

void fh_dap_go(struct fh_dap *dap) {
    struct fh_debug_stop stop;
    if (dap->pause) {
        fh_dap_progress_end(dap);
        fh_dap_tell_stopped(dap, "pause", NULL);
        return;
    }
    const bool every = dap->move.kind == FH_MOVE_CONTINUE && !dap->move.back;
    if (!fh_dap_interruptible(&dap->channel, interrupt, dap, every))
        return;
    fh_dap_progress_begin(dap, dap->move.back ? "running backwards" : "running");
    const fhec_status status = fh_debugger_move(dap->debugger, &dap->move, &stop);
    fh_dap_uninterruptible(&dap->channel);
    fh_dap_progress_pause(dap);
    fh_dap_output_drain(dap);
    if (status != FHEC_OK) {
        fh_dap_progress_end(dap);
        fh_dap_say(dap, "stderr", "%s\n", fh_debugger_error(dap->debugger));
        fh_dap_tell_stopped(dap, "pause", fh_debugger_error(dap->debugger));
    } else if (!is_told(dap, &stop)) {
        tell(dap, &stop);
    }
}

/* ---------------------------------------------------------------- moves within a request */

void fh_dap_within_begin(struct fh_dap *dap, const char *title) {
    dap->pause = false;
    fh_dap_interruptible_within(&dap->channel, dap->request, interrupt, dap);
    fh_dap_progress_begin(dap, title);
}

void fh_dap_within_end(struct fh_dap *dap) {
    fh_dap_uninterruptible(&dap->channel);
    fh_dap_progress_pause(dap);
    fh_dap_progress_end(dap);
}

void fh_dap_tell_stop(struct fh_dap *dap) {
    const struct fh_debug_stop stop = *fh_debugger_stop(dap->debugger);
    fh_dap_forget_handles(dap);
    if (stop.reason == FH_STOP_BREAKPOINT) {
        const struct fh_dap_hit hit = fh_dap_stops_hit(dap, stop.breakpoint);
        if (hit.reason) {
            tell_hit(dap, &hit);
            return;
        }
    }
    tell(dap, &stop);
}

bool fh_dap_exception_info(struct fh_dap *dap, const json_t *arguments, json_t **body) {
    const struct fh_debug_stop *stop = fh_debugger_stop(dap->debugger);
    (void)arguments;
    if (stop->reason == FH_STOP_FINDING && stop->finding) {
        const char *text = stop->finding->text, *colon = strchr(text, ':');
        *body = json_pack("{s:o, s:o, s:s}", "exceptionId",
                          fh_dap_format("%.*s", colon ? (int)(colon - text) : 0, text),
                          "description", fh_dap_text(text), "breakMode", "always");
        return true;
    }
    if (stop->reason != FH_STOP_FAULT || !stop->stop.fault)
        return fh_dap_fail(dap, FH_DAP_NO_SUCH, "it has not stopped for a fault or a finding");
    const fhec_fault *fault = stop->stop.fault;
    *body = json_pack("{s:o, s:o, s:s, s:{s:o, s:o, s:o}}", "exceptionId",
                      fh_dap_text(fhec_fault_name(fault->kind)), "description",
                      fh_dap_text(fault->message), "breakMode", "always", "details", "message",
                      fh_dap_text(fault->nearest ? fault->nearest : fault->message), "typeName",
                      fh_dap_text(fhec_fault_name(fault->kind)), "stackTrace",
                      fh_dap_format("%s at %s+0x%04" PRIx64 ", lanes 0x%08" PRIx32, fault->text,
                                    fault->kernel, fault->pc, fault->lanes));
    return true;
}

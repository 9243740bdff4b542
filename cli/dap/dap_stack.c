/*
 * dap_stack.c - threads, their stacks, and what can be looked at in a frame. A warp is a thread:
 * its id is 32 times the number of its block, plus its number, plus one. Macros, repetitions and
 * includes are frames of the function in which they are expanded.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dap_code.h"
#include "dap_handles.h"
#include "dap_parts.h"

enum { WARPS = 32, WORD = 16 };

/* ---------------------------------------------------------------- threads */

static bool launch_now(const struct fh_dap *dap, fhec_launch *launch) {
    return dap->debugger &&
           fh_debugger_launch(dap->debugger, fh_debugger_time(dap->debugger).launch, launch, NULL);
}

json_int_t fh_dap_thread_id(const struct fh_dap *dap, const uint32_t block[3], uint32_t warp) {
    fhec_launch launch;
    if (!launch_now(dap, &launch))
        return 1;
    const json_int_t number =
        block[0] + (json_int_t)launch.grid[0] * (block[1] + (json_int_t)launch.grid[1] * block[2]);
    return number * WARPS + warp + 1;
}

bool fh_dap_thread_of(struct fh_dap *dap, json_int_t id, uint32_t block[3], uint32_t *warp) {
    fhec_launch launch;
    const json_int_t number = (id - 1) / WARPS;
    if (id < 1 || !launch_now(dap, &launch))
        return fh_dap_fail(dap, FH_DAP_NO_SUCH, "there is no thread %lld", (long long)id);
    const uint32_t *grid = launch.grid;
    const uint32_t threads = launch.block[0] * launch.block[1] * launch.block[2];
    *warp = (uint32_t)((id - 1) % WARPS);
    block[0] = (uint32_t)(number % grid[0]);
    block[1] = (uint32_t)(number / grid[0] % grid[1]);
    const json_int_t z = number / grid[0] / grid[1];
    block[2] = (uint32_t)z;
    return (z < grid[2] && *warp < (threads + FHEC_WARP_LANES - 1) / FHEC_WARP_LANES) ||
           fh_dap_fail(dap, FH_DAP_NO_SUCH, "there is no thread %lld", (long long)id);
}

static const char *wait_name(const fhec_warp_info *info) {
    if (info->lanes == info->exited)
        return ", ended";
    if (info->active)
        return "";
    switch (info->group_count ? info->groups[0].wait : FHEC_WAIT_NOTHING) {
    case FHEC_WAIT_BARRIER: return ", waits at a barrier";
    case FHEC_WAIT_NOTHING: return "";
    default: return ", waits for lanes";
    }
}

static void add_thread(struct fh_dap *dap, json_t *threads, const uint32_t block[3], uint32_t warp,
                       const char *state) {
    json_array_append_new(threads,
                          json_pack("{s:I, s:o}", "id", fh_dap_thread_id(dap, block, warp), "name",
                                    fh_dap_format("block (%u,%u,%u) warp %u%s", block[0], block[1],
                                                  block[2], warp, state)));
}

/* The warps of the blocks that are under way; the focus', if its block has yet to begin. */
bool fh_dap_threads(struct fh_dap *dap, const json_t *arguments, json_t **body) {
    json_t *threads = json_array();
    fhec_session *session = dap->debugger ? fh_debugger_session(dap->debugger) : NULL;
    bool has_focus = false;
    (void)arguments;
    for (size_t i = 0; session && i < fhec_session_block_count(session); i++) {
        fhec_block_info block;
        if (fhec_session_block(session, i, &block) != FHEC_OK)
            break;
        for (uint32_t warp = 0; warp < block.warps; warp++) {
            fhec_warp_info info;
            if (fhec_session_warp(session, block.id, warp, &info) == FHEC_OK)
                add_thread(dap, threads, block.id, warp, wait_name(&info));
        }
        has_focus |= !memcmp(block.id, fh_debugger_focus(dap->debugger)->block, sizeof block.id);
    }
    if (session && !has_focus) {
        const struct fh_focus *focus = fh_debugger_focus(dap->debugger);
        add_thread(dap, threads, focus->block, focus->warp, ", not begun");
    }
    *body = json_pack("{s:o}", "threads", threads);
    return true;
}

uint32_t fh_dap_first_lane(struct fh_dap *dap, const uint32_t block[3], uint32_t warp) {
    fhec_warp_info info;
    fhec_session *session = fh_debugger_session(dap->debugger);
    if (!session || fhec_session_warp(session, block, warp, &info) != FHEC_OK)
        return 0;
    const uint32_t lanes = info.active ? info.active : info.lanes & ~info.exited;
    return lanes ? (uint32_t)__builtin_ctz(lanes) : 0;
}

/* ---------------------------------------------------------------- frames */

/* A frame is known by its number until the guest moves. */
struct frame_list {
    struct fh_dap *dap;
    json_t *frames;
    uint32_t block[3], warp, lane;
    size_t launch;
    json_int_t first, last, count; /* that the client wants; how many there were */
};

static void add_frame(struct frame_list *list, uint64_t pc, json_t *name, const fhec_location *at,
                      const char *hint) {
    struct fh_dap_code code;
    const json_int_t number = list->count++;
    if (number < list->first || number >= list->last) {
        json_decref(name);
        return;
    }
    const json_int_t id =
        fh_dap_frame_id(list->dap, list->block, list->warp, list->lane, pc, (uint32_t)number);
    json_t *frame =
        json_pack("{s:I, s:o, s:i, s:i}", "id", id, "name", name, "line", 0, "column", 0);
    if (at && at->file) {
        const bool column_0 = list->dap->columns_from_0;
        json_object_set_new(frame, "source", fh_dap_source_json(list->dap, at->file));
        json_object_set_new(frame, "line",
                            json_integer((json_int_t)at->line - list->dap->lines_from_0));
        json_object_set_new(frame, "column",
                            json_integer((json_int_t)(at->column ? at->column : 1) - column_0));
        if (at->column && at->length) {
            json_object_set_new(frame, "endLine",
                                json_integer((json_int_t)at->line - list->dap->lines_from_0));
            json_object_set_new(
                frame, "endColumn",
                json_integer((json_int_t)at->column + (json_int_t)at->length - column_0));
        }
    }
    if (fh_dap_code_at(list->dap, list->launch, pc, &code)) {
        json_object_set_new(frame, "instructionPointerReference", fh_dap_code_json(&code));
        json_object_set_new(frame, "moduleId",
                            json_integer(fh_dap_module_id(list->dap, code.program)));
    }
    if (hint)
        json_object_set_new(frame, "presentationHint", json_string(hint));
    json_array_append_new(list->frames, frame);
}

/* The frames of one function: expansions, innermost first, then the function itself. */
static void add_function(struct frame_list *list, const fhec_frame *call) {
    fhec_expansion steps[FHEC_MAX_EXPANSIONS];
    struct fh_dap_code code;
    char text[200];
    if (!fh_dap_code_at(list->dap, list->launch, call->pc, &code))
        return;
    const uint32_t word = (uint32_t)(call->pc / WORD);
    fhec_location at = fhec_kernel_location(code.program, code.kernel, word);
    const size_t count =
        fhec_kernel_expansions(code.program, code.kernel, word, steps, FHEC_MAX_EXPANSIONS);
    for (size_t i = 0; i < count; i++) {
        fhec_format_expansion(&steps[i], text, sizeof text);
        add_frame(list, call->pc, fh_dap_text(text), &at, "subtle");
        at = steps[i].at;
    }
    add_frame(
        list, call->pc,
        fh_dap_format("%s+0x%04" PRIx64 "%s", call->function ? call->function : code.info.name,
                      call->function ? call->offset : call->pc, call->guess ? " (guess)" : ""),
        &at, NULL);
}

bool fh_dap_stack_trace(struct fh_dap *dap, const json_t *arguments, json_t **body) {
    enum { CALLS = 64 };
    fhec_frame calls[CALLS];
    size_t count = 0;
    struct frame_list list = {.dap = dap, .frames = json_array()};
    fhec_session *session = fh_debugger_session(dap->debugger);
    if (!fh_dap_thread_of(dap, fh_dap_int(arguments, "threadId"), list.block, &list.warp)) {
        json_decref(list.frames);
        return false;
    }
    const struct fh_focus *focus = fh_debugger_focus(dap->debugger);
    const bool focused =
        !memcmp(focus->block, list.block, sizeof list.block) && focus->warp == list.warp;
    const json_int_t levels = fh_dap_int(arguments, "levels");
    list.lane = focused ? focus->lane : fh_dap_first_lane(dap, list.block, list.warp);
    list.launch = fh_debugger_time(dap->debugger).launch;
    list.first = fh_dap_int(arguments, "startFrame");
    list.last = levels > 0 && levels < INT32_MAX ? list.first + levels : INT64_MAX;
    fhec_warp_info info;
    const bool begun =
        session && fhec_session_warp(session, list.block, list.warp, &info) == FHEC_OK;
    if (!begun && !focused) {
        json_decref(list.frames);
        return fh_dap_fail(dap, FH_DAP_NO_SUCH, "the block of thread %lld is not under way",
                           (long long)fh_dap_int(arguments, "threadId"));
    }
    if (!begun) /* its first instruction comes next */
        calls[count++] = (fhec_frame){0};
    else if (fhec_session_calls(session, list.block, list.warp, list.lane, calls, CALLS, &count) !=
             FHEC_OK)
        count = 0; /* it has ended */
    for (size_t i = 0; i < count && i < CALLS; i++)
        add_function(&list, &calls[i]);
    *body = json_pack("{s:o, s:I}", "stackFrames", list.frames, "totalFrames", list.count);
    return true;
}

/*
 * debugger_state.c - where a debugger is, its launches, its focus, and what went wrong last.
 */
#include "debugger_state.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

fhec_status fh_debugger_fail(struct fh_debugger *d, fhec_status status, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(d->error, sizeof d->error, format, arguments);
    va_end(arguments);
    return status;
}

void *fh_debugger_user(const struct fh_debugger *d) {
    return d->options.user;
}

const char *fh_debugger_error(const struct fh_debugger *d) {
    return d->error;
}

int fh_debug_time_compare(struct fh_debug_time a, struct fh_debug_time b) {
    if (a.launch != b.launch)
        return a.launch < b.launch ? -1 : 1;
    return a.count == b.count ? 0 : a.count < b.count ? -1 : 1;
}

struct fh_debug_time fh_debugger_time(const struct fh_debugger *d) {
    return (struct fh_debug_time){d->launch, d->count};
}

fhec_machine *fh_debugger_machine(struct fh_debugger *d) {
    return d->machine;
}

bool fh_debugger_at_end(const struct fh_debugger *d) {
    return d->launch == d->launch_count;
}

size_t fh_debugger_launch_count(const struct fh_debugger *d) {
    return d->launch_count;
}

bool fh_debugger_launch(const struct fh_debugger *d, size_t index, fhec_launch *launch,
                        fhec_kernel_info *info) {
    fhec_action action;
    if (index >= d->launch_count || !fhec_record_get(d->record, d->launches[index], &action))
        return false;
    if (launch)
        *launch = *action.launch;
    return !info || fhec_kernel_get(action.launch->program, action.launch->kernel, info) == FHEC_OK;
}

/* Whether the host releases the address between two of its actions. */
static bool is_released(const struct fh_debugger *d, size_t from, uint64_t address) {
    fhec_action action;
    for (size_t i = from; i < d->done && fhec_record_get(d->record, i, &action); i++)
        if (action.kind == FHEC_ACTION_RELEASE && action.address == address)
            return true;
    return false;
}

bool fh_debugger_buffer(const struct fh_debugger *d, size_t index, struct fh_debug_buffer *buffer) {
    fhec_action action;
    for (size_t i = 0; i < d->done && fhec_record_get(d->record, i, &action); i++) {
        if ((action.kind != FHEC_ACTION_ALLOC && action.kind != FHEC_ACTION_MAP) || index--)
            continue;
        *buffer = (struct fh_debug_buffer){.name = action.name ? action.name : "",
                                           .address = action.address,
                                           .bytes = action.bytes,
                                           .flags = action.flags,
                                           .released = is_released(d, i, action.address)};
        return true;
    }
    return false;
}

const char *fh_debugger_source(const struct fh_debugger *d, const char *file, size_t *length) {
    *length = 0;
    return d->options.source && file ? d->options.source(d->options.user, file, length) : NULL;
}

const struct fh_debug_stop *fh_debugger_stop(const struct fh_debugger *d) {
    return &d->stop;
}

/* ---------------------------------------------------------------- focus */

const struct fh_focus *fh_debugger_focus(const struct fh_debugger *d) {
    return &d->focus;
}

fhec_status fh_debugger_set_focus(struct fh_debugger *d, const struct fh_focus *focus) {
    fhec_launch launch;
    if (!fh_debugger_launch(d, d->launch, &launch, NULL))
        return fh_debugger_fail(d, FHEC_BAD_INPUT, "no launch is under way");
    for (unsigned i = 0; i < 3; i++)
        if (focus->block[i] >= launch.grid[i])
            return fh_debugger_fail(d, FHEC_BAD_INPUT, "the grid has no block (%u,%u,%u)",
                                    focus->block[0], focus->block[1], focus->block[2]);
    const uint32_t threads = launch.block[0] * launch.block[1] * launch.block[2];
    const uint32_t warps = (threads + FHEC_WARP_LANES - 1) / FHEC_WARP_LANES;
    if (focus->warp >= warps)
        return fh_debugger_fail(d, FHEC_BAD_INPUT, "a block has %u warps: there is no number %u",
                                warps, focus->warp);
    if (focus->lane >= FHEC_WARP_LANES)
        return fh_debugger_fail(d, FHEC_BAD_INPUT, "a warp has %d lanes: there is no number %u",
                                FHEC_WARP_LANES, focus->lane);
    d->focus = *focus;
    return FHEC_OK;
}

uint32_t fh_focus_lanes(const struct fh_focus *focus) {
    return focus->all_lanes ? UINT32_MAX : UINT32_C(1) << focus->lane;
}

fhec_scope fh_focus_scope(const struct fh_focus *focus) {
    fhec_scope scope = {.one_block = !focus->all_blocks,
                        .one_warp = !focus->all_warps,
                        .warp = focus->warp,
                        .lanes = focus->all_lanes ? 0 : fh_focus_lanes(focus)};
    memcpy(scope.block, focus->block, sizeof scope.block);
    return scope;
}

/*
 * changes.c - registers and memory that a person sets, and instructions that a person has lanes
 * execute.
 */
#include <stdlib.h>
#include <string.h>

#include "timeline.h"

static fhec_status change(struct fh_debugger *d, struct fh_debug_change *c, bool *branched) {
    bool ignored;
    const fhec_status status = fh_timeline_change(d, c, branched ? branched : &ignored);
    if (status != FHEC_OK)
        free(c->data);
    return status;
}

fhec_status fh_debugger_set_register(struct fh_debugger *d, const uint32_t block[3], uint32_t warp,
                                     fhec_register_file file, uint32_t reg, uint32_t lanes,
                                     const uint32_t values[FHEC_WARP_LANES], bool *branched) {
    struct fh_debug_change c = {
        .kind = FH_CHANGE_REGISTER,
        .thread = {.block = {block[0], block[1], block[2]}, .warp = warp},
        .file = file,
        .reg = reg,
        .lanes = lanes,
    };
    memcpy(c.values, values, sizeof c.values);
    return change(d, &c, branched);
}

fhec_status fh_debugger_set_memory(struct fh_debugger *d, fhec_space space, uint32_t bank,
                                   const fhec_thread *thread, uint64_t address, const void *data,
                                   size_t bytes, bool *branched) {
    struct fh_debug_change c = {.kind = FH_CHANGE_MEMORY,
                                .has_thread = thread != NULL,
                                .space = space,
                                .bank = bank,
                                .address = address,
                                .data = malloc(bytes + 1),
                                .bytes = bytes};
    if (!c.data)
        return fh_debugger_fail(d, FHEC_HOST_ERROR, "no host memory for a change");
    memcpy(c.data, data, bytes);
    if (thread)
        c.thread = *thread;
    return change(d, &c, branched);
}

/* The lanes that stand together with the focus' lane. */
static fhec_status lanes_here(struct fh_debugger *d, uint32_t *lanes) {
    fhec_warp_info info;
    fhec_session *session = fh_debugger_session(d);
    if (!session)
        return fh_debugger_fail(d, FHEC_BAD_INPUT, "no launch is under way");
    if (fhec_session_warp(session, d->focus.block, d->focus.warp, &info) != FHEC_OK)
        return fh_debugger_fail(d, FHEC_BAD_INPUT, "%s", fhec_machine_error(d->machine));
    for (uint32_t i = 0; i < info.group_count; i++) {
        *lanes = info.groups[i].lanes;
        if (*lanes >> d->focus.lane & 1)
            return FHEC_OK;
    }
    return fh_debugger_fail(d, FHEC_BAD_INPUT, "lane %u has ended", d->focus.lane);
}

fhec_status fh_debugger_execute(struct fh_debugger *d, fhec_word word, uint32_t *lanes,
                                bool *branched) {
    struct fh_debug_change c = {
        .kind = FH_CHANGE_INSTRUCTION,
        .thread = {.block = {d->focus.block[0], d->focus.block[1], d->focus.block[2]},
                   .warp = d->focus.warp},
        .word = word,
    };
    if (branched)
        *branched = false;
    fhec_status status = lanes_here(d, &c.lanes);
    if (status == FHEC_OK)
        status = change(d, &c, branched);
    if (lanes)
        *lanes = status == FHEC_OK ? c.executed : 0;
    return status;
}

bool fh_debugger_has_changed(const struct fh_debugger *d) {
    return d->change_count && fh_debug_time_compare(d->changes[0].time, fh_debugger_time(d)) <= 0;
}

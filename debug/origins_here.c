/*
 * origins_here.c - see origins_here.h.
 */
#include "origins_here.h"

#include <stdio.h>
#include <string.h>

#include "origin_follow.h"
#include "timeline.h"

/* Of warps that have executed nothing: all registers are of no origin, RZ is a number. */
static const struct fh_warp_shadow nothing_yet = {.block = {0}};

uint64_t fh_debugger_origins_cost(const struct fh_debugger *d) {
    const struct fh_debug_time now = {d->launch, d->count};
    return now.count - fh_trail_last(d, now).count;
}

/* The machine knows no more of a fault once it has run; who stopped at one may look at it again. */
static void fault_again(struct fh_debugger *d) {
    const struct fh_debug_time now = {d->launch, d->count};
    fhec_stop stop;
    if (d->stop.reason == FH_STOP_FAULT && fh_debug_time_compare(d->stop.time, now) == 0 &&
        fh_timeline_run(d, UINT64_MAX, NULL, &stop) == FHEC_OK)
        d->stop.stop.fault = stop.fault;
}

/* The trail is of here then. */
static fhec_status bring_here(struct fh_debugger *d) {
    const struct fh_debug_time now = {d->launch, d->count};
    if (d->trail && !d->trail->follows && fh_debug_time_compare(d->trail->time, now) == 0)
        return FHEC_OK;
    const fhec_status status = fh_trail_follow(d, NULL);
    fh_trail_rest(d);
    if (status == FHEC_OK)
        fault_again(d);
    return status;
}

/* The lanes that are at the pc and for which the guard holds. */
static uint32_t active_lanes(const struct fh_origins_here *here, const fhec_warp_info *info) {
    const fhec_instruction *in = &here->instruction;
    uint32_t values[FHEC_WARP_LANES] = {UINT32_MAX}, lanes = 0;
    for (uint32_t i = 0; i < info->group_count; i++)
        if (info->groups[i].pc == in->pc)
            lanes |= info->groups[i].lanes;
    if (in->guard != 7)
        (void)fh_moment_register(&here->moment, in->guard_uniform ? FHEC_FILE_UP : FHEC_FILE_P,
                                 in->guard, values);
    if (in->guard != 7 && in->guard_uniform)
        values[0] = values[0] ? UINT32_MAX : 0;
    return lanes & (in->guard_negated ? ~values[0] : values[0]);
}

fhec_status fh_debugger_origins(struct fh_debugger *d, const uint32_t block[3], uint32_t warp,
                                uint64_t pc, struct fh_origins_here *here) {
    fhec_warp_info info;
    fhec_status status = fh_timeline_open(d);
    if (status == FHEC_OK && !d->session)
        return fh_debugger_fail(d, FHEC_BAD_INPUT, "no launch is under way");
    if (status == FHEC_OK)
        status = bring_here(d);
    if (status != FHEC_OK)
        return status;
    *here = (struct fh_origins_here){.moment = {.warp = warp, .session = d->session}};
    memcpy(here->moment.block, block, sizeof here->moment.block);
    if (!fh_debugger_launch(d, d->launch, &here->launch, NULL) ||
        fhec_session_warp(d->session, block, warp, &info) != FHEC_OK)
        return fh_debugger_fail(d, FHEC_BAD_INPUT, "the block is not resident");
    if (info.exited == info.lanes)
        return fh_debugger_fail(d, FHEC_BAD_INPUT, "warp %u has ended", warp);
    if (fhec_session_instruction(d->session, pc, &here->instruction) != FHEC_OK)
        return fh_debugger_fail(d, FHEC_BAD_INPUT, "there is no instruction at 0x%llx",
                                (unsigned long long)pc);
    here->moment.launch = &here->launch;
    here->moment.active = active_lanes(here, &info);
    const struct fh_warp_shadow *shadow = fh_origins_warp(d->trail->origins, block, warp);
    here->scene = (struct fh_origin_scene){&here->moment, &here->instruction,
                                           shadow ? shadow : &nothing_yet, d->trail->origins};
    return FHEC_OK;
}

fhec_status fh_debugger_origins_here(struct fh_debugger *d, struct fh_origins_here *here) {
    uint64_t pc;
    if (!fh_debugger_pc(d, &pc))
        return fh_debugger_fail(d, FHEC_BAD_INPUT, "the focus is on no lane that runs");
    return fh_debugger_origins(d, d->focus.block, d->focus.warp, pc, here);
}

int fh_origins_here_text(const struct fh_origins_here *here, fhec_register_file file, uint32_t reg,
                         uint32_t lane, char *text, size_t size) {
    const struct fh_warp_shadow *w = here->scene.warp;
    fh_origin origin = 0;
    if (file == FHEC_FILE_UR && reg < FH_SHADOW_UNIFORM)
        origin = w->ur[reg];
    else if (file == FHEC_FILE_R && reg < FH_SHADOW_ZERO)
        origin = w->r[reg][lane];
    return fh_origin_text(here->scene.origins, origin, 32, 0, text, size);
}

/*
 * lane_groups.c - where the lanes of a warp are, and what they wait for.
 */
#include "session_state.h"

#include <string.h>

static uint32_t pc_of(const struct fh_flow *f, uint32_t lane) {
    return f->group >> lane & 1 ? f->pc : f->lane_pc[lane];
}

static const fhec_wait wait_kinds[] = {
    [FH_WAIT_SYNC] = FHEC_WAIT_CONVERGE,
    [FH_WAIT_MASK] = FHEC_WAIT_MASK,
    [FH_WAIT_BLOCK] = FHEC_WAIT_BARRIER,
};

/* What the lane does, as a group of its own. */
static fhec_group group_of_lane(const struct fh_flow *f, uint32_t lane) {
    fhec_group g = {.lanes = 1u << lane, .pc = (uint64_t)pc_of(f, lane) * FH_INST_BYTES};
    if (!(f->waiting >> lane & 1))
        return g;
    const struct fh_barrier *b = &f->w.block->barriers[f->wait_number[lane]];
    g.wait = wait_kinds[f->wait[lane]];
    g.number = f->wait_number[lane];
    switch (f->wait[lane]) {
    case FH_WAIT_SYNC:
        g.awaited = f->set[g.number][lane] & ~f->ended &
                    ~fh_flow_waiting(f, FH_WAIT_SYNC, (uint8_t)g.number);
        break;
    case FH_WAIT_MASK:
        g.awaited = f->wait_mask[lane] & ~f->ended & ~fh_flow_waiting(f, FH_WAIT_MASK, 0);
        break;
    default: g.awaited = (b->count ? b->count : f->w.block->live) - b->arrived; break;
    }
    return g;
}

static bool alike(const fhec_group *a, const fhec_group *b) {
    return a->pc == b->pc && a->wait == b->wait && a->number == b->number &&
           a->awaited == b->awaited;
}

/* Adds the lane to its group, or a new one before those with a higher pc. */
static void add_lane(fhec_warp_info *info, const fhec_group *lane) {
    uint32_t at = 0;
    while (at < info->group_count && !alike(&info->groups[at], lane) &&
           info->groups[at].pc <= lane->pc)
        at++;
    if (at < info->group_count && alike(&info->groups[at], lane)) {
        info->groups[at].lanes |= lane->lanes;
        return;
    }
    memmove(&info->groups[at + 1], &info->groups[at],
            (info->group_count++ - at) * sizeof info->groups[0]);
    info->groups[at] = *lane;
}

/* Puts the group that issues next before the others. */
static void put_first(fhec_warp_info *info) {
    for (uint32_t i = 0; i < info->group_count; i++) {
        const fhec_group next = info->groups[i];
        if (!(next.lanes & info->active))
            continue;
        memmove(&info->groups[1], &info->groups[0], i * sizeof next);
        info->groups[0] = next;
        return;
    }
}

void fh_describe_warp(const struct fh_flow *f, fhec_warp_info *info) {
    const uint32_t threads = f->w.launch->image->threads - f->w.index * FH_LANES;
    uint32_t pc;
    *info = (fhec_warp_info){0};
    info->lanes = threads < FH_LANES ? (1u << threads) - 1 : UINT32_MAX;
    info->exited = f->ended & info->lanes;
    info->active = fh_flow_next(f, &pc);
    info->issued = f->issued;
    for (uint32_t rest = ~f->ended; rest; rest &= rest - 1) {
        const fhec_group lane = group_of_lane(f, (uint32_t)__builtin_ctz(rest));
        add_lane(info, &lane);
    }
    put_first(info);
    info->pc = info->group_count ? info->groups[0].pc : (uint64_t)f->pc * FH_INST_BYTES;
}

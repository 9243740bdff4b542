/*
 * race_clock.c - whether a past access is ordered before one that comes now: see race_engine.h.
 */
#include "race_engine.h"

/* Whether what a thread did at a time has happened for the lane that accesses. */
static bool is_before(const struct fh_race *race, const struct fh_touch *t, uint32_t time,
                      uint32_t warp, uint32_t lane) {
    return time <= fh_clock_time(t->me->known, warp / race->warps, (int32_t)(warp % race->warps),
                                 (int32_t)lane);
}

/* Whether all that the reader's warp had read then has come to it, as a strong store told that the
 * lane has read. */
static bool is_over(const struct fh_race *race, const struct fh_touch *t,
                    const struct fh_past *reader) {
    const uint64_t block = reader->warp / race->warps;
    const int32_t warp = (int32_t)(reader->warp % race->warps);
    if (reader->time <= fh_clock_time(t->me->over, block, warp, FH_CLOCK_ALL))
        return true;
    for (uint32_t rest = reader->lanes; rest; rest &= rest - 1)
        if (reader->time > fh_clock_time(t->me->over, block, warp, __builtin_ctz(rest)))
            return false;
    return true;
}

uint32_t fh_race_not_before(const struct fh_race *race, const struct fh_touch *t,
                            const struct fh_past *past) {
    const enum fh_access_kind kind = fh_code_kind(past->code);
    const bool reads = FH_READ_KINDS >> kind & 1;
    const bool near = past->warp - t->first_warp < race->warps;
    uint32_t lanes = past->lanes;
    if (kind == FH_COPYING)
        return lanes;
    if (past->warp == t->warp) {
        lanes &= ~(UINT32_C(1) << t->lane);
        if (past->time <= t->me->own_warp || (reads && past->time <= t->me->own_reads))
            return 0;
    }
    if (near && past->time <= t->me->own_block)
        return 0;
    const bool told = reads && t->me->foreign_over;
    if (!lanes || (!near && !t->me->foreign && !told))
        return lanes;
    if (told && is_over(race, t, past))
        return 0;
    if (past->time <= fh_clock_time(t->me->known, past->warp / race->warps,
                                    (int32_t)(past->warp % race->warps), FH_CLOCK_ALL))
        return 0;
    for (uint32_t rest = lanes; rest; rest &= rest - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctz(rest);
        if (is_before(race, t, past->time, past->warp, lane))
            lanes &= ~(UINT32_C(1) << lane);
    }
    return lanes;
}

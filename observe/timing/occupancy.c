/*
 * occupancy.c - see occupancy.h.
 */
#include "occupancy.h"

static uint64_t rounded(uint64_t value, uint32_t unit) {
    return (value + unit - 1) / unit * unit;
}

static void limit_to(struct fh_time_occupancy *o, uint64_t most, const char *limit) {
    if (most >= o->blocks)
        return;
    o->blocks = (uint32_t)most;
    o->limit = limit;
}

void fh_time_occupancy(const struct fh_time_machine *m, const struct fh_time_block *block,
                       struct fh_time_occupancy *o) {
    const uint64_t registers =
        rounded((uint64_t)block->registers * FHEC_WARP_LANES, m->register_unit);
    const uint64_t shared = rounded((uint64_t)block->shared + m->shared_reserved, m->shared_unit);
    *o = (struct fh_time_occupancy){.warps =
                                        (block->threads + FHEC_WARP_LANES - 1) / FHEC_WARP_LANES,
                                    .blocks = m->blocks,
                                    .limit = "blocks"};
    limit_to(o, m->warps / o->warps, "warps");
    if (registers)
        limit_to(o, m->registers / (registers * o->warps), "registers");
    if (shared)
        limit_to(o, m->shared / shared, "shared");
    const uint64_t taken = shared * o->blocks;
    o->l1_bytes = taken < m->l1_bytes ? m->l1_bytes - (uint32_t)taken : 0;
}

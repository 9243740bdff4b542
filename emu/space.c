/*
 * space.c - addresses of the lanes.
 */
#include "space.h"

#include "launch.h"

void fh_address_lanes(const struct fh_warp *w, const struct fh_address *a, uint64_t out[FH_LANES]) {
    const uint32_t *low = w->r[a->base], *high = w->r[a->base + 1];
    uint64_t addend = w->ur[a->ureg] + (uint64_t)a->offset;
    if (a->ureg64)
        addend += (uint64_t)w->ur[a->ureg + 1] << 32;
    if (a->base64) {
        for (uint32_t l = 0; l < FH_LANES; l++)
            out[l] = ((uint64_t)high[l] << 32 | low[l]) + addend;
    } else {
        for (uint32_t l = 0; l < FH_LANES; l++)
            out[l] = ((uint64_t)low[l] << a->shift) + addend;
    }
    if (!a->wide)
        for (uint32_t l = 0; l < FH_LANES; l++)
            out[l] = (uint32_t)out[l];
}

void fh_add_array_cycles(struct fh_warp *w, uint32_t cycles) {
    w->launch->array_cycles += cycles;
}

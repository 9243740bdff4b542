/*
 * copy_async.c - asynchronous copies from global to shared memory, which are carried out at once.
 */
#include "access.h"
#include "handlers.h"
#include "isa_names.h"
#include "launch.h"
#include "space.h"
#include "translate.h"

#include <string.h>

/* The low bits of an address, which has to be a multiple of the size, say how many bytes at the end
 * are zeros and not read. Takes them off the addresses, into `cut`, and finds what is read. */
static bool find_sources(struct fh_warp *w, const struct fh_op *op, uint32_t lanes,
                         uint64_t at[FH_LANES], uint32_t cut[FH_LANES],
                         struct fh_location from[FH_LANES]) {
    const uint32_t bytes = op->address.bytes;
    for (uint32_t rest = lanes; rest;) {
        uint32_t first = (uint32_t)at[__builtin_ctz(rest)] & (bytes - 1), same = 0;
        for (uint32_t more = rest; more; more &= more - 1) {
            uint32_t lane = (uint32_t)__builtin_ctz(more);
            if ((at[lane] & (bytes - 1)) != first)
                continue;
            at[lane] -= first;
            cut[lane] = first;
            same |= 1u << lane;
        }
        const struct fh_request load = {FH_GLOBAL, bytes - first, false, "a load"};
        if (!fh_translate_lanes(w, op, same, at, &load, from))
            return false;
        rest &= ~same;
    }
    return true;
}

/* LDGSTS: all lanes load before the first one stores, so that both ends are checked first. */
bool fh_exec_copy_async(struct fh_warp *w, const struct fh_op *op, uint32_t active) {
    const uint32_t bytes = op->address.bytes;
    const struct fh_request load = {FH_GLOBAL, bytes, false, "a load"};
    const struct fh_request store = {FH_SHARED, bytes, true, "a store"};
    struct fh_location from[FH_LANES], to[FH_LANES];
    uint64_t at[FH_LANES];
    uint32_t cut[FH_LANES] = {0};
    const bool zfill = op->mod[FH_LDGSTS_m_ZFILL];
    uint32_t copying = fh_lanes_where(w, op, FH_LDGSTS_Pp, active);
    uint32_t writing = zfill ? active : copying;
    fh_address_lanes(w, &op->address, at);
    if (zfill ? !find_sources(w, op, copying, at, cut, from)
              : !fh_translate_lanes(w, op, copying, at, &load, from))
        return false;
    fh_address_lanes(w, &op->to, at);
    if (!fh_translate_lanes(w, op, writing, at, &store, to))
        return false;
    for (uint32_t rest = writing; rest; rest &= rest - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(rest);
        uint8_t value[16] = {0};
        if (copying >> lane & 1)
            fh_location_read(w, &from[lane], bytes - cut[lane], value);
        fh_location_write(w, &to[lane], bytes, value);
    }
    return true;
}

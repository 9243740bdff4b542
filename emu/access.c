/*
 * access.c - values between memory and register rows, a warp at a time.
 */
#include "access.h"

struct fh_extent fh_extent_of(const uint64_t at[FH_LANES], uint32_t lanes) {
    struct fh_extent e = {UINT64_MAX, 0, 0};
    if (lanes == UINT32_MAX) {
        for (uint32_t l = 0; l < FH_LANES; l++) {
            e.low = at[l] < e.low ? at[l] : e.low;
            e.high = at[l] > e.high ? at[l] : e.high;
            e.bits |= at[l];
        }
        return e;
    }
    for (; lanes; lanes &= lanes - 1) {
        uint64_t x = at[__builtin_ctz(lanes)];
        e.low = x < e.low ? x : e.low;
        e.high = x > e.high ? x : e.high;
        e.bits |= x;
    }
    return e;
}

void fh_span_load(struct fh_warp *w, const struct fh_address *a, const uint8_t *from) {
    uint32_t *d = w->r[a->data];
    switch (a->bytes) {
    case 4: memcpy(d, from, 4 * FH_LANES); break;
    case 8:
    case 16: {
        uint32_t rows = a->bytes / 4u;
        for (uint32_t i = 0; i < rows; i++)
            for (uint32_t l = 0; l < FH_LANES; l++)
                memcpy(&d[i * FH_LANES + l], from + (l * rows + i) * 4, 4);
        break;
    }
    default:
        for (uint32_t l = 0; l < FH_LANES; l++)
            fh_lane_load(w, a, l, from + l * a->bytes);
        break;
    }
}

void fh_span_store(const struct fh_warp *w, const struct fh_address *a, uint8_t *to) {
    const uint32_t *s = w->r[a->data];
    switch (a->bytes) {
    case 4: memcpy(to, s, 4 * FH_LANES); break;
    case 8:
    case 16: {
        uint32_t rows = a->bytes / 4u;
        for (uint32_t l = 0; l < FH_LANES; l++)
            for (uint32_t i = 0; i < rows; i++)
                memcpy(to + (l * rows + i) * 4, &s[i * FH_LANES + l], 4);
        break;
    }
    default:
        for (uint32_t l = 0; l < FH_LANES; l++)
            fh_lane_store(w, a, l, to + l * a->bytes);
        break;
    }
}

void fh_gather(struct fh_warp *w, const struct fh_address *a, uint32_t lanes, const uint8_t *memory,
               uint64_t base, const uint64_t at[FH_LANES]) {
    if (a->bytes == 4) {
        uint32_t *d = w->r[a->data];
        for (uint32_t rest = lanes; rest; rest &= rest - 1) {
            uint32_t lane = (uint32_t)__builtin_ctz(rest);
            memcpy(&d[lane], memory + (at[lane] - base), 4);
        }
        return;
    }
    for (uint32_t rest = lanes; rest; rest &= rest - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(rest);
        fh_lane_load(w, a, lane, memory + (at[lane] - base));
    }
}

void fh_scatter(const struct fh_warp *w, const struct fh_address *a, uint32_t lanes,
                uint8_t *memory, uint64_t base, const uint64_t at[FH_LANES]) {
    if (a->bytes == 4) {
        const uint32_t *s = w->r[a->data];
        for (uint32_t rest = lanes; rest; rest &= rest - 1) {
            uint32_t lane = (uint32_t)__builtin_ctz(rest);
            memcpy(memory + (at[lane] - base), &s[lane], 4);
        }
        return;
    }
    for (uint32_t rest = lanes; rest; rest &= rest - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(rest);
        fh_lane_store(w, a, lane, memory + (at[lane] - base));
    }
}

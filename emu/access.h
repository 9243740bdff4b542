/*
 * access.h - moving values between memory and register rows, shared by the spaces.
 *
 * A value of 8 or 16 bits becomes a register by zero or sign extension; 64 and 128 bits are 2 and
 * 4 rows, the lowest address in the lowest row. Lanes go from 0 to 31, so of two lanes that store
 * to one place the higher one's value stays.
 */
#ifndef FH_ACCESS_H
#define FH_ACCESS_H

#include "space.h"

#include <string.h>

static inline uint32_t fh_extend(uint32_t value, uint32_t bytes, bool sign) {
    if (bytes == 1)
        return sign ? (uint32_t)(int8_t)value : (uint8_t)value;
    if (bytes == 2)
        return sign ? (uint32_t)(int16_t)value : (uint16_t)value;
    return value;
}

/* One lane's value at `from` into its registers. */
static inline void fh_lane_load(struct fh_warp *w, const struct fh_address *a, uint32_t lane,
                                const uint8_t *from) {
    uint32_t words[4] = {0};
    memcpy(words, from, a->bytes);
    if (a->bytes <= 4) {
        w->r[a->data][lane] = fh_extend(words[0], a->bytes, a->sign_extend);
        return;
    }
    for (uint32_t i = 0; i < a->bytes / 4u; i++)
        w->r[a->data + i][lane] = words[i];
}

static inline void fh_lane_store(const struct fh_warp *w, const struct fh_address *a, uint32_t lane,
                                 uint8_t *to) {
    uint32_t words[4];
    for (uint32_t i = 0; i < (a->bytes + 3u) / 4u; i++)
        words[i] = w->r[a->data + i][lane];
    memcpy(to, words, a->bytes);
}

#endif

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

/* Those of `active` for which the predicate operand i holds. */
static inline uint32_t fh_lanes_where(const struct fh_warp *w, const struct fh_op *op, unsigned i,
                                      uint32_t active) {
    const uint32_t p = w->p[op->row[i]];
    return active & (fh_negated(op, i) ? ~p : p);
}

static inline uint32_t fh_extend(uint32_t value, uint32_t bytes, bool sign) {
    if (bytes == 1)
        return sign ? (uint32_t)(int8_t)value : (uint8_t)value;
    if (bytes == 2)
        return sign ? (uint32_t)(int16_t)value : (uint16_t)value;
    return value;
}

/* A value of 1 or 2 bytes at `from`. */
static inline uint32_t fh_narrow_load(const uint8_t *from, uint32_t bytes, bool sign) {
    uint16_t half;
    if (bytes == 1)
        return fh_extend(from[0], 1, sign);
    memcpy(&half, from, 2);
    return fh_extend(half, 2, sign);
}

/* `rows` words at `from` into one lane of as many rows; and back. */
static inline void fh_words_load(uint32_t *d, uint32_t lane, uint32_t rows, const uint8_t *from) {
    for (uint32_t i = 0; i < rows; i++)
        memcpy(&d[i * FH_LANES + lane], from + 4 * i, 4);
}

static inline void fh_words_store(const uint32_t *s, uint32_t lane, uint32_t rows, uint8_t *to) {
    for (uint32_t i = 0; i < rows; i++)
        memcpy(to + 4 * i, &s[i * FH_LANES + lane], 4);
}

/* One lane's value at `from` into its registers. */
static inline void fh_lane_load(struct fh_warp *w, const struct fh_address *a, uint32_t lane,
                                const uint8_t *from) {
    uint32_t *d = w->r[a->data];
    switch (a->bytes) {
    case 4: fh_words_load(d, lane, 1, from); break;
    case 8: fh_words_load(d, lane, 2, from); break;
    case 16: fh_words_load(d, lane, 4, from); break;
    default: d[lane] = fh_narrow_load(from, a->bytes, a->sign_extend); break;
    }
}

static inline void fh_lane_store(const struct fh_warp *w, const struct fh_address *a, uint32_t lane,
                                 uint8_t *to) {
    const uint32_t *s = w->r[a->data];
    switch (a->bytes) {
    case 1: memcpy(to, &s[lane], 1); break; /* the low bytes of the register come first */
    case 2: memcpy(to, &s[lane], 2); break;
    case 4: fh_words_store(s, lane, 1, to); break;
    case 8: fh_words_store(s, lane, 2, to); break;
    default: fh_words_store(s, lane, 4, to); break;
    }
}

/* Where a lane reads constant memory: bank and offset, which is FH_BANK_BYTES or more where the
 * index leads out of any bank. A number beyond the last bank stands for a bank without bytes. */
struct fh_constant_place {
    uint32_t bank, at;
};
/* Of LDC, and of ULDC (constant.c). */
void fh_constant_places(const struct fh_warp *w, const struct fh_op *op,
                        struct fh_constant_place place[FH_LANES]);
struct fh_constant_place fh_uniform_constant_place(const struct fh_warp *w, const struct fh_op *op);

#endif

/*
 * cursor.h - bytes taken apart one after another. The bytes may be anything: what runs past their
 * end gives zeros and marks the cursor, so it is enough to look once, at the end. Numbers are
 * little-endian whatever the host is.
 */
#ifndef FH_CURSOR_H
#define FH_CURSOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct fh_cursor {
    const uint8_t *at;
    size_t left;
    bool bad; /* something ran past the end */
};

/* The next `count` bytes; NULL if there are not as many. */
static inline const uint8_t *fh_take(struct fh_cursor *c, size_t count) {
    if (count > c->left || c->bad) {
        c->bad = true;
        return NULL;
    }
    const uint8_t *p = c->at;
    c->at += count;
    c->left -= count;
    return p;
}

static inline uint32_t fh_take_u8(struct fh_cursor *c) {
    const uint8_t *p = fh_take(c, 1);
    return p ? p[0] : 0;
}

static inline uint32_t fh_take_u16(struct fh_cursor *c) {
    const uint8_t *p = fh_take(c, 2);
    return p ? (uint32_t)(p[0] | p[1] << 8) : 0;
}

static inline uint32_t fh_take_u32(struct fh_cursor *c) {
    uint32_t low = fh_take_u16(c);
    return low | fh_take_u16(c) << 16;
}

static inline uint64_t fh_take_u64(struct fh_cursor *c) {
    uint64_t low = fh_take_u32(c);
    return low | (uint64_t)fh_take_u32(c) << 32;
}

/* LEB128: seven bits a byte, the lowest first. Bits above 64 are lost; 0 if the end is missing. */
static inline uint64_t fh_take_leb(struct fh_cursor *c, bool is_signed) {
    uint64_t value = 0;
    for (unsigned shift = 0;; shift += 7) {
        const uint8_t *p = fh_take(c, 1);
        if (!p)
            return 0;
        if (shift < 64)
            value |= (uint64_t)(*p & 0x7f) << shift;
        if (*p & 0x80)
            continue;
        if (is_signed && shift < 57 && *p & 0x40)
            value |= ~UINT64_C(0) << (shift + 7);
        return value;
    }
}

static inline uint64_t fh_take_uleb(struct fh_cursor *c) {
    return fh_take_leb(c, false);
}

static inline int64_t fh_take_sleb(struct fh_cursor *c) {
    return (int64_t)fh_take_leb(c, true);
}

#endif

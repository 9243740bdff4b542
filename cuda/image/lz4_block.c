/*
 * lz4_block.c - see lz4_block.h.
 */
#include "lz4_block.h"

#include <string.h>

/* What is left of the block, and what is made so far. */
struct unpacking {
    const uint8_t *from, *from_end;
    uint8_t *begin, *to, *to_end;
};

/* A length: what the token has of it, and behind 15 more bytes up to one that is not 255. False at
 * the end of the block, or when it is longer than anything here can be. */
static bool read_length(struct unpacking *u, size_t *length) {
    uint8_t byte = 255;
    if (*length < 15)
        return true;
    while (byte == 255) {
        if (u->from == u->from_end)
            return false;
        byte = *u->from++;
        *length += byte;
    }
    return true;
}

static bool copy_literals(struct unpacking *u, size_t length) {
    if (!read_length(u, &length) || length > (size_t)(u->from_end - u->from) ||
        length > (size_t)(u->to_end - u->to))
        return false;
    memcpy(u->to, u->from, length);
    u->from += length;
    u->to += length;
    return true;
}

/* Source and destination overlap where the match is longer than it is far: byte by byte, so that
 * the pattern repeats. */
static bool copy_match(struct unpacking *u, size_t length) {
    if (u->from_end - u->from < 2)
        return false;
    size_t back = (size_t)(u->from[0] | u->from[1] << 8);
    u->from += 2;
    if (!read_length(u, &length))
        return false;
    length += 4;
    if (back == 0 || back > (size_t)(u->to - u->begin) || length > (size_t)(u->to_end - u->to))
        return false;
    for (size_t i = 0; i < length; i++, u->to++)
        *u->to = *(u->to - back);
    return true;
}

bool fh_lz4_unpack(const uint8_t *block, size_t length, uint8_t *to, size_t size) {
    struct unpacking u = {block, block + length, to, to, to + size};
    while (u.from < u.from_end) {
        uint8_t token = *u.from++;
        if (!copy_literals(&u, token >> 4))
            return false;
        if (u.from == u.from_end) /* the last sequence has no match */
            break;
        if (!copy_match(&u, token & 15))
            return false;
    }
    return u.to == u.to_end;
}

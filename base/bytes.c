/* bytes.c - see bytes.h. */
#include "bytes.h"

#include "size.h"

#include <stdlib.h>
#include <string.h>

void fh_bytes_put(struct fh_bytes *b, const void *data, size_t count) {
    size_t whole;
    if (b->failed || count == 0)
        return;
    if (!fh_size_plus(b->count, count, &whole) || !fh_grow(&b->data, &b->capacity, whole, 1)) {
        b->failed = true;
        return;
    }
    if (data)
        memcpy(b->data + b->count, data, count);
    else
        memset(b->data + b->count, 0, count);
    b->count = whole;
}

static void put_number(struct fh_bytes *b, uint64_t value, size_t count) {
    uint8_t bytes[8];
    for (size_t i = 0; i < count; i++)
        bytes[i] = (uint8_t)(value >> (8 * i));
    fh_bytes_put(b, bytes, count);
}

void fh_bytes_u8(struct fh_bytes *b, unsigned value) {
    put_number(b, value, 1);
}

void fh_bytes_u16(struct fh_bytes *b, unsigned value) {
    put_number(b, value, 2);
}

void fh_bytes_u32(struct fh_bytes *b, uint32_t value) {
    put_number(b, value, 4);
}

void fh_bytes_u64(struct fh_bytes *b, uint64_t value) {
    put_number(b, value, 8);
}

void fh_bytes_sleb(struct fh_bytes *b, int64_t value) {
    uint8_t bytes[10];
    size_t count = 0;
    for (;; value >>= 7) {
        bytes[count] = value & 0x7f;
        if (value >= -64 && value < 64)
            break;
        bytes[count++] |= 0x80;
    }
    fh_bytes_put(b, bytes, count + 1);
}

void fh_bytes_align(struct fh_bytes *b, size_t alignment) {
    size_t rest = b->count % alignment;
    fh_bytes_put(b, NULL, rest ? alignment - rest : 0);
}

void fh_bytes_free(struct fh_bytes *b) {
    free(b->data);
    *b = (struct fh_bytes){0};
}

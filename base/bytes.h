/*
 * bytes.h - bytes written one after another into memory that grows: objects, records, logs.
 *
 * Numbers are little-endian whatever the host is. Without host memory a buffer is `failed`, and
 * what is put behind that is dropped, so it is enough to look once, at the end.
 */
#ifndef FH_BYTES_H
#define FH_BYTES_H

#include "array.h"

#include <stdint.h>

struct fh_bytes {
    uint8_t *data; /* NULL: nothing was put */
    size_t count, capacity;
    bool failed;
};

/* `count` bytes from `data`; zeros if that is NULL. */
void fh_bytes_put(struct fh_bytes *b, const void *data, size_t count);
void fh_bytes_u8(struct fh_bytes *b, unsigned value);
void fh_bytes_u16(struct fh_bytes *b, unsigned value);
void fh_bytes_u32(struct fh_bytes *b, uint32_t value);
void fh_bytes_u64(struct fh_bytes *b, uint64_t value);
/* Signed LEB128: as few bytes of seven bits as the value needs, the lowest first. */
void fh_bytes_sleb(struct fh_bytes *b, int64_t value);
/* Zeros, up to the next multiple of `alignment`. */
void fh_bytes_align(struct fh_bytes *b, size_t alignment);

/* Frees it; it is empty then. */
void fh_bytes_free(struct fh_bytes *b);

#endif

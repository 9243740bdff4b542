/*
 * trace_bytes.h - growing bytes and arrays, and where the bytes of a trace go.
 */
#ifndef FH_TRACE_BYTES_H
#define FH_TRACE_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Where bytes go: false, they could not be written. */
struct fh_trace_out {
    void *user;
    bool (*write)(void *user, const void *bytes, size_t size);
};

struct fh_trace_bytes {
    uint8_t *bytes;
    size_t count, room;
    bool failed; /* no host memory: bytes are missing */
};

void fh_trace_bytes_free(struct fh_trace_bytes *b);
void fh_trace_put(struct fh_trace_bytes *b, const void *bytes, size_t size);
static inline void fh_trace_put_byte(struct fh_trace_bytes *b, uint8_t byte) {
    if (b->count < b->room)
        b->bytes[b->count++] = byte;
    else
        fh_trace_put(b, &byte, 1);
}
/* Room at the end for `size` bytes, which the caller sets; NULL without host memory. */
uint8_t *fh_trace_extend(struct fh_trace_bytes *b, size_t size);
void fh_trace_print(struct fh_trace_bytes *b, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* A string of JSON, with its quotes; bytes that are no UTF-8 become U+FFFD. */
void fh_trace_put_json(struct fh_trace_bytes *b, const char *text);
/* Text in XML, on one line; what XML cannot have becomes question marks. */
void fh_trace_put_xml(struct fh_trace_bytes *b, const char *text);
/* Writes them out and forgets them. */
bool fh_trace_flush(struct fh_trace_bytes *b, const struct fh_trace_out *out);

/* Makes room in *array, whose elements have `size` bytes, for `count` of them; new ones are not
 * initialised. False without host memory: the array is as it was. */
bool fh_trace_room(void *array, size_t *room, size_t count, size_t size);

#endif

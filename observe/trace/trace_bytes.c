/*
 * trace_bytes.c - see trace_bytes.h.
 */
#include "trace_bytes.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "safe_text.h"

bool fh_trace_room(void *array, size_t *room, size_t count, size_t size) {
    void **const at = array;
    size_t more = *room ? *room : 16;
    if (count <= *room)
        return true;
    while (more < count)
        more = more > SIZE_MAX / 2 ? count : 2 * more;
    void *grown = more > SIZE_MAX / size ? NULL : realloc(*at, more * size);
    if (!grown)
        return false;
    *at = grown;
    *room = more;
    return true;
}

void fh_trace_bytes_free(struct fh_trace_bytes *b) {
    free(b->bytes);
    *b = (struct fh_trace_bytes){0};
}

static uint8_t *more(struct fh_trace_bytes *b, size_t size) {
    b->failed |= size > SIZE_MAX - b->count ||
                 !fh_trace_room(&b->bytes, &b->room, b->count + size, sizeof *b->bytes);
    return b->failed ? NULL : b->bytes + b->count;
}

uint8_t *fh_trace_extend(struct fh_trace_bytes *b, size_t size) {
    uint8_t *to = more(b, size);
    b->count += to ? size : 0;
    return to;
}

void fh_trace_put(struct fh_trace_bytes *b, const void *bytes, size_t size) {
    uint8_t *to = more(b, size);
    if (!to || !size)
        return;
    memcpy(to, bytes, size);
    b->count += size;
}

void fh_trace_print(struct fh_trace_bytes *b, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    const int length = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    char *to = length < 0 ? NULL : (char *)more(b, (size_t)length + 1);
    if (!to)
        return;
    va_start(arguments, format);
    (void)vsnprintf(to, (size_t)length + 1, format, arguments);
    va_end(arguments);
    b->count += (size_t)length;
}

bool fh_trace_flush(struct fh_trace_bytes *b, const struct fh_trace_out *out) {
    const bool fine = !b->failed && (!b->count || out->write(out->user, b->bytes, b->count));
    b->count = 0;
    return fine;
}

void fh_trace_put_json(struct fh_trace_bytes *b, const char *text) {
    fh_trace_put_byte(b, '"');
    while (*text) {
        const size_t length = fh_utf8_length(text);
        if (*text == '"' || *text == '\\')
            fh_trace_print(b, "\\%c", *text);
        else if (!length || (unsigned char)*text < ' ')
            fh_trace_print(b, "\\u%04x", length ? (unsigned)*text : 0xfffdU);
        else
            fh_trace_put(b, text, length);
        text += length ? length : 1;
    }
    fh_trace_put_byte(b, '"');
}

void fh_trace_put_xml(struct fh_trace_bytes *b, const char *text) {
    while (*text) {
        const size_t length = fh_utf8_length(text);
        const bool none = length == 3 && (memcmp(text, "\xef\xbf\xbe", 3) == 0 || /* U+FFFE */
                                          memcmp(text, "\xef\xbf\xbf", 3) == 0);
        switch (*text) {
        case '<': fh_trace_print(b, "&lt;"); break;
        case '>': fh_trace_print(b, "&gt;"); break;
        case '&': fh_trace_print(b, "&amp;"); break;
        default:
            if (!length || none)
                fh_trace_put_byte(b, '?');
            else if ((unsigned char)*text < ' ')
                fh_trace_put_byte(b, ' ');
            else
                fh_trace_put(b, text, length);
        }
        text += length ? length : 1;
    }
}

/*
 * message_stream.c - see message_stream.h.
 */
#include "message_stream.h"

#include <errno.h>
#include <poll.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

void fh_message_reader_begin(struct fh_message_reader *reader, int file) {
    *reader = (struct fh_message_reader){.file = file};
}

void fh_message_reader_end(struct fh_message_reader *reader) {
    free(reader->bytes);
    *reader = (struct fh_message_reader){.file = -1};
}

static enum fh_message_result __attribute__((format(printf, 3, 4)))
wrong(struct fh_message_reader *reader, enum fh_message_result result, const char *format, ...) {
    va_list list;
    va_start(list, format);
    vsnprintf(reader->why, sizeof reader->why, format, list);
    va_end(list);
    return result;
}

/* One more piece of the stream behind what is there. A length is only believed as its bytes come:
 * memory grows with these. END: there are no more. */
static enum fh_message_result fill(struct fh_message_reader *reader) {
    if (reader->capacity - reader->count < FH_MESSAGE_HEADER_MOST) {
        const size_t capacity = reader->capacity ? 2 * reader->capacity : 16 << 10;
        char *bytes = realloc(reader->bytes, capacity);
        if (!bytes)
            return wrong(reader, FH_MESSAGE_BROKEN, "no memory for a message");
        reader->bytes = bytes;
        reader->capacity = capacity;
    }
    for (;;) {
        const ssize_t got =
            read(reader->file, reader->bytes + reader->count, reader->capacity - reader->count);
        if (got > 0) {
            reader->count += (size_t)got;
            return FH_MESSAGE_OK;
        }
        if (got == 0)
            return FH_MESSAGE_END;
        if (errno == EAGAIN || errno == EWOULDBLOCK)
            (void)poll(&(struct pollfd){.fd = reader->file, .events = POLLIN}, 1, -1);
        else if (errno != EINTR)
            return wrong(reader, FH_MESSAGE_BROKEN, "cannot read: %s", strerror(errno));
    }
}

static void drop(struct fh_message_reader *reader, size_t bytes) {
    reader->count -= bytes;
    memmove(reader->bytes, reader->bytes + bytes, reader->count);
}

/* The bytes of the header with its empty line, once they are all there. */
static enum fh_message_result find_header(struct fh_message_reader *reader, size_t *length) {
    for (;;) {
        const size_t most =
            reader->count < FH_MESSAGE_HEADER_MOST ? reader->count : FH_MESSAGE_HEADER_MOST;
        const char *end = most ? memmem(reader->bytes, most, "\r\n\r\n", 4) : NULL;
        if (end) {
            *length = (size_t)(end - reader->bytes) + 4;
            return FH_MESSAGE_OK;
        }
        if (most == FH_MESSAGE_HEADER_MOST)
            return wrong(reader, FH_MESSAGE_BROKEN, "a header of more than %d bytes",
                         FH_MESSAGE_HEADER_MOST);
        const enum fh_message_result result = fill(reader);
        if (result == FH_MESSAGE_END && reader->count)
            return wrong(reader, FH_MESSAGE_BROKEN, "the stream ends within a header");
        if (result != FH_MESSAGE_OK)
            return result;
    }
}

static enum fh_message_result read_length(struct fh_message_reader *reader, const char *value,
                                          size_t *length) {
    size_t number = 0;
    if (!*value)
        return wrong(reader, FH_MESSAGE_BROKEN, "Content-Length has no value");
    for (const char *digit = value; *digit; digit++) {
        if (*digit < '0' || *digit > '9')
            return wrong(reader, FH_MESSAGE_BROKEN, "Content-Length is no number: \"%.40s\"",
                         value);
        number = 10 * number + (size_t)(*digit - '0');
        if (number > FH_MESSAGE_MOST)
            return wrong(reader, FH_MESSAGE_BROKEN,
                         "Content-Length is %.40s; a message has %d bytes at most", value,
                         FH_MESSAGE_MOST);
    }
    *length = number;
    return FH_MESSAGE_OK;
}

/* One field, without the end of its line. */
static enum fh_message_result read_field(struct fh_message_reader *reader, char *field,
                                         size_t *length) {
    char *value = strchr(field, ':');
    if (!value)
        return wrong(reader, FH_MESSAGE_BROKEN, "no header field: \"%.80s\"", field);
    *value++ = 0;
    value += strspn(value, " \t");
    for (size_t end = strlen(value); end && strchr(" \t", value[end - 1]); end--)
        value[end - 1] = 0;
    if (!strcasecmp(field, "Content-Length"))
        return *length == SIZE_MAX ? read_length(reader, value, length)
                                   : wrong(reader, FH_MESSAGE_BROKEN, "Content-Length twice");
    return FH_MESSAGE_OK; /* Content-Type can only say UTF-8 */
}

/* All fields of a header of `bytes` bytes, which are changed. */
static enum fh_message_result read_fields(struct fh_message_reader *reader, size_t bytes,
                                          size_t *length) {
    enum fh_message_result result = FH_MESSAGE_OK;
    *length = SIZE_MAX;
    if (memchr(reader->bytes, 0, bytes))
        return wrong(reader, FH_MESSAGE_BROKEN, "a header with a NUL in it");
    reader->bytes[bytes - 2] = 0; /* of the empty line */
    for (char *field = reader->bytes; *field && result == FH_MESSAGE_OK;) {
        char *end = strstr(field, "\r\n");
        *end = 0;
        result = read_field(reader, field, length);
        field = end + 2;
    }
    if (result == FH_MESSAGE_OK && *length == SIZE_MAX)
        return wrong(reader, FH_MESSAGE_BROKEN, "a header without Content-Length");
    return result;
}

enum fh_message_result fh_message_read(struct fh_message_reader *reader, json_t **message) {
    size_t header = 0, length = 0;
    *message = NULL;
    enum fh_message_result result = find_header(reader, &header);
    if (result == FH_MESSAGE_OK)
        result = read_fields(reader, header, &length);
    if (result != FH_MESSAGE_OK)
        return result;
    drop(reader, header);
    while (reader->count < length && result == FH_MESSAGE_OK)
        result = fill(reader);
    if (result == FH_MESSAGE_END)
        return wrong(reader, FH_MESSAGE_BROKEN, "the stream ends after %zu of %zu bytes",
                     reader->count, length);
    if (result != FH_MESSAGE_OK)
        return result;
    json_error_t error;
    *message = json_loadb(reader->bytes, length, JSON_DECODE_ANY, &error);
    drop(reader, length);
    if (!*message)
        return wrong(reader, FH_MESSAGE_BAD, "no JSON: %.150s", error.text);
    if (json_is_object(*message))
        return FH_MESSAGE_OK;
    json_decref(*message);
    *message = NULL;
    return wrong(reader, FH_MESSAGE_BAD, "a message that is no JSON object");
}

static bool write_all(int file, const char *bytes, size_t count) {
    while (count) {
        const ssize_t put = write(file, bytes, count);
        if (put >= 0) {
            bytes += put;
            count -= (size_t)put;
        } else if (errno == EAGAIN || errno == EWOULDBLOCK) {
            (void)poll(&(struct pollfd){.fd = file, .events = POLLOUT}, 1, -1);
        } else if (errno != EINTR) {
            return false;
        }
    }
    return true;
}

bool fh_message_write(int file, const json_t *message) {
    char header[64];
    char *text = json_dumps(message, JSON_COMPACT);
    if (!text)
        return false;
    const size_t length = strlen(text);
    const int put = snprintf(header, sizeof header, "Content-Length: %zu\r\n\r\n", length);
    const bool fine = write_all(file, header, (size_t)put) && write_all(file, text, length);
    free(text);
    return fine;
}

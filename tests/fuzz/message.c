/*
 * message.c - fuzzing streams of JSON messages: the bytes as a stream. Whatever comes out of it is
 * the same when it has been written again; the arguments of what looks like a request are held
 * against a shape.
 */
#include "dap_base64.h"
#include "dap_schema.h"
#include "fuzz.h"
#include "message_stream.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* A file in memory with these bytes, to be read from its beginning; -1: the host has none. */
static int file_of(const uint8_t *bytes, size_t length) {
    const int file = memfd_create("stream", MFD_CLOEXEC);
    if (file >= 0 && ((length && write(file, bytes, length) != (ssize_t)length) ||
                      lseek(file, 0, SEEK_SET) != 0)) {
        close(file);
        return -1;
    }
    return file;
}

/* What has been read is written and read again. */
static const char *check_copy(const json_t *message) {
    const int file = file_of(NULL, 0);
    struct fh_message_reader reader;
    json_t *again = NULL;
    const char *wrong = NULL;
    if (file < 0 || !fh_message_write(file, message) || lseek(file, 0, SEEK_SET) != 0) {
        wrong = file < 0 ? NULL : "what was read cannot be written";
    } else {
        fh_message_reader_begin(&reader, file);
        if (fh_message_read(&reader, &again) != FH_MESSAGE_OK)
            wrong = "what was written cannot be read";
        else if (!json_equal(message, again))
            wrong = "what was written is not what was read";
        fh_message_reader_end(&reader);
    }
    json_decref(again);
    if (file >= 0)
        close(file);
    return wrong;
}

static const char *check_shape(const json_t *message) {
    static const char shape[] = "line:i! name:s on:b list:[line:i! name:s] texts:[s] more:o any:a";
    char why[300] = "";
    const bool holds =
        fh_dap_shape_holds(shape, json_object_get(message, "arguments"), why, sizeof why);
    return !holds && (!*why || !memchr(why, 0, sizeof why)) ? "an error without a reason" : NULL;
}

/* Base64 that can be read is the same when it has been written again, but for unused bits. */
static const char *check_base64(const json_t *message) {
    const char *text = json_string_value(json_object_get(message, "data"));
    size_t count, again_count = 0;
    uint8_t *bytes = text ? fh_dap_base64_read(text, &count) : NULL;
    char *written = bytes ? fh_dap_base64(bytes, count) : NULL;
    uint8_t *again = written ? fh_dap_base64_read(written, &again_count) : NULL;
    const char *wrong =
        written && (!again || again_count != count || (count && memcmp(bytes, again, count) != 0))
            ? "base64 that is another one when it is written"
            : NULL;
    free(bytes);
    free(written);
    free(again);
    return wrong;
}

const char *fuzz_message(const uint8_t *bytes, size_t length, char shown[FUZZ_SHOWN]) {
    struct fh_message_reader reader;
    enum fh_message_result result;
    const char *wrong = NULL;
    const int file = file_of(bytes, length);
    if (file < 0)
        return NULL;
    fh_message_reader_begin(&reader, file);
    do {
        json_t *message;
        result = fh_message_read(&reader, &message);
        const bool error = result == FH_MESSAGE_BAD || result == FH_MESSAGE_BROKEN;
        if ((result == FH_MESSAGE_OK) != (message != NULL))
            wrong = "a result that has a message, or has none, against what it says";
        else if (error && (!reader.why[0] || !memchr(reader.why, 0, sizeof reader.why)))
            wrong = "an error without a reason";
        if (!wrong && message)
            wrong = check_copy(message);
        if (!wrong && message)
            wrong = check_shape(message);
        if (!wrong && message)
            wrong = check_base64(message);
        if (wrong)
            snprintf(shown, FUZZ_SHOWN, "%s", reader.why);
        json_decref(message);
    } while (!wrong && (result == FH_MESSAGE_OK || result == FH_MESSAGE_BAD));
    fh_message_reader_end(&reader);
    close(file);
    return wrong;
}

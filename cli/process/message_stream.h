/*
 * message_stream.h - JSON messages over a pair of file descriptors, framed as the Debug Adapter
 * Protocol and the Language Server Protocol frame them: header fields "Name: value\r\n", of which
 * Content-Length must be there, an empty line, and so many bytes of JSON in UTF-8.
 *
 *     Content-Length: 22\r\n
 *     \r\n
 *     {"seq":1,"type":"..."}
 *
 * A stream has a reader and a writer at most, which may be in two threads.
 */
#ifndef FH_CLI_MESSAGE_STREAM_H
#define FH_CLI_MESSAGE_STREAM_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

/* Bytes: of the header fields of a message, of a message. */
enum { FH_MESSAGE_HEADER_MOST = 4096, FH_MESSAGE_MOST = 64 << 20, FH_MESSAGE_WHY = 200 };

enum fh_message_result {
    FH_MESSAGE_OK,
    FH_MESSAGE_END,    /* the other side has closed the stream, between two messages */
    FH_MESSAGE_BAD,    /* a whole frame whose content is no JSON object: the next one can be read */
    FH_MESSAGE_BROKEN, /* where the next message begins is unknown, or the stream is cut off within
                          one, or cannot be read: nothing more can be */
};

struct fh_message_reader {
    int file;
    char *bytes; /* what has been read, and not been taken */
    size_t count, capacity;
    char why[FH_MESSAGE_WHY]; /* of BAD and BROKEN: one sentence */
};

/* The descriptor stays the caller's. */
void fh_message_reader_begin(struct fh_message_reader *reader, int file);
void fh_message_reader_end(struct fh_message_reader *reader);

/* Waits for the next message; *message is the caller's to json_decref, NULL if there is none. A
 * string with a NUL in it is no JSON here. */
enum fh_message_result fh_message_read(struct fh_message_reader *reader, json_t **message);

/* False: the other side does not read any more, the value is not what JSON can say, or there is no
 * memory. The process must ignore SIGPIPE. */
bool fh_message_write(int file, const json_t *message);

#endif

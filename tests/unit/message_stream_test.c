/*
 * message_stream_test.c - frames of messages, whole, in pieces, and all that is wrong with them.
 */
#include "message_stream.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

/* A stream whose other side writes `text`, in pieces of `piece` bytes, and closes it. */
struct stream {
    struct fh_message_reader reader;
    pid_t writer;
};

static void open_stream(struct stream *s, const char *text, size_t length, size_t piece) {
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    s->writer = fork();
    if (s->writer == 0) {
        for (size_t at = 0; at < length; at += piece) {
            const size_t count = length - at < piece ? length - at : piece;
            if (write(ends[1], text + at, count) < 0)
                _exit(1);
        }
        _exit(0);
    }
    close(ends[1]);
    fh_message_reader_begin(&s->reader, ends[0]);
}

static void close_stream(struct stream *s) {
    close(s->reader.file);
    fh_message_reader_end(&s->reader);
    waitpid(s->writer, NULL, 0);
}

static void expect(struct stream *s, enum fh_message_result result, const char *text) {
    json_t *message;
    assert_int_equal(fh_message_read(&s->reader, &message), result);
    if (result == FH_MESSAGE_OK) {
        char *got = json_dumps(message, JSON_COMPACT);
        assert_string_equal(got, text);
        free(got);
    } else {
        assert_null(message);
        if (text)
            assert_string_equal(s->reader.why, text);
    }
    json_decref(message);
}

static void test_messages(void **state) {
    static const char text[] =
        "Content-Length: 7\r\n\r\n{\"a\":1}"
        "Content-Type: application/vscode-jsonrpc; charset=utf-8\r\ncontent-length:  8 \r\n\r\n"
        "{\"b\":22}"
        "Content-Length: 9\r\n\r\n{\"c\": 3}\n";
    (void)state;
    for (size_t piece = 1; piece < sizeof text; piece += 1 + piece / 2) {
        struct stream s;
        open_stream(&s, text, sizeof text - 1, piece);
        expect(&s, FH_MESSAGE_OK, "{\"a\":1}");
        expect(&s, FH_MESSAGE_OK, "{\"b\":22}");
        expect(&s, FH_MESSAGE_OK, "{\"c\":3}");
        expect(&s, FH_MESSAGE_END, NULL);
        expect(&s, FH_MESSAGE_END, NULL);
        close_stream(&s);
    }
}

/* What is wrong within a frame leaves the next one. */
static void test_bad(void **state) {
    static const char *const bodies[] = {"{\"a\":}", "[1,2]",           "17", "null", "",
                                         "{} {}",    "{\"a\":\"\xff\"}"};
    (void)state;
    for (size_t i = 0; i < sizeof bodies / sizeof *bodies; i++) {
        char text[200];
        const int length =
            snprintf(text, sizeof text, "Content-Length: %zu\r\n\r\n%sContent-Length: 2\r\n\r\n{}",
                     strlen(bodies[i]), bodies[i]);
        struct stream s;
        open_stream(&s, text, (size_t)length, 1000);
        expect(&s, FH_MESSAGE_BAD, NULL);
        assert_true(s.reader.why[0]);
        expect(&s, FH_MESSAGE_OK, "{}");
        expect(&s, FH_MESSAGE_END, NULL);
        close_stream(&s);
    }
}

static void test_broken(void **state) {
    static const struct {
        const char *text, *why;
    } cases[] = {
        {"Content-Length: 9\r\n\r\n{}", "the stream ends after 2 of 9 bytes"},
        {"Content-Length: 9\r\n", "the stream ends within a header"},
        {"A: b\r\n\r\n{}", "a header without Content-Length"},
        {"Content-Length: 1x\r\n\r\n{}", "Content-Length is no number: \"1x\""},
        {"Content-Length: -1\r\n\r\n{}", "Content-Length is no number: \"-1\""},
        {"Content-Length:\r\n\r\n{}", "Content-Length has no value"},
        {"Content-Length: 67108865\r\n\r\n{}",
         "Content-Length is 67108865; a message has 67108864 bytes at most"},
        {"Content-Length: 36893488147419103232\r\n\r\n{}",
         "Content-Length is 36893488147419103232; a message has 67108864 bytes at most"},
        {"Content-Length: 2\r\nContent-Length: 2\r\n\r\n{}", "Content-Length twice"},
        {"Hello\r\nContent-Length: 2\r\n\r\n{}", "no header field: \"Hello\""},
        {"Content-Length: 67108864\r\n\r\n{}", "the stream ends after 2 of 67108864 bytes"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct stream s;
        open_stream(&s, cases[i].text, strlen(cases[i].text), 7);
        expect(&s, FH_MESSAGE_BROKEN, cases[i].why);
        close_stream(&s);
    }
    struct stream s;
    open_stream(&s, "A: \0\r\n\r\n", 8, 100);
    expect(&s, FH_MESSAGE_BROKEN, "a header with a NUL in it");
    close_stream(&s);
}

static void test_long_header(void **state) {
    char text[2 * FH_MESSAGE_HEADER_MOST];
    (void)state;
    memset(text, 'x', sizeof text);
    struct stream s;
    open_stream(&s, text, sizeof text, 1000);
    expect(&s, FH_MESSAGE_BROKEN, "a header of more than 4096 bytes");
    close_stream(&s);
}

/* What is written is what is read, also where it is larger than a pipe. */
static void test_write(void **state) {
    enum { LARGE = 300000 };
    static char large[LARGE + 1];
    int ends[2];
    (void)state;
    for (size_t i = 0; i < LARGE; i++)
        large[i] = (char)('a' + i % 26);
    assert_int_equal(pipe(ends), 0);
    const pid_t child = fork();
    json_t *message = json_pack("{s:s, s:s}", "text", large, "name", "\xc3\xa4\n\"");
    if (child == 0)
        _exit(fh_message_write(ends[1], message) ? 0 : 1);
    close(ends[1]);
    struct fh_message_reader reader;
    fh_message_reader_begin(&reader, ends[0]);
    json_t *got;
    assert_int_equal(fh_message_read(&reader, &got), FH_MESSAGE_OK);
    assert_true(json_equal(message, got));
    json_decref(got);
    assert_int_equal(fh_message_read(&reader, &got), FH_MESSAGE_END);
    fh_message_reader_end(&reader);
    json_decref(message);
    close(ends[0]);
    waitpid(child, NULL, 0);
}

static void test_nobody_reads(void **state) {
    int ends[2];
    (void)state;
    signal(SIGPIPE, SIG_IGN);
    assert_int_equal(pipe(ends), 0);
    close(ends[0]);
    json_t *message = json_object();
    assert_false(fh_message_write(ends[1], message));
    json_decref(message);
    close(ends[1]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_messages), cmocka_unit_test(test_bad),
        cmocka_unit_test(test_broken),   cmocka_unit_test(test_long_header),
        cmocka_unit_test(test_write),    cmocka_unit_test(test_nobody_reads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

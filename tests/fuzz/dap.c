/*
 * dap.c - fuzzing whole sessions of the debug adapter: the bytes are what a client sends, on a
 * program of ours. Each request has one response, in its order, and what fails says why. A byte of
 * the input decides how far the guest has come when the next message does.
 *
 * What begins as a frame is read as such. Damage in one ends the session, so other inputs are
 * lines, a message each: a command and its arguments, or all of it.
 */
#include "dap_launch.h"
#include "dap_parts.h"
#include "fuzz.h"
#include "message_stream.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* One session at a time. */
static struct {
    struct fh_message_reader client;
    const char *lines; /* what is left of them; NULL: there are frames */
    json_int_t number; /* of lines */
    json_t *asked;     /* the numbers of requests that want a response */
    uint32_t turns;
} session;

/* ---------------------------------------------------------------- what a client may not ask here
 */

/* What is launched is ours: other command lines end the process where they are wrong. */
static void launch_ours(json_t *arguments) {
    static const char *const theirs[] = {"args", "cwd", "engine", "simd"};
    for (size_t i = 0; i < sizeof theirs / sizeof *theirs; i++)
        json_object_del(arguments, theirs[i]);
    if (!json_is_boolean(json_object_get(arguments, "checks")))
        json_object_del(arguments, "checks");
    json_object_set_new(arguments, "command", json_string("test"));
    json_object_set_new(arguments, "program", json_string("tests/fuzz/session.sass:two_blocks"));
}

/* Commands that write files, read them, or make a loop of the program. */
static bool is_harmful(const char *line) {
    static const char *const words[] = {"sa", "so", "as", "pa"};
    for (const char *p = line; *p; p++)
        for (size_t i = 0; i < sizeof words / sizeof *words; i++)
            if ((p == line || !isalpha((unsigned char)p[-1])) && !strncmp(p, words[i], 2))
                return true;
    return false;
}

static bool is_allowed(json_t *message) {
    const char *command = json_string_value(json_object_get(message, "command"));
    json_t *arguments = json_object_get(message, "arguments");
    json_t *nested = json_object_get(arguments, "arguments");
    if (!command)
        return true;
    if (!strcmp(command, "launch") && (!arguments || json_is_null(arguments))) {
        arguments = json_object();
        json_object_set_new(message, "arguments", arguments);
    }
    if (!strcmp(command, "launch") && json_is_object(arguments))
        launch_ours(arguments);
    if (!strcmp(command, "restart") && json_is_object(nested))
        launch_ours(nested);
    const char *line = json_string_value(json_object_get(arguments, "expression"));
    return strcmp(command, "evaluate") != 0 || !line || !is_harmful(line);
}

/* ---------------------------------------------------------------- the session */

static void note(const json_t *message) {
    const json_t *seq = json_object_get(message, "seq");
    const char *type = json_string_value(json_object_get(message, "type"));
    if (json_is_integer(seq) && json_integer_value(seq) > 0 && !(type && !strcmp(type, "response")))
        json_array_append_new(session.asked, json_integer(json_integer_value(seq)));
}

/* "command {...}", or a whole message; NULL: it is neither. */
static json_t *message_of(const char *line, size_t length) {
    const size_t word = strcspn(line, " \n");
    const size_t command = word < length ? word : length;
    session.number++;
    if (!length || *line == '{')
        return json_loadb(line, length, 0, NULL);
    return json_pack("{s:I, s:s, s:s%, s:o*}", "seq", session.number, "type", "request", "command",
                     line, command, "arguments",
                     json_loadb(line + command, length - command, JSON_DECODE_ANY, NULL));
}

/* *message may be NULL with FH_MESSAGE_OK: a line that is none. */
static enum fh_message_result next_message(json_t **message) {
    if (!session.lines)
        return fh_message_read(&session.client, message);
    *message = NULL;
    if (!*session.lines)
        return FH_MESSAGE_END;
    const size_t length = strcspn(session.lines, "\n");
    *message = message_of(session.lines, length);
    session.lines += length + (session.lines[length] == '\n');
    return FH_MESSAGE_OK;
}

/* As fh_dap_serve, without a thread that reads: the guest runs now and then between messages. */
static void serve(struct fh_dap *dap) {
    while (!dap->done && !dap->left) {
        if (dap->phase == FH_DAP_MOVING && ++session.turns % 3) {
            fh_dap_go(dap);
            continue;
        }
        json_t *message;
        const enum fh_message_result result = next_message(&message);
        if (message && is_allowed(message)) {
            note(message);
            fh_dap_take(dap, message);
        }
        json_decref(message);
        dap->done |= result == FH_MESSAGE_END || result == FH_MESSAGE_BROKEN;
    }
}

static const char *check_response(const json_t *message, size_t *answered) {
    const json_t *wanted = json_array_get(session.asked, (*answered)++);
    const json_t *error = json_object_get(json_object_get(message, "body"), "error");
    const json_int_t id = json_integer_value(json_object_get(error, "id"));
    if (!wanted ||
        json_integer_value(wanted) != json_integer_value(json_object_get(message, "request_seq")))
        return "a response that is not the next one";
    if (!json_is_string(json_object_get(message, "command")))
        return "a response that does not say to what";
    if (json_is_true(json_object_get(message, "success")))
        return NULL;
    if (!json_is_string(json_object_get(message, "message")) || id < FH_DAP_NO_REQUEST ||
        id > FH_DAP_NOT_SUPPORTED)
        return "a failure that does not say why";
    return NULL;
}

/* All that was said: numbered messages, and a response to every request. */
static const char *check_answers(int output, char *shown) {
    struct fh_message_reader reader;
    enum fh_message_result result;
    json_t *message;
    const char *wrong = NULL;
    json_int_t number = 0;
    size_t answered = 0;
    (void)lseek(output, 0, SEEK_SET);
    fh_message_reader_begin(&reader, output);
    while (!wrong && (result = fh_message_read(&reader, &message)) == FH_MESSAGE_OK) {
        const char *type = json_string_value(json_object_get(message, "type"));
        char *text = json_dumps(message, JSON_COMPACT);
        snprintf(shown, FUZZ_SHOWN, "%s", text ? text : "");
        free(text);
        if (json_integer_value(json_object_get(message, "seq")) != ++number)
            wrong = "a message whose number is not the next one";
        else if (type && !strcmp(type, "response"))
            wrong = check_response(message, &answered);
        else if (!type || strcmp(type, "event") != 0 ||
                 !json_is_string(json_object_get(message, "event")))
            wrong = "a message that is neither a response nor an event";
        json_decref(message);
    }
    fh_message_reader_end(&reader);
    if (!wrong && result != FH_MESSAGE_END)
        wrong = "what is said is no messages";
    return wrong || answered == json_array_size(session.asked) ? wrong
                                                               : "a request without a response";
}

/* The bytes as text, if they are no frames; the caller's. */
static char *lines_of(const uint8_t *bytes, size_t length) {
    static const char frame[] = "Content-Length:";
    return length >= sizeof frame && !memcmp(bytes, frame, sizeof frame - 1)
               ? NULL
               : strndup((const char *)bytes, length);
}

const char *fuzz_dap(const uint8_t *bytes, size_t length, char shown[FUZZ_SHOWN]) {
    struct fh_cli cli = {.command = "fuzz", .silent = true};
    struct fh_dap dap = {.cli = &cli, .phase = FH_DAP_NEW, .serve = serve, .events = json_array()};
    const int input = memfd_create("input", MFD_CLOEXEC);
    const int output = memfd_create("output", MFD_CLOEXEC);
    const char *wrong = NULL;
    session.asked = json_array();
    char *lines = lines_of(bytes, length);
    session.lines = lines;
    session.number = 0;
    session.turns = length ? bytes[length / 2] : 0;
    fh_message_reader_begin(&session.client, input);
    if (input < 0 || output < 0 || !dap.events || !session.asked ||
        write(input, bytes, length) != (ssize_t)length || lseek(input, 0, SEEK_SET) != 0 ||
        !fh_dap_channel_open(&dap.channel, output)) {
        json_decref(dap.events);
    } else {
        fh_dap_session(&dap);
        wrong = check_answers(output, shown);
        fh_dap_channel_close(&dap.channel);
    }
    fh_message_reader_end(&session.client);
    json_decref(session.asked);
    free(lines);
    if (input >= 0)
        close(input);
    if (output >= 0)
        close(output);
    return wrong;
}

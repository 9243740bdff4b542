/*
 * lsp.c - fuzzing the language server: the bytes are its input, and then a document, in a session
 * that asks everything of it. Each request has one answer, in its order; edits lie in the text.
 */
#include "fuzz.h"
#include "lsp_files.h"
#include "lsp_server.h"
#include "message_stream.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* One session on `input`, from its beginning; what the server says goes to *output. */
static fhec_status serve(int input, int *output) {
    struct fh_cli cli = {.command = "fuzz", .silent = true};
    struct fh_lsp lsp = {.cli = &cli};
    *output = memfd_create("output", 0);
    (void)lseek(input, 0, SEEK_SET);
    fhec_status status = fh_lsp_serve(&lsp, input, *output);
    fh_lsp_files_free(&lsp);
    json_decref(lsp.published);
    json_decref(lsp.settings);
    free(lsp.include_dirs);
    free(lsp.defines);
    (void)lseek(*output, 0, SEEK_SET);
    return status;
}

/* The bytes as they are: whatever comes back is whole messages. */
static const char *any_bytes(const uint8_t *bytes, size_t length) {
    int input = memfd_create("input", 0), output;
    if (input < 0)
        return NULL;
    if (write(input, bytes, length) != (ssize_t)length) {
        close(input);
        return NULL;
    }
    (void)serve(input, &output);
    struct fh_message_reader reader;
    json_t *message;
    enum fh_message_result result;
    fh_message_reader_begin(&reader, output);
    while ((result = fh_message_read(&reader, &message)) == FH_MESSAGE_OK)
        json_decref(message);
    fh_message_reader_end(&reader);
    close(input);
    close(output);
    return result == FH_MESSAGE_END ? NULL : "what the server says is no messages";
}

/* ---------------------------------------------------------------- a document */

static const char uri[] = "file:///nowhere/fuzz.sass";

/* Takes the params. */
static void put(int to, int id, const char *method, json_t *params) {
    json_t *message = json_pack("{s:s, s:s, s:o}", "jsonrpc", "2.0", "method", method, "params",
                                params ? params : json_null());
    if (id)
        json_object_set_new(message, "id", json_integer(id));
    (void)fh_message_write(to, message);
    json_decref(message);
}

static json_t *place(uint32_t line, uint32_t character) {
    return json_pack("{s:{s:s}, s:{s:i, s:i}, s:s, s:{s:{s:i, s:i}, s:{s:i, s:i}}, s:{s:b}}",
                     "textDocument", "uri", uri, "position", "line", (int)line, "character",
                     (int)character, "newName", "a_new_name", "range", "start", "line", (int)line,
                     "character", (int)character, "end", "line", (int)line + 3, "character", 0,
                     "context", "includeDeclaration", 1);
}

/* A request of each kind at a place; the number of the last one. */
static int ask_all(int to, int id, uint32_t line, uint32_t character) {
    static const char *const methods[] = {
        "hover",           "completion",          "definition",
        "references",      "documentHighlight",   "prepareRename",
        "rename",          "signatureHelp",       "documentSymbol",
        "foldingRange",    "formatting",          "inlayHint",
        "rangeFormatting", "semanticTokens/full",
    };
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
        char method[64];
        snprintf(method, sizeof method, "textDocument/%s", methods[i]);
        put(to, ++id, method, place(line, character));
    }
    return id;
}

/* The text as JSON can say it: no NUL, no bytes that are no UTF-8. */
static json_t *as_text(const uint8_t *bytes, size_t length) {
    json_t *text = json_stringn((const char *)bytes, length);
    if (text && !memchr(bytes, 0, length))
        return text;
    json_decref(text);
    char *clean = malloc(length + 1);
    for (size_t i = 0; clean && i < length; i++)
        clean[i] = bytes[i] && bytes[i] < 0x80 ? (char)bytes[i] : '?';
    text = clean ? json_stringn(clean, length) : NULL;
    free(clean);
    return text;
}

static const char *check_answers(int output, int asked, char *shown) {
    struct fh_message_reader reader;
    json_t *message;
    const char *wrong = NULL;
    int next = 1;
    fh_message_reader_begin(&reader, output);
    while (!wrong && fh_message_read(&reader, &message) == FH_MESSAGE_OK) {
        const json_t *id = json_object_get(message, "id");
        const json_t *error = json_object_get(message, "error");
        json_int_t code = json_integer_value(json_object_get(error, "code"));
        if (id && json_integer_value(id) != next++)
            wrong = "an answer that is not the next one";
        else if (id && !error == !json_object_get(message, "result"))
            wrong = "an answer without a result or an error, or with both";
        else if (error && code != FH_LSP_REQUEST_FAILED)
            wrong = "a request is refused that is right";
        if (wrong)
            snprintf(shown, FUZZ_SHOWN, "id %d, expected %d, code %d", (int)json_integer_value(id),
                     next - 1, (int)code);
        json_decref(message);
    }
    fh_message_reader_end(&reader);
    return wrong ? wrong : next == asked + 1 ? NULL : "a request without an answer";
}

static const char *document(const uint8_t *bytes, size_t length, char *shown) {
    json_t *text = length < 65536 ? as_text(bytes, length) : NULL;
    int input = text ? memfd_create("input", 0) : -1, output, id = 1;
    uint32_t lines = 1;
    if (input < 0) {
        json_decref(text);
        return NULL;
    }
    for (size_t i = 0; i < length; i++)
        lines += bytes[i] == '\n';
    put(input, id, "initialize", json_object());
    put(input, 0, "textDocument/didOpen",
        json_pack("{s:{s:s, s:s, s:i, s:o}}", "textDocument", "uri", uri, "languageId", "sass",
                  "version", 1, "text", text));
    for (unsigned i = 0; i < 4 && length; i++) {
        unsigned at = bytes[(length / 4) * i] * 256u + bytes[length - 1 - i % length];
        id = ask_all(input, id, at % lines, at % 37);
        put(input, 0, "textDocument/didChange",
            json_pack("{s:{s:s, s:i}, s:[{s:{s:{s:i, s:i}, s:{s:i, s:i}}, s:s}]}", "textDocument",
                      "uri", uri, "version", (int)i + 2, "contentChanges", "range", "start", "line",
                      (int)(at % lines), "character", (int)(at % 11), "end", "line",
                      (int)(at % lines), "character", (int)(at % 11 + at % 5), "text",
                      i % 2 ? "." : " \\x "));
    }
    put(input, ++id, "shutdown", NULL);
    put(input, 0, "exit", NULL);
    fhec_status status = serve(input, &output);
    const char *wrong = status == FHEC_OK || status == FHEC_HOST_ERROR
                            ? check_answers(output, id, shown)
                            : "the session did not end well";
    close(input);
    close(output);
    return wrong;
}

const char *fuzz_lsp(const uint8_t *bytes, size_t length, char shown[FUZZ_SHOWN]) {
    const char *wrong = any_bytes(bytes, length);
    return wrong ? wrong : document(bytes, length, shown);
}

/*
 * lsp_server.c - see lsp_server.h. Messages are answered in their order, in one thread. Before each
 * answer all messages that are there are read, so that a request can be cancelled that waits, and
 * diagnostics are made when nothing waits, not for every letter that somebody types.
 */
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>

#include "arrays.h"
#include "lsp_files.h"
#include "lsp_json.h"
#include "lsp_server.h"
#include "message.h"
#include "message_stream.h"

enum { MAX_WAITING = 256 /* messages that are read ahead */ };

struct server {
    struct fh_lsp *lsp;
    struct fh_message_reader reader;
    json_t *waiting[MAX_WAITING]; /* NULL: a frame without a message in it */
    size_t count;
    bool cancelled[MAX_WAITING];
    bool initialized, shut_down, ended;
    int lost;                      /* an error of the host's is why it has ended: errno */
    enum fh_message_result result; /* of what was read last */
};

/* ---------------------------------------------------------------- answers */

/* Takes the result. */
static void send(struct server *s, json_t *message) {
    if (!message || !fh_message_write(s->lsp->to, message)) {
        s->ended = true; /* nobody reads any more */
        s->lost = !message ? ENOMEM : errno == EPIPE ? 0 : errno;
    }
    json_decref(message);
}

static void send_error(struct server *s, const json_t *id, int code, const char *message) {
    send(s, json_pack("{s:s, s:O?, s:{s:i, s:s}}", "jsonrpc", "2.0", "id", id, "error", "code",
                      code, "message", message));
}

static json_t *capabilities(void) {
    return json_pack(
        "{s:{s:s, s:{s:b, s:i, s:{s:b}}, s:b, s:b, s:b, s:b, s:{s:b}, s:b, s:b, s:b, s:b, s:b,"
        " s:{s:[s, s, s], s:b}, s:{s:[s, s]}, s:{s:{s:o, s:[]}, s:b}},"
        " s:{s:s, s:s}}",
        "capabilities", "positionEncoding", "utf-16", "textDocumentSync", "openClose", 1, "change",
        2, "save", "includeText", 0, "hoverProvider", 1, "definitionProvider", 1,
        "referencesProvider", 1, "documentHighlightProvider", 1, "renameProvider",
        "prepareProvider", 1, "documentSymbolProvider", 1, "foldingRangeProvider", 1,
        "documentFormattingProvider", 1, "documentRangeFormattingProvider", 1, "inlayHintProvider",
        1, "completionProvider", "triggerCharacters", ".", "\\", "@", "resolveProvider", 0,
        "signatureHelpProvider", "triggerCharacters", " ", ",", "semanticTokensProvider", "legend",
        "tokenTypes", fh_lsp_token_types(), "tokenModifiers", "full", 1, "serverInfo", "name",
        "fhec", "version", FHEC_VERSION);
}

/* ---------------------------------------------------------------- notifications */

static void did_open(struct fh_lsp *lsp, const json_t *params) {
    const json_t *document = json_object_get(params, "textDocument");
    const char *uri = json_string_value(json_object_get(document, "uri"));
    const json_t *text = json_object_get(document, "text");
    if (uri && json_is_string(text))
        (void)fh_lsp_set_text(lsp, uri, json_integer_value(json_object_get(document, "version")),
                              json_string_value(text), json_string_length(text));
}

/* A text that changes piece by piece, before it is looked at. */
struct edited {
    char *text;
    size_t length;
};

static bool edit(struct edited *e, const json_t *change) {
    const json_t *text = json_object_get(change, "text"), *range = json_object_get(change, "range");
    const char *with = json_string_value(text);
    size_t more = json_string_length(text), begin = 0, end = e->length;
    struct fh_text_position start, stop;
    struct fh_text_map map;
    if (!with)
        return false;
    if (range) {
        if (!fh_lsp_read_position(json_object_get(range, "start"), &start) ||
            !fh_lsp_read_position(json_object_get(range, "end"), &stop) ||
            !fh_text_map_make(&map, e->text, e->length))
            return false;
        begin = fh_text_offset_of(&map, start);
        end = fh_text_offset_of(&map, stop);
        fh_text_map_free(&map);
        if (end < begin)
            return false;
    }
    char *whole = malloc(e->length - (end - begin) + more + 1);
    if (!whole)
        return false;
    memcpy(whole, e->text, begin);
    memcpy(whole + begin, with, more);
    memcpy(whole + begin + more, e->text + end, e->length - end);
    free(e->text);
    *e = (struct edited){whole, e->length - (end - begin) + more};
    return true;
}

static void did_change(struct fh_lsp *lsp, const json_t *params) {
    struct fh_lsp_error error;
    const struct fh_lsp_document *document = fh_lsp_document_of(lsp, params, &error);
    const json_t *identifier = json_object_get(params, "textDocument");
    const json_t *version = json_object_get(identifier, "version"), *change;
    struct edited e = {0};
    size_t i;
    if (!document)
        return;
    e.length = document->file->length;
    e.text = malloc(e.length + 1);
    if (!e.text)
        return;
    memcpy(e.text, document->file->text, e.length);
    json_array_foreach(json_object_get(params, "contentChanges"), i, change) {
        if (!edit(&e, change))
            break; /* what follows is about a text that is not there */
    }
    (void)fh_lsp_set_text(lsp, document->uri,
                          json_is_integer(version) ? json_integer_value(version)
                                                   : document->version,
                          e.text, e.length);
    free(e.text);
}

static void did_close(struct fh_lsp *lsp, const json_t *params) {
    const char *uri =
        json_string_value(json_object_get(json_object_get(params, "textDocument"), "uri"));
    if (uri)
        fh_lsp_close(lsp, uri);
}

/* A file on the disk may be another one now. */
static void did_save(struct fh_lsp *lsp, const json_t *params) {
    (void)params;
    lsp->changed = true;
}

static void notified(struct server *s, const char *method, const json_t *params) {
    static const struct {
        const char *method;
        void (*act)(struct fh_lsp *lsp, const json_t *params);
    } table[] = {
        {"textDocument/didOpen", did_open},
        {"textDocument/didChange", did_change},
        {"textDocument/didClose", did_close},
        {"textDocument/didSave", did_save},
        {"workspace/didChangeWatchedFiles", did_save},
    };
    if (!strcmp(method, "exit"))
        s->ended = true;
    for (size_t i = 0; s->initialized && !s->shut_down && i < sizeof table / sizeof *table; i++)
        if (!strcmp(method, table[i].method))
            table[i].act(s->lsp, params);
}

/* ---------------------------------------------------------------- requests */

static const struct {
    const char *method;
    fh_lsp_handler *handle;
} requests[] = {
    {"textDocument/completion", fh_lsp_completion},
    {"textDocument/definition", fh_lsp_definition},
    {"textDocument/documentHighlight", fh_lsp_highlight},
    {"textDocument/documentSymbol", fh_lsp_symbols},
    {"textDocument/foldingRange", fh_lsp_folding},
    {"textDocument/formatting", fh_lsp_formatting},
    {"textDocument/hover", fh_lsp_hover},
    {"textDocument/inlayHint", fh_lsp_inlay_hints},
    {"textDocument/prepareRename", fh_lsp_prepare_rename},
    {"textDocument/rangeFormatting", fh_lsp_range_formatting},
    {"textDocument/references", fh_lsp_references},
    {"textDocument/rename", fh_lsp_rename},
    {"textDocument/semanticTokens/full", fh_lsp_semantic_tokens},
    {"textDocument/signatureHelp", fh_lsp_signature},
};

/* Adds the strings of a list to `strings`, which stays as it is without memory. */
static void add_strings(const char ***strings, size_t *count, const json_t *list) {
    const json_t *string;
    size_t i;
    json_array_foreach(list, i, string) {
        const char **more =
            json_is_string(string) ? fh_cli_more(*strings, *count, sizeof *more) : NULL;
        if (!more)
            continue;
        *strings = more;
        more[(*count)++] = json_string_value(string);
    }
}

/* What the client's own settings say, beside the options of the command. */
static void take_settings(struct fh_lsp *lsp, const json_t *params) {
    lsp->settings = json_incref(json_object_get(params, "initializationOptions"));
    add_strings(&lsp->include_dirs, &lsp->include_count, json_object_get(lsp->settings, "include"));
    add_strings(&lsp->defines, &lsp->define_count, json_object_get(lsp->settings, "define"));
}

static json_t *answer(struct server *s, const char *method, const json_t *params,
                      struct fh_lsp_error *error) {
    if (!strcmp(method, "initialize")) {
        if (s->initialized) {
            *error = (struct fh_lsp_error){FH_LSP_INVALID_REQUEST, "initialized already"};
            return NULL;
        }
        s->initialized = true;
        take_settings(s->lsp, params);
        return capabilities();
    }
    if (!s->initialized) {
        *error = (struct fh_lsp_error){FH_LSP_NOT_INITIALIZED, "initialize comes first"};
        return NULL;
    }
    if (s->shut_down) {
        *error =
            (struct fh_lsp_error){FH_LSP_INVALID_REQUEST, "after shutdown only exit may follow"};
        return NULL;
    }
    if (!strcmp(method, "shutdown")) {
        s->shut_down = true;
        return json_null();
    }
    for (size_t i = 0; i < sizeof requests / sizeof *requests; i++)
        if (!strcmp(method, requests[i].method))
            return requests[i].handle(s->lsp, params, error);
    *error = (struct fh_lsp_error){FH_LSP_NO_METHOD, "fhec has no such method"};
    return NULL;
}

static void requested(struct server *s, const json_t *id, const char *method,
                      const json_t *params) {
    struct fh_lsp_error error = {0};
    json_t *result = answer(s, method, params, &error);
    if (result)
        send(s, json_pack("{s:s, s:O, s:o}", "jsonrpc", "2.0", "id", id, "result", result));
    else
        send_error(s, id, error.code ? error.code : FH_LSP_INTERNAL_ERROR,
                   error.message ? error.message : "no memory");
}

static void take(struct server *s, const json_t *message, bool cancelled) {
    const json_t *id = json_object_get(message, "id"), *params = json_object_get(message, "params");
    const char *method = json_string_value(json_object_get(message, "method"));
    bool answers = json_object_get(message, "result") || json_object_get(message, "error");
    if (id && !json_is_string(id) && !json_is_integer(id))
        send_error(s, NULL, FH_LSP_INVALID_REQUEST, "an id is a string or a whole number");
    else if (!method && !answers)
        send_error(s, id, FH_LSP_INVALID_REQUEST, "a message without a method");
    else if (method && id && cancelled)
        send_error(s, id, FH_LSP_CANCELLED, "cancelled");
    else if (method && id)
        requested(s, id, method, params);
    else if (method)
        notified(s, method, params);
}

/* ---------------------------------------------------------------- the stream */

/* Marks the waiting request that a message cancels; false: the message is something else. */
static bool cancels(struct server *s, const json_t *message) {
    const char *method = json_string_value(json_object_get(message, "method"));
    const json_t *id = json_object_get(json_object_get(message, "params"), "id");
    if (!method || strcmp(method, "$/cancelRequest") != 0)
        return false;
    for (size_t i = 0; i < s->count; i++)
        if (id && json_equal(json_object_get(s->waiting[i], "id"), id))
            s->cancelled[i] = true;
    return true;
}

static bool can_read(const struct server *s) {
    return !s->ended && (s->result == FH_MESSAGE_OK || s->result == FH_MESSAGE_BAD);
}

/* Reads one message, which may not be there yet. */
static void read_one(struct server *s) {
    json_t *message;
    s->result = fh_message_read(&s->reader, &message);
    if (!can_read(s))
        return;
    if (message && cancels(s, message)) {
        json_decref(message);
        return;
    }
    s->cancelled[s->count] = false;
    s->waiting[s->count++] = message;
}

/* Whether reading would find something at once. */
static bool more_is_there(const struct server *s) {
    struct pollfd entry = {.fd = s->reader.file, .events = POLLIN};
    return s->reader.count > 0 || poll(&entry, 1, 0) > 0;
}

static void take_first(struct server *s) {
    json_t *message = s->waiting[0];
    bool cancelled = s->cancelled[0];
    s->count--;
    memmove(s->waiting, s->waiting + 1, s->count * sizeof *s->waiting);
    memmove(s->cancelled, s->cancelled + 1, s->count * sizeof *s->cancelled);
    s->lsp->message++;
    if (message)
        take(s, message, cancelled);
    else
        send_error(s, NULL, FH_LSP_PARSE_ERROR, "the message is no JSON object");
    json_decref(message);
}

fhec_status fh_lsp_serve(struct fh_lsp *lsp, int from, int to) {
    struct server *s = calloc(1, sizeof *s);
    if (!s)
        return fh_cli_no_memory(lsp->cli);
    s->lsp = lsp;
    lsp->to = to;
    fh_message_reader_begin(&s->reader, from);
    while (!s->ended && (s->count || can_read(s))) {
        while (can_read(s) && s->count < MAX_WAITING && (!s->count || more_is_there(s))) {
            if (!s->count && lsp->changed && !more_is_there(s)) {
                lsp->message++;
                fh_lsp_publish(lsp);
            }
            read_one(s);
        }
        if (s->count)
            take_first(s);
    }
    if (lsp->changed && !s->shut_down && s->result == FH_MESSAGE_END)
        fh_lsp_publish(lsp); /* a client that only writes */
    while (s->count)
        json_decref(s->waiting[--s->count]);
    fhec_status status = s->shut_down ? FHEC_OK : FHEC_DIFFERS;
    if (s->lost)
        status = fh_cli_error(lsp->cli, FHEC_HOST_ERROR, "cannot write to the client: %s",
                              strerror(s->lost));
    else if (s->result == FH_MESSAGE_BROKEN)
        status = fh_cli_error(lsp->cli, FHEC_BAD_INPUT, "%s", s->reader.why);
    fh_message_reader_end(&s->reader);
    free(s);
    return status;
}

/*
 * lsp_diagnostics.c - what is wrong with the open documents: each that no other one includes is
 * assembled, as `fhec as` would do it, and checked, as `fhec lint` would. What is found stands in
 * the file that it is about, with the calls of macros that led there.
 */
#include <stdlib.h>
#include <string.h>

#include "arrays.h"
#include "lsp_files.h"
#include "lsp_json.h"
#include "lsp_program.h"
#include "message_stream.h"

/* The diagnostics of a run, by path. */
struct findings {
    struct fh_lsp *lsp;
    struct fh_lsp_program *program;
    json_t *by_path;
    bool failed;
};

/* The bytes of a location in its file: lines end with LF alone, columns count bytes behind a mark
 * of the byte order. */
static void bytes_of(const struct fh_source_file *file, const fhec_location *at, size_t *begin,
                     size_t *end) {
    const char *text = file->text, *stop = text + file->length;
    bool marked = file->length >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0;
    const char *line = text + (marked ? 3 : 0);
    for (uint32_t i = 1; i < at->line && line < stop; i++) {
        const char *newline = memchr(line, '\n', (size_t)(stop - line));
        line = newline ? newline + 1 : stop;
    }
    size_t from = (size_t)(line - text) + (at->column ? at->column - 1 : 0);
    *begin = from < file->length ? from : file->length;
    *end = at->length < file->length - *begin ? *begin + at->length : file->length;
}

static json_t *location_of(struct fh_lsp *lsp, const struct fh_source_file *file,
                           const fhec_location *at) {
    size_t begin, end;
    bytes_of(file, at, &begin, &end);
    return fh_lsp_location(lsp, file, begin, end);
}

/* The macros, repetitions and includes that led there, innermost first. */
static json_t *related(struct findings *f, const fhec_diagnostic *d) {
    json_t *list = json_array();
    for (size_t i = 0; i < d->expansion_count && list; i++) {
        const fhec_expansion *step = &d->expansions[i];
        const struct fh_source_file *file =
            step->at.file ? fh_lsp_program_file(f->program, step->at.file) : NULL;
        char text[200];
        if (!file)
            continue;
        (void)fhec_format_expansion(step, text, sizeof text);
        f->failed |=
            json_array_append_new(list, json_pack("{s:o, s:o}", "location",
                                                  location_of(f->lsp, file, &step->at), "message",
                                                  fh_lsp_string(text, strlen(text)))) != 0;
    }
    return list;
}

/* The message with its notes, a line each. */
static json_t *message_of(const fhec_diagnostic *d) {
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    json_t *message = NULL;
    if (out) {
        fputs(d->message, out);
        for (size_t i = 0; i < d->note_count; i++)
            fprintf(out, "\n%s", d->notes[i]);
    }
    if (out && fclose(out) == 0)
        message = fh_lsp_string(text, size);
    free(text);
    return message;
}

static void found(void *user, const fhec_diagnostic *d) {
    enum { ERROR = 1, WARNING, INFORMATION };
    struct findings *f = user;
    const struct fh_source_file *file =
        fh_lsp_program_file(f->program, d->at.file ? d->at.file : f->program->path);
    size_t begin = 0, end = 0;
    if (!file)
        return;
    if (d->at.file && d->at.line)
        bytes_of(file, &d->at, &begin, &end);
    json_t *list = json_object_get(f->by_path, file->path);
    if (!list) {
        list = json_array();
        f->failed |= json_object_set_new(f->by_path, file->path, list) != 0;
    }
    json_t *diagnostic = json_pack("{s:o, s:i, s:s, s:s, s:o, s:o}", "range",
                                   fh_lsp_range(file, begin, end), "severity",
                                   d->severity == FHEC_ERROR     ? ERROR
                                   : d->severity == FHEC_WARNING ? WARNING
                                                                 : INFORMATION,
                                   "code", d->id, "source", "fhec", "message", message_of(d),
                                   "relatedInformation", related(f, d));
    f->failed |= json_array_append_new(list, diagnostic) != 0;
}

static void look_at(struct fh_lsp *lsp, const struct fh_lsp_document *document, json_t *by_path) {
    struct fh_lsp_program program;
    struct findings f = {.lsp = lsp, .program = &program, .by_path = by_path};
    fh_lsp_program_begin(&program, lsp, document->file);
    if (fh_lsp_assemble(&program, found, &f) == FHEC_OK) {
        (void)fhec_lint(program.program, found, &f);
        for (size_t i = 0; i < fhec_kernel_count(program.program); i++)
            (void)fhec_kernel_check(program.program, i, found, &f);
    }
    fh_lsp_program_end(&program);
}

/* ---------------------------------------------------------------- sending */

static void send(struct fh_lsp *lsp, const char *path, json_t *diagnostics) {
    char *uri = fh_lsp_uri(lsp, path);
    const struct fh_lsp_document *document = uri ? fh_lsp_find_document(lsp, uri) : NULL;
    json_t *params = uri ? json_pack("{s:o, s:O}", "uri", fh_lsp_string(uri, strlen(uri)),
                                     "diagnostics", diagnostics)
                         : NULL;
    if (params && document)
        (void)json_object_set_new(params, "version", json_integer(document->version));
    json_t *message = params ? json_pack("{s:s, s:s, s:o}", "jsonrpc", "2.0", "method",
                                         "textDocument/publishDiagnostics", "params", params)
                             : NULL;
    if (message)
        (void)fh_message_write(lsp->to, message);
    json_decref(message);
    free(uri);
}

static bool is_open(const struct fh_lsp *lsp, const char *path) {
    for (size_t i = 0; i < lsp->document_count; i++)
        if (!strcmp(lsp->documents[i].file->path, path))
            return true;
    return false;
}

void fh_lsp_publish(struct fh_lsp *lsp) {
    json_t *by_path = json_object(), *nothing = json_array(), *list;
    const char *path;
    lsp->changed = false;
    for (size_t i = 0; i < lsp->document_count && by_path; i++)
        if (!fh_lsp_is_included(lsp, &lsp->documents[i]))
            look_at(lsp, &lsp->documents[i], by_path);
    for (size_t i = 0; i < lsp->document_count && by_path && nothing; i++)
        if (!json_object_get(by_path, lsp->documents[i].file->path))
            (void)json_object_set_new(by_path, lsp->documents[i].file->path, json_array());
    json_object_foreach(lsp->published, path, list) { /* of files that nobody includes any more */
        if (nothing && !json_object_get(by_path, path))
            send(lsp, path, nothing);
    }
    for (int open = 0; open < 2; open++) { /* those of the documents come last */
        json_object_foreach(by_path, path, list) {
            if (is_open(lsp, path) == open)
                send(lsp, path, list);
        }
    }
    json_decref(nothing);
    json_decref(lsp->published);
    lsp->published = by_path;
}

/* lsp_json.c - see lsp_json.h. */
#include <stdlib.h>
#include <string.h>

#include "lsp_files.h"
#include "lsp_json.h"

static json_t *position(const struct fh_source_file *file, size_t offset) {
    struct fh_text_position p = fh_text_position_of(&file->map, offset);
    return json_pack("{s:I, s:I}", "line", (json_int_t)p.line, "character",
                     (json_int_t)p.character);
}

json_t *fh_lsp_range(const struct fh_source_file *file, size_t begin, size_t end) {
    return json_pack("{s:o, s:o}", "start", position(file, begin), "end", position(file, end));
}

json_t *fh_lsp_location(struct fh_lsp *lsp, const struct fh_source_file *file, size_t begin,
                        size_t end) {
    char *uri = fh_lsp_uri(lsp, file->path);
    json_t *location = uri ? json_pack("{s:o, s:o}", "uri", fh_lsp_string(uri, strlen(uri)),
                                       "range", fh_lsp_range(file, begin, end))
                           : NULL;
    free(uri);
    return location;
}

json_t *fh_lsp_string(const char *text, size_t length) {
    json_t *string = json_stringn(text, length);
    if (string)
        return string;
    char *clean = malloc(length + 1);
    for (size_t i = 0; clean && i < length; i++)
        clean[i] = (unsigned char)text[i] < 0x80 ? text[i] : '?';
    string = clean ? json_stringn(clean, length) : NULL;
    free(clean);
    return string;
}

static bool read_number(const json_t *value, uint32_t *number) {
    json_int_t n = json_integer_value(value);
    if (!json_is_integer(value) || n < 0)
        return false;
    *number = n > UINT32_MAX ? UINT32_MAX : (uint32_t)n;
    return true;
}

bool fh_lsp_read_position(const json_t *position, struct fh_text_position *read) {
    return read_number(json_object_get(position, "line"), &read->line) &&
           read_number(json_object_get(position, "character"), &read->character);
}

struct fh_lsp_document *fh_lsp_document_of(struct fh_lsp *lsp, const json_t *params,
                                           struct fh_lsp_error *error) {
    const char *uri =
        json_string_value(json_object_get(json_object_get(params, "textDocument"), "uri"));
    struct fh_lsp_document *document = uri ? fh_lsp_find_document(lsp, uri) : NULL;
    if (!document)
        *error = (struct fh_lsp_error){FH_LSP_INVALID_PARAMS, uri ? "this document is not open"
                                                                  : "textDocument.uri is missing"};
    return document;
}

bool fh_lsp_place_of(struct fh_lsp *lsp, const json_t *params, struct fh_lsp_place *place,
                     struct fh_lsp_error *error) {
    struct fh_lsp_document *document = fh_lsp_document_of(lsp, params, error);
    struct fh_text_position at;
    *place = (struct fh_lsp_place){0};
    if (!document)
        return false;
    if (!fh_lsp_read_position(json_object_get(params, "position"), &at)) {
        *error = (struct fh_lsp_error){FH_LSP_INVALID_PARAMS, "position is missing"};
        return false;
    }
    if (!fh_lsp_set_of(lsp, document, &place->set)) {
        *error = (struct fh_lsp_error){FH_LSP_INTERNAL_ERROR, "no memory"};
        return false;
    }
    place->file = place->set.files[0];
    place->offset = fh_text_offset_of(&place->file->map, at);
    return true;
}

void fh_lsp_place_free(struct fh_lsp_place *place) {
    free((void *)place->set.files);
    *place = (struct fh_lsp_place){0};
}

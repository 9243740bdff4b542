/*
 * lsp_json.h - positions, ranges and locations as the protocol has them.
 */
#ifndef FH_CLI_LSP_JSON_H
#define FH_CLI_LSP_JSON_H

#include "lsp.h"

/* All of them give NULL when there is no memory, which json_pack and its like take as a failure. */
json_t *fh_lsp_range(const struct fh_source_file *file, size_t begin, size_t end);
json_t *fh_lsp_location(struct fh_lsp *lsp, const struct fh_source_file *file, size_t begin,
                        size_t end);
/* A string of any bytes: what is no UTF-8 becomes the sign for that. */
json_t *fh_lsp_string(const char *text, size_t length);

/* False: it is none. */
bool fh_lsp_read_position(const json_t *position, struct fh_text_position *read);
/* The document that params.textDocument.uri names; NULL with *error set: it is not open. */
struct fh_lsp_document *fh_lsp_document_of(struct fh_lsp *lsp, const json_t *params,
                                           struct fh_lsp_error *error);

/* Where a request is about: params.position in a document. */
struct fh_lsp_place {
    struct fh_source_set set; /* of the document, which is its first file */
    const struct fh_source_file *file;
    size_t offset;
};
/* False with *error set; then there is nothing to free. */
bool fh_lsp_place_of(struct fh_lsp *lsp, const json_t *params, struct fh_lsp_place *place,
                     struct fh_lsp_error *error);
void fh_lsp_place_free(struct fh_lsp_place *place);

#endif

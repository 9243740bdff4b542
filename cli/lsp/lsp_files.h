/*
 * lsp_files.h - the documents that a client has open, and the files that they include: of those
 * that are open the client's text counts, of others what is on the disk.
 */
#ifndef FH_CLI_LSP_FILES_H
#define FH_CLI_LSP_FILES_H

#include "lsp.h"

struct fh_lsp_document {
    char *uri; /* as the client writes it */
    json_int_t version;
    struct fh_source_file *file; /* with the path, or the URI if it names no file */
};

/* NULL: it is not open. */
struct fh_lsp_document *fh_lsp_find_document(struct fh_lsp *lsp, const char *uri);
/* Opens a document or gives it another text. False when there is no memory. */
bool fh_lsp_set_text(struct fh_lsp *lsp, const char *uri, json_int_t version, const char *text,
                     size_t length);
void fh_lsp_close(struct fh_lsp *lsp, const char *uri);
void fh_lsp_files_free(struct fh_lsp *lsp);

/* The URI of a path: the client's own if it has the file open. malloc'd; NULL without memory. */
char *fh_lsp_uri(struct fh_lsp *lsp, const char *path);
/* The file that `name` includes from the file at `from`; it stays the server's, until the next
 * call at least that reads a file. NULL: there is none, or it cannot be read. */
struct fh_source_file *fh_lsp_included(struct fh_lsp *lsp, const char *name, const char *from);
/* The document, all that it includes, and all open documents that include it, with theirs; the
 * document comes first. The list is the caller's to free. False when there is no memory. */
bool fh_lsp_set_of(struct fh_lsp *lsp, const struct fh_lsp_document *document,
                   struct fh_source_set *set);
/* Whether another open document includes this one, and not the other way round as well: it is no
 * source of its own then. */
bool fh_lsp_is_included(struct fh_lsp *lsp, const struct fh_lsp_document *document);

#endif

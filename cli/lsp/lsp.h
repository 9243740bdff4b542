/*
 * lsp.h - the language server: what its parts share. lsp_server.c reads messages and answers them,
 * each handler makes the answer to one method; what a source means is in editor/.
 */
#ifndef FH_CLI_LSP_H
#define FH_CLI_LSP_H

#include <jansson.h>

#include "cli.h"
#include "name_search.h"

struct fh_lsp_document;
struct fh_lsp_disk_file;

struct fh_lsp {
    struct fh_cli *cli;
    const char **include_dirs;
    size_t include_count;
    const char **defines;
    size_t define_count;
    json_t *settings; /* initializationOptions: more of both are in it; NULL: none */
    int to;           /* descriptor that messages are written to */
    struct fh_lsp_document *documents; /* that are open */
    size_t document_count;
    struct fh_lsp_disk_file *disk; /* that were included */
    size_t disk_count;
    uint64_t message;  /* how many were read */
    json_t *published; /* paths with diagnostics that the client has */
    bool changed;      /* a document has, since diagnostics were published */
};

/* Of JSON-RPC and the protocol. */
enum {
    FH_LSP_PARSE_ERROR = -32700,
    FH_LSP_INVALID_REQUEST = -32600,
    FH_LSP_NO_METHOD = -32601,
    FH_LSP_INVALID_PARAMS = -32602,
    FH_LSP_INTERNAL_ERROR = -32603,
    FH_LSP_NOT_INITIALIZED = -32002,
    FH_LSP_REQUEST_FAILED = -32803,
    FH_LSP_CANCELLED = -32800,
};

struct fh_lsp_error {
    int code; /* 0: none */
    const char *message;
};

/* The result, which is the caller's; NULL with *error set. `params` may be anything, NULL too. */
typedef json_t *fh_lsp_handler(struct fh_lsp *lsp, const json_t *params,
                               struct fh_lsp_error *error);
fh_lsp_handler fh_lsp_definition, fh_lsp_references, fh_lsp_highlight, fh_lsp_prepare_rename,
    fh_lsp_rename;
fh_lsp_handler fh_lsp_hover, fh_lsp_completion, fh_lsp_signature;
fh_lsp_handler fh_lsp_formatting, fh_lsp_range_formatting, fh_lsp_folding, fh_lsp_symbols,
    fh_lsp_semantic_tokens;
fh_lsp_handler fh_lsp_inlay_hints;

/* Sends diagnostics of all open documents and what they include, where they have changed. */
void fh_lsp_publish(struct fh_lsp *lsp);
/* The types of semantic tokens, in the order of their numbers. */
json_t *fh_lsp_token_types(void);

#endif

/*
 * lsp_help.h - what is known of the words at a place: the statement around it, and what the
 * instruction set says.
 */
#ifndef FH_CLI_LSP_HELP_H
#define FH_CLI_LSP_HELP_H

#include <stdio.h>

#include "lsp_json.h"

/* The statement before a place, up to it. */
struct fh_lsp_statement {
    const struct fh_source_token *head; /* mnemonic, macro or directive; NULL: none yet */
    bool guard;                         /* the place is in the guard */
    unsigned commas;                    /* behind the head, outside of brackets */
};
void fh_lsp_statement_before(const struct fh_source_file *file, size_t offset,
                             struct fh_lsp_statement *statement);
/* The token that the byte at `offset` belongs to, or the one before it; NULL: none. */
const struct fh_source_token *fh_lsp_token_at(const struct fh_source_file *file, size_t offset);
/* The innermost block around an offset. */
uint32_t fh_lsp_block_at(const struct fh_source_file *file, size_t offset);
/* A macro of that name; NULL: there is none. *file is where. */
const struct fh_name *fh_lsp_macro(const struct fh_source_set *set, const char *name, size_t length,
                                   const struct fh_source_file **file);

/* Writes the pages of the book about a mnemonic, or of those that it begins, up to `most` of them.
 * Returns how many. */
unsigned fh_lsp_pages(FILE *to, const char *mnemonic, size_t length, unsigned most);

#endif

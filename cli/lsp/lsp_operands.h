/*
 * lsp_operands.h - which operand of an instruction a place is in, and what the book says of it.
 */
#ifndef FH_CLI_LSP_OPERANDS_H
#define FH_CLI_LSP_OPERANDS_H

#include <stdio.h>

#include "name_search.h"

/* Writes what is known of the operand at `offset`, in the statement with that mnemonic: its name,
 * what it may be, and how the instruction is written. Nothing for what is no instruction. */
void fh_lsp_write_operand(FILE *to, const struct fh_source_file *file,
                          const struct fh_source_token *mnemonic, size_t offset);
/* The page about a mnemonic, or the first of those that it begins, or that of the longest part of
 * it that has one. NULL: there is none. */
const char *fh_lsp_page(const char *mnemonic, size_t length);
/* The line of a page that shows how the instruction is written; its length. */
size_t fh_lsp_syntax(const char *page, const char **syntax);

#endif

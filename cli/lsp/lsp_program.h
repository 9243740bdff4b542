/*
 * lsp_program.h - a document as the assembler sees it: includes come from the documents that are
 * open, or from the disk.
 */
#ifndef FH_CLI_LSP_PROGRAM_H
#define FH_CLI_LSP_PROGRAM_H

#include "lsp.h"

struct fh_lsp_program_text; /* a file under the name that the assembler knows */

struct fh_lsp_program {
    struct fh_lsp *lsp;
    const char *path; /* of the document */
    const struct fh_source_file *file;
    struct fh_lsp_program_text *texts;
    size_t text_count;
    fhec_program *program; /* NULL: not assembled, or in vain */
    fhec_diagnostic_fn *diagnostic;
    void *user;
};

void fh_lsp_program_begin(struct fh_lsp_program *program, struct fh_lsp *lsp,
                          const struct fh_source_file *file);
/* `diagnostic` may be NULL. */
fhec_status fh_lsp_assemble(struct fh_lsp_program *program, fhec_diagnostic_fn *diagnostic,
                            void *user);
/* The file that a location names; NULL: it is none of the client's or the disk. */
const struct fh_source_file *fh_lsp_program_file(const struct fh_lsp_program *program,
                                                 const char *name);
void fh_lsp_program_end(struct fh_lsp_program *program);

#endif

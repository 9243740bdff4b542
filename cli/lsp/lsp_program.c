/* lsp_program.c - see lsp_program.h. */
#include <stdlib.h>
#include <string.h>

#include "arrays.h"
#include "lsp_files.h"
#include "lsp_program.h"

struct fh_lsp_program_text {
    char *name;
    const struct fh_source_file *file;
};

static bool keep(struct fh_lsp_program *p, const char *name, const struct fh_source_file *file) {
    if (fh_lsp_program_file(p, name))
        return true;
    struct fh_lsp_program_text *more = fh_cli_more(p->texts, p->text_count, sizeof *more);
    char *copy = strdup(name);
    p->texts = more ? more : p->texts;
    if (!more || !copy) {
        free(copy);
        return false;
    }
    p->texts[p->text_count++] = (struct fh_lsp_program_text){copy, file};
    return true;
}

void fh_lsp_program_begin(struct fh_lsp_program *program, struct fh_lsp *lsp,
                          const struct fh_source_file *file) {
    *program = (struct fh_lsp_program){.lsp = lsp, .path = file->path, .file = file};
    (void)keep(program, file->path, file);
}

const struct fh_source_file *fh_lsp_program_file(const struct fh_lsp_program *program,
                                                 const char *name) {
    for (size_t i = 0; i < program->text_count; i++)
        if (!strcmp(program->texts[i].name, name))
            return program->texts[i].file;
    return NULL;
}

static fhec_status include(void *user, const char *name, const char *from, char **text,
                           size_t *length) {
    struct fh_lsp_program *p = user;
    const struct fh_source_file *by = from ? fh_lsp_program_file(p, from) : p->file;
    const struct fh_source_file *file = fh_lsp_included(p->lsp, name, by ? by->path : p->path);
    if (!file)
        return FHEC_BAD_INPUT;
    *text = malloc(file->length + 1);
    if (!*text || !keep(p, name, file)) {
        free(*text);
        *text = NULL;
        return FHEC_HOST_ERROR;
    }
    memcpy(*text, file->text, file->length);
    *length = file->length;
    return FHEC_OK;
}

static void tell(void *user, const fhec_diagnostic *d) {
    const struct fh_lsp_program *p = user;
    if (p->diagnostic)
        p->diagnostic(p->user, d);
}

fhec_status fh_lsp_assemble(struct fh_lsp_program *program, fhec_diagnostic_fn *diagnostic,
                            void *user) {
    const fhec_assemble_options options = {
        .diagnostic = tell,
        .include = include,
        .user = program,
        .defines = program->lsp->defines,
        .define_count = program->lsp->define_count,
    };
    program->diagnostic = diagnostic;
    program->user = user;
    return fhec_assemble(program->path, program->file->text, program->file->length, &options,
                         &program->program);
}

void fh_lsp_program_end(struct fh_lsp_program *program) {
    for (size_t i = 0; i < program->text_count; i++)
        free(program->texts[i].name);
    free(program->texts);
    fhec_program_free(program->program);
    *program = (struct fh_lsp_program){0};
}

/*
 * cuda_replace.c - see cuda_replace.h.
 */
#include "cuda_replace.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "message.h"
#include "program_file.h"

struct fh_cli_cuda_replaced {
    const char *kernel; /* of the program */
    const char *path;
    fhec_program *program;
    size_t index; /* of the kernel in it */
    bool used, refused;
};

/* The kernel that the options name in the file, or its only one. */
static fhec_status choose(const struct fh_cli *cli, struct fh_cli_cuda_replaced *r,
                          const char *name) {
    if (name)
        return fhec_kernel_find(r->program, name, &r->index) == FHEC_OK
                   ? FHEC_OK
                   : fh_cli_error(cli, FHEC_BAD_INPUT, "--replace: %s has no kernel \"%s\"",
                                  r->path, name);
    if (fhec_kernel_count(r->program) != 1)
        return fh_cli_error(cli, FHEC_BAD_INPUT,
                            "--replace: %s has %zu kernels; name one: %s=%s:NAME", r->path,
                            fhec_kernel_count(r->program), r->kernel, r->path);
    return FHEC_OK;
}

void fh_cli_cuda_replacements_begin(struct fh_cli_cuda_replacements *all, struct fh_cli *cli,
                                    const struct fh_cli_cuda_options *options) {
    all->cli = cli;
    all->count = options->replacement_count;
    all->list = calloc(all->count + 1, sizeof *all->list);
    fhec_status status = all->list ? FHEC_OK : fh_cli_no_memory(cli);
    for (size_t i = 0; i < all->count && status == FHEC_OK; i++) {
        struct fh_cli_cuda_replaced *r = &all->list[i];
        struct fh_cli_source source = {.path = options->replacements[i].path};
        r->kernel = options->replacements[i].kernel;
        r->path = options->replacements[i].path;
        status = fh_cli_load(cli, &source, &r->program);
        if (status == FHEC_OK)
            status = choose(cli, r, options->replacements[i].name);
        fh_cli_source_free(&source);
        cli->file = NULL;
    }
    if (status != FHEC_OK)
        _exit((int)status);
}

/* "reduce" stands for "_Z6reducePiS_": an identifier as compilers write it, behind its length. */
static bool is_name_of(const char *wanted, const char *kernel) {
    char mangled[300];
    if (strcmp(wanted, kernel) == 0)
        return true;
    const int length = snprintf(mangled, sizeof mangled, "%zu%s", strlen(wanted), wanted);
    if (length < 0 || (size_t)length >= sizeof mangled || strncmp(kernel, "_Z", 2) != 0)
        return false;
    const char *at = strstr(kernel, mangled);
    return at && (at[-1] < '0' || at[-1] > '9');
}

/* Why the kernel cannot take the place of the other one; NULL: it can. */
static const char *mismatch(const fhec_kernel_info *own, const fhec_kernel_info *other,
                            const fhec_launch *launch) {
    const uint32_t *bound = other->max_threads;
    if (own->param_count != other->param_count)
        return "it has another number of parameters";
    for (uint32_t i = 0; i < own->param_count; i++)
        if (own->params[i].size != other->params[i].size ||
            own->params[i].offset != other->params[i].offset)
            return "its parameters have other sizes";
    const uint64_t threads = (uint64_t)launch->block[0] * launch->block[1] * launch->block[2];
    if (bound[0] && threads > (uint64_t)bound[0] * bound[1] * bound[2])
        return "it is for fewer threads in a block";
    for (unsigned i = 0; other->required_threads[0] && i < 3; i++)
        if (launch->block[i] != other->required_threads[i])
            return "it is for blocks of other sides";
    return NULL;
}

void fh_cli_cuda_replace(struct fh_cli_cuda_replacements *all, fhec_launch *launch) {
    fhec_kernel_info own, other;
    fhec_kernel_get(launch->program, launch->kernel, &own);
    for (size_t i = 0; i < all->count; i++) {
        struct fh_cli_cuda_replaced *r = &all->list[i];
        if (!is_name_of(r->kernel, own.name))
            continue;
        fhec_kernel_get(r->program, r->index, &other);
        const char *why = mismatch(&own, &other, launch);
        if (why && !r->refused)
            fh_cli_note(all->cli, "%s is launched as it is, not %s of %s: %s", own.name, other.name,
                        r->path, why);
        r->refused |= why != NULL;
        if (why)
            continue;
        r->used = true;
        launch->program = r->program;
        launch->kernel = r->index;
        launch->param_bytes = other.param_bytes;
        return;
    }
}

void fh_cli_cuda_replacements_end(struct fh_cli_cuda_replacements *all) {
    for (size_t i = 0; i < all->count; i++)
        if (!all->list[i].used && !all->list[i].refused)
            fh_cli_note(all->cli, "no kernel \"%s\" was launched that could be replaced",
                        all->list[i].kernel);
}

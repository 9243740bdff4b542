/*
 * cuda_replace.c - see cuda_replace.h.
 */
#include "cuda_replace.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fhec_patch.h"
#include "message.h"
#include "program_file.h"

/* A __constant__ variable of the file and of the module: their numbers there. */
struct constant {
    size_t own, theirs;
    uint64_t bytes;
};

/* The file's program with the variables of one of the CUDA program's modules. */
struct bound {
    struct bound *next;
    const fhec_program *module;
    fhec_program *program;
    struct constant *constants;
    size_t constant_count;
    bool impossible; /* which has been said */
};

struct fh_cli_cuda_replaced {
    const char *kernel; /* of the program */
    const char *path;
    fhec_program *program; /* as it was first read */
    bool taken;            /* by the first module; others have it read again */
    size_t index;          /* of the kernel in it */
    struct bound *bound;
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

static fhec_status read_file(struct fh_cli *cli, struct fh_cli_cuda_replaced *r,
                             fhec_program **program) {
    struct fh_cli_source source = {.path = r->path};
    const fhec_status status = fh_cli_load(cli, &source, program);
    fh_cli_source_free(&source);
    cli->file = NULL;
    return status;
}

void fh_cli_cuda_replacements_begin(struct fh_cli_cuda_replacements *all, struct fh_cli *cli,
                                    const struct fh_cli_cuda_options *options) {
    all->cli = cli;
    all->count = options->replacement_count;
    all->list = calloc(all->count + 1, sizeof *all->list);
    fhec_status status = all->list ? FHEC_OK : fh_cli_no_memory(cli);
    for (size_t i = 0; i < all->count && status == FHEC_OK; i++) {
        struct fh_cli_cuda_replaced *r = &all->list[i];
        r->kernel = options->replacements[i].kernel;
        r->path = options->replacements[i].path;
        status = read_file(cli, r, &r->program);
        if (status == FHEC_OK)
            status = choose(cli, r, options->replacements[i].name);
    }
    if (status != FHEC_OK)
        _exit((int)status);
}

void fh_cli_cuda_replacements_attach(struct fh_cli_cuda_replacements *all, fhec_machine *machine) {
    all->machine = machine;
    for (size_t i = 0; i < all->count; i++)
        all->list[i].bound = NULL; /* modules are read anew; observers may know the programs */
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

/* ---------------------------------------------------------------- variables of both */

/* Why the file's index-th variable cannot be the module's of its name; NULL: it is, or there is
 * none. */
static const char *bind_variable(const struct fh_cli_cuda_replacements *all, struct bound *b,
                                 size_t index, const fhec_variable_info *own) {
    fhec_variable_info theirs;
    size_t of_module;
    uint64_t address;
    if (fhec_variable_find(b->module, own->name, &of_module) != FHEC_OK)
        return NULL;
    fhec_variable_get(b->module, of_module, &theirs);
    if (own->bytes != theirs.bytes)
        return "it has another size";
    if (own->constant != theirs.constant)
        return own->constant ? "it is constant here" : "it is constant there";
    if (own->constant) {
        b->constants[b->constant_count++] = (struct constant){index, of_module, own->bytes};
        return NULL;
    }
    if (fhec_variable_address(all->machine, b->module, of_module, &address) != FHEC_OK)
        return "there is no memory";
    return fhec_patch_variable(b->program, index, address) == FHEC_OK
               ? NULL
               : "addresses in it are not counted from its beginning";
}

static void bind_variables(const struct fh_cli_cuda_replacements *all,
                           const struct fh_cli_cuda_replaced *r, struct bound *b) {
    for (size_t i = 0; i < fhec_variable_count(b->program) && !b->impossible; i++) {
        fhec_variable_info own;
        fhec_variable_get(b->program, i, &own);
        const char *why = bind_variable(all, b, i, &own);
        if (why)
            fh_cli_note(all->cli, "%s is not replaced by %s: variable %s of both: %s", r->kernel,
                        r->path, own.name, why);
        b->impossible = why != NULL;
    }
}

static struct bound *bound_to(const struct fh_cli_cuda_replacements *all,
                              struct fh_cli_cuda_replaced *r, const fhec_program *module) {
    struct bound *b = r->bound;
    while (b && b->module != module)
        b = b->next;
    if (b)
        return b;
    b = calloc(1, sizeof *b);
    struct constant *constants = calloc(fhec_variable_count(r->program) + 1, sizeof *constants);
    if (!b || !constants)
        _exit((int)fh_cli_no_memory(all->cli));
    fhec_status status = FHEC_OK;
    if (r->taken)
        status = read_file(all->cli, r, &b->program);
    else
        b->program = r->program;
    if (status != FHEC_OK)
        _exit((int)status);
    r->taken = true;
    b->module = module;
    b->constants = constants;
    b->next = r->bound;
    r->bound = b;
    bind_variables(all, r, b);
    return b;
}

/* Only the host changes __constant__ variables, between launches: what the module's have goes to
 * the file's. */
static void carry_constants(const struct fh_cli_cuda_replacements *all, const struct bound *b) {
    for (size_t i = 0; i < b->constant_count; i++) {
        const struct constant *c = &b->constants[i];
        void *bytes = malloc((size_t)c->bytes + 1);
        if (!bytes ||
            fhec_variable_read(all->machine, b->module, c->theirs, 0, bytes, (size_t)c->bytes) !=
                FHEC_OK ||
            fhec_variable_write(all->machine, b->program, c->own, 0, bytes, (size_t)c->bytes) !=
                FHEC_OK)
            _exit((int)fh_cli_no_memory(all->cli));
        free(bytes);
    }
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
        const struct bound *b = bound_to(all, r, launch->program);
        r->refused |= b->impossible;
        if (b->impossible)
            continue;
        carry_constants(all, b);
        r->used = true;
        launch->program = b->program;
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

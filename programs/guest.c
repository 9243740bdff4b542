/*
 * guest.c - errors, kernels by name, memory of one run, launches.
 */
#include "guest.h"
#include "kernel_cache.h"
#include "room.h"
#include "sass_files.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_DEFINES = 32 };

/* ---------------------------------------------------------------- errors and memory */

fhec_status fh_fail(struct fh_error *error, fhec_status status, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(error->text, sizeof error->text, format, arguments);
    va_end(arguments);
    return status;
}

fhec_status fh_fail_memory(struct fh_error *error) {
    return fh_fail(error, FHEC_HOST_ERROR, "out of memory");
}

void *fh_table(size_t count, size_t size) {
    return fh_golden_zeros(count ? count : 1, size);
}

void fh_pack(const uint64_t *elements, size_t count, size_t word, void *words) {
    if (word == sizeof *elements)
        memcpy(words, elements, count * word);
    else
        for (size_t i = 0; i < count; i++)
            ((uint32_t *)words)[i] = (uint32_t)elements[i];
}

void fh_unpack(const void *words, size_t count, size_t word, uint64_t *elements) {
    if (word == sizeof *elements)
        memcpy(elements, words, count * word);
    else
        for (size_t i = 0; i < count; i++)
            elements[i] = ((const uint32_t *)words)[i];
}

/* The machine's own words for what it refused. */
static fhec_status machine_failed(struct fh_guest *guest, fhec_status status, const char *what) {
    const char *why = fhec_machine_error(guest->machine);
    return fh_fail(guest->error, status, "%s: %s", what,
                   why && *why                 ? why
                   : status == FHEC_HOST_ERROR ? "out of memory"
                                               : "the machine refused it");
}

/* ---------------------------------------------------------------- assembling */

static const struct fh_sass_file *find_file(const char *name) {
    for (size_t i = 0; i < fh_sass_file_count; i++)
        if (strcmp(fh_sass_files[i].name, name) == 0)
            return &fh_sass_files[i];
    return NULL;
}

/* A kernel includes other files of this folder, and constants that the planner has made. */
static fhec_status include_file(void *user, const char *name, const char *from, char **text,
                                size_t *length) {
    const struct fh_guest *guest = user;
    (void)from;
    const struct fh_sass_file *file = find_file(name);
    const char *content = file ? file->text : NULL;
    if (strcmp(name, "constants.sass") == 0)
        content = guest->constants;
    *text = NULL;
    *length = 0;
    if (!content)
        return FHEC_BAD_INPUT;
    size_t bytes = strlen(content);
    *text = malloc(bytes + 1);
    if (!*text)
        return FHEC_HOST_ERROR;
    memcpy(*text, content, bytes + 1);
    *length = bytes;
    return FHEC_OK;
}

/* Hands a diagnostic on, or keeps the first error's text. */
static void diagnose(void *user, const fhec_diagnostic *diagnostic) {
    struct fh_guest *guest = user;
    guest->diagnosed = true;
    if (guest->options->diagnostic)
        guest->options->diagnostic(guest->options->user, diagnostic);
    if (diagnostic->severity == FHEC_ERROR && !guest->error->text[0])
        fh_fail(guest->error, FHEC_BAD_INPUT, "%s:%u:%u: error[%s]: %s", diagnostic->at.file,
                diagnostic->at.line, diagnostic->at.column, diagnostic->id, diagnostic->message);
}

/* The kernel's definitions as the assembler takes them. */
struct definitions {
    char texts[MAX_DEFINES][48];
    const char *pointers[MAX_DEFINES];
    size_t count;
};

/* What the program follows from, to be freed. NULL without host memory. */
static char *key_of(const struct fh_guest *guest, const char *file,
                    const struct definitions *definitions) {
    const char *constants = guest->constants ? guest->constants : "";
    const size_t room =
        strlen(file) + MAX_DEFINES * (sizeof *definitions->texts + 1) + strlen(constants) + 8;
    char *key = malloc(room), *end = key;
    if (!key)
        return NULL;
    end += sprintf(end, "%s %d\n", file, guest->options->contracts);
    for (size_t i = 0; i < definitions->count; i++)
        end += sprintf(end, "%s\n", definitions->pointers[i]);
    strcpy(end, constants);
    return key;
}

static fhec_status assemble(struct fh_guest *guest, const struct fh_sass_file *source,
                            const struct definitions *definitions) {
    fhec_assemble_options options = {
        .diagnostic = diagnose,
        .include = include_file,
        .user = guest,
        .defines = definitions->pointers,
        .define_count = definitions->count,
        .no_contracts = !guest->options->contracts,
    };
    fhec_status status =
        fhec_assemble(source->name, source->text, source->length, &options, &guest->program);
    if (status == FHEC_OK && guest->options->edit)
        status = guest->options->edit(guest->options->edit_user, &guest->program);
    if (status != FHEC_OK && !guest->error->text[0])
        return fh_fail_memory(guest->error);
    return status;
}

/* The same by way of the cache. Programs about which something was said are assembled each time, so
 * that it is said each time. */
static fhec_status assemble_once(struct fh_guest *guest, const struct fh_sass_file *source,
                                 const struct definitions *definitions) {
    struct fh_kernel_cache *cache = guest->options->edit ? NULL : guest->options->kernels;
    char *key = cache ? key_of(guest, source->name, definitions) : NULL;
    fhec_status status = FHEC_OK;
    guest->diagnosed = false;
    guest->program = key ? fh_kernel_cache_take(cache, key) : NULL;
    guest->kept = guest->program != NULL;
    if (!guest->program)
        status = assemble(guest, source, definitions);
    if (!guest->kept && status == FHEC_OK && key && !guest->diagnosed)
        guest->kept = fh_kernel_cache_keep(cache, key, guest->program);
    free(key);
    return status;
}

fhec_status fh_guest_assemble(struct fh_guest *guest, const char *file,
                              const struct fh_define *defines, size_t count) {
    struct definitions definitions = {.count = count};
    const struct fh_sass_file *source = find_file(file);
    if (!source || count > MAX_DEFINES)
        return fh_fail(guest->error, FHEC_HOST_ERROR, "the library has no kernel file %s", file);
    for (size_t i = 0; i < count; i++) {
        snprintf(definitions.texts[i], sizeof *definitions.texts, "%s=%u", defines[i].name,
                 defines[i].value);
        definitions.pointers[i] = definitions.texts[i];
    }
    guest->error->text[0] = 0;
    guest->file = source->name;
    return assemble_once(guest, source, &definitions);
}

/* ---------------------------------------------------------------- memory and launches */

static fhec_status allocate(struct fh_guest *guest, const char *name, size_t bytes, unsigned flags,
                            uint64_t *address) {
    *address = 0;
    if (guest->buffer_count == FH_GUEST_BUFFERS)
        return fh_fail(guest->error, FHEC_HOST_ERROR, "too many buffers in one run");
    fhec_status status = fhec_alloc(guest->machine, name, bytes, flags, address);
    if (status != FHEC_OK)
        return machine_failed(guest, status, name);
    guest->buffers[guest->buffer_count++] = *address;
    return FHEC_OK;
}

fhec_status fh_guest_alloc(struct fh_guest *guest, const char *name, size_t bytes,
                           uint64_t *address) {
    return allocate(guest, name, bytes, 0, address);
}

fhec_status fh_guest_table(struct fh_guest *guest, const char *name, const void *data, size_t bytes,
                           uint64_t *address) {
    fhec_status status = allocate(guest, name, bytes, FHEC_MEM_READ_ONLY, address);
    return status == FHEC_OK ? fh_guest_write(guest, *address, data, bytes) : status;
}

fhec_status fh_guest_write(struct fh_guest *guest, uint64_t address, const void *data,
                           size_t bytes) {
    fhec_status status = fhec_write(guest->machine, address, data, bytes);
    return status == FHEC_OK ? status : machine_failed(guest, status, "data");
}

fhec_status fh_guest_read(struct fh_guest *guest, uint64_t address, void *data, size_t bytes) {
    if (guest->options->read)
        return guest->options->read(guest->options->read_user, address, data, bytes);
    fhec_status status = fhec_read(guest->machine, address, data, bytes);
    return status == FHEC_OK ? status : machine_failed(guest, status, "result");
}

fhec_status fh_guest_run(struct fh_guest *guest, const struct fh_guest_launch *launch) {
    fhec_launch l = {
        .program = guest->program,
        .grid = {launch->grid_x, launch->grid_y, launch->grid_z ? launch->grid_z : 1},
        .block = {launch->warps * FHEC_WARP_LANES, 1, 1},
        .params = launch->params,
        .param_bytes = launch->param_count * sizeof *launch->params,
        .max_steps = guest->options->max_steps,
    };
    fhec_status status = fhec_kernel_find(guest->program, launch->kernel, &l.kernel);
    if (status != FHEC_OK)
        return fh_fail(guest->error, FHEC_HOST_ERROR, "the library has no kernel %s",
                       launch->kernel);
    status = fhec_run(guest->machine, &l);
    if (status == FHEC_GUEST_FAULT) {
        const fhec_fault *fault = fhec_machine_fault(guest->machine);
        return fh_fail(guest->error, status, "kernel %s: %s", launch->kernel,
                       fault && fault->message ? fault->message : "guest fault");
    }
    if (status == FHEC_OK && guest->options->launched)
        guest->options->launched(guest->options->launched_user, guest->file, launch->kernel);
    return status == FHEC_OK ? status : machine_failed(guest, status, launch->kernel);
}

void fh_guest_end(struct fh_guest *guest) {
    while (guest->buffer_count)
        (void)fhec_release(guest->machine, guest->buffers[--guest->buffer_count]);
    if (guest->kept)
        fh_kernel_cache_give_back(guest->options->kernels, guest->program);
    else
        fhec_program_free(guest->program);
    guest->program = NULL;
    guest->kept = false;
}

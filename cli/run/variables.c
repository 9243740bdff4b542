/*
 * variables.c - what compiled programs have beside kernels: a list of everything in them, variables
 * that are set before a run and shown after it, and instructions that fhec cannot execute.
 */
#include "variables.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "buffers.h"
#include "job.h"
#include "message.h"
#include "nearest.h"
#include "output.h"
#include "value.h"

static void list_kernel(const fhec_kernel_info *k) {
    printf("kernel %s: %u register%s", k->name, k->registers, k->registers == 1 ? "" : "s");
    if (k->shared_bytes)
        printf(", %u bytes shared", k->shared_bytes);
    if (k->local_bytes)
        printf(", %u bytes local%s", k->local_bytes, k->stack_unknown ? " or more (--stack)" : "");
    if (k->max_threads[0])
        printf(", blocks of at most %u threads",
               k->max_threads[0] * k->max_threads[1] * k->max_threads[2]);
    if (k->required_threads[0])
        printf(", blocks of %u x %u x %u threads", k->required_threads[0], k->required_threads[1],
               k->required_threads[2]);
    printf(", %u instruction%s\n", k->word_count, k->word_count == 1 ? "" : "s");
    for (uint32_t p = 0; p < k->param_count; p++)
        printf("    %-16s %4u bytes at 0x%x\n", k->params[p].name, k->params[p].size,
               k->params[p].offset);
}

/* What of a kernel cannot be executed. */
struct unsupported {
    const char *kernel;
    size_t count;
};

/* The first ones; the message names the kernel, which stands above already. */
static void list_unsupported(void *user, const fhec_diagnostic *d) {
    enum { SHOWN = 3 };
    struct unsupported *list = user;
    size_t name = strlen("kernel ") + strlen(list->kernel) + strlen(", ");
    if (list->count++ < SHOWN)
        printf("    cannot be executed: %s\n",
               strlen(d->message) > name ? d->message + name : d->message);
    else if (list->count == SHOWN + 1)
        printf("    and more\n");
}

/* String constants, and what has no name in the source. */
static bool is_compilers(const char *variable) {
    return variable[0] == '$' || strncmp(variable, "__unnamed_", 10) == 0;
}

void fh_cli_list(const fhec_program *program, bool all) {
    size_t hidden = 0;
    fhec_kernel_info k;
    for (size_t i = 0; fhec_kernel_get(program, i, &k) == FHEC_OK; i++) {
        struct unsupported list = {.kernel = k.name};
        list_kernel(&k);
        (void)fhec_kernel_check(program, i, list_unsupported, &list);
    }
    fhec_variable_info v;
    for (size_t i = 0; fhec_variable_get(program, i, &v) == FHEC_OK; i++) {
        if (!all && is_compilers(v.name))
            hidden++;
        else
            printf("variable %s: %llu bytes%s\n", v.name, (unsigned long long)v.bytes,
                   v.constant ? ", constant" : "");
    }
    if (hidden)
        printf("and %zu variable%s of the compiler: --all\n", hidden, hidden == 1 ? "" : "s");
}

struct context {
    const struct fh_cli *cli;
};

static void say(void *user, const fhec_diagnostic *d) {
    struct context *context = user;
    fh_cli_diagnostic((void *)context->cli, d);
}

fhec_status fh_cli_check_kernel(const struct fh_cli *cli, const struct fh_cli_job *job, bool trap) {
    struct context context = {cli};
    fhec_status status = fhec_kernel_check(job->program, job->index, say, &context);
    if (status == FHEC_HOST_ERROR)
        return fh_cli_no_memory(cli);
    if (status == FHEC_OK || trap)
        return FHEC_OK;
    return fh_cli_error(cli, FHEC_BAD_INPUT,
                        "kernel %s has instructions that fhec cannot execute; --trap-unsupported "
                        "runs it until it reaches one",
                        job->info.name);
}

/* The name that is nearest to a misspelt one; NULL: none is near. */
static const char *near_variable(const struct fh_cli_programs *programs, const char *name) {
    struct fh_nearest n;
    fhec_variable_info info;
    fh_nearest_begin(&n, name, strlen(name));
    for (size_t p = 0; p < programs->count; p++)
        for (size_t i = 0; fhec_variable_get(programs->list[p], i, &info) == FHEC_OK; i++)
            fh_nearest_try(&n, info.name, strlen(info.name));
    return n.best;
}

fhec_status fh_cli_find_variable(const struct fh_cli *cli, const struct fh_cli_programs *programs,
                                 const char *name, struct fh_cli_variable *variable) {
    size_t found = 0, index;
    for (size_t p = 0; p < programs->count; p++)
        if (fhec_variable_find(programs->list[p], name, &index) == FHEC_OK && !found++) {
            variable->program = programs->list[p];
            variable->index = index;
        }
    if (found == 1)
        return fhec_variable_get(variable->program, variable->index, &variable->info);
    if (found)
        return fh_cli_error(cli, FHEC_BAD_INPUT, "%zu of the objects have a variable \"%s\"", found,
                            name);
    return fh_cli_error(cli, FHEC_BAD_INPUT, "%s no variable \"%s\"%s",
                        programs->count > 1 ? "the files have" : "the program has", name,
                        fh_cli_hint(near_variable(programs, name)).text);
}

/* "NAME" or "NAME=FILE": a copy of NAME. */
static char *requested(const char *request) {
    return strndup(request, strcspn(request, "="));
}

fhec_status fh_cli_check_variable(const struct fh_cli *cli, const struct fh_cli_programs *programs,
                                  const char *request) {
    struct fh_cli_variable variable;
    char *name = requested(request);
    fhec_status status =
        name ? fh_cli_find_variable(cli, programs, name, &variable) : fh_cli_no_memory(cli);
    free(name);
    return status;
}

bool fh_cli_names_buffer(const struct fh_cli_memory *memory, const char *name) {
    size_t length = strcspn(name, "+");
    for (size_t i = 0; i < memory->buffer_count; i++)
        if (strlen(memory->buffers[i].name) == length &&
            !strncmp(memory->buffers[i].name, name, length))
            return true;
    return false;
}

/* The parts of "NAME+OFFSET"; *name is malloc'd. */
static fhec_status split(const struct fh_cli *cli, const char *text, char **name, uint64_t *offset,
                         bool *part) {
    *name = strdup(text);
    if (!*name)
        return fh_cli_no_memory(cli);
    if (fh_cli_cut_offset(*name, offset, part))
        return FHEC_OK;
    free(*name);
    *name = NULL;
    return fh_cli_error(cli, FHEC_BAD_INPUT, "%s: expected NAME or NAME+OFFSET", text);
}

static fhec_status check_offset(const struct fh_cli *cli, const char *what, uint64_t size,
                                uint64_t offset) {
    if (offset < size)
        return FHEC_OK;
    return fh_cli_error(cli, FHEC_BAD_INPUT, "%s has %llu bytes; there is none at %llu", what,
                        (unsigned long long)size, (unsigned long long)offset);
}

fhec_status fh_cli_set_buffer(const struct fh_cli *cli, struct fh_cli_memory *memory,
                              const struct fh_cli_scalar *setting) {
    char *name, what[200];
    uint64_t offset;
    bool part;
    fhec_status status = split(cli, setting->name, &name, &offset, &part);
    if (status != FHEC_OK)
        return status;
    struct fh_cli_buffer *buffer = &memory->buffers[fh_cli_memory_find(memory, name)];
    uint64_t size = (uint64_t)buffer->data.count * buffer->data.width;
    snprintf(what, sizeof what, "the buffer %s", name);
    free(name);
    status = check_offset(cli, what, size, offset);
    if (status != FHEC_OK)
        return status;
    struct fh_cli_destination to = {what, buffer->data.bytes + offset, size - offset, false, 0};
    buffer->fresh = false; /* the rest is zero */
    return fh_cli_put_value(cli, memory, setting->text, &to, true);
}

/* Makes the value in memory of the host, with addresses filled in, and copies what it covers. */
static fhec_status write_value(const struct fh_cli *cli, const struct fh_cli_memory *memory,
                               const char *text, struct fh_cli_destination *to,
                               fhec_machine *machine, const struct fh_cli_variable *v,
                               uint64_t offset) {
    struct fh_cli_memory placed = {.buffers = memory->buffers,
                                   .buffer_count = memory->buffer_count};
    to->bytes = malloc(to->size + 1);
    if (!to->bytes)
        return fh_cli_no_memory(cli);
    fhec_status status =
        fhec_variable_read(machine, v->program, v->index, offset, to->bytes, to->size);
    if (status == FHEC_OK)
        status = fh_cli_put_value(cli, &placed, text, to, true);
    if (status == FHEC_OK)
        fh_cli_memory_fill_in(&placed);
    if (status == FHEC_OK)
        status = fhec_variable_write(machine, v->program, v->index, offset, to->bytes, to->size);
    free(placed.fixups);
    free(to->bytes);
    return status;
}

fhec_status fh_cli_set_variable(const struct fh_cli *cli, const struct fh_cli_programs *programs,
                                fhec_machine *machine, const struct fh_cli_memory *memory,
                                const struct fh_cli_scalar *setting) {
    char *name, what[200];
    uint64_t offset;
    bool part;
    struct fh_cli_variable v;
    fhec_status status = split(cli, setting->name, &name, &offset, &part);
    if (status != FHEC_OK)
        return status;
    status = fh_cli_find_variable(cli, programs, name, &v);
    snprintf(what, sizeof what, "the variable %s", name);
    free(name);
    if (status == FHEC_OK)
        status = check_offset(cli, what, v.info.bytes, offset);
    if (status != FHEC_OK)
        return status;
    struct fh_cli_destination to = {what, NULL, v.info.bytes - offset, !part, 0};
    return write_value(cli, memory, setting->text, &to, machine, &v, offset);
}

static void print_variable(const char *name, const uint8_t *data, size_t bytes) {
    enum { WORDS_A_LINE = 8 };
    size_t word = bytes % 8 == 0 ? 8 : bytes % 4 == 0 ? 4 : 1;
    for (size_t i = 0; i < bytes; i += word) {
        uint64_t value = 0;
        memcpy(&value, data + i, word);
        bool first = i / word % WORDS_A_LINE == 0;
        if (first)
            printf("%s%s[0x%04zx]", i ? "\n" : "", name, i);
        printf(" %0*llx", (int)word * 2, (unsigned long long)value);
    }
    putchar('\n');
}

fhec_status fh_cli_get_variable(const struct fh_cli *cli, const struct fh_cli_programs *programs,
                                fhec_machine *machine, const char *request,
                                struct fh_cli_outputs *outputs) {
    struct fh_cli_variable v;
    const char *equals = strchr(request, '=');
    char *name = requested(request);
    if (!name)
        return fh_cli_no_memory(cli);
    fhec_status status = fh_cli_find_variable(cli, programs, name, &v);
    const size_t bytes = status == FHEC_OK ? (size_t)v.info.bytes : 0;
    uint8_t *data = malloc(bytes + 1);
    if (status == FHEC_OK)
        status = data ? fhec_variable_read(machine, v.program, v.index, 0, data, bytes)
                      : fh_cli_no_memory(cli);
    if (status == FHEC_OK && equals)
        status = fh_cli_output_write(cli, outputs, equals + 1, data, bytes);
    else if (status == FHEC_OK)
        print_variable(name, data, bytes);
    free(data);
    free(name);
    return status;
}

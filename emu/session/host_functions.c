/*
 * host_functions.c - the functions of the host that a machine's guests call.
 */
#include "machine.h"

#include <stdlib.h>
#include <string.h>

static struct fh_host_function *find(const struct fh_host_functions *functions, const char *name) {
    for (size_t i = 0; i < functions->count; i++)
        if (strcmp(functions->list[i].name, name) == 0)
            return &functions->list[i];
    return NULL;
}

static struct fh_host_function *add(struct fh_host_functions *functions, const char *name) {
    struct fh_host_function *list =
        realloc(functions->list, (functions->count + 1) * sizeof *functions->list);
    if (!list)
        return NULL;
    functions->list = list;
    struct fh_host_function *f = &list[functions->count];
    *f = (struct fh_host_function){.name = strdup(name)};
    functions->count += f->name != NULL;
    return f->name ? f : NULL;
}

fhec_status fhec_host_function(fhec_machine *machine, const char *name,
                               fhec_host_function_fn *function, void *user) {
    if (machine->session)
        return fh_machine_fail(machine, FHEC_BAD_INPUT,
                               "the machine has a session; its launch has to be ended first");
    struct fh_host_function *f = find(&machine->host_functions, name);
    if (!f)
        f = add(&machine->host_functions, name);
    if (!f)
        return fh_machine_fail(machine, FHEC_HOST_ERROR, "no host memory for a function");
    f->function = function;
    f->user = user;
    return FHEC_OK;
}

void fh_host_functions_free(struct fh_host_functions *functions) {
    for (size_t i = 0; i < functions->count; i++)
        free(functions->list[i].name);
    free(functions->list);
    *functions = (struct fh_host_functions){0};
}

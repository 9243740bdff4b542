/*
 * host_functions.c - the functions of the host that a machine's guests call.
 */
#include "machine.h"

#include <stdlib.h>
#include <string.h>

static size_t find(const struct fh_host_functions *functions, const char *name) {
    size_t i = 0;
    while (i < functions->count && strcmp(functions->list[i].name, name) != 0)
        i++;
    return i;
}

static void release(const fhec_host_function *function) {
    if (function->release)
        function->release(function->user);
}

static void take_out(struct fh_host_functions *functions, size_t index) {
    const fhec_host_function gone = functions->list[index];
    functions->list[index] = functions->list[--functions->count];
    release(&gone);
    free((char *)gone.name);
}

static bool add(struct fh_host_functions *functions, const fhec_host_function *function) {
    fhec_host_function *list =
        realloc(functions->list, (functions->count + 1) * sizeof *functions->list);
    char *name = list ? strdup(function->name) : NULL;
    functions->list = list ? list : functions->list;
    if (!name)
        return false;
    list[functions->count] = *function;
    list[functions->count++].name = name;
    return true;
}

fhec_status fhec_host_function_set(fhec_machine *machine, const fhec_host_function *function) {
    struct fh_host_functions *all = &machine->host_functions;
    if (machine->session)
        return fh_machine_fail(machine, FHEC_BAD_INPUT,
                               "the machine has a session; its launch has to be ended first");
    const size_t before = find(all, function->name), count = all->count;
    if (function->function && !add(all, function))
        return fh_machine_fail(machine, FHEC_HOST_ERROR, "no host memory for a function");
    if (before < count)
        take_out(all, before);
    return FHEC_OK;
}

bool fhec_host_function_get(const fhec_machine *machine, size_t index,
                            fhec_host_function *function) {
    const bool there = index < machine->host_functions.count;
    *function = there ? machine->host_functions.list[index] : (fhec_host_function){0};
    return there;
}

void fh_host_functions_free(struct fh_host_functions *functions) {
    while (functions->count)
        take_out(functions, functions->count - 1);
    free(functions->list);
    *functions = (struct fh_host_functions){0};
}

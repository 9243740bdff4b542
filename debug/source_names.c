/*
 * source_names.c - see source_names.h.
 */
#include "source_names.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static bool find(const struct fh_query_place *place, const char *name, fhec_name *meaning) {
    uint64_t pc = 0;
    if (!place->launch)
        return false;
    (void)fh_query_pc(place, &pc);
    return fhec_kernel_name(place->launch->program, place->launch->kernel,
                            (uint32_t)(pc / sizeof(fhec_word)), name, meaning);
}

bool fh_defined_registers(const struct fh_query_place *place, const char *name,
                          struct fh_query_registers *registers) {
    fhec_name is;
    if (!find(place, name, &is) || is.kind != FHEC_NAME_REGISTERS)
        return false;
    *registers = (struct fh_query_registers){is.file, is.first, is.low, is.count};
    return true;
}

/* INT64_MIN has no decimal that an expression could begin with. */
bool fh_defined_text(const struct fh_query_place *place, const char *name, char *expression,
                     size_t size) {
    fhec_name is;
    if (!find(place, name, &is) || is.kind == FHEC_NAME_REGISTERS)
        return false;
    if (is.kind == FHEC_NAME_LABEL)
        (void)snprintf(expression, size, "0x%" PRIx64, (uint64_t)is.value);
    else if (is.large)
        (void)snprintf(expression, size, "%" PRIu64, (uint64_t)is.value);
    else if (is.value == INT64_MIN)
        (void)snprintf(expression, size, "(%" PRId64 " - 1)", is.value + 1);
    else
        (void)snprintf(expression, size, "%" PRId64, is.value);
    return true;
}

bool fh_defined_array(const struct fh_query_place *place, const char *name,
                      struct fh_query_array *array) {
    fhec_shared_info shared;
    fhec_variable_info variable;
    uint64_t address;
    size_t index;
    const fhec_launch *launch = place->launch;
    if (!launch)
        return false;
    *array = (struct fh_query_array){.type = FH_QUERY_U32, .rank = 1};
    for (size_t i = 0; fhec_kernel_shared(launch->program, launch->kernel, i, &shared); i++) {
        if (strcmp(shared.name, name) != 0)
            continue;
        array->space = FHEC_SPACE_SHARED;
        array->address = shared.offset;
        array->shape[0] = shared.bytes / 4;
        return true;
    }
    if (fhec_variable_find(launch->program, name, &index) != FHEC_OK ||
        fhec_variable_get(launch->program, index, &variable) != FHEC_OK || variable.constant ||
        fhec_variable_address(place->machine, launch->program, index, &address) != FHEC_OK)
        return false;
    array->space = FHEC_SPACE_GLOBAL;
    array->address = address;
    array->shape[0] = variable.bytes / 4;
    return true;
}

const char *fh_defined_name(const struct fh_query_place *place, size_t index) {
    fhec_shared_info shared;
    if (!place->launch)
        return NULL;
    const fhec_program *program = place->launch->program;
    for (size_t i = 0; fhec_kernel_shared(program, place->launch->kernel, i, &shared); i++)
        if (!index--)
            return shared.name;
    return fhec_program_name(program, index);
}

/*
 * module_variables.c - the host's side of a program's variables: loading a program into a machine,
 * copying to and from its __device__ and __constant__ variables, their addresses.
 */
#include "fhec_allocations.h"
#include "loader.h"
#include "observe.h"
#include "record_log.h"

/* The program's module, made if it has none; the machine's error says what failed. */
static fhec_status load(fhec_machine *machine, const fhec_program *program,
                        const uint64_t *addresses, size_t count, struct fh_module **module) {
    const fhec_action action = {.kind = FHEC_ACTION_LOAD,
                                .program = program,
                                .data = addresses,
                                .bytes = count * sizeof *addresses};
    if (fh_module_find(machine->modules, program, module))
        return FHEC_OK;
    if (!fh_record_prepare(machine, &action))
        return fh_machine_fail(machine, FHEC_HOST_ERROR, "no host memory for the record");
    fhec_status status =
        fh_module_load(&machine->modules, &machine->memory, program, addresses, module);
    fh_record_done(machine, status == FHEC_OK, 0, status);
    if (status == FHEC_BAD_INPUT)
        return fh_machine_fail(machine, status,
                               "the program's variables cannot be where they are wanted");
    if (status != FHEC_OK)
        return fh_machine_fail(machine, status, "no host memory for the program's variables");
    return status;
}

fhec_status fhec_load(fhec_machine *machine, const fhec_program *program) {
    struct fh_module *module;
    return load(machine, program, NULL, 0, &module);
}

fhec_status fhec_load_at(fhec_machine *machine, const fhec_program *program,
                         const uint64_t *addresses, size_t count) {
    struct fh_module *module;
    const size_t wanted = (size_t)program->bank_count + program->segment_count;
    if (count != wanted)
        return fh_machine_fail(machine, FHEC_BAD_INPUT,
                               "the program has %zu allocations; %zu addresses are given", wanted,
                               count);
    if (count && fh_module_find(machine->modules, program, &module))
        return fh_machine_fail(machine, FHEC_BAD_INPUT, "the program has been loaded already");
    return load(machine, program, addresses, count, &module);
}

bool fhec_load_address(const fhec_machine *machine, const fhec_program *program, size_t index,
                       uint64_t *address) {
    struct fh_module *module;
    *address = 0;
    if (!fh_module_find(machine->modules, program, &module) || !module ||
        index >= (size_t)program->bank_count + program->segment_count)
        return false;
    *address = index < program->bank_count ? module->bank_bases[index]
                                           : module->bases[index - program->bank_count];
    return true;
}

void fhec_unload(fhec_machine *machine, const fhec_program *program) {
    const fhec_action action = {.kind = FHEC_ACTION_UNLOAD, .program = program};
    if (!fh_record_prepare(machine, &action))
        fh_record_lost(machine);
    fh_module_unload(&machine->modules, &machine->memory, program);
    fh_record_done(machine, true, 0, FHEC_OK);
}

/* The module of a program whose variable `index` has bytes [offset, offset + bytes). */
static fhec_status find(fhec_machine *machine, const fhec_program *program, size_t index,
                        uint64_t offset, size_t bytes, struct fh_module **module) {
    if (index >= program->variable_count)
        return fh_machine_fail(machine, FHEC_BAD_INPUT, "the program has no variable number %zu",
                               index);
    const struct fh_variable *v = &program->variables[index];
    if (offset > v->size || bytes > v->size - offset)
        return fh_machine_fail(machine, FHEC_BAD_INPUT,
                               "the variable %s has %llu bytes; %zu from %llu on are not in it",
                               v->name, (unsigned long long)v->size, bytes,
                               (unsigned long long)offset);
    return load(machine, program, NULL, 0, module);
}

/* Tells of what the host has done with a variable. */
static void observe(const fhec_machine *machine, const struct fh_module *module, size_t index,
                    fhec_event_kind kind, uint64_t offset, size_t bytes, const void *data) {
    const struct fh_variable *v = &module->program->variables[index];
    fhec_event event = {
        .kind = kind,
        .host = {.name = v->name,
                 .address = v->constant ? 0 : module->bases[v->index] + v->offset + offset,
                 .offset = offset,
                 .bytes = bytes,
                 .data = data}};
    fh_observers_tell(machine, NULL, &event);
}

/* The address of a variable, constant ones included. */
static uint64_t address_of(const struct fh_module *module, size_t index) {
    const struct fh_variable *v = &module->program->variables[index];
    return (v->constant ? module->bank_bases : module->bases)[v->index] + v->offset;
}

fhec_status fhec_variable_write(fhec_machine *machine, const fhec_program *program, size_t index,
                                uint64_t offset, const void *data, size_t bytes) {
    struct fh_module *module;
    fhec_status status = find(machine, program, index, offset, bytes, &module);
    if (status == FHEC_OK && bytes)
        status = fh_host_write(machine, address_of(module, index) + offset, data, bytes);
    if (status == FHEC_OK)
        observe(machine, module, index, FHEC_EVENT_HOST_WRITE, offset, bytes, data);
    return status;
}

fhec_status fhec_variable_read(fhec_machine *machine, const fhec_program *program, size_t index,
                               uint64_t offset, void *data, size_t bytes) {
    struct fh_module *module;
    fhec_status status = find(machine, program, index, offset, bytes, &module);
    if (status == FHEC_OK && bytes)
        status = fh_machine_read(machine, address_of(module, index) + offset, data, bytes);
    if (status == FHEC_OK)
        observe(machine, module, index, FHEC_EVENT_HOST_READ, offset, bytes, data);
    return status;
}

fhec_status fhec_variable_address(fhec_machine *machine, const fhec_program *program, size_t index,
                                  uint64_t *address) {
    struct fh_module *module;
    *address = 0;
    fhec_status status = find(machine, program, index, 0, 0, &module);
    if (status == FHEC_OK)
        *address = address_of(module, index);
    return status;
}

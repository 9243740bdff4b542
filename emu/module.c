/*
 * module.c - programs in a machine: variables get memory, and their addresses go to where the
 * program says (struct fh_patch).
 */
#include "module.h"

#include <stdlib.h>
#include <string.h>

#include "machine.h"

static void free_module(struct fh_module *m) {
    free(m->banks);
    free(m->bank_bases);
    free(m->bases);
    free(m);
}

static void release_segments(const struct fh_module *m, struct fh_memory *memory) {
    for (uint32_t i = 0; m->bases && i < m->program->segment_count; i++)
        if (m->bases[i])
            (void)fh_memory_release(memory, m->bases[i]);
    for (uint32_t i = 0; m->bank_bases && i < m->program->bank_count; i++)
        if (m->bank_bases[i])
            (void)fh_memory_release(memory, m->bank_bases[i]);
}

/* Constant memory has generic addresses too, so it lives in global memory, read-only. */
static bool copy_banks(struct fh_module *m, struct fh_memory *memory) {
    const struct fhec_program *p = m->program;
    m->banks = calloc(p->bank_count + 1u, sizeof *m->banks);
    m->bank_bases = calloc(p->bank_count + 1u, sizeof *m->bank_bases);
    for (uint32_t i = 0; m->banks && m->bank_bases && i < p->bank_count; i++) {
        const struct fh_constant_bank *b = &p->banks[i];
        if (fh_memory_alloc(memory, "constant memory", b->size, true, &m->bank_bases[i]) != FHEC_OK)
            return false;
        m->banks[i] = fh_memory_range(memory, m->bank_bases[i], b->size)->bytes;
        memcpy(m->banks[i], b->bytes, b->size);
    }
    return m->banks && m->bank_bases;
}

static bool place_segments(struct fh_module *m, struct fh_memory *memory) {
    const struct fhec_program *p = m->program;
    m->bases = calloc(p->segment_count + 1u, sizeof *m->bases);
    for (uint32_t i = 0; m->bases && i < p->segment_count; i++) {
        const struct fh_data_segment *s = &p->segments[i];
        if (fh_memory_alloc(memory, s->name, s->size, false, &m->bases[i]) != FHEC_OK)
            return false;
        if (s->bytes)
            memcpy(fh_memory_range(memory, m->bases[i], s->size)->bytes, s->bytes, s->size);
    }
    return m->bases != NULL;
}

/* Addresses of code are in their places already. */
static void put(const struct fh_module *m, const struct fh_patch *patch, uint8_t *place) {
    if (patch->of == FH_OF_BANK)
        fh_patch_put(patch, place, m->bank_bases[patch->target] + patch->addend);
    else if (patch->of == FH_OF_SEGMENT)
        fh_patch_put(patch, place, m->bases[patch->target] + patch->addend);
}

/* The patches in data: banks and variables that hold addresses of variables. */
static void patch_data(const struct fh_module *m, struct fh_memory *memory) {
    const struct fhec_program *p = m->program;
    for (uint32_t i = 0; i < p->patch_count; i++) {
        const struct fh_patch *patch = &p->patches[i];
        if (patch->place == FH_IN_BANK)
            put(m, patch, m->banks[patch->index] + patch->offset);
        else if (patch->place == FH_IN_SEGMENT)
            put(m, patch,
                fh_memory_range(memory, m->bases[patch->index], 1)->bytes + patch->offset);
    }
}

fhec_status fh_module_load(struct fh_module **list, struct fh_memory *memory,
                           const struct fhec_program *program, struct fh_module **module) {
    *module = NULL;
    if (!program->segment_count && !program->bank_count)
        return FHEC_OK;
    for (struct fh_module *m = *list; m; m = m->next) {
        if (m->program == program) {
            *module = m;
            return FHEC_OK;
        }
    }
    struct fh_module *m = calloc(1, sizeof *m);
    if (!m)
        return FHEC_HOST_ERROR;
    m->program = program;
    if (!copy_banks(m, memory) || !place_segments(m, memory)) {
        release_segments(m, memory);
        free_module(m);
        return FHEC_HOST_ERROR;
    }
    patch_data(m, memory);
    m->next = *list;
    *list = *module = m;
    return FHEC_OK;
}

void fh_module_unload(struct fh_module **list, struct fh_memory *memory,
                      const struct fhec_program *program) {
    for (struct fh_module **at = list; *at; at = &(*at)->next) {
        if ((*at)->program == program) {
            struct fh_module *m = *at;
            *at = m->next;
            release_segments(m, memory);
            free_module(m);
            return;
        }
    }
}

void fh_module_free_all(struct fh_module **list) {
    while (*list) {
        struct fh_module *m = *list;
        *list = m->next;
        free_module(m);
    }
}

uint64_t fh_module_constants(const struct fh_module *module) {
    const struct fhec_program *p = module->program;
    for (uint32_t i = 0; i < p->bank_count; i++)
        if (p->banks[i].bank == 3)
            return module->bank_bases[i];
    return 0;
}

void fh_module_patch_code(const struct fh_module *module, size_t kernel, fhec_word *words) {
    const struct fhec_program *p = module->program;
    for (uint32_t i = 0; i < p->patch_count; i++) {
        const struct fh_patch *patch = &p->patches[i];
        uint32_t first = 0;
        if (patch->place == FH_IN_FUNCTION)
            first = p->functions[patch->index].first;
        else if (patch->place != FH_IN_KERNEL || patch->index != kernel)
            continue;
        put(module, patch, (uint8_t *)(words + first) + patch->offset);
    }
}

/* ---------------------------------------------------------------- the public interface */

/* The program's module, made if it has none; the machine's error says what failed. */
static fhec_status load(fhec_machine *machine, const fhec_program *program,
                        struct fh_module **module) {
    fhec_status status = fh_module_load(&machine->modules, &machine->memory, program, module);
    if (status != FHEC_OK)
        return fh_machine_fail(machine, status, "no host memory for the program's variables");
    return status;
}

fhec_status fhec_load(fhec_machine *machine, const fhec_program *program) {
    struct fh_module *module;
    return load(machine, program, &module);
}

void fhec_unload(fhec_machine *machine, const fhec_program *program) {
    fh_module_unload(&machine->modules, &machine->memory, program);
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
    return load(machine, program, module);
}

/* Where the host has byte `offset` of a variable. */
static uint8_t *byte_of(fhec_machine *machine, const struct fh_module *module, size_t index,
                        uint64_t offset) {
    const struct fh_variable *v = &module->program->variables[index];
    if (v->constant)
        return module->banks[v->index] + v->offset + offset;
    return fh_memory_range(&machine->memory, module->bases[v->index], 1)->bytes + v->offset +
           offset;
}

fhec_status fhec_variable_write(fhec_machine *machine, const fhec_program *program, size_t index,
                                uint64_t offset, const void *data, size_t bytes) {
    struct fh_module *module;
    fhec_status status = find(machine, program, index, offset, bytes, &module);
    if (status == FHEC_OK && bytes)
        memcpy(byte_of(machine, module, index, offset), data, bytes);
    return status;
}

fhec_status fhec_variable_read(fhec_machine *machine, const fhec_program *program, size_t index,
                               uint64_t offset, void *data, size_t bytes) {
    struct fh_module *module;
    fhec_status status = find(machine, program, index, offset, bytes, &module);
    if (status == FHEC_OK && bytes)
        memcpy(data, byte_of(machine, module, index, offset), bytes);
    return status;
}

fhec_status fhec_variable_address(fhec_machine *machine, const fhec_program *program, size_t index,
                                  uint64_t *address) {
    struct fh_module *module;
    *address = 0;
    fhec_status status = find(machine, program, index, 0, 0, &module);
    if (status != FHEC_OK)
        return status;
    const struct fh_variable *v = &program->variables[index];
    if (v->constant)
        return fh_machine_fail(machine, FHEC_BAD_INPUT,
                               "the variable %s is in constant memory and has no address", v->name);
    *address = module->bases[v->index] + v->offset;
    return FHEC_OK;
}

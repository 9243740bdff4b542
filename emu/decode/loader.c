/*
 * loader.c - programs in a machine: variables get memory, and their addresses go to where the
 * program says (struct fh_patch).
 */
#include "loader.h"

#include <stdlib.h>
#include <string.h>

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
        if (s->bytes) /* else zeros, which new memory is */
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

/*
 * loader.c - programs in a machine: variables get memory, and their addresses go to where the
 * program says (struct fh_relocation).
 */
#include "loader.h"

#include <stdlib.h>
#include <string.h>

void fh_module_drop(struct fh_module *m) {
    if (--m->users)
        return;
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

/* Memory for the number-th allocation of a program: at `addresses` where they are given. */
static fhec_status allocate(struct fh_memory *memory, const char *name, uint64_t bytes,
                            bool read_only, const uint64_t *addresses, uint32_t number,
                            uint64_t *base) {
    if (!addresses)
        return fh_memory_alloc(memory, name, bytes, read_only, base);
    const fhec_status status =
        fh_memory_alloc_at(memory, name, bytes, read_only, addresses[number]);
    if (status == FHEC_OK)
        *base = addresses[number];
    return status;
}

/* Constant memory has generic addresses too, so it lives in global memory, read-only. */
static fhec_status copy_banks(struct fh_module *m, struct fh_memory *memory,
                              const uint64_t *addresses) {
    const struct fhec_program *p = m->program;
    m->banks = calloc(p->bank_count + 1u, sizeof *m->banks);
    m->bank_bases = calloc(p->bank_count + 1u, sizeof *m->bank_bases);
    fhec_status status = m->banks && m->bank_bases ? FHEC_OK : FHEC_HOST_ERROR;
    for (uint32_t i = 0; status == FHEC_OK && i < p->bank_count; i++) {
        const struct fh_constant_bank *b = &p->banks[i];
        status =
            allocate(memory, "constant memory", b->size, true, addresses, i, &m->bank_bases[i]);
        if (status != FHEC_OK)
            break;
        m->banks[i] = fh_memory_range(memory, m->bank_bases[i], b->size)->bytes;
        memcpy(m->banks[i], b->bytes, b->size);
    }
    return status;
}

static fhec_status place_segments(struct fh_module *m, struct fh_memory *memory,
                                  const uint64_t *addresses) {
    const struct fhec_program *p = m->program;
    m->bases = calloc(p->segment_count + 1u, sizeof *m->bases);
    fhec_status status = m->bases ? FHEC_OK : FHEC_HOST_ERROR;
    for (uint32_t i = 0; status == FHEC_OK && i < p->segment_count; i++) {
        const struct fh_data_segment *s = &p->segments[i];
        status =
            allocate(memory, s->name, s->size, false, addresses, p->bank_count + i, &m->bases[i]);
        if (status == FHEC_OK && s->bytes) /* else zeros, which new memory is */
            memcpy(fh_memory_range(memory, m->bases[i], s->size)->bytes, s->bytes, s->size);
    }
    return status;
}

/* Addresses of code are in their places already. */
static void put(const struct fh_module *m, const struct fh_relocation *relocation, uint8_t *place) {
    if (relocation->of == FH_OF_BANK)
        fh_relocation_apply(relocation, place,
                            m->bank_bases[relocation->target] + relocation->addend);
    else if (relocation->of == FH_OF_SEGMENT)
        fh_relocation_apply(relocation, place, m->bases[relocation->target] + relocation->addend);
}

/* The relocations in data: banks and variables that hold addresses of variables. */
static void relocate_data(const struct fh_module *m, struct fh_memory *memory) {
    const struct fhec_program *p = m->program;
    for (uint32_t i = 0; i < p->relocation_count; i++) {
        const struct fh_relocation *relocation = &p->relocations[i];
        if (relocation->holder == FH_IN_BANK)
            put(m, relocation, m->banks[relocation->index] + relocation->offset);
        else if (relocation->holder == FH_IN_SEGMENT)
            put(m, relocation,
                fh_memory_range(memory, m->bases[relocation->index], 1)->bytes +
                    relocation->offset);
    }
}

bool fh_module_find(struct fh_module *list, const struct fhec_program *program,
                    struct fh_module **module) {
    *module = list;
    while (*module && (*module)->program != program)
        *module = (*module)->next;
    return *module || (!program->segment_count && !program->bank_count);
}

fhec_status fh_module_load(struct fh_module **list, struct fh_memory *memory,
                           const struct fhec_program *program, const uint64_t *addresses,
                           struct fh_module **module) {
    if (fh_module_find(*list, program, module))
        return FHEC_OK;
    struct fh_module *m = calloc(1, sizeof *m);
    if (!m)
        return FHEC_HOST_ERROR;
    m->program = program;
    m->users = 1;
    fhec_status status = copy_banks(m, memory, addresses);
    if (status == FHEC_OK)
        status = place_segments(m, memory, addresses);
    if (status != FHEC_OK) {
        release_segments(m, memory);
        fh_module_drop(m);
        return status;
    }
    relocate_data(m, memory);
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
            fh_module_drop(m);
            return;
        }
    }
}

void fh_module_free_all(struct fh_module **list) {
    while (*list) {
        struct fh_module *m = *list;
        *list = m->next;
        fh_module_drop(m);
    }
}

uint64_t fh_module_constants(const struct fh_module *module) {
    const struct fhec_program *p = module->program;
    for (uint32_t i = 0; i < p->bank_count; i++)
        if (p->banks[i].bank == 3)
            return module->bank_bases[i];
    return 0;
}

void fh_module_relocate_code(const struct fh_module *module, size_t kernel, fhec_word *words) {
    const struct fhec_program *p = module->program;
    for (uint32_t i = 0; i < p->relocation_count; i++) {
        const struct fh_relocation *relocation = &p->relocations[i];
        uint32_t first = 0;
        if (relocation->holder == FH_IN_FUNCTION)
            first = p->functions[relocation->index].first;
        else if (relocation->holder != FH_IN_KERNEL || relocation->index != kernel)
            continue;
        put(module, relocation, (uint8_t *)(words + first) + relocation->offset);
    }
}

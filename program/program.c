/*
 * program.c - programs as the public interface shows them: kernels, their resources, variables;
 * and the space of addresses that code has. Programs are made by the
 * assembler (asm/) and from objects (object/cubin_read.c).
 */
#include "program.h"

#include "fhec_call.h"
#include "fhec_session.h"

#include "expectation.h"
#include "machines.h"

#include <stdlib.h>
#include <string.h>

static void free_entries(struct fh_entry *entries, uint32_t count) {
    for (uint32_t i = 0; i < count; i++)
        free(entries[i].name);
    free(entries);
}

void fh_info_free(struct fh_info *info) {
    for (uint32_t i = 0; i < info->record_count; i++)
        free(info->records[i].words);
    free(info->records);
    free(info->marks);
}

static void free_kernel(struct fh_kernel *k) {
    fh_info_free(&k->info);
    free_entries(k->entries, k->entry_count);
    free(k->name);
    free(k->target);
    free(k->words);
    free(k->origins);
    for (uint32_t i = 0; i < k->param_count; i++)
        free(k->params[i].name);
    free(k->params);
    for (uint32_t i = 0; i < k->shared_count; i++)
        free(k->shared[i].name);
    free(k->shared);
    free(k->shared_uses);
    for (uint32_t i = 0; i < k->bank_count; i++)
        free(k->banks[i].bytes);
    free(k->banks);
}

void fhec_program_free(fhec_program *program) {
    if (!program)
        return;
    for (uint32_t i = 0; i < program->file_count; i++)
        free(program->files[i]);
    for (uint32_t i = 0; i < program->external_count; i++)
        free(program->externals[i]);
    free(program->externals);
    fh_info_free(&program->info);
    free(program->files);
    for (uint32_t i = 0; i < program->macro_count; i++)
        free(program->macros[i]);
    free(program->macros);
    for (uint32_t i = 0; i < program->name_count; i++)
        free(program->names[i]);
    free(program->names);
    free(program->meanings);
    free(program->expansion_steps);
    for (uint32_t i = 0; i < program->kernel_count; i++)
        free_kernel(&program->kernels[i]);
    free(program->kernels);
    for (uint32_t i = 0; i < program->test_count; i++)
        free(program->tests[i].text);
    free(program->tests);
    for (uint32_t i = 0; i < program->expectation_count; i++)
        fh_expectation_free(&program->expectations[i]);
    free(program->expectations);
    for (uint32_t i = 0; i < program->function_count; i++) {
        struct fh_function *f = &program->functions[i];
        free_entries(f->entries, f->entry_count);
        free(f->name);
        free(f->target);
        free(f->words);
        free(f->origins);
        fh_info_free(&f->info);
    }
    free(program->functions);
    for (uint32_t i = 0; i < program->bank_count; i++)
        free(program->banks[i].bytes);
    free(program->banks);
    for (uint32_t i = 0; i < program->segment_count; i++) {
        free(program->segments[i].name);
        free(program->segments[i].bytes);
    }
    free(program->segments);
    for (uint32_t i = 0; i < program->variable_count; i++)
        free(program->variables[i].name);
    free(program->variables);
    free(program->relocations);
    free(program);
}

size_t fhec_kernel_count(const fhec_program *program) {
    return program->kernel_count;
}

size_t fhec_function_count(const fhec_program *program) {
    return program->function_count;
}

fhec_status fhec_function_get(const fhec_program *program, size_t index, fhec_function_info *info) {
    if (index >= program->function_count) {
        *info = (fhec_function_info){0};
        return FHEC_BAD_INPUT;
    }
    const struct fh_function *f = &program->functions[index];
    *info = (fhec_function_info){.name = f->name,
                                 .words = f->words,
                                 .word_count = f->word_count,
                                 .pc = (uint64_t)f->first * sizeof(fhec_word)};
    return FHEC_OK;
}

/* The public view of parameters is the internal one with another pointer type. */
_Static_assert(sizeof(struct fh_param) == sizeof(fhec_param_info) &&
                   offsetof(struct fh_param, offset) == offsetof(fhec_param_info, offset) &&
                   offsetof(struct fh_param, size) == offsetof(fhec_param_info, size),
               "parameters are handed out as they are");

const fhec_limits *fhec_program_limits(const fhec_program *program) {
    return program->machine;
}

fhec_status fhec_kernel_get(const fhec_program *program, size_t index, fhec_kernel_info *info) {
    if (index >= program->kernel_count) {
        *info = (fhec_kernel_info){0};
        return FHEC_BAD_INPUT;
    }
    const struct fh_kernel *k = &program->kernels[index];
    *info = (fhec_kernel_info){
        .name = k->name,
        .words = k->words,
        .word_count = k->word_count,
        .registers = k->registers,
        .shared_bytes = k->shared_bytes,
        .local_bytes = k->local_bytes,
        .param_bytes = k->param_bytes,
        .params = (const fhec_param_info *)(const void *)k->params,
        .param_count = k->param_count,
        .target = k->target,
        .stack_unknown = k->stack_unknown,
        .max_threads = {k->max_threads[0], k->max_threads[1], k->max_threads[2]},
        .required_threads = {k->required[0], k->required[1], k->required[2]},
    };
    return FHEC_OK;
}

fhec_status fhec_kernel_find(const fhec_program *program, const char *name, size_t *index) {
    for (uint32_t i = 0; i < program->kernel_count; i++) {
        if (strcmp(program->kernels[i].name, name) == 0) {
            *index = i;
            return FHEC_OK;
        }
    }
    *index = 0;
    return FHEC_BAD_INPUT;
}

bool fhec_kernel_shared(const fhec_program *program, size_t kernel, size_t index,
                        fhec_shared_info *info) {
    *info = (fhec_shared_info){0};
    if (kernel >= program->kernel_count || index >= program->kernels[kernel].shared_count)
        return false;
    const struct fh_shared *v = &program->kernels[kernel].shared[index];
    *info = (fhec_shared_info){v->name, v->offset, v->size};
    return true;
}

uint32_t fh_relocation_variable(const struct fhec_program *program,
                                const struct fh_relocation *relocation) {
    const bool constant = relocation->of == FH_OF_BANK;
    for (uint32_t i = 0;
         (constant || relocation->of == FH_OF_SEGMENT) && i < program->variable_count; i++) {
        const struct fh_variable *v = &program->variables[i];
        if (v->constant == constant && v->index == relocation->target &&
            v->offset == relocation->from && v->size)
            return i + 1;
    }
    return 0;
}

/* Whether the kernel sees the field, and where. */
static bool sees(const struct fhec_program *p, size_t kernel, const struct fh_relocation *r,
                 fhec_variable_use *use) {
    switch (r->holder) {
    case FH_IN_KERNEL:
    case FH_IN_FUNCTION:
        use->in_code = true;
        use->word = r->offset / FH_INST_BYTES;
        if (r->holder == FH_IN_FUNCTION)
            use->word += p->functions[r->index].first;
        return r->holder == FH_IN_FUNCTION || r->index == kernel;
    case FH_IN_BANK:
        use->bank = p->banks[r->index].bank;
        use->offset = r->offset;
        return true;
    default: return false;
    }
}

size_t fhec_kernel_variable_uses(const fhec_program *program, size_t kernel,
                                 fhec_variable_use *uses, size_t capacity) {
    size_t count = 0;
    if (kernel >= program->kernel_count)
        return 0;
    const struct fh_kernel *k = &program->kernels[kernel];
    for (uint32_t i = 0; i < k->shared_use_count; i++, count++)
        if (count < capacity)
            uses[count] = (fhec_variable_use){.shared = true,
                                              .in_code = true,
                                              .word = k->shared_uses[i].word,
                                              .variable = k->shared_uses[i].variable};
    for (uint32_t i = 0; i < program->relocation_count; i++) {
        const struct fh_relocation *r = &program->relocations[i];
        const uint32_t variable = fh_relocation_variable(program, r);
        fhec_variable_use use = {.variable = variable - 1};
        if (!variable || !sees(program, kernel, r, &use))
            continue;
        if (count < capacity)
            uses[count] = use;
        count++;
    }
    return count;
}

/* ---------------------------------------------------------------- the code space */

uint32_t fh_code_span(const struct fhec_program *program, size_t kernel) {
    if (!program->function_count)
        return program->kernels[kernel].word_count;
    const struct fh_function *last = &program->functions[program->function_count - 1];
    return last->first + last->word_count;
}

void fh_code_copy(const struct fhec_program *program, size_t kernel, fhec_word *words) {
    const struct fh_kernel *k = &program->kernels[kernel];
    memset(words, 0, fh_code_span(program, kernel) * sizeof *words);
    memcpy(words, k->words, k->word_count * sizeof *words);
    for (uint32_t i = 0; i < program->function_count; i++) {
        const struct fh_function *f = &program->functions[i];
        memcpy(words + f->first, f->words, f->word_count * sizeof *words);
    }
}

const struct fh_function *fh_code_function(const struct fhec_program *program, uint32_t word) {
    for (uint32_t i = 0; i < program->function_count; i++) {
        const struct fh_function *f = &program->functions[i];
        if (word >= f->first && word - f->first < f->word_count)
            return f;
    }
    return NULL;
}

const char *fh_code_external(const struct fhec_program *program, uint64_t address) {
    uint64_t i = (address - FH_EXTERNAL_CODE) / FH_INST_BYTES;
    return address >= FH_EXTERNAL_CODE && i < program->external_count ? program->externals[i]
                                                                      : NULL;
}

const char *fhec_program_external(const fhec_program *program, size_t index) {
    return index < program->external_count ? program->externals[index] : NULL;
}

/* ---------------------------------------------------------------- variables */

size_t fhec_variable_count(const fhec_program *program) {
    return program->variable_count;
}

fhec_status fhec_variable_get(const fhec_program *program, size_t index, fhec_variable_info *info) {
    *info = (fhec_variable_info){0};
    if (index >= program->variable_count)
        return FHEC_BAD_INPUT;
    const struct fh_variable *v = &program->variables[index];
    *info = (fhec_variable_info){.name = v->name, .bytes = v->size, .constant = v->constant};
    return FHEC_OK;
}

fhec_status fhec_variable_find(const fhec_program *program, const char *name, size_t *index) {
    for (uint32_t i = 0; i < program->variable_count; i++) {
        if (strcmp(program->variables[i].name, name) == 0) {
            *index = i;
            return FHEC_OK;
        }
    }
    *index = 0;
    return FHEC_BAD_INPUT;
}

/* ---------------------------------------------------------------- resources */

void fh_guess_stack(struct fh_kernel *kernel) {
    if (kernel->local_bytes < FH_STACK_UNKNOWN)
        kernel->local_bytes = FH_STACK_UNKNOWN;
    kernel->stack_unknown = true;
}

void fh_max_threads(uint32_t to[3], const uint32_t sides[3]) {
    uint64_t product = 1;
    for (unsigned i = 0; i < 3; i++)
        product *= sides[i] <= FH_MAX_THREADS ? sides[i] : 0;
    for (unsigned i = 0; i < 3; i++)
        to[i] = product && product <= FH_MAX_THREADS ? sides[i] : 0;
}

/*
 * origin.c - where each word of a program, and each line of its own test, was written, and the
 * macros, repetitions and includes that led there.
 */
#include "program.h"

fhec_location fh_origin_location(const struct fhec_program *program,
                                 const struct fh_origin *origin) {
    if (origin->file >= program->file_count)
        return (fhec_location){0};
    return (fhec_location){program->files[origin->file], origin->line, origin->column,
                           origin->length};
}

static fhec_expansion expansion(const struct fhec_program *program,
                                const struct fh_expansion_step *step) {
    fhec_expansion e = {.at = fh_origin_location(program, &step->at)};
    switch ((enum fh_expansion_kind)step->kind) {
    case FH_FROM_MACRO:
        e.kind = FHEC_EXPANSION_MACRO;
        e.name = program->macros[step->number];
        break;
    case FH_FROM_INCLUDE:
        e.kind = FHEC_EXPANSION_INCLUDE;
        e.name = program->files[step->number];
        break;
    case FH_FROM_REPT:
    case FH_FROM_IRP:
        e.kind = FHEC_EXPANSION_REPETITION;
        e.name = step->kind == FH_FROM_REPT ? ".rept" : ".irp";
        e.iteration = step->number;
    }
    return e;
}

size_t fh_origin_expansions(const struct fhec_program *program, const struct fh_origin *origin,
                            fhec_expansion *expansions, size_t capacity) {
    size_t count = 0;
    for (uint32_t i = origin->expansion; i; count++) {
        const struct fh_expansion_step *step = &program->expansion_steps[i - 1];
        if (count < capacity)
            expansions[count] = expansion(program, step);
        i = step->at.expansion;
    }
    return count;
}

const struct fh_origin *fh_code_origin(const struct fhec_program *program, size_t kernel,
                                       uint32_t word) {
    if (kernel >= program->kernel_count)
        return NULL;
    const struct fh_kernel *k = &program->kernels[kernel];
    if (word < k->word_count)
        return k->origins ? &k->origins[word] : NULL;
    const struct fh_function *f = fh_code_function(program, word);
    return f && f->origins ? &f->origins[word - f->first] : NULL;
}

fhec_location fhec_kernel_location(const fhec_program *program, size_t kernel, uint32_t word) {
    const struct fh_origin *origin = fh_code_origin(program, kernel, word);
    return origin ? fh_origin_location(program, origin) : (fhec_location){0};
}

size_t fhec_kernel_expansions(const fhec_program *program, size_t kernel, uint32_t word,
                              fhec_expansion *expansions, size_t capacity) {
    const struct fh_origin *origin = fh_code_origin(program, kernel, word);
    return origin ? fh_origin_expansions(program, origin, expansions, capacity) : 0;
}

void fh_code_place(const struct fhec_program *program, size_t kernel, uint32_t word,
                   fhec_diagnostic *d, fhec_expansion expansions[FHEC_MAX_EXPANSIONS]) {
    d->at = fhec_kernel_location(program, kernel, word);
    d->expansions = expansions;
    d->expansion_count =
        fhec_kernel_expansions(program, kernel, word, expansions, FHEC_MAX_EXPANSIONS);
}

const char *fhec_program_test(const fhec_program *program, size_t index, fhec_location *at) {
    if (at)
        *at = (fhec_location){0};
    if (index >= program->test_count)
        return NULL;
    if (at)
        *at = fh_origin_location(program, &program->tests[index].origin);
    return program->tests[index].text;
}

bool fhec_kernel_expectation(const fhec_program *program, size_t kernel, size_t index,
                             fhec_expectation *expectation) {
    uint32_t low = 0, high = program->expectation_count;
    while (low < high) { /* the kernel's first one */
        const uint32_t middle = low + (high - low) / 2;
        if (program->expectations[middle].kernel < kernel)
            low = middle + 1;
        else
            high = middle;
    }
    if (index >= program->expectation_count - low)
        return false;
    const struct fh_expectation *e = &program->expectations[low + index];
    if (e->kernel != kernel)
        return false;
    *expectation = (fhec_expectation){
        .contract = (fhec_contract)e->contract,
        .word = e->word,
        .at = fh_origin_location(program, &e->origin),
        .text = e->text,
        .operand = e->operand,
        .uniform = e->uniform,
        .reg = e->reg,
        .relation = (fhec_relation)e->relation,
        .buffer = e->buffer,
        .terms = e->terms,
        .term_count = e->term_count,
        .left_count = e->left_count,
        .congruent = e->congruent,
        .names = (const char *const *)e->names,
        .name_count = e->name_count,
    };
    return true;
}

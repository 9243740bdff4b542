/*
 * meanings.c - what a source's names stand for at an instruction, from the list that the assembler
 * has made while it read.
 */
#include "program.h"

#include <string.h>

/* Where the code of a word begins in the list; the word becomes one of that code. False: the list
 * does not know it. */
static bool find_code(const fhec_program *p, size_t kernel, uint32_t *word, uint32_t *begin) {
    const struct fh_function *f = fh_code_function(p, *word);
    const uint32_t index = f ? (uint32_t)(f - p->functions) : (uint32_t)kernel;
    if (f)
        *word -= f->first;
    for (uint32_t i = 0; i < p->meaning_count; i++) {
        const struct fh_meaning *m = &p->meanings[i];
        if (m->name != FH_NO_NAME || m->word != index || m->function != (f != NULL))
            continue;
        *begin = i;
        return true;
    }
    return false;
}

/* A range of the list, of which [begin, end) is the code whose own names are known. */
struct view {
    const fhec_program *program;
    uint32_t name, begin, end;
};

static bool is_meant(const struct view *v, uint32_t i) {
    const struct fh_meaning *m = &v->program->meanings[i];
    return m->name == v->name && (!m->own || (i >= v->begin && i < v->end));
}

static fhec_name public_view(const struct fh_meaning *m) {
    const bool registers = m->kind == FHEC_NAME_REGISTERS;
    return (fhec_name){.kind = (fhec_name_kind)m->kind,
                       .value = registers ? 0 : m->value,
                       .large = m->large,
                       .file = (fhec_register_file)m->file,
                       .first = m->first,
                       .low = registers ? (uint32_t)m->value : 0,
                       .count = m->count};
}

bool fhec_kernel_name(const fhec_program *p, size_t kernel, uint32_t word, const char *name,
                      fhec_name *meaning) {
    struct view v = {.program = p};
    uint32_t here;
    *meaning = (fhec_name){0};
    while (v.name < p->name_count && strcmp(p->names[v.name], name) != 0)
        v.name++;
    if (v.name == p->name_count || !find_code(p, kernel, &word, &v.begin))
        return false;
    for (v.end = v.begin + 1; v.end < p->meaning_count; v.end++)
        if (p->meanings[v.end].name == FH_NO_NAME)
            break;
    for (here = v.begin + 1; here < v.end && p->meanings[here].word <= word; here++)
        ;
    for (uint32_t i = here; i-- > 0;) {
        if (!is_meant(&v, i))
            continue;
        *meaning = public_view(&p->meanings[i]);
        return true;
    }
    for (uint32_t i = here; i < p->meaning_count; i++) {
        if (!is_meant(&v, i))
            continue;
        *meaning = public_view(&p->meanings[i]);
        return true;
    }
    return false;
}

const char *fhec_program_name(const fhec_program *p, size_t index) {
    return index < p->name_count ? p->names[index] : NULL;
}

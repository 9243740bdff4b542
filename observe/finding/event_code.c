/*
 * event_code.c - see event_code.h.
 */
#include "event_code.h"

#include <stdlib.h>

/* An entry, what is the checker's own behind it, and the entry of another word that was at the same
 * place before. */
struct entry {
    struct fh_code_entry is;
    struct entry *older;
    _Alignas(max_align_t) unsigned char own[];
};

struct kernel {
    const fhec_program *program;
    size_t index;
    struct entry **entries; /* by pc / 16 */
    size_t room;
};

struct fh_code {
    size_t own_bytes;
    void (*prepare)(void *own, const fhec_instruction *instruction);
    struct kernel *kernels;
    size_t count, last; /* last: that was asked for */
};

struct fh_code *fh_code_new(size_t own_bytes,
                            void (*prepare)(void *own, const fhec_instruction *instruction)) {
    struct fh_code *code = calloc(1, sizeof *code);
    if (code) {
        code->own_bytes = own_bytes;
        code->prepare = prepare;
    }
    return code;
}

void fh_code_free(struct fh_code *code) {
    for (size_t k = 0; code && k < code->count; k++) {
        for (size_t i = 0; i < code->kernels[k].room; i++) {
            for (struct entry *e = code->kernels[k].entries[i], *older; e; e = older) {
                older = e->older;
                free(e);
            }
        }
        free(code->kernels[k].entries);
    }
    if (code)
        free(code->kernels);
    free(code);
}

static struct kernel *kernel_of(struct fh_code *code, const fhec_launch *launch) {
    for (size_t n = 0; n < code->count; n++) {
        const size_t i = (code->last + n) % code->count;
        struct kernel *k = &code->kernels[i];
        if (k->program == launch->program && k->index == launch->kernel) {
            code->last = i;
            return k;
        }
    }
    struct kernel *kernels = realloc(code->kernels, (code->count + 1) * sizeof *kernels);
    if (!kernels)
        return NULL;
    code->kernels = kernels;
    code->last = code->count++;
    kernels[code->last] = (struct kernel){.program = launch->program, .index = launch->kernel};
    return &kernels[code->last];
}

/* The place of the entry at pc. */
static struct entry **place_in(struct kernel *kernel, uint64_t pc) {
    const uint64_t i = pc / sizeof(fhec_word);
    if (i < kernel->room)
        return &kernel->entries[i];
    const uint64_t room = i < 128 ? 256 : 2 * i;
    struct entry **entries = room < SIZE_MAX / sizeof(struct entry *)
                                 ? realloc(kernel->entries, (size_t)room * sizeof(struct entry *))
                                 : NULL;
    if (!entries)
        return NULL;
    for (size_t k = kernel->room; k < room; k++)
        entries[k] = NULL;
    kernel->entries = entries;
    kernel->room = (size_t)room;
    return &entries[i];
}

static struct entry *make(const struct fh_code *code, const fhec_event *event) {
    struct entry *made = calloc(1, sizeof *made + code->own_bytes);
    if (!made)
        return NULL;
    fhec_instruction *instruction = &made->is.instruction;
    if (fhec_instruction_get(event->word, event->pc, instruction) != FHEC_OK)
        *instruction = (fhec_instruction){.pc = event->pc, .klass = ""};
    instruction->word = event->word;
    made->is.own = made->own;
    if (code->prepare)
        code->prepare(made->own, instruction);
    return made;
}

const struct fh_code_entry *fh_code_of(struct fh_code *code, const fhec_event *event) {
    struct kernel *kernel = kernel_of(code, event->launch);
    struct entry **place = kernel ? place_in(kernel, event->pc) : NULL;
    if (!place)
        return NULL;
    const struct entry *there = *place;
    if (there && there->is.instruction.word.lo == event->word.lo &&
        there->is.instruction.word.hi == event->word.hi)
        return &there->is;
    struct entry *made = make(code, event);
    if (!made)
        return NULL;
    made->older = *place;
    *place = made;
    return &made->is;
}

/*
 * profiled_code.c - see profiled_code.h.
 */
#include "profiled_code.h"

#include "footprint.h"
#include "trace_bytes.h"

#include <stdlib.h>
#include <string.h>

enum { CHAIN_SIZE = 4096, NEAR = 32 };

void fh_profiled_code_free(struct fh_profiled_code *code) {
    for (size_t i = 0; i < code->count; i++) {
        free(code->kernels[i]->name);
        free(code->kernels[i]->words);
        free(code->kernels[i]);
    }
    for (size_t i = 0; i < code->string_count; i++)
        free(code->strings[i]);
    free(code->kernels);
    free(code->strings);
    *code = (struct fh_profiled_code){0};
}

/* ---------------------------------------------------------------- one word */

/* A copy that lives as long as the code. Neighbours often have the same ones. */
static const char *keep(struct fh_profiled_code *code, const char *text) {
    const size_t back = code->string_count < NEAR ? 0 : code->string_count - NEAR;
    for (size_t i = code->string_count; i-- > back;)
        if (!strcmp(code->strings[i], text))
            return code->strings[i];
    char *copy = malloc(strlen(text) + 1);
    if (!copy || !fh_trace_room(&code->strings, &code->string_room, code->string_count + 1,
                                sizeof *code->strings)) {
        free(copy);
        code->failed = true;
        return NULL;
    }
    code->strings[code->string_count++] = strcpy(copy, text);
    return copy;
}

/* The function of the program that begins at the word. */
static const char *function_at(struct fh_profiled_code *code,
                               const struct fh_profiled_search *search) {
    const uint64_t pc = (uint64_t)search->seen * sizeof(fhec_word);
    fhec_function_info info;
    for (size_t i = 0; fhec_function_get(search->program, i, &info) == FHEC_OK; i++)
        if (info.pc == pc)
            return keep(code, info.name);
    return NULL;
}

static void locate(struct fh_profiled_code *code, const struct fh_profiled_search *search,
                   struct fh_profiled_word *to) {
    fhec_expansion steps[FHEC_MAX_EXPANSIONS];
    char text[CHAIN_SIZE];
    const fhec_location at = fhec_kernel_location(search->program, search->kernel, search->seen);
    to->function = function_at(code, search);
    if (!at.file)
        return;
    to->file = keep(code, at.file);
    to->line = at.line;
    const size_t count = fhec_kernel_expansions(search->program, search->kernel, search->seen,
                                                steps, FHEC_MAX_EXPANSIONS);
    if (count && fhec_format_location(&at, steps, count, text, sizeof text))
        to->chain = keep(code, text);
}

static bool begins(const char *text, const char *with) {
    return strncmp(text, with, strlen(with)) == 0;
}

/* What is counted of it while it runs: accesses, and where lanes may part. */
static void classify(struct fh_profiled_kernel *kernel, struct fh_profiled_word *to, uint64_t pc) {
    fhec_instruction instruction;
    if (fhec_instruction_get(to->word, pc, &instruction) != FHEC_OK)
        return;
    const char *name = instruction.mnemonic;
    const bool constant = begins(name, "LDC") || begins(name, "ULDC");
    if ((strcmp(instruction.klass, "memory") != 0 || constant) &&
        strcmp(instruction.klass, "control") != 0)
        return;
    to->slot = ++kernel->slots;
    to->shared = begins(name, "LDSM")                           ? FH_SHARED_MATRICES
                 : begins(name, "ATOM") || begins(name, "RED")  ? FH_SHARED_ATOMIC
                 : begins(name, "ST") || begins(name, "LDGSTS") ? FH_SHARED_STORE
                                                                : FH_SHARED_LOAD;
}

/* ---------------------------------------------------------------- kernels */

static const char *name_of(const fhec_program *program, size_t kernel, uint32_t *own) {
    fhec_kernel_info info;
    if (fhec_kernel_get(program, kernel, &info) != FHEC_OK)
        return "";
    *own = info.word_count;
    return info.name;
}

static bool is_there(const struct fh_profiled_kernel *k, const struct fh_profiled_search *search,
                     uint32_t i) {
    const fhec_location at = fhec_kernel_location(search->program, search->kernel, i);
    const struct fh_profiled_word *w = &k->words[i];
    return at.file && w->file ? at.line == w->line && !strcmp(at.file, w->file)
                              : !at.file == !w->file;
}

static bool is_word(const struct fh_profiled_kernel *k, uint32_t i, fhec_word word) {
    return i < k->count && k->words[i].word.lo == word.lo && k->words[i].word.hi == word.hi;
}

static bool same_text(const char *a, const char *b) {
    return a && b ? a == b || strcmp(a, b) == 0 : a == b;
}

/* Whether their words are the same, written at the same places. */
static bool is_like(const struct fh_profiled_kernel *k, const struct fh_profiled_kernel *like) {
    if (strcmp(k->name, like->name) != 0 || k->own != like->own || k->count != like->count)
        return false;
    for (uint32_t i = 0; i < k->count; i++) {
        const struct fh_profiled_word *a = &k->words[i], *b = &like->words[i];
        if (!is_word(k, i, b->word) || a->line != b->line || !same_text(a->file, b->file) ||
            !same_text(a->chain, b->chain))
            return false;
    }
    return true;
}

/* One with the first `count` words of `like`, not counted yet. */
static struct fh_profiled_kernel *add(struct fh_profiled_code *code, const char *name,
                                      const struct fh_profiled_kernel *like, uint32_t count) {
    struct fh_profiled_kernel *made = calloc(1, sizeof *made);
    size_t room = 0;
    bool fine =
        made && fh_trace_room(&code->kernels, &code->room, code->count + 1, sizeof *code->kernels);
    if (fine) {
        made->name = malloc(strlen(name) + 1);
        fine = made->name && fh_trace_room(&made->words, &room, count + 1, sizeof *made->words);
    }
    if (!fine) {
        if (made)
            free(made->name);
        free(made);
        code->failed = true;
        return NULL;
    }
    strcpy(made->name, name);
    made->room = (uint32_t)room;
    made->count = count;
    for (uint32_t i = 0; i < count; i++) {
        made->words[i] = like->words[i];
        made->words[i].counts = (struct fh_profile_counts){0};
        made->words[i].worst = (struct fh_profile_worst){0};
        made->slots += made->words[i].slot != 0;
    }
    made->own = like ? like->own : 0;
    return code->kernels[code->count++] = made;
}

void fh_profiled_begin(struct fh_profiled_code *code, struct fh_profiled_search *search,
                       const fhec_program *program, size_t kernel) {
    uint32_t own = 0;
    const char *name = name_of(program, kernel, &own);
    *search = (struct fh_profiled_search){.program = program, .kernel = kernel};
    for (size_t i = 0; i < code->count && !search->at; i++) {
        struct fh_profiled_kernel *k = code->kernels[i];
        if (k->program == program && k->kernel == kernel && k->own == own && own &&
            !strcmp(k->name, name) && is_there(k, search, 0) && is_there(k, search, own - 1))
            search->at = k;
    }
    if (search->at)
        return;
    /* A new one, which is given up in the end if all its words are those of another one. */
    search->at = add(code, name, NULL, 0);
    search->fresh = true;
    if (search->at) {
        search->at->own = own;
        search->at->program = program;
        search->at->kernel = kernel;
    }
}

static void append(struct fh_profiled_code *code, struct fh_profiled_search *search,
                   fhec_word word) {
    struct fh_profiled_kernel *k = search->at;
    size_t room = k->room;
    if (!fh_trace_room(&k->words, &room, k->count + 1, sizeof *k->words)) {
        code->failed = true;
        search->at = NULL;
        return;
    }
    k->room = (uint32_t)room;
    k->words[k->count] = (struct fh_profiled_word){.word = word};
    locate(code, search, &k->words[k->count]);
    classify(k, &k->words[k->count], (uint64_t)k->count * sizeof word);
    k->count++;
}

void fh_profiled_next(struct fh_profiled_code *code, struct fh_profiled_search *search,
                      fhec_word word) {
    if (search->at && !search->fresh && !is_word(search->at, search->seen, word)) {
        /* Another program lies where one was that has been freed. */
        search->at = add(code, search->at->name, search->at, search->seen);
        search->fresh = true;
        if (search->at) {
            search->at->program = search->program;
            search->at->kernel = search->kernel;
        }
    }
    if (search->at && search->fresh)
        append(code, search, word);
    search->seen++;
}

struct fh_profiled_word *fh_profiled_last(const struct fh_profiled_search *search) {
    return search->at && search->seen ? &search->at->words[search->seen - 1] : NULL;
}

static void remove_last(struct fh_profiled_code *code) {
    struct fh_profiled_kernel *last = code->kernels[--code->count];
    free(last->name);
    free(last->words);
    free(last);
}

struct fh_profiled_kernel *fh_profiled_end(struct fh_profiled_code *code,
                                           struct fh_profiled_search *search) {
    struct fh_profiled_kernel *at = search->at;
    if (at && !search->fresh && search->seen < at->count) {
        at = add(code, at->name, at, search->seen);
        search->fresh = true;
    }
    for (size_t i = 0; at && search->fresh && i + 1 < code->count; i++) {
        struct fh_profiled_kernel *k = code->kernels[i];
        if (!is_like(k, at))
            continue;
        k->program = search->program;
        k->kernel = search->kernel;
        remove_last(code);
        at = k;
        break;
    }
    search->at = at;
    search->fresh = false;
    return at;
}

/* ---------------------------------------------------------------- together */

void fh_profiled_counts_add(struct fh_profile_counts *to, const struct fh_profile_counts *from) {
    to->warp += from->warp;
    to->thread += from->thread;
    to->divergences += from->divergences;
    to->requests += from->requests;
    to->sectors += from->sectors;
    to->ideal += from->ideal;
    to->local_requests += from->local_requests;
    to->local_sectors += from->local_sectors;
    to->local_ideal += from->local_ideal;
    to->shared_requests += from->shared_requests;
    to->passes += from->passes;
    to->conflicts += from->conflicts;
}

static struct fh_profiled_kernel *like(struct fh_profiled_code *code,
                                       const struct fh_profiled_kernel *from) {
    for (size_t i = 0; i < code->count; i++)
        if (is_like(code->kernels[i], from))
            return code->kernels[i];
    struct fh_profiled_kernel *made = add(code, from->name, from, from->count);
    for (uint32_t i = 0; made && i < made->count; i++) {
        struct fh_profiled_word *w = &made->words[i];
        w->file = w->file ? keep(code, w->file) : NULL;
        w->chain = w->chain ? keep(code, w->chain) : NULL;
        w->function = w->function ? keep(code, w->function) : NULL;
        classify(made, w, (uint64_t)i * sizeof(fhec_word));
    }
    return made;
}

void fh_profiled_merge(struct fh_profiled_code *code, const struct fh_profiled_kernel *from) {
    struct fh_profiled_kernel *to = like(code, from);
    if (!to)
        return;
    to->launches += from->launches;
    to->blocks += from->blocks;
    to->threads += from->threads;
    to->partial |= from->partial;
    if (from->launches) {
        memcpy(to->grid, from->grid, sizeof to->grid);
        memcpy(to->block, from->block, sizeof to->block);
    }
    for (uint32_t i = 0; i < from->count; i++) {
        fh_profiled_counts_add(&to->words[i].counts, &from->words[i].counts);
        if (from->words[i].worst.ways > to->words[i].worst.ways)
            to->words[i].worst = from->words[i].worst;
    }
}

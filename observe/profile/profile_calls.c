/*
 * profile_calls.c - see profile_calls.h.
 */
#include "profile_calls.h"

#include "fhec_session.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NONE = UINT32_MAX };
enum { COUNTS = sizeof(struct fh_profile_counts) / sizeof(uint64_t) };

/* ---------------------------------------------------------------- functions */

static bool control_of(const struct fh_profiled_kernel *kernel, uint32_t word, fhec_control *c) {
    return fhec_control_get(kernel->words[word].word, (uint64_t)word * sizeof(fhec_word), c) ==
           FHEC_OK;
}

/* The word that control goes to; NONE: nobody knows, or none of these. */
static uint32_t target_of(const struct fh_profiled_kernel *kernel, const fhec_control *c) {
    const uint64_t word = c->target / sizeof(fhec_word);
    return c->target != FHEC_NO_TARGET && word < kernel->count ? (uint32_t)word : NONE;
}

/* The function that begins there, which is made if there is none; room for all of them is there. */
static uint32_t function_at(struct fh_profile_calls *calls, uint32_t entry) {
    uint32_t i = 0;
    while (i < calls->count && calls->functions[i].entry != entry)
        i++;
    if (i < calls->count)
        return i;
    struct fh_called *made = &calls->functions[calls->count++];
    const char *name = calls->kernel->words[entry].function;
    *made = (struct fh_called){.entry = entry};
    if (!entry || name)
        snprintf(made->name, sizeof made->name, "%s", entry ? name : calls->kernel->name);
    else
        snprintf(made->name, sizeof made->name, "%.180s+0x%llx", calls->kernel->name,
                 (unsigned long long)entry * sizeof(fhec_word));
    return i;
}

/* Gives a function the words that its entry leads to without a call, but for those of others. */
static void own_words(struct fh_profile_calls *calls, uint32_t function, uint32_t *stack) {
    uint32_t depth = 0;
    stack[depth++] = calls->functions[function].entry;
    while (depth) {
        const uint32_t word = stack[--depth];
        fhec_control c;
        if (!control_of(calls->kernel, word, &c))
            continue;
        const uint32_t to[2] = {c.calls ? NONE : target_of(calls->kernel, &c),
                                c.falls || c.calls ? word + 1 : NONE};
        for (unsigned i = 0; i < 2; i++)
            if (to[i] < calls->kernel->count && calls->owner[to[i]] == NONE) {
                calls->owner[to[i]] = function;
                stack[depth++] = to[i];
            }
    }
}

static void find_functions(struct fh_profile_calls *calls, uint32_t *stack) {
    const struct fh_profiled_kernel *kernel = calls->kernel;
    (void)function_at(calls, 0);
    for (uint32_t i = 0; i < kernel->count; i++) {
        fhec_control c;
        calls->owner[i] = calls->callee[i] = NONE;
        if (kernel->words[i].function)
            (void)function_at(calls, i);
        if (control_of(kernel, i, &c) && c.calls && target_of(kernel, &c) != NONE)
            calls->callee[i] = function_at(calls, target_of(kernel, &c));
    }
    for (uint32_t f = 0; f < calls->count; f++)
        calls->owner[calls->functions[f].entry] = f; /* whoever falls or branches into it */
    for (uint32_t f = 0; f < calls->count; f++)
        own_words(calls, f, stack);
    /* What only indirect branches lead to belongs to what it stands behind. */
    for (uint32_t i = 1; i < kernel->count; i++)
        if (calls->owner[i] == NONE)
            calls->owner[i] = calls->owner[i - 1];
}

/* ---------------------------------------------------------------- costs */

/* The part of a number that falls to calls from `before` to `before` + `own` of `all`. */
static uint64_t part_of(uint64_t number, uint64_t before, uint64_t own, uint64_t all) {
    const __uint128_t wide = number;
    return (uint64_t)(wide * (before + own) / all) - (uint64_t)(wide * before / all);
}

void fh_profile_calls_share(const struct fh_profile_calls *calls, uint32_t site,
                            struct fh_profile_counts *share) {
    const struct fh_called *callee = &calls->functions[calls->callee[site]];
    uint64_t before = 0, numbers[COUNTS];
    for (uint32_t i = 0; i < site; i++)
        if (calls->callee[i] == calls->callee[site] && !calls->back[i])
            before += calls->kernel->words[i].counts.warp;
    memcpy(numbers, &callee->inclusive, sizeof numbers);
    for (unsigned i = 0; i < COUNTS; i++)
        numbers[i] =
            callee->calls && !calls->back[site]
                ? part_of(numbers[i], before, calls->kernel->words[site].counts.warp, callee->calls)
                : 0;
    memcpy(share, numbers, sizeof *share);
}

/* Which calls go back to what is under way, and how often the others were made. Functions nest as
 * deep as there are functions, at most. */
static void find_back(struct fh_profile_calls *calls, uint32_t function) {
    struct fh_called *f = &calls->functions[function];
    f->under_way = true;
    for (uint32_t i = 0; i < calls->kernel->count; i++) {
        if (calls->owner[i] != function || calls->callee[i] == NONE)
            continue;
        struct fh_called *g = &calls->functions[calls->callee[i]];
        calls->back[i] = g->under_way;
        if (!g->under_way)
            g->calls += calls->kernel->words[i].counts.warp;
        if (!g->under_way && !g->found)
            find_back(calls, calls->callee[i]);
    }
    f->under_way = false;
    f->found = true;
}

/* Adds up what a function took. */
static void add_up(struct fh_profile_calls *calls, uint32_t function) {
    struct fh_called *f = &calls->functions[function];
    for (uint32_t i = 0; i < calls->kernel->count; i++) {
        if (calls->owner[i] != function)
            continue;
        fh_profiled_counts_add(&f->inclusive, &calls->kernel->words[i].counts);
        if (calls->callee[i] == NONE || calls->back[i])
            continue;
        struct fh_profile_counts share;
        if (!calls->functions[calls->callee[i]].done)
            add_up(calls, calls->callee[i]);
        fh_profile_calls_share(calls, i, &share);
        fh_profiled_counts_add(&f->inclusive, &share);
    }
    f->done = true;
}

bool fh_profile_calls_make(struct fh_profile_calls *calls,
                           const struct fh_profiled_kernel *kernel) {
    const size_t count = (size_t)kernel->count + 1;
    uint32_t *stack = malloc(count * sizeof *stack);
    *calls = (struct fh_profile_calls){.kernel = kernel};
    calls->owner = malloc(count * sizeof *calls->owner);
    calls->callee = malloc(count * sizeof *calls->callee);
    calls->back = calloc(count, sizeof *calls->back);
    calls->functions = calloc(count, sizeof *calls->functions);
    const bool fine = stack && calls->owner && calls->back && calls->callee && calls->functions;
    if (fine && kernel->count) {
        find_functions(calls, stack);
        for (uint32_t f = 0; f < calls->count; f++)
            if (!calls->functions[f].found)
                find_back(calls, f);
        for (uint32_t f = 0; f < calls->count; f++)
            if (!calls->functions[f].done)
                add_up(calls, f);
    }
    free(stack);
    return fine;
}

void fh_profile_calls_free(struct fh_profile_calls *calls) {
    free(calls->owner);
    free(calls->callee);
    free(calls->back);
    free(calls->functions);
    *calls = (struct fh_profile_calls){0};
}

/*
 * location.c - see location.h.
 */
#include "location.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

void fh_put_expansion(struct fh_fixed_text *to, const fhec_expansion *e) {
    switch (e->kind) {
    case FHEC_EXPANSION_MACRO: fh_fixed_print(to, "macro %s", e->name); break;
    case FHEC_EXPANSION_REPETITION:
        fh_fixed_print(to, "iteration %" PRIu32 " of %s", e->iteration, e->name);
        break;
    case FHEC_EXPANSION_INCLUDE: fh_fixed_puts(to, "include"); break;
    }
}

size_t fhec_format_expansion(const fhec_expansion *expansion, char *text, size_t size) {
    struct fh_fixed_text to = {text, size, 0};
    fh_put_expansion(&to, expansion);
    return fh_fixed_end(&to);
}

static void put_place(struct fh_fixed_text *to, const fhec_location *at) {
    fh_fixed_print(to, "%s:%" PRIu32, at->file ? at->file : "?", at->line);
}

void fh_put_location(struct fh_fixed_text *to, const fhec_location *at,
                     const fhec_expansion *expansions, size_t count) {
    static const char *const leads[] = {
        [FHEC_EXPANSION_MACRO] = ", from ", [FHEC_EXPANSION_REPETITION] = " at "};
    if (!at->file)
        return;
    put_place(to, at);
    for (size_t i = 0; i < count; i++) {
        const fhec_expansion *e = &expansions[i];
        fh_fixed_puts(to, i ? ", " : " (");
        if (e->kind == FHEC_EXPANSION_INCLUDE) {
            fh_fixed_puts(to, "included from ");
        } else {
            fh_fixed_puts(to, "in ");
            fh_put_expansion(to, e);
            fh_fixed_puts(to, leads[e->kind]);
        }
        put_place(to, &e->at);
    }
    if (count)
        fh_fixed_puts(to, ")");
}

size_t fhec_format_location(const fhec_location *at, const fhec_expansion *expansions, size_t count,
                            char *text, size_t size) {
    struct fh_fixed_text to = {text, size, 0};
    fh_put_location(&to, at, expansions, count);
    return fh_fixed_end(&to);
}

static const char *keep(char **to, const char *text) {
    if (!text)
        return NULL;
    const size_t size = strlen(text) + 1;
    char *copy = memcpy(*to, text, size);
    *to += size;
    return copy;
}

fhec_expansion *fh_expansions_copy(const fhec_expansion *expansions, size_t count) {
    size_t size = count * sizeof *expansions;
    for (size_t i = 0; i < count; i++) {
        const fhec_expansion *e = &expansions[i];
        size += strlen(e->name) + 1 + (e->at.file ? strlen(e->at.file) + 1 : 0);
    }
    fhec_expansion *copy = count ? malloc(size) : NULL;
    if (!copy)
        return NULL;
    char *text = (char *)(copy + count);
    for (size_t i = 0; i < count; i++) {
        copy[i] = expansions[i];
        copy[i].name = keep(&text, expansions[i].name);
        copy[i].at.file = keep(&text, expansions[i].at.file);
    }
    return copy;
}

/*
 * profile_sums.c - see profile_sums.h.
 */
#include "profile_sums.h"

#include <stdlib.h>
#include <string.h>

/* What the words are sorted by. */
struct key {
    uint32_t file, line, word;
};

static int compare_keys(const void *a, const void *b) {
    const struct key *x = a, *y = b;
    if (x->file != y->file)
        return x->file < y->file ? -1 : 1;
    if (x->line != y->line)
        return x->line < y->line ? -1 : 1;
    return x->word < y->word ? -1 : x->word > y->word;
}

/* A number for the word's file: the first word that is from it. */
static uint32_t file_of(const struct fh_profiled_kernel *kernel, const struct key *keys,
                        uint32_t count, uint32_t word) {
    const char *file = kernel->words[word].file;
    if (!file)
        return UINT32_MAX;
    for (uint32_t i = count; i-- > 0;) {
        const char *other = kernel->words[keys[i].word].file;
        if (other && (other == file || !strcmp(other, file)))
            return keys[i].file;
    }
    return word;
}

static void add_word(struct fh_profile_sum *sum, const struct fh_profiled_word *word,
                     const struct fh_code_fact *fact, bool any_ran) {
    fh_profiled_counts_add(&sum->counts, &word->counts);
    sum->reused += word->counts.warp * fact->reused;
    if (any_ran && !word->counts.warp)
        return;
    if (fact->live > sum->live)
        sum->live = fact->live;
    if (fact->live_uniform > sum->live_uniform)
        sum->live_uniform = fact->live_uniform;
}

static void add_line(struct fh_profile_sums *s, struct fh_profile_line *line) {
    bool any = false;
    for (uint32_t i = 0; i < line->count; i++)
        any |= s->kernel->words[s->order[line->first + i]].counts.warp != 0;
    for (uint32_t i = 0; i < line->count; i++) {
        const uint32_t w = s->order[line->first + i];
        add_word(&line->sum, &s->kernel->words[w], &s->facts[w], any);
    }
}

static void make_lines(struct fh_profile_sums *s, const struct key *keys, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        const struct fh_profiled_word *w = &s->kernel->words[keys[i].word];
        struct fh_profile_line *line = &s->lines[s->line_count];
        s->order[i] = keys[i].word;
        if (!i || keys[i].file != keys[i - 1].file || keys[i].line != keys[i - 1].line) {
            *line = (struct fh_profile_line){.file = w->file, .line = w->line, .first = i};
            s->line_count++;
        } else {
            line--;
        }
        line->count++;
    }
    for (uint32_t i = 0; i < s->line_count; i++)
        add_line(s, &s->lines[i]);
}

static void add_class(struct fh_profile_sums *s, const char *name, uint64_t warp) {
    uint32_t at = 0;
    while (at < s->class_count && strcmp(s->classes[at].name, name) != 0)
        at++;
    if (at == FH_PROFILE_CLASSES)
        return;
    if (at == s->class_count)
        s->classes[s->class_count++].name = name;
    s->classes[at].warp += warp;
    for (; at && s->classes[at].warp > s->classes[at - 1].warp; at--) {
        const struct fh_profile_class held = s->classes[at];
        s->classes[at] = s->classes[at - 1];
        s->classes[at - 1] = held;
    }
}

static void make_all(struct fh_profile_sums *s) {
    const struct fh_profiled_kernel *k = s->kernel;
    bool any = false;
    for (uint32_t i = 0; i < k->count; i++)
        any |= k->words[i].counts.warp != 0;
    for (uint32_t i = 0; i < k->count; i++) {
        const uint32_t live = s->all.live;
        if (!s->facts[i].known)
            continue;
        add_word(&s->all, &k->words[i], &s->facts[i], any);
        if (s->all.live > live)
            s->most_live = i;
        if (k->words[i].counts.warp)
            add_class(s, s->facts[i].klass, k->words[i].counts.warp);
    }
}

bool fh_profile_sums_make(struct fh_profile_sums *sums, const struct fh_profiled_kernel *kernel) {
    struct key *keys = calloc(kernel->count + 1u, sizeof *keys);
    uint32_t count = 0;
    *sums = (struct fh_profile_sums){.kernel = kernel, .facts = fh_code_facts(kernel)};
    sums->order = calloc(kernel->count + 1u, sizeof *sums->order);
    sums->lines = calloc(kernel->count + 1u, sizeof *sums->lines);
    const bool fine = keys && sums->facts && sums->order && sums->lines;
    for (uint32_t i = 0; fine && i < kernel->count; i++) {
        if (!sums->facts[i].known)
            continue;
        const uint32_t file = file_of(kernel, keys, count, i);
        keys[count++] = (struct key){file, file == UINT32_MAX ? 0 : kernel->words[i].line, i};
    }
    if (fine) {
        qsort(keys, count, sizeof *keys, compare_keys);
        make_lines(sums, keys, count);
        make_all(sums);
    }
    free(keys);
    return fine;
}

void fh_profile_sums_free(struct fh_profile_sums *sums) {
    free(sums->facts);
    free(sums->order);
    free(sums->lines);
    *sums = (struct fh_profile_sums){0};
}

/*
 * profile_lcov.c - which lines of kernels have run, as a tracefile of lcov (man 1 geninfo), of
 * which genhtml makes pages. A line has run as often as the instruction of it that has run most,
 * since one line may give several; kernels that were not launched count, too.
 */
#include "profile_report.h"

#include <stdlib.h>
#include <string.h>

/* A line that an instruction comes from, or the line that a kernel begins at. */
struct entry {
    const char *file;
    uint32_t line;
    uint64_t warp;
    const char *kernel; /* that begins here; NULL: none */
};

static int compare_entries(const void *a, const void *b) {
    const struct entry *x = a, *y = b;
    const int files = strcmp(x->file, y->file);
    if (files)
        return files;
    if (x->line != y->line)
        return x->line < y->line ? -1 : 1;
    if (!x->kernel != !y->kernel)
        return x->kernel ? 1 : -1;
    if (x->kernel && strcmp(x->kernel, y->kernel) != 0)
        return strcmp(x->kernel, y->kernel);
    return x->warp > y->warp ? -1 : x->warp < y->warp;
}

static bool alike(const struct entry *a, const struct entry *b) {
    return a->line == b->line && !a->kernel == !b->kernel &&
           (!a->kernel || !strcmp(a->kernel, b->kernel));
}

static void put_functions(struct fh_trace_bytes *to, const struct entry *entries, size_t count) {
    unsigned found = 0, hit = 0;
    for (size_t i = 0; i < count; i++)
        if (entries[i].kernel && (!i || !alike(&entries[i], &entries[i - 1])))
            fh_trace_print(to, "FN:%u,%s\n", entries[i].line, entries[i].kernel);
    for (size_t i = 0; i < count; i++) {
        if (!entries[i].kernel || (i && alike(&entries[i], &entries[i - 1])))
            continue;
        fh_trace_print(to, "FNDA:%llu,%s\n", (unsigned long long)entries[i].warp,
                       entries[i].kernel);
        found++;
        hit += entries[i].warp != 0;
    }
    fh_trace_print(to, "FNF:%u\nFNH:%u\n", found, hit);
}

/* The entries of one file, sorted: the first one of a line has the largest count. */
static void put_file(struct fh_trace_bytes *to, const struct entry *entries, size_t count) {
    unsigned found = 0, hit = 0;
    fh_trace_print(to, "TN:\nSF:%s\n", entries->file);
    put_functions(to, entries, count);
    for (size_t i = 0; i < count; i++) {
        if (entries[i].kernel || (i && alike(&entries[i], &entries[i - 1])))
            continue;
        fh_trace_print(to, "DA:%u,%llu\n", entries[i].line, (unsigned long long)entries[i].warp);
        found++;
        hit += entries[i].warp != 0;
    }
    fh_trace_print(to, "LF:%u\nLH:%u\nend_of_record\n", found, hit);
}

/* Words that are instructions: what lies between kernel and functions is not. */
static size_t add_kernel(struct entry *to, const struct fh_profiled_kernel *k) {
    size_t count = 0;
    for (uint32_t i = 0; i < k->count; i++) {
        const struct fh_profiled_word *w = &k->words[i];
        if (!w->file)
            continue;
        to[count++] = (struct entry){w->file, w->line, w->counts.warp, NULL};
        if (i == 0)
            to[count++] = (struct entry){w->file, w->line, k->launches, k->name};
    }
    return count;
}

bool fh_profile_lcov(struct fh_trace_bytes *to, const struct fh_profiled_code *code) {
    size_t room = 1, count = 0;
    for (size_t i = 0; i < code->count; i++)
        room += code->kernels[i]->count + (size_t)1;
    struct entry *entries = calloc(room, sizeof *entries);
    if (!entries)
        return false;
    for (size_t i = 0; i < code->count; i++)
        count += add_kernel(entries + count, code->kernels[i]);
    qsort(entries, count, sizeof *entries, compare_entries);
    for (size_t i = 0, next; i < count; i = next) {
        for (next = i + 1; next < count; next++)
            if (strcmp(entries[next].file, entries[i].file) != 0)
                break;
        put_file(to, entries + i, next - i);
    }
    free(entries);
    return !code->failed;
}

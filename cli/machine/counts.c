/*
 * counts.c - see counts.h.
 */
#include "counts.h"

#include <stdlib.h>
#include <string.h>

static int by_mnemonic(const void *a, const void *b) {
    const fhec_count *left = a, *right = b;
    return strcmp(left->mnemonic, right->mnemonic);
}

/* The count of this mnemonic, new and zero if there is none; NULL without memory. The counts are
 * sorted up to the first new one. */
static fhec_count *find(struct fh_cli_counts *sum, const fhec_count *like) {
    const size_t count = sum->stats.count_count;
    for (size_t i = 0; i < count; i++)
        if (!strcmp(sum->counts[i].mnemonic, like->mnemonic))
            return &sum->counts[i];
    fhec_count *counts = realloc(sum->counts, (count + 1) * sizeof *counts);
    if (!counts)
        return NULL;
    sum->counts = counts;
    sum->stats.counts = counts;
    char *mnemonic = strdup(like->mnemonic), *klass = strdup(like->klass);
    if (!mnemonic || !klass) {
        free(mnemonic);
        free(klass);
        return NULL;
    }
    counts[count] = (fhec_count){.mnemonic = mnemonic, .klass = klass, .pipe = like->pipe};
    sum->stats.count_count = count + 1;
    return &counts[count];
}

bool fh_cli_counts_add(struct fh_cli_counts *sum, const fhec_stats *more) {
    for (size_t i = 0; i < more->count_count; i++) {
        fhec_count *count = find(sum, &more->counts[i]);
        if (!count)
            return false;
        count->warp += more->counts[i].warp;
        count->thread += more->counts[i].thread;
    }
    if (sum->stats.count_count)
        qsort(sum->counts, sum->stats.count_count, sizeof *sum->counts, by_mnemonic);
    sum->stats.launches += more->launches;
    sum->stats.warp_insts += more->warp_insts;
    sum->stats.thread_insts += more->thread_insts;
    sum->stats.fhec_cycles += more->fhec_cycles;
    return true;
}

void fh_cli_counts_free(struct fh_cli_counts *counts) {
    for (size_t i = 0; i < counts->stats.count_count; i++) {
        free((char *)counts->counts[i].mnemonic);
        free((char *)counts->counts[i].klass);
    }
    free(counts->counts);
    *counts = (struct fh_cli_counts){0};
}

json_t *fh_cli_counts_json(const struct fh_cli_counts *counts) {
    const fhec_stats *stats = &counts->stats;
    json_t *list = json_array();
    for (size_t i = 0; i < stats->count_count; i++)
        (void)json_array_append_new(list, json_pack("[s, s, I, I]", stats->counts[i].mnemonic,
                                                    stats->counts[i].klass,
                                                    (json_int_t)stats->counts[i].warp,
                                                    (json_int_t)stats->counts[i].thread));
    if (!list || json_array_size(list) != stats->count_count) {
        json_decref(list);
        return NULL;
    }
    return json_pack("{s:I, s:I, s:I, s:I, s:o}", "launches", (json_int_t)stats->launches, "warp",
                     (json_int_t)stats->warp_insts, "thread", (json_int_t)stats->thread_insts,
                     "cycles", (json_int_t)stats->fhec_cycles, "counts", list);
}

bool fh_cli_counts_read(const json_t *object, struct fh_cli_counts *counts) {
    json_int_t launches, warp, thread, cycles;
    json_t *list;
    if (json_unpack((json_t *)object, "{s:I, s:I, s:I, s:I, s:o}", "launches", &launches, "warp",
                    &warp, "thread", &thread, "cycles", &cycles, "counts", &list) != 0)
        return false;
    for (size_t i = 0; i < json_array_size(list); i++) {
        const char *mnemonic, *klass;
        json_int_t of_warp, of_thread;
        if (json_unpack(json_array_get(list, i), "[s, s, I, I]", &mnemonic, &klass, &of_warp,
                        &of_thread) != 0)
            return false;
        const fhec_count count = {.mnemonic = mnemonic,
                                  .klass = klass,
                                  .warp = (uint64_t)of_warp,
                                  .thread = (uint64_t)of_thread};
        if (!fh_cli_counts_add(counts, &(fhec_stats){.counts = &count, .count_count = 1}))
            return false;
    }
    return fh_cli_counts_add(counts, &(fhec_stats){.launches = (uint64_t)launches,
                                                   .warp_insts = (uint64_t)warp,
                                                   .thread_insts = (uint64_t)thread,
                                                   .fhec_cycles = (uint64_t)cycles});
}

/*
 * count.c - sums of executed instructions, from counts per place to counts per mnemonic.
 */
#include "count.h"

#include "array.h"
#include "decode.h"
#include "op_names.h"

#include <stdlib.h>
#include <string.h>

/* The index of the mnemonic, or where it belongs. */
static size_t place_of(const struct fh_tally *tally, const char *mnemonic, bool *found) {
    size_t low = 0, high = tally->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        int order = strcmp(tally->counts[middle].mnemonic, mnemonic);
        if (order == 0) {
            *found = true;
            return middle;
        }
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    *found = false;
    return low;
}

/* The tally's entry of the mnemonic, which `inst` has. NULL without host memory. */
static fhec_count *entry_for(struct fh_tally *tally, const char *mnemonic,
                             const struct fh_inst *inst) {
    bool found;
    size_t at = place_of(tally, mnemonic, &found);
    if (found)
        return &tally->counts[at];
    if (!fh_grow(&tally->counts, &tally->capacity, tally->count + 1, sizeof *tally->counts))
        return NULL;
    char *text = strdup(mnemonic);
    if (!text)
        return NULL;
    memmove(&tally->counts[at + 1], &tally->counts[at],
            (tally->count - at) * sizeof *tally->counts);
    tally->counts[at] = (fhec_count){.mnemonic = text,
                                     .klass = fh_insns[inst->form->insn].klass,
                                     .pipe = fh_pipe_of(inst)->name};
    tally->count++;
    return &tally->counts[at];
}

void fh_counts_settle(const struct fh_image *image, struct fh_op_count *counts) {
    uint64_t running = 0;
    for (uint32_t i = 0; i < image->count; i++) {
        running += counts[i].entered;
        counts[i].entered = 0;
        if (fh_op_guarded(&image->ops[i])) /* has counted itself */
            continue;
        counts[i].warp += running;
        counts[i].thread += running * FH_LANES;
    }
    counts[image->count].entered = 0;
}

/* What the instructions of one mnemonic have counted. */
struct sum {
    uint64_t warp, thread;
    const struct fh_inst *first; /* of those that were issued */
};

/* The sums of the first `count` names, to be freed. NULL without host memory. */
static struct sum *sum_up(const struct fh_image *image, const struct fh_op_count *counts,
                          const struct fh_op_names *names, size_t count) {
    struct sum *sums = calloc(count + 1, sizeof *sums);
    for (uint32_t i = 0; sums && i < image->count; i++) {
        if (!counts[i].warp || names->of[i] >= count)
            continue;
        struct sum *sum = &sums[names->of[i]];
        if (!sum->first)
            sum->first = image->ops[i].inst;
        sum->warp += counts[i].warp;
        sum->thread += counts[i].thread;
    }
    return sums;
}

bool fh_tally_add(struct fh_tally *tally, const struct fh_image *image,
                  const struct fh_op_count *counts) {
    struct fh_op_names *names = fh_image_names(image);
    bool complete = names != NULL;
    for (uint32_t i = 0; i < image->count; i++) {
        tally->warp_insts += counts[i].warp;
        tally->thread_insts += counts[i].thread;
        complete &= !counts[i].warp || (names && fh_op_name(names, image->ops, i));
    }
    const size_t count = names ? names->count : 0;
    struct sum *sums = names ? sum_up(image, counts, names, count) : NULL;
    for (size_t k = 0; sums && k < count; k++) {
        if (!sums[k].first)
            continue;
        fhec_count *entry = entry_for(tally, names->texts[k], sums[k].first);
        if (entry) {
            entry->warp += sums[k].warp;
            entry->thread += sums[k].thread;
        }
        complete &= entry != NULL;
    }
    complete &= sums != NULL;
    free(sums);
    return complete;
}

void fh_tally_clear(struct fh_tally *tally) {
    for (size_t i = 0; i < tally->count; i++)
        free((char *)tally->counts[i].mnemonic);
    free(tally->counts);
    *tally = (struct fh_tally){0};
}

bool fh_tally_copy(struct fh_tally *to, const struct fh_tally *from) {
    struct fh_tally copy = *from;
    copy.counts = NULL;
    copy.count = copy.capacity = 0;
    bool complete = fh_grow(&copy.counts, &copy.capacity, from->count, sizeof *copy.counts);
    for (size_t i = 0; complete && i < from->count; i++) {
        copy.counts[i] = from->counts[i];
        const size_t size = strlen(from->counts[i].mnemonic) + 1;
        char *text = malloc(size);
        complete = text != NULL;
        copy.counts[i].mnemonic = text ? memcpy(text, from->counts[i].mnemonic, size) : NULL;
        copy.count += complete;
    }
    if (!complete)
        fh_tally_clear(&copy);
    *to = copy;
    return complete;
}

/*
 * count.h - dynamic instruction counts by full mnemonic.
 */
#ifndef FH_COUNT_H
#define FH_COUNT_H

#include "launch.h"

struct fh_tally {
    uint64_t launches, warp_insts, thread_insts, array_cycles;
    fhec_count *counts; /* sorted by mnemonic, whose text is ours */
    size_t count, capacity;
};

/* Adds to each op's count what superblocks have counted where they began and ended. */
void fh_counts_settle(const struct fh_image *image, struct fh_op_count *counts);

/* Adds what a launch of `image` counted, which has been settled. An instruction that was issued
 * counts once for its warp, also if its guard let no lane execute it, and once for every lane that
 * did. False without host memory; the totals are then right and the list is not complete. */
bool fh_tally_add(struct fh_tally *tally, const struct fh_image *image,
                  const struct fh_op_count *counts);
void fh_tally_clear(struct fh_tally *tally);
/* *to, which is empty, becomes the same. False without host memory; it is then empty again. */
bool fh_tally_copy(struct fh_tally *to, const struct fh_tally *from);

#endif

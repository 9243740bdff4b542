/*
 * code_pairs.h - which instruction of one version of a kernel is which of another.
 */
#ifndef FH_DIFFERENCE_CODE_PAIRS_H
#define FH_DIFFERENCE_CODE_PAIRS_H

#include "journal.h"

/* Instructions of a launch that were executed, by pc, and which of the other one's each goes with:
 * SIZE_MAX: none. */
struct fh_code_side {
    const struct fh_journal_site **sites;
    size_t *partner;
    size_t count;
};

struct fh_code_pairs {
    struct fh_code_side side[2];
};

/* Pairs what a launch, by its number, executed in both. False without host memory; to be freed in
 * any case. */
bool fh_code_pairs_make(struct fh_code_pairs *pairs, const struct fh_journal *journals[2],
                        uint64_t launch);
void fh_code_pairs_free(struct fh_code_pairs *pairs);
/* The site's place on its side; SIZE_MAX: it is not there. */
size_t fh_code_pair_place(const struct fh_code_side *side, const struct fh_journal_site *site);

#endif

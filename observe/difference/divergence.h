/*
 * divergence.h - two journals compared: of each warp the first instruction that did something else.
 * Instructions of two versions of a kernel are paired by their text, in the order of the code, so
 * that one that was inserted or changed does not move the others apart.
 */
#ifndef FH_DIFFERENCE_DIVERGENCE_H
#define FH_DIFFERENCE_DIVERGENCE_H

#include "journal.h"

enum fh_divergence_kind {
    FH_DIVERGES_VALUE,   /* a register has another value */
    FH_DIVERGES_LANES,   /* other lanes have executed it */
    FH_DIVERGES_ADDRESS, /* memory was accessed at another place */
    FH_DIVERGES_PATH,    /* the warps are at different instructions */
    FH_DIVERGES_END,     /* one of the warps has no more instructions, or there is no such warp */
};

struct fh_divergence {
    enum fh_divergence_kind kind;
    struct fh_journal_warp warp;
    uint32_t step[2]; /* FH_NO_STEP: none */
    fhec_register_file file;
    uint32_t reg, lane;
    uint64_t value[2]; /* of the register, lanes, addresses */
};

struct fh_divergences {
    struct fh_divergence *list; /* by the first journal's order; the warps that it has not behind */
    size_t count;               /* warps */
};

/* False without host memory. To be freed in any case. */
bool fh_journals_compare(const struct fh_journal *a, const struct fh_journal *b,
                         struct fh_divergences *found);
void fh_divergences_free(struct fh_divergences *found);

#endif

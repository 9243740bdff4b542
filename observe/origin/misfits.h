/*
 * misfits.h - what is wrong with the elements of an operand that do not follow its map: registers
 * or halves swapped, lanes off by a group, single elements.
 */
#ifndef FH_MISFITS_H
#define FH_MISFITS_H

#include "finding.h"
#include "finding_ids.h"
#include "fragment_map.h"

struct fh_misfits {
    bool report;                 /* false: nothing, or what may well be meant: see below */
    unsigned kind;               /* enum fh_finding_kind */
    uint32_t row, column, count; /* the first of them, and how many there are */
    uint32_t lanes;              /* that hold one */
};

/* Elements that are numbers (zeros beside a matrix that does not fill the operand) are none. What
 * is left is meant where it is rows or columns at an edge that repeat the last one before it, where
 * it is rows or columns of their own that come from elsewhere, or half of the operand that lies at
 * a distance, as tiles do. `message` has room for FH_FINDING_MESSAGE and gets one sentence. */
void fh_misfits_judge(const struct fh_origins *origins, const struct fh_fragment *fragment,
                      const struct fh_fragment_map *map, const char *operand,
                      struct fh_misfits *misfits, char *message);

#endif

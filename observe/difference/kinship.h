/*
 * kinship.h - instructions that differ from those that were written in the same line.
 *
 * A line that a macro or a repetition makes many instructions of makes them alike: the same
 * mnemonic, operands from the same lines, each its own or all the same one. The one that is not
 * like the others is suspicious: "Bugs as deviant behavior" (Engler, Chen, Hallem, Chou and Chelf,
 * SOSP 2001), here of an instruction's place in the flow of data. A mistake in a macro's body is in
 * all of its instructions, and not seen.
 */
#ifndef FH_DIFFERENCE_KINSHIP_H
#define FH_DIFFERENCE_KINSHIP_H

#include "journal.h"

enum fh_kin_feature {
    FH_KIN_TEXT,      /* mnemonic, guard */
    FH_KIN_NUMBERS,   /* immediate values, offsets */
    FH_KIN_PRODUCERS, /* the lines from which the operands come */
    FH_KIN_FANOUT,    /* how many instructions read the result */
    FH_KIN_SHARING,   /* with how many of its relatives it has each operand in common */
    FH_KIN_FEATURES,
};

struct fh_kin {
    uint32_t relatives;          /* instructions of the line, this one included */
    double odd[FH_KIN_FEATURES]; /* 0: as most of them; 1: it alone is different */
    bool twice;  /* the instruction before it is the same, and changes what it reads */
    bool unread; /* nothing ever read what it wrote */
};

/* Sets `kin` of all sites of the journal, in the order of fh_journal_site_get. False without host
 * memory. */
bool fh_kin_find(const struct fh_journal *journal, struct fh_kin *kin);

#endif

/*
 * suspects.h - the lines that a wrong result is most likely due to, the likeliest first.
 *
 * Two kinds of evidence. Instructions that wrong elements were made by, and right ones were not
 * (spectrum.h); the part of that which is common to both kinds is Ochiai's coefficient (Abreu,
 * Zoeteweij and van Gemund, "On the accuracy of spectrum-based fault localization", 2007), over
 * dynamic slices instead of coverage. And instructions that differ from others of their line
 * (kinship.h), stand there twice, or make what nobody reads. The weights are those by which the
 * changed line of mutants of half the kernels of this project was found best (docs/mutation.md).
 */
#ifndef FH_DIFFERENCE_SUSPECTS_H
#define FH_DIFFERENCE_SUSPECTS_H

#include "kinship.h"
#include "spectrum.h"

enum { FH_SUSPECTS_MOST = 5, FH_SUSPECT_REASON = 400 };

/* Of one instruction. */
struct fh_evidence {
    const struct fh_journal_site *site;
    struct fh_spectrum_marks marks;
    struct fh_kin kin;
};

struct fh_suspect {
    struct fh_evidence evidence; /* of the most suspicious instruction of the line */
    double score;                /* only to be compared with those of the same list */
};

/* Which bits of marks stand for wrong elements, and which for right ones. */
struct fh_verdicts {
    uint64_t wrong, right;
};

double fh_suspect_score(const struct fh_evidence *evidence, const struct fh_verdicts *verdicts);
/* At most `most` suspects, and none whose score is far below the first one's. Of each line only one
 * instruction if `by_line`. Of equal scores the one that comes later in `evidence` is first: it is
 * nearer to the result. */
size_t fh_suspects_rank(const struct fh_evidence *evidence, size_t count,
                        const struct fh_verdicts *verdicts, bool by_line,
                        struct fh_suspect *suspects, size_t most);
bool fh_suspect_same_line(const struct fh_journal_site *a, const struct fh_journal_site *b);
/* The evidence of all instructions of a journal, malloc'd. NULL without host memory. */
struct fh_evidence *fh_suspects_evidence(const struct fh_journal *journal,
                                         const struct fh_spectrum_element *elements, size_t count);
/* Why: parts of a sentence, with "; " between them. */
void fh_suspect_reason(const struct fh_suspect *suspect, const struct fh_verdicts *verdicts,
                       char text[FH_SUSPECT_REASON]);
/* Of elements the first `wrong` of which are wrong. */
struct fh_verdicts fh_suspects_verdicts(size_t count, size_t wrong);

#endif

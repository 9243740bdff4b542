/*
 * spectrum.h - which instructions each of up to 64 elements of a result was made by: their dynamic
 * backward slices, all in one pass through a journal from its end to its beginning.
 *
 * A bit stands for an element. What holds a part of it (a lane's register, a word of memory) has
 * its bit; an instruction that wrote there gets it, and hands it on to what it read. Of elements
 * that no instruction stored, all addresses of stores and guards of branches have them.
 */
#ifndef FH_DIFFERENCE_SPECTRUM_H
#define FH_DIFFERENCE_SPECTRUM_H

#include "journal.h"

enum { FH_SPECTRUM_MOST = 64 };

/* Global memory at the end of the journal. */
struct fh_spectrum_element {
    uint64_t address;
    uint32_t bytes;
};

/* Of elements: which were computed from it, and which depend on it in any way (addresses and
 * guards included, and what these were computed from). */
struct fh_spectrum_marks {
    uint64_t values, all;
};

/* Sets `marks` of all sites of the journal, in the order of fh_journal_site_get. False without host
 * memory. */
bool fh_spectrum_make(const struct fh_journal *journal, const struct fh_spectrum_element *elements,
                      size_t count, struct fh_spectrum_marks *marks);

#endif

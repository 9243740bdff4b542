/*
 * nearest.h - the name that a misspelt one was probably meant to be.
 *
 * Names are compared without regard to case by the number of edits between them: a letter inserted,
 * left out, changed, or swapped with its neighbour. A name is near if there are few edits for its
 * length: none for one or two letters, one for up to seven, a quarter of the letters of longer
 * ones, four at most. Names of up to four letters must begin alike as well, since one edit is much
 * of them. Of several near ones the one with the fewest edits is taken, then the one that agrees
 * for longer from the beginning, then the one that was tried first.
 */
#ifndef FH_NEAREST_H
#define FH_NEAREST_H

#include <stddef.h>

struct fh_nearest {
    const char *wanted; /* the misspelt name */
    size_t length;
    const char *best; /* the nearest candidate so far; NULL: none is near */
    size_t best_length;
    unsigned edits, prefix; /* of the best */
    unsigned tried;
};

void fh_nearest_begin(struct fh_nearest *n, const char *wanted, size_t length);
/* Looks at a candidate, which is kept by address. Names of more than 64 letters are near nothing,
 * and what comes after some 20,000 candidates is not looked at. */
void fh_nearest_try(struct fh_nearest *n, const char *candidate, size_t length);
/* The same for candidates that come in no order, as from a hash table: the first one of several
 * that are as near is the first one in alphabetical order. */
void fh_nearest_try_unordered(struct fh_nearest *n, const char *candidate, size_t length);

/* All of it for an array of strings: the nearest of `count` names, or NULL. */
const char *fh_nearest_of(const char *wanted, const char *const *names, size_t count);

#endif

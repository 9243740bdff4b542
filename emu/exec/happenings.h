/*
 * happenings.h - what comes of an instruction beside its results, for hooks.
 */
#ifndef FH_HAPPENINGS_H
#define FH_HAPPENINGS_H

#include "watch.h"

/* Behind a flagged instruction: its lanes may have parted, copies been issued or waited for. */
void fh_happenings_behind(const struct fh_issue *issue);
/* When all else has been told of it: warp and block may have ended. */
void fh_happenings_end(const struct fh_issue *issue);

#endif

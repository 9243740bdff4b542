/*
 * check_fragments.h - the checker `fragments`: for each matrix instruction, whether the elements of
 * its operands are where the others say that they should be (fragment_map.h, misfits.h).
 */
#ifndef FH_CHECK_FRAGMENTS_H
#define FH_CHECK_FRAGMENTS_H

#include "checker.h"

extern const struct fh_checker_row fh_check_fragments;

#endif

/*
 * check_leaks.h - the checker `leaks`: allocations that nobody, neither a kernel nor the host, has
 * read, written or released by the time that the checks end. After a launch that has failed, what
 * is left undone is no news: nothing is found then.
 */
#ifndef FH_CHECK_LEAKS_H
#define FH_CHECK_LEAKS_H

#include "checker.h"

extern const struct fh_checker_row fh_check_leaks;

#endif

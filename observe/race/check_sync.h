/*
 * check_sync.h - the checker `sync`: barriers of blocks and warps, and shuffles, with lanes that
 * are not there.
 */
#ifndef FH_CHECK_SYNC_H
#define FH_CHECK_SYNC_H

#include "checker.h"

extern const struct fh_checker_row fh_check_sync;

#endif

/*
 * check_bounds.h - the checker `bounds`: accesses to memory through an address that is counted from
 * one object and ends in another one, or in a gap: buffers of global memory that parameters or
 * tables of addresses name, and variables of shared memory that the source names. Beyond all
 * allocations is a fault already.
 */
#ifndef FH_CHECK_BOUNDS_H
#define FH_CHECK_BOUNDS_H

#include "checker.h"

extern const struct fh_checker_row fh_check_bounds;

#endif

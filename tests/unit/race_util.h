/* race_util.h - what the tests of the checkers `race`, `sync` and `async` share. */
#ifndef RACE_UTIL_H
#define RACE_UTIL_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "finding.h"

/* A kernel, its blocks and threads, and the ids of what the three find in it, sorted: "", "C020
 * C021". Before the body R0 is the thread, R1 the block, R6 four times the thread, R7 the lane, R8
 * the warp, R10 = 0; R2 (and R3) the address of x, R4 (and R5) that of the word of x that has the
 * thread's number in the grid. P0 holds in lane 0, P1 in warp 0, P2 in block 0, P3 in lanes 0 to
 * 15, P4 in thread 0. Shared memory and x have 4096 bytes of zeros. */
struct race_case {
    const char *name;
    uint32_t grid, block;
    const char *body, *found;
};

/* Fails with the name of each case in which something else is found. */
void race_cases(const struct race_case *cases, size_t count);
/* The findings of a case; to be freed. */
struct fh_findings *race_findings(const struct race_case *c);
/* Which instruction of the body, from 0, a place is. */
int race_instruction(const struct fh_place *place);

#endif

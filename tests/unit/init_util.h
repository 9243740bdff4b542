/* init_util.h - what the tests of the checker `init` share: small kernels and what is found. */
#ifndef INIT_UTIL_H
#define INIT_UTIL_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* A kernel of one warp, and the ids of what is found in it, sorted: "", "C001 C006". Before the
 * body R0 is the lane, R2 (and R3) the address of the lane's word of x, whose words are 0, 1, 2 ...
 * times 0x01010101 as the host wrote them, and R4 (and R5) that of y, which nobody has written;
 * R10 = 0 and R11 = 0xffffffff. R20 and above, P1 to P6, UR20 and above and UP1 to UP6 are not
 * written. */
struct init_case {
    const char *name, *body, *found;
};

/* Fails with the name of each case in which something else is found. */
void init_cases(const struct init_case *cases, size_t count);
/* Bits `bits` of R6 behind the body are undefined in these lanes, and in no others. P4 is used. */
void init_undefined_in(const char *body, uint32_t bits, uint32_t lanes);
/* The message of the only finding of a body; to be freed. Its places' pcs are those of the body's
 * n-th instruction, from 0: -1, none. */
char *init_message(const char *body, int *at, int *other);

/* Runs a body that may fault. */
void init_survives(const char *body);

#endif

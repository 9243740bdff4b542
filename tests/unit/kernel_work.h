/*
 * kernel_work.h - work for the kernels of programs/: each kind of it on each map that can do it, on
 * data that are always the same.
 */
#ifndef FH_TESTS_KERNEL_WORK_H
#define FH_TESTS_KERNEL_WORK_H

#include "programs_util.h"

enum { KERNEL_WORK_BYTES = 3 << 15 }; /* of an operand and of a result, at most */

struct kernel_work {
    size_t kind;
    const char *name; /* of the kind */
    const struct fh_map *map;
    size_t n; /* elements of a polynomial, or pairs of integers */
    int variant;
};

typedef void kernel_work_fn(void *user, const struct kernel_work *w);
/* `thorough`: for larger sizes. */
void kernel_work_each(bool thorough, kernel_work_fn *each, void *user);
/* Does the work on the machine; `out` is the result, and 0xa5 behind it. */
void kernel_work_run(const struct kernel_work *w, fhec_machine *m, uint8_t out[KERNEL_WORK_BYTES]);

#endif

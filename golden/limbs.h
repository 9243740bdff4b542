/*
 * limbs.h - independent pieces of work, by as many threads as the caller wants.
 */
#ifndef FH_GOLDEN_LIMBS_H
#define FH_GOLDEN_LIMBS_H

#include <stddef.h>

/* Calls work(context, i) once for each i below count, in any order and by up to `threads` threads
 * at a time, the calling one among them; returns when all calls have. Where no thread can be had,
 * fewer do it. */
void fh_golden_for_each(size_t threads, size_t count, void (*work)(void *context, size_t i),
                        void *context);

#endif

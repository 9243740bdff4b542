/*
 * range.h - the named ranges that a program's threads are in, as NVTX's push and pop open and close
 * them (nvtx.c), and the range that the work of the device belongs to: the one that the host's
 * thread was in when it made the call that asked for the work.
 *
 * A range is a place in a tree: its name, its domain and the ranges around it. Whoever comes to the
 * same place again is in the same range. Numbers are dense, from 1, a parent's below its
 * children's; 0 is no range. All functions may be called without the device's lock.
 */
#ifndef FH_CUDA_RANGE_H
#define FH_CUDA_RANGE_H

#include <stdbool.h>
#include <stdint.h>

#pragma GCC visibility push(default)

typedef struct fh_cuda_named_range {
    const char *name;   /* UTF-8; valid for ever, as the domain's */
    const char *domain; /* "": the default one */
    uint32_t parent;    /* 0: none */
    uint64_t entered;   /* how often, by all threads */
} fh_cuda_named_range;

/* The calling thread enters a range within the one that it is in. How many of that domain it was in
 * before; -1: there is no memory, and nothing has changed. */
int fh_cuda_range_push(const char *domain, const char *name);
/* It leaves the innermost range of that domain. How many of that domain it is in now; -1: it was in
 * none. */
int fh_cuda_range_pop(const char *domain);
/* The range of the calling thread. */
uint32_t fh_cuda_range_now(void);

uint32_t fh_cuda_range_count(void);
fh_cuda_named_range fh_cuda_range_get(uint32_t range); /* 1 to the count */

/* The range whose work is being done, for those who hold the device's lock. */
void fh_cuda_range_work(uint32_t range);
uint32_t fh_cuda_range_working(void);

#pragma GCC visibility pop

#endif

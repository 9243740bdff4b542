/*
 * kernel_cache.h - programs that have been assembled, kept for the next run that asks for the same:
 * a circuit runs some ten kernels hundreds of times. programs.h has what makes and frees one.
 */
#ifndef FH_KERNEL_CACHE_H
#define FH_KERNEL_CACHE_H

#include "programs.h"

/* The program of the key, or NULL; the cache frees it no earlier than it is given back. */
fhec_program *fh_kernel_cache_take(struct fh_kernel_cache *cache, const char *key);
/* The program, which has been taken then, becomes the cache's. False if it cannot be kept: it is
 * the caller's as before. */
bool fh_kernel_cache_keep(struct fh_kernel_cache *cache, const char *key, fhec_program *program);
void fh_kernel_cache_give_back(struct fh_kernel_cache *cache, const fhec_program *program);

#endif

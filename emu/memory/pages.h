/*
 * pages.h - zeroed host memory for what guests work on: aligned, and in large pages where the host
 * has them and the size is worth it.
 */
#ifndef FH_PAGES_H
#define FH_PAGES_H

#include "large_pages.h"

#include <stddef.h>

/* Zeros, aligned to 64 bytes at least, so that rows of lanes do not cross lines of the host's
 * caches. NULL without host memory. */
void *fh_pages_new(size_t bytes);
/* The same with any contents, for what is written at once as a whole: its end is in a large page,
 * too, since the host takes longer for a few hundred small ones. */
void *fh_pages_unset(size_t bytes);
void fh_pages_free(void *memory);

#endif

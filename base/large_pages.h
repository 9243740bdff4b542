/*
 * large_pages.h - memory in large pages, where the host has them: one first touch instead of 512,
 * which under a hypervisor take up to 15 us each, and one entry of the processor's tables.
 */
#ifndef FH_LARGE_PAGES_H
#define FH_LARGE_PAGES_H

#include <stddef.h>

/* FH_LARGE_BLOCK: from how many bytes on they are worth it. */
enum { FH_LARGE_PAGE = 1 << 21, FH_LARGE_BLOCK = 1 << 20 };

/* malloc; FH_LARGE_BLOCK bytes and more are in large pages of their own. NULL without memory; for
 * free. */
void *fh_large_alloc(size_t bytes);
/* Asks for the whole large pages among `bytes` bytes from `memory` on, at which one begins. */
void fh_use_large_pages(void *memory, size_t bytes);

#endif

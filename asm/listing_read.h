/*
 * listing_read.h - the first pass over a listing: its lines and frame.
 */
#ifndef FH_LISTING_READ_H
#define FH_LISTING_READ_H

#include "listing.h"

/* Reads a file's text and blanks its frame. NULL if the text is no listing, or there is no memory
 * (no_memory is set). The caller frees it. */
struct fh_listing *fh_listing_read(struct fh_asm *a, struct fh_buffer *file);

#endif

/*
 * space_portable.c - the short ways to memory, for any host.
 */
#define FH_SPACE_OPS fh_space_portable

#include "space_fast.inc"

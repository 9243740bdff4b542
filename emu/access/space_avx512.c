/*
 * space_avx512.c - the short ways to memory, compiled for AVX-512: called only where the host has
 * it.
 */
#if defined __x86_64__

#define FH_SPACE_OPS fh_space_avx512

#include "space_fast.inc"

#endif

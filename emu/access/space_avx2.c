/*
 * space_avx2.c - the short ways to memory, compiled for AVX2: called only where the host has it.
 */
#if defined __x86_64__

#define FH_SPACE_OPS fh_space_avx2

#include "space_fast.inc"

#endif

/*
 * warp_rows_avx512.c - instructions that see the warp as a whole, compiled for AVX-512: called
 * only where the host has it.
 */
#if defined __x86_64__

#define FH_SIMD_LEVEL avx512

#include "warp_rows_fast.inc"

#endif

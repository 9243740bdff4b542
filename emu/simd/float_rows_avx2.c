/*
 * float_rows_avx2.c - floating point of all lanes at once, compiled for AVX2: called only where the
 * host has it.
 */
#if defined __x86_64__

#define FH_SIMD_LEVEL avx2

#include "float_rows_fast.inc"

#endif

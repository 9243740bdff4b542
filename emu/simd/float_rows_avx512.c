/*
 * float_rows_avx512.c - floating point of all lanes at once, compiled for AVX-512: called only
 * where the host has it.
 */
#if defined __x86_64__

#define FH_SIMD_LEVEL avx512

/* Without optimization gcc's intrinsics are macros, which hand over all lanes as -1. */
#if !defined __OPTIMIZE__ && !defined __clang__
#pragma GCC diagnostic ignored "-Wsign-conversion"
#endif

#include "float_rows_fast.inc"

#endif

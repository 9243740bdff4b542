/*
 * modular_avx512.c - modular lane instructions by closed forms, compiled for AVX-512: called only
 * where the host has it.
 */
#if defined __x86_64__

#define FH_SIMD_LEVEL avx512

#include "modular_fast.inc"

#endif

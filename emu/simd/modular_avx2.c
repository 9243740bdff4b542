/*
 * modular_avx2.c - modular lane instructions by closed forms, compiled for AVX2: called only where
 * the host has it.
 */
#if defined __x86_64__

#define FH_SIMD_LEVEL avx2

#include "modular_fast.inc"

#endif

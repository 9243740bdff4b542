/*
 * superblock_avx512.c - the ends of superblocks, and the threaded functions of ops that have none
 * of their own, compiled for AVX-512: called only where the host has it.
 */
#if defined __x86_64__

#define FH_SIMD_LEVEL avx512

#include "superblock_fast.inc"

#endif

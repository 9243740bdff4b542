/*
 * superblock_avx2.c - the ends of superblocks, and the threaded functions of ops that have none of
 * their own, compiled for AVX2: called only where the host has it.
 */
#if defined __x86_64__

#define FH_SIMD_LEVEL avx2

#include "superblock_fast.inc"

#endif

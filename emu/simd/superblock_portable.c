/*
 * superblock_portable.c - the ends of chains, and the links of ops that have none of their own, for
 * any host.
 */
#define FH_SIMD_LEVEL portable

#include "superblock_fast.inc"

/*
 * superblock_portable.c - the ends of superblocks, and the threaded functions of ops that have none
 * of their own, for any host.
 */
#define FH_SIMD_LEVEL portable

#include "superblock_fast.inc"

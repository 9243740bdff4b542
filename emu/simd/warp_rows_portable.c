/*
 * warp_rows_portable.c - instructions that see the warp as a whole, compiled for any host.
 */
#define FH_SIMD_LEVEL portable

#include "warp_rows_fast.inc"

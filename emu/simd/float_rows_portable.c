/*
 * float_rows_portable.c - floating point of all lanes at once, for any host.
 */
#define FH_SIMD_LEVEL portable

#include "float_rows_fast.inc"

/*
 * modular_portable.c - modular lane instructions by closed forms, for any host.
 */
#define FH_SIMD_LEVEL portable

#include "modular_fast.inc"

/*
 * modular_portable.c - modular lane instructions by closed forms, for any host.
 */
#define FH_SIMD_SYMBOL(prefix) prefix##portable

#include "modular_fast.inc"

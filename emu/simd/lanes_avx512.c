/*
 * lanes_avx512.c - the fast engine's lane instructions, compiled for AVX512: called only where the
 * host has it.
 */
#if defined __x86_64__

#define FH_SIMD_SYMBOL(prefix) prefix##avx512

#include "chain_fast.inc"
#include "handlers.h"
#include "lanes.h"
#include "rows.h"

#include "lane_fast.inc"

#endif

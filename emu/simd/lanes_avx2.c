/*
 * lanes_avx2.c - the fast engine's lane instructions, compiled for AVX2: called only where the host
 * has it.
 */
#if defined __x86_64__

#define FH_SIMD_SYMBOL(prefix) prefix##avx2

#include "chain_fast.inc"
#include "handlers.h"
#include "lanes.h"
#include "rows.h"

#include "lane_fast.inc"

#endif

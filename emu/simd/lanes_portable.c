/*
 * lanes_portable.c - the fast engine's lane instructions for any host.
 */
#define FH_SIMD_SYMBOL(prefix) prefix##portable

#include "chain_fast.inc"
#include "handlers.h"
#include "lanes.h"
#include "rows.h"

#include "lane_fast.inc"

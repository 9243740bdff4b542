/*
 * lanes_portable.c - the fast engine's lane instructions for any host.
 */
#include "handlers.h"
#include "lanes.h"
#include "rows.h"

#define FH_SIMD_SYMBOL(prefix) prefix##portable

#include "lane_fast.inc"

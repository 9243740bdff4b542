/*
 * bodies_fast.h - what the fast engine's generated functions (fast_*.c) begin with, at each SIMD
 * level.
 */
#ifndef FH_BODIES_FAST_H
#define FH_BODIES_FAST_H

#include "bodies.h"
#include "convert_calls.h"
#include "rows.h"
#include "threaded.h"

#endif

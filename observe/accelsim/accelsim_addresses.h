/*
 * accelsim_addresses.h - how a line of a trace states the addresses of its lanes: one of
 *
 *     0 0x... 0x...               an address for each lane
 *     1 0x7f0000000000 4          lanes that follow one another: the first address and the stride
 *     2 0x7f0000000000 64 -8 0    the first address, differences from each lane to the next, and a
 *                                 number that nobody uses: Accel-Sim's reader takes it with them
 */
#ifndef FH_ACCELSIM_ADDRESSES_H
#define FH_ACCELSIM_ADDRESSES_H

#include "trace_bytes.h"

enum { FH_ACCELSIM_LANES = 32 };

/* Appends them, of the lanes in `mask`. */
void fh_accelsim_put_addresses(struct fh_trace_bytes *to, uint32_t mask,
                               const uint64_t address[FH_ACCELSIM_LANES]);

#endif

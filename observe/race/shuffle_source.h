/*
 * shuffle_source.h - from which lane each lane of a SHFL reads.
 */
#ifndef FH_SHUFFLE_SOURCE_H
#define FH_SHUFFLE_SOURCE_H

#include "fhec_observe.h"

/* Of `event`, an ISSUE; a lane whose source is out of its segment reads its own register. False if
 * the instruction is no SHFL. */
bool fh_shuffle_sources(const fhec_event *event, uint32_t source[FHEC_WARP_LANES]);

#endif

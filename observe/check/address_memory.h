/*
 * address_memory.h - whose addresses local and shared memory hold, word by word: of what a kernel
 * has put there from its registers, so that a spilled pointer is what it was when it comes back.
 */
#ifndef FH_ADDRESS_MEMORY_H
#define FH_ADDRESS_MEMORY_H

#include "provenance.h"

/* The stores of an event to local memory, where every word is kept, or to shared memory, where
 * those are that hold an address or once did. `data`: what is stored; NULL: nobody knows. `shared`
 * is the launch's. False without host memory. */
bool fh_origin_store(struct fh_origin_warp *w, struct fh_number_map *shared,
                     const fhec_event *event, const fhec_operand *data);
/* What its loads give. A word of shared memory that is not known leaves what `values` has. */
void fh_origin_load(const struct fh_origin_warp *w, const struct fh_number_map *shared,
                    const fhec_event *event, uint16_t values[4][FHEC_WARP_LANES]);

#endif

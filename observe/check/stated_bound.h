/*
 * stated_bound.h - the bound that a source states for an operand: `.expect A < 3 * q`.
 */
#ifndef FH_STATED_BOUND_H
#define FH_STATED_BOUND_H

#include "fhec_observe.h"

/* A value below slope * q + offset, or any value: where the bound depends on more than the modulus,
 * the checker of fragments has it. */
struct fh_stated_bound {
    bool there; /* the source states one */
    bool any;
    __int128 slope, offset;
};

/* That of the operand of that name at the event's instruction. */
struct fh_stated_bound fh_stated_bound_of(const fhec_event *event, const char *operand);
bool fh_stated_bound_holds(const struct fh_stated_bound *bound, uint64_t value, uint64_t q);

#endif

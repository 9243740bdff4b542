/*
 * ordered.h - launches whose warps run in an order of their own (fhec.h says which).
 *
 *     blocks begin -> slice, settle -> slice, settle -> ...      draws, or answers of a callback
 *                          -> round, round, ...                  a test, by seed only
 *
 * All of it is data in struct fh_residents, so the launch can pause behind any instruction.
 *
 * A test finds out whether all blocks wait for ever. Whether their states recur is seen in the
 * default order only, where everything follows from the state (residents.c); turns are shorter
 * there. But programs are possible that wait for ever in that order, in step, and not in others.
 * So two tests must come to that conclusion, with a phase of draws in between. Since tests are rare
 * and become rarer, they take a small part of the time of a launch that does not wait.
 */
#ifndef FH_ORDERED_H
#define FH_ORDERED_H

#include "residents.h"

/* fh_residents_go for any launch, with an order of its own or without; FH_CANCELLED and
 * FH_NO_CHOICE, too. */
enum fh_outcome fh_ordered_go(struct fh_residents *residents);

/* The host has ended the warp, between two instructions: it is in no turn any more. */
void fh_ordered_ended(struct fh_residents *residents, struct fh_flow *f);
/* The warp that issues next, by the place of its block. False: not known. Not during a test. */
bool fh_ordered_foresee(const struct fh_residents *residents, uint64_t *place, uint32_t *warp);

#endif

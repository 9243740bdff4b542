/*
 * chain.h - straight code of a warp whose lanes run together, one op leading to the next.
 */
#ifndef FH_CHAIN_H
#define FH_CHAIN_H

#include "exec.h"

/* Ends a chain: returns `op`, which has not been executed. */
fh_chain_fn fh_chain_end;
/* Any plain op: its guard, its `exec`, then the next one. */
fh_chain_fn fh_chain_call;

/* Joins ops[0] .. ops[count - 1], whose `enter` says how a chain would begin with them (NULL: none
 * can), into chains. ops[count] is there, and no chain's. */
void fh_chains_join(struct fh_op *ops, uint32_t count);

#endif

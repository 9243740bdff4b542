/*
 * block_run.h - the times of one order and one assignment: the model that block_plan.h tells of.
 */
#ifndef FH_BLOCK_RUN_H
#define FH_BLOCK_RUN_H

#include "block_plan.h"

struct fh_block_candidate {
    const uint32_t *order;  /* tiles, each behind those that it depends on */
    const uint32_t *engine; /* of each tile */
    bool hashed;            /* where limbs are; else where they were made */
    bool by_block;          /* when a block ends its limbs leave on-chip memory */
};

/* Fills in the plan, but for its choice and LABS. FHEC_HOST_ERROR. */
fhec_status fh_block_simulate(struct fh_block_plan *plan, const struct fh_block_graph *graph,
                              const struct fh_tiles *tiles, const struct fh_block_machine *machine,
                              const struct fh_block_candidate *candidate);

#endif

/*
 * state.h - one block at rest, for tests: they put it into a state, let one instruction act on it,
 * and look at everything it changed. Nothing of the scheduler takes part.
 */
#ifndef FH_STATE_H
#define FH_STATE_H

#include "engine.h"
#include "launch.h"
#include "warp.h"

struct fh_state {
    struct fh_engine engine;
    struct fh_image image;
    struct fh_launch_state launch;
    struct fh_block *block;
    fhec_word last; /* the word executed before, which the launch's site for it belongs to */
};

/* Block 0 of the launch at its start; every register of its warps is 0. The machine must outlive
 * it. FHEC_BAD_INPUT as fhec_run. */
fhec_status fh_state_new(fhec_machine *machine, const fhec_launch *launch, struct fh_state **state);
void fh_state_free(struct fh_state *state);

/* Executes `word`, as if it stood at the kernel's first instruction, for those lanes of `group` for
 * which its guard holds. False: a fault, in state->launch.fault, which the call cleared first.
 * Instructions of kind ctrl act on the lanes' places too: f->pc, f->group, ... */
bool fh_state_step(struct fh_state *state, uint32_t warp, fhec_word word, uint32_t group);

#endif

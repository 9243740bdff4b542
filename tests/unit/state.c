/*
 * state.c - a block of a launch, and single instructions on it.
 */
#include "state.h"

#include "decode.h"
#include "machine.h"
#include "schedule.h"
#include "superblock.h"

#include <stdlib.h>
#include <string.h>

fhec_status fh_state_new(fhec_machine *machine, const fhec_launch *launch,
                         struct fh_state **state) {
    *state = NULL;
    fhec_status status = fh_launch_check(machine, launch);
    if (status != FHEC_OK)
        return status;
    struct fh_state *s = calloc(1, sizeof *s);
    if (!s)
        return FHEC_HOST_ERROR;
    s->engine = machine->engine;
    struct fh_module *module;
    status = fh_module_load(&machine->modules, &machine->memory, launch->program, NULL, &module);
    if (status == FHEC_OK)
        status = fh_image_make(&s->image, launch, &s->engine, module, NULL);
    s->launch = (struct fh_launch_state){.image = &s->image, .memory = &machine->memory};
    s->image.rows = FH_MAX_REGISTERS;
    memset(s->image.live_in, 0xff, sizeof s->image.live_in);
    if (status == FHEC_OK && fh_launch_arrays(&s->launch, false))
        s->block = fh_block_new(&s->launch);
    if (!s->block) {
        fh_state_free(s);
        return FHEC_HOST_ERROR;
    }
    fh_block_start(s->block, 0);
    for (uint32_t i = 0; i < s->image.warps; i++)
        fh_flow_fill(&s->block->warps[i]);
    *state = s;
    return FHEC_OK;
}

void fh_state_free(struct fh_state *state) {
    if (!state)
        return;
    fh_block_free(state->block);
    fh_launch_arrays_free(&state->launch);
    fh_image_free(&state->image);
    free(state);
}

bool fh_state_step(struct fh_state *state, uint32_t warp, fhec_word word, uint32_t group) {
    struct fh_flow *f = &state->block->warps[warp];
    struct fh_inst inst;
    struct fh_op ops[2] = {0}; /* the second ends the chain */
    state->launch.fault = (struct fh_fault_record){0};
    if (word.lo != state->last.lo || word.hi != state->last.hi)
        state->launch.caches[0] = (struct fh_inline_cache){0};
    state->last = word;
    fh_image_decode(&state->image, &state->engine, word, 0, &inst, &ops[0]);
    fh_superblocks_join(state->engine.threading, ops, 1);
    f->group = group;
    f->pc = 0;
    if (ops[0].run && group == UINT32_MAX)
        return state->engine.threading->run(&f->w, &ops[0]) == &ops[1];
    uint32_t active = fh_op_active(&f->w, &ops[0], group);
    return !active || ops[0].exec(&f->w, &ops[0], active);
}

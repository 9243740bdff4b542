/*
 * observe.c - fetch, register writes, predicate writes, memory accesses and retirement, as the
 * observer of the machine sees them. What an instruction wrote follows from its operands.
 */
#include "observe.h"

fhec_where fh_observe_where(const struct fh_warp *w, const struct fh_op *op, uint32_t active) {
    const struct fh_image *image = w->launch->image;
    const struct fh_block *block = w->block;
    return (fhec_where){
        .program = image->program,
        .kernel = image->kernel,
        .pc = op->pc,
        .block = {block->id[0], block->id[1], block->id[2]},
        .warp = w->index,
        .active = active,
        .word = op->pc / FH_INST_BYTES < image->count ? image->words[op->pc / FH_INST_BYTES]
                                                      : (fhec_word){0, 0},
    };
}

void fh_observe_fetch(const struct fh_warp *w, const struct fh_op *op, uint32_t active) {
    const fhec_observer *o = w->launch->observer;
    if (!o->fetch)
        return;
    fhec_where where = fh_observe_where(w, op, active);
    o->fetch(o->user, &where);
}

static void written_operand(const fhec_observer *o, const fhec_where *where,
                            const struct fh_warp *w, const struct fh_inst *inst, unsigned i) {
    const struct fh_operand *operand = &inst->op[i];
    unsigned n = operand->reg;
    switch (operand->kind) {
    case FH_K_REG:
        for (unsigned k = 0; o->reg_write && n != FH_RZ && k < fh_operand_registers(inst, i); k++)
            o->reg_write(o->user, where, n + k, false, w->r[n + k]);
        break;
    case FH_K_UREG:
        for (unsigned k = 0; o->reg_write && n != FH_URZ && k < fh_operand_registers(inst, i); k++)
            o->reg_write(o->user, where, n + k, true, &w->ur[n + k]);
        break;
    case FH_K_PRED:
        if (o->predicate_write && n != FH_PT)
            o->predicate_write(o->user, where, n, false, w->p[n]);
        break;
    case FH_K_UPRED:
        if (o->predicate_write && n != FH_PT)
            o->predicate_write(o->user, where, n, true, w->up[n]);
        break;
    default: break;
    }
}

void fh_observe_retire(const struct fh_warp *w, const struct fh_op *op, uint32_t active) {
    const fhec_observer *o = w->launch->observer;
    fhec_where where = fh_observe_where(w, op, active);
    if (active && op->inst && (o->reg_write || o->predicate_write)) {
        const struct fh_form *form = op->inst->form;
        for (unsigned i = 0; i < form->operand_count; i++)
            if (form->operands[i].access & FH_WRITE)
                written_operand(o, &where, w, op->inst, i);
    }
    if (o->retire)
        o->retire(o->user, &where);
}

void fh_observe_access(const struct fh_warp *w, const struct fh_op *op, uint32_t active,
                       const char *space, bool store, uint32_t lane, uint64_t address,
                       uint32_t bytes) {
    const fhec_observer *o = w->launch->observer;
    if (!o || !o->memory)
        return;
    fhec_where where = fh_observe_where(w, op, active);
    o->memory(o->user, &where, space, store, lane, address, bytes);
}

/*
 * flowgraph.c - see flowgraph.h.
 */
#include "flowgraph.h"

#include "code.h"
#include "fhec_session.h"
#include "isa_names.h"
#include "tables.h"

#include <stdlib.h>
#include <string.h>

static uint32_t target_of(const struct fh_inst *inst, uint32_t index, uint32_t count) {
    for (unsigned i = 0; i < inst->form->operand_count; i++) {
        if (inst->op[i].kind != FH_K_TARGET)
            continue;
        int64_t at = (int64_t)index + 1 + inst->op[i].value / FH_INST_BYTES;
        return at >= 0 && at < count ? (uint32_t)at : FH_NOWHERE;
    }
    return FH_NOWHERE;
}

struct fh_exit fh_exit_of(const struct fh_inst *inst, uint32_t index, uint32_t count) {
    struct fh_exit x = {.target = FH_NOWHERE, .falls = true};
    switch (fh_form_control[inst->form->id]) {
    case FH_CTRL_bra:
    case FH_CTRL_bra_div:
    case FH_CTRL_bra_conv:
        x.target = target_of(inst, index, count);
        x.ends = true;
        x.falls = !fh_ends_control(inst);
        break;
    case FH_CTRL_call:
        x.target = target_of(inst, index, count);
        x.ends = x.calls = true;
        x.falls = inst->guard != FH_PT;
        break;
    case FH_CTRL_return:
        x.ends = x.returns = true;
        x.falls = !fh_ends_control(inst);
        break;
    case FH_CTRL_branch_register:
        x.ends = x.indirect = true;
        x.falls = !fh_ends_control(inst);
        break;
    case FH_CTRL_exit:
        x.falls = !fh_ends_control(inst);
        x.ends = !x.falls;
        break;
    default: break;
    }
    return x;
}

fhec_status fhec_control_get(fhec_word word, uint64_t pc, fhec_control *control) {
    const uint64_t index = pc / FH_INST_BYTES;
    struct fh_inst inst;
    *control = (fhec_control){.target = FHEC_NO_TARGET};
    if (index >= FH_NOWHERE || !fh_decode(word, &inst))
        return FHEC_BAD_INPUT;
    const struct fh_exit x = fh_exit_of(&inst, (uint32_t)index, FH_NOWHERE);
    *control = (fhec_control){
        .falls = x.falls,
        .calls = x.calls,
        .returns = x.returns,
        .indirect = x.indirect,
        .target = x.target == FH_NOWHERE ? FHEC_NO_TARGET : (uint64_t)x.target * FH_INST_BYTES,
    };
    return FHEC_OK;
}

enum { BEGINS = 1, FOLLOWS_CALL = 2 };

/* Marks the instructions that blocks begin with; returns how many. */
static uint32_t mark(struct fh_flowgraph *g, uint8_t *begins) {
    uint32_t count = g->code.count, blocks = 0;
    if (count)
        begins[0] = BEGINS;
    for (uint32_t i = 0; i < count; i++) {
        struct fh_inst inst;
        if (!fh_may_control(g->code.words[i]) || !fh_decode(g->code.words[i], &inst))
            continue;
        struct fh_exit x = fh_exit_of(&inst, i, count);
        if (x.target != FH_NOWHERE)
            begins[x.target] |= BEGINS;
        if (x.ends && i + 1 < count)
            begins[i + 1] |= x.calls ? BEGINS | FOLLOWS_CALL : BEGINS;
        g->indirect |= x.indirect;
    }
    for (uint32_t i = 0; i < count; i++)
        blocks += begins[i] != 0;
    return blocks;
}

bool fh_flowgraph_make(struct fh_flowgraph *g, struct fh_code code) {
    *g = (struct fh_flowgraph){.code = code};
    uint8_t *begins = calloc(code.count + (size_t)1, 1);
    if (!begins)
        return false;
    g->blocks = mark(g, begins);
    g->first = calloc(g->blocks + (size_t)1, sizeof *g->first);
    g->returns = calloc(g->blocks + (size_t)1, sizeof *g->returns);
    g->block_of = calloc(code.count + (size_t)1, sizeof *g->block_of);
    if (!g->first || !g->returns || !g->block_of) {
        free(begins);
        fh_flowgraph_free(g);
        return false;
    }
    uint32_t block = 0;
    for (uint32_t i = 0; i < code.count; i++) {
        if (begins[i]) {
            if (begins[i] & FOLLOWS_CALL)
                g->returns[g->return_count++] = block;
            g->first[block++] = i;
        }
        g->block_of[i] = block - 1;
    }
    g->first[block] = code.count;
    free(begins);
    return true;
}

void fh_flowgraph_free(struct fh_flowgraph *g) {
    free(g->first);
    free(g->returns);
    free(g->block_of);
    *g = (struct fh_flowgraph){.blocks = 0};
}

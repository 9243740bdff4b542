/*
 * flowgraph.c - see flowgraph.h.
 */
#include "flowgraph.h"

#include "code.h"
#include "dataflow.h"
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

enum {
    BACK = 64,         /* instructions that a return address is looked for */
    LONGEST = 1 << 14, /* and the return of a function */
};

/* The register that the function at the instruction returns through: that of the first RET behind
 * it. FH_RZ: none is seen. */
static unsigned return_register(struct fh_code code, uint32_t from) {
    struct fh_inst inst;
    for (uint32_t i = from; i < code.count && i - from < LONGEST; i++) {
        if (!fh_may_control(code.words[i]) || !fh_decode(code.words[i], &inst) ||
            fh_form_control[inst.form->id] != FH_CTRL_return)
            continue;
        for (unsigned k = 0; k < inst.form->operand_count; k++)
            if (inst.op[k].kind == FH_K_REG)
                return inst.op[k].reg;
    }
    return FH_RZ;
}

bool fh_writes_register(const struct fh_inst *inst, unsigned reg) {
    struct fh_uses uses;
    fh_uses_of(inst, &uses);
    for (unsigned u = 0; u < uses.count; u++)
        if (uses.use[u].access == FH_WRITE && uses.use[u].first <= reg &&
            reg < uses.use[u].first + (unsigned)uses.use[u].count)
            return true;
    return false;
}

uint32_t fh_return_of(struct fh_code code, uint32_t at, uint32_t target) {
    unsigned reg = return_register(code, target);
    struct fh_inst inst;
    for (uint32_t i = at; reg != FH_RZ && i-- > 0 && at - i <= BACK;) {
        if (!fh_decode(code.words[i], &inst))
            break;
        if (!fh_writes_register(&inst, reg))
            continue;
        bool move = inst.form->insn == FH_INSN_MOV;
        bool mad = inst.form->insn == FH_INSN_IMAD && inst.op[FH_IMAD_A].kind == FH_K_REG &&
                   inst.op[FH_IMAD_A].reg == FH_RZ;
        const struct fh_operand *source = &inst.op[move ? FH_MOV_B : FH_IMAD_C];
        int64_t address = source->value;
        if ((move || mad) && source->kind == FH_K_IMM && address > 0 &&
            address % FH_INST_BYTES == 0 && address / FH_INST_BYTES < code.count)
            return (uint32_t)(address / FH_INST_BYTES);
        break;
    }
    return at + 1 < code.count ? at + 1 : FH_NOWHERE;
}

/* Where a call goes, FHEC_NO_TARGET if a register has a part in it. Code addresses are those of the
 * code space. */
static uint64_t callee(const struct fh_inst *inst, const struct fh_exit *exit) {
    uint64_t target =
        exit->target == FH_NOWHERE ? FHEC_NO_TARGET : (uint64_t)exit->target * FH_INST_BYTES;
    for (unsigned i = 0; i < inst->form->operand_count; i++) {
        if (inst->op[i].kind == FH_K_REG && inst->op[i].reg != FH_RZ)
            return FHEC_NO_TARGET;
        if (inst->op[i].kind == FH_K_IMM && inst->op[i].value >= 0)
            target = (uint64_t)inst->op[i].value;
    }
    return target;
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
        .target = x.calls                  ? callee(&inst, &x)
                  : x.target == FH_NOWHERE ? FHEC_NO_TARGET
                                           : (uint64_t)x.target * FH_INST_BYTES,
    };
    return FHEC_OK;
}

/* Marks the instructions that blocks begin with; returns how many. */
static uint32_t mark(struct fh_flowgraph *g, uint8_t *begins) {
    uint32_t count = g->code.count, blocks = 0;
    if (count)
        begins[0] = true;
    for (uint32_t i = 0; i < count; i++) {
        struct fh_inst inst;
        if (!fh_may_control(g->code.words[i]) || !fh_decode(g->code.words[i], &inst))
            continue;
        struct fh_exit x = fh_exit_of(&inst, i, count);
        if (x.target != FH_NOWHERE)
            begins[x.target] = true;
        if (x.calls && x.target != FH_NOWHERE) {
            uint32_t back = fh_return_of(g->code, i, x.target);
            if (back != FH_NOWHERE)
                begins[back] = true;
        }
        if (x.ends && i + 1 < count)
            begins[i + 1] = true;
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
    g->block_of = calloc(code.count + (size_t)1, sizeof *g->block_of);
    if (!g->first || !g->block_of) {
        free(begins);
        fh_flowgraph_free(g);
        return false;
    }
    uint32_t block = 0;
    for (uint32_t i = 0; i < code.count; i++) {
        if (begins[i])
            g->first[block++] = i;
        g->block_of[i] = block - 1;
    }
    g->first[block] = code.count;
    free(begins);
    return true;
}

void fh_flowgraph_free(struct fh_flowgraph *g) {
    free(g->first);
    free(g->block_of);
    *g = (struct fh_flowgraph){.blocks = 0};
}

/*
 * code.c - see code.h.
 */
#include "code.h"

#include "dataflow.h"
#include "isa_names.h"
#include "machines.h"
#include "tables.h"

uint32_t fh_registers_used(const struct fh_uses *uses) {
    uint32_t used = 0;
    for (unsigned i = 0; i < uses->count; i++) {
        const struct fh_use *use = &uses->use[i];
        const uint32_t end = use->first + (uint32_t)use->count - FH_RES_R;
        if (use->first < FH_RES_UR && end > used)
            used = end;
    }
    return used;
}

uint32_t fh_named_barriers(const struct fh_inst *inst) {
    switch (fh_form_control[inst->form->id]) {
    case FH_CTRL_bar_sync:
    case FH_CTRL_bar_arv:
    case FH_CTRL_bar_red: break;
    default: return 0;
    }
    _Static_assert(FH_BAR_SYNC_id == FH_BAR_ARV_id && FH_BAR_SYNC_id == FH_BAR_RED_id,
                   "the barrier is the same operand of each");
    const struct fh_operand *id = &inst->op[FH_BAR_SYNC_id];
    return id->kind == FH_K_IMM ? (uint32_t)id->value + 1 : FH_BARRIERS;
}

enum { STACK_POINTER = 1, INITIAL_STACK_POINTER = 0x28 /* in c[0x0] */ };

uint32_t fh_stack_frame(const struct fh_inst *inst) {
    if (inst->form->insn != FH_INSN_IADD3)
        return 0;
    const struct fh_operand *to = &inst->op[FH_IADD3_Rd], *a = &inst->op[FH_IADD3_A],
                            *b = &inst->op[FH_IADD3_B];
    bool moves = to->reg == STACK_POINTER && a->reg == STACK_POINTER && b->kind == FH_K_IMM;
    int32_t bytes = (int32_t)(uint32_t)b->value;
    return moves && bytes < 0 ? (uint32_t)-bytes : 0;
}

/* MOV R1, c[0x0][0x28], in one of its forms. */
static bool begins_stack(const struct fh_inst *inst) {
    for (unsigned i = 0; i < inst->form->operand_count; i++) {
        const struct fh_operand *op = &inst->op[i];
        if (op->kind == FH_K_CONST && op->bank == 0 && !op->indexed)
            return op->value == INITIAL_STACK_POINTER;
    }
    return false;
}

/* IADD3 R1, R1, BYTES, RZ, or another sum of R1 and a number. */
static bool adds_number(const struct fh_inst *inst) {
    bool number = false;
    for (unsigned i = 1; i < inst->form->operand_count; i++) {
        const struct fh_operand *op = &inst->op[i];
        number |= op->kind == FH_K_IMM;
        if (op->kind == FH_K_REG && op->reg != STACK_POINTER && op->reg != FH_RZ)
            return false;
        if (op->kind == FH_K_UREG || op->kind == FH_K_CONST)
            return false;
    }
    return number && inst->form->insn == FH_INSN_IADD3;
}

bool fh_stack_moves(const fhec_word *words, size_t count, bool began) {
    for (size_t w = 0; w < count; w++) {
        struct fh_inst inst;
        struct fh_uses uses;
        bool written = false;
        if (!fh_decode(words[w], &inst))
            continue;
        fh_uses_of(&inst, &uses);
        for (unsigned u = 0; u < uses.count; u++)
            written |= uses.use[u].access == FH_WRITE && uses.use[u].first <= STACK_POINTER &&
                       uses.use[u].first + uses.use[u].count > STACK_POINTER;
        if (written && begins_stack(&inst))
            began = true;
        else if (written && began && !adds_number(&inst))
            return true;
    }
    return false;
}

bool fh_ends_control(const struct fh_inst *inst) {
    uint8_t control = fh_form_control[inst->form->id];
    bool leaves = control == FH_CTRL_exit || control == FH_CTRL_bra || control == FH_CTRL_return ||
                  control == FH_CTRL_branch_register;
    if (!leaves || inst->guard != FH_PT || inst->guard_neg)
        return false;
    for (unsigned i = 0; i < inst->form->operand_count; i++) { /* the second predicate */
        const struct fh_operand *op = &inst->op[i];
        if (op->kind == FH_K_PRED && (op->reg != FH_PT || op->neg))
            return false;
    }
    return true;
}

bool fh_runs_out(const fhec_word *words, size_t count) {
    struct fh_inst inst;
    while (count > 0) {
        if (!fh_decode(words[--count], &inst))
            return true;
        if (inst.form->insn != FH_INSN_NOP)
            return !fh_ends_control(&inst);
    }
    return true;
}

/*
 * instruction.c - what is known of an instruction from its word: operands, registers read and
 * written, fragment layouts, pipe and scheduling fields, for people who write tools.
 */
#include "dataflow.h"
#include "fhec_session.h"
#include "isa.h"

#include <string.h>

enum { FIRST_REUSE_BIT = 122 }; /* of operand A; B's and C's follow */

static const fhec_operand_kind kinds[] = {
    [FH_K_NONE] = FHEC_OPERAND_OTHER,
    [FH_K_REG] = FHEC_OPERAND_REGISTER,
    [FH_K_UREG] = FHEC_OPERAND_UNIFORM,
    [FH_K_PRED] = FHEC_OPERAND_PREDICATE,
    [FH_K_UPRED] = FHEC_OPERAND_UNIFORM_PREDICATE,
    [FH_K_IMM] = FHEC_OPERAND_IMMEDIATE,
    [FH_K_CONST] = FHEC_OPERAND_CONSTANT,
    [FH_K_ADDR] = FHEC_OPERAND_ADDRESS,
    [FH_K_TARGET] = FHEC_OPERAND_TARGET,
    [FH_K_BARRIER] = FHEC_OPERAND_BARRIER,
    [FH_K_SREG] = FHEC_OPERAND_SPECIAL,
    [FH_K_WORD] = FHEC_OPERAND_OTHER,
    [FH_K_SCOREBOARD] = FHEC_OPERAND_OTHER,
    [FH_K_SET] = FHEC_OPERAND_OTHER,
};

/* The operand's register, if it has one that is no constant. */
static uint16_t register_of(const struct fh_operand *o) {
    uint8_t none;
    switch (o->kind) {
    case FH_K_REG:
    case FH_K_ADDR: none = FH_RZ; break;
    case FH_K_CONST:
        if (!o->indexed || o->has_ureg)
            return FHEC_NO_REGISTER;
        none = FH_RZ;
        break;
    case FH_K_UREG: none = FH_URZ; break;
    case FH_K_PRED:
    case FH_K_UPRED: none = FH_PT; break;
    case FH_K_BARRIER:
    case FH_K_SCOREBOARD: return o->reg;
    default: return FHEC_NO_REGISTER;
    }
    return o->reg == none ? FHEC_NO_REGISTER : o->reg;
}

static void describe_operand(const struct fh_inst *inst, unsigned i, fhec_instruction *to) {
    const struct fh_operand *o = &inst->op[i];
    const struct fh_operand_spec *spec = &inst->form->operands[i];
    fhec_operand *operand = &to->operands[i];
    *operand = (fhec_operand){
        .name = spec->name,
        .kind = kinds[o->kind],
        .read = spec->access & FH_READ,
        .written = spec->access & FH_WRITE,
        .negated = o->neg,
        .absolute = o->abs,
        .reg = register_of(o),
        .count = (uint16_t)(o->kind == FH_K_ADDR ? fh_address_registers(inst, i)
                                                 : fh_operand_registers(inst, i)),
        .ureg = o->has_ureg && o->ureg != FH_URZ ? o->ureg : FHEC_NO_REGISTER,
        .bank = o->bank,
        .value = o->value,
        .reuse = o->reuse,
        .slot = spec->reuse_bit >= FIRST_REUSE_BIT
                    ? (uint8_t)(spec->reuse_bit - FIRST_REUSE_BIT + 1)
                    : 0,
    };
    if (o->kind == FH_K_TARGET)
        operand->value += (int64_t)(to->pc + FH_INST_BYTES);
    const char *matrix = strcmp(spec->name, "Rd") == 0 ? "D" : spec->name;
    operand->has_layout =
        o->kind == FH_K_REG && fhec_layout_find(to->mnemonic, matrix, &operand->layout) == FHEC_OK;
}

/* Convergence barriers take no part in the scheduling that uses are collected for. */
static void describe_barrier(const struct fh_operand *o, unsigned access, fhec_instruction *to) {
    for (unsigned written = 0; written < 2; written++)
        if (access & (written ? FH_WRITE : FH_READ) && to->use_count < FHEC_MAX_USES)
            to->uses[to->use_count++] =
                (fhec_use){.file = FHEC_FILE_B, .first = o->reg, .count = 1, .written = written};
}

static void describe_uses(const struct fh_inst *inst, fhec_instruction *to) {
    static const struct {
        uint16_t first;
        fhec_register_file file;
    } files[] = {
        {FH_RES_UP, FHEC_FILE_UP},
        {FH_RES_P, FHEC_FILE_P},
        {FH_RES_UR, FHEC_FILE_UR},
        {FH_RES_R, FHEC_FILE_R},
    };
    struct fh_uses uses;
    fh_uses_of(inst, &uses);
    for (unsigned k = 0; k < uses.count && to->use_count < FHEC_MAX_USES; k++) {
        const struct fh_use *use = &uses.use[k];
        unsigned f = 0;
        while (use->first < files[f].first)
            f++;
        to->uses[to->use_count++] = (fhec_use){.file = files[f].file,
                                               .first = (uint16_t)(use->first - files[f].first),
                                               .count = use->count,
                                               .written = use->access == FH_WRITE};
    }
    for (unsigned i = 0; i < inst->form->operand_count; i++)
        if (inst->op[i].kind == FH_K_BARRIER)
            describe_barrier(&inst->op[i], inst->form->operands[i].access, to);
}

_Static_assert((int)FHEC_MAX_OPERANDS == FH_MAX_OPERANDS && (int)FHEC_MAX_USES >= FH_MAX_USES,
               "all operands and uses have room");

fhec_status fhec_instruction_get(fhec_word word, uint64_t pc, fhec_instruction *to) {
    struct fh_inst inst;
    *to = (fhec_instruction){.word = word, .pc = pc};
    if (!fh_decode(word, &inst))
        return FHEC_BAD_INPUT;
    const struct fh_insn *insn = &fh_insns[inst.form->insn];
    const struct fh_pipe *pipe = fh_pipe_of(&inst);
    (void)fh_print(&inst, pc, 0, to->text, sizeof to->text);
    (void)fh_print_mnemonic(&inst, to->mnemonic, sizeof to->mnemonic);
    to->klass = insn->klass;
    to->title = insn->title;
    to->guard = inst.guard;
    to->guard_uniform = insn->uniform_guard;
    to->guard_negated = inst.guard_neg;
    to->pipe = pipe->name;
    to->latency = pipe->variable ? 0 : pipe->ready[pipe->reads];
    to->stall = inst.sched.stall;
    to->yield = inst.sched.yield;
    to->write_scoreboard = inst.sched.write_barrier;
    to->read_scoreboard = inst.sched.read_barrier;
    to->wait_mask = inst.sched.wait_mask;
    to->reuse = inst.sched.reuse;
    to->operand_count = inst.form->operand_count;
    for (unsigned i = 0; i < to->operand_count; i++)
        describe_operand(&inst, i, to);
    describe_uses(&inst, to);
    return FHEC_OK;
}

/*
 * dataflow.c - reads and writes of an instruction, from the tables of its form alone.
 *
 * Does: registers in all their places (operands of several registers, addresses, descriptors,
 * indices of constants), predicates, guards, the words PR and UPR under their mask.
 * Does not: what the values mean; effects on memory; which lanes act.
 */
#include "dataflow.h"

#include <stdio.h>
#include <string.h>

/* Where the resources of each kind of register begin, and the number of the one that is none. */
static const struct file {
    const char *name;
    uint16_t first;
    uint8_t zero;
} files[] = {[FH_K_REG] = {"R", FH_RES_R, FH_RZ},
             [FH_K_UREG] = {"UR", FH_RES_UR, FH_URZ},
             [FH_K_PRED] = {"P", FH_RES_P, FH_PT},
             [FH_K_UPRED] = {"UP", FH_RES_UP, FH_PT}};

/* Adds a use of `count` registers from `number` on. */
static inline void add_register(struct fh_uses *uses, uint8_t kind, unsigned number, unsigned count,
                                struct fh_use like) {
    const struct file *file = &files[kind];
    if (number >= file->zero || count == 0)
        return;
    like.first = (uint16_t)(file->first + number);
    like.count = (uint8_t)(number + count > file->zero ? file->zero - number : count);
    uses->use[uses->count++] = like;
}

/* Names are short and most differ in their first letter. */
static bool is(const char *name, const char *wanted) {
    return name[0] == wanted[0] && strcmp(name, wanted) == 0;
}

/* A uniform register beside the base has as many bits as the address; a descriptor always has 64.
 */
static void add_address(const struct fh_inst *inst, unsigned i, struct fh_uses *uses) {
    const struct fh_operand *op = &inst->op[i];
    struct fh_use use = {.access = FH_READ, .role = FH_ROLE_ADDRESS, .operand = (uint8_t)i};
    add_register(uses, FH_K_REG, op->reg, fh_address_registers(inst, i), use);
    if (op->has_ureg)
        add_register(uses, FH_K_UREG, op->ureg, op->desc || op->wide || fh_extended(inst) ? 2 : 1,
                     use);
}

/* PR and UPR stand for the predicates that the mask, the operand B, names. */
static void add_predicates(const struct fh_inst *inst, unsigned i, struct fh_uses *uses) {
    const struct fh_operand_spec *spec = &inst->form->operands[i];
    bool uniform = is(spec->name, "UPR");
    if (!uniform && !is(spec->name, "PR"))
        return;
    uint64_t mask = 0x7f;
    for (unsigned k = 0; k < inst->form->operand_count; k++)
        if (is(inst->form->operands[k].name, "B"))
            mask = (uint64_t)inst->op[k].value;
    struct fh_use use = {.access = spec->access, .operand = (uint8_t)i};
    for (unsigned p = 0; p < FH_PT; p++)
        if (mask >> p & 1)
            add_register(uses, uniform ? FH_K_UPRED : FH_K_PRED, p, 1, use);
}

static void add_operand(const struct fh_inst *inst, unsigned i, struct fh_uses *uses) {
    const struct fh_operand *op = &inst->op[i];
    unsigned access = inst->form->operands[i].access;
    struct fh_use use = {.operand = (uint8_t)i};
    switch (op->kind) {
    case FH_K_REG:
    case FH_K_UREG:
    case FH_K_PRED:
    case FH_K_UPRED: {
        const struct fh_operand_spec *spec = &inst->form->operands[i];
        if (op->reg >= files[op->kind].zero)
            break;
        unsigned count = spec->registers ? spec->registers(inst) : 1;
        use.access = FH_READ;
        if (access & FH_READ)
            add_register(uses, op->kind, op->reg, count, use);
        use.access = FH_WRITE;
        if (access & FH_WRITE)
            add_register(uses, op->kind, op->reg, count, use);
        break;
    }
    case FH_K_CONST:
        use.access = FH_READ;
        use.role = FH_ROLE_ADDRESS;
        if (op->has_ureg)
            add_register(uses, FH_K_UREG, op->ureg, 1, use);
        else if (op->indexed)
            add_register(uses, FH_K_REG, op->reg, 1, use);
        break;
    case FH_K_ADDR: add_address(inst, i, uses); break;
    case FH_K_WORD: add_predicates(inst, i, uses); break;
    default: break;
    }
}

void fh_uses_of(const struct fh_inst *inst, struct fh_uses *uses) {
    uses->count = 0;
    bool uniform = fh_insns[inst->form->insn].uniform_guard;
    struct fh_use guard = {.access = FH_READ, .role = FH_ROLE_GUARD, .operand = FH_USE_GUARD};
    add_register(uses, uniform ? FH_K_UPRED : FH_K_PRED, inst->guard, 1, guard);
    for (unsigned i = 0; i < inst->form->operand_count; i++)
        add_operand(inst, i, uses);
}

void fh_resource_name(unsigned resource, char text[8]) {
    static const uint8_t kinds[] = {FH_K_UPRED, FH_K_PRED, FH_K_UREG, FH_K_REG};
    unsigned k = 0;
    while (resource < files[kinds[k]].first)
        k++;
    snprintf(text, 8, "%s%u", files[kinds[k]].name, (resource - files[kinds[k]].first) % 256);
}

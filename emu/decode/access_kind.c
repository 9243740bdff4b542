/*
 * access_kind.c - which instructions access memory, and how.
 */
#include "engine.h"
#include "handlers.h"
#include "isa_names.h"
#include "lanes.h"
#include "translate.h"

struct access {
    enum fh_access_kind kind;
    enum fh_space space;
};

/* Those whose accesses only their functions know. */
static const struct {
    fh_exec_fn *exec;
    struct access access;
} handled[] = {
    {fh_exec_copy_async, {FH_COPIES, FH_GLOBAL}},
    {fh_exec_ldsm, {FH_LOADS_MATRICES, FH_SHARED}},
    {fh_exec_load_const, {FH_LOADS_CONSTANTS, FH_GLOBAL}},
    {fh_exec_load_const_uniform, {FH_LOADS_UNIFORM_CONSTANT, FH_GLOBAL}},
};

static struct access by_function(const struct fh_op *op) {
    fh_exec_fn *const exec = fh_ref_table[op->inst->form->id];
    for (unsigned i = 0; i < sizeof handled / sizeof handled[0]; i++)
        if (handled[i].exec == exec)
            return handled[i].access;
    return (struct access){FH_NO_ACCESS, FH_GLOBAL};
}

/* Of bodies: all that know what they have done but those that are mostly executed by others, and
 * move what is in the registers of the data. */
static enum fh_access_kind kind_of(uint16_t insn) {
    switch (insn) {
    case FH_INSN_LDG:
    case FH_INSN_LDS:
    case FH_INSN_LDL:
    case FH_INSN_LD: return FH_LOADS;
    case FH_INSN_STG:
    case FH_INSN_STS:
    case FH_INSN_STL:
    case FH_INSN_ST: return FH_STORES;
    default: return FH_RECORDED;
    }
}

void fh_op_access(struct fh_op *op) {
    static const enum fh_space spaces[] = {[FH_ACCESSES_GLOBAL] = FH_GLOBAL,
                                           [FH_ACCESSES_SHARED] = FH_SHARED,
                                           [FH_ACCESSES_LOCAL] = FH_LOCAL,
                                           [FH_ACCESSES_GENERIC] = FH_GENERIC};
    const uint16_t insn = op->inst->form->insn;
    const unsigned accesses = fh_insns[insn].accesses;
    struct access access = {FH_NO_ACCESS, FH_GLOBAL};
    if (accesses && !op->control)
        access = (struct access){kind_of(insn), spaces[accesses]};
    else if (!op->control)
        access = by_function(op);
    if (access.kind == FH_NO_ACCESS && op->inst->form->has_constant)
        access.kind = FH_READS_OPERANDS;
    op->access = (uint8_t)access.kind;
    op->access_space = (uint8_t)access.space;
}

/*
 * access_kind.c - which instructions access memory, and how.
 */
#include "engine.h"
#include "handlers.h"
#include "isa_names.h"
#include "lanes.h"
#include "place.h"

struct access {
    enum fh_access_kind kind;
    enum fh_space space;
};

/* Those with a function of their own. */
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

static struct access access_of(const struct fh_op *op) {
    switch (op->inst->form->insn) {
    case FH_INSN_LDG: return (struct access){FH_LOADS, FH_GLOBAL};
    case FH_INSN_LDS: return (struct access){FH_LOADS, FH_SHARED};
    case FH_INSN_LDL: return (struct access){FH_LOADS, FH_LOCAL};
    case FH_INSN_LD: return (struct access){FH_LOADS, FH_GENERIC};
    case FH_INSN_STG: return (struct access){FH_STORES, FH_GLOBAL};
    case FH_INSN_STS: return (struct access){FH_STORES, FH_SHARED};
    case FH_INSN_STL: return (struct access){FH_STORES, FH_LOCAL};
    case FH_INSN_ST: return (struct access){FH_STORES, FH_GENERIC};
    default: return by_function(op);
    }
}

void fh_op_access(struct fh_op *op) {
    const struct access access = access_of(op);
    if (op->control)
        return;
    op->access = (uint8_t)access.kind;
    op->access_space = (uint8_t)access.space;
}

/*
 * access_kind.c - which instructions access memory, and how: what their functions in the reference
 * engine are.
 */
#include "engine.h"
#include "handlers.h"
#include "lanes.h"
#include "place.h"

static const struct {
    fh_exec_fn *exec;
    enum fh_access_kind kind;
    enum fh_space space;
} kinds[] = {
    {fh_exec_load_global, FH_LOADS, FH_GLOBAL},
    {fh_exec_load_shared, FH_LOADS, FH_SHARED},
    {fh_exec_load_local, FH_LOADS, FH_LOCAL},
    {fh_exec_load_generic, FH_LOADS, FH_GENERIC},
    {fh_exec_store_global, FH_STORES, FH_GLOBAL},
    {fh_exec_store_shared, FH_STORES, FH_SHARED},
    {fh_exec_store_local, FH_STORES, FH_LOCAL},
    {fh_exec_store_generic, FH_STORES, FH_GENERIC},
    {fh_exec_atom, FH_CHANGES, FH_GENERIC},
    {fh_exec_atom_popc, FH_CHANGES, FH_GENERIC},
    {fh_exec_atom_arrive, FH_CHANGES, FH_GENERIC},
    {fh_exec_atom_global, FH_CHANGES, FH_GLOBAL},
    {fh_exec_atom_shared, FH_CHANGES, FH_SHARED},
    {fh_exec_atoms_popc, FH_CHANGES, FH_SHARED},
    {fh_exec_atoms_arrive, FH_CHANGES, FH_SHARED},
    {fh_exec_arrive_copied, FH_CHANGES, FH_SHARED},
    {fh_exec_copy_async, FH_COPIES, FH_GLOBAL},
    {fh_exec_ldsm, FH_LOADS_MATRICES, FH_SHARED},
    {fh_exec_load_const, FH_LOADS_CONSTANTS, FH_GLOBAL},
    {fh_exec_load_const_uniform, FH_LOADS_UNIFORM_CONSTANT, FH_GLOBAL},
};

void fh_op_access(struct fh_op *op) {
    fh_exec_fn *const exec = fh_ref_table[op->inst->form->id];
    for (unsigned i = 0; i < sizeof kinds / sizeof kinds[0] && !op->control; i++) {
        if (kinds[i].exec != exec)
            continue;
        op->access = (uint8_t)kinds[i].kind;
        op->access_space = (uint8_t)kinds[i].space;
    }
}

/*
 * engine.c - which function executes which form, in which engine.
 *
 *     kind                 reference                    fast
 *     lane uniform warp    bodies lane by lane          32-lane loops of the SIMD level
 *     sums with carries    the same                     vectors with AVX-512 (carry_rows.h)
 *     modular lane         the same                     closed forms (modular.h), then the loops
 *     matrix               bodies                       bodies, layouts compiled in
 *     some of them         array of processing elements kernels of the SIMD level (matrix.h)
 *     loads, stores, LDSM  bodies lane by lane          short ways of the SIMD level, then that
 *     some of kind warp    bodies, handlers             a row at a time (warp_rows.h)
 *     other mem, warp      one function: nothing to tune
 *     ctrl                 one function: nothing to tune
 */
#include "engine.h"

#include "carry_rows.h"
#include "constant_result.h"
#include "control.h"
#include "host_simd.h"
#include "isa_names.h"
#include "lanes.h"
#include "launch.h"
#include "matrix.h"
#include "modular.h"
#include "operand_places.h"
#include "space_ops.h"
#include "superblock.h"
#include "warp_rows.h"

static fh_exec_fn *const control_table[] = {
    [FH_CTRL_exit] = fh_exec_exit,
    [FH_CTRL_bra] = fh_exec_bra,
    [FH_CTRL_bra_div] = fh_exec_bra_div,
    [FH_CTRL_bra_conv] = fh_exec_bra_conv,
    [FH_CTRL_bssy] = fh_exec_bssy,
    [FH_CTRL_bsync] = fh_exec_bsync,
    [FH_CTRL_break] = fh_exec_break,
    [FH_CTRL_warpsync] = fh_exec_warpsync,
    [FH_CTRL_yield] = fh_exec_yield,
    [FH_CTRL_bar_sync] = fh_exec_bar_sync,
    [FH_CTRL_bar_arv] = fh_exec_bar_arv,
    [FH_CTRL_bar_red] = fh_exec_bar_red,
    [FH_CTRL_call] = fh_exec_call,
    [FH_CTRL_return] = fh_exec_return,
    [FH_CTRL_bar_scan] = fh_exec_bar_scan,
    [FH_CTRL_trap] = fh_exec_trap,
    [FH_CTRL_branch_register] = fh_exec_branch_register,
};

bool fh_engine_choose(fhec_engine engine, fhec_simd simd, struct fh_engine *out) {
    if (engine != FHEC_ENGINE_FAST && engine != FHEC_ENGINE_REF)
        return false;
    if (!fh_host_simd(simd, &simd))
        return false;
    *out = (struct fh_engine){.ref = engine == FHEC_ENGINE_REF, .simd = simd};
    out->matrix = fh_matrix_for(engine, simd);
    out->space = &fh_space_portable;
    out->threading = &fh_threading_portable;
    if (out->ref)
        out->table = fh_ref_table;
    else if (simd == FHEC_SIMD_PORTABLE) {
        out->select = fh_fast_select_portable;
        out->modular = fh_modular_portable;
        out->warp_rows = fh_warp_rows_portable;
    }
#if defined __x86_64__
    else if (simd == FHEC_SIMD_AVX2) {
        out->space = &fh_space_avx2;
        out->threading = &fh_threading_avx2;
        out->select = fh_fast_select_avx2;
        out->modular = fh_modular_avx2;
        out->warp_rows = fh_warp_rows_avx2;
    } else {
        out->space = &fh_space_avx512;
        out->threading = &fh_threading_avx512;
        out->select = fh_carry_select_avx512;
        out->modular = fh_modular_avx512;
        out->warp_rows = fh_warp_rows_avx512;
    }
#endif
    return out->matrix != NULL;
}

void fh_op_place(struct fh_op *op) {
    const struct fh_form *form = op->inst->form;
    unsigned scalars = 0;
    for (unsigned i = 0; i < form->operand_count; i++) {
        const enum fh_kind kind = op->inst->op[i].kind; /* the form's */
        op->at[i] = fh_operand_offset(kind, op->row[i]);
        if ((kind == FH_K_UREG || kind == FH_K_IMM || kind == FH_K_CONST) && scalars < FH_SCALARS)
            op->scalar[scalars++] = op->imm[i];
    }
}

/* MOV of an immediate. */
static const struct fh_form *immediate_move(void) {
    const struct fh_form *form = &fh_forms[fh_insns[FH_INSN_MOV].first_form];
    while (form->operands[FH_MOV_B].kind != FH_K_IMM)
        form++;
    return form;
}

/* An op whose operand `result` always gets `value` does what a move of that does: its functions,
 * for which the op gets the operands. What the op is stays in its inst, row and imm. */
static struct fh_functions bind_as_move(const struct fh_engine *engine, struct fh_op *op,
                                        unsigned result, uint32_t value) {
    const struct fh_inst inst = {.form = immediate_move()};
    const struct fh_op move = {.inst = &inst};
    op->at[FH_MOV_Rd] = fh_row_offset(op->row[result]);
    op->at[FH_MOV_B] = fh_operand_offset(FH_K_IMM, FH_ZERO_UREG);
    op->scalar[0] = value; /* its only one */
    return engine->select(&move);
}

/* What is generated for the op. Those that have closed forms go by those, which read its operands.
 */
static struct fh_functions fast_functions(const struct fh_engine *engine, struct fh_op *op) {
    const struct fh_functions to = engine->select(op);
    uint32_t value;
    const unsigned result = to.threaded && !(engine->modular && engine->modular(op))
                                ? fh_constant_result(op, to.exec, &value)
                                : FH_MAX_OPERANDS;
    return result == FH_MAX_OPERANDS ? to : bind_as_move(engine, op, result, value);
}

void fh_engine_bind(const struct fh_engine *engine, struct fh_op *op) {
    uint16_t form = op->inst->form->id;
    uint8_t control = fh_form_control[form];
    if (control) {
        op->exec = control_table[control];
        op->control = op->exec == fh_exec_bra_div ? FH_CONTROL_ANY : FH_CONTROL;
        return;
    }
    struct fh_functions to = {.exec = NULL};
    if (engine->ref)
        to.exec = engine->table[form];
    else
        to = fast_functions(engine, op);
    if (to.exec) /* else a combination that no word has: op->exec stays a trap */
        op->exec = to.exec;
    fh_exec_fn *matrix = engine->matrix ? fh_matrix_override(engine->matrix, op) : NULL;
    op->exec = matrix ? matrix : op->exec;
    if (engine->ref)
        return;
    fh_exec_fn *modular = engine->modular ? engine->modular(op) : NULL;
    op->exec = modular ? modular : op->exec;
    fh_exec_fn *warp_rows = engine->warp_rows ? engine->warp_rows(op) : NULL;
    op->exec = warp_rows ? warp_rows : op->exec;
    op->enter = fh_op_guarded(op) ? engine->threading->guarded : engine->threading->call;
    fh_threaded_fn *const own = fh_op_guarded(op) ? to.guarded : to.threaded;
    if (own && !modular) {
        op->enter = own;
        op->forwarding = fh_op_guarded(op) ? NULL : to.forwarding;
        op->forwards = to.forwards & 15;
        op->shares = fh_op_guarded(op) ? 0 : to.shares & 15;
    }
    fh_exec_fn *space = engine->space->exec(op);
    op->exec = space ? space : op->exec;
    fh_threaded_fn *threaded = engine->space->threaded(op);
    if (threaded) {
        op->enter = threaded;
        op->address.number = FH_NUMBERED;
    }
}

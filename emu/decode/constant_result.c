/*
 * constant_result.c - executes an instruction of constants once, in a warp of its own.
 */
#include "constant_result.h"

#include "host_float.h"
#include "isa.h"

#include <string.h>

/* The operand that is written: a register, beside predicates that are PT. FH_MAX_OPERANDS: there is
 * none, or another operand is not the same whenever the instruction runs. */
static unsigned only_result(const struct fh_op *op) {
    const struct fh_form *form = op->inst->form;
    unsigned result = FH_MAX_OPERANDS;
    for (unsigned i = 0; i < form->operand_count; i++) {
        const struct fh_operand_spec *spec = &form->operands[i];
        const uint16_t row = op->row[i];
        bool fixed = spec->kind == FH_K_IMM;
        if (spec->kind == FH_K_REG && spec->access & FH_WRITE) {
            fixed = result == FH_MAX_OPERANDS && fh_operand_registers(op->inst, i) == 1;
            result = i;
        } else if (spec->kind == FH_K_REG) {
            fixed = row == FH_ZERO_ROW;
        } else if (spec->kind == FH_K_PRED) {
            fixed = row == (spec->access & FH_WRITE ? FH_SINK_PRED : FH_PT);
        }
        if (!fixed)
            return FH_MAX_OPERANDS;
    }
    return result;
}

unsigned fh_constant_result(const struct fh_op *op, fh_exec_fn *exec, uint32_t *value) {
    const unsigned result = only_result(op);
    if (result == FH_MAX_OPERANDS)
        return result;
    struct fh_warp w; /* of which the op reads what is cleared here, and writes the sinks */
    memset(w.r[FH_ZERO_ROW], 0, (FH_ROWS - FH_ZERO_ROW) * sizeof w.r[0]);
    memset(w.p, 0, sizeof w.p);
    memset(w.ur, 0, sizeof w.ur);
    w.p[FH_PT] = UINT32_MAX;
    struct fh_op once = *op;
    once.row[result] = FH_SINK_ROW;
    once.at[result] = fh_row_offset(FH_SINK_ROW);
    const fh_host_float host = fh_host_float_enter();
    const bool fine = exec(&w, &once, UINT32_MAX);
    fh_host_float_leave(host);
    const uint32_t *row = w.r[FH_SINK_ROW];
    *value = row[0];
    const bool alike = memcmp(row, row + 1, (FH_LANES - 1) * sizeof *row) == 0;
    return fine && alike ? result : FH_MAX_OPERANDS;
}

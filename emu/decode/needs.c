/* needs.c - see needs.h. */
#include "needs.h"

/* Whether bytes [at, at + bytes) and [from, to) have some in common. */
static bool meet(int64_t at, int64_t bytes, int64_t from, int64_t to) {
    return at < to && at + bytes > from;
}

/* Operand i is a constant of bank 0 at an address that is no register's. */
static void add_constant(struct fh_needs *needs, const struct fh_op *op, unsigned i) {
    const int64_t at = op->inst->op[i].value;
    const int64_t bytes =
        fh_loads_constant(op->inst) ? op->address.bytes : 4 * fh_operand_registers(op->inst, i);
    needs->workspace |= meet(at, bytes, FH_WORKSPACE_HIGH, FH_WORKSPACE_LOW + 4);
    needs->reserved |= meet(at, bytes, FH_RESERVED_SIZE, FH_RESERVED_SIZE + 4) ||
                       meet(at, bytes, FH_RESERVED_END, FH_RESERVED_OFFSET_1 + 4);
}

void fh_needs_add(struct fh_needs *needs, const struct fh_op *op) {
    const struct fh_inst *inst = op->inst;
    for (unsigned i = 0; i < inst->form->operand_count; i++) {
        const struct fh_operand *o = &inst->op[i];
        if (o->kind == FH_K_BARRIER)
            needs->barriers |= (uint16_t)(1U << o->reg);
        else if (o->kind == FH_K_CONST && o->bank == 0 &&
                 (!o->indexed || (o->has_ureg ? o->ureg == FH_URZ : o->reg == FH_RZ)))
            add_constant(needs, op, i);
    }
}

/*
 * chain.c - straight code of a warp whose lanes run together, one op leading to the next.
 *
 *     scheduler -> ops[i].enter -> ops[i+1].chain -> ... -> fh_chain_end -> scheduler
 *
 * Each function executes its op and jumps to the next op's: no loop, no test of the guard where
 * there is none, and a jump of its own for the host to predict. Compilers turn the last call of
 * such a function into the jump; where they do not, in debug builds, it is a call, and CHAIN bounds
 * how deep they nest.
 *
 * Ops with a guard count themselves, since nobody knows afterwards which lanes it let through; the
 * others are counted by the scheduler.
 */
#include "chain.h"

#include "launch.h"

enum { CHAIN = 128 };

const struct fh_op *fh_chain_end(struct fh_warp *w, const struct fh_op *op) {
    (void)w;
    return op;
}

const struct fh_op *fh_chain_call(struct fh_warp *w, const struct fh_op *op) {
    const uint32_t active = w->p[op->guard] ^ (0U - op->guard_neg);
    if (active && !op->exec(w, op, active))
        return op;
    if (fh_op_guarded(op) && w->launch->counts)
        fh_count_op(w->launch->counts, op, active);
    return op[1].chain(w, op + 1);
}

void fh_chains_join(struct fh_op *ops, uint32_t count) {
    ops[count].run = 0;
    ops[count].chain = fh_chain_end;
    for (uint32_t i = count; i-- > 0;) {
        struct fh_op *op = &ops[i], *next = &ops[i + 1];
        op->run = !op->enter ? 0 : next->chain == fh_chain_end ? 1 : next->run + 1;
        op->chain = !op->enter || op->run == CHAIN ? fh_chain_end : op->enter;
    }
}

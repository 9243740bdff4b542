/*
 * live_in.c - registers that are written before they are read.
 *
 * From its start a warp's lanes run together up to the first instruction that can part them. Of
 * the rows that are written there for all lanes before anything else touches them nobody sees what
 * they held before, however the warp goes on. The others are to be cleared, but those that code
 * without a branch never comes to.
 *
 * Behind an EXIT with a guard, which most kernels begin with, the lanes that go on are together
 * still. What they all write there before they read it stays as it was in the lanes that have
 * ended, where only instructions see it that read other lanes' registers: their rows are to be
 * cleared.
 */
#include "live_in.h"

#include "control.h"
#include "dataflow.h"

#include <string.h>

/* Whether the instruction, which has no guard, writes all lanes of its results whatever it finds:
 * instructions that forward their results, loads with a threaded function of their own, matrix
 * instructions. */
static bool writes_all(const struct fh_op *op) {
    return (op->enter && (op->forwards >= FH_FORWARDS_RESULT || op->address.number)) ||
           fh_insns[op->inst->form->insn].kind == FH_KIND_MATRIX;
}

/* Whether it reads registers R of its own lane only. */
static bool reads_own_lane(const struct fh_op *op) {
    switch (fh_insns[op->inst->form->insn].kind) {
    case FH_KIND_LANE:
    case FH_KIND_CTRL: return true;
    case FH_KIND_MEM: return op->access == FH_LOADS || op->access == FH_STORES;
    default: return false;
    }
}

/* What has happened to a row: nothing, or the first thing that did. */
enum row_state { UNTOUCHED, SEEN, OVERWRITTEN };

/* Rows that are read from other lanes somewhere in the code count as seen, if nothing has happened
 * to them; returns how many these are. */
static unsigned see_crossed(const struct fh_op *ops, uint32_t count, unsigned used,
                            uint8_t rows[FH_RZ]) {
    unsigned crossed = 0;
    for (const struct fh_op *op = ops; op < ops + count; op++) {
        struct fh_uses uses = {.count = 0};
        if (op->inst && !reads_own_lane(op))
            fh_uses_of(op->inst, &uses);
        for (unsigned k = 0; k < uses.count; k++) {
            const unsigned first = uses.use[k].first, end = first + uses.use[k].count;
            for (unsigned i = first; uses.use[k].access == FH_READ && i < end && i < used; i++) {
                crossed += rows[i] == UNTOUCHED;
                rows[i] = rows[i] == UNTOUCHED ? SEEN : rows[i];
            }
        }
    }
    return crossed;
}

/* Returns how many of the first `used` rows it touches first. */
static unsigned touch(const struct fh_op *op, const struct fh_uses *uses, enum fh_access access,
                      unsigned used, uint8_t rows[FH_RZ]) {
    unsigned first = 0;
    const bool all = access == FH_WRITE && !fh_op_guarded(op) && writes_all(op);
    for (unsigned k = 0; k < uses->count; k++) {
        const struct fh_use *use = &uses->use[k];
        const unsigned end = use->first + use->count;
        for (unsigned i = use->first; use->access == access && i < end && i < used; i++) {
            first += rows[i] == UNTOUCHED;
            if (rows[i] == UNTOUCHED)
                rows[i] = all ? OVERWRITTEN : SEEN;
        }
    }
    return first;
}

/* Whether a control instruction leaves lanes that come to it together where it found them. */
static bool keeps_together(const struct fh_op *op) {
    bool together =
        !fh_op_guarded(op) && (op->exec == fh_exec_bar_sync || op->exec == fh_exec_bar_arv);
    for (unsigned v = 0; together && v < op->flow.values; v++)
        together = op->inst->op[op->flow.value[v]].kind == FH_K_IMM;
    return together;
}

/* An EXIT that some lanes may go on behind. */
static bool ends_some(const struct fh_op *op) {
    return fh_op_guarded(op) && op->exec == fh_exec_exit && op->control == FH_CONTROL;
}

static bool ends_all(const struct fh_op *op) {
    return !fh_op_guarded(op) && op->exec == fh_exec_exit && op->flow.condition == FH_PT &&
           !op->flow.condition_neg;
}

void fh_live_in_rows(const struct fh_op *ops, uint32_t count, uint32_t used,
                     uint64_t live_in[FH_ROW_WORDS]) {
    uint8_t rows[FH_RZ] = {UNTOUCHED};
    const struct fh_op *op = ops, *const end = ops + count;
    unsigned untouched = used;
    bool ended = false; /* some lanes may have */
    for (; untouched && op < end && op->inst; op++) {
        struct fh_uses uses;
        if (op->control != FH_PLAIN && !keeps_together(op) && !ends_some(op))
            break;
        if (ends_some(op) && !ended)
            untouched -= see_crossed(ops, count, used, rows);
        ended |= ends_some(op);
        fh_uses_of(op->inst, &uses);
        untouched -= touch(op, &uses, FH_READ, used, rows);
        untouched -= touch(op, &uses, FH_WRITE, used, rows);
    }
    const bool done = op < end && op->inst && ends_all(op);
    memset(live_in, 0, FH_ROW_WORDS * sizeof live_in[0]);
    for (unsigned i = 0; i < used; i++)
        if (rows[i] == SEEN || (rows[i] == UNTOUCHED && !done))
            live_in[i / 64] |= UINT64_C(1) << i % 64;
}

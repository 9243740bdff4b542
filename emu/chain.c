/*
 * chain.c - which links straight code consists of. How one leads to the next: link.h.
 */
#include "chain.h"

#include "isa.h"

enum { CHAIN = 128 };

/* The operand of `op` whose row is the one at offset `hand` and which may be had from the hand;
 * FH_MAX_OPERANDS: none. */
static unsigned fed_operand(const struct fh_op *op, uint16_t hand) {
    unsigned count = op->fed ? op->inst->form->operand_count : 0;
    for (unsigned i = 0; i < count; i++)
        if (op->fed[i] && op->at[i] == hand)
            return i;
    return FH_MAX_OPERANDS;
}

/* Gives ops that read what the ops before them leave in hand the links for it. Every way into an
 * op, from the one before it or from the scheduler, brings the row at op->hand. */
static void feed(struct fh_op *ops, uint32_t count) {
    const uint16_t nothing = fh_row_offset(FH_ZERO_ROW);
    uint16_t hand = nothing;
    for (uint32_t i = 0; i < count; i++) {
        struct fh_op *op = &ops[i];
        op->hand = hand;
        unsigned from = op->enter && hand != nothing ? fed_operand(op, hand) : FH_MAX_OPERANDS;
        if (from != FH_MAX_OPERANDS)
            op->enter = op->fed[from];
        if (!op->enter || op->held == FH_HELD_NOTHING)
            hand = nothing;
        else if (op->held >= FH_HELD_RESULT)
            hand = op->at[op->held - FH_HELD_RESULT];
    }
    ops[count].hand = nothing;
}

void fh_chains_join(const struct fh_links *links, struct fh_op *ops, uint32_t count) {
    feed(ops, count);
    ops[count].run = 0;
    ops[count].chain = links->end;
    for (uint32_t i = count; i-- > 0;) {
        struct fh_op *op = &ops[i], *next = &ops[i + 1];
        op->run = !op->enter ? 0 : next->chain == links->end ? 1 : next->run + 1;
        op->chain = !op->enter || op->run == CHAIN ? links->end : op->enter;
    }
}

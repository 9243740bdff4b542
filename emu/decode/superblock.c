/*
 * superblock.c - joins straight code into superblocks. How one leads to the next: threaded.h.
 */
#include "superblock.h"

#include "dataflow.h"

enum { MAX_OPS = 128, BASES = 8 };

/* The operand of `op` whose row is the one at offset `row` and which may be forwarded to it;
 * FH_MAX_OPERANDS: none. */
static unsigned forwarded_operand(const struct fh_op *op, uint16_t forwarded) {
    unsigned count = op->forwarding ? op->inst->form->operand_count : 0;
    for (unsigned i = 0; i < count; i++)
        if (op->forwarding[i] && op->at[i] == forwarded)
            return i;
    return FH_MAX_OPERANDS;
}

/* Gives ops that read what the ops before them forward the functions for it. Every way into an
 * op, from the one before it or from the scheduler, brings the row at op->forwarded. */
static void forward(struct fh_op *ops, uint32_t count) {
    const uint16_t nothing = fh_row_offset(FH_ZERO_ROW);
    uint16_t forwarded = nothing;
    for (uint32_t i = 0; i < count; i++) {
        struct fh_op *op = &ops[i];
        op->forwarded = forwarded;
        unsigned from =
            op->enter && forwarded != nothing ? forwarded_operand(op, forwarded) : FH_MAX_OPERANDS;
        if (from != FH_MAX_OPERANDS)
            op->enter = op->forwarding[from];
        if (!op->enter || op->forwards == FH_FORWARDS_NOTHING)
            forwarded = nothing;
        else if (op->forwards >= FH_FORWARDS_RESULT)
            forwarded = op->at[op->forwards - FH_FORWARDS_RESULT];
    }
    ops[count].forwarded = nothing;
}

/* Whether two loads or stores find the same addresses, but for their offsets, if nothing is written
 * between them. */
static bool same_base(const struct fh_op *x, const struct fh_op *y) {
    const struct fh_address *a = &x->address, *b = &y->address;
    return x->enter == y->enter && a->base == b->base && a->shift == b->shift &&
           a->ureg == b->ureg && a->ureg64 == b->ureg64;
}

static bool overlap(const struct fh_use *use, unsigned cell, unsigned count) {
    return use->first < cell + count && cell < use->first + use->count;
}

/* Drops those of which the instruction writes the base. */
static void forget_written(const struct fh_op *bases[BASES], const struct fh_inst *inst) {
    struct fh_uses uses;
    fh_uses_of(inst, &uses);
    for (unsigned k = 0; k < uses.count; k++) {
        const struct fh_use *use = &uses.use[k];
        for (unsigned i = 0; use->access & FH_WRITE && i < BASES; i++) {
            const struct fh_address *a = bases[i] ? &bases[i]->address : NULL;
            if (a && (overlap(use, FH_RES_R + a->base, a->base64 ? 2 : 1) ||
                      overlap(use, FH_RES_UR + a->ureg, a->ureg64 ? 2 : 1)))
                bases[i] = NULL;
        }
    }
}

/* Value numbers of the bases of loads and stores that have threaded functions of their own: see
 * fh_address.number. */
static void number(struct fh_op *ops, uint32_t count) {
    const struct fh_op *bases[BASES] = {NULL};
    uint32_t last = 0;
    for (uint32_t i = 0; i < count; i++) {
        struct fh_op *op = &ops[i];
        if (op->enter && op->address.number) {
            unsigned k = 0;
            while (k < BASES && !(bases[k] && same_base(bases[k], op)))
                k++;
            op->address.number = k < BASES ? bases[k]->address.number : ++last;
            if (k == BASES)
                bases[last % BASES] = op;
        }
        if (last && op->inst)
            forget_written(bases, op->inst);
    }
}

void fh_superblocks_join(const struct fh_threading *threading, struct fh_op *ops, uint32_t count) {
    forward(ops, count);
    number(ops, count);
    ops[count].run = 0;
    ops[count].threaded = threading->end;
    for (uint32_t i = count; i-- > 0;) {
        struct fh_op *op = &ops[i], *next = &ops[i + 1];
        op->run = !op->enter ? 0 : next->threaded == threading->end ? 1 : next->run + 1;
        op->threaded = !op->enter || op->run == MAX_OPS ? threading->end : op->enter;
    }
}

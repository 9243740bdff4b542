/*
 * superblock.c - joins straight code into superblocks. How one leads to the next: threaded.h.
 */
#include "superblock.h"

#include "dataflow.h"
#include "launch.h"

enum { MAX_OPS = 128, BASES = 8, LOADS_AHEAD = 6 };

/* The operand of `op` whose row is the one at offset `row` and which may be forwarded to it;
 * FH_MAX_OPERANDS: none. */
static unsigned forwarded_operand(const struct fh_op *op, uint16_t forwarded) {
    unsigned count = op->forwarding ? op->inst->form->operand_count : 0;
    for (unsigned i = 0; i < count; i++)
        if (op->forwarding[i] && op->at[i] == forwarded)
            return i;
    return FH_MAX_OPERANDS;
}

/* A load or store whose base is as it was. */
struct base {
    struct fh_op *op;                /* NULL: none */
    bool again;                      /* others behind it have its number */
    struct fh_op *last[LOADS_AHEAD]; /* loads through it, the latest at (loads - 1) % LOADS_AHEAD */
    unsigned loads;
};

/* What is known in front of an op, of those before it. */
struct joining {
    const struct fh_threading *threading;
    uint16_t forwarded; /* offset of the row that the op before it forwards */
    uint16_t shared;    /* and of the other one, that it has read */
    uint32_t last;      /* number that was given last */
    struct base bases[BASES];
};

/* The row that the op shares with the next one, unless it writes it itself: `nothing` then. */
static uint16_t row_shared(const struct fh_op *op, uint16_t nothing) {
    if (!op->enter || !op->shares)
        return nothing;
    const uint16_t row = op->at[op->shares - 1], written = op->at[0];
    return row == written || row == written + sizeof(((struct fh_warp *)NULL)->r[0]) ? nothing
                                                                                     : row;
}

/* An op that reads what the one before it forwards gets the function for it. Every way into an op,
 * from the one before it or from the scheduler, brings the rows at op->forwarded and op->shared. */
static void forward(struct joining *j, struct fh_op *op) {
    const uint16_t nothing = fh_row_offset(FH_ZERO_ROW), forwarded = j->forwarded;
    op->forwarded = forwarded;
    op->shared = j->shared;
    unsigned from =
        op->enter && forwarded != nothing ? forwarded_operand(op, forwarded) : FH_MAX_OPERANDS;
    if (from != FH_MAX_OPERANDS)
        op->enter = op->forwarding[from];
    const unsigned shares = op->enter && op->shares ? op->shares - 1U : FH_MAX_OPERANDS;
    if (shares != FH_MAX_OPERANDS && from != shares && j->shared != nothing &&
        op->at[shares] == j->shared)
        op->enter = op->forwarding[FH_SHARING + (from == FH_MAX_OPERANDS ? shares : from)];
    if (!op->enter || op->forwards == FH_FORWARDS_NOTHING)
        j->forwarded = nothing;
    else if (op->forwards >= FH_FORWARDS_RESULT)
        j->forwarded = op->at[op->forwards - FH_FORWARDS_RESULT];
    j->shared = row_shared(op, nothing);
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

/* Nothing behind it has the base's number. If nothing has it at all, there is no use in learning of
 * the base, which takes longer than to look at its lanes. */
static void drop(const struct joining *j, struct base *base) {
    struct fh_op *op = base->op;
    if (op && !base->again) {
        op->address.number = 0;
        op->enter = fh_op_guarded(op) ? j->threading->guarded : j->threading->call;
    }
    *base = (struct base){.op = NULL};
}

static void drop_all(struct joining *j) {
    for (unsigned i = 0; i < BASES; i++)
        drop(j, &j->bases[i]);
}

/* Lets a load through the base some loads before this one know where it goes. */
static void look_ahead(struct base *base, struct fh_op *op) {
    struct fh_op **const place = &base->last[base->loads++ % LOADS_AHEAD];
    const int64_t ahead = *place ? op->address.offset - (*place)->address.offset : 0;
    if (*place && ahead == (int32_t)ahead)
        (*place)->ahead = (int32_t)ahead;
    *place = op;
}

/* Drops those of which the instruction writes the base. */
static void drop_written(struct joining *j, const struct fh_inst *inst) {
    struct fh_uses uses;
    fh_uses_of(inst, &uses);
    for (unsigned k = 0; k < uses.count; k++) {
        const struct fh_use *use = &uses.use[k];
        for (unsigned i = 0; use->access & FH_WRITE && i < BASES; i++) {
            const struct fh_op *op = j->bases[i].op;
            const struct fh_address *a = op ? &op->address : NULL;
            if (a && (overlap(use, FH_RES_R + a->base, a->base64 ? 2 : 1) ||
                      overlap(use, FH_RES_UR + a->ureg, a->ureg64 ? 2 : 1)))
                drop(j, &j->bases[i]);
        }
    }
}

/* The value number of the base of a load or store that has a threaded function of its own: see
 * fh_address.number. At the begin of a superblock nothing is known of any base. */
static void number(struct joining *j, struct fh_op *op) {
    if (!op->enter)
        drop_all(j);
    if (op->enter && op->address.number) {
        unsigned k = 0;
        while (k < BASES && !(j->bases[k].op && same_base(j->bases[k].op, op)))
            k++;
        if (k < BASES) {
            op->address.number = j->bases[k].op->address.number;
            j->bases[k].again = true;
            look_ahead(&j->bases[k], op);
        } else {
            struct base *const base = &j->bases[++j->last % BASES];
            drop(j, base);
            op->address.number = j->last;
            base->op = op;
            look_ahead(base, op);
        }
    }
    if (j->last && op->inst)
        drop_written(j, op->inst);
}

void fh_superblocks_join(const struct fh_threading *threading, struct fh_op *ops, uint32_t count) {
    struct joining j = {.threading = threading,
                        .forwarded = fh_row_offset(FH_ZERO_ROW),
                        .shared = fh_row_offset(FH_ZERO_ROW)};
    for (uint32_t i = 0; i < count; i++) {
        forward(&j, &ops[i]);
        number(&j, &ops[i]);
    }
    drop_all(&j);
    ops[count].forwarded = ops[count].shared = fh_row_offset(FH_ZERO_ROW);
    ops[count].run = 0;
    ops[count].has_bases = false;
    ops[count].threaded = threading->end;
    for (uint32_t i = count; i-- > 0;) {
        struct fh_op *op = &ops[i], *next = &ops[i + 1];
        const bool last = next->threaded == threading->end;
        op->run = !op->enter ? 0 : last ? 1 : (uint8_t)(next->run + 1);
        op->has_bases = op->enter && (op->address.number || (!last && next->has_bases));
        op->threaded = !op->enter || op->run == MAX_OPS ? threading->end : op->enter;
    }
}
